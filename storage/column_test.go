package storage

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// columnNamesOf lists the columns of an entry.
func columnNamesOf(o *Object) []string {
	out := make([]string, len(o.Columns))
	for i, c := range o.Columns {
		out[i] = c.Name
	}
	return out
}

// alterAny draws one change of columns and returns the entry after it, and what happened:
// add, drop or rename, with the names.
func alterAny(t *rapid.T, s *Store, o *Object, fixed int) (now *Object, what, name, to string) {
	have := columnNamesOf(o)[fixed:]
	pick := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	what = rapid.SampledFrom([]string{"add", "drop", "rename"}).Draw(t, "alter")
	name, to = pick.Draw(t, "name"), pick.Draw(t, "to")
	known, used := slices.Contains(have, name), slices.ContainsFunc(o.Indexes, func(c []string) bool {
		return slices.Contains(c, name)
	})
	var want, err error
	switch what {
	case "add":
		if known {
			want = ErrExists
		}
		now, err = s.AddColumn(background, o, catalog.ColumnDef{Name: name, Type: value.Integer})
	case "drop":
		if used {
			want = ErrInUse
		}
		if !known {
			want = ErrNotFound
		}
		now, err = s.DropColumn(background, o, name)
	case "rename":
		if name != to && slices.Contains(have, to) {
			want = ErrExists
		}
		if !known {
			want = ErrNotFound
		}
		now, err = s.RenameColumn(background, o, name, to)
	}
	if !errors.Is(err, want) {
		t.Fatalf("%s %s %s: %v, want %v", what, name, to, err, want)
	}
	if err != nil {
		return o, "", name, to
	}
	return now, what, name, to
}

// TestCorpusColumnsAgainstMap alters, loads, replaces and merges, against documents that keep
// their metadata by the names that they have now.
func TestCorpusColumnsAgainstMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := Open(filepath.Join(dir, fmt.Sprint(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		o, err := s.CreateObject(background, Object{Name: "docs", Kind: catalog.CorpusObject})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]map[string]int64{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"alter", "alter", "load", "load", "merge", "reopen", "index"}).Draw(t, "step") {
			case "alter":
				var what, name, to string
				o, what, name, to = alterAny(t, s, o, 0)
				for _, d := range want {
					switch v, ok := d[name]; {
					case what == "drop":
						delete(d, name)
					case what == "rename" && ok && name != to:
						d[to] = v
						delete(d, name)
					}
				}
			case "load":
				var docs []*text.Document
				for i := range rapid.IntRange(1, 4).Draw(t, "documents") {
					d := simple(fmt.Sprint("d", rapid.IntRange(0, 3).Draw(t, "id")*4+i), "x")
					want[d.ID] = map[string]int64{}
					for _, c := range o.Columns {
						if x := rapid.Int64Range(-1, 3).Draw(t, "value"); x >= 0 {
							d.Fields = append(d.Fields, text.Field{Name: c.Name, Value: value.Int(x)})
							want[d.ID][c.Name] = x
						}
					}
					docs = append(docs, d)
				}
				err = s.ReplaceDocuments(background, o, docs)
			case "index":
				if len(o.Columns) > 0 {
					o = toggleIndex(t, s, o, []string{rapid.SampledFrom(columnNamesOf(o)).Draw(t, "indexed")})
				}
			case "merge":
				if k := len(s.state(background, o.ID).Gens); k > 0 {
					err = s.rewrite(background, o, rapid.IntRange(0, k-1).Draw(t, "from"), k)
				}
			case "reopen":
				if err = s.Close(); err == nil {
					s, err = Open(s.Path(), Options{})
				}
				if err == nil {
					o, _ = s.Object("docs")
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]map[string]int64{}
			for id, d := range readAll(t, s, o) {
				got[id] = map[string]int64{}
				for _, f := range d.Fields {
					got[id][f.Name] = f.Value.Int()
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(d)
			}
		}
		checked(t, s)
	})
}

