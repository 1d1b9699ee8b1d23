// Package optarg converts the options of a statement's syntax tree to arguments of declared options, and gives errors
// of options their position in the statement.
package optarg
