import Hummingbird
import Lists
import Web

struct AppContext: UserContext {
    var coreContext: CoreRequestContextStorage
    var user: User?

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
