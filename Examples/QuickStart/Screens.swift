import Depin

// The screens: each says what it needs, and has it at the first use.

@MainActor
struct FeedScreen {
    @Injected private var i18n: I18n
    @Injected private var feed: FeedService
    @Injected(.refresh) private var refresh: EventEmitter<Void>
    @Space(\.tone) private var tone

    func show() {
        greet()
        for title in feed.titles() {
            print("   - \(title)")
        }
    }

    func greet() {
        print("   \(i18n.greeting(tone))")
    }

    func subscribe() {
        refresh.subscribe { print("   the feed screen refreshes") }
    }
}

@MainActor
struct RefreshButton {
    @Injected(.refresh) private var refresh: EventEmitter<Void>

    func tap() {
        print("   tap on refresh")
        refresh.emit(())
    }
}

@MainActor
struct ProfileScreen {
    @Injected private var coordinator: ProfileCoordinator

    func open(_ id: Int) {
        print("   \(coordinator.open(id))")
    }
}

@MainActor
struct FeedHeader {
    @Injected private var model: FeedViewModel

    var text: String { "top story: \(model.headline)" }
}

@MainActor
struct AccountScreen {
    @Injected private var session: Provider<Session>
    @Injected private var analytics: Analytics?

    func show() {
        let first = session.instance
        let second = session.instance
        print("   sessions: \(first === second ? "the same" : "two")")
        print("   analytics: \(analytics == nil ? "none registered" : "on")")
    }
}
