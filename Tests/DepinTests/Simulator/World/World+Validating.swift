import Depin
import DepinInspection
import Foundation

extension World {
    /// Builds all in a fork, leaves nothing behind, and lets what was made there go on.
    func validate(_ container: Container) {
        let before = beginValidating()
        _ = try? container.validate(standIns: addStandIn)
        endValidating(since: before)
    }

    func validateAsync(_ container: Container, isCanceled: Bool) async {
        let before = beginValidating()
        let validate = { @Sendable in
            do {
                return try await "\(container.validateAsync(standIns: self.addStandIn))"
            } catch let error as ValidationError {
                return "\(error)"
            }
        }
        if isCanceled {
            let (result, wasUnderWay) = await canceling(validate)
            if wasUnderWay, case .success = result {
                history.fail("a canceled validation has a report")
            }
        } else {
            let report = (try? await validate()) ?? ""
            if program.awaitsWhatTakesTime, report.contains("synchronous code cannot wait") {
                history.fail("a validation invents what waits in vain: \(report)")
            }
        }
        endValidating(since: before)
    }

    private func addStandIn(_ fork: Container) {
        containers.add(fork, isFork: true, isPlace: false)
    }

    /// How many instances and containers there are when a validation begins.
    private struct Living {
        let instances: Int
        let containers: Int
        let products = Cell<[Item]>([])
    }

    private func beginValidating() -> Living {
        let living = Living(instances: history.livingCount, containers: containers.alive)
        validating.change { $0 = living.products }
        history.mute(true)
        return living
    }

    private func endValidating(since before: Living) {
        let (living, alive, products) = (before.instances, before.containers, before.products)
        // What a product asks for later may fail, and must not stop the process.
        for item in products.replace(by: []).prefix(8) {
            for deferral in item.deferrals where deferral.request.way == .resolver {
                _ = try? deferral.ask()
            }
        }
        validating.change { $0 = nil }
        withExtendedLifetime(products.replace(by: [])) {}
        history.cutCircles(onlyUnnumbered: true)
        history.mute(false)
        untilSettled { history.livingCount <= living && containers.alive <= alive }
        if history.livingCount > living {
            history.fail("a validation leaves \(history.livingCount - living) instances")
        }
        if containers.alive > alive { history.fail("a validation leaves its container") }
    }

    /// Another thread or task may let go a little later.
    func untilSettled(_ condition: () -> Bool) {
        for _ in 0..<1000 where !condition() { Thread.sleep(forTimeInterval: 0.001) }
    }

    /// Keeps what a validation has made, until it has returned.
    func noteProduct(_ item: Item) {
        validating.value?.change { $0.append(item) }
    }
}
