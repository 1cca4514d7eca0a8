import Depin
import Testing

@Suite("Warming up an open scope")
struct ScopeWarmUpTests {
    private static let request = ObjectScope(opened: "request")

    // Account → Session → Token, which takes time: the session's factory cannot wait for it.
    @Test(arguments: [false, true])
    func `begins after what takes time what a seed may ask for it`(isSeed: Bool) async throws {
        let container = Container()
        container.autoregister(Account.self, initializer: Account.init)
            .inObjectScope(Self.request)
            .eager()
        container.register(
            Token.self,
            asyncFactory: {
                await letOthersRun()
                return Token()
            }
        )
        .inObjectScope(Self.request)
        .eager()
        func register(in container: Container) {
            container.register(Session.self) { r in Session(token: try r.require(Token.self)) }
        }
        if !isSeed { register(in: container) }
        let scope = container.openScope(Self.request) { if isSeed { register(in: $0) } }
        await #expect(throws: Never.self) { try await scope.warmUp() }
        #expect(try scope.require(Account.self) === scope.require(Account.self))
        try await scope.close()
    }
}

// MARK: -

private final class Token: Sendable {}

private final class Session: Sendable {
    let token: Token

    init(token: Token) {
        self.token = token
    }
}

private final class Account: Sendable {
    let session: Session

    init(session: Session) {
        self.session = session
    }
}
