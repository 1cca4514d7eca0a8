import Depin
import DepinInspection
import Testing

struct `Forwarding to another container's registration` {
    private final class Dog: Sendable {}

    private let owner = Container()

    /// The two that may have it: a child, and a container of its own.
    enum Other: CaseIterable {
        case child, stranger

        func make(_ owner: Container) -> Container {
            Container(parent: self == .child ? owner : nil)
        }
    }

    @Test(arguments: Other.allCases)
    func `hears of the owner's resets`(_ kind: Other) {
        let other = kind.make(owner)
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
        other.forward(AnyObject.self, to: entry)
        other.forward(Dog.self, name: "rex", to: entry)
        for _ in 1...2 {
            let dog = owner ~> Dog.self
            #expect((other ~> AnyObject.self) === dog)
            #expect((other ~> (Dog.self, name: "rex")) === dog)
            #expect((other ~> AnyObject.self) === dog)
            #expect((other ~> (Dog.self, name: "rex")) === dog)
            owner.resetObjectScope(.container)
        }
    }

    @Test(arguments: Other.allCases)
    func `hears of another scope`(_ kind: Other) {
        let other = kind.make(owner)
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
        other.forward(AnyObject.self, to: entry)
        let dog = other ~> AnyObject.self
        entry.inObjectScope(.transient)
        #expect((other ~> AnyObject.self) !== dog)
        #expect((other ~> AnyObject.self) !== (other ~> AnyObject.self))
    }

    @Test(arguments: Other.allCases)
    func `tells the owner of its own resets`(_ kind: Other) {
        let other = kind.make(owner)
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
        other.forward(AnyObject.self, to: entry)
        let dog = owner ~> Dog.self
        other.resetObjectScope(.container)
        #expect((owner ~> Dog.self) !== dog)
        #expect((other ~> AnyObject.self) === (owner ~> Dog.self))
    }

    @Test(arguments: Other.allCases)
    func `has its own resets drop what is around it, and leave nothing to close`(
        _ kind: Other
    ) async throws {
        let (other, closed) = (kind.make(owner), CallCount())
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
            .onClose { _ in closed.add() }
        other.forward(AnyObject.self, to: entry)
        other.decorate(AnyObject.self) { _, inner in [inner] as AnyObject }
        let around = other ~> AnyObject.self
        other.resetObjectScope(.container)
        try await owner.close(.container)
        #expect(closed.count == 0)
        #expect((other ~> AnyObject.self) !== around)
        try await owner.close()
        #expect(closed.count == 1)
    }

    @Test(arguments: Other.allCases)
    func `leaves the instance to the owner when it goes`(_ kind: Other) {
        var other: Container? = kind.make(owner)
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
        other?.forward(AnyObject.self, to: entry)
        let dog = owner ~> Dog.self
        other = nil
        owner.forward(AnyObject.self, to: entry)
        #expect((owner ~> AnyObject.self) === dog)
    }

    @Test(arguments: [true, false])
    func `is forked with the owner's registration`(isDefault: Bool) throws {
        let (child, made) = (Container(parent: owner), CallCount())
        let entry = owner.register(Dog.self) {
            made.add()
            return Dog()
        }
        .inObjectScope(.container)
        if isDefault { entry.asDefault() }
        child.forward(AnyObject.self, to: entry)
        let dog = child ~> AnyObject.self
        let fork = child.fork()
        #expect((fork ~> AnyObject.self) !== dog)
        #expect((fork ~> AnyObject.self) === (fork ~> Dog.self))
        // A validation builds it once.
        _ = try child.validate()
        #expect(made.count == 3)
    }

    @Test func `ends with the last of the two, even where it holds its registration`() {
        final class Clinging: @unchecked Sendable {
            var entry: AnyObject?
        }
        weak var kept: Clinging?
        var other: Container? = Container()
        do {
            var owner: Container? = Container()
            let entry = owner?.register(Clinging.self) { Clinging() }.inObjectScope(.container)
            if let entry { other?.forward(AnyObject.self, to: entry) }
            owner = nil
            kept = other?.resolve(AnyObject.self) as? Clinging
            kept?.entry = entry
        }
        #expect(kept != nil)
        #expect(other?.resolve(AnyObject.self) === kept)
        other = nil
        #expect(kept == nil)
    }
}
