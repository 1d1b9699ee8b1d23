package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/columnar"
	"parlance/storage/value"
)

// recordReader is a reader of records that may stand in a file of typed columns as well as in lines.
type recordReader interface {
	// Members makes documents of a record; b has its place.
	Members(m map[string]any, b codec.Block) ([]*text.Document, error)
	// NamesClasses reports whether the numbers of classes have names that the file does not give.
	NamesClasses() bool
}

// KindOf is the format of the first file if it is one of typed columns, which its first bytes say, else "".
func KindOf(src *codec.Sources) (kind columnar.Kind, err error) {
	paths := src.Paths()
	if len(paths) == 0 {
		return "", nil
	}
	err = src.Look(paths[0], func(f *codec.Source) error {
		head, err := f.Begin(8)
		kind = columnar.KindOf(head)
		return err
	})
	if malformed := (*codec.Error)(nil); errors.As(err, &malformed) {
		return "", nil // whoever reads the file tells it
	}
	return kind, err
}

// Records reads the rows of files of typed columns as records.
type Records struct{ Of recordReader }

// Read reads a document of each row.
func (t Records) Read(src *codec.Source, emit func(*text.Document, int) error) error {
	return withColumns(src, "", func(file *columnar.File) error {
		var all []int
		for i := range file.Columns {
			all = append(all, i)
		}
		classes := map[string][]string{}
		if !t.Of.NamesClasses() {
			classes = classNames(file.Metadata("huggingface"))
		}
		return eachRow(src.Context(), file, all, func(row []value.Value, n int) error {
			b := codec.Block{File: src.Name, Base: src.Base, Number: n, Line: n}
			m, err := recordOf(file.Columns, row, classes)
			if err != nil {
				return b.Fault(0, 0, "%v", err)
			}
			docs, err := t.Of.Members(m, b)
			for _, d := range docs {
				if err := emit(d, n); err != nil {
					return err
				}
			}
			return err
		})
	})
}

// recordOf is a row as the object that it would be in JSON; numbers of classes become their names.
func recordOf(columns []columnar.Column, row []value.Value, classes map[string][]string) (map[string]any, error) {
	m := map[string]any{}
	for i, v := range row {
		x, err := memberOf(v)
		if err == nil {
			x, err = named(x, classes[columns[i].Name])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", columns[i].Name, err)
		}
		if x != nil {
			m[columns[i].Name] = x
		}
	}
	return m, nil
}

func memberOf(v value.Value) (x any, err error) {
	switch v.T {
	case value.Null:
		return nil, nil
	case value.Boolean:
		return v.Bool(), nil
	case value.Integer, value.Float:
		return json.Number(v.String()), nil
	case value.JSON:
		dec := json.NewDecoder(strings.NewReader(v.S))
		dec.UseNumber()
		err = dec.Decode(&x)
		return x, err
	}
	return v.String(), nil
}

// named gives the number of a class, or a list of them, its names; -1, for none, stays.
func named(x any, names []string) (any, error) {
	if names == nil {
		return x, nil
	}
	if list, ok := x.([]any); ok {
		out := make([]any, len(list))
		for i := range list {
			var err error
			if out[i], err = named(list[i], names); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	n, ok := x.(json.Number)
	if !ok {
		return x, nil
	}
	k, err := n.Int64()
	switch {
	case err == nil && k == -1:
		return x, nil
	case err != nil || k < 0 || k >= int64(len(names)):
		return nil, fmt.Errorf("%s is none of the %d classes of the file, which are counted from 0", n, len(names))
	}
	return names[k], nil
}

// feature is what the metadata of a data set say of a column.
type feature struct {
	Type    string   `json:"_type"`
	Names   []string `json:"names"`
	Feature *feature `json:"feature"`
}

// UnmarshalJSON reads a feature; a list of one feature is one of its values.
func (f *feature) UnmarshalJSON(b []byte) error {
	type plain feature
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '[' {
		var list []plain
		if err := json.Unmarshal(b, &list); err != nil || len(list) != 1 {
			return nil // no classes
		}
		*f = feature(list[0])
		return nil
	}
	var p plain
	if json.Unmarshal(b, &p) == nil { // members of structs are features by name, which have no classes here
		*f = feature(p)
	}
	return nil
}

// classNames reads the names of classes by column in the metadata that data sets for Hugging Face keep in their files.
func classNames(metadata string) map[string][]string {
	var m struct {
		Info struct {
			Features map[string]feature `json:"features"`
		} `json:"info"`
	}
	if metadata == "" || json.Unmarshal([]byte(metadata), &m) != nil {
		return nil
	}
	out := map[string][]string{}
	for name, f := range m.Info.Features {
		at := &f
		for at.Type != "ClassLabel" && at.Feature != nil {
			at = at.Feature
		}
		if at.Type == "ClassLabel" && len(at.Names) > 0 {
			out[name] = at.Names
		}
	}
	return out
}