// TestTableColumnsAgainstMap does so with the rows of a table and an index on its columns.
func TestTableColumnsAgainstMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := Open(filepath.Join(dir, fmt.Sprint(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		o, err := s.CreateObject(background,
			Object{Name: "t", Kind: catalog.LexiconObject,
				Columns: []catalog.ColumnDef{{Name: "key", Type: value.Text}, {Name: "a", Type: value.Integer}}})
		if err != nil {
			t.Fatal(err)
		}
		model, next := map[uint64]map[string]value.Value{}, uint64(0)
		draw := func() ([]value.Value, map[string]value.Value) {
			row, m := make([]value.Value, len(o.Columns)), map[string]value.Value{}
			row[0] = value.Str("k")
			for i, c := range o.Columns {
				if x := rapid.Int64Range(-1, 2).Draw(t, "value"); i > 0 && x >= 0 {
					row[i] = value.Int(x)
				}
				m[c.Name] = row[i]
			}
			return row, m
		}
		for range rapid.IntRange(1, 14).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0, 1:
				var what, name, to string
				o, what, name, to = alterAny(t, s, o, 1)
				for _, m := range model {
					switch {
					case what == "add":
						m[name] = value.Value{}
					case what == "drop":
						delete(m, name)
					case what == "rename" && name != to:
						m[to] = m[name]
						delete(m, name)
					}
				}
			case 2, 3:
				var row []value.Value
				row, model[next] = draw()
				next++
				_, err = s.InsertRows(background, o, [][]value.Value{row})
			case 4:
				id := rapid.Uint64Range(0, next).Draw(t, "id")
				row, m := draw()
				if model[id] != nil {
					model[id] = m
				}
				err = s.UpdateRows(background, o, []uint64{id}, [][]value.Value{row})
			case 5:
				c := rapid.SampledFrom(columnNamesOf(o)).Draw(t, "indexed")
				o = toggleIndex(t, s, o, []string{c})
			case 6:
				if err = s.Close(); err == nil {
					s, err = Open(s.Path(), Options{})
				}
				if err == nil {
					o, _ = s.Object("t")
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rows := map[uint64][]value.Value{}
		for id, m := range model {
			for _, c := range o.Columns {
				rows[id] = append(rows[id], m[c.Name])
			}
		}
		if d := cmp.Diff(rows, scan(t, s, o)); d != "" {
			t.Fatal(d)
		}
		checked(t, s)
		lookups(t, s, o, rows)
	})
}

// TestWriterBeforeAlterIsRefused hands rows of the old columns to a table that has others.
func TestWriterBeforeAlterIsRefused(t *testing.T) {
	s := open(t)
	old := tableOf(t, s)
	insert(t, s, old, rowsOf(3)...)
	now, err := s.DropColumn(background, old, "n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.InsertRows(background, old, rowsOf(1)); !errors.Is(err, ErrChanged) {
		t.Errorf("insert: %v", err)
	}
	if err := s.UpdateRows(background, old, []uint64{0}, rowsOf(1)); !errors.Is(err, ErrChanged) {
		t.Errorf("update: %v", err)
	}
	if s.TableHash(now) == s.TableHash(old) {
		t.Error("the hash of the table does not tell of the dropped column")
	}
	checked(t, s)
}

// TestContentHashTellsOfColumns follows the hash of a corpus through renaming and dropping.
func TestContentHashTellsOfColumns(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	d := simple("a", "x")
	d.Fields = []text.Field{{Name: "split", Value: value.Str("dev")}}
	insertDocuments(t, s, o, d)
	hash := func() [16]byte {
		sn := s.Snapshot()
		defer sn.Close()
		return sn.ContentHash(o)
	}
	first := hash()
	step := func(want bool, f func() (*Object, error)) {
		t.Helper()
		var err error
		if o, err = f(); err != nil {
			t.Fatal(err)
		}
		if (hash() == first) != want {
			t.Errorf("the hash is that of the beginning: %v", !want)
		}
	}
	step(false, func() (*Object, error) { return s.RenameColumn(background, o, "split", "part") })
	step(true, func() (*Object, error) { return s.RenameColumn(background, o, "part", "split") })
	step(false, func() (*Object, error) { return s.DropColumn(background, o, "split") })
	step(false, func() (*Object, error) {
		return s.AddColumn(background, o, catalog.ColumnDef{Name: "split", Type: value.Text})
	})
	if f := readAll(t, s, o)["a"].Fields; len(f) != 0 {
		t.Errorf("a dropped column comes back as %v", f)
	}
	check(t, s)
}
