import Depin
import Testing

extension Situation {
    static let collections = [
        Situation("a dictionary of two of one name") { form in
            let container = Container()
            container.contribute((any API).self, name: "live") { LiveAPI() }
            container.contribute((any API).self, name: "live") { LiveAPI() }
            container.register(FeedService.self) { r in
                try form.ask(r, [String: any API].self)
                return FeedService()
            }
            try form.ask(container, FeedService.self)
        },
        Situation("only contributed to") { form in
            let container = Container()
            container.contribute((any API).self) { LiveAPI() }
            container.contribute((any API).self) { LiveAPI() }
            try form.ask(container, (any API).self)
        },
        Situation("only contributed to, under the name") { form in
            let container = Container()
            container.contribute((any API).self) { LiveAPI() }
            container.contribute((any API).self, name: "live") { LiveAPI() }
            try form.ask(container, (any API).self, name: "live")
        },
        Situation("circular, by a contribution") { form in
            let container = Container()
            container.contribute((any API).self, name: "live") { r in
                try form.ask(r, FeedService.self)
                return LiveAPI()
            }
            container.register(FeedService.self) { r in
                try form.ask(r, [any API].self)
                return FeedService()
            }
            try form.ask(container, FeedService.self)
        },
        Situation("circular, by a decorator") { form in
            let container = Container()
            container.register((any API).self) { LiveAPI() }.inObjectScope(.container)
            container.register(FeedService.self) { r in
                FeedService(api: try form.ask(r, (any API).self))
            }
            container.decorate((any API).self) { r, inner in
                try form.ask(r, FeedService.self)
                return inner
            }
            try form.ask(container, (any API).self)
        },
        Situation("circular, by a decorator of its own service") { form in
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            container.decorate((any API).self) { r, _ in try form.ask(r, (any API).self) }
            try form.ask(container, (any API).self)
        },
        Situation("a decorator threw") { form in
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            container.decorate((any API).self) { _, _ in throw OutOfDisk() }
            try form.ask(container, (any API).self)
        },
    ]
}
