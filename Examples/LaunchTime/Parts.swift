// The app's 300 services: 20 features of 15 parts each. A service is a class of its own for each pair
// of feature and part, so `Service<Feed, Store>` and `Service<Chat, Store>` are two types, as if they
// had been written by hand in a large app.

final class Service<Feature, Part>: Sendable {
    /// Does what stands for the work of an initializer: opening files, reading settings, preparing
    /// tables.
    init<each Need>(work: Work, needs: repeat each Need) {
        work.perform()
    }
}

protocol Work: Sendable {
    func perform()
}

/// Keeps the processor busy for a fraction of a millisecond.
struct RealWork: Work {
    func perform() {
        var hasher = Hasher()
        for round in 0..<20_000 {
            hasher.combine(round)
        }
        _ = hasher.finalize()
    }
}

// The features.
enum Feed {}
enum Chat {}
enum Search {}
enum Profile {}
enum Settings {}
enum Camera {}
enum Photos {}
enum Music {}
enum Maps {}
enum Calendar {}
enum Contacts {}
enum Payments {}
enum Orders {}
enum Catalogue {}
enum Basket {}
enum Reviews {}
enum Support {}
enum News {}
enum Weather {}
enum Games {}

// The parts of each feature.
enum Screen {}
enum Model {}
enum Router {}
enum Theme {}
enum Links {}
enum Store {}
enum API {}
enum Formatter {}
enum Validator {}
enum Cache {}
enum Database {}
enum Files {}
enum Migrations {}
enum Decoder {}
enum Retry {}
