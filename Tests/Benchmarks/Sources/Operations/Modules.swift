import Depin

// What modules add up to, beside the same without them.

extension Row {
    static let modules = [
        Row("collection", "collection of ten ready instances", .ten, goal: 1.3) { count in
            let container = Fixture.modules
            for _ in 0..<count { sink(resolveCollection(container)) }
        },
        Row("collection-made", "collection of ten transients", .tenMade, goal: 1.3) { count in
            let container = Fixture.modules
            for _ in 0..<count { sink(resolveMadeCollection(container)) }
        },
        Row("decorator", "decorated transient", .transient, goal: 1.5) { count in
            let container = Fixture.modules
            for _ in 0..<count { sink(resolveDecorated(container)) }
        },
    ]
}

extension Operation {
    static let ten = Operation("ten ready", batch: 300) { count in
        let container = Fixture.modules
        for _ in 0..<count { resolveTen(container) }
    }
    static let tenMade = Operation("ten transients", batch: 300) { count in
        let container = Fixture.modules
        for _ in 0..<count { resolveTenMade(container) }
    }
    static let transient = Operation("a transient") { count in
        let container = Fixture.modules
        for _ in 0..<count { sink(resolveTransient(container)) }
    }
}

extension Fixture {
    /// Ten contributions of each kind, and a decorated service, beside a thousand registrations.
    static let modules: Container = {
        let container = Container.with(thousand)
        for _ in 0..<10 {
            container.contribute((any Translations).self) { BundleTranslations() }
                .inObjectScope(.container)
            container.contribute((any Tool).self) { PlainTool() }.inObjectScope(.transient)
        }
        container.register((any Speaker).self) { PlainSpeaker() }.inObjectScope(.transient)
        container.decorate((any Speaker).self) { _, inner in LoudSpeaker(inner) }
        sink(resolveCollection(container))
        return container
    }()
}

protocol Speaker: Sendable {}
private final class PlainSpeaker: Speaker {}

private final class LoudSpeaker: Speaker {
    let inner: any Speaker

    init(_ inner: any Speaker) {
        self.inner = inner
    }
}

@inline(never)
func resolveCollection(_ container: Container) -> [any Translations] {
    container ~> [any Translations].self
}

@inline(never)
func resolveMadeCollection(_ container: Container) -> [any Tool] {
    container ~> [any Tool].self
}

@inline(never)
func resolveDecorated(_ container: Container) -> (any Speaker)? {
    container.resolve((any Speaker).self)
}

@inline(never)
func resolveTen(_ container: Container) {
    for _ in 0..<10 { sink(resolveShared(container)) }
}

@inline(never)
func resolveTenMade(_ container: Container) {
    for _ in 0..<10 { sink(resolveTransient(container)) }
}
