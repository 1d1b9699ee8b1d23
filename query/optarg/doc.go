// Package optarg converts the options of a statement, as the parser gives them, to arguments of declared options, and
// gives the errors that those answer with a place in the statement.
package optarg
