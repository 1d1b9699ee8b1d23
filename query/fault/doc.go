// Package fault makes the errors that statements answer with: a code of SQLSTATE, a message, a hint and a place in the
// text of the statement. It also tells cancellations from faults, and turns what a kind of model refuses into an error
// of its statement.
package fault
