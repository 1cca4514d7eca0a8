// A root with three dependencies that have two each.

protocol Root: Sendable {}
protocol Left: Sendable {}
protocol Middle: Sendable {}
protocol Right: Sendable {}
protocol Leaf1: Sendable {}
protocol Leaf2: Sendable {}
protocol Leaf3: Sendable {}
protocol Leaf4: Sendable {}
protocol Leaf5: Sendable {}
protocol Leaf6: Sendable {}

final class LiveLeaf1: Leaf1 {}
final class LiveLeaf2: Leaf2 {}
final class LiveLeaf3: Leaf3 {}
final class LiveLeaf4: Leaf4 {}
final class LiveLeaf5: Leaf5 {}
final class LiveLeaf6: Leaf6 {}

final class LiveLeft: Left {
    let one: any Leaf1
    let two: any Leaf2

    init(one: any Leaf1, two: any Leaf2) {
        self.one = one
        self.two = two
    }
}

final class LiveMiddle: Middle {
    let one: any Leaf3
    let two: any Leaf4

    init(one: any Leaf3, two: any Leaf4) {
        self.one = one
        self.two = two
    }
}

final class LiveRight: Right {
    let one: any Leaf5
    let two: any Leaf6

    init(one: any Leaf5, two: any Leaf6) {
        self.one = one
        self.two = two
    }
}

final class LiveRoot: Root {
    let left: any Left
    let middle: any Middle
    let right: any Right

    init(left: any Left, middle: any Middle, right: any Right) {
        self.left = left
        self.middle = middle
        self.right = right
    }
}
