// Package change runs the statements that change data: CREATE, ALTER and DROP, LOAD and COPY, INSERT, UPDATE, DELETE
// and their RETURNING, corrections of layers, and ANNOTATE, which stores what models answer.
//
// A statement collects what it will store, checks it, and publishes it at once. What statements read they read through
// package exec; how the rows of a layer are corrected is decided in package draft.
package change
