package db_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/db"
	"parlance/storage/value"
)

// adding has an option of the phase predict, added to the count of its relation, and counts how often it is decoded.
type adding struct {
	kind.Model
	plus    int
	decoded *atomic.Int64
}

func (m *adding) Options(s *option.Set) {
	s.Int(&m.plus, "plus", 0, 0, 1000, "added to counts").In(option.Predict)
}

func (m *adding) Decode(r *kind.Reader) error {
	m.decoded.Add(1)
	if m.plus == 1000 {
		return fmt.Errorf("%w: it has no such weights", kind.ErrCorrupt)
	}
	return m.Model.Decode(r)
}

func (m *adding) Open(ctx context.Context, name string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	rel := m.Schema().Relations[0]
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		yield([]value.Value{args[0], value.Int(int64(m.plus))})
	}), nil
}

// Bytes makes 1 MB of each.
func (m *adding) Bytes() int64 { return 1 << 20 }

func addingKind(t *testing.T) (*db.DB, *atomic.Int64) {
	t.Helper()
	k, decoded := kindtest.RelationKind(), &atomic.Int64{}
	inner := k.New
	k.New = func() kind.Model { return &adding{inner(), 0, decoded} }
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{k}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	script(t, d.Conn(),
		`CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one two'), ('b', 'two'), ('c', 'three');
TRAIN word_counts AS w ON docs; SELECT * FROM w.starting('o')`)
	decoded.Store(0)
	return d, decoded
}

// TestOptionsLoadOnce decodes a model once for each set of options, not for each call or outer row; options at
// their values of the training do not decode it at all.
func TestOptionsLoadOnce(t *testing.T) {
	d, decoded := addingKind(t)
	const join = "SELECT d.id, s.count FROM docs AS d, LATERAL (SELECT * FROM w.starting(d.id) WITH (plus = %)) AS s " +
		"ORDER BY d.id"
	for _, c := range []struct {
		plus, want string
		decoded    int64
	}{{"0", "a\t0\nb\t0\nc\t0\n", 0}, {"7", "a\t7\nb\t7\nc\t7\n", 1}, {"7", "a\t7\nb\t7\nc\t7\n", 1},
		{"8", "a\t8\nb\t8\nc\t8\n", 2}} {
		if got := text(t, d.Conn(), strings.ReplaceAll(join, "%", c.plus)); got != "id\tcount\n"+c.want {
			t.Errorf("plus = %s: %q", c.plus, got)
		}
		if n := decoded.Load(); n != c.decoded {
			t.Errorf("plus = %s: decoded %d times, want %d", c.plus, n, c.decoded)
		}
	}
	fails(t, d.Conn(), "SELECT * FROM w.starting('o') WITH (plus = 1001)", "22023", "plus")
	if n := decoded.Load(); n != 2 {
		t.Errorf("decoded for an option out of range")
	}
	fails(t, d.Conn(), "SELECT * FROM w.starting('o') WITH (plus = 1000)", "XX001", "no such weights")
}

// TestOptionsAreBounded keeps a few decodings of a version, within model_memory, and drops them with their model.
func TestOptionsAreBounded(t *testing.T) {
	d, decoded := addingKind(t)
	ask := func(plus string) {
		t.Helper()
		if got := text(t, d.Conn(), "SELECT count FROM w.starting('o') WITH (plus = "+plus+")"); got != "count\n"+plus+"\n" {
			t.Errorf("plus = %s: %q", plus, got)
		}
	}
	bytes := func(want string) {
		t.Helper()
		if got := text(t, d.Conn(), "SELECT bytes FROM system.loaded_models"); got != "bytes\n"+want {
			t.Errorf("bytes of loaded models: %q, want %q", got, want)
		}
	}
	for _, plus := range []string{"1", "2", "3", "4", "5", "6"} {
		ask(plus)
	}
	bytes("5242880\n") // itself and four
	ask("6")
	ask("3")
	if n := decoded.Load(); n != 6 {
		t.Errorf("decoded %d times, want 6", n)
	}
	ask("1") // instead of 4, the one that was used least recently
	ask("3")
	if n := decoded.Load(); n != 7 {
		t.Errorf("decoded %d times, want 7", n)
	}
	script(t, d.Conn(), "ALTER SYSTEM SET model_memory = 1")
	decoded.Store(0)
	ask("9")
	ask("9")
	ask("0")
	if n := decoded.Load(); n > 3 {
		t.Errorf("decoded %d times where one has room: want 1 for each call, and the version itself at most once", n)
	}
	bytes("1048576\n")
	script(t, d.Conn(), "DROP MODEL w; TRAIN word_counts AS w ON docs")
	decoded.Store(0)
	ask("9")
	if decoded.Load() == 0 {
		t.Error("a dropped model answers")
	}
}
