// Package draft corrects the rows of one layer of a document: rows are changed, dropped, inserted and checked while
// the document that others see stays as it was; the draft then makes the new layer. Statements that edit layers
// (query/exec) decide which rows change; how a row is placed in its sentence and what its values may be is decided
// here.
package draft
