import ArgumentParser
import ByHand
import Depin
import DepinInspection
import Foundation
import Hummingbird
import Logging

@main @MainActor
struct ServerCommand: AsyncParsableCommand {
    nonisolated static let configuration = CommandConfiguration(
        commandName: "Server",
        abstract: "Serves shared lists over HTTP.",
        discussion: """
            The environment variables HOST, PORT, DATABASE and LOG_LEVEL stand for the options that are \
            not given. SIGTERM and SIGINT end it: requests under way are answered first.
            """
    )

    @Option(help: "The address to listen at.")
    var host = environment["HOST"] ?? "127.0.0.1"

    @Option(help: "The port to listen at, 0 for any that is free.")
    var port = environment["PORT"].map { Int($0) ?? -1 } ?? 8080

    @Option(help: "The file of the database. (default: a new one, removed at the end)")
    var database: String?

    @Option(help: "What to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel = environment["LOG_LEVEL"] ?? "notice"

    @Flag(help: "Log and count what the container builds.")
    var observe = false

    @Flag(help: "Pass services by hand, without Depin: for comparing.")
    var byHand = false

    @Option(help: "Write a page that shows what depends on what to this file, and end.")
    var picture: String?

    @Space(\.dependenciesAssembler) private static var assembler
    @Space(\.dependenciesContainer) private static var container

    func run() async throws {
        var logger = Logger(label: "server")
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw ArgumentParser.ValidationError("there is no log level '\(logLevel)'")
        }
        logger.logLevel = level
        guard UInt16(exactly: port) != nil else {
            throw ArgumentParser.ValidationError("a port is a number from 0 to \(UInt16.max)")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "lists-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database =
            database ?? environment["DATABASE"] ?? folder.appending(path: "lists.sqlite").path
        let configuration = ApplicationConfiguration(address: .hostname(host, port: port))
        let host = host
        let announce: @Sendable (Int?) -> Void = { port in
            print("listening on http://\(host):\(port ?? 0)")
            fflush(nil)
        }
        if byHand {
            try await makeByHandServer(
                database: database,
                configuration: configuration,
                logger: logger,
                listening: announce
            )
            .runService()
            return
        }
        let assembler = ServerCommand.assembler
        assembler.apply(
            AppAssembly(configuration: Configuration(database: database), logger: logger)
        )
        if observe { assembler.apply(ObservingAssembly()) }
        if let picture {
            try await writePicture(
                to: URL(filePath: picture),
                of: ServerCommand.container,
                in: folder,
                logger: logger
            )
            return
        }
        try await makeServer(
            of: ServerCommand.container,
            configuration: configuration,
            listening: announce
        )
        .runService()
    }
}

private let environment = ProcessInfo.processInfo.environment
