package lattice

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// oracle enumerates all paths of a tiny sentence.
type oracle struct {
	paths []Path // by falling score
	logZ  float64
}

// instance is a sentence with all that bears on it.
type instance struct {
	n      int
	spans  []Span
	scores *Scores // nil for order 0
	cons   *Constraints
}

// pair scores two labels the slow way.
func (in *instance) pair(at int, from, to int32) float64 {
	t := in.scores
	if t == nil {
		return 0
	}
	class := func(y int32) int {
		if t.Class == nil {
			return int(y)
		}
		return int(t.Class[y])
	}
	n := t.Classes
	if t.Class == nil {
		n = t.Labels
	}
	s := []float64{0}
	switch {
	case from < 0 && to < 0:
	case from < 0 && t.Start != nil:
		s[0] = t.Start[class(to)]
	case to < 0 && from >= 0 && t.End != nil:
		s[0] = t.End[class(from)]
	case from >= 0 && to >= 0 && t.Pair != nil:
		s[0] = t.Pair[class(from)*n+class(to)]
	}
	asked := to < 0 || t.TableOnly == nil || !t.TableOnly[class(to)]
	if t.More != nil && asked && !math.IsInf(s[0], -1) {
		t.More(at, []int32{from}, to, s)
	}
	return s[0]
}

// obeys tells whether a path obeys the constraints.
func (in *instance) obeys(path []int32) bool {
	if in.cons == nil {
		return true
	}
	uses := func(b Bracket) bool {
		return slices.ContainsFunc(path, func(k int32) bool {
			s := in.spans[k]
			return s.Start == b.Start && s.End == b.End && (b.Label == AnyLabel || b.Label == s.Label)
		})
	}
	for _, b := range in.cons.Must {
		if !uses(b) {
			return false
		}
	}
	return !slices.ContainsFunc(in.cons.MustNot, uses) && !slices.ContainsFunc(path, func(k int32) bool {
		return in.cons.Longest > 0 && int(in.spans[k].End-in.spans[k].Start) > in.cons.Longest
	})
}

func (in *instance) enumerate() *oracle {
	o := &oracle{logZ: math.Inf(-1)}
	var path []int32
	var walk func(at, label int32, s float64)
	walk = func(at, label int32, s float64) {
		if int(at) == in.n {
			if s += in.pair(in.n, label, -1); !math.IsInf(s, -1) && in.obeys(path) {
				o.paths = append(o.paths, Path{slices.Clone(path), s})
			}
		}
		for k, x := range in.spans {
			if x.Start != at || math.IsInf(x.Score, -1) {
				continue
			}
			path = append(path, int32(k))
			walk(x.End, x.Label, s+in.pair(int(at), label, x.Label)+x.Score)
			path = path[:len(path)-1]
		}
	}
	walk(0, -1, 0)
	slices.SortStableFunc(o.paths, func(a, b Path) int { return cmp.Compare(b.Score, a.Score) })
	if len(o.paths) > 0 {
		sum := 0.0
		for _, p := range o.paths {
			sum += math.Exp(p.Score - o.paths[0].Score)
		}
		o.logZ = o.paths[0].Score + math.Log(sum)
	}
	return o
}

// prob sums the probabilities of the paths that satisfy a condition.
func (o *oracle) prob(ok func(path []int32) bool) float64 {
	var sum float64
	for _, p := range o.paths {
		if ok(p.Spans) {
			sum += math.Exp(p.Score - o.logZ)
		}
	}
	return sum
}

func randomInstance(rng *rand.Rand) *instance {
	in := &instance{n: rng.IntN(6)}
	labels := 1 + rng.IntN(4)
	draw := func() float64 { return rng.NormFloat64() }
	switch rng.IntN(4) {
	case 0: // extreme
		draw = func() float64 { return float64(rng.IntN(3)-1) * 800 }
	case 1: // ties
		draw = func() float64 { return float64(rng.IntN(3)) / 2 }
	}
	holes := rng.IntN(4)
	hole := func() float64 {
		if rng.IntN(4) < holes {
			return math.Inf(-1)
		}
		return draw()
	}
	for count := rng.IntN(15); in.n > 0 && count > 0; count-- {
		start := rng.IntN(in.n)
		end := start + 1 + rng.IntN(min(3, in.n-start))
		in.spans = append(in.spans, Span{int32(start), int32(end), int32(rng.IntN(labels)), draw()})
	}
	if in.n > 0 && rng.IntN(3) == 0 { // the same span twice, and a forbidden one
		in.spans = append(in.spans, in.spans...)
		in.spans = append(in.spans, Span{0, 1, 0, math.Inf(-1)})
	}
	in.scores = randomScores(rng, labels, hole)
	if rng.IntN(3) == 0 && in.n > 0 {
		in.cons = randomConstraints(rng, in.n, labels)
	}
	return in
}

func randomScores(rng *rand.Rand, labels int, draw func() float64) *Scores {
	if rng.IntN(5) == 0 {
		return nil
	}
	s := &Scores{Labels: labels, Classes: labels}
	if rng.IntN(2) == 0 {
		s.Classes = 1 + rng.IntN(16) // columns of few pairs are lists
		for range labels {
			s.Class = append(s.Class, int32(rng.IntN(s.Classes)))
		}
	}
	table := func(n int) (t []float64) {
		if rng.IntN(4) == 0 {
			return nil
		}
		for range n {
			t = append(t, draw())
		}
		return t
	}
	s.Pair, s.Start, s.End = table(s.Classes*s.Classes), table(s.Classes), table(s.Classes)
	if rng.IntN(2) == 0 {
		if rng.IntN(2) == 0 {
			for range s.Classes {
				s.TableOnly = append(s.TableOnly, rng.IntN(2) == 0)
			}
		}
		more := make([]float64, 7*(labels+1)*(labels+1))
		for i := range more {
			more[i] = draw()
		}
		s.More = func(at int, from []int32, to int32, scores []float64) {
			for i, y := range from {
				scores[i] += more[(at*(labels+1)+int(y+1))*(labels+1)+int(to+1)]
			}
		}
	}
	return s
}

