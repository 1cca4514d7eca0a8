/// What holds for every program, with lanes or without.
extension World {
    func judge() {
        let lives = history.lives
        judgeCallbacks(lives)
        judgeSharing(lives)
        judgeClosing(lives)
    }

    private func judgeCallbacks(_ lives: [Int: History.Life]) {
        for (number, life) in lives where life.completions > 1 {
            history.fail("callbacks of #\(number) ran \(life.completions) times")
        }
    }

    /// What is shared was built once, unless something was reset or registered anew.
    private func judgeSharing(_ lives: [Int: History.Life]) {
        guard !program.hasCircles, !program.changesInLanes, !program.resetsInSetup else { return }
        var counts: [String: [Int]] = [:]
        for (number, life) in lives.sorted(by: { $0.key < $1.key }) {
            guard life.inner == nil, life.origin.scope.isPermanent, life.ended != nil,
                !life.hasFailed, !life.isDiscarded, !life.isCanceled,
                life.place != KnownContainers.unknown
            else { continue }
            let argument = life.origin.isPerArguments ? life.argument : nil
            counts["\(life.origin.registration) \(life.place) \(argument ?? -1)", default: []]
                .append(number)
        }
        for (_, numbers) in counts where numbers.count > 1 {
            history.fail("one shared instance was built as \(numbers)")
        }
    }

    // MARK: - Closing

    private func judgeClosing(_ lives: [Int: History.Life]) {
        for (number, life) in lives.sorted(by: { $0.key < $1.key }) {
            if life.closings.count > 1 { history.fail("#\(number) closed twice") }
            if mustClose(life), life.closings.isEmpty { history.fail("#\(number) never closed") }
            guard let time = life.closings.first else { continue }
            judgeTime(number, time, life, lives)
            // Where a lane was registering its service just then, nobody had said yet that it closes.
            guard life.completions > 0 || !program.changesInLanes else { continue }
            for needed in reached(from: number, lives) where needed != number {
                guard let other = lives[needed], let end = other.closings.first, end < time,
                    !containers.isInside(other.place, life.place),
                    other.completions > 0 || !program.changesInLanes
                else { continue }
                // Of those that need each other one has to be the first.
                let back = reached(from: needed, lives, withOthers: true)
                let isInCircle =
                    back.contains(needed) && !program.features.contains(.closersInCircles)
                // What a callback's factory has got before it failed, is noted as the callback's, and what an
                // instance asks for that ends while another one is made, as the other one's.
                let mayBeInCircle =
                    program.hasCircles
                    && (program.asksAtEnd || lives.values.contains { $0.hasFailed })
                if !isInCircle, !mayBeInCircle, !back.contains(number) {
                    history.fail("#\(needed) closed before #\(number), which needed it")
                }
            }
        }
    }

    /// Where lanes have run; what the setup leaves is compared with the reference.
    private func mustClose(_ life: History.Life) -> Bool {
        guard !program.lanes.isEmpty, !program.resetsInSetup, !program.changesInLanes else {
            return false
        }
        // What ends and asks may lead back to what is being built.
        guard !program.asksAtEnd || program.features.contains(.closersInCircles) else {
            return false
        }
        return life.origin.closes && life.inner == nil && life.ended != nil && !life.hasFailed
            && life.origin.scope != .weak && containers.closes(life.place)
    }

    /// No instance closes while something is being built in its container, or with it.
    private func judgeTime(
        _ number: Int,
        _ time: Int,
        _ life: History.Life,
        _ lives: [Int: History.Life]
    ) {
        for (other, building) in lives where other != number && !life.isCanceled {
            guard building.began < time, (building.ended ?? .max) > time else { continue }
            let isTogether =
                building.place == life.place && life.place != KnownContainers.unknown
            if building.needs.contains(number) || isTogether {
                history.fail("#\(number) closed while #\(other) was being built")
            }
        }
    }

    private func reached(
        from number: Int,
        _ lives: [Int: History.Life],
        withOthers: Bool = false
    ) -> Set<Int> {
        var known: Set<Int> = []
        var next = [number]
        while let life = next.popLast().flatMap({ lives[$0] }) {
            let needs = withOthers ? life.needs.union(life.otherNeeds) : life.needs
            for needed in needs {
                // Nobody promises when what is inside closes that is used from outside.
                guard let other = lives[needed], !containers.isWithin(other.place, life.place),
                    known.insert(needed).inserted
                else { continue }
                next.append(needed)
            }
        }
        return known
    }
}

extension Program {
    fileprivate var resetsInSetup: Bool {
        setup.contains {
            switch $0 {
            case .register, .unregister, .reset: true
            default: false
            }
        }
    }
}
