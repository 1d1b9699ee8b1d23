package codec

import (
	"io"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Codec is a format with its options. It implements some of the interfaces below.
type Codec interface{ Options(*option.Set) }

// blockReader reads documents that begin at a line, so that they can be cut apart first and
// parsed by several workers.
type blockReader interface {
	// Splitter returns the state of cutting one file.
	Splitter() Splitter
	// Parse turns the lines of one document into documents.
	Parse(b Block) ([]*text.Document, error)
}

// Splitter cuts a file at lines.
type Splitter interface {
	// Begins reports whether a line begins a document; skip leaves the line out.
	Begins(line []byte) (begins, skip bool)
}

// otherReader is a reader of lines of which some files have no lines.
type otherReader interface {
	// Otherwise returns the reader of such files, nil for files of lines.
	Otherwise(src *Sources) (StreamReader, error)
}

// StreamReader reads documents one after the other.
type StreamReader interface {
	Read(src *Source, emit func(doc *text.Document, line int) error) error
}

// rowReader reads rows with the given columns.
type rowReader interface {
	Rows(src *Source, columns []Column, emit func(row []value.Value, line int) error) error
}

// documentWriter writes documents.
type documentWriter interface {
	Document(w io.Writer, d *text.Document) error
}

// rowWriter writes rows.
type rowWriter interface {
	Begin(w io.Writer, columns []Column) error
	Row(w io.Writer, columns []Column, row []value.Value) error
}

// placed is a reader of rows that may know columns by their place alone.
type placed interface{ ByPlace() bool }

// ReadsByPlace reports whether a configured format knows columns by their place alone.
func ReadsByPlace(c Codec) bool {
	p, ok := c.(placed)
	return ok && p.ByPlace()
}

// ReadsRows reports whether a configured format holds rows that can be read.
func ReadsRows(c Codec) bool {
	_, ok := c.(rowReader)
	return ok
}

// ReadsDocuments reports whether a configured format holds documents that can be read.
func ReadsDocuments(c Codec) bool {
	_, block := c.(blockReader)
	_, stream := c.(StreamReader)
	return block || stream
}

// IsBinary reports whether a configured format is not made of text.
func IsBinary(c Codec) bool {
	b, ok := c.(interface{ Binary() bool })
	return ok && b.Binary()
}

// finisher writes what stands after the last document or row.
type finisher interface{ End(w io.Writer) error }
