import Depin
import DepinTesting
import Testing

// The test target of a module whose types are isolated to the main actor unless they say otherwise: its
// assemblies are too, and so is what their registrations make.

protocol Banner {
    var text: String { get }
}

final class LiveBanner: Banner {
    let text = "live"
}

final class FakeBanner: Banner {
    let text = "fake"
}

struct BannerAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Banner.self, mainActorFactory: { LiveBanner() })
    }
}

struct FakeBannerAssembly: Assembly {
    let banner = FakeBanner()

    func assemble(container: Container) {
        let banner = banner
        container.register(Banner.self, mainActorFactory: { banner })
    }
}

@Suite(
    .assemblies {
        BannerAssembly()
        if true { FakeBannerAssembly() }
    }
)
struct AssembliesOfTheMainActor {
    @Test func `are applied by a trait`() {
        #expect(Injected<Banner>().wrappedValue.text == "fake")
    }

    @Test(.overriding { $0.register(Banner.self, mainActorFactory: { LiveBanner() }) })
    func `are overridden by what is made there`() {
        #expect(Injected<Banner>().wrappedValue.text == "live")
    }

    @Test(
        .overriding { container in
            let banner = FakeBanner()
            container.register(Banner.self, mainActorFactory: { banner })
        }
    )
    func `are overridden by what was made there`() {
        #expect(Injected<Banner>().wrappedValue.text == "fake")
    }

    @Test(.overriding { FakeBannerAssembly().assemble(container: $0) })
    func `are assembled in an override`() {
        #expect(Injected<Banner>().wrappedValue.text == "fake")
    }

    @Test(.space(\.dependenciesAssembler, Assembler([BannerAssembly()])))
    func `are a value of the space`() {
        #expect(Injected<Banner>().wrappedValue.text == "live")
    }

    @Test(.space { $0.dependenciesAssembler = Assembler([BannerAssembly()]) })
    func `are set in the space`() {
        #expect(Injected<Banner>().wrappedValue.text == "live")
    }
}
