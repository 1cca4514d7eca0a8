import Dependencies
import Foundation
import NewsServices
import Testing

struct `The app with swift-dependencies` {
    @Test func `reports`() {
        withDependencies {
            $0.context = .live
        } operation: {
            #expect(report() == Report.live.filter(Report.isOfValues))
        }
    }

    @Test func `asks the fake`() {
        withDependencies {
            $0.api = FakeAPI()
        } operation: {
            let model = NewsModel()
            #expect(model.titles() + [model.open(id: 7)] == Report.fake)
        }
    }

    @Test func `replaces one function of a client`() {
        withDependencies {
            $0[ProfileClient.self].title = { "profile \($0)" }
        } operation: {
            #expect(NewsModel().open(id: 7) == "profile 7")
        }
    }

    @Test func `an override reaches a model made before it`() {
        let model = NewsModel()
        withDependencies {
            $0.limit = 0
        } operation: {
            #expect(model.titles() == [])
        }
    }

    @Test func `the date and the identifiers are new at each access`() {
        let notebook = Notebook()
        let note = notebook.note()

        #expect(notebook.note().id != note.id)
        #expect(notebook.note().date > note.date)
    }

    @Test func `the date stands still`() {
        let date = Date(timeIntervalSince1970: 0)
        withDependencies {
            $0.date = .constant(date)
        } operation: {
            #expect(Notebook().note().date == date)
        }
    }

    @Test func `a model made in an override keeps it`() {
        let model = withDependencies {
            $0.limit = 0
        } operation: {
            NewsModel()
        }

        #expect(model.titles() == [])
    }
}
