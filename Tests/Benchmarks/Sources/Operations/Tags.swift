import Depin

// Services by the thousand, each of a type of its own: tags composed of digits while the program runs.

enum Zero {}
enum One {}
enum Two {}
enum Three {}
enum Four {}
enum Five {}
enum Six {}
enum Seven {}
enum Eight {}
enum Nine {}

/// A digit and what stands before it.
enum Digits<Higher, Lowest> {}

/// A service type.
final class Tag<Number>: Sendable {}

/// What an app has for a service in its code: the type, the factory, and the calls with them.
class Site: @unchecked Sendable {  // Nothing in it changes.
    let type: Any.Type
    var key: ObjectIdentifier { ObjectIdentifier(type) }

    init(_ type: Any.Type) {
        self.type = type
    }

    func register(in container: Container) {}
    func registerShared(in container: Container) {}
    func resolve(in container: Container) {}
}

// Generic over the service and not its digits, so that a call has the service's metadata at hand, as
// an app's call has.
final class ServiceSite<Service: Sendable>: Site, @unchecked Sendable {
    private let factory: @Sendable () -> Service

    init(factory: @escaping @Sendable () -> Service) {
        self.factory = factory
        super.init(Service.self)
    }

    override func register(in container: Container) {
        container.register(Service.self, factory: factory)
    }

    override func registerShared(in container: Container) {
        container.register(Service.self, factory: factory).inObjectScope(.container)
    }

    override func resolve(in container: Container) {
        sink(container.resolve(Service.self))
    }
}

/// Sites of ten to the power of so many digits, each for a type of its own.
func makeSites(digits: Int) -> [Site] {
    var sites: [Site] = []

    func add<Number>(_ number: Number.Type, _ remaining: Int) {
        guard remaining > 0 else {
            sites.append(ServiceSite { Tag<Number>() })
            return
        }
        add(Digits<Number, Zero>.self, remaining - 1)
        add(Digits<Number, One>.self, remaining - 1)
        add(Digits<Number, Two>.self, remaining - 1)
        add(Digits<Number, Three>.self, remaining - 1)
        add(Digits<Number, Four>.self, remaining - 1)
        add(Digits<Number, Five>.self, remaining - 1)
        add(Digits<Number, Six>.self, remaining - 1)
        add(Digits<Number, Seven>.self, remaining - 1)
        add(Digits<Number, Eight>.self, remaining - 1)
        add(Digits<Number, Nine>.self, remaining - 1)
    }

    add(Void.self, digits)
    return sites
}
