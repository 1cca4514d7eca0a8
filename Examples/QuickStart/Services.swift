// The feed's services: protocols for those who use them, and the types behind the protocols. None of them
// knows about Depin. Any thread may use what is `nonisolated`: that is so without the word, except in a
// module whose default isolation is the main actor, as in new Xcode projects.

nonisolated protocol I18n: Sendable {
    func greeting(_ tone: Tone) -> String
}

nonisolated struct BundleI18n: I18n {
    init() {
        print("   + BundleI18n")
    }

    func greeting(_ tone: Tone) -> String {
        switch tone {
        case .friendly: "Hi there!"
        case .formal: "Good morning."
        }
    }
}

nonisolated protocol FeedService: Sendable {
    func titles() -> [String]
}

nonisolated struct LiveFeed: FeedService {
    private let api: API
    private let ranking: Ranking

    init(api: API, ranking: Ranking) {
        print("   + LiveFeed")
        self.api = api
        self.ranking = ranking
    }

    func titles() -> [String] {
        ranking.sorted(api.stories()).map(\.title)
    }
}

nonisolated protocol Ranking: Sendable {
    func sorted(_ stories: [Story]) -> [Story]
}

nonisolated struct LiveRanking: Ranking {
    private let clock: TimeSource

    init(clock: TimeSource) {
        print("   + LiveRanking, at \(clock.now)")
        self.clock = clock
    }

    func sorted(_ stories: [Story]) -> [Story] {
        stories.sorted { $0.likes > $1.likes }
    }
}

nonisolated protocol TimeSource: Sendable {
    var now: String { get }
}

/// A clock that stands still, so that the program prints the same at each run.
nonisolated struct StoppedClock: TimeSource {
    var time: String
    var now: String { time }
}

nonisolated protocol Profile: Sendable {
    var title: String { get }
}

nonisolated struct LiveProfile: Profile {
    private let database: Database
    private let id: Int

    init(database: Database, id: Int) {
        print("   + LiveProfile")
        self.database = database
        self.id = id
    }

    var title: String { "Profile \(id): \(database.name(ofUser: id))" }
}

nonisolated final class Session: Sendable {
    let started: String

    init(clock: TimeSource) {
        print("   + Session")
        started = clock.now
    }
}

nonisolated protocol Analytics: Sendable {
    func track(_ event: String)
}

/// Tells its subscribers of events.
@MainActor
final class EventEmitter<Event> {
    private var subscribers: [(Event) -> Void] = []

    nonisolated init() {
        print("   + EventEmitter")
    }

    func subscribe(_ subscriber: @escaping (Event) -> Void) {
        subscribers.append(subscriber)
    }

    func emit(_ event: Event) {
        for subscriber in subscribers {
            subscriber(event)
        }
    }
}

@MainActor
final class FeedViewModel {
    private let feed: FeedService

    init(feed: FeedService) {
        print("   + FeedViewModel")
        self.feed = feed
    }

    var headline: String { feed.titles().first ?? "No stories" }
}
