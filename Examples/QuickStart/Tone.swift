import Depin

/// How the app speaks: a value of the space, like a color scheme in SwiftUI's environment.
nonisolated enum Tone {
    case friendly, formal
}

nonisolated enum ToneKey: SpaceKey {
    static var defaultValue: Tone { .friendly }
}

nonisolated extension SpaceValues {
    var tone: Tone {
        get { self[ToneKey.self] }
        set { self[ToneKey.self] = newValue }
    }
}
