import Depin
import Observation

// The compiler also complains of the macro's own code, which nobody needs to read, and over which its
// `-verify` crashes: `.ci/run clients` looks for the words alone.

protocol Feed: Sendable {}

@Observable final class FeedModel {
    @Injected var feed: Feed
    // error: property wrapper cannot be applied to a computed property
}

@Observable final class WatchedFeedModel {
    @ObservationIgnored @Injected var feed: Feed
}
