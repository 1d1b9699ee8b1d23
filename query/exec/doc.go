// Package exec runs plans: scans of storage, models that annotate, searches and relations, with the operators of
// package operator above them, and the statements that change, learn and score.
//
// A Database is what the executions on one store share: models in memory, plans and answers that are kept. An Execution
// is one statement under way: a snapshot of storage, the environment of expressions, the bound of its memory. It is the
// catalog that the planner asks. What depends on sessions it asks its Host, which package engine implements.
package exec
