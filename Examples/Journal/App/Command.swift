import JournalDomain

/// What the program was asked to do.
struct Command: Equatable {
    enum Action: Equatable {
        case help
        case add(String, on: Day?)
        case draft(String, on: Day?)
        case finish(Int)
        case list
        case drafts
        case export(String)
    }

    var folder: String?
    var user = "me"
    var action = Action.help

    static let usage = """
        usage: Journal [--folder PATH] [--user NAME] COMMAND

          add [--date YYYY-MM-DD] TEXT      write an entry, for today unless a date is given
          draft [--date YYYY-MM-DD] TEXT    keep an unfinished text
          finish NUMBER                     turn a draft into an entry
          list                              show the entries in the order of their days
          drafts                            show the drafts with their numbers
          export FORMAT                     print the entries in a format, such as markdown

        A journal is kept in the folder .journal of the home folder, unless --folder names another.
        Write -- before a text that begins with a hyphen.
        """
}

/// What is wrong with the arguments.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var description: String
}

extension Command {
    /// Reads the arguments of the program, without its name.
    init(_ arguments: [String]) throws {
        var words: [String] = []
        var day: Day?
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else {
                throw UsageError(description: "\(option) needs a value")
            }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                return
            case "--folder":
                folder = try value(of: argument)
                guard folder != "" else { throw UsageError(description: "the folder has no name") }
            case "--user":
                user = try value(of: argument)
            case "--date":
                let text = try value(of: argument)
                guard let known = Day(text) else {
                    throw UsageError(description: "'\(text)' is not a date: write it as 2026-11-21")
                }
                day = known
            case "--":
                words += rest
                rest = []
            case _ where argument.hasPrefix("-"):
                throw UsageError(description: "there is no option '\(argument)'")
            default:
                words.append(argument)
            }
        }
        action = try Action(words, day)
    }
}

extension Command.Action {
    fileprivate init(_ words: [String], _ day: Day?) throws {
        guard let command = words.first else { throw UsageError(description: "no command") }
        func only(_ noun: String) throws -> String {
            guard words.count == 2 else {
                throw UsageError(description: "'\(command)' takes one \(noun), in quotes")
            }
            guard words[1].contains(where: { !$0.isWhitespace }) else {
                throw UsageError(description: "the \(noun) is empty")
            }
            return words[1]
        }
        func none() throws {
            guard words.count == 1 else {
                throw UsageError(description: "'\(command)' takes no '\(words[1])'")
            }
        }
        switch command {
        case "add":
            self = .add(try only("text"), on: day)
            return
        case "draft":
            self = .draft(try only("text"), on: day)
            return
        case "finish":
            let text = try only("number")
            guard let number = Int(text) else {
                throw UsageError(description: "'\(text)' is not a number")
            }
            self = .finish(number)
        case "list":
            try none()
            self = .list
        case "drafts":
            try none()
            self = .drafts
        case "export":
            self = .export(try only("format"))
        default:
            throw UsageError(description: "there is no command '\(command)'")
        }
        guard day == nil else {
            throw UsageError(description: "'\(command)' takes no date")
        }
    }
}
