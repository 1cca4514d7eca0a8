import Hummingbird
import Lists

/// What a service gave, with the user and the request for which it worked, as the service knows them.
package struct Answer<Content: ResponseGenerator>: ResponseGenerator {
    private let content: Content
    private let caller: Caller
    private let status: HTTPResponse.Status

    package init(_ content: Content, for caller: Caller, status: HTTPResponse.Status = .ok) {
        (self.content, self.caller, self.status) = (content, caller, status)
    }

    package func response(
        from request: Request,
        context: some RequestContext
    ) throws -> Response {
        var response = try content.response(from: request, context: context)
        response.status = status
        response.headers[.user] = caller.user.id.uuidString
        response.headers[.requestID] = caller.requestID
        return response
    }
}

extension Caller: ResponseEncodable {}
extension Account: ResponseEncodable {}
extension TodoList: ResponseEncodable {}
extension ListContents: ResponseEncodable {}
extension Item: ResponseEncodable {}

extension ListError: HTTPResponseError {
    package var status: HTTPResponse.Status { .notFound }

    package func response(
        from request: Request,
        context: some RequestContext
    ) throws -> Response {
        let message =
            switch self {
            case .noSuchList: "no such list"
            case .noSuchItem: "no such item"
            case .noSuchUser: "no such user"
            }
        return try HTTPError(status, message: message).response(from: request, context: context)
    }
}