func randomConstraints(rng *rand.Rand, n, labels int) *Constraints {
	brackets := func() (out []Bracket) {
		for range rng.IntN(3) {
			start := rng.IntN(n)
			end := start + 1 + rng.IntN(min(3, n-start))
			out = append(out, Bracket{int32(start), int32(end), int32(rng.IntN(labels+1) - 1)})
		}
		return out
	}
	return &Constraints{Must: brackets(), MustNot: brackets(), Longest: rng.IntN(4)}
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

func TestEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found, none, lost := 0, 0, 0
	for range 6000 {
		in := randomInstance(rng)
		o := in.enumerate()
		var tr *Transitions
		if in.scores != nil {
			var err error
			if tr, err = NewTransitions(*in.scores); err != nil {
				t.Fatal(err)
			}
		}
		l := New(tr)
		l.sums.onlyLogs = rng.IntN(3) == 0
		if err := l.Load(in.n, in.spans, in.cons); err != nil {
			t.Fatal(err)
		}
		if len(o.paths) == 0 {
			none++
		} else {
			found++
		}
		compareBest(t, l, in, o)
		compareSums(t, l, in, o)
		for p := range l.sums.wide {
			if l.sums.wide[p] && !l.sums.onlyLogs {
				lost++
			}
		}
		if t.Failed() {
			t.Fatalf("%+v %+v %+v", in, in.scores, in.cons)
		}
	}
	if found < 1000 || none < 1000 || lost < 100 {
		t.Errorf("%d with paths, %d without, %d positions too wide to scale", found, none, lost)
	}
}

func compareBest(t *testing.T, l *Lattice, in *instance, o *oracle) {
	t.Helper()
	best, err := l.Best()
	if len(o.paths) == 0 {
		if !errors.Is(err, ErrNoPath) {
			t.Errorf("best: %v", err)
		}
		if _, err := l.NBest(context.Background(), 3); !errors.Is(err, ErrNoPath) {
			t.Errorf("n best: %v", err)
		}
		return
	}
	if err != nil || !near(best.Score, o.paths[0].Score) {
		t.Errorf("best %v %v, want %v", best, err, o.paths[0])
	}
	for _, n := range []int{1, 3, len(o.paths) + 2} {
		paths, err := l.NBest(context.Background(), n)
		if err != nil || len(paths) != min(n, len(o.paths)) || !slices.Equal(paths[0].Spans, best.Spans) {
			t.Fatalf("%d best: %d %v", n, len(paths), err)
		}
		seen := map[string]bool{}
		for i, p := range paths {
			s, err := l.Score(p.Spans)
			if err != nil || !near(s, p.Score) || !near(p.Score, o.paths[i].Score) || !in.obeys(p.Spans) {
				t.Errorf("path %d of %d: %v, score %v %v, want %v", i, n, p, s, err, o.paths[i])
			}
			key := string(bytesOf(p.Spans))
			if seen[key] {
				t.Errorf("path %v twice", p)
			}
			seen[key] = true
		}
	}
}

func bytesOf(spans []int32) (b []byte) {
	for _, k := range spans {
		b = append(b, byte(k))
	}
	return b
}

func compareSums(t *testing.T, l *Lattice, in *instance, o *oracle) {
	t.Helper()
	if z := l.LogZ(); !near(z, o.logZ) {
		t.Errorf("log Z %v, want %v", z, o.logZ)
	}
	for k, p := range l.Probs() {
		want := o.prob(func(path []int32) bool { return slices.Contains(path, int32(k)) })
		if math.Abs(p-want) > 1e-9 {
			t.Errorf("span %d: %v, want %v", k, p, want)
		}
	}
	for a := range in.spans {
		for b := range in.spans {
			row := []int32{int32(a), int32(b)}
			want := o.prob(func(path []int32) bool {
				k := slices.Index(path, row[0])
				return k >= 0 && k+1 < len(path) && path[k+1] == row[1]
			})
			if p := l.ProbOf(row); math.Abs(p-want) > 1e-9 {
				t.Errorf("spans %v: %v, want %v", row, p, want)
			}
		}
	}
	state := func(k int32) int32 {
		switch y := in.spans[k].Label; {
		case l.trans.single:
			return 0
		case in.scores.More == nil && in.scores.Class != nil:
			return in.scores.Class[y]
		default:
			return y
		}
	}
	want := map[Pair]float64{}
	for _, path := range o.paths {
		before := Pair{0, -1, -1}
		for _, k := range path.Spans {
			before.To = state(k)
			want[before] += math.Exp(path.Score - o.logZ)
			before = Pair{in.spans[k].End, before.To, -1}
		}
		want[before] += math.Exp(path.Score - o.logZ)
	}
	for pair, p := range l.PairProbs() {
		if math.Abs(p-want[pair]) > 1e-9 {
			t.Errorf("pair %v: %v, want %v", pair, p, want[pair])
		}
		delete(want, pair)
	}
	for pair, p := range want {
		if p > 1e-9 {
			t.Errorf("pair %v: missing, want %v", pair, p)
		}
	}
}
