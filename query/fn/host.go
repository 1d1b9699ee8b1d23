package fn

import "slices"

// HostFunctions are functions that the engine computes, for they depend on the session, the catalog or the query: this
// package only declares them.
var HostFunctions = Set{Scalars: slices.Concat(searchFuncs, sessionFuncs, catalogFuncs)}
