import Depin

/// Opens profiles without knowing how they are made.
nonisolated struct ProfileCoordinator: Sendable {
    private let profiles: ServiceFactory<Profile, Int>

    init(profiles: ServiceFactory<Profile, Int>) {
        self.profiles = profiles
    }

    func open(_ id: Int) -> String {
        profiles(id).title
    }
}
