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
                registeredAt: node.registration.place,
                number: index
            )
        }
        var (byTypes, byRunning) = (
            [ValidationReport.Registration](), [ValidationReport.Registration]()
        )
        var unchecked: [(ValidationReport.Registration, String)] = []
        for (index, check) in state.checks.sorted(by: { $0.key < $1.key }) {
            switch check {
            case .byTypes: byTypes.append(registration(index))
            case .byRunning: byRunning.append(registration(index))
            case .not(let reason): unchecked.append((registration(index), reason))
            }
        }
        return ValidationReport(
            problems: [.error, .warning, .hint].flatMap { severity in
                problems.filter { $0.severity == severity }
            },
            checkedByTypes: byTypes,
            checkedByRunning: byRunning,
            unchecked: unchecked,
            unreached: survey.unreached.map(registration),
            propertyCount: survey.injections.count { !$0.need.isUnseen },
            unknownProperties: survey.unknownProperties,
            unappliedAssemblies: problems.contains { $0.kind == .missing }
                ? UnappliedAssemblies.names(
                    in: Set(survey.injections.compactMap(\.need.module)),
                    applied: survey.chain.flatMap { $0.appliedAssemblies.types }
                ) : [],
            survey: survey
        )
    }
}
