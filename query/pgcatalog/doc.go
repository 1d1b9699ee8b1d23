// Package pgcatalog is the catalog that clients of PostgreSQL ask for: the tables of pg_catalog and information_schema,
// and the functions about the objects that they list.
//
// A snapshot (snapshot.go) is the database as schemas, relations and constraints with numbers. It is made once for each
// state of the database. Tables are read from it (tables.go, relations.go, information.go; empty.go has those that
// never have rows), and functions answer from it (functions.go).
//
// What only the engine knows comes through Host: who asks, the settings, and the rows of tables about sessions.
// Functions about the session are in package engine.
package pgcatalog
