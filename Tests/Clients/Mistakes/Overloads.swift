// flags: -emit-sil -o /dev/null
import Depin
import DepinOverloads

// MARK: A label of its own, which a trailing closure leaves out

extension Container {
    func register<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        make: @escaping @Sendable (Resolver, First, Second) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { (r: Resolver, first: First, second: Second) in
            // expected-warning@-1{{function call causes an infinite recursion}}
            make(r, first, second)
        }
    }
}

// MARK: A closure that captures what is not `Sendable`, in any form

final class Settings { var isOn = true }
// expected-note@-1 10{{class 'Settings' does not conform to the 'Sendable' protocol}}

func capture(_ settings: Settings, in container: Container) {
    container.register(Bool.self) { settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.register(Bool.self) { _ in settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.register(Bool.self) { (_, id: Int) in settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.autoregister(Bool.self) { settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.autoregister(Bool.self, argument: Int.self) { (_: Int) in settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.register(Bool.self, name: "x") { settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.register(Bool.self, name: "x") { _ in settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.register(Bool.self, name: "x") { (_, id: Int) in settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.autoregister(Bool.self, name: "x") { settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
    container.autoregister(Bool.self, name: "x", argument: Int.self) { (_: Int) in settings.isOn }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings'}}
}
