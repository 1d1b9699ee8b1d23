package relation

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"parlance/storage/value"

	"pgregory.net/rapid"
)

// file is a map in place of a file.
type file map[string][]byte

func (f file) Get(k []byte) []byte { return f[string(k)] }

func (f file) put(k, v []byte) error {
	f[string(bytes.Clone(k))] = bytes.Clone(v)
	return nil
}

func (f file) read(do func(Reader) error) error { return do(f) }

var testTypes = []value.Type{value.Text, value.Integer, value.Float, value.Text}

var testIndexes = []*Index{indexOn(1, 0), indexOn(2, 1, 3)}

func indexOn(number uint32, slots ...int) *Index {
	return &Index{Number: number, Slots: slots, Key: func(dst []byte, row []value.Value) []byte {
		for _, s := range slots {
			dst = value.AppendKey(dst, row[s])
		}
		return dst
	}}
}

func randomRow(t *rapid.T) []value.Value {
	row := []value.Value{
		value.Str(fmt.Sprint("w", rapid.IntRange(0, 20).Draw(t, "word"))),
		value.Int(rapid.Int64Range(-3, 3).Draw(t, "n")),
		value.Real(rapid.Float64Range(-1, 1).Draw(t, "x")),
		value.Str(rapid.StringN(0, 8, 20).Draw(t, "s")),
	}
	for i := range row {
		if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
			row[i] = value.Value{}
		}
	}
	return row
}

// model is what a relation should hold.
type model struct {
	f    file
	v    View
	rows map[uint64][]value.Value
	next uint64
	gen  uint32
}

