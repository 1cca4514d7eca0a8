import Depin  // was: import Swinject
import DepinOverloads

extension Container {
    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }
}
