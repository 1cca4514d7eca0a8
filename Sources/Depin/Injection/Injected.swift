// Unmanaged references are used because reading the published service must be an atomic load alone: reading an
// `AtomicLazyReference` is a call, a retain and a release.

import Synchronization

/// A property that resolves its service from the space on first access.
///
/// ```swift
/// struct FeedScreen {
///     @Injected private var i18n: I18n
///     @Injected(FeedBus.refresh) private var refresh: EventEmitter<Void>
///     @Injected private var analytics: Analytics?       // nil when there is none
///     @Injected private var session: Provider<Session>  // a new one at each use
/// }
/// ```
///
/// The first access resolves the service from ``SpaceValues/dependenciesAssembler``, on whatever thread
/// that happens. The property keeps the result, a nil too, and later accesses cost an atomic load. If first
/// accesses race, all get the instance stored first. If the service cannot be resolved, the program stops
/// with a message that names this property's file and line.
///
/// An object made inside `withSpace` captures the overrides in force and uses them as long as it lives, on any thread,
/// queue or detached task. An object made outside every override uses the process-wide values at the time
/// of the first access. Either way, everything built for the property sees the property's overrides, and
/// not those of the code that happens to come first.
///
/// A first access inside a factory joins the path of the current resolution, so that a cycle is found, but
/// begins a new graph.
///
/// An app can add its own shorthand:
///
/// ```swift
/// extension Injected {
///     convenience init(
///         _ name: FeedBus,
///         file: StaticString = #fileID,
///         line: UInt = #line
///     ) {
///         self.init(name as any ServiceName, file: file, line: line)
///     }
/// }
///
/// @Injected(.refresh) private var refresh: EventEmitter<Void>
/// ```
///
/// `Injected` is `Sendable` exactly when the service is. A `final class … : Sendable` cannot have a wrapped
/// property, because that is a `var`. Store the wrapper in a constant instead:
///
/// ```swift
/// private let feed = Injected<Feed>()
/// … feed.wrappedValue.refresh()
/// ```
@propertyWrapper
public final class Injected<Service> {
    /// The address of a `Box<Service>` that this object holds, or zero.
    @usableFromInline let kept = Atomic<UInt>(0)
    /// Nil for a property made outside of every override, and outside of every factory whose needs are noted.
    private let held = heldNow()
    /// Nil in the common case: no name, and the app's assembler.
    private let source: InjectionSource?
    private let place: CodePlace

    /// Makes the property resolve from the app's assembler, by type.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        source = nil
        place = CodePlace(file: file, line: line)
        if held != nil { tellWatch() }
    }

    /// Makes the property resolve from the app's assembler, by type and name, or by type if the name is
    /// nil.
    public init(_ name: (any ServiceName)?, file: StaticString = #fileID, line: UInt = #line) {
        source = name.map { InjectionSource(($0.name, nil)) }
        place = CodePlace(file: file, line: line)
        if held != nil { tellWatch() }
    }

    /// Makes the property resolve from another assembler of the space.
    ///
    /// ```swift
    /// @Injected(assembler: \.paymentsAssembler) private var payments: Payments
    /// ```
    public init(
        _ name: (any ServiceName)? = nil,
        assembler: KeyPath<SpaceValues, Assembler>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        source = InjectionSource((name?.name, assembler))
        place = CodePlace(file: file, line: line)
        if held != nil { tellWatch() }
    }

    deinit {
        if let service = UnsafeRawPointer(bitPattern: kept.load(ordering: .acquiring)) {
            Unmanaged<AnyObject>.fromOpaque(service).release()
        }
    }

    // PERF: inlinable, so that a later access is a load and a copy of a known type: 14 ns instead of 26
    // (row 6l). It costs an app that builds 60 bytes an access.

    /// The service.
    @inlinable
    public var wrappedValue: Service {
        guard let service = UnsafeRawPointer(bitPattern: kept.load(ordering: .acquiring)) else {
            return firstValue()
        }
        return Unmanaged<Box<Service>>.fromOpaque(service)._withUnsafeGuaranteedRef {
            $0.value
        }
    }

    @usableFromInline
    func firstValue() -> Service {
        let held = held?.withLock { $0 }
        // Another thread may have dropped the overrides, after it had kept a service.
        if kept.load(ordering: .acquiring) != 0 { return wrappedValue }
        let key = ServiceKey(Service.self, name: source?.value.name)
        // `PropertyRequest.container(in:)` chooses the container.
        let request = PropertyRequest(key: key, source: source, place: place, held: held)
        let (service, owner) = request.firstService()
        let mine = Unmanaged.passRetained(service)
        let (isFirst, _) = kept.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: mine.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        if !isFirst {
            // Another thread was first, and its service is kept.
            mine.release()
        } else if let held = self.held {
            withExtendedLifetime(held.exchange((nil, nil, owner))) {}
        }
        return wrappedValue
    }

    /// Tells a test of the property that was made under its overrides.
    private func tellWatch() {
        SpaceOverlay.current?.override(of: CaptureWatchKey.self)?.value?(self, place)
    }
}

// The service is written once, by compare and exchange.
extension Injected: Sendable where Service: Sendable {}

/// What a property holds: until it has its service, the overrides and the dependent from where it was made; after that,
/// the owner that keeps the container of a shared service open.
///
/// The overrides may hold the container that holds the property's object.
typealias Held = (capture: Capture?, dependent: Dependent?, owner: Owner?)

/// What a property made now holds.
private func heldNow() -> Guarded<Held>? {
    let overlay = SpaceOverlay.current
    let dependent = Dependent.current
    guard overlay != nil || dependent != nil else { return nil }
    return Guarded((overlay.map { Capture($0) }, dependent, nil))
}

/// Hears of the properties that are made under overrides, each with its place.
package enum CaptureWatchKey: SpaceKey {
    package static var defaultValue: (@Sendable (AnyObject, CodePlace) -> Void)? { nil }
}

/// The name and the assembler of a property that has either.
typealias InjectionSource = Box<(name: String?, assembler: KeyPath<SpaceValues, Assembler>?)>
