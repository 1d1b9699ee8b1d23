package engine

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"parlance/algo/text"
	"parlance/query/fn"
	"parlance/storage"
	"parlance/storage/value"
)

// TestUpdateWritesAsItReads changes more documents than one transaction of the file takes, and notes in each
// how many transactions were begun before it was computed.
func TestUpdateWritesAsItReads(t *testing.T) {
	s := emptyStore(t)
	_, run := over(t, s, fn.Func{Name: "written", Doc: "write transactions", Result: value.Integer, Volatile: true,
		Eval: func([]value.Value) (value.Value, error) { return value.Int(int64(s.Statistics().Writes)), nil }})
	if _, err := run("CREATE CORPUS docs (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	fillWithNoise(t, s, 500, 20_000)
	for _, x := range []struct{ update, query string }{
		{"UPDATE docs SET n = written()", "SELECT min(n) < max(n), count(n) FROM docs"},
		{"UPDATE docs.labels SET label = written()::text",
			"SELECT min(label) < max(label), count(*) FROM docs.labels WHERE label <> 'x'"},
	} {
		if _, err := run(x.update); err != nil {
			t.Fatal(err)
		}
		if got, err := run(x.query); err != nil || got[0] != "[true 500]" {
			t.Errorf("%s: %s, %v", x.update, got, err)
		}
	}
}

// fillWithNoise puts documents with texts that do not compress and a label into the corpus docs.
func fillWithNoise(t *testing.T, s *storage.Store, documents, bytes int) {
	t.Helper()
	o, _ := s.Object("docs")
	r := rand.New(rand.NewPCG(1, 1))
	put := s.NewReplacement(o)
	defer put.Abort()
	for i := range documents {
		b := make([]byte, bytes)
		for k := range b {
			b[k] = byte(1 + r.IntN(127))
		}
		l := text.NewLayer(text.Labels)
		l.N, l.Cols[0].Strs = 1, []string{"x"}
		if err := put.Add(t.Context(),
			[]*text.Document{{ID: strconv.Itoa(i), Text: string(b), Layers: []*text.Layer{l}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := put.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}
