package triples

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// boundedTable is a table whose bounds are loose above the highest score of each row.
type boundedTable struct {
	*table
	loose  float64
	scored atomic.Int64
}

func (s *boundedTable) Bounds(open Side, relation int32, given []int32, out []float64) {
	for i, g := range given {
		out[i] = s.Score(Of(relation, open, 0, g))
		for e := range int32(s.entities) {
			out[i] = max(out[i], s.Score(Of(relation, open, e, g)))
		}
		out[i] += s.loose
	}
}

// Above passes on some triples that are lower, too.
func (s *boundedTable) Above(open Side, relation int32, given []int32, least float64,
	each func(int, int32, float64)) (n int64) {
	for i, g := range given {
		for e := range int32(s.entities) {
			if x := s.Score(Of(relation, open, e, g)); x >= least-s.loose {
				each(i, e, x)
				n++
			}
		}
	}
	s.scored.Add(n)
	return n
}

// chain is a knowledge base of n entities and two relations with random scores.
func chain(t *testing.T, n int) (*Data, *boundedTable) {
	var list []string
	for i := range n {
		list = append(list, "e"+string(rune('A'+i/26))+string(rune('a'+i%26))+" r eAa; eAa s eAb")
	}
	d, r := read(t, kind.Tables{"triples": facts(strings.Join(list, ";"))}), rand.New(rand.NewPCG(1, 2))
	s := &boundedTable{table: &table{entities: n}, loose: 0.001}
	for i := range 2 * n {
		high := r.NormFloat64() + float64(4*(i/n)) // the second relation has the best
		for range n {
			s.cells = append(s.cells, high-r.Float64())
		}
	}
	return d, s
}

// TestBoundsLeaveOut scores a small part, the same with any number of workers, and refuses more than max_scored.
func TestBoundsLeaveOut(t *testing.T) {
	const n = 400
	d, s := chain(t, n)
	if d.Entities.Len() != n || d.Relations.Len() != 2 {
		t.Fatalf("%d entities, %d relations", d.Entities.Len(), d.Relations.Len())
	}
	open := make([]value.Value, 3)
	best := func(workers, limit int, a *Answers) (string, int64) {
		s.scored.Store(0)
		var out strings.Builder
		for _, row := range cells(t, a, "complete", open, &kind.Run{Workers: workers, Limit: limit}) {
			out.WriteString(row[0].S + row[1].S + row[2].S + "\n")
		}
		return out.String(), s.scored.Load()
	}
	a := answers(t, d, s)
	three, few := best(1, 3, a)
	if few > n*n/5 {
		t.Errorf("three rows score %d of %d triples", few, 2*n*n)
	}
	if again, as := best(3, 3, a); again != three || as != few {
		t.Errorf("with 3 workers %d are scored, with one %d; rows\n%s\nand\n%s", as, few, again, three)
	}
	all, many := best(2, 0, answers(t, d, s, arg("top", value.Int(20000))))
	if many <= few || !strings.HasPrefix(all, three) || strings.Count(all, "\n") != 20000 {
		t.Errorf("%d rows score %d triples, three rows %d; they begin\n%.40s\nwant\n%s", strings.Count(all, "\n"), many,
			few, all, three)
	}
	if got, _ := best(1, 3, answers(t, d, s, arg("max_scored", value.Int(few)))); got != three {
		t.Errorf("as many as max_scored: %s", got)
	}
	a = answers(t, d, s, arg("max_scored", value.Int(few-1)))
	_, err := a.Open(context.Background(), "complete", open, &kind.Run{Workers: 2, Limit: 3})
	if err == nil ||
		!strings.Contains(err.Error(), "complete has scored "+grouped(few)+" of 320,000 triples, more than max_scored") {
		t.Errorf("more than max_scored: %v", err)
	}
}

// TestTies has few different scores, so that the last of the best ties with triples of rows and relations that come
// later.
func TestTies(t *testing.T) {
	const n = 400
	d, s := chain(t, n)
	s.loose = 0
	clear(s.cells)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 150 { // the best, and many that are equal, stand in the last rows of the second relation
		s.cells[n*n+r.IntN(n*n)], s.cells[2*n*n-1-r.IntN(20*n)], s.cells[r.IntN(n*n)] = 2, 2, 2
		s.cells[2*n*n-1-n*(i%20)] = 3
	}
	for _, pattern := range [][]value.Value{make([]value.Value, 3), {{}, value.Str("s"), {}}} {
		all := cells(t, answers(t, d, s.table), "complete", pattern, &kind.Run{Workers: 1})
		for _, limit := range []int{1, 20, 21, 40, 100, 160, 250, 999} {
			got := cells(t, answers(t, d, s), "complete", pattern, &kind.Run{Workers: 2, Limit: limit})
			if !slices.EqualFunc(got, all[:limit], func(a, b []value.Value) bool { return slices.Equal(a, b) }) {
				t.Errorf("%v: the first %d are\n%v\nwant\n%v", pattern, limit, got, all[:limit])
			}
		}
	}
}

// TestBoundedStops ends where the context has.
func TestBoundedStops(t *testing.T) {
	d, s := chain(t, 30)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := answers(t, d, s).Open(ctx, "complete", make([]value.Value, 3),
		&kind.Run{Workers: 1}); err != context.Canceled {
		t.Errorf("complete of a statement that has ended: %v", err)
	}
}
