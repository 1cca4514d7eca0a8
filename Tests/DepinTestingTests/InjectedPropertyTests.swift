import Depin
import DepinTesting
import Testing

/// The properties that are planted in this file are found in the program, each once.
struct `The injected properties of a program` {
    private let all = InjectedProperty.ofThisProgram()

    @Test func `are found in every kind of type`() {
        expect("Planted.Structure.service", [PlantedService.self])
        expect("Planted.Sealed.service", [PlantedService.self])
        expect("Planted.Open.service", [PlantedService.self])
        expect("Planted.Actor.service", [PlantedService.self])
        expect("Planted.MainActorClass.service", [PlantedService.self])
        expect("Planted.Choice.single", [PlantedService.self])
        expect("Planted.Choice.several", [OtherService.self, PlantedService.self])
    }

    @Test func `are found in a subclass beside those of its superclass`() {
        expect("Planted.Derived.other", [OtherService.self])
        expect("Planted.Derived.service", [])
    }

    @Test(.enabled(if: hasUnusedTypes)) func `are found where they are private`() {
        expect("PrivateOwner.service", [PlantedService.self])
        expect("PrivateOwner.Inner.service", [PrivateService.self])
        expect("Planted.Structure.hidden", [OtherService.self])
    }

    @Test(.enabled(if: hasUnusedTypes)) func `are found in local types, of the same name too`() {
        plantLocalTypes()
        expect("LocalOwner.service", [OtherService.self, PlantedService.self])
    }

    @Test func `are found in a type that an extension declares`() {
        expect("Planted.Extended.service", [PlantedService.self])
        expect("Container.Planted.service", [PlantedService.self])
        // The standard library's types have letters instead of references.
        expect("InArray.service", [PlantedService.self])
    }

    @Test func `are found as plain constants, lazy and optional ones`() {
        expect("Planted.Constants.constant", [PlantedService.self])
        expect("Planted.Constants.deferred", [PlantedService.self])
        expect("Planted.Constants.optional", [PlantedService.self])
    }

    @Test func `have the exact type of their service`() {
        expect("Planted.Shapes.existential", [(any PlantedProtocol).self])
        expect("Planted.Shapes.composition", [(any PlantedProtocol & Sendable).self])
        expect("Planted.Shapes.constrained", [(any Sequence<Int>).self])
        expect("Planted.Shapes.optional", [PlantedService?.self])
        expect("Planted.Shapes.lazy", [Lazy<PlantedService>.self])
        expect("Planted.Shapes.provider", [Provider<any PlantedProtocol>.self])
        expect("Planted.Shapes.closure", [(@Sendable (Int) async throws -> String).self])
        expect("Planted.Shapes.dictionary", [[String: PlantedService].self])
        expect("Planted.Shapes.tuple", [(Int, PlantedService).self])
        expect("Planted.Shapes.metatype", [PlantedService.Type.self])
        expect("Planted.Shapes.named", [PlantedService.self])
        expect("Planted.Shapes.elsewhere", [PlantedService.self])
        expect("Planted.Shapes.foreign", [Container.self])
    }

    @Test func `say when a generic type's service cannot be known`() {
        expect("Planted.Generic.known", [PlantedService.self])
        let unknown = properties("Planted.Generic.unknown")
        #expect(unknown.count == 1)
        #expect(unknown.first?.serviceType == nil)
        #expect(
            unknown.first?.note == "its service depends on a generic parameter of Planted.Generic"
        )
        #expect(unknown.first?.description == "Planted.Generic.unknown: ?")
    }

    @Test func `say so also where the runtime would stop the program`() {
        expect("Planted.Several.known", [PlantedService.self])
        #expect(properties("Planted.Several.unknown").map { $0.serviceType == nil } == [true])
        expect("Planted.Generic.constrained", [(any Sequence<Int>).self])
        #expect(properties("Planted.Generic.existential").map { $0.serviceType == nil } == [true])
        expect("Planted.Constrained.known", [PlantedService.self])
        for name in ["own", "inSet", "later"] {
            let found = properties("Planted.Constrained.\(name)")
            #expect(found.map { $0.serviceType == nil } == [true], "\(name)")
        }
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `say so where the runtime would give another type`() {
        expect("Planted.Sized.known", [InlineArray<3, Int>.self])
        #expect(properties("Planted.Sized.unknown").map { $0.serviceType == nil } == [true])
    }

    @Test func `say so of those that a generic type has not just as they are`() {
        for name in [
            "deferred", "optional", "reference", "pair", "Choice.single", "Choice.several",
        ] {
            let found = properties("Planted.Wrapped.\(name)")
            #expect(found.map { $0.serviceType == nil } == [true], "\(name): \(found)")
        }
    }

    @Test
    func `have their type in a generic type, though it is spelled with a parameter's letters`() {
        expect("Planted.Generic.text", [Regex<Substring>.self])
        expect("Planted.Generic.labeled", [(x: Int, PlantedService?).self])
    }

    @Test func `are none where the wrapper is only mentioned`() {
        expect("Planted.Mentions.array", [])
        expect("Planted.Mentions.closure", [])
        expect("Planted.Mentions.plain", [])
        expect("Planted.GenericMentions.array", [])
        expect("Planted.GenericMentions.maker", [])
        expect("Planted.GenericMentions.metatype", [])
    }

    @Test func `are those of the modules that are asked for, sorted`() {
        #expect(InjectedProperty.ofThisProgram(modules: []).isEmpty)
        #expect(InjectedProperty.ofThisProgram(modules: ["Depin"]).isEmpty)
        let own = InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"])
        #expect(own.contains { $0.description == "Planted.Structure.service: PlantedService" })
        #expect(own.map(\.owner) == own.map(\.owner).sorted())
        #expect(own.count <= all.count)
    }

    /// An optimized build leaves them out.
    private static var hasUnusedTypes: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    private func properties(_ name: String) -> [InjectedProperty] {
        all.filter { "\($0.owner).\($0.name)" == name }
    }

    private func expect(
        _ name: String,
        _ types: [Any.Type],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = properties(name)
        #expect(
            found.map { $0.serviceType.map { ObjectIdentifier($0) } }
                == types.map { ObjectIdentifier($0) },
            "\(name): \(found)",
            sourceLocation: sourceLocation
        )
        #expect(found.allSatisfy { $0.note == nil }, sourceLocation: sourceLocation)
    }
}

