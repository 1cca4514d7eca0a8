import Depin

extension Validation {
    /// The report, if no problem is an error.
    func result() throws -> ValidationReport {
        LibraryCopies.report()
        let report = report
        guard report.errors.isEmpty else { throw ValidationError(report: report) }
        for problem in report.problems where problem.severity == .warning {
            RunningTests.known?.warn("\(problem)")
        }
        return report
    }

    func skipped() throws -> ValidationReport {
        for index in survey.nodes.indices {
            conclude(index, "another validation in progress checks it")
        }
        return try result()
    }

    var report: ValidationReport {
        let state = state.withLock { $0 }
        let survey = state.survey
        func registration(_ index: Int) -> ValidationReport.Registration {
            let node = survey.nodes[index]
            return ValidationReport.Registration(
                request: node.request,
                registeredAt: node.registration.place,
                number: index
            )
        }
        let sorted = state.checks.sorted { $0.key < $1.key }
        return ValidationReport(
            problems: state.problems.ordered { $0.severity > $1.severity },
            checkedByTypes: state.checkedByTypes.map(registration),
            checkedByRunning: sorted.filter { $0.value == nil }.map { registration($0.key) },
            unchecked: sorted.compactMap { index, reason in
                reason.map { (registration(index), $0) }
            },
            unreached: survey.unreached.map(registration),
            unappliedAssemblies: state.problems.contains { $0.kind == .missing }
                ? survey.unappliedAssemblies : [],
            survey: survey
        )
    }
}
