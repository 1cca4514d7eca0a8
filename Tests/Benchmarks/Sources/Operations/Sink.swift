// PERF: an empty function that the optimizer may look into is deleted together with its argument, and
// a constant behind a `static let` is folded into its reader.

/// Uses a value in a way that the optimizer cannot see through, at the cost of a call.
@inline(never)
@_optimize(none)
@_semantics("optimize.sil.specialize.generic.never")
func sink<Value>(_ value: borrowing Value) {}

/// Gives a value back in a way that the optimizer cannot see through.
@inline(never)
@_optimize(none)
@_semantics("optimize.sil.specialize.generic.never")
func opaque<Value>(_ value: Value) -> Value { value }
