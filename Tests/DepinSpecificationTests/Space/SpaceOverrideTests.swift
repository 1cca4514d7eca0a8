import Depin
import Testing

struct `Space overrides` {
    @Test func `an override is seen inside and gone after`() {
        let result = withSpace(\.theme, "dark") { SpaceValues.current.theme }

        #expect(result == "dark")
        #expect(SpaceValues.current.theme == "light")
    }

    @Test func `the wrapper reads the values in force at each access`() {
        let banner = Banner()
        let inside = withSpace(\.theme, "dark") { Banner() }

        #expect(banner.theme == "light")
        #expect(inside.theme == "light")
        #expect(withSpace(\.theme, "dark") { banner.theme } == "dark")
    }

    @Test func `overrides nest, and the inner wins`() {
        withSpace(\.theme, "dark") {
            withSpace(\.language, "fr") {
                withSpace(\.theme, "sepia") {
                    #expect(seen() == "sepia fr")
                }
                #expect(seen() == "dark fr")
            }
            #expect(seen() == "dark en")
        }
        #expect(seen() == "light en")
    }

    @Test func `several values are overridden at once`() {
        withSpace {
            $0.theme = "dark"
            $0.language = "fr"
        } operation: {
            #expect(seen() == "dark fr")
        }
        #expect(seen() == "light en")
    }

    @Test func `an update starts from the values in force and runs under them`() {
        withSpace(\.theme, "dark") {
            withSpace {
                #expect($0.theme == "dark")
                $0.theme += "er"
                #expect($0.theme == "darker")
                #expect(seen() == "dark en")
                $0.language = $0.theme
            } operation: {
                #expect(seen() == "darker darker")
            }
        }
    }

    @Test func `a throw restores and is passed on`() {
        #expect(throws: Failure.self) {
            try withSpace(\.theme, "dark") { throw Failure() }
        }
        #expect(throws: Failure.self) {
            try withSpace {
                $0.theme = "dark"
            } operation: {
                throw Failure()
            }
        }
        #expect(seen() == "light en")
    }

    @Test func `an update that throws keeps the operation from running`() async {
        #expect(throws: Failure.self) {
            try withSpace {
                $0.theme = "dark"
                throw Failure()
            } operation: {
                Issue.record("it ran")
            }
        }
        await #expect(throws: Failure.self) {
            try await withSpace {
                $0.theme = "dark"
                throw Failure()
            } operation: {
                await Task.yield()
                Issue.record("it ran")
            }
        }
        #expect(seen() == "light en")
    }

    @Test func `captured values take the place of those in force`() {
        let captured = withSpace(\.theme, "dark") { SpaceValues.current }
        let none = SpaceValues.current

        withSpace(\.language, "fr") {
            withSpace(captured) {
                #expect(seen() == "dark en")
            }
            withSpace(none) {
                #expect(seen() == "light en")
            }
            #expect(seen() == "light fr")
        }
    }

    @Test func `a copy of the values has its own overrides`() {
        var values = SpaceValues.current
        values.theme = "dark"
        let copy = values
        values.theme = "sepia"

        #expect(copy.theme == "dark")
        #expect(values.theme == "sepia")
        #expect(SpaceValues.current.theme == "light")
    }

    @Test func `a value that was set over is released at once`() {
        weak var first: Token?
        weak var second: Token?
        var values = SpaceValues.current
        do {
            let token = Token()
            first = token
            values.token = token
        }
        values.theme = "dark"
        values.language = "fr"
        #expect(values.token === first)
        #expect(first != nil)
        do {
            let token = Token()
            second = token
            values.token = token
        }

        #expect(first == nil)
        #expect(values.token === second)
        #expect(second != nil)
        #expect(values.theme == "dark")
        #expect(values.language == "fr")
    }

    @Test func `a shadowed value is not kept by what was captured under its shadow`() {
        weak var shadowed: Token?
        let captured = {
            let outer = Token()
            shadowed = outer
            return withSpace(\.token, outer) {
                withSpace(\.theme, "dark") {
                    withSpace(\.token, nil) { SpaceValues.current }
                }
            }
        }()

        #expect(shadowed == nil)
        #expect(captured.theme == "dark")
    }

    @Test func `an override is released when the call returns`() {
        weak var released: Token?
        do {
            let token = Token()
            released = token
            withSpace(\.token, token) {}
        }
        #expect(released == nil)
    }

    @Test func `the description lists what is overridden, by the names of the keys`() {
        #expect(SpaceValues.current.description == "SpaceValues()")

        withSpace(\.theme, "dark") {
            #expect("\(SpaceValues.current)" == "SpaceValues(ThemeKey: dark)")
        }
        let either = withSpace(\.theme, "dark") {
            withSpace(\.language, "fr") { SpaceValues.current.description }
        }
        let other = withSpace(\.language, "fr") {
            withSpace(\.theme, "dark") { SpaceValues.current.description }
        }
        #expect(either == "SpaceValues(LanguageKey: fr, ThemeKey: dark)")
        #expect(other == either)
    }

    @Test func `the description of values that hold values is finite`() {
        let inner = withSpace(\.theme, "dark") { SpaceValues.current }

        withSpace(\.captured, inner) {
            #expect(
                "\(SpaceValues.current)"
                    == "SpaceValues(CapturedKey: Optional(SpaceValues(ThemeKey: dark)))"
            )
        }
    }
}

private func seen() -> String {
    "\(SpaceValues.current.theme) \(SpaceValues.current.language)"
}

private struct Failure: Error {}

private final class Token: Sendable {}

private struct Banner: Sendable {
    @Space(\.theme) var theme
}

private enum ThemeKey: SpaceKey {
    static var defaultValue: String { "light" }
}

private enum LanguageKey: SpaceKey {
    static var defaultValue: String { "en" }
}

private enum TokenKey: SpaceKey {
    static var defaultValue: Token? { nil }
}

private enum CapturedKey: SpaceKey {
    static var defaultValue: SpaceValues? { nil }
}

extension SpaceValues {
    fileprivate var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
    fileprivate var language: String {
        get { self[LanguageKey.self] }
        set { self[LanguageKey.self] = newValue }
    }
    fileprivate var token: Token? {
        get { self[TokenKey.self] }
        set { self[TokenKey.self] = newValue }
    }
    fileprivate var captured: SpaceValues? {
        get { self[CapturedKey.self] }
        set { self[CapturedKey.self] = newValue }
    }
}
