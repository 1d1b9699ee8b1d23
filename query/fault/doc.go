// Package fault makes the errors of statements: an SQLSTATE code, a message, a hint and a position in the text of the
// statement. It also recognises cancellations, and turns errors of kinds of model into errors of the statement.
package fault
