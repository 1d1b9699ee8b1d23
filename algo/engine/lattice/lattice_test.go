package lattice

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/engine/chain"
)

// load makes a lattice of a sentence.
func load(t testing.TB, s *Scores, n int, spans []Span, c *Constraints) *Lattice {
	t.Helper()
	var tr *Transitions
	if s != nil {
		var err error
		if tr, err = NewTransitions(*s); err != nil {
			t.Fatal(err)
		}
	}
	l := New(tr)
	if err := l.Load(n, spans, c); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestWorkedExample: "san francisco hotels", labels C and O, up to two tokens, figures by enumeration.
func TestWorkedExample(t *testing.T) {
	const c, o = 0, 1
	token := [3][2]float64{{1, 0}, {.5, 0}, {0, 1}}
	spans := Segments(nil, 3, 2, make([]float64, 2), func(start, end int, scores []float64) {
		for i := start; i < end; i++ {
			scores[c] += token[i][c]
			scores[o] += token[i][o]
		}
		if end-start == 2 {
			scores[c] += .8
			scores[o]--
		}
		if start == 0 && end == 2 {
			scores[c] += .7
		}
	})
	l := load(t, &Scores{Labels: 2, Pair: []float64{0, .3, .2, 0}}, 3, spans, nil)
	if z := l.LogZ(); math.Abs(z-5.094269) > 1e-6 {
		t.Errorf("log Z %v", z)
	}
	want := map[Bracket]float64{{0, 1, c}: .300615, {0, 1, o}: .115426, {0, 2, c}: .575072, {0, 2, o}: .008887,
		{1, 2, c}: .185972, {1, 2, o}: .112798, {1, 3, c}: .08864, {1, 3, o}: .028631,
		{2, 3, c}: .200714, {2, 3, o}: .682014}
	total := 0.0
	for k, p := range l.Probs() {
		b := Bracket{spans[k].Start, spans[k].End, spans[k].Label}
		if total += p; math.Abs(p-want[b]) > 1e-6 {
			t.Errorf("%v: %v, want %v", b, p, want[b])
		}
	}
	if math.Abs(total-2.298770) > 1e-6 {
		t.Errorf("%v segments expected", total)
	}
	paths, err := l.NBest(context.Background(), 100)
	if err != nil || len(paths) != 16 {
		t.Fatalf("%d paths %v", len(paths), err)
	}
	for i, want := range []struct{ score, prob float64 }{{4.3, .451912}, {3.0, .12316}} {
		score := paths[i].Score
		if p := math.Exp(score - l.LogZ()); math.Abs(score-want.score) > 1e-9 || math.Abs(p-want.prob) > 1e-6 {
			t.Errorf("path %d: %v with probability %v, want %v", i, score, p, want)
		}
	}
}

// TestScalingKeepsDigits: a state that is e^600 behind another, before a pair of e^−138, still decides a sum of its
// own.
func TestScalingKeepsDigits(t *testing.T) {
	s := &Scores{Labels: 2, Pair: []float64{0, math.Inf(-1), math.Inf(-1), -138}}
	for name, spans := range map[string][]Span{
		"forward":  {{0, 1, 0, 0}, {0, 1, 1, -600}, {1, 2, 0, 0}, {1, 2, 1, 738}},
		"backward": {{0, 1, 0, 0}, {0, 1, 1, 738}, {1, 2, 0, 0}, {1, 2, 1, -600}},
	} {
		l := load(t, s, 2, spans, nil)
		for k, p := range l.Probs() {
			if math.Abs(p-.5) > 1e-9 {
				t.Errorf("%s: span %d has probability %v, want 0.5", name, k, p)
			}
		}
	}
}

// TestFewPredecessors: where few classes may precede one, they are found in the order of classes, not of spans.
func TestFewPredecessors(t *testing.T) {
	s := &Scores{Labels: 16, Pair: make([]float64, 256)}
	for i := range s.Pair {
		s.Pair[i] = math.Inf(-1)
	}
	s.Pair[1*16+5], s.Pair[2*16+5] = 1, 3
	spans := []Span{{0, 1, 2, 0}, {0, 1, 1, 0}, {1, 2, 5, 0}}
	l := load(t, s, 2, spans, nil)
	want := &oracle{paths: []Path{{[]int32{0, 2}, 3}, {[]int32{1, 2}, 1}}}
	compareBest(t, l, &instance{n: 2, spans: spans, scores: s}, want)
	if p, want := l.Prob(0), 1/(1+math.Exp(-2)); math.Abs(p-want) > 1e-9 {
		t.Errorf("probability %v, want %v", p, want)
	}
}

// TestGradients: probabilities are derivatives of log Z by scores.
func TestGradients(t *testing.T) {
	const h = 1e-5
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		s := &Scores{Labels: 3, Pair: make([]float64, 9), Start: make([]float64, 3), End: make([]float64, 3)}
		for _, table := range [][]float64{s.Pair, s.Start, s.End} {
			for i := range table {
				table[i] = rng.NormFloat64()
			}
		}
		spans := Segments(nil, 6, 3, make([]float64, 3), func(_, _ int, scores []float64) {
			for y := range scores {
				scores[y] = rng.NormFloat64()
			}
		})
		logZ := func() float64 { return load(t, s, 6, spans, nil).LogZ() }
		check := func(v *float64, got float64) {
			t.Helper()
			x := *v
			*v = x + h
			up := logZ()
			*v = x - h
			down := logZ()
			*v = x
			if d := (up - down) / (2 * h); math.Abs(d-got) > 1e-6 {
				t.Errorf("derivative %v, probability %v", d, got)
			}
		}
		l := load(t, s, 6, spans, nil)
		for k, p := range l.Probs() {
			check(&spans[k].Score, p)
		}
		var pair [9]float64
		var start, end [3]float64
		for q, p := range l.PairProbs() {
			switch {
			case q.From < 0:
				start[q.To] += p
			case q.To < 0:
				end[q.From] += p
			default:
				pair[q.From*3+q.To] += p
			}
		}
		for i := range pair {
			check(&s.Pair[i], pair[i])
		}
		for i := range start {
			check(&s.Start[i], start[i])
			check(&s.End[i], end[i])
		}
	}
}

