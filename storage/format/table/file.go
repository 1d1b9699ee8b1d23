package table

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/columnar"
	"parlance/storage/format/jsonvalue"
	"parlance/storage/value"
)

// File is a file whose rows are read as those of a table: Parquet, Arrow, separated values with a header, or JSON
// lines.
type File struct {
	Path    string
	Format  string
	Columns []codec.Column
	files   files.Files
	info    fs.FileInfo // of the file whose columns these are
	codec   codec.Codec
	sample  int
	typed   *columnar.File // its schema and statistics; nil for files of lines
}

// fileFormats are the formats whose files can be tables, by the extension of the file.
var fileFormats = map[string]string{".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}

// errSampled ends the reading of a sample.
var errSampled = errors.New("the sample is read")

// fileOptions declares the options of files in FROM beside those of their formats.
func fileOptions(sample *int) *option.Set {
	s := &option.Set{}
	s.Int(sample, "sample", 20000, 0, 1<<40, "how many rows tell the types of the columns of a file of lines, 0 for all")
	return s
}

// Open finds the columns of a file and their types. Those of Parquet and Arrow are in the file; of files of lines
// the first rows tell them, and a later row that does not fit is an error of the scan.
func Open(ctx context.Context, f files.Files, path string, args []option.Arg) (*File, error) {
	t := &File{Path: path, files: f}
	src, err := codec.OpenSources(f, []string{path}, nil, "")
	if err != nil {
		return nil, err
	}
	if len(src.Paths()) != 1 {
		return nil, &codec.Error{File: path, Line: 1, Msg: fmt.Sprintf("the pattern names %d files, and a table is one",
			len(src.Paths())), Hint: "join them by UNION ALL"}
	}
	t.Path = src.Paths()[0]
	if t.info, err = f.Stat(t.Path); err != nil {
		return nil, err
	}
	if !t.info.Mode().IsRegular() {
		return nil, &codec.Error{File: path, Line: 1, Msg: "a file in FROM is a regular file, which can be read again"}
	}
	kind, err := KindOf(src)
	if err != nil {
		return nil, err
	}
	if t.Format = cmp.Or(string(kind), fileFormats[codec.Extension(t.Path)]); t.Format == "" {
		return nil, &codec.Error{File: path, Line: 1, Msg: "a file in FROM is Parquet, Arrow, .csv, .tsv or .jsonl",
			Hint: "LOAD … INTO a table or corpus reads other formats"}
	}
	if err := t.configure(args); err != nil {
		return nil, err
	}
	return t, t.describe(ctx, src)
}

func (t *File) configure(args []option.Arg) error {
	common := fileOptions(&t.sample)
	var own, ours []option.Arg
	for _, a := range args {
		if common.Lookup(a.Name) != nil {
			ours = append(ours, a)
		} else {
			own = append(own, a)
		}
	}
	if err := common.Apply(ours); err != nil {
		return err
	}
	f, _ := codec.Find(Formats, t.Format)
	c, err := f.Configure(own, common)
	t.codec = c
	return err
}

// describe finds the columns.
func (t *File) describe(ctx context.Context, src *codec.Sources) error {
	src.EndWith(ctx.Err)
	err := src.Each(func(s *codec.Source) error {
		switch c := t.codec.(type) {
		case *typedColumns:
			return c.open(s, func(file *columnar.File) error {
				t.typed = file
				for _, col := range file.Columns {
					t.Columns = append(t.Columns, codec.Column{Name: col.Name, Type: col.Type})
				}
				return nil
			})
		case *separated:
			return t.describeSeparated(ctx, c, s)
		}
		return t.describeObjects(ctx, s)
	})
	if err == nil && len(t.Columns) == 0 {
		return &codec.Error{File: t.Path, Line: 1, Msg: "the file has no columns: it is empty"}
	}
	return err
}

func (t *File) describeSeparated(ctx context.Context, s *separated, src *codec.Source) error {
	if s.ByPlace() {
		return &codec.Error{File: src.Name, Line: 1, Msg: "a file without a header does not name its columns",
			Hint: "WITH (header = false, columns = (name, …))"}
	}
	var seen []numbersSeen
	n := 0
	err := s.described(src, func(names []string, record []part, line int) error {
		if t.Columns == nil {
			for _, name := range names {
				t.Columns = append(t.Columns, codec.Column{Name: name, Type: value.Text})
			}
			seen = make([]numbersSeen, len(names))
		}
		if record == nil {
			return nil
		}
		if n++; t.sample > 0 && n > t.sample {
			return errSampled
		}
		for i, p := range record {
			if !s.isNull(p) {
				seen[i].see(p.text)
				seen[i].any = true
			}
		}
		return ctx.Err()
	})
	if err != nil && err != errSampled {
		return err
	}
	for i := range t.Columns {
		if seen[i].any && s.numbers {
			if of := seen[i].numeric(); of != value.Null {
				t.Columns[i].Type = of
			}
		}
	}
	return nil
}

// described is records, with the names alone, and no record, where a file has a header and no rows.
func (s *separated) described(src *codec.Source, f func(names []string, record []part, line int) error) error {
	rows := false
	err := s.records(src, nil, func(names []string, record []part, line int) error {
		rows = true
		return f(names, record, line)
	})
	if err == nil && !rows && len(s.columns) > 0 {
		return f(s.columns, nil, 1)
	}
	return err
}

// describeObjects finds the members of objects, and what their values have in common.
func (t *File) describeObjects(ctx context.Context, src *codec.Source) error {
	place := map[string]int{}
	err := eachObject(src, func(m map[string]any, n, _ int) error {
		if t.sample > 0 && n > t.sample {
			return errSampled
		}
		for _, name := range jsonvalue.Names(m) {
			i, ok := place[name]
			if !ok {
				i = len(t.Columns)
				place[name], t.Columns = i, append(t.Columns, codec.Column{Name: name, Type: value.Null})
			}
			t.Columns[i].Type = commonType(t.Columns[i].Type, memberType(m[name]))
		}
		return ctx.Err()
	})
	if err != nil && err != errSampled {
		return err
	}
	for i, c := range t.Columns {
		if c.Type == value.Null { // of null alone
			t.Columns[i].Type = value.Text
		}
	}
	return nil
}

// eachObject calls f for the objects of a file, numbered from 1.
func eachObject(src *codec.Source, f func(m map[string]any, n, line int) error) error {
	for n := 0; ; {
		line, at, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(strings.TrimSpace(string(line))) == 0 {
			continue
		}
		m, err := jsonvalue.Decode(string(line), src.Ending())
		if err != nil {
			return src.Fault(at, 0, "no JSON object: %v", jsonvalue.Fault(err))
		}
		n++
		if err := f(m, n, at); err != nil {
			return err
		}
	}
}

// memberType is the type of a value of JSON.
func memberType(v any) value.Type {
	switch v := v.(type) {
	case nil:
		return value.Null
	case string:
		return value.Text
	case bool:
		return value.Boolean
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return value.Integer
		}
		return value.Float
	}
	return value.JSON
}

