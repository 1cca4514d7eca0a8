import Depin

enum Modules {
    static let modules: [any Assembly] = []
    // expected-error@-1{{static property 'modules' is not concurrency-safe because non-'Sendable' type '[any Assembly]' may have shared mutable state}}
    // expected-note@-2{{add '@MainActor'}}
    // expected-note@-3{{disable concurrency-safety checks}}
}
