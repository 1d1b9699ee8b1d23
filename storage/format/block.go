package format

import "fmt"

// block is the lines of one document as they stand in a file.
type block struct {
	file   string
	base   string // of the file, for ids
	number int    // of the document in its file, from 1
	line   int    // of its first line
	text   string // lines with \n

	carried string // what the file says before it, if the splitter is a carrier

	ended func() error // whether the load is to end; nil without a context
}

// lookBack is a splitter of documents that begin some lines above the one that shows it.
type lookBack interface{ above() (lines, bytes int) }

// carrier is a splitter that hands something from the file's beginning on to later documents.
type carrier interface{ carries() string }

func (b *block) fault(line, col int, format string, args ...any) error {
	return faultf(b.file, b.line+line, col, format, args...)
}

// id is the id of a document that has none: file:n.
func (b *block) id() string { return fmt.Sprintf("%s:%d", b.base, b.number) }
