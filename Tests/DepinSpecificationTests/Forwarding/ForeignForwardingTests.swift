import Depin
import DepinInspection
import Testing

struct `Forwarding to another container's registration` {
    fileprivate final class Dog: Sendable {}

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
    func `has its own resets drop what the owner's children put around the instance`(_ kind: Other)
    {
        let (other, child) = (kind.make(owner), Container(parent: owner))
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
        other.forward(AnyObject.self, to: entry)
        child.decorate(Dog.self) { _, _ in Dog() }
        let around = child ~> Dog.self
        #expect((child ~> Dog.self) === around)
        other.resetObjectScope(.container)
        #expect((child ~> Dog.self) !== around)
    }

    @Test(arguments: Other.allCases)
    func `keeps what is around the instance of its open scope when the owner resets its own`(
        _ kind: Other
    ) {
        let other = kind.make(owner)
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.request)
        other.forward(AnyObject.self, to: entry)
        other.decorate(AnyObject.self) { _, inner in [inner] as AnyObject }
        let (scope, another) = (other.openScope(.request), owner.openScope(.request))
        let around = scope ~> AnyObject.self
        another.resetObjectScope(.request)
        #expect((scope ~> AnyObject.self) === around)
        scope.resetObjectScope(.request)
        #expect((scope ~> AnyObject.self) !== around)
    }

    /// What has the owner drop its instance.
    enum Dropping: CaseIterable {
        case reset, close, change

        fileprivate func callAsFunction(_ owner: Container, _ entry: ServiceEntry<Dog>) async throws
        {
            switch self {
            case .reset: owner.resetObjectScope(.container)
            case .close: try await owner.close(.container)
            case .change: entry.inObjectScope(ObjectScope(named: "other"))
            }
        }
    }

    @Test(arguments: Other.allCases, Dropping.allCases)
    func `has what is around it go with the owner's instance`(
        _ kind: Other,
        drop: Dropping
    ) async throws {
        let other = kind.make(owner)
        let child = Container(parent: other)
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
        other.forward(AnyObject.self, to: entry)
        other.decorate(AnyObject.self) { _, inner in [inner] as AnyObject }
        child.decorate(AnyObject.self) { _, inner in [inner] as AnyObject }
        for container in [other, child] {
            let around = container ~> AnyObject.self
            #expect((container ~> AnyObject.self) === around)
            try await drop(owner, entry)
            #expect((container ~> AnyObject.self) !== around)
        }
    }

    @Test(arguments: Other.allCases)
    func `has what is around one for each argument go with it`(_ kind: Other) {
        let other = kind.make(owner)
        let entry = owner.register(Dog.self) { (_, _: Int) in Dog() }
            .inObjectScope(.container.perArguments)
        other.forward(AnyObject.self, to: entry)
        other.decorate(AnyObject.self) { (_, inner) in [inner] as AnyObject }
        let around = other ~> (AnyObject.self, argument: 1)
        #expect((other ~> (AnyObject.self, argument: 1)) === around)
        owner.resetObjectScope(.container)
        #expect((other ~> (AnyObject.self, argument: 1)) !== around)
    }

    @Test(arguments: Other.allCases, [true, false])
    func `has the owner close what it still finds, without the owner's own registration`(
        _ kind: Other,
        isReplaced: Bool
    ) async throws {
        for isEarly in [true, false] {
            let (owner, closed) = (Container(), CallCount())
            let other = Container(parent: kind == .child ? owner : nil)
            let (begun, open) = (AsyncGate(), AsyncGate())
            let entry = owner.register(
                Dog.self,
                asyncFactory: {
                    begun.open()
                    await open.wait()
                    return Dog()
                }
            )
            .inObjectScope(.container)
            .onClose { _ in closed.add() }
            other.forward(AnyObject.self, to: entry)
            if !isEarly { open.open() }
            let building = Task { try await other.requireAsync(AnyObject.self) as? Dog }
            await begun.wait()
            if !isEarly { _ = try await building.value }
            if isReplaced { owner.register(Dog.self) { Dog() } } else { owner.unregister(Dog.self) }
            open.open()
            let dog = try await building.value
            #expect(try await other.requireAsync(AnyObject.self) === dog)
            try await owner.close()
            #expect(closed.count == 1, "replaced during the build: \(isEarly)")
        }
    }

    @Test(arguments: Other.allCases)
    func `drops what nothing finds any more`(_ kind: Other) async throws {
        let (other, closed) = (kind.make(owner), CallCount())
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
            .onClose { _ in closed.add() }
        other.forward(AnyObject.self, to: entry)
        use(other ~> AnyObject.self)
        owner.unregister(Dog.self)
        other.unregister(AnyObject.self)
        try await owner.close()
        #expect(closed.count == 0)
    }

    @Test(arguments: Other.allCases, [ObjectScope.transient, .graph, .request])
    func `closes what it makes`(_ kind: Other, in scope: ObjectScope) async throws {
        let (other, closed) = (kind.make(owner), CallCount())
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(scope)
        other.forward(AnyObject.self, to: entry)
        entry.onClose { _ in closed.add() }
        let open = other.openScope(.request)
        use(open ~> AnyObject.self)
        try await open.close()
        #expect(closed.count == 1)
    }

    @Test func `is not dropped by a fork or a validation of another hierarchy`() async throws {
        let (other, closed) = (Container(), CallCount())
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(.container)
            .onClose { _ in closed.add() }
        other.forward(AnyObject.self, to: entry)
        let dog = owner ~> Dog.self
        _ = try other.validate()
        #expect((owner ~> Dog.self) === dog)
        other.fork().resetObjectScope(.container)
        #expect((owner ~> Dog.self) === dog)
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

    enum Outer: CaseIterable { case parent, sibling, fork }

    @Test(arguments: Outer.allCases, [ObjectScope.transient, .graph, .container])
    func `closes what it has made from outside of the owner, too`(
        _ kind: Outer,
        _ scope: ObjectScope
    ) async throws {
        let (app, closed) = (Container(), CallCount())
        let owner = kind == .fork ? app : Container(parent: app)
        let other =
            switch kind {
            case .parent: app
            case .sibling: Container(parent: app)
            case .fork: app.fork()
            }
        let entry = owner.register(Dog.self) { Dog() }.inObjectScope(scope)
        other.forward(AnyObject.self, to: entry)
        entry.onClose { _ in closed.add() }
        use(other ~> AnyObject.self)
        try await app.close()
        #expect(closed.count == 1)
    }

    @Test func `keeps, and closes, what the owner has removed`() async throws {
        let (other, closed) = (Container(parent: owner), CallCount())
        let entry = owner.register(Dog.self) { Dog() }
            .inObjectScope(.container)
            .onClose { _ in closed.add() }
        other.forward(AnyObject.self, to: entry)
        let dog = other ~> AnyObject.self
        owner.removeAll()
        #expect((other ~> AnyObject.self) === dog)
        try await owner.close()
        #expect(closed.count == 1)
    }

    enum Removal: CaseIterable { case unregister, registerAnew, removeAll }

    @Test(arguments: Removal.allCases)
    func `makes another instance where the first one was dropped`(_ way: Removal) async throws {
        let (container, closed) = (Container(), EventLog<ObjectIdentifier>())
        let entry = container.register(Dog.self) { Dog() }
            .inObjectScope(.container)
            .onClose { closed.note(ObjectIdentifier($0)) }
        let first = container ~> Dog.self
        switch way {
        case .unregister: container.unregister(Dog.self)
        case .registerAnew: container.register(Dog.self) { Dog() }
        case .removeAll: container.removeAll()
        }
        container.forward(AnyObject.self, to: entry)
        let second = container ~> AnyObject.self
        #expect(first !== second)
        try await container.close()
        #expect(closed.all == [ObjectIdentifier(second)])
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
