package triples

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// TestOneRule: what complete leaves out is what score puts last, EVALUATE ranks an answer behind all that complete
// gives before it, and last where complete gives nothing, which a notice says.
func TestOneRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, d, s := drawn(t)
		a := answers(t, d, s, arg("known", value.Bool(true)))
		a.Sets = sets(t, d, "observed")
		if rapid.Bool().Draw(t, "clusters") {
			a.Sets = sets(t, d, "induced", arg("clusters", value.Int(3)))
		}
		n := int32(s.entities)
		for r := range int32(d.Relations.Len()) {
			for _, side := range []Side{Subject, Object} {
				for given := range n {
					oneRow(t, d, a, s, Of(r, side, open, given), side)
				}
			}
		}
	})
}

// oneRow compares the answers to a pattern with one open side.
func oneRow(t *rapid.T, d *Data, a *Answers, s *table, pattern Triple, side Side) {
	args := []value.Value{{}, value.Str(d.Relations.Name(pattern.Relation)), {}}
	given := pattern.At(side.Other())
	args[2*side.Other()] = value.Str(d.Entities.Name(given))
	var notices []string
	run := &kind.Run{Notice: func(s string) { notices = append(notices, s) }}
	found := cells(t, a, "complete", args, run)
	refused := !a.Sets.Allows(side.Other(), pattern.Relation, given)
	said := len(notices) == 1 && strings.Contains(notices[0], d.Entities.Name(given))
	if refused != said || !refused && len(notices) > 0 || refused && len(found) > 0 {
		t.Fatalf("complete%v gives %d rows and says %q; is it refused: %v", args, len(found), notices, refused)
	}
	for e := range int32(s.entities) {
		x := Of(pattern.Relation, side, e, given)
		if slices.Contains(d.Denied, x) {
			continue // complete has no such row, whatever types say
		}
		args[2*side] = value.Str(d.Entities.Name(e))
		score := cells(t, a, "score", args, &kind.Run{})[0]
		row := slices.IndexFunc(found, func(row []value.Value) bool { return row[2*side].S == d.Entities.Name(e) })
		if last := math.IsInf(score[3].Float(), -1); last != (row < 0) || last == score[5].Bool() {
			t.Fatalf("score%v is %v, and complete has it at %d", args, score, row)
		}
		rank := rawRank(t, d, a, x, side)
		if row < 0 && rank != float64(s.entities) || row >= 0 && rank < float64(row+1) {
			t.Fatalf("%v has rank %v of %d, and complete has it at %d", args, rank, s.entities, row)
		}
	}
}

// rawRank is the rank that EVALUATE gives to one triple at a side.
func rawRank(t *rapid.T, d *Data, a *Answers, x Triple, side Side) float64 {
	e := &evaluation{Answers: a, gold: []Triple{x}, known: NewIndex(d.Relations.Len(), []Triple{x})}
	var err error
	if e.check, err = a.checks(true); err != nil {
		t.Fatal(err)
	}
	places, err := e.places(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return places[1-side].raw
}

// cells is the rows of a relation.
func cells(t rapid.TB, a *Answers, relation string, args []value.Value, run *kind.Run) (out [][]value.Value) {
	t.Helper()
	r, err := a.Open(context.Background(), relation, args, run)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		b, err := r.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			out = append(out, slices.Clone(b.Row(nil, i)))
		}
	}
}

// TestForbiddenQuery has a query whose subject never stood in the relation: every candidate is refused, so that
// the answer is the last of all.
func TestForbiddenQuery(t *testing.T) {
	d := read(t, kind.Tables{"triples": facts("a r x; b r y; a r y; c s x; c s y; c s a")})
	s := &table{entities: 5, cells: make([]float64, 2*25)}
	for i := range s.cells {
		s.cells[i] = float64(i % 5) // y, the last entity, first
	}
	a := answers(t, d, s)
	a.Sets = sets(t, d, "observed")
	list, err := a.Evaluate(context.Background(), kind.Tables{"triples": facts("c r x")}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mrr of the object", find(t, list, "mrr", "object").Value(), 1.0/5)
	near(t, "mrr of the subject", find(t, list, "mrr", "subject").Value(), 1.0/4) // without a r x
	near(t, "allowed", find(t, list, "allowed", metrics.All).Value(), 0)
	for _, c := range []struct{ relation, args, want string }{
		{"complete", "c r _", "the relation r does not allow c as subject"},
		{"complete", "_ r b", "the relation r does not allow b as object"},
		{"complete", "c r b", "the relation r does not allow c as subject and b as object"},
		{"complete", "_ _ c", "no relation allows c as object"},
		{"complete", "c _ b", "no relation allows c as subject and b as object"},
		{"complete", "c _ _", ""},
		{"complete", "b _ x", ""},
		{"score", "c r x", "the relation r does not allow c as subject"},
		{"score", "a r x", ""},
	} {
		got := ""
		a.Open(context.Background(), c.relation, rows(c.args)[0], &kind.Run{Notice: func(s string) { got += s }})
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s(%s) says %q, want %q", c.relation, c.args, got, c.want)
		}
	}
}