final class PlantedService: Sendable {}
final class OtherService: Sendable {}
private final class PrivateService: Sendable {}
protocol PlantedProtocol {}

enum Planted {
    struct Structure {
        @Injected var service: PlantedService
        @Injected private var hidden: OtherService
    }

    final class Sealed {
        @Injected var service: PlantedService
    }

    class Open {
        @Injected var service: PlantedService
    }

    class Derived: Open {
        @Injected var other: OtherService
    }

    actor Actor {
        @Injected var service: PlantedService
    }

    @MainActor final class MainActorClass {
        @Injected var service: PlantedService
    }

    enum Choice {
        case single(Injected<PlantedService>)
        case several(number: Int, Injected<PlantedService>, other: Injected<OtherService>)
        case none
    }

    struct Constants {
        let constant = Injected<PlantedService>()
        lazy var deferred = Injected<PlantedService>()
        var optional: Injected<PlantedService>?
    }

    struct Shapes {
        @Injected var existential: any PlantedProtocol
        @Injected var composition: any PlantedProtocol & Sendable
        @Injected var constrained: any Sequence<Int>
        @Injected var optional: PlantedService?
        @Injected var lazy: Lazy<PlantedService>
        @Injected var provider: Provider<any PlantedProtocol>
        @Injected var closure: @Sendable (Int) async throws -> String
        @Injected var dictionary: [String: PlantedService]
        @Injected var tuple: (Int, PlantedService)
        @Injected var metatype: PlantedService.Type
        @Injected("name") var named: PlantedService
        @Injected(assembler: \.dependenciesAssembler) var elsewhere: PlantedService
        @Injected var foreign: Container
    }

    struct Generic<Element> {
        @Injected var known: PlantedService
        @Injected var unknown: Element
        @Injected var constrained: any Sequence<Int>
        @Injected var existential: any Sequence<Element>
        @Injected var text: Regex<Substring>
        @Injected var labeled: (x: Int, PlantedService?)
    }

    struct Constrained<Elements: Collection> where Elements.Element: Hashable {
        @Injected var known: PlantedService
        @Injected var own: Elements.Element
        @Injected var inSet: Set<Elements.Element>
        @Injected var later: Lazy<Elements.Index>
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    struct Sized<let count: Int> {
        @Injected var known: InlineArray<3, Int>
        @Injected var unknown: InlineArray<count, Int>
    }

    struct Wrapped<Element> {
        lazy var deferred = Injected<Element>()
        let optional: Injected<Element>?
        weak var reference: Injected<Element>?
        let pair: (Int, Injected<Element>)

        enum Choice {
            case single(Injected<Element>)
            case several(Int, Injected<Element>)
        }
    }

    struct Several<each Element> {
        @Injected var known: PlantedService
        @Injected var unknown: (repeat each Element)
    }

    struct Mentions {
        let array = [Injected<PlantedService>()]
        let closure: (Injected<PlantedService>) -> Void = { _ in }
        let plain = 0
    }

    struct GenericMentions<Element> {
        let array: [Injected<Element>]
        let maker: (() -> Injected<Element>)?
        let metatype: Injected<Element>.Type
    }
}

extension Planted {
    struct Extended {
        @Injected var service: PlantedService
    }
}

extension Container {
    struct Planted {
        @Injected var service: PlantedService
    }
}

extension Array {
    struct InArray {
        @Injected var service: PlantedService
    }
}

private func plantLocalTypes() {
    struct LocalOwner {
        @Injected var service: PlantedService
    }
    func plantAnother() {
        struct LocalOwner {
            @Injected var service: OtherService
        }
    }
}

private struct PrivateOwner {
    @Injected var service: PlantedService

    struct Inner {
        @Injected var service: PrivateService
    }
}
