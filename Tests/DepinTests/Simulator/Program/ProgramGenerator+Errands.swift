/// What factories and closers do beside their work.
extension ProgramGenerator {
    mutating func factoryErrand(of recipe: Program.Recipe) -> Program.Errand? {
        var errands: [Program.Errand] = []
        if has(.closingErrands), recipe.isAsync { errands.append(closing(.awaited)) }
        if has(.leftTasks) { errands += [asking(.meanwhile), asking(.afterwards)] }
        if has(.leftTasks), has(.closingErrands) {
            errands += [closing(.meanwhile), closing(.afterwards)]
        }
        return has(.lanes) && !errands.isEmpty ? one(of: errands) : nil
    }

    mutating func closerErrand() -> Program.Errand? {
        guard has(.lanes), has(.closingErrands) else { return nil }
        var errands = [closing(.awaited), closing(.awaited), asking(.awaited)]
        if has(.leftTasks) { errands += [closing(.meanwhile), closing(.afterwards)] }
        return one(of: errands)
    }

    private mutating func closing(_ moment: Program.Errand.Moment) -> Program.Errand {
        Program.Errand(operation: .close(place: anyPlace()), moment: moment)
    }

    private mutating func asking(_ moment: Program.Errand.Moment) -> Program.Errand {
        let service = anyService()
        let request = Program.Request(
            service: service,
            argument: argument(for: service),
            way: .requireAsync
        )
        return Program.Errand(operation: .resolve(place: anyPlace(), request), moment: moment)
    }
}
