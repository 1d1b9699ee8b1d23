// Package engine executes the statements of sessions. It is above all other packages of query, and the only one that
// knows them all.
//
// An Engine is a Database (package exec) with the state of sessions: logins and privileges, transaction blocks and
// savepoints, settings, cursors, prepared statements, and the list of running statements. Execute registers a
// statement, checks the role of its user, makes an execution and calls the package that runs the statement
// (statement.go). Describe finds the columns and parameters of a statement without running it.
//
// The tables of the schema system and the functions about the session are here too: the engine is the Host of
// executions and of the PostgreSQL catalog (package pgcatalog).
package engine
