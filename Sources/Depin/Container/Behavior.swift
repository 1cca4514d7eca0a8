/// Hears of registrations.
///
/// ```swift
/// struct Log: Behavior {
///     func container<Type, Service>(
///         _ container: Container,
///         didRegisterType type: Type.Type,
///         toService entry: ServiceEntry<Service>,
///         withName name: String?
///     ) {
///         print("\(type) is made as \(Service.self)")
///     }
/// }
/// let container = Container(behaviors: [Log()])
/// ```
///
/// It is called on the thread that registers, after the registration took effect, under no lock.
public protocol Behavior {
    /// Called after each registration (`Type` is `Service` then) and each forwarding.
    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    )
}
