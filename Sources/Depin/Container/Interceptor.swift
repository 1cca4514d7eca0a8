/// Stands between the requests to a core and their answers, while someone watches it.
class Interceptor: @unchecked Sendable {  // Subclasses say what guards what they have.
    /// Answers a request, by default as if nobody watched.
    func intercept<Service>(
        _ request: ServiceRequest,
        in core: ContainerCore,
        _ proceed: (ServiceRequest) throws -> Service?
    ) throws -> Service? {
        try proceed(request)
    }

    /// What is to be said before the program stops in a resolution that is watched.
    var account: String { "" }
}

extension ContainerCore {
    /// Who watches.
    var interceptor: Interceptor? {
        guard detours.load(ordering: .relaxed) & Self.isWatched != 0 else { return nil }
        return notes?.withState { $0.interceptor }
    }

    /// Lets someone watch, or nobody any more.
    func setInterceptor(_ interceptor: Interceptor?) {
        let dropped = madeNotes.withState { state in
            defer { state.interceptor = interceptor }
            if interceptor == nil {
                detours.bitwiseAnd(~Self.isWatched, ordering: .sequentiallyConsistent)
            } else {
                detours.bitwiseOr(Self.isWatched, ordering: .sequentiallyConsistent)
            }
            return state.interceptor
        }
        withExtendedLifetime(dropped) {}
    }
}

extension Resolution {
    /// What those who watch the resolution under way have to say before the program stops.
    static var account: String {
        var step = top
        while let frame = step {
            if let interceptor = frame.pointee.asked.takeUnretainedValue().interceptor {
                return interceptor.account
            }
            step = frame.pointee.parent
        }
        return ""
    }

    /// The innermost frame that builds something.
    static var builder: Frame? {
        var step = top
        while let frame = step {
            if frame.pointee.entry != nil { return frame.pointee }
            step = frame.pointee.parent
        }
        return nil
    }
}
