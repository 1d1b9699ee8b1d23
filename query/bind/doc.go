// Package bind turns the syntax tree of a statement into a plan. It finds what names stand for (tables, layers,
// columns, functions, parameters), checks and converts types, computes constant expressions, and chooses the models
// that annotate the documents a statement reads.
//
// A Binder serves one statement. It asks a Catalog for what the database has. Its results are nodes of query/plan with
// expressions of query/expr; plans of subselects go through query/optimise at once, because they become part of an
// expression, the plan of the whole statement is optimised by the caller.
//
// Errors carry code, place and a hint. How a plan is run does not belong here.
package bind
