// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import Depin
import DepinTesting
import Foundation
import NewsServices
import Testing

@Suite(.assemblies { NewsAssembly() })
struct `The app that was with swift-dependencies` {
    @Test func `reports the same`() {
        #expect(report() == Report.live.filter(Report.isOfValues))
    }

    @Test func `asks the fake`() {
        withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) {
            let model = NewsModel()
            #expect(model.titles() + [model.open(id: 7)] == Report.fake)
        }
    }

    @Test func `replaces one function of a client`() {
        withSpace(overriding: { container in
            var profiles = container ~> ProfileClient.self
            profiles.title = { "profile \($0)" }
            container.register(ProfileClient.self, instance: profiles)
        }) {
            #expect(NewsModel().open(id: 7) == "profile 7")
        }
    }

    @Test func `an override of a value reaches a model made before it`() {
        let model = NewsModel()
        withSpace {
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
        withSpace(\.now, date) {
            #expect(Notebook().note().date == date)
        }
    }

    @Test func `an override of a service reaches a model made in it`() {
        let early = NewsModel()
        let late = withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) {
            #expect(early.titles().count == 2)
            return NewsModel()
        }
        #expect(late.titles() == ["fake news"])
    }

    @Test func `what should keep a value takes the values with it`() {
        let captured = withSpace(\.limit, 0) { SpaceValues.current }

        withSpace(captured) { #expect(NewsModel().titles() == []) }
    }
}