// commonType is a type for values of two types: JSON holds all.
func commonType(a, b value.Type) value.Type {
	switch {
	case a == b || b == value.Null:
		return a
	case a == value.Null:
		return b
	case a == value.Integer && b == value.Float, a == value.Float && b == value.Integer:
		return value.Float
	}
	return value.JSON
}

// Rows is the number of rows that the file states, -1 where only reading shows it.
func (t *File) Rows() int64 {
	if t.typed == nil {
		return -1
	}
	return t.typed.Rows()
}

// Size is the size of the file in bytes.
func (t *File) Size() int64 { return t.info.Size() }

// Groups is the number of groups of rows with statistics of their own.
func (t *File) Groups() int {
	if t.typed == nil {
		return 0
	}
	return t.typed.Groups
}

// Bounds are the least and the greatest value of a column in a group, NULL where they are not known. Floats may have a
// NaN beside them.
func (t *File) Bounds(group, column int) (least, greatest value.Value) {
	return t.typed.Bounds(group, column)
}

// same refuses a file that is not the one whose columns are known.
func (t *File) same(info fs.FileInfo, err error) error {
	if err != nil {
		return err
	}
	if !os.SameFile(info, t.info) || info.Size() != t.info.Size() || !info.ModTime().Equal(t.info.ModTime()) {
		return &codec.Error{File: t.Path, Line: 1, Msg: "the file changed while the statement read it", Hint: "run it again"}
	}
	return nil
}

// Scan reads the columns that need names, of the groups that keep wants, and emits batches of them all: others are
// empty columns. notice gets what is to be told at the end.
func (t *File) Scan(ctx context.Context, need []bool, keep func(group int) bool, notice func(string),
	emit func(*value.Batch) error) error {
	src, err := codec.OpenSources(t.files, []string{t.Path}, nil, "")
	if err != nil {
		return err
	}
	if err := t.same(t.files.Stat(t.Path)); err != nil {
		return err
	}
	src.EndWith(ctx.Err)
	err = src.Each(func(s *codec.Source) error {
		switch c := t.codec.(type) {
		case *typedColumns:
			return t.scanTyped(ctx, c, s, need, keep, emit)
		case *separated:
			return t.scanSeparated(c, s, need, emit)
		}
		return t.scanObjects(s, need, emit)
	})
	if err != nil {
		return err
	}
	for _, n := range codec.Notices(t.codec) {
		notice(n)
	}
	return t.same(t.files.Stat(t.Path))
}

