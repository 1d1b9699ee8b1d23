// Package change runs the statements that change data: CREATE, ALTER and DROP, LOAD and COPY, INSERT, UPDATE, DELETE
// and their RETURNING, corrections of layers, and ANNOTATE, which stores predictions.
//
// A statement collects its changes, checks them, and publishes them at once. Statements read through package exec. How
// the rows of a layer are corrected is in package draft.
package change
