import Depin
import DepinInspection

extension Row {
    /// Every row that is a ratio of two times.
    public static let all =
        ready + unshared + injected + others + modules + scopes + threads + sizes + growth

    private static let ready = [
        Row("1", "ready shared instance by type", .l, goal: 1.6) { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveShared(container)) }
        },
        Row("1-view", "the same through the synchronized view", .l, goal: 1.6) { count in
            let view = Fixture.view
            for _ in 0..<count { sink(resolveShared(view)) }
        },
        Row("1-closer", "the same where the container closes something", .l, goal: 2) { count in
            let container = Fixture.closing
            for _ in 0..<count { sink(resolveShared(container)) }
        },
        Row("1-weak", "live instance of a weak scope", .l, goal: 9.7) { count in
            let (container, draft) = (Fixture.container, Fixture.draft)
            for _ in 0..<count { sink(resolveWeak(container)) }
            sink(draft)
        },
        Row("2", "ready shared instance by type and name", .l, goal: 1.6) { count in
            let (container, name) = (Fixture.container, Fixture.name)
            for _ in 0..<count { sink(resolveNamed(container, name)) }
        },
    ]

    private static let unshared = [
        Row("3", "transient with an empty initializer", .l, goal: 4.1) { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveTransient(container)) }
        },
        Row("3-allocation", "the same, beside an allocation", .a, goal: nil) { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveTransient(container)) }
        },
        Row("4", "graph of ten, transient", .p, goal: 3.9) { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveGraph(container)) }
        },
        Row("4g", "graph of ten, graph scope", .p, goal: 7) { count in
            let container = Fixture.graphs
            for _ in 0..<count { sink(resolveGraph(container)) }
        },
        Row("5", "one `String` argument, transient", .l, goal: 6.9) { count in
            let (container, name) = (Fixture.container, Fixture.name)
            for _ in 0..<count { sink(resolveWithArgument(container, name)) }
        },
    ]

    private static let injected = [
        Row("6", "object with three `@Injected`", .h, goal: 1.3) { count in
            for _ in 0..<count { sink(makeInjectedScreen()) }
        },
        Row("6f", "the same and their first accesses", .h, goal: 6.5) { count in
            Fixture.injection
            for _ in 0..<count { useInjectedScreen() }
        },
        Row("6l", "a later access, wrapped `var`", .s, goal: 1.8) { count in
            let screen = Fixture.screen
            for _ in 0..<count { sink(readVariable(screen)) }
        },
        Row("6l-let", "a later access, `let` of `Injected`", .s, goal: 1.1) { count in
            let screen = Fixture.constantScreen
            for _ in 0..<count { sink(readConstant(screen)) }
        },
    ]

    private static let others = [
        Row("7", "register 1,000 services, each", .r, goal: 2.5) { count in
            let sites = Fixture.thousand
            for _ in 0..<count {
                let container = Container()
                Attic.keep(container)
                for site in sites { site.register(in: container) }
            }
        },
        Row("validate", "`validate()` of 1,000 autoregistered services, each", .r, goal: nil) {
            count in
            let container = Fixture.autoregistered
            for _ in 0..<count { sink(try? container.validate()) }
        },
        Row("validate-app", "the same with 3,000 needs and 1,000 properties, each", .r, goal: nil) {
            count in
            let (container, properties) = (Fixture.app, Fixture.properties)
            for _ in 0..<count { sink(try? container.validate(.init(injected: properties))) }
        },
        Row("9", "`withSpace` push and one read, by key path", .t, goal: 3.2) { count in
            let (name, banner) = (Fixture.name, Fixture.banner)
            for _ in 0..<count { sink(pushAndReadSpace(name, banner)) }
        },
        Row("9-closure", "`withSpace` push and one read, by closure", .t, goal: 4) { count in
            let name = Fixture.name
            for _ in 0..<count { sink(pushAndReadCurrent(name)) }
        },
        Row("10", "a miss, `resolve` → nil", .l, goal: 1.5) { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveMissing(container)) }
        },
        Row("10-optional", "a miss, `T?`", .l, goal: nil) { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveOptional(container)) }
        },
    ]
}

extension Operation {
    /// The floors.
    public static let floors = [s, a, l, p, h, t, r, ten, tenMade, transient, list, ready, unnamed]

    static let s = Operation("S", batch: 4000) { count in
        for _ in 0..<count { sink(readStatic()) }
    }
    static let a = Operation("A") { count in
        for _ in 0..<count { sink(allocate()) }
    }
    static let l = Operation("L") { count in
        let table = Fixture.table
        for _ in 0..<count { sink(lookUp(table)) }
    }
    static let p = Operation("P", batch: 300) { count in
        for _ in 0..<count { sink(makeGraph()) }
    }
    static let h = Operation("H", batch: 1000) { count in
        for _ in 0..<count { sink(makePlainScreen()) }
    }
    static let t = Operation("T") { count in
        let name = Fixture.name
        for _ in 0..<count { sink(pushAndRead(name)) }
    }
    static let r = Operation("R", batch: 1, unit: 1000) { count in
        let sites = Fixture.thousand
        for _ in 0..<count {
            let table = MutexTable()
            Attic.keep(table)
            insertAll(sites, into: table)
        }
    }
}