func (t *File) scanTyped(ctx context.Context, c *typedColumns, src *codec.Source, need []bool, keep func(int) bool,
	emit func(*value.Batch) error) error {
	return c.open(src, func(file *columnar.File) error {
		var read []int
		for i := range t.Columns {
			if need[i] {
				read = append(read, i)
			}
		}
		scan, err := file.Scan(read, keep)
		if err != nil {
			return err
		}
		defer scan.Close()
		for {
			b, err := scan.Next(ctx)
			if b == nil || err != nil {
				return err
			}
			wide := &value.Batch{N: b.N, Cols: make([]value.Vec, len(t.Columns))}
			for k, i := range read {
				wide.Cols[i] = b.Cols[k]
			}
			if err := emit(wide); err != nil {
				return err
			}
		}
	})
}

// gathered collects rows of some columns in batches.
type gathered struct {
	t    *File
	need []bool
	cols [][]value.Value
	n    int
	size int
	emit func(*value.Batch) error
}

// Bounds of a batch of rows of lines.
const (
	gatheredRows  = value.BatchSize
	gatheredBytes = 1 << 20
)

func (g *gathered) set(i int, v value.Value) {
	g.cols[i] = append(g.cols[i], v)
	g.size += len(v.S)
}

func (g *gathered) end() error {
	if g.n++; g.n < gatheredRows && g.size < gatheredBytes {
		return nil
	}
	return g.flush()
}

func (g *gathered) flush() error {
	if g.n == 0 {
		return nil
	}
	b := &value.Batch{N: g.n, Cols: make([]value.Vec, len(g.cols))}
	for i := range g.cols {
		if g.need[i] {
			b.Cols[i] = value.FromValues(g.t.Columns[i].Type, g.cols[i])
		}
		g.cols[i] = nil
	}
	g.n, g.size = 0, 0
	return g.emit(b)
}

// unfit is the error of a value that does not have the type that the sample told.
func (t *File) unfit(src *codec.Source, line, column int, err error) error {
	e := src.Fault(line, 0, "column %s: %v", t.Columns[column].Name, err)
	e.(*codec.Error).Hint = "the first rows told another type; WITH (sample = 0) looks at all of them"
	return e
}

func (t *File) scanSeparated(s *separated, src *codec.Source, need []bool, emit func(*value.Batch) error) error {
	g := &gathered{t: t, need: need, cols: make([][]value.Value, len(t.Columns)), emit: emit}
	err := s.records(src, nil, func(_ []string, record []part, line int) error {
		s.told(src, record, line)
		for i, c := range t.Columns {
			if !need[i] {
				continue
			}
			v := value.Value{}
			if !s.isNull(record[i]) {
				var err error
				if v, err = codec.Cast(record[i].text, c); err != nil {
					return t.unfit(src, line, i, err)
				}
			}
			g.set(i, v)
		}
		return g.end()
	})
	if err != nil {
		return err
	}
	return g.flush()
}

func (t *File) scanObjects(src *codec.Source, need []bool, emit func(*value.Batch) error) error {
	g := &gathered{t: t, need: need, cols: make([][]value.Value, len(t.Columns)), emit: emit}
	known := map[string]bool{}
	for _, c := range t.Columns {
		known[c.Name] = true
	}
	err := eachObject(src, func(m map[string]any, _, line int) error {
		for name := range m {
			if !known[name] {
				e := src.Fault(line, 0, "there is no column %s", jsonvalue.Names(m)[slices.IndexFunc(jsonvalue.Names(m),
					func(n string) bool { return !known[n] })])
				e.(*codec.Error).Hint = "the first rows do not have it; WITH (sample = 0) looks at all of them"
				return e
			}
		}
		for i, c := range t.Columns {
			if !need[i] {
				continue
			}
			v, err := memberValue(m[c.Name], c.Type)
			if err != nil {
				return t.unfit(src, line, i, err)
			}
			g.set(i, v)
		}
		return g.end()
	})
	if err != nil {
		return err
	}
	return g.flush()
}

// memberValue is a value of JSON as one of a type that holds it.
func memberValue(v any, t value.Type) (value.Value, error) {
	if of := memberType(v); of != value.Null && commonType(of, t) != t {
		return value.Value{}, fmt.Errorf("%s in a column of %s", strings.ToUpper(of.String()), strings.ToUpper(t.String()))
	}
	switch v := v.(type) {
	case nil:
		return value.Value{}, nil
	case string:
		if t != value.JSON {
			return value.Str(v), nil
		}
	case bool:
		if t != value.JSON {
			return value.Bool(v), nil
		}
	case json.Number:
		if t != value.JSON {
			return value.Cast(value.Str(v.String()), t)
		}
	}
	raw, err := json.Marshal(v)
	return value.Value{T: value.JSON, S: string(raw)}, err
}

// Stem is the name of the file without its folders and extensions.
func (t *File) Stem() string {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(t.Path), ".gz"), ".zst")
	return strings.TrimSuffix(base, filepath.Ext(base))
}
