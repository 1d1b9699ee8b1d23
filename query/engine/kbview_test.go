package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/query/exec"
	"parlance/query/fn/builtin"
	"parlance/query/parse"
	"parlance/storage"
)

// engineWith opens a database in which statements have run.
func engineWith(t testing.TB, statements ...string) (*Engine, *exec.Execution) {
	t.Helper()
	s, err := storage.Open(filepath.Join(t.TempDir(), "x"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEngine(s, nil, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	ses := NewSession()
	for _, text := range statements {
		stmt, err := parse.Parse(text)
		if err == nil {
			_, err = e.Execute(context.Background(), ses, stmt, nil)
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	r := e.newExecution(context.Background(), ses, nil)
	t.Cleanup(func() { r.Snapshot.Close() })
	return e, r.Execution
}

// TestKBView compares the view of random triples with all of them.
func TestKBView(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	type triple struct{ s, r, o string }
	var all []triple
	seen := map[triple]bool{}
	var rows []string
	for range 300 {
		x := triple{fmt.Sprint("e", rnd.IntN(12)), fmt.Sprint("r", rnd.IntN(3)), fmt.Sprint("e", rnd.IntN(12))}
		if seen[x] {
			continue
		}
		seen[x] = true
		truth := rnd.IntN(5) > 0
		rows = append(rows, fmt.Sprintf("('%s', '%s', '%s', 1, %t)", x.s, x.r, x.o, truth))
		if truth {
			all = append(all, x)
		}
	}
	_, r := engineWith(t, "CREATE KB kb", "INSERT INTO kb.triples VALUES "+strings.Join(rows, ", ")+" ON CONFLICT SKIP",
		"INSERT INTO kb.entities VALUES ('e1', 'u'), ('e1', 't'), ('alone', NULL)",
		"INSERT INTO kb.aliases VALUES ('e2', 'B'), ('e2', 'A')",
		"INSERT INTO kb.relations (relation) VALUES ('empty')")
	kb, err := r.Resources().KB("kb")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"alone", "r0", "nobody"}
	for i := range 12 {
		names = append(names, fmt.Sprint("e", i))
	}
	for _, rel := range []string{"r0", "r1", "r2", "empty", "nothing", "e1"} {
		for _, e := range names {
			var objects, subjects []string
			for _, x := range all {
				if x.s == e && x.r == rel {
					objects = append(objects, x.o)
				}
				if x.o == e && x.r == rel {
					subjects = append(subjects, x.s)
				}
			}
			if got := kb.Objects(e, rel); !slices.Equal(got, objects) {
				t.Fatalf("objects of %s %s: %v, want %v", e, rel, got, objects)
			}
			if got := kb.Subjects(rel, e); !slices.Equal(got, subjects) {
				t.Fatalf("subjects of %s %s: %v, want %v", rel, e, got, subjects)
			}
		}
	}
	if !kb.Has("alone") || !kb.Has("e1") || kb.Has("r0") || kb.Has("nobody") {
		t.Error("Has does not tell entities")
	}
	if got := kb.Types("e1"); !slices.Equal(got, []string{"u", "t"}) || kb.Types("e2") != nil ||
		kb.Types("nobody") != nil {
		t.Errorf("types %v", got)
	}
	if got := kb.Aliases("e2"); !slices.Equal(got, []string{"B", "A"}) || kb.Aliases("e1") != nil {
		t.Errorf("aliases %v", got)
	}
	if got := kb.Relations(); len(got) != 4 || got[3] != "empty" {
		t.Errorf("relations %v", got)
	}
	if again, err := r.Resources().KB("kb"); err != nil || again != kb {
		t.Errorf("the view was built anew: %v", err)
	}
	if _, err := r.Resources().KB("nothing"); err == nil {
		t.Error("a kb that is not there has a view")
	}
}

// BenchmarkKBView builds the view of FB15k-237 and looks pairs up in it.
func BenchmarkKBView(b *testing.B) {
	data := realdata.Folder(b)
	e, r := engineWith(b, "CREATE KB kb", "LOAD '"+data+"/kb/FB15k-237/*.txt' INTO kb FORMAT triples")
	var before, after runtime.MemStats
	for range 3 {
		runtime.GC() // what LOAD has left
	}
	runtime.ReadMemStats(&before)
	kb, err := r.Resources().KB("kb")
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	o, _ := r.Store.Object("kb")
	b.Run("build", func(b *testing.B) {
		for range b.N {
			if _, err := r.Resources().View(o); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/1e6, "MB")
	})
	b.Run("look up", func(b *testing.B) {
		n := 0
		for range b.N {
			n += len(kb.Objects("/m/027rn", "/location/country/form_of_government"))
		}
		if n != 3*b.N {
			b.Fatal(n)
		}
	})
	b.Run("SELECT", func(b *testing.B) {
		stmt, err := parse.Parse(
			"SELECT object FROM kb.triples WHERE subject = '/m/027rn' AND relation = '/location/country/form_of_government'")
		if err != nil {
			b.Fatal(err)
		}
		for range b.N {
			res, err := e.Execute(b.Context(), NewSession(), stmt, nil)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for {
				batch, err := res.Rows.Next(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				if batch == nil {
					break
				}
				n += batch.N
			}
			if res.Rows.Close(); n != 3 {
				b.Fatal(n)
			}
		}
	})
}
