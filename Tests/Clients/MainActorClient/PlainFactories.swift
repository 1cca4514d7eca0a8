import Depin

// Older code whose module's default has become the main actor: where a factory builds an isolated
// type it warns, and compiles. MainActorFactories.swift shows what to write instead.

final class Badge {
    var count = 0
    init() {}
}

func registerBadges(in container: Container) {
    container.register(Badge.self) { _ in Badge() }
    container.register(Badge.self, name: "counted") { Badge() }
        .initCompleted { _, badge in badge.count += 1 }
}
