// Package pgcatalog is the PostgreSQL catalog that clients query: the tables of pg_catalog and information_schema, and
// the functions about the objects in them.
//
// A snapshot (snapshot.go) describes the database as schemas, relations and constraints with OIDs. It is made once for
// each version of the catalog. Tables (tables.go, relations.go, information.go; empty.go has those that never have
// rows) and functions (functions.go) read it.
//
// What only the engine knows comes through Host: the user, the settings, and the rows of tables about sessions.
// Functions about the session are in package engine.
package pgcatalog
