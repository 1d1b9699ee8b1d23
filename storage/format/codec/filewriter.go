package codec

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"parlance/algo/text"
)

// fileWriter is a codec that writes files of its own for each document.
type fileWriter interface {
	// Endings are those of the names that a statement may write, such as .txt.
	Endings() []string
	// Files returns the files that a document becomes, by the endings of their names; ext is the ending that the
	// statement writes.
	Files(d *text.Document, ext string) ([]File, error)
	// Shared returns files of all documents together, by their names; ext is the ending that the statement writes.
	Shared(ext string) []File
}

// streamable is a fileWriter that may write a single document to a stream.
type streamable interface{ Streams() bool }

// oneDocument writes the only file of the only document to a stream.
type oneDocument struct {
	fileWriter
	first string
	n     int
}

func newStreamOfFiles(f fileWriter, w io.Writer) (*DocumentWriter, error) {
	if s, ok := f.(streamable); !ok || !s.Streams() {
		return nil, fmt.Errorf("a document becomes several files, so a path is wanted: COPY … TO 'folder/*%s'",
			f.Endings()[0])
	}
	return &DocumentWriter{&oneDocument{fileWriter: f}, w}, nil
}

func (o *oneDocument) Document(w io.Writer, d *text.Document) error {
	if o.n++; o.n > 1 {
		return fmt.Errorf("a file holds one document, and there are %s and %s; COPY … TO 'folder/*%s' writes files for each",
			o.first, d.ID, o.Endings()[0])
	}
	o.first = d.ID
	list, err := o.Files(d, o.Endings()[0])
	if err != nil {
		return err
	}
	_, err = w.Write(list[0].Content)
	return err
}

// File is a file of a document.
type File struct {
	Name    string // an ending, or the name of a shared file
	Content []byte
}

// WritesFiles reports whether a configured format writes files of its own for each document.
func WritesFiles(c Codec) bool {
	_, ok := c.(fileWriter)
	return ok
}

// FilesWriter writes documents as files of their own.
type FilesWriter struct {
	c        fileWriter
	path     string // without its endings
	ext      string
	compress string // .gz, .zst or nothing
	each     bool   // path has a * for the id
	first    string // id of the first document
	n        int
	create   func(path string, content []byte) error
	notes    *Notes
}

// escapedIDs is what is told of ids that are no names of files.
var escapedIDs = Topic{"the id of 1 document is no name of a file: its file has a percent sign and two hexadecimal " +
	"digits for each character that cannot stand there", "the ids of %d documents are no names of files: their files " +
	"have a percent sign and two hexadecimal digits for each character that cannot stand there"}

// NewFilesWriter returns a writer of documents to files. In a path such as folder/*.txt the id of a document takes the
// place of the star; a path without a star is of a single document. create makes a file.
func NewFilesWriter(c Codec, path string, create func(path string, content []byte) error) (*FilesWriter, error) {
	f, ok := c.(fileWriter)
	if !ok {
		return nil, errors.New("the format writes no files of documents")
	}
	w := &FilesWriter{c: f, path: path, create: create}
	if z := filepath.Ext(path); z == ".gz" || z == ".zst" {
		w.compress, w.path = z, strings.TrimSuffix(path, z)
	}
	w.ext = filepath.Ext(w.path)
	if !slices.Contains(f.Endings(), w.ext) {
		return nil, fmt.Errorf("a file of this format ends in %s; %s writes one for each document",
			strings.Join(f.Endings(), " or "), filepath.Join(filepath.Dir(path), "*"+f.Endings()[0]))
	}
	w.path = strings.TrimSuffix(w.path, w.ext)
	w.each = strings.Contains(w.path, "*")
	if w.each && (strings.Count(w.path, "*") > 1 || strings.Contains(filepath.Dir(w.path), "*")) {
		return nil, errors.New("one * is wanted, in the name of the file, where the id of a document is to stand")
	}
	if t, ok := c.(interface{ noted() *Notes }); ok {
		w.notes = t.noted()
	}
	return w, nil
}

// WritePredicted writes a document in which layers were replaced by predictions.
func (w *FilesWriter) WritePredicted(d *text.Document, layers []string) error {
	if r, ok := w.c.(replacing); ok && len(layers) > 0 {
		d = r.Replaced(d, layers)
	}
	w.n++
	path := w.path
	switch {
	case w.each:
		name := fileName(d.ID)
		if name != d.ID && w.notes != nil {
			w.notes.Tell(escapedIDs, 1, d.ID, 0)
		}
		if len(name) > maxFileName {
			return fmt.Errorf("document %.40s…: its id is longer than the %d bytes that a name of a file may have", d.ID,
				maxFileName)
		}
		path = filepath.Join(filepath.Dir(path), strings.Replace(filepath.Base(path), "*", name, 1))
	case w.n > 1:
		return fmt.Errorf("a file holds one document, and there are %s and %s; %s writes files for each, named by its id",
			w.first, d.ID, filepath.Join(filepath.Dir(path), "*"+w.ext+w.compress))
	}
	w.first = d.ID
	list, err := w.c.Files(d, w.ext)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := w.create(path+f.Name+w.compress, f.Content); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the files of all documents together.
func (w *FilesWriter) Close() error {
	for _, f := range w.c.Shared(w.ext) {
		if err := w.create(filepath.Join(filepath.Dir(w.path), f.Name), f.Content); err != nil {
			return err
		}
	}
	return nil
}

// maxFileName bounds what of an id becomes the name of a file.
const maxFileName = 200

// fileName is an id as the name of a file: what cannot stand there is % and two hexadecimal digits, and so is a % of an
// id that needs this.
func fileName(id string) string {
	plain := func(c byte) bool { return c >= ' ' && c != 0x7f && c != '/' && c != '\\' }
	if id != "" && id != "." && id != ".." && !slices.ContainsFunc([]byte(id), func(c byte) bool { return !plain(c) }) {
		return id
	}
	var b strings.Builder
	for i := range len(id) {
		if c := id[i]; plain(c) && c != '%' && c != '.' || plain(c) && c == '.' && i > 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
