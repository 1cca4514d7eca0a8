import Foundation

// What a news app consists of, whatever injects it. Before and after a migration these types are the
// same; each folder beside this one registers them, has them injected and swaps them in a test.

package protocol Log: Sendable {
    func write(_ line: String)
    var lines: [String] { get }
}

package final class MemoryLog: Log, @unchecked Sendable {
    private let lock = NSLock()
    private var written: [String] = []  // Guarded by the lock.

    package init() {}

    package func write(_ line: String) { lock.withLock { written.append(line) } }

    package var lines: [String] { lock.withLock { written } }
}

package protocol API: AnyObject, Sendable {
    func titles() -> [String]
}

package final class LiveAPI: API {
    private let log: any Log

    package init(log: any Log) { self.log = log }

    package func titles() -> [String] {
        log.write("asked the network")
        return ["Rain until Friday", "A cat on the moon"]
    }
}

package final class FakeAPI: API {
    package init() {}

    package func titles() -> [String] { ["fake news"] }
}

/// Who is logged in; there is a new one after each logout.
package final class Session: Sendable {
    package init() {}
}

package protocol Feed: Sendable {
    var api: any API { get }
    var session: Session { get }
}

package struct LiveFeed: Feed {
    package let api: any API
    package let session: Session

    package init(api: any API, session: Session) {
        self.api = api
        self.session = session
    }
}

package protocol Profile: Sendable {
    var title: String { get }
}

package struct LiveProfile: Profile {
    private let api: any API
    private let id: Int

    package init(api: any API, id: Int) {
        self.api = api
        self.id = id
    }

    package var title: String { "profile \(id) of \(api.titles().count) titles" }
}

/// A place in a list, for one reader alone.
package final class Page: @unchecked Sendable {  // Belongs to one reader.
    private var number = 0

    package init() {}

    package func next() -> Int {
        number += 1
        return number
    }
}

/// Reads two lists side by side.
package struct Digest: Sendable {
    private let news: Page
    private let sports: Page

    package init(news: Page, sports: Page) {
        self.news = news
        self.sports = sports
    }

    package func advance() -> String { "news \(news.next()), sports \(sports.next())" }
}

package protocol Analytics: Sendable {
    func track(_ event: String)
}

/// Pictures, kept for as long as a screen shows them.
package final class Pictures: Sendable {
    package init() {}
}
