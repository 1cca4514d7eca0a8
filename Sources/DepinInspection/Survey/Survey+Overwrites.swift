import Depin

// Registrations that replace, hide or repeat others, and children that share nothing.

extension Survey {
    /// Registrations that replaced others, or were to.
    var overwrites: [Problem] { replacements + idleOverrides }

    private var replacements: [Problem] {
        chain.flatMap { engine in
            let doubled = engine.doubledAssemblies
            return engine.registry.inOrder().flatMap { slot -> [Problem] in
                let nodes = [index(of: slot.registration)].compactMap(\.self)
                let name = "\(ResolutionError.Request(slot.key))"
                var problems: [Problem] = []
                for overwrite in engine.overwrites(of: slot.key) {
                    if overwrite.wasHandedOut {
                        problems.append(problem(.lateOverwrite, nodes, late(overwrite, of: name)))
                    }
                    if !overwrite.isMeant {
                        let assembly = doubled.first { $0.numbers.contains(overwrite.registration) }
                        let text = silent(overwrite, of: name, applying: assembly?.type)
                        problems.append(problem(.silentOverwrite, nodes, text))
                    }
                }
                return problems
            }
        }
    }

    private func late(_ overwrite: Overwrite, of name: String) -> String {
        """
        \(name) was replaced after its shared instance had been given out: objects \
        that hold the old instance keep it
          registered at \(overwrite.place), in place of \(overwrite.replaced)
          fix: register it before the first resolve, or reset the scope that holds the instance before you register it \
        anew
        """
    }

    private func silent(
        _ overwrite: Overwrite,
        of name: String,
        applying assembly: Any.Type?
    ) -> String {
        let isSameLine = overwrite.place == overwrite.replaced
        let fix =
            if let assembly {
                """
                apply \(readableName(of: assembly)) once, or require it: applied twice, it adds its decorators and \
                contributions twice, too
                """
            } else if isSameLine {
                "register it once; a method around `register` must pass `file:` and `line:` on, to be told apart"
            } else {
                "remove one, give one a name, or add `.overriding()` if it is deliberate"
            }
        return """
            \(name) is registered twice\(isSameLine ? " by the same line" : ""): the last one wins
              registered at \(overwrite.place)\
            \(isSameLine ? "" : ", in place of \(overwrite.replaced)")
              fix: \(fix)
            """
    }

    /// Registrations that say that they override, and have replaced nothing.
    private var idleOverrides: [Problem] {
        problems(.idleOverride) { node in
            let registration = node.registration
            guard registration.traits.contains(.overrides), !isStandIn(node), !node.isDefault else {
                return nil
            }
            let parent = chain[node.level].parent
            // A default has given way before it could be replaced.
            let hasDefault = nodes.contains { other in
                other.isDefault && other.level == node.level
                    && other.keys.contains(where: node.keys.contains)
            }
            let hasReplaced = chain.contains { engine in
                node.keys.contains { key in
                    engine.overwrites(of: key).contains {
                        $0.registration == registration.number
                    }
                }
            }
            guard !hasReplaced, !hasDefault, !node.keys.contains(where: { parent?.find($0) != nil })
            else {
                return nil
            }
            return """
                \(node.request) is marked `.overriding()`, but there was nothing to override
                  registered at \(registration.place)
                  fix: remove `.overriding()`, or register it after the registration that it replaces
                """
        }
    }

    /// Registrations of a child that hide a parent's of another scope.
    var shadowedScopes: [Problem] {
        problems(.shadowedScope) { node in
            let registration = node.registration
            guard !registration.traits.contains(.overrides), !isStandIn(node), !node.isDefault,
                let parent = chain[node.level].parent
            else { return nil }
            for key in node.keys {
                // A default is meant to be hidden.
                guard let hidden = parent.find(key)?.registration,
                    !hidden.traits.contains(.isDefault),
                    hidden.objectScope !== registration.objectScope
                else { continue }
                return """
                    \(ResolutionError.Request(key)) of scope \(registration.scopeName) hides the \
                    parent's of scope \(hidden.scopeName)
                      registered at \(registration.place), over \(hidden.place)
                      fix: give both the same scope, or add `.overriding()` if it is deliberate
                    """
            }
            return nil
        }
    }

    /// A child that shares nothing, although it may stand for a session or a request.
    var unsharedChildren: [Problem] {
        let own = nodes.indices.filter { nodes[$0].level == 0 && !isStandIn(nodes[$0]) }
        guard engine.parent != nil, own.count > 1,
            own.allSatisfy({ nodes[$0].registration.objectScope === ObjectScope.graph })
        else { return [] }
        return [
            problem(
                .unsharedChild,
                own,
                """
                all \(own.count) registrations of this child container are in scope graph: each \
                request makes new instances
                  the first one registered at \(nodes[own[0]].registration.place)
                  fix: if the container stands for a session or a request, give what belongs to it \
                scope container
                """
            )
        ]
    }

    /// True for a registration that exists for the validation only.
    private func isStandIn(_ node: Node) -> Bool {
        let original = chain[node.level].originals.last
        return original?.registry.slot(of: node.registration.key)?.registration
            !== node.registration
    }

    /// Assemblies that were applied twice, unless a registration that replaced itself says so already.
    var doubledAssemblies: [Problem] {
        chain.flatMap { engine in
            engine.doubledAssemblies.compactMap { type, numbers -> Problem? in
                let slots = engine.registry.inOrder()
                let isReported = slots.flatMap { engine.overwrites(of: $0.key) }.contains {
                    numbers.contains($0.registration) && !$0.isMeant
                }
                typealias Addition = (number: UInt, key: ServiceKey, place: CodePlace, verb: String)
                let decorated: [Addition] = engine.decorators.map {
                    ($0.number, $0.key, $0.place, "decorated")
                }
                let contributed: [Addition] = slots.filter(\.key.isContribution).map {
                    let key = ServiceKey($0.key.serviceType, name: $0.key.name)
                    return ($0.registration.number, key, $0.registration.place, "contributed")
                }
                // Two values of one type may well decorate and contribute under different names.
                let doubled = [decorated, contributed].flatMap { additions in
                    additions.filter { one in
                        numbers.contains(one.number)
                            && additions.contains {
                                !numbers.contains($0.number)
                                    && $0.key == one.key && $0.place == one.place
                            }
                    }
                }
                guard !isReported, !doubled.isEmpty else { return nil }
                let additions = doubled.map {
                    "\(ResolutionError.Request($0.key)) is \($0.verb) twice at \($0.place)"
                }
                let text = """
                    \(readableName(of: type)) is applied twice, and so are its decorators and contributions
                      \(additions.joined(separator: "\n  "))
                      fix: apply it once, or require it; if its two values differ, make it Equatable
                    """
                let concerned = doubled.compactMap { one in
                    nodes.firstIndex { $0.registration.number == one.number }
                }
                return problem(.silentOverwrite, concerned, text)
            }
        }
    }
}

extension Engine {
    /// The assemblies that were applied twice here, with the numbers of what the second application added.
    fileprivate var doubledAssemblies: [(type: Any.Type, numbers: Range<UInt>)] {
        applications.all.compactMap { one in one.repeated.map { (one.type, $0) } }
            .ordered { $0.numbers.lowerBound < $1.numbers.lowerBound }
    }
}
