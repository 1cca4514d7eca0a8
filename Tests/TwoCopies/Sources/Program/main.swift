import Depin
import DepinInspection
import Foundation

#if canImport(Darwin)
let suffix = "dylib"
#else
let suffix = "so"
#endif

// Each library registers an `Int`, in the container of its own copy.
let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
for library in CommandLine.arguments.dropFirst() {
    let file = folder.appending(path: "lib\(library).\(suffix)").path
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL),
        let symbol = dlsym(handle, "registerIn\(library)")
    else { fatalError(String(cString: dlerror())) }
    unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
}

let container = SpaceValues.current.dependenciesContainer
print("the program finds \(container.resolve(Int.self).map(String.init) ?? "nothing")")

// It says once how many copies there are.
try container.validate()
try container.validate()
