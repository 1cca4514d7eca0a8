extension Resolution {
    /// The error that a factory's error becomes; the step is gone back.
    @usableFromInline
    static func failure(_ frame: FramePointer, _ underlying: any Error) -> any Error {
        defer { leave(frame) }
        if let error = underlying as? ResolutionError {
            return hasPassedHere(error) ? error : error.preceded(by: path)
        }
        return ResolutionError(
            reason: .factoryFailed(underlying),
            request: request(of: frame),
            path: path
        )
    }

    static func error(
        _ reason: ResolutionError.Reason,
        at frame: FramePointer
    ) -> ResolutionError {
        ResolutionError(reason: reason, request: request(of: frame), path: path)
    }

    /// The steps under way on this thread, outermost first.
    static var path: [ResolutionError.Step] {
        var steps: [ResolutionError.Step] = []
        var step = top
        while let current = step {
            if let entry = current.pointee.entry?.takeUnretainedValue() {
                steps.append(
                    ResolutionError.Step(
                        request: request(of: current),
                        registeredAt: entry.place,
                        isCompleting: current.pointee.isCompleting
                    )
                )
            }
            step = current.pointee.parent
        }
        return steps.reversed()
    }

    /// True when an error comes from within the steps under way, which its path then begins with.
    ///
    /// A factory may also pass on an error of another thread, or one that it has kept.
    private static func hasPassedHere(_ error: ResolutionError) -> Bool {
        var index = depth
        guard index <= error.path.count else { return false }
        var step = top
        while let current = step {
            if let entry = current.pointee.entry?.takeUnretainedValue() {
                index -= 1
                let known = error.path[index]
                guard known.registeredAt == entry.place, known.request.name == entry.key.name,
                    known.request.serviceType == entry.serviceType
                else { return false }
            }
            step = current.pointee.parent
        }
        return true
    }

    /// How many factories are under way on this thread.
    static var depth: Int {
        var depth = 0
        var step = top
        while let current = step {
            depth += current.pointee.entry == nil ? 0 : 1
            step = current.pointee.parent
        }
        return depth
    }

    private static func request(of frame: FramePointer) -> ResolutionError.Request {
        guard let entry = frame.pointee.entry?.takeUnretainedValue() else {
            preconditionFailure("a frame that builds nothing has no request")
        }
        return ResolutionError.Request(
            serviceType: entry.serviceType,
            name: entry.key.name,
            argumentTypes: arguments(of: frame)?.takeUnretainedValue().types
                ?? entry.argumentTypes,
            injectedAt: frame.pointee.injectedAt?.pointee
        )
    }
}
