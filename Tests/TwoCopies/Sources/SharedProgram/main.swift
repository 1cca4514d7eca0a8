import Depin

// The dynamic product is the library as the static one is.
let container = Container()
container.register(Int.self) { 1 }
print("the program finds \(container(Int.self))")