// change makes a generation of random rows and deletions.
func (m *model) change(t *rapid.T, small bool) {
	fresh, gone := map[uint64][]value.Value{}, map[uint64]bool{}
	for range rapid.IntRange(0, 30).Draw(t, "added") {
		m.next += uint64(rapid.IntRange(1, 2).Draw(t, "step"))
		fresh[m.next] = randomRow(t)
	}
	for _, id := range slices.Sorted(maps.Keys(m.rows)) {
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			fresh[id] = randomRow(t)
		case 1:
			gone[id] = true
		}
	}
	m.gen++
	ids, dead := slices.Sorted(maps.Keys(fresh)), slices.Sorted(maps.Keys(gone))
	var g *Generation
	if small {
		rows := make([][]value.Value, len(ids))
		for i, id := range ids {
			rows[i] = fresh[id]
		}
		g = NewSmall(7, m.gen, ids, rows, dead)
		if err := g.Write(m.f.put); err != nil {
			t.Fatal(err)
		}
		g = &Generation{Rel: 7, ID: m.gen, Rows: g.Rows, Gone: g.Gone, Small: true} // reads the file
	} else {
		b := NewBuilder(7, m.gen, len(testTypes), testIndexes, m.f.put)
		for i := 0; i < len(ids); i++ {
			var err error
			if n := rapid.IntRange(0, 5).Draw(t, "together"); n > 0 {
				some := ids[i:min(i+n, len(ids))]
				rows := make([][]value.Value, len(some))
				for k, id := range some {
					rows[k] = fresh[id]
				}
				err = b.AddRows(some, value.FromRows(testTypes, rows).Columns())
				i += len(some) - 1
			} else {
				err = b.Add(ids[i], fresh[ids[i]])
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 9).Draw(t, "cut") == 0 {
				if err := b.cut(); err != nil {
					t.Fatal(err)
				}
				if err := b.indexes[0].write(7, m.gen, m.f.put); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, id := range dead {
			if err := b.Delete(id); err != nil {
				t.Fatal(err)
			}
		}
		done, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		g = &Generation{Rel: 7, ID: m.gen, Rows: done.Rows, Gone: done.Gone}
	}
	m.v.Generations = append(m.v.Generations, g)
	maps.Copy(m.rows, fresh)
	maps.DeleteFunc(m.rows, func(id uint64, _ []value.Value) bool { return gone[id] })
}

// TestRelation compares scans, look-ups and rows with a map, over random generations.
func TestRelation(t *testing.T) {
	defer func(n int) { manyRows = n }(manyRows)
	manyRows = 4 // so that windows are read as a whole too
	rapid.Check(t, func(t *rapid.T) {
		m := &model{f: file{}, rows: map[uint64][]value.Value{}, v: View{Types: testTypes, Cache: NewCache(1 << 16)}}
		for range rapid.IntRange(1, 6).Draw(t, "generations") {
			m.change(t, rapid.Bool().Draw(t, "small"))
		}
		m.checkScan(t)
		m.checkRows(t)
		m.checkFind(t)
	})
}

func (m *model) checkScan(t *rapid.T) {
	var ids []uint64
	var sum, want Sum
	err := m.v.Scan(context.Background(), m.f.read, []int{0, 1, 2, 3}, func(at []uint64, b *value.Batch) error {
		ids = append(ids, at...)
		for i, id := range at {
			row := b.Row(nil, i)
			if !slices.Equal(row, m.rows[id]) {
				t.Fatalf("row %d is %v, %v is expected", id, row, m.rows[id])
			}
			sum.Add(row)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if w := slices.Sorted(maps.Keys(m.rows)); !slices.Equal(ids, w) {
		t.Fatalf("rows %v, %v are expected", ids, w)
	}
	for _, row := range m.rows {
		want.Add(row)
	}
	if sum != want {
		t.Fatalf("sum %v, %v is expected", sum, want)
	}
}

func (m *model) checkRows(t *rapid.T) {
	ids := rapid.SliceOfDistinct(rapid.Uint64Range(0, m.next+1), rapid.ID[uint64]).Draw(t, "ids")
	slices.Sort(ids)
	known := make([]*value.Vec, len(testTypes)) // a column that only the caller has; the rows of ids then exist
	if rapid.Bool().Draw(t, "known") {
		ids = slices.DeleteFunc(ids, func(id uint64) bool { return m.rows[id] == nil })
		own := value.Repeat(value.Text, value.Str("own"), len(ids))
		known[0] = &own
	}
	rows := make([][]value.Value, len(ids))
	var sum, want Sum
	err := m.v.Complete(context.Background(), m.f.read, ids, known, func(at []int, cols []*value.Vec) error {
		sum.Replace(len(at), nil, cols)
		for k, i := range at {
			for _, c := range cols {
				rows[i] = append(rows[i], c.At(k))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		row := slices.Clone(m.rows[id])
		if known[0] != nil {
			row[0] = value.Str("own")
		}
		if !slices.Equal(rows[i], row) {
			t.Fatalf("row %d is %v, %v is expected", id, rows[i], row)
		}
		if row != nil {
			want.Add(row)
		}
	}
	if sum != want {
		t.Fatalf("sum %v, %v is expected", sum, want)
	}
	for id := range m.next + 2 {
		row, err := m.v.Row(m.f, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(row, m.rows[id]) {
			t.Fatalf("row %d is %v, %v is expected", id, row, m.rows[id])
		}
	}
}

func (m *model) checkFind(t *rapid.T) {
	for _, x := range testIndexes {
		some := randomRow(t)
		from := x.Key(nil, some)
		to := x.Key(nil, randomRow(t))
		if bytes.Compare(from, to) > 0 {
			from, to = to, from
		}
		if rapid.Bool().Draw(t, "end") {
			to = nil
		}
		var got, want []uint64
		err := m.v.Find(context.Background(), m.f, x, []Range{{from, to}}, func(id uint64) bool {
			got = append(got, id)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for id, row := range m.rows {
			if k := x.Key(nil, row); bytes.Compare(k, from) >= 0 && (to == nil || bytes.Compare(k, to) < 0) {
				want = append(want, id)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("index %d finds %v, %v are expected", x.Number, got, want)
		}
	}
}
