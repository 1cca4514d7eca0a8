import Depin
import Observation

// The macro's own code has further errors, which nobody needs to read.

protocol Feed: Sendable {}

@Observable final class FeedModel {
    @Injected var feed: Feed
    // expected-error@-1{{property wrapper cannot be applied to a computed property}}
}

@Observable final class WatchedFeedModel {
    @ObservationIgnored @Injected var feed: Feed
}
