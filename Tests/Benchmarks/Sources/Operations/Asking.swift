import Depin

// Each operation is a function that is not inlined into its loop, so that nothing of it can be done
// once for all iterations.

@inline(never)
func resolveShared(_ container: Container) -> (any Translations)? {
    container.resolve((any Translations).self)
}

@inline(never)
func resolveOther(_ container: Container) -> (any Clock)? {
    container.resolve((any Clock).self)
}

@inline(never)
func resolveShared(_ view: any Resolver) -> (any Translations)? {
    view.resolve((any Translations).self)
}

@inline(never)
func resolveWeak(_ container: Container) -> (any Draft)? {
    container.resolve((any Draft).self)
}

@inline(never)
func resolveNamed(_ container: Container, _ name: String) -> (any Translations)? {
    container.resolve((any Translations).self, name: name)
}

@inline(never)
func resolveTransient(_ container: Container) -> (any Tool)? {
    container.resolve((any Tool).self)
}

@inline(never)
func resolveGraph(_ container: Container) -> (any Root)? {
    container.resolve((any Root).self)
}

@inline(never)
func resolveWithArgument(_ container: Container, _ name: String) -> (any Greeter)? {
    container.resolve((any Greeter).self, argument: name)
}

@inline(never)
func resolveMissing(_ container: Container) -> (any Missing)? {
    container.resolve((any Missing).self)
}

@inline(never)
func resolveOptional(_ container: Container) -> (any Missing)? {
    container ~> (any Missing)?.self
}

/// An object that has its three services injected.
final class InjectedScreen {
    @Injected var translations: any Translations
    @Injected var clock: any Clock
    @Injected var settings: any Settings
}

final class ConstantScreen: Sendable {
    let translations = Injected<any Translations>()
}

@inline(never)
func makeInjectedScreen() -> InjectedScreen { InjectedScreen() }

@inline(never)
func useInjectedScreen() {
    let screen = makeInjectedScreen()
    sink(screen.translations)
    sink(screen.clock)
    sink(screen.settings)
}

@inline(never)
func readVariable(_ screen: InjectedScreen) -> any Translations { screen.translations }

@inline(never)
func readConstant(_ screen: ConstantScreen) -> any Translations { screen.translations.wrappedValue }

struct ThemeKey: SpaceKey {
    static let defaultValue = "light"
}

extension SpaceValues {
    var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

struct Banner {
    @Space(\.theme) var theme: String
}

@inline(never)
func pushAndReadSpace(_ name: String, _ banner: Banner) -> String {
    withSpace(\.theme, name) { banner.theme }
}

@inline(never)
func pushAndReadCurrent(_ name: String) -> String {
    withSpace {
        $0.theme = name
    } operation: {
        SpaceValues.current.theme
    }
}
