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
        let (survey, problems, checked, checks) = state.withLock {
            ($0.survey, $0.problems, $0.checkedByTypes, $0.checks)
        }
        func registration(_ index: Int) -> ValidationReport.Registration {
            let node = survey.nodes[index]
            return ValidationReport.Registration(
                request: node.request,
                registeredAt: node.registration.place,
                number: index
            )
        }
        let sorted = checks.sorted { $0.key < $1.key }
        return ValidationReport(
            problems: problems.ordered { $0.severity > $1.severity },
            checkedByTypes: checked.map(registration),
            checkedByRunning: sorted.filter { $0.value == nil }.map { registration($0.key) },
            unchecked: sorted.compactMap { index, reason in
                reason.map { (registration(index), $0) }
            },
            unreached: survey.unreached.map(registration),
            unappliedAssemblies: problems.contains { $0.kind == .missing }
                ? survey.unappliedAssemblies : [],
            survey: survey
        )
    }
}
