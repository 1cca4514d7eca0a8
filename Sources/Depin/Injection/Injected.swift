import Synchronization

/// A property that has its service: asked from the space, resolved at the first access.
///
/// ```swift
/// struct FeedScreen {
///     @Injected private var i18n: I18n
///     @Injected(FeedBus.refresh) private var refresh: EventEmitter<Void>
///     @Injected private var analytics: Analytics?       // nil when there is none
///     @Injected private var session: Provider<Session>  // a new one at each ask
/// }
/// ```
///
/// The first access, on whatever thread, asks ``SpaceValues/dependenciesAssembler``; what it finds is
/// kept, a nil too, and later accesses cost an atomic load. When first accesses race, all see the
/// instance stored first. A service that cannot be had stops the program with a message that names
/// this property's file and line.
///
/// An object made inside `withSpace` captures the overrides in force there and asks them for ever, from
/// any thread, queue or detached task. One made outside any override asks the process-wide values at
/// the first access. Either way what is built for the property is built under the overrides that the
/// property has, and not under those of the code that happens to come first.
///
/// An access inside a factory joins the path of the resolution under way, so that a cycle is found, but
/// begins a graph of its own.
///
/// An app adds its own shorthand:
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
/// `Injected` is `Sendable` exactly when the service is. In a `final class … : Sendable` the language
/// allows no wrapper, since a wrapped property is a `var`. Write a constant there:
///
/// ```swift
/// private let feed = Injected<Feed>()
/// … feed.wrappedValue.refresh()
/// ```
@propertyWrapper
public final class Injected<Service> {
    /// The address of a `Box<Service>` that this object holds, or zero.
    @usableFromInline let cached = Atomic<UInt>(0)
    /// The address of the overrides that this object captured and holds until it has its service,
    /// or zero.
    ///
    /// Taken back under the lock of the object's address.
    @usableFromInline let captured: Atomic<UInt>
    /// Nil for the common case: no name, and the assembler of the app.
    @usableFromInline let source: InjectionSource?
    @usableFromInline let place: CodePlace

    /// Makes the property ask the app's assembler by type.
    @inlinable
    public init(file: StaticString = #fileID, line: UInt = #line) {
        captured = Self.capture()
        source = nil
        place = CodePlace(file: file, line: line)
    }

    /// Makes the property ask the app's assembler by type and name, or by type where that is nil.
    public init(
        _ name: (any ServiceName)?,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        captured = Self.capture()
        source = name.map { InjectionSource(name: $0.name, assembler: nil) }
        place = CodePlace(file: file, line: line)
    }

    /// Makes the property ask another assembler of the space.
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
        captured = Self.capture()
        source = InjectionSource(name: name?.name, assembler: assembler)
        place = CodePlace(file: file, line: line)
    }

    @inlinable
    static func capture() -> Atomic<UInt> {
        let overlay = SpaceOverlay.current.map { Unmanaged.passRetained($0).toOpaque() }
        return Atomic(UInt(bitPattern: overlay))
    }

    @inlinable
    deinit {
        if let overlay = UnsafeRawPointer(bitPattern: captured.load(ordering: .acquiring)) {
            Unmanaged<AnyObject>.fromOpaque(overlay).release()
        }
        if let box = UnsafeRawPointer(bitPattern: cached.load(ordering: .acquiring)) {
            Unmanaged<AnyObject>.fromOpaque(box).release()
        }
    }

    /// The service.
    @inlinable
    public var wrappedValue: Service {
        // PERF: written with `kept ?? …` this copied the service into an optional and out of it again,
        // which took 22 ns for a constant and 34 for a variable instead of 14 and 26.
        guard let box = UnsafeRawPointer(bitPattern: cached.load(ordering: .acquiring)) else {
            return firstValue()
        }
        return Unmanaged<Box<Service>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
    }

    @inlinable
    @inline(__always)
    var kept: Service? {
        guard let box = UnsafeRawPointer(bitPattern: cached.load(ordering: .acquiring)) else {
            return nil
        }
        return Unmanaged<Box<Service>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
    }

    @inlinable
    @inline(never)
    func firstValue() -> Service {
        let overlay = captured.load(ordering: .acquiring) == 0 ? nil : heldOverlay
        // Another thread may have dropped the overrides, and it has kept a service before that.
        if let kept { return kept }
        if source == nil, let box = assembler(in: overlay).core.readyBox(Service.self) {
            return keep(box)
        }
        return resolve(in: overlay)
    }

    @usableFromInline
    var heldOverlay: SpaceOverlay? {
        Lock.guarding(Unmanaged.passUnretained(self).toOpaque()).withLock {
            UnsafeRawPointer(bitPattern: captured.load(ordering: .acquiring))
                .map { Unmanaged<SpaceOverlay>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Lets the captured overrides go, which have served.
    ///
    /// They may hold the container that holds the object that this property belongs to.
    @usableFromInline
    func dropOverlay() {
        let dropped = Lock.guarding(Unmanaged.passUnretained(self).toOpaque()).withLock {
            captured.exchange(0, ordering: .acquiringAndReleasing)
        }
        if let dropped = UnsafeRawPointer(bitPattern: dropped) {
            Unmanaged<SpaceOverlay>.fromOpaque(dropped).release()
        }
    }

    @inlinable
    func assembler(in overlay: SpaceOverlay?) -> Assembler {
        overlay?.override(of: DependenciesKey.self)?.value
            ?? SharedSpace.shared.value(of: DependenciesKey.self)
    }

    /// Keeps a box unless another thread did first, and gives what is kept.
    @inlinable
    func keep(_ box: Box<Service>) -> Service {
        let mine = Unmanaged.passRetained(box)
        let (isMine, first) = cached.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: mine.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        if isMine && captured.load(ordering: .acquiring) != 0 {
            dropOverlay()
        }
        guard !isMine, let first = UnsafeRawPointer(bitPattern: first) else { return box.value }
        mine.release()
        return Unmanaged<Box<Service>>.fromOpaque(first).takeUnretainedValue().value
    }

    @usableFromInline
    func resolve(in overlay: SpaceOverlay?) -> Service {
        SpaceValues.nameContainers
        let assembler =
            if let keyPath = source?.assembler {
                SpaceValues(overlay: overlay)[keyPath: keyPath]
            } else {
                self.assembler(in: overlay)
            }
        var request = ServiceRequest(Service.self, name: source?.name)
        request.injectedAt = place
        request.beginsGraph = true
        // What is built on behalf of this property sees what this property sees: on a thread that has
        // no overrides the captured ones, and inside somebody's override not those of the passer-by.
        return SpaceOverlay.withCurrent(overlay) {
            keep(Box(trapping { try assembler.core.require(request) }))
        }
    }
}

// The service is written once, by compare and exchange, and is `Sendable` itself.
extension Injected: @unchecked Sendable where Service: Sendable {}

/// What a property asks for, where that is more than its type.
@usableFromInline
final class InjectionSource: @unchecked Sendable {  // Nothing changes; a key path only reads.
    @usableFromInline let name: String?
    @usableFromInline let assembler: KeyPath<SpaceValues, Assembler>?

    @usableFromInline
    init(name: String?, assembler: KeyPath<SpaceValues, Assembler>?) {
        self.name = name
        self.assembler = assembler
    }
}