// TestChain: spans of length 1 are a linear chain.
func TestChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, spread := range []float64{1, 5, 400} {
		for range 100 {
			labels, n := 1+rng.IntN(5), rng.IntN(12)
			p := chain.Parts{Labels: labels, AttrStart: []uint32{0}}
			s := &Scores{Labels: labels, Pair: make([]float64, labels*labels)}
			for k := range s.Pair {
				w := spread * rng.NormFloat64()
				s.Pair[k] = w
				p.TransFrom, p.TransTo = append(p.TransFrom, uint16(k/labels)), append(p.TransTo, uint16(k%labels))
				p.TransWeights = append(p.TransWeights, w)
			}
			m, err := chain.NewModel(p)
			if err != nil {
				t.Fatal(err)
			}
			scores := make([]float64, n*labels)
			for i := range scores {
				scores[i] = spread * rng.NormFloat64()
			}
			spans := Segments(nil, n, 1, make([]float64, labels), func(start, _ int, row []float64) {
				copy(row, scores[start*labels:])
			})
			d, err := m.NewDecoder(nil)
			if err == nil {
				err = d.LoadScores(scores)
			}
			if err != nil {
				t.Fatal(err)
			}
			compareChain(t, d, load(t, s, n, spans, nil), labels)
		}
	}
}

