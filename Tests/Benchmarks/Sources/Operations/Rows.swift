import Depin

/// Makes the rows that compare the time of one operation with the time of its floor.
public func makeRows() -> [Row] {
    let container = Container.ofThousand()
    let graphs = Container.ofThousand(graphScope: .graph)
    let table = MutexTable.ofThousand()
    SpaceValues.updateShared { $0.dependenciesContainer = container }
    let name = opaque("second")
    nonisolated(unsafe) let screen = InjectedScreen()
    let constant = ConstantScreen()
    let banner = Banner()
    sink(screen.translations)
    sink(constant.translations.wrappedValue)

    let s = Operation("S", "read a `static let` existential", batch: 4000) { count in
        for _ in 0..<count { sink(readStatic()) }
    }
    let a = Operation("A", "allocate an empty final class") { count in
        for _ in 0..<count { sink(allocate()) }
    }
    let l = Operation("L", "mutex and dictionary of 1,000") { count in
        for _ in 0..<count { sink(lookUp(table)) }
    }
    let p = Operation("P", "graph of ten by initialisers", batch: 300) { count in
        for _ in 0..<count { sink(makeGraph()) }
    }
    let h = Operation("H", "object with three existentials by its initialiser") { count in
        for _ in 0..<count { sink(makePlainScreen()) }
    }
    let t = Operation("T", "task-local push and read") { count in
        for _ in 0..<count { sink(pushAndRead(name)) }
    }
    let r = Operation("R", "insert into the dictionary of L", batch: 1, unit: 1000) { count in
        for _ in 0..<count { visitThousand(TagInsertion(table: MutexTable())) }
    }

    func row(
        _ id: String,
        _ title: String,
        _ floor: Operation,
        goal: Double,
        reach: Double? = nil,
        run: @escaping @Sendable (Int) -> Void
    ) -> Row {
        let operation = Operation(id, title, batch: floor.batch, unit: floor.unit, run: run)
        return Row(operation: operation, floor: floor, goal: goal, reach: reach)
    }
    let view = container.synchronize()
    return [
        row("1", "ready shared instance by type", l, goal: 1, reach: 0.8) { count in
            for _ in 0..<count { sink(resolveShared(container)) }
        },
        row("1v", "the same through the synchronized view", l, goal: 1, reach: 0.8) { count in
            for _ in 0..<count { sink(resolveShared(view)) }
        },
        row("2", "the same by type and name", l, goal: 1.4) { count in
            for _ in 0..<count { sink(resolveNamed(container, name)) }
        },
        row("3", "transient with an empty initialiser", a, goal: 3.2, reach: 2.4) { count in
            for _ in 0..<count { sink(resolveTransient(container)) }
        },
        row("4", "graph of ten, transient", p, goal: 2.8, reach: 2.2) { count in
            for _ in 0..<count { sink(resolveGraph(container)) }
        },
        row("4g", "graph of ten, graph scope", p, goal: 3.6) { count in
            for _ in 0..<count { sink(resolveGraph(graphs)) }
        },
        row("5", "one `String` argument, transient", l, goal: 3.8) { count in
            for _ in 0..<count { sink(resolveWithArgument(container, name)) }
        },
        row("6", "object with three `@Injected`", h, goal: 1.2) { count in
            for _ in 0..<count { sink(makeInjectedScreen()) }
        },
        row("6f", "the same and their first accesses", h, goal: 3.5) { count in
            for _ in 0..<count {
                let screen = makeInjectedScreen()
                sink(screen.translations)
                sink(screen.clock)
                sink(screen.settings)
            }
        },
        row("6l", "a later access, wrapped `var`", s, goal: 1.8) { count in
            for _ in 0..<count { sink(readVariable(screen)) }
        },
        row("6l'", "a later access, `let` of `Injected`", s, goal: 1.1) { count in
            for _ in 0..<count { sink(readConstant(constant)) }
        },
        row("7", "register 1,000 services, each", r, goal: 2.5) { count in
            for _ in 0..<count { visitThousand(TagRegistration(container: Container())) }
        },
        row("9", "`withSpace` push and one read, by key path", t, goal: 4) { count in
            for _ in 0..<count { sink(pushAndReadSpace(name, banner)) }
        },
        row("9c", "the same by closures", t, goal: 4) { count in
            for _ in 0..<count { sink(pushAndReadCurrent(name)) }
        },
        row("10", "a miss", l, goal: 0.6) { count in
            for _ in 0..<count { sink(resolveMissing(container)) }
        },
        row("10?", "a miss as `T?`", l, goal: 0.6) { count in
            for _ in 0..<count { sink(resolveOptional(container)) }
        },
    ]
}
