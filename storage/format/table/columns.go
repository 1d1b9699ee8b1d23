package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/columnar"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// typedColumns is files of typed columns: Parquet and Arrow.
type typedColumns struct {
	codec.Notes
	kind               columnar.Kind
	id, content, label string
	compression        string
	stream             bool // of Arrow
	out                columnar.RowWriter
}

func (c *typedColumns) Options(o *option.Set) {
	o.Text(&c.id, "id", "id", "column with the id of a document; without such a column it is file:n")
	o.Text(&c.content, "text", "text", "column with the text of a document")
	o.Text(&c.label, "label", "label", "column with the label of a document or a list of them; other columns are metadata")
	if c.kind == columnar.Arrow {
		o.Choice(&c.compression, "compression", columnar.ArrowCompressions[0], columnar.ArrowCompressions,
			"how buffers are compressed when they are written")
		o.Bool(&c.stream, "stream", false, "a stream is written, which has no list of its batches at the end")
		return
	}
	o.Choice(&c.compression, "compression", columnar.Compressions[0], columnar.Compressions,
		"how pages are compressed when they are written")
}

var roundedDecimals = codec.Topic{One: "1 decimal has more digits than a FLOAT keeps, and was rounded",
	Many: "%d decimals have more digits than a FLOAT keeps, and were rounded"}

// open opens the file of a source, which is read by its places, not from the beginning.
func (c *typedColumns) open(src *codec.Source, f func(*columnar.File) error) error {
	return withColumns(src, c.kind, func(file *columnar.File) error {
		err := f(file)
		for _, n := range file.Rounded() {
			c.Tell(roundedDecimals, n, src.Name, 0)
		}
		return err
	})
}

// CompressedInside reports whether the files of a codec are compressed inside, so that .gz and .zst are not for them.
func CompressedInside(c codec.Codec) bool {
	_, ok := c.(*typedColumns)
	return ok
}

// withColumns opens a file of typed columns, of a kind unless that is "".
func withColumns(src *codec.Source, kind columnar.Kind, f func(*columnar.File) error) error {
	if src.FromStdin() {
		return keptInput(src, kind, f)
	}
	if src.Base != filepath.Base(src.Name) {
		return &codec.Error{File: src.Name, Line: 1, Msg: "a file of typed columns is compressed inside, not as a whole",
			Hint: "unpack it first"}
	}
	file, err := src.Files().Open(src.Name)
	if err != nil {
		return err
	}
	defer file.Close()
	return withFile(file, src.Name, kind, f)
}

// keptInput keeps standard input in a file without a name, for typed columns are read by their places.
func keptInput(src *codec.Source, kind columnar.Kind, f func(*columnar.File) error) error {
	file, err := files.NewUnnamed()
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.Copy(file, src.Bytes()); err != nil {
		return err
	}
	return withFile(file, src.Name, kind, f)
}

// sized is a file with its size.
type sized interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

func withFile(file sized, name string, kind columnar.Kind, f func(*columnar.File) error) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	cols, err := columnar.Open(file, info.Size())
	if err != nil {
		return columnarError(name, err)
	}
	if kind != "" && cols.Kind != kind {
		return &codec.Error{File: name, Line: 1, Msg: fmt.Sprintf("the file is of the format %s", cols.Kind),
			Hint: "FORMAT " + string(cols.Kind)}
	}
	return columnarError(name, f(cols))
}

// columnarError gives an error of a file its name, and its row as the line.
func columnarError(name string, err error) error {
	var of *columnar.Error
	if !errors.As(err, &of) {
		return err
	}
	return &codec.Error{File: name, Line: max(1, int(of.Row)), Msg: of.Error(), Hint: of.Hint, Cause: err}
}

// eachRow calls f for the rows of a scan of columns, numbered from 1.
func eachRow(ctx context.Context, file *columnar.File, columns []int, f func(row []value.Value, n int) error) error {
	scan, err := file.Scan(columns, nil)
	if err != nil {
		return err
	}
	defer scan.Close()
	for n := 0; ; {
		b, err := scan.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		for i := range b.N {
			n++
			if err := f(b.Row(make([]value.Value, 0, len(columns)), i), n); err != nil {
				return err
			}
		}
	}
}

