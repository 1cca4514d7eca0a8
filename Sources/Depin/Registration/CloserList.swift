/// What is done with an instance when its container closes, the last one first.
final class CloserList<Service> {
    enum Closer {
        case plain(@Sendable (Service) throws -> Void)
        case async(@Sendable (Service) async throws -> Void)
    }

    private let closer: Closer
    private let earlier: CloserList?
    /// True where one of them suspends.
    let isAsync: Bool

    init(_ closer: Closer, after earlier: CloserList?) {
        self.closer = closer
        self.earlier = earlier
        isAsync = if case .async = closer { true } else { earlier?.isAsync ?? false }
    }

    /// Runs all of them, whatever they throw, and gives back what that was.
    func run(_ service: Service) -> [any Error] {
        var errors: [any Error] = []
        if case .plain(let close) = closer {
            do { try close(service) } catch { errors.append(error) }
        }
        return errors + (earlier?.run(service) ?? [])
    }

    /// The same where one of them suspends.
    func run(_ service: Service) async -> [any Error] {
        var errors: [any Error] = []
        do {
            switch closer {
            case .plain(let close): try close(service)
            case .async(let close): try await close(service)
            }
        } catch {
            errors.append(error)
        }
        return errors + (await earlier?.run(service) ?? [])
    }
}
