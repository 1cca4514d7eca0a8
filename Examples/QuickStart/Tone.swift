import Depin

/// How the app speaks: a value of the space, like a color scheme in SwiftUI's environment.
enum Tone {
    case friendly, formal
}

enum ToneKey: SpaceKey {
    static var defaultValue: Tone { .friendly }
}

extension SpaceValues {
    var tone: Tone {
        get { self[ToneKey.self] }
        set { self[ToneKey.self] = newValue }
    }
}
