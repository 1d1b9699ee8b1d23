// Package draft edits the rows of one layer of a document. A draft is a copy of the layer whose rows are updated,
// deleted, inserted and checked; the document itself does not change, and Changed makes a new one. Package change
// decides which rows are edited. This package places a row in its sentence and checks its values.
package draft