// Rows reads rows; the columns of the file are found by name, and their types are compared before the first row.
func (c *typedColumns) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	return c.open(src, func(file *columnar.File) error {
		var names []string
		for _, col := range file.Columns {
			names = append(names, col.Name)
		}
		var at, read []int // of each column, its place in what is read
		for _, col := range columns {
			k := slices.Index(names, col.Name)
			if at = append(at, -1); k < 0 {
				continue
			}
			if err := fitsColumn(file.Columns[k], col); err != nil {
				return src.Fault(1, 0, "%v", err)
			}
			at[len(at)-1], read = len(read), append(read, k)
		}
		if len(read) == 0 {
			return src.Fault(1, 0, "no column of the table is in the file, whose columns are %s", strings.Join(names, ", "))
		}
		return eachRow(src.Context(), file, read, func(row []value.Value, n int) error {
			out := make([]value.Value, len(columns))
			for i, k := range at {
				if k < 0 {
					continue
				}
				v, err := value.Cast(row[k], columns[i].Type)
				if err != nil {
					return src.Fault(n, 0, "column %s: %v", columns[i].Name, err)
				}
				out[i] = v
			}
			return emit(out, n)
		})
	})
}

// fitsColumn refuses a column of a file whose values would change on their way into a column.
func fitsColumn(from columnar.Column, to codec.Column) error {
	same := from.Type == to.Type || to.Type == value.Text || from.Type == value.Text || from.Refused != "" ||
		from.Type == value.Integer && to.Type == value.Float || from.Type == value.JSON && to.Type == value.Vector
	if same {
		return nil
	}
	return fmt.Errorf("column %s is %s in the file and %s in the table", to.Name, strings.ToUpper(from.Type.String()),
		strings.ToUpper(to.Type.String()))
}

// Read reads documents, a row each.
func (c *typedColumns) Read(src *codec.Source, emit func(*text.Document, int) error) error {
	return c.open(src, func(file *columnar.File) error {
		var names []string
		var all []int
		for i, col := range file.Columns {
			names, all = append(names, col.Name), append(all, i)
		}
		if !slices.Contains(names, c.content) {
			return &codec.Error{File: src.Name, Line: 1, Msg: fmt.Sprintf("there is no column %s; columns are %s", c.content,
				strings.Join(names, ", ")), Hint: "WITH (text = 'name') names the column of texts; tokens with tags are read " +
				"by FORMAT hf"}
		}
		return eachRow(src.Context(), file, all, func(row []value.Value, n int) error {
			d := &text.Document{ID: fmt.Sprintf("%s:%d", src.Base, n)}
			for i, v := range row {
				if err := c.member(d, names[i], v); err != nil {
					return src.Fault(n, 0, "%s: %v", names[i], err)
				}
			}
			return emit(d, n)
		})
	})
}

// member gives a document the value of a column.
func (c *typedColumns) member(d *text.Document, name string, v value.Value) error {
	switch name {
	case c.id:
		if v.IsNull() || v.String() == "" {
			return errors.New("the id is empty")
		}
		d.ID = v.String()
	case c.content:
		if v.T != value.Text && !v.IsNull() {
			return fmt.Errorf("a text is wanted, not %s", v.T)
		}
		d.Text = v.S
	case c.label:
		return labelsOf(d, v)
	default:
		if !v.IsNull() {
			d.Fields = append(d.Fields, text.Field{Name: name, Value: v})
		}
	}
	return nil
}

// labelsOf gives a document its label, or a list of them.
func labelsOf(d *text.Document, v value.Value) error {
	if v.T != value.JSON {
		if !v.IsNull() && v.String() != "" {
			d.SetLayer(layers.Labels(v.String()))
		}
		return nil
	}
	var list []any
	dec := json.NewDecoder(strings.NewReader(v.S))
	dec.UseNumber()
	if err := dec.Decode(&list); err != nil {
		return errors.New("a label or a list of labels is wanted")
	}
	var names []string
	for _, x := range list {
		if name := fmt.Sprint(x); x != nil && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		d.SetLayer(layers.Labels(names...))
	}
	return nil
}

func (c *typedColumns) Begin(w io.Writer, columns []codec.Column) (err error) {
	list := make([]columnar.Column, len(columns))
	for i, col := range columns {
		list[i] = columnar.Column{Name: col.Name, Type: col.Type}
		if col.Name == "" || slices.ContainsFunc(columns[:i], func(o codec.Column) bool { return o.Name == col.Name }) {
			return fmt.Errorf("columns of %s need names of their own; column %d is called %q: AS gives it another", c.kind,
				i+1, col.Name)
		}
	}
	if c.kind == columnar.Arrow {
		c.out, err = columnar.NewArrowWriter(w, list, c.compression, c.stream)
	} else {
		c.out, err = columnar.NewWriter(w, list, c.compression)
	}
	return err
}

func (c *typedColumns) Row(_ io.Writer, _ []codec.Column, row []value.Value) error {
	return c.out.Row(row)
}

func (c *typedColumns) End(io.Writer) error { return c.out.Close() }
