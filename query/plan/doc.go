// Package plan has the nodes of query plans. They are data: what a node yields (its columns), what it reads (its
// inputs and expressions), and the line that EXPLAIN prints for it.
//
// A plan is made by query/bind, improved by query/optimise, and run by query/exec with the operators of query/operator.
// What belongs here is what all of them need: the nodes, how to walk them, which columns a node reads of its inputs,
// how an index answers conditions, the outline that EXPLAIN prints, and the codes of errors of binding.
package plan
