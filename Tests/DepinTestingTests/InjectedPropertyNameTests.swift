import Depin
import DepinTesting
import Testing

// Words that occur twice are written once in a mangled name, in labels too.

private struct RepeatedWords {
    @Injected var labeled: (userName: Int, userAxis: String)
    @Injected var again: (userNameOfUser: Int, axisOfUserName: String)
    @Injected var nested: (outer: (userName: Int, userAxis: String), userAxis: [Int])
    @Injected var function: ((userName: Int, userAxis: String)) -> UserName
    @Injected var own: UserNameOfUserName
}

private struct RepeatedWordsOf<UserAxis> {
    @Injected var known: (userName: Int, userAxis: String)
    @Injected var unknown: (userName: Int, userAxis: UserAxis)
}

private struct UserName {}
private struct UserNameOfUserName {}

struct `The metadata of a property whose type repeats words` {
    private func properties(of owner: String) -> [InjectedProperty] {
        InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"])
            .filter { $0.owner.hasPrefix(owner) }
    }

    /// The types are in it even if the program never makes one.
    private let used: [Any.Type] = [RepeatedWords.self, RepeatedWordsOf<Int>.self]

    @Test func `has every service`() {
        let found = properties(of: "RepeatedWords").filter { !$0.owner.contains("Of") }
        let types = Dictionary(
            found.map { ($0.name, $0.serviceType.map(ObjectIdentifier.init)) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(found.map(\.note) == Array(repeating: nil, count: 5))
        let labeled = ObjectIdentifier((userName: Int, userAxis: String).self)
        #expect(types["labeled"] == labeled)
        #expect(
            types["again"] == ObjectIdentifier((userNameOfUser: Int, axisOfUserName: String).self)
        )
        #expect(types["own"] == ObjectIdentifier(UserNameOfUserName.self))
        #expect(types["nested"] != nil)
        #expect(types["function"] != nil)
    }

    @Test func `tells a label from a generic parameter`() {
        let found = properties(of: "RepeatedWordsOf")
        #expect(found.count == 2 && used.count == 2)
        for property in found {
            switch property.name {
            case "known":
                #expect(property.serviceType == (userName: Int, userAxis: String).self)
                #expect(property.note == nil)
            default:
                #expect(property.serviceType == nil)
                #expect(property.note?.contains("generic parameter") == true)
            }
        }
    }
}
