extension Program {
    /// How many parts can be dropped one by one.
    var partCount: Int {
        var remover = PartRemover(removed: [])
        _ = remover.reduce(self)
        return remover.count
    }

    /// The same program without some of its parts, by their numbers.
    func dropping(_ parts: Set<Int>) -> Program {
        var remover = PartRemover(removed: parts)
        return remover.reduce(self)
    }

    /// The most parts found without which it still fails, by dropping ever smaller runs of them.
    func shrunk(while fails: (Set<Int>) async -> Bool) async -> Set<Int> {
        let count = partCount
        var dropped: Set<Int> = []
        var length = max(1, count / 2)
        var tries = 0
        while length > 0 {
            var hasDropped = false
            var start = 0
            let left = (0..<count).filter { !dropped.contains($0) }
            while start < left.count, tries < 400 {
                let run = left[start..<min(start + length, left.count)]
                let candidate = dropped.union(run)
                tries += 1
                if await fails(candidate) { (dropped, hasDropped) = (candidate, true) }
                start += length
            }
            if length == 1, !hasDropped || tries >= 400 { break }
            length = max(1, length / 2)
        }
        return dropped
    }
}

/// Numbers the parts of a program in one order, and leaves some out.
private struct PartRemover {
    let removed: Set<Int>
    var count = 0

    private mutating func isKept() -> Bool {
        defer { count += 1 }
        return !removed.contains(count)
    }

    private mutating func reduce<Part>(
        _ parts: [Part],
        _ reduce: (inout Self, Part) -> Part = { $1 }
    ) -> [Part] {
        parts.compactMap { part in
            let isKept = isKept()
            let reduced = reduce(&self, part)
            return isKept ? reduced : nil
        }
    }

    mutating func reduce(_ program: Program) -> Program {
        var program = program
        // A lane or an operation first, then what is inside.
        program.lanes = reduce(program.lanes) { remover, lane in
            var lane = lane
            lane.operations = remover.reduce(lane.operations) { $0.reduce($1) }
            return lane
        }
        program.setup = reduce(program.setup) { $0.reduce($1) }
        program.recipes = program.recipes.map { reduce($0) }
        return program
    }

    private mutating func reduce(_ recipe: Program.Recipe) -> Program.Recipe {
        var recipe = recipe
        recipe.needs = reduce(recipe.needs)
        recipe.callback = reduce(recipe.callback)
        if recipe.closes { recipe.closes = isKept() }
        recipe.atClose = reduce(recipe.atClose)
        if recipe.isAsync { recipe.isAsync = isKept() || recipe.awaits }
        if recipe.isMain { recipe.isMain = isKept() }
        if recipe.isEager { recipe.isEager = isKept() }
        if recipe.failures > 0 { recipe.failures = isKept() ? recipe.failures : 0 }
        if recipe.isPerArguments { recipe.isPerArguments = isKept() }
        return recipe
    }

    private mutating func reduce(_ operation: Program.Operation) -> Program.Operation {
        switch operation {
        case .register(let place, let service, let recipe):
            .register(place: place, service: service, reduce(recipe))
        case .contribute(let place, let recipe):
            .contribute(place: place, reduce(recipe))
        case .override(let place, let service, let recipe, let request):
            .override(place: place, service: service, reduce(recipe), request)
        case .graph(let place, let requests):
            .graph(place: place, reduce(requests))
        case .decorate(let place, let service, let decoration):
            .decorate(
                place: place,
                service: service,
                Program.Decoration(
                    needs: reduce(decoration.needs),
                    fails: decoration.fails,
                    isAsync: decoration.isAsync && isKept()
                )
            )
        default: operation
        }
    }
}

extension Program.Recipe {
    /// Whether the factory awaits what it needs.
    fileprivate var awaits: Bool {
        needs.contains { need in
            switch need {
            case .service(let request), .glances(let request): request.way == .requireAsync
            default: false
            }
        }
    }
}
