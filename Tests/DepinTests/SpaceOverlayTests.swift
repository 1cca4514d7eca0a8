import Testing

@testable import Depin

struct `Space overlay` {
    @Test func `a key stands in the list once, whatever is set how often`() {
        var values = SpaceValues(overlay: nil)
        for number in 0..<100 {
            values[OneKey.self] = number
            values[OtherKey.self] = number
        }

        #expect(values.overlay?.length == 2)
        #expect(values[OneKey.self] == 99)
        #expect(values[OtherKey.self] == 99)
    }

    @Test func `removing a key shares what stands under it and leaves others alone`() {
        let bottom = SpaceOverlay(OneKey.self, Box(1), over: nil)
        let middle = SpaceOverlay(OtherKey.self, Box(2), over: bottom)
        let top = SpaceOverlay(ThirdKey.self, Box(3), over: middle)

        let without = top.removing(OtherKey.self)

        #expect(without?.parent === bottom)
        #expect(without?.override(of: ThirdKey.self)?.value == 3)
        #expect(without?.override(of: OtherKey.self) == nil)
        #expect(middle.removing(ThirdKey.self) === middle)
        #expect(bottom.removing(OneKey.self) == nil)
    }

    @Test func `the task's overlay is asked for only while an overlay lives`() async {
        // In a process of its own, where nothing else makes overlays.
        await #expect(processExitsWith: .success) {
            precondition(SpaceOverlay.liveCount.load(ordering: .relaxed) == 0)
            precondition(SpaceOverlay.current == nil)
            let captured = withSpace {
                $0[OneKey.self] = 1
                $0[OtherKey.self] = 1
                $0[OneKey.self] = 2
            } operation: {
                precondition(SpaceOverlay.current?.override(of: OneKey.self)?.value == 2)
                return SpaceValues.current
            }
            precondition(SpaceOverlay.liveCount.load(ordering: .relaxed) == 2)
            withExtendedLifetime(captured) {}
            _ = consume captured
            precondition(SpaceOverlay.liveCount.load(ordering: .relaxed) == 0)
            SpaceValues.updateShared { $0[OneKey.self] = 1 }
            precondition(SpaceOverlay.liveCount.load(ordering: .relaxed) == 0)
        }
    }
}

extension SpaceOverlay {
    fileprivate var length: Int { 1 + (parent?.length ?? 0) }
}

private enum OneKey: SpaceKey {
    static var defaultValue: Int { 0 }
}

private enum OtherKey: SpaceKey {
    static var defaultValue: Int { 0 }
}

private enum ThirdKey: SpaceKey {
    static var defaultValue: Int { 0 }
}
