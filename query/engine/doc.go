// Package engine executes the statements of sessions. It is above all other packages of query, and the only one that
// knows them all.
//
// An Engine is a Database (package exec) with what belongs to sessions: who is logged in and what they may do,
// transaction blocks and savepoints, settings, cursors, and the list of statements under way.
// Execute registers a statement, asks for the role that it needs, makes an execution for it and hands it to the package
// that does its work (statement.go). Describe tells the columns and parameters of a statement without running it.
//
// The tables of the schema system and the functions about the session are here too: the engine is the Host of
// executions and of the PostgreSQL catalog (package pgcatalog).
package engine
