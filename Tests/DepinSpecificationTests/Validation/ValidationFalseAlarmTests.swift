import Depin
import DepinInspection
import Testing

/// A validation tells of what is wrong, and of nothing else.
struct `A validation tells of what is wrong only` {
    private let container = Container()

    // MARK: - What a singleton may hold

    @Test func `lets a singleton keep a weak service alive`() {
        container.register(Leaf.self) { Leaf() }.inObjectScope(.weak)
        container.register(Root.self) { Root($0 ~> Leaf.self) }.inObjectScope(.container)
        #expect(problemKinds(of: container) == [])
    }

    @Test func `lets a singleton need a weak service by its types, and through what it needs`() {
        container.register(Leaf.self) { Leaf() }.inObjectScope(.weak)
        container.register(Branch.self) { Branch($0 ~> Leaf.self) }
        container.autoregister(Root.self) { (branch: Branch) in Root(branch) }
            .inObjectScope(.container)
        container.autoregister(Root.self, name: "lazy") { (leaf: Lazy<Leaf>) in Root(leaf) }
            .inObjectScope(.container)
        #expect(problemKinds(of: container) == [])
    }

    @Test func `finds a captive behind a weak service`() {
        container.register(Leaf.self) { Leaf() }.inObjectScope(.visit)
        container.register(Branch.self) { Branch($0 ~> Leaf.self) }.inObjectScope(.weak)
        container.register(Root.self) { Root($0 ~> Branch.self) }.inObjectScope(.container)
        // The singleton keeps the branch alive, and the branch a leaf that is dropped before.
        #expect(problemKinds(of: container) == [.captive])
    }

    /// The singleton's branch is made by the parent, and has the parent's leaf.
    @Test(arguments: [false, true])
    func `lets a child replace what a parent's singleton needs`(isDeclared: Bool) throws {
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        if isDeclared {
            container.autoregister(Branch.self) { (leaf: Leaf) in Branch(leaf) }
            container.autoregister(Root.self) { (branch: Branch) in Root(branch) }
                .inObjectScope(.container)
        } else {
            container.register(Branch.self) { Branch($0 ~> Leaf.self) }
            container.register(Root.self) { Root($0 ~> Branch.self) }.inObjectScope(.container)
        }
        let child = Container(parent: container)
        child.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        child.register(Int.self) { r in
            withExtendedLifetime(r ~> Branch.self) { 1 }
        }
        .inObjectScope(.container)
        #expect(problemKinds(of: child) == [])
    }

    @Test func `finds what a parent's singleton takes from a child through another service`() {
        let child = Container(parent: container)
        container.register(Branch.self) { Branch($0 ~> Leaf.self) }
        container.register(Root.self) { [unowned child] _ in Root(child ~> Branch.self) }
            .inObjectScope(.container)
        child.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        #expect(problemKinds(of: child) == [.captive])
    }

    // MARK: - What is provided elsewhere

