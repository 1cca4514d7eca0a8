import Depin

// A `Lazy` or `Provider` may go to another thread where its service may.

final class Counter { var count = 0 }
// expected-note@-1 2{{class 'Counter' does not conform to the 'Sendable' protocol}}
final class Clock: Sendable {}

func useElsewhere(_: some Sendable) {}

func shareSafely(
    _ lazy: Lazy<Clock>,
    _ provider: Provider<Clock>,
    _ existential: Lazy<any Sendable>,
    _ optional: Provider<Clock?>
) {
    useElsewhere(lazy)
    useElsewhere(provider)
    useElsewhere(existential)
    useElsewhere(optional)
}

func shareUnsafely(_ lazy: Lazy<Counter>, _ provider: Provider<Counter>) {
    useElsewhere(lazy)
    // expected-error@-1{{type 'Counter' does not conform to the 'Sendable' protocol}}
    useElsewhere(provider)
    // expected-error@-1{{type 'Counter' does not conform to the 'Sendable' protocol}}
}
