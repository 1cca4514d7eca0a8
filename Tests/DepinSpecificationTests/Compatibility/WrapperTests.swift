import Depin
import Testing

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping @Sendable (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping @Sendable (any Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        initializer: @escaping @Sendable (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Argument, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument.Type,
        scope: ObjectScope = .container,
        initializer: @escaping @Sendable (Argument, Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, argument: argument, initializer: initializer)
            .inObjectScope(scope)
    }
}

private final class Ink: Sendable {}

private final class Pen: Sendable {
    let ink: Ink
    let width: Int

    init(ink: Ink) {
        self.ink = ink
        width = 1
    }

    init(width: Int, ink: Ink) {
        self.ink = ink
        self.width = width
    }
}

struct `A method of an app around register or autoregister` {
    private let container = Container()

    @Test(arguments: [nil, "blue"] as [String?])
    func `registers a factory in its scope`(name: String?) {
        container.register(Ink.self, name: name, scope: .container) { _ in Ink() }
        container.register(Pen.self, name: name, scope: .container) { (r, width: Int) in
            Pen(width: width, ink: r ~> (Ink.self, name: name))
        }
        let pen = container ~> (Pen.self, name: name, argument: 3)
        #expect(pen.width == 3 && pen.ink === (container ~> (Ink.self, name: name)))
        #expect((container ~> (Pen.self, name: name, argument: 3)) === pen)
    }

    @Test(arguments: [nil, "blue"] as [String?])
    func `registers an initializer in its scope`(name: String?) {
        container.register(Ink.self, scope: .container) { _ in Ink() }
        container.autoregister(
            Pen.self,
            name: name,
            scope: .container,
            initializer: { (ink: Ink) in Pen(ink: ink) }
        )
        container.autoregister(
            Pen.self,
            name: name,
            argument: Int.self,
            scope: .container,
            initializer: { (width: Int, ink: Ink) in Pen(width: width, ink: ink) }
        )
        let pen = container ~> (Pen.self, name: name)
        #expect((container ~> (Pen.self, name: name)) === pen)
        #expect((container ~> (Pen.self, name: name, argument: 3)).width == 3)
    }
}
