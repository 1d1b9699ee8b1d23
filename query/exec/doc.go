// Package exec runs plans: scans of storage, models that annotate, searches, and relations of models, with the operators
// of package operator above them.
//
// A Database is what the executions on one store share: models in memory, plans and answers that are kept. An Execution
// is one statement under way: a snapshot of storage, the environment of expressions, the bound of its memory. It is the
// catalog that the planner asks. What packages above answer it asks through small interfaces: its Host for what depends
// on sessions (package engine), Sources for table functions (package relation), Evaluation for EVALUATE in FROM
// (package score).
//
// A statement that changes, trains or scores does not belong here: it has a package of its own above.
package exec
