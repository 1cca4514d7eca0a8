import Depin

// A small package that builds on the extension points. The article on migration quotes it.

struct ScreenOption: ServiceKeyOption {
    let id: String

    var description: String { "Screen: \(id)" }

    func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
        (another as? ScreenOption)?.id == id
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

extension Container {
    @discardableResult
    func registerScreen<Service>(
        _ type: Service.Type,
        id: String,
        name: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        _register(
            type,
            factory: { (resolver: Resolver) in factory(resolver) },
            name: name,
            option: ScreenOption(id: id),
            file: file,
            line: line
        )
    }

    func screen<Service>(
        _ type: Service.Type,
        id: String,
        name: String? = nil
    ) -> Service? {
        _resolve(name: name, option: ScreenOption(id: id)) {
            (factory: (Resolver) -> Any) in factory(self)
        }
    }
}
