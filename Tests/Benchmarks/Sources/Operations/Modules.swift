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
        Row("default", "default transient", .transient, goal: nil) { count in
            let container = Fixture.defaults
            for _ in 0..<count { sink(resolveDefault(container)) }
        },
        Row("assemblies", "apply 40 modules that require each other, each", .list, goal: 2.5) {
            count in
            let top = Fixture.requiringModules
            for _ in 0..<count { apply(top) }
        },
        Row("arguments-ready", "ready instance for an argument", .ready, goal: 25) { count in
            let (container, name) = (Fixture.modules, Fixture.name)
            for _ in 0..<count { sink(resolveForArgument(container, name)) }
        },
        Row("names", "autoregistered, two parameters with names", .unnamed, goal: 1.5) { count in
            let container = Fixture.modules
            for _ in 0..<count { sink(resolveNamedReport(container)) }
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
    static let list = Operation("40 in a list", batch: 20, unit: 40) { count in
        let modules = Fixture.listedModules
        for _ in 0..<count { apply(modules) }
    }
    static let ready = Operation("a ready one") { count in
        let container = Fixture.modules
        for _ in 0..<count { sink(resolveShared(container)) }
    }
    static let unnamed = Operation("without names") { count in
        let container = Fixture.modules
        for _ in 0..<count { sink(resolveReport(container)) }
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
        container.register((any Speaker).self) { (_, _: String) in PlainSpeaker() }
            .inObjectScope(.container.perArguments)
        container.autoregister((any Report).self, initializer: TranslatedReport.init)
            .inObjectScope(.transient)
        container.autoregister(
            (any Report).self,
            name: "named",
            names: ["second", "second"],
            initializer: TranslatedReport.init
        )
        .inObjectScope(.transient)
        sink(resolveCollection(container))
        sink(resolveForArgument(container, name))
        return container
    }()

    /// A default beside a thousand registrations.
    static let defaults: Container = {
        let container = Container.with(thousand)
        container.register((any Murmur).self) { QuietMurmur() }
            .inObjectScope(.transient)
            .asDefault()
        return container
    }()

    /// Forty modules, given one by one.
    static let listedModules = thousand.prefix(40).map { $0.module(requiring: []) }

    /// The same in ten layers of four, each of which requires the four below.
    static let requiringModules = stride(from: 0, to: 40, by: 4).reduce([] as [any Module]) {
        below,
        first in
        thousand[first..<first + 4].map { $0.module(requiring: below) }
    }
}

/// An assembly with one registration.
protocol Module: Assembly, Sendable {}

extension Site {
    fileprivate func module(requiring required: [any Module]) -> any Module {
        func module<Service>(_: Service.Type) -> any Module {
            SiteModule<Service>(site: self, required: required)
        }
        return _openExistential(type, do: module)
    }
}

private struct SiteModule<Service>: Module {
    let site: Site
    let required: [any Module]

    var requires: [any Assembly] { required }

    func assemble(container: Container) { site.register(in: container) }
}

protocol Report: Sendable {}

private final class TranslatedReport: Report {
    let (first, second): (any Translations, any Translations)

    init(first: any Translations, second: any Translations) {
        (self.first, self.second) = (first, second)
    }
}

protocol Speaker: Sendable {}
private final class PlainSpeaker: Speaker {}

private final class LoudSpeaker: Speaker {
    let inner: any Speaker

    init(_ inner: any Speaker) {
        self.inner = inner
    }
}

protocol Murmur: Sendable {}
private final class QuietMurmur: Murmur {}

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
func resolveDefault(_ container: Container) -> (any Murmur)? {
    container.resolve((any Murmur).self)
}

@inline(never)
func apply(_ assemblies: [any Assembly]) {
    let container = Container()
    Attic.keep(container)
    Assembler(container: container).apply(assemblies: assemblies)
}

@inline(never)
func resolveForArgument(_ container: Container, _ argument: String) -> (any Speaker)? {
    container.resolve((any Speaker).self, argument: argument)
}

@inline(never)
func resolveReport(_ container: Container) -> (any Report)? {
    container.resolve((any Report).self)
}

@inline(never)
func resolveNamedReport(_ container: Container) -> (any Report)? {
    container.resolve((any Report).self, name: "named")
}

@inline(never)
func resolveTen(_ container: Container) {
    for _ in 0..<10 { sink(resolveShared(container)) }
}

@inline(never)
func resolveTenMade(_ container: Container) {
    for _ in 0..<10 { sink(resolveTransient(container)) }
}