    @Test func `does not take a provided type for one of its names`() throws {
        container.register(Root.self) { resolver in
            Root(try resolver.require(Leaf.self, name: "golden" as TestName))
        }
        let error = try #require(throws: ValidationError.self) {
            try container.validate(.init(providing: [Leaf.self]))
        }
        #expect(error.problems.map(\.kind) == [.missing])
        #expect("\(error)".contains("golden"))
    }

    @Test func `takes a provided type for itself`() throws {
        container.register(Root.self) { Root(try $0.require(Leaf.self)) }
        container.autoregister(Branch.self) { (leaf: Leaf) in Branch(leaf) }
        try container.validate(.init(providing: [Leaf.self]))
    }

    // MARK: - What is registered with values

    @Test func `lets two assemblies of one type add under names of their own`() {
        for name in ["a", "b"] { container.register(Leaf.self, name: name) { Leaf() } }
        Assembler(container: container).apply {
            PluginAssembly(name: "a")
            PluginAssembly(name: "b")
        }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `lets two assemblies of one type that are known to differ add the same`() {
        Assembler(container: container).apply {
            BranchAssembly(number: 1)
            BranchAssembly(number: 2)
        }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `lets a factory for any name need itself under another name`() throws {
        container.register(
            Branch.self,
            anyName: { r, name in
                name == "root"
                    ? Branch(Leaf()) : try r.require(Branch.self, name: "root")
            }
        )
        container.register(Root.self) { Root(try $0.require(Branch.self, name: "child")) }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `finds a factory for any name that needs itself`() throws {
        container.register(
            Branch.self,
            anyName: { r, name in
                try r.require(Branch.self, name: name)
            }
        )
        container.register(Root.self) { Root(try $0.require(Branch.self, name: "child")) }
        #expect(problemKinds(of: container) == [.circular])
    }

    // MARK: - What is replaced

    @Test func `lets a registration override a default, of its container as of a parent`() {
        container.register(Leaf.self) { Leaf() }.asDefault()
        let child = Container(parent: container)
        for container in [container, child] {
            container.register(Leaf.self) { Leaf() }.overriding()
            #expect(problemKinds(of: container) == [])
        }
    }

    @Test
    func `lets a child replace what its parent's singleton needs, through what it needs itself`() {
        // Branch needs a Leaf, the parent's singleton a Branch with the parent's leaf, and the child's leaf the singleton.
        container.register(Leaf.self) { Leaf() }
        container.register(Branch.self) { Branch(try $0.require(Leaf.self)) }
        container.register(Root.self) { Root(try $0.require(Branch.self)) }
            .inObjectScope(.container)
        let child = Container(parent: container)
        child.register(Leaf.self) { r in
            _ = try r.require(Root.self)
            return Leaf()
        }
        #expect(problemKinds(of: child) == [])
        // The same by the types, and with a scope that the parent's singleton would not keep.
        container.removeAll()
        container.autoregister(Leaf.self) { Leaf() }
        container.autoregister(Branch.self) { (leaf: Leaf) in Branch(leaf) }
        container.autoregister(Root.self) { (branch: Branch) in Root(branch) }
            .inObjectScope(.container)
        child.removeAll()
        child.autoregister(Leaf.self) { (_: Root) in Leaf() }.inObjectScope(.visit).overriding()
        #expect(problemKinds(of: child) == [])
    }

    @Test func `finds a circle through a parent`() {
        container.autoregister(Branch.self) { (leaf: Leaf) in Branch(leaf) }
        let child = Container(parent: container)
        child.autoregister(Leaf.self) { (_: Branch) in Leaf() }
        #expect(problemKinds(of: child) == [.circular])
    }

    // MARK: - What the app resolves itself

    @Test func `takes a root for one that is resolved with arguments, or need not be there`() throws
    {
        container.register(Leaf.self) { (_: any Resolver, _: Int) in Leaf() }
        let report = try container.validate(.init(roots: [Leaf.self, Root?.self]))
        #expect(report.unreached.isEmpty)
    }

    // MARK: - What it says

    @Test func `writes a fix that compiles`() throws {
        container.register(Both.self) { Both() }
        container.register(Root.self) { Root(try $0.require((any PA & PB).self)) }
        let error = try #require(throws: ValidationError.self) { try container.validate() }
        #expect("\(error)".contains(".implements((PA & PB).self)"), "\(error)")
        // This is what it says to write.
        container.register(Both.self) { Both() }.overriding().implements((PA & PB).self)
        try container.validate()
    }

    /// "Validation warns of it", says the article about arguments.
    @Test func `warns of arguments that are ignored`() throws {
        container.register(Leaf.self) { (_: any Resolver, _: Int) in Leaf() }
            .inObjectScope(.container)
        let report = try container.validate()
        #expect(report.problems.map(\.kind) == [.ignoredArguments])
        #expect(report.problems.map(\.severity) == [.warning])
        #expect(throws: ValidationError.self) {
            try container.validate(.init(severities: [.ignoredArguments: .error]))
        }
    }
}

extension ObjectScope {
    fileprivate static let visit = ObjectScope(named: "visit")
}

private final class Leaf: Sendable {}

private final class Branch: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private final class Root {
    let held: Any
    init(_ held: Any) { self.held = held }
}

protocol PA {}
protocol PB {}
final class Both: PA, PB, Sendable {}

/// An assembly that is listed once for each name.
private struct PluginAssembly: Assembly {
    let name: String

    func assemble(container: Container) {
        container.decorate(Leaf.self, name: name) { _, leaf in leaf }
        container.contribute(Leaf.self, name: name) { Leaf() }
    }
}

private struct BranchAssembly: Assembly, Equatable {
    let number: Int

    func assemble(container: Container) {
        container.contribute(Leaf.self) { Leaf() }
    }
}
