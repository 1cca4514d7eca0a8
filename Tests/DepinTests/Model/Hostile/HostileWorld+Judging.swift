import Depin
import Foundation

extension HostileWorld {
    /// Compares what was got with what the model has.
    func judge(
        _ item: HostileItem?,
        _ service: Int,
        _ level: HostileLevel,
        since start: Int
    ) {
        guard let item else {
            if level.canBuild(service) { fail("\(service) was not got") }
            return
        }
        guard let (record, _) = level.find(service) else {
            return fail("\(service) was got, and is not registered")
        }
        if item.service != service { fail("got \(item.service) for \(service)") }
        if item.registration != record.number {
            fail("\(service) came from \(item.registration) and not from \(record.number)")
        }
        if record.recipe.scope.isPermanent {
            if let known = record.known, known !== item { fail("\(service) has two instances") }
            record.known = item
        }
        judgeNeeds(of: item, level, since: start)
    }

    /// What was made in this operation has the needs of the container that built it.
    private func judgeNeeds(of item: HostileItem, _ level: HostileLevel, since start: Int) {
        guard item.serial > start, let builder = level.builder(of: item.service) else { return }
        for need in item.needs where need.serial > start {
            guard let (record, _) = builder.find(need.service) else {
                fail("\(need.service) was got for \(item.service), and is not registered")
                continue
            }
            if need.registration != record.number {
                fail(
                    "\(item.service) got \(need.service) from \(need.registration) and not from "
                        + "\(record.number)"
                )
            }
            judgeNeeds(of: need, builder, since: start)
        }
    }

    /// Builds all, leaves nothing behind, and lets what was begun go on.
    func validate(_ place: Place) {
        let (living, alive, lateCount) = (self.living, containers.alive, late.count)
        asking(nil) {
            _ = try? place.container.validate(standIns: { self.containers.add($0) })
        }
        var begun = Array(late.dropFirst(lateCount))
        late.removeLast(begun.count)
        while let last = begun.popLast() {
            note("  going on after a validation with \(last.service)")
            goOn(with: last, place.level)
        }
        // What this has begun would go on for ever.
        late.removeLast(late.count - lateCount)
        (holding, isTaken) = ([], false)
        if isParked { return }
        if self.living > living { fail("a validation leaves \(self.living - living) instances") }
        if containers.alive > alive { fail("a validation leaves its container") }
    }

    /// Asks on a thread of its own, which goes on unless it demands what is missing.
    private func goOn(with deferral: HostileDeferral, _ level: HostileLevel) {
        let service = deferral.service
        let isMissing = level.find(service) == nil
        guard violations.isEmpty, isMissing || level.canBuild(service) else { return }
        let ended = DispatchSemaphore(value: 0)
        let taken = Taken(deferral)
        Thread.detachNewThread {
            let isThere = taken.ask(demanding: isMissing)
            if !isThere { self.fail("a validation's product did not get \(service)") }
            ended.signal()
        }
        if isMissing {
            // For a moment, in which it would stop the process.
            isParked = ended.wait(timeout: .now() + 0.01) == .timedOut
        } else if ended.wait(timeout: .now() + 5) == .timedOut {
            fail("a validation's product does not go on with \(service)")
        }
    }

    /// Lets go of a deferral when that has been used, whatever a thread still holds.
    private final class Taken: @unchecked Sendable {  // One thread uses it at a time.
        private var deferral: HostileDeferral?

        init(_ deferral: HostileDeferral) { self.deferral = deferral }

        func ask(demanding isDemanded: Bool) -> Bool {
            defer { deferral = nil }
            return (isDemanded ? deferral?.demand() : deferral?.ask()) != nil
        }
    }

    /// Nothing is registered for what everything is.
    func askForAnything(_ container: Container) {
        func ask<Service>(_ type: Service.Type) {
            if container.resolve(type) != nil { fail("there is something for \(type)") }
            if (try? container.require(type)) != nil { fail("there is something for \(type)") }
            if (container ~> Service?.self) != nil { fail("there is some \(type)?") }
        }
        ask(Any.self)
        ask(AnyObject.self)
        ask((any CustomDebugStringConvertible).self)
        ask((any Hashable).self)
    }
}
