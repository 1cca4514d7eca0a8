import Depin
import DepinInspection
import Testing

/// What is wrong with a container.
func problemKinds(
    of container: Container,
    providing: [Any.Type] = [],
    severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
    ignoring: Set<ValidationReport.Kind> = []
) -> [ValidationReport.Kind] {
    do {
        return try container.validate(
            .init(
                providing: providing,
                severities: severities,
                ignoring: ignoring
            )
        )
        .problems.map(\.kind)
    } catch let error as ValidationError {
        return error.report.problems.map(\.kind)
    } catch {
        Issue.record(error)
        return []
    }
}

/// The error of a container with which something is wrong.
func validationError(of container: Container) throws -> ValidationError {
    try #require(throws: ValidationError.self) { try container.validate() }
}

/// What the caller of a validation sets for its task, and in the space.
enum CallerMark: SpaceKey {
    @TaskLocal static var text = ""
    static let defaultValue = ""
}

extension SpaceValues {
    var callerMark: String {
        get { self[CallerMark.self] }
        set { self[CallerMark.self] = newValue }
    }
}
