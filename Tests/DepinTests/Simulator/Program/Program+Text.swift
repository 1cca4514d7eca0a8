extension Program: CustomStringConvertible {
    /// What a reader needs to write a test of it.
    var description: String {
        var lines = ["features: \(features)"]
        for (service, recipe) in recipes.enumerated() {
            lines.append("app: \(service) is \(recipe)")
        }
        lines += setup.map { "then \($0)" }
        for (number, lane) in lanes.enumerated() {
            let kind = lane.isTask ? "task" : "thread"
            lines.append(
                "\(kind) \(number): " + lane.operations.map { "\($0)" }.joined(separator: "; ")
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension Program.Recipe: CustomStringConvertible {
    var description: String {
        var words = [isAsync ? "async \(scope)" : isMain ? "main-actor \(scope)" : "\(scope)"]
        if isEager { words[0] = "eager " + words[0] }
        if isPerArguments { words[0] += ".perArguments" }
        if closes {
            words.append((["closes"] + atClose.map { "\($0)" }).joined(separator: " with "))
        }
        if failures > 0 { words.append("fails \(failures) times") }
        if !needs.isEmpty {
            words.append("needs " + needs.map { "\($0)" }.joined(separator: " and "))
        }
        if !callback.isEmpty {
            words.append("completes with " + callback.map { "\($0)" }.joined(separator: " and "))
        }
        return words.joined(separator: ", ")
    }
}

extension Program.Need: CustomStringConvertible {
    var description: String {
        switch self {
        case .service(let request): "\(request)"
        case .glances(let request): "twice for a moment \(request)"
        case .collection: "all contributions"
        case .graph: "its graph"
        case .operation(let operation): "(\(operation))"
        case .errand(let errand): "\(errand)"
        }
    }
}

extension Program.Errand: CustomStringConvertible {
    var description: String { "(\(moment) \(operation))" }
}

extension Program.Request: CustomStringConvertible {
    var description: String {
        let argument = argument.map { "(\($0))" } ?? ""
        let words = [isSerialized ? "serialized" : nil, way == .require ? nil : "\(way)"]
        return (words.compactMap(\.self) + ["\(service)\(argument)"]).joined(separator: " ")
    }
}

extension Program.Operation: CustomStringConvertible {
    var description: String {
        switch self {
        case .resolve(let place, let request): "resolve \(request) in place \(place)"
        case .collect(let place): "collect in place \(place)"
        case .use(let index): "use \(index)"
        case .drop(let index): "drop \(index)"
        case .register(let place, let service, let recipe):
            "register \(service) in place \(place) as \(recipe)"
        case .unregister(let place, let service): "unregister \(service) in place \(place)"
        case .reset(let place, let scope): "reset \(scope) in place \(place)"
        case .decorate(let place, let service, let decoration):
            "decorate \(service) in place \(place) \(decoration.isAsync ? "async " : "")with \(decoration.needs)"
                + (decoration.fails ? ", which fails" : "")
        case .contribute(let place, let recipe): "contribute in place \(place) \(recipe)"
        case .child(let place): "child of place \(place)"
        case .open(let place, let scope): "open \(scope) in place \(place)"
        case .fork(let place): "fork place \(place)"
        case .close(let place): "close place \(place)"
        case .leave(let place): "leave place \(place)"
        case .visit(let place, let index): "use \(index) in an override of place \(place)"
        case .closeDuring(let place, let request): "close place \(place) while it makes \(request)"
        case .override(let place, let service, let recipe, let request):
            "override \(service) in place \(place) by \(recipe), resolve \(request)"
        case .graph(let place, let requests): "in one graph of place \(place) resolve \(requests)"
        case .validate(let place): "validate place \(place)"
        case .validateAsync(let place, let isCanceled):
            "validate place \(place) asynchronously" + (isCanceled ? ", and cancel" : "")
        case .cancel(let place, let request): "resolve \(request) in place \(place), and cancel"
        case .warmUp(let place, let width, let isCanceled):
            "warm up place \(place) with width \(width)" + (isCanceled ? ", and cancel" : "")
        case .guests(let place, let scope): "\(scope) guests in place \(place)"
        case .owner(let place): "an owner in place \(place)"
        case .anything(let place): "anything in place \(place)"
        }
    }
}
