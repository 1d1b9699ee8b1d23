package codec

import "fmt"

// Block is the lines of one document as they stand in a file.
type Block struct {
	File   string
	Base   string // of the file, for ids
	Number int    // of the document in its file, from 1
	Line   int    // of its first line
	Text   string // lines with \n

	Carried string // what the file says before it, if the splitter is a carrier

	Ended func() error // whether the load is to end; nil without a context
}

// lookBack is a splitter of documents that begin some lines above the one that shows it.
type lookBack interface{ Above() (lines, bytes int) }

// carrier is a splitter that hands something from the file's beginning on to later documents.
type carrier interface{ Carries() string }

// Fault is an error at a line of the block, counted from 0.
func (b *Block) Fault(line, col int, format string, args ...any) error {
	return faultf(b.File, b.Line+line, col, format, args...)
}

// ID is the id of a document that has none: file:n.
func (b *Block) ID() string { return fmt.Sprintf("%s:%d", b.Base, b.Number) }
