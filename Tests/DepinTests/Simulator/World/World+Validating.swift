import Depin
import DepinInspection
import Foundation

extension World {
    /// Builds all in a fork, leaves nothing behind, and lets what was made there go on.
    func validate(_ container: Container) {
        let (living, alive) = (history.livingCount, containers.alive)
        let products = Cell<[Item]>([])
        validating.change { $0 = products }
        history.mute(true)
        _ = try? container.validate(standIns: {
            self.containers.add($0, isFork: true, isPlace: false)
        })
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
