import Depin

extension Validation {
    /// The report, where no problem is an error.
    func result() throws -> ValidationReport {
        LibraryCopies.tell()
        let report = report
        guard report.errors.isEmpty else { throw ValidationError(report: report) }
        for problem in report.problems where problem.severity == .warning {
            RunningTests.known?.warn("\(problem)")
        }
        return report
    }

    func skipped() throws -> ValidationReport {
        skip("another validation in progress checks it")
        return try result()
    }

    var report: ValidationReport {
        let state = state.withLock { $0 }
        let problems = state.problems.map { problem in
            var problem = problem
            problem.severity = options.severity(of: problem)
            return problem
        }
        let survey = state.survey
        func registration(_ index: Int) -> ValidationReport.Registration {
            let node = survey.nodes[index]
            return ValidationReport.Registration(
                request: node.request,
                registeredAt: node.registration.place
            )
        }
        return ValidationReport(
            problems: [.error, .warning, .hint].flatMap { severity in
                problems.filter { $0.severity == severity }
            },
            checkedByTypes: state.checkedByTypes.sorted().map(registration),
            checkedByRunning: state.checkedByRunning.sorted().map(registration),
            unchecked: state.unchecked.sorted { $0.key < $1.key }.map { (registration($0), $1) },
            unreached: survey.unreached.map(registration),
            propertyCount: survey.injections.count { !$0.need.isUnseen },
            unknownProperties: survey.unknownProperties,
            unappliedAssemblies: problems.contains { $0.kind == .missing }
                ? UnappliedAssemblies.names(
                    in: Set(survey.injections.compactMap(\.need.module)),
                    applied: container.engine.chain.flatMap { $0.appliedAssemblies.types }
                ) : [],
            survey: survey
        )
    }
}
