// The services that the operations ask for: protocols without further requirements, made by final
// classes, as most apps have them.

protocol Translations: Sendable {}
protocol Clock: Sendable {}
protocol Settings: Sendable {}
protocol Tool: Sendable {}
protocol Greeter: Sendable {}
protocol Missing: Sendable {}
protocol Draft: Sendable {}

final class BundleTranslations: Translations {}
final class SystemClock: Clock {}
final class StoredSettings: Settings {}
final class PlainTool: Tool {}
final class OpenDraft: Draft {}

final class NamedGreeter: Greeter {
    let name: String

    init(name: String) {
        self.name = name
    }
}

/// What the floors read in place of a container.
enum Statics {
    static let translations: any Translations = opaque(BundleTranslations())
    static let clock: any Clock = opaque(SystemClock())
    static let settings: any Settings = opaque(StoredSettings())
}
