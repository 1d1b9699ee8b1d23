package codec

import (
	"errors"
	"io"

	"parlance/algo/text"
	"parlance/storage/value"
)

// DocumentWriter writes documents to a stream.
type DocumentWriter struct {
	c documentWriter
	w io.Writer
}

// NewDocumentWriter returns a writer of documents.
func NewDocumentWriter(c Codec, w io.Writer) (*DocumentWriter, error) {
	if f, ok := c.(fileWriter); ok {
		return newStreamOfFiles(f, w)
	}
	d, ok := c.(documentWriter)
	if !ok {
		return nil, errors.New("the format holds no documents")
	}
	return &DocumentWriter{d, w}, nil
}

// Write writes a document.
func (w *DocumentWriter) Write(d *text.Document) error { return w.c.Document(w.w, d) }

// RowWriter writes rows to a stream.
type RowWriter struct {
	c       rowWriter
	w       io.Writer
	columns []Column
}

// Close writes what stands after the documents. It does not close the stream.
func (w *DocumentWriter) Close() error { return finish(w.c, w.w) }

func finish(c any, w io.Writer) error {
	if f, ok := c.(finisher); ok {
		return f.End(w)
	}
	return nil
}

// NewRowWriter writes what stands before the rows and returns a writer of rows.
func NewRowWriter(c Codec, w io.Writer, columns []Column) (*RowWriter, error) {
	r, ok := c.(rowWriter)
	if !ok {
		return nil, errors.New("the format holds no rows")
	}
	return &RowWriter{r, w, columns}, r.Begin(w, columns)
}

// Write writes the rows of a batch.
func (w *RowWriter) Write(b *value.Batch) error {
	row := make([]value.Value, 0, len(b.Cols))
	for i := range b.N {
		row = b.Row(row[:0], i)
		if err := w.c.Row(w.w, w.columns, row); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what stands after the rows. It does not close the stream.
func (w *RowWriter) Close() error { return finish(w.c, w.w) }

// replacing is a codec whose files say more of some layers than these hold. Replaced returns a view of a
// document without what was said of layers that are others now.
type replacing interface {
	Replaced(d *text.Document, layers []string) *text.Document
}

// WritePredicted writes a document in which layers were replaced by predictions: what the file that it was
// loaded from says of the old ones beside them is left out.
func (w *DocumentWriter) WritePredicted(d *text.Document, layers []string) error {
	if r, ok := w.c.(replacing); ok && len(layers) > 0 {
		d = r.Replaced(d, layers)
	}
	return w.Write(d)
}