func compareChain(t *testing.T, d *chain.Decoder, l *Lattice, labels int) {
	t.Helper()
	if !near(d.LogZ(), l.LogZ()) {
		t.Errorf("log Z %v, chain %v", l.LogZ(), d.LogZ())
	}
	for k, p := range l.Probs() {
		if q := d.Marginal(k/labels, k%labels); math.Abs(p-q) > 1e-9 {
			t.Errorf("token %d label %d: %v, chain %v", k/labels, k%labels, p, q)
		}
	}
	for pair, p := range l.PairProbs() {
		if pair.From >= 0 && pair.To >= 0 {
			if q := d.TransitionMarginal(int(pair.At), int(pair.From), int(pair.To)); math.Abs(p-q) > 1e-9 {
				t.Errorf("%v: %v, chain %v", pair, p, q)
			}
		}
	}
	want, err := d.NBest(5)
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.NBest(context.Background(), 5)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d paths, chain %d, %v", len(got), len(want), err)
	}
	for i := range want {
		if !near(got[i].Score, want[i].Score) {
			t.Errorf("path %d: %v, chain %v", i, got[i].Score, want[i].Score)
		}
		for u, k := range got[i].Spans {
			if int(k)-u*labels != int(want[i].Labels[u]) {
				t.Errorf("path %d: label %d at %d, chain %d", i, int(k)-u*labels, u, want[i].Labels[u])
			}
		}
	}
}

// TestUnitsAreCovered: the spans over a unit have probability 1 in all, and so have the pairs of the start.
func TestUnitsAreCovered(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, labels := rapid.IntRange(1, 30).Draw(r, "n"), rapid.IntRange(1, 6).Draw(r, "labels")
		spread := rapid.SampledFrom([]float64{1, 30, 800}).Draw(r, "spread")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		draw := func() float64 { return spread * (2*rng.Float64() - 1) }
		s := &Scores{Labels: labels, Pair: make([]float64, labels*labels)}
		for i := range s.Pair {
			s.Pair[i] = draw()
		}
		spans := Segments(nil, n, 1+rng.IntN(5), make([]float64, labels), func(_, _ int, scores []float64) {
			for y := range scores {
				scores[y] = draw()
			}
		})
		l := load(t, s, n, spans, nil)
		units, best := make([]float64, n), make([]int, n)
		for k, p := range l.Probs() {
			for i := spans[k].Start; i < spans[k].End; i++ {
				units[i] += p
			}
		}
		path, err := l.Best()
		if err != nil {
			r.Fatal(err)
		}
		for _, k := range path.Spans {
			for i := spans[k].Start; i < spans[k].End; i++ {
				best[i]++
			}
		}
		for i, p := range units {
			if math.Abs(p-1) > 1e-8 || best[i] != 1 {
				r.Fatalf("unit %d: probability %v, %d spans of the best path", i, p, best[i])
			}
		}
		if s, err := l.Score(path.Spans); err != nil || !near(s, path.Score) || s > l.LogZ()+1e-6 {
			r.Fatalf("score %v %v, best %v, log Z %v", s, err, path.Score, l.LogZ())
		}
	})
}

func TestLabelsAreManyAndFunctionsAskOnce(t *testing.T) {
	asked := map[Pair]int{}
	s := &Scores{Labels: 100_000, More: func(at int, from []int32, to int32, scores []float64) {
		for i, y := range from {
			asked[Pair{int32(at), y, to}]++
			scores[i] = float64(y%7) - float64(to%5)
		}
	}}
	spans := []Span{{0, 1, 99_999, 1}, {0, 1, 50_000, 1}, {0, 1, 99_999, 2}, {1, 2, 4, 0}, {1, 3, 7, 0}, {2, 3, 4, 0}}
	l := load(t, s, 3, spans, nil)
	l.LogZ()
	if _, err := l.NBest(context.Background(), 10); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 2+4+1+2 {
		t.Errorf("asked for %d pairs", len(asked))
	}
	for p, n := range asked {
		if n != 1 {
			t.Errorf("%v asked %d times", p, n)
		}
	}
}

