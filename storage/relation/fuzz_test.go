package relation

import (
	"bytes"
	"errors"
	"testing"

	"parlance/storage/value"
)

// TestSmallDeletesMany writes and reads a generation that deletes rows with consecutive numbers, which take no room.
func TestSmallDeletesMany(t *testing.T) {
	f := file{}
	gone := make([]uint64, SmallRows)
	for i := range gone {
		gone[i] = uint64(100 + i)
	}
	g := NewSmall(1, 2, nil, nil, gone)
	if err := g.Write(f.put); err != nil {
		t.Fatal(err)
	}
	again := &Generation{Rel: 1, ID: 2, Gone: len(gone), Small: true}
	for _, id := range []uint64{99, 100, 100 + SmallRows - 1, 100 + SmallRows} {
		has, err := again.has(f, NewCache(0), id)
		if err != nil || has != (id >= 100 && id < 100+SmallRows) {
			t.Errorf("deletes %d: %t, %v", id, has, err)
		}
	}
}

// blocksOf are blocks of each kind.
func blocksOf(t testing.TB) map[string][]byte {
	f := file{}
	b := NewBuilder(1, 2, len(testTypes), testIndexes, f.put)
	for i := range uint64(40) {
		row := []value.Value{value.Str("a"), value.Int(int64(i)), value.Real(1 / (1 + float64(i))), {}}
		if i%7 == 0 {
			row[3] = value.Str("word")
		}
		if err := b.Add(3*i, row); err != nil {
			t.Fatal(err)
		}
		if err := b.Delete(3*i + 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	g := NewSmall(1, 3, []uint64{1, 5}, [][]value.Value{{value.Int(3)}, {value.Str("x")}}, []uint64{7})
	if err := g.Write(f.put); err != nil {
		t.Fatal(err)
	}
	return f
}

// firstKey is the first key of a block of a run, if it has one.
func firstKey(b []byte, n int) string {
	in := &input{b: b}
	in.uvarint()
	width := int(in.byte())
	tail := in.take(in.count(1))
	in.take((n*width + 7) / 8)
	in.take(4 * groupsOf(n))
	return string(in.take(in.count(1))) + string(tail)
}

// FuzzBlocks decodes anything as each kind of block: what cannot be decoded is an error, never a panic.
func FuzzBlocks(f *testing.F) {
	for _, b := range blocksOf(f) {
		f.Add(b, uint16(40))
	}
	f.Fuzz(func(t *testing.T, b []byte, n uint16) {
		if p, err := pointsOf(b, int(n)); err == nil {
			all, err := p.column(value.Text, nil)
			some, failed := p.column(value.Text, []int{0, int(n) / 2}[:min(n, 2)])
			for i := range int(n) {
				v, wrong := p.at(i)
				if err != nil || wrong != nil {
					continue
				}
				if v != all.At(i) || failed == nil && i == 0 && v != some.At(0) {
					t.Errorf("row %d is %v and %v", i, v, all.At(i))
				}
			}
		}
		_, _ = decodeDirectory(b)
		_, _ = decodeRuns(b)
		_, _ = decodeRows(b, int(n), int(n)/2)
		g := &Generation{Rel: 1, ID: 2}
		at := file{string(runKey(1, 2, 3, 0, 0)): b, string(blockKey(1, 2, partIDs, 0)): b}
		if n > 0 {
			if x, err := readRunBlock(at, g, 3, 0, &runExtent{n: int(n), first: firstKey(b, int(n))}, 0); err == nil {
				for _, from := range [][]byte{nil, []byte("a")} {
					_, _ = x.visit(from, nil, func(uint64) (bool, error) { return true, nil })
				}
			}
			_, _ = g.numbersOf(at, partIDs, []extent{{1, 1 << 40, int(n)}}, 0, nil)
		}
	})
}

// TestDamagedBlocks cuts every block and leaves each out: readers say so.
func TestDamagedBlocks(t *testing.T) {
	for key := range blocksOf(t) {
		for _, damage := range []func(file){
			func(f file) { delete(f, key) },
			func(f file) { f[key] = bytes.Clone(f[key][:len(f[key])-1]) },
		} {
			f := file(blocksOf(t))
			damage(f)
			v := &View{Types: testTypes, Cache: NewCache(0), Generations: []*Generation{
				{Rel: 1, ID: 2, Rows: 40, Gone: 40}, {Rel: 1, ID: 3, Rows: 2, Gone: 1, Small: true}}}
			_, _, err := v.Count(t.Context(), f.read)
			for _, x := range testIndexes {
				if err == nil {
					_, err = v.CheckIndex(t.Context(), f.read, x)
				}
				if err == nil {
					err = v.Find(t.Context(), f, x, []Range{{}}, func(uint64) bool { return true })
				}
			}
			if err == nil {
				t.Errorf("block %x is damaged, and nobody says so", key)
			}
		}
	}
}

// TestOtherCounts: a generation whose blocks have another number of rows, or of deleted ones, than its state says is
// damaged; all else is sound.
func TestOtherCounts(t *testing.T) {
	sound := [2]Generation{{Rel: 1, ID: 2, Rows: 40, Gone: 40}, {Rel: 1, ID: 3, Rows: 2, Gone: 1, Small: true}}
	for _, c := range []struct{ at, rows, gone int }{{0, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
		{1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}} {
		v := &View{Types: testTypes, Cache: NewCache(0)}
		for i := range sound {
			s := &sound[i]
			g := &Generation{Rel: s.Rel, ID: s.ID, Rows: s.Rows, Gone: s.Gone, Small: s.Small}
			if i == c.at {
				g.Rows, g.Gone = g.Rows+c.rows, g.Gone+c.gone
			}
			v.Generations = append(v.Generations, g)
		}
		f := file(blocksOf(t))
		_, _, err := v.Count(t.Context(), f.read)
		if damaged := c.rows != 0 || c.gone != 0; damaged != errors.Is(err, ErrDamaged) || !damaged && err != nil {
			t.Errorf("generation %d with %d rows and %d deleted ones more: %v", c.at, c.rows, c.gone, err)
		}
	}
}
