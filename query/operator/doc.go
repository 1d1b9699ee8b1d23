// Package operator has the operators of a plan over batches of rows: filter, project, join, aggregate, distinct, sort,
// window, limit and union, and what they share.
//
// An Operator yields batches of typed columns until there are no more; whoever opens one closes it. An operator gets
// its inputs, the node of the plan and the environment of its expressions, and knows nothing of storage, models or
// sessions: scans are given to it as operators.
//
// Every operator that holds rows takes a Budget. When the budget is used up it writes rows to a temporary file without
// a name and goes on, so the memory of a statement is bounded: joins, aggregates and DISTINCT divide their rows into
// partitions by a hash of the keys, sorts merge sorted runs.
//
// What reads storage belongs to query/exec, an expression over columns to query/expr.
package operator
