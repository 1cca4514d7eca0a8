import Foundation
import HTTPTypes
import Hummingbird
import Lists
import Logging

/// What Hummingbird knows of a request, with the user who sent it.
package protocol UserContext: RequestContext {
    /// Nil until the token was checked.
    var user: User? { get set }
}

extension UserContext {
    /// Who asks: the user, under the id that the request came with, or one of its own.
    package func caller(of request: Request) throws -> Caller {
        guard let user else { throw HTTPError(.unauthorized) }
        let given = request.headers[.requestID].flatMap { isPlain($0) ? $0 : nil }
        return Caller(user: user, requestID: given ?? UUID().uuidString)
    }

    /// The logger of the request, which says in each line whose it is.
    package func logger(for caller: Caller) -> Logger {
        var logger = logger
        logger[metadataKey: "request"] = "\(caller.requestID)"
        logger[metadataKey: "user"] = "\(caller.user.id)"
        return logger
    }
}

/// Short, and of characters that are harmless in a header and in a log.
private func isPlain(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
        && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    package static var requestID: Self { Self("x-request-id")! }
    // swift-format-ignore: NeverForceUnwrap
    package static var user: Self { Self("x-user")! }
}
