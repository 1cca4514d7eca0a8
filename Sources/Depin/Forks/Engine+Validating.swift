// A validation resolves in a fork, and shares every instance there, whatever its scope.

extension Engine {
    /// True in a factory that a validation of this container, or of a parent, runs: another validation there would run
    /// the factory again, without end.
    package var isBeingValidated: Bool {
        Resolution.withCurrent { resolution in
            (inForce(resolution.path)?.engine ?? self).chain.contains { $0.hasFlag(.isValidated) }
        }
    }

    /// Begins the sharing in this fork and its parents, for the thread or task that validates them.
    @_optimize(size)
    package func beginValidation(by observer: any EngineObserver) {
        let validator = Resolution.withCurrent { ThreadOrTask($0) }
        for engine in chain {
            engine.validator = validator
            engine.setFlag(.isValidated)
            engine.observe(by: observer)
        }
    }

    /// Ends the sharing, and gives the closers of the instances.
    ///
    /// The instances may go on requesting further ones, which are not kept.
    @_optimize(size)
    package func endValidation(by observer: any EngineObserver) -> [CloserRun] {
        for engine in chain {
            engine.setFlag(.keepsNothing)
            engine.setFlag(.isValidated, false)
            // Nothing would close later instances, and nodes would hold them.
            engine.setFlag(.notesNeeds, false)
            engine.endObserving(by: observer)
        }
        return chain.map { $0.takeClosers(.canceled) }
    }
}
