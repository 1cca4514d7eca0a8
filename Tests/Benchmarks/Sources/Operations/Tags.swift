import Depin

// A thousand services of a thousand types, each with registering code of its own as in an app: the
// compiler makes it from these few lines, a copy for each of ten times ten times ten digits.

protocol Digit: Sendable {}
enum D0: Digit {}
enum D1: Digit {}
enum D2: Digit {}
enum D3: Digit {}
enum D4: Digit {}
enum D5: Digit {}
enum D6: Digit {}
enum D7: Digit {}
enum D8: Digit {}
enum D9: Digit {}

/// One of a thousand service types.
final class Tag<A: Digit, B: Digit, C: Digit>: Sendable {}

/// What is done with each of the types.
protocol TagVisitor {
    func visit<A: Digit, B: Digit, C: Digit>(_ tag: Tag<A, B, C>.Type)
}

struct TagRegistration: TagVisitor {
    let container: Container

    @inline(never)
    func visit<A: Digit, B: Digit, C: Digit>(_ tag: Tag<A, B, C>.Type) {
        container.register(tag) { Tag() }
    }
}

/// Registers the same types as ready singletons.
struct SharedTagRegistration: TagVisitor {
    let container: Container

    @inline(never)
    func visit<A: Digit, B: Digit, C: Digit>(_ tag: Tag<A, B, C>.Type) {
        container.register(tag) { Tag() }.inObjectScope(.container)
        sink(container.resolve(tag))
    }
}

func visitThousand<Visitor: TagVisitor>(_ visitor: Visitor) {
    visitHundred(visitor, D0.self)
    visitHundred(visitor, D1.self)
    visitHundred(visitor, D2.self)
    visitHundred(visitor, D3.self)
    visitHundred(visitor, D4.self)
    visitHundred(visitor, D5.self)
    visitHundred(visitor, D6.self)
    visitHundred(visitor, D7.self)
    visitHundred(visitor, D8.self)
    visitHundred(visitor, D9.self)
}

@inline(never)
func visitHundred<Visitor: TagVisitor, A: Digit>(_ visitor: Visitor, _ a: A.Type) {
    visitTen(visitor, a, D0.self)
    visitTen(visitor, a, D1.self)
    visitTen(visitor, a, D2.self)
    visitTen(visitor, a, D3.self)
    visitTen(visitor, a, D4.self)
    visitTen(visitor, a, D5.self)
    visitTen(visitor, a, D6.self)
    visitTen(visitor, a, D7.self)
    visitTen(visitor, a, D8.self)
    visitTen(visitor, a, D9.self)
}

@inline(never)
func visitTen<Visitor: TagVisitor, A: Digit, B: Digit>(
    _ visitor: Visitor,
    _ a: A.Type,
    _ b: B.Type
) {
    visitor.visit(Tag<A, B, D0>.self)
    visitor.visit(Tag<A, B, D1>.self)
    visitor.visit(Tag<A, B, D2>.self)
    visitor.visit(Tag<A, B, D3>.self)
    visitor.visit(Tag<A, B, D4>.self)
    visitor.visit(Tag<A, B, D5>.self)
    visitor.visit(Tag<A, B, D6>.self)
    visitor.visit(Tag<A, B, D7>.self)
    visitor.visit(Tag<A, B, D8>.self)
    visitor.visit(Tag<A, B, D9>.self)
}