func TestInvalid(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, s := range map[string]Scores{
		"no labels": {}, "classes": {Labels: 2, Class: []int32{0}, Classes: 1},
		"class": {Labels: 1, Class: []int32{1}, Classes: 1}, "pairs": {Labels: 2, Pair: make([]float64, 3)},
		"marks": {Labels: 2, TableOnly: []bool{true}}, "start": {Labels: 1, Start: []float64{nan}},
		"end": {Labels: 1, End: []float64{inf}},
	} {
		if _, err := NewTransitions(s); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := &Scores{Labels: 2, More: func(at int, _ []int32, _ int32, scores []float64) {
		if at == 1 {
			scores[0] = nan
		}
	}}
	l := load(t, bad, 0, nil, nil)
	for name, err := range map[string]error{
		"ends":       l.Load(2, []Span{{1, 1, 0, 0}}, nil),
		"beyond":     l.Load(2, []Span{{0, 3, 0, 0}}, nil),
		"before":     l.Load(2, []Span{{-1, 1, 0, 0}}, nil),
		"label":      l.Load(2, []Span{{0, 1, 2, 0}}, nil),
		"score":      l.Load(2, []Span{{0, 1, 0, inf}}, nil),
		"length":     l.Load(-1, nil, nil),
		"pair":       l.Load(2, []Span{{0, 1, 0, 0}, {1, 2, 0, 0}}, nil),
		"constraint": l.Load(2, nil, &Constraints{Must: []Bracket{{1, 1, 0}}}),
		"forbidden":  l.Load(2, nil, &Constraints{MustNot: []Bracket{{0, 3, 0}}}),
	} {
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, n := range []int{2, 1} { // nothing is left of what was refused
		_ = l.Load(n, []Span{{0, 1, 0, 0}, {1, 2, 0, 0}}, nil)
		compareBest(t, l, nil, &oracle{})
	}
	if z, probs := l.LogZ(), l.Probs(); !math.IsInf(z, -1) || len(probs) > 0 {
		t.Errorf("log Z %v and %d probabilities of nothing", z, len(probs))
	}
	fresh := New(nil)
	compareBest(t, fresh, nil, &oracle{})
	for pair := range fresh.PairProbs() {
		t.Errorf("pair %v of nothing", pair)
	}
	l = load(t, nil, 2, []Span{{0, 1, 0, 0}, {1, 2, 9, 0}}, nil)
	for _, path := range [][]int32{{1}, {0}, {0, 1, 1}, {5}, {-1}} {
		if _, err := l.Score(path); !errors.Is(err, ErrInvalid) {
			t.Errorf("path %v: %v", path, err)
		}
	}
}

// TestBuffersAreReused: nothing is allocated for a sentence after those before.
func TestBuffersAreReused(t *testing.T) {
	l, n, spans := benchSegments(t, 60, 8, 5)
	cons := &Constraints{Must: []Bracket{{3, 6, AnyLabel}}, MustNot: []Bracket{{7, 8, 1}}}
	ctx := context.Background()
	sum := 0.0
	run := func() {
		for _, c := range []*Constraints{nil, cons} {
			if err := l.Load(n, spans, c); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Best(); err != nil {
				t.Fatal(err)
			}
			if _, err := l.NBest(ctx, 10); err != nil {
				t.Fatal(err)
			}
			l.Probs()
			for _, p := range l.PairProbs() {
				sum += p
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLongSentence: the searches hold at the greatest length.
func TestLongSentence(t *testing.T) {
	if testing.Short() {
		t.Skip("a million units")
	}
	spans := Segments(nil, MaxLength, 1, make([]float64, 2), func(start, _ int, scores []float64) {
		scores[start&1] = 1
	})
	l := load(t, nil, MaxLength, spans, nil)
	paths, err := l.NBest(context.Background(), 3)
	if err != nil || paths[0].Score != MaxLength || paths[1].Score != MaxLength-1 || paths[2].Score != MaxLength-1 {
		t.Errorf("%d paths, %v", len(paths), err)
	}
	if want := MaxLength * math.Log(1+math.E); !near(l.LogZ(), want) {
		t.Errorf("log Z %v, want %v", l.LogZ(), want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.NBest(ctx, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
