// Package bind turns the syntax tree of a statement into a plan. It finds what names stand for (tables, layers,
// columns, functions, parameters), checks and converts types, computes constant expressions, and chooses the models
// that annotate the documents a statement reads.
//
// A Binder serves one statement. It reads the Catalog, which is taken when the statement starts and does not change,
// and calls nothing of what executes statements: what has to be computed later is part of the plan. Its results are
// nodes of query/plan with expressions of query/expr; plans of subselects go through query/optimise at once, because
// they become part of an expression, the plan of the whole statement is optimised by the caller.
//
// Errors carry code, place and a hint. How a plan is run does not belong here.
package bind
