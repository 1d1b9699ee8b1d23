package translator

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/correct"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

var background = context.Background()

// fake is an aligner, which links words of the same number, and a language model, which likes words to follow as their
// bytes tell.
type fake struct{ kind.Base }

func (fake) Options(*option.Set)                         {}
func (fake) Schema() kind.Schema                         { return kind.Schema{} }
func (fake) Train(context.Context, *kind.Training) error { return nil }
func (fake) Encode(*kind.Writer) error                   { return nil }
func (fake) Decode(*kind.Reader) error                   { return nil }

func (fake) Annotate(context.Context, []*text.Document, *kind.Run) error { return nil }

type fakeAligner struct{ fake }

func (fakeAligner) Align(_ context.Context, a, b []string) (out []bitext.Link) {
	for i, x := range a {
		for j, y := range b {
			if strings.EqualFold(x, y) || x == "." && y == "。" {
				out = append(out, bitext.Link{Source: i, Target: j, Prob: 1})
			}
		}
	}
	return out
}

func (fakeAligner) Translation(string, string) (float64, float64) { return 0, 0 }

type fakeLM struct{ fake }

func (fakeLM) Order() int                      { return 3 }
func (fakeLM) Count(...string) uint64          { return 0 }
func (fakeLM) CountIDs([]uint32) uint64        { return 0 }
func (fakeLM) LogProb([]string) (float64, int) { return 0, 0 }
func (fakeLM) Start() correct.State            { return correct.State{Nodes: [8]int{1}, N: 1} }
func (fakeLM) ID(w string) (id uint32) {
	for _, b := range []byte(w) {
		id = id*31 + uint32(b)
	}
	return id % 97
}

func (fakeLM) Next(s *correct.State, id uint32) float64 {
	x := float64((s.Nodes[0]*7+s.Nodes[1]*3+int(id)*5)%23)/10 + .1
	s.Nodes[1], s.Nodes[0], s.N = s.Nodes[0], int(id), min(s.N+1, 2)
	if s.N < 2 {
		s.Nodes[1] = 0
	}
	return -x
}

var resources = kindtest.Resources{Models: map[string]kind.Trained{"al": {Model: fakeAligner{}, Label: "al@1"},
	"lm": {Model: fakeLM{}, Label: "lm@1"}}}

// TestBoxes: the phrase pairs are the boxes with a link inside and none across their border, on all sides.
func TestBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	check := func(n, m, most int, links []bitext.Link) int {
		var want, got []bitext.Box
		for i1 := range n {
			for i2 := i1 + 1; i2 <= n; i2++ {
				for j1 := range m {
					for j2 := j1 + 1; j2 <= m; j2++ {
						in, across := false, false
						for _, l := range links {
							a, b := l.Source >= i1 && l.Source < i2, l.Target >= j1 && l.Target < j2
							in, across = in || a && b, across || a != b
						}
						if in && !across && i2-i1 <= most && j2-j1 <= most {
							want = append(want, bitext.Box{I1: i1, I2: i2, J1: j1, J2: j2})
						}
					}
				}
			}
		}
		bitext.Phrases(n, m, most, links, func(b bitext.Box) { got = append(got, b) })
		order := func(a, b bitext.Box) int {
			return slices.Compare([]int{a.I1, a.I2, a.J1, a.J2}, []int{b.I1, b.I2, b.J1, b.J2})
		}
		slices.SortFunc(want, order)
		slices.SortFunc(got, order)
		if !slices.Equal(got, want) {
			t.Fatalf("%d × %d, %v: %v, want %v", n, m, links, got, want)
		}
		return len(got)
	}
	if k := check(3, 3, 7, []bitext.Link{{Source: 0, Target: 0}, {Source: 1, Target: 2}, {Source: 2, Target: 1}}); k != 5 {
		t.Errorf("%d phrase pairs, want 5", k)
	}
	if k := check(2, 3, 7, []bitext.Link{{Source: 0, Target: 0}, {Source: 1, Target: 2}}); k != 5 {
		t.Errorf("%d phrase pairs, want 5", k)
	}
	for range 300 {
		n, m := 1+rng.IntN(6), 1+rng.IntN(6)
		var links []bitext.Link
		for range rng.IntN(7) {
			links = append(links, bitext.Link{Source: rng.IntN(n), Target: rng.IntN(m)})
		}
		check(n, m, 1+rng.IntN(5), links)
	}
}

// drawn is a model with a random table for the words a to f, some without translations of their own.
func drawn(rng *rand.Rand) *model {
	m := &model{weights: vector{.3, .2, .1, .4, .2, -.5, .3, .6}}
	m.Options(&option.Set{})
	m.opt.lm, m.opt.stack, m.opt.beam, m.opt.limit = "lm", math.MaxInt32, math.MaxFloat64, -1
	m.vocabulary = [2]*bitext.Vocabulary{bitext.NewVocabulary([]string{"a", "b", "c", "d", "e"}),
		bitext.NewVocabulary([]string{"u", "v", "w", "x", "y", "z"})}
	c := newCollector(3)
	t := &table{source: c.source, target: c.target, inner: c.inner, starts: []uint32{0}}
	for range 12 {
		ids := make([]uint32, 1+rng.IntN(2))
		for i := range ids {
			ids[i] = uint32(rng.IntN(5))
		}
		if _, ok := t.source.find(ids); ok {
			continue
		}
		t.source.add(ids)
		for range 1 + rng.IntN(2) {
			words := make([]uint32, 1+rng.IntN(2))
			for i := range words {
				words[i] = uint32(rng.IntN(6))
			}
			p := pair{target: t.target.add(words), links: t.inner.add([]uint32{0})}
			for k := range p.h {
				p.h[k] = float32(-3 * rng.Float64())
			}
			t.pairs = append(t.pairs, p)
		}
		t.starts = append(t.starts, uint32(len(t.pairs)))
	}
	m.table = t
	return m
}

// exhaustive yields the score of every translation: all ways to cut, choose and order phrases.
func exhaustive(s *searcher, limit int, yield func(score float64)) {
	w := &s.m.weights
	var next func(covered set, end int, lm correct.State, score float64)
	next = func(covered set, end int, lm correct.State, score float64) {
		if covered.size() == s.n {
			yield(score + w[language]*natural*s.lm.Next(&lm, s.lm.ID("</s>")))
			return
		}
		for k := range s.choices {
			c := &s.choices[k]
			if !covered.free(c.from, c.to) ||
				limit >= 0 && (abs(c.from-end) > limit || c.from > covered.gap() && c.to-covered.gap() > limit) {
				continue
			}
			log, to := s.speak(lm, c)
			next(covered.with(c.from, c.to), c.to, to, score+c.score+w[language]*log-w[distortion]*float64(abs(c.from-end)))
		}
	}
	next(set{}, 0, s.lm.Start(), 0)
}

// TestSearch: with stacks without end the best translation, and the best ones in order, are those over all ways; a
// small stack finds none better; scores are those of the features.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 60 {
		m := drawn(rng)
		forms := make([]string, 1+rng.IntN(5))
		for i := range forms {
			forms[i] = string(rune('a' + rng.IntN(6))) // f is unknown
		}
		m.opt.limit = []int{-1, 2, 0}[rng.IntN(3)]
		lm, _ := m.language(resources)
		var all []float64
		s := m.collect(lm, forms)
		exhaustive(s, m.opt.limit, func(x float64) { all = append(all, x) })
		slices.Sort(all)
		slices.Reverse(all)
		if err := s.search(background); err != nil {
			t.Fatal(err)
		}
		list, err := m.best(background, lm, forms, 1)
		if err != nil || len(list) == 0 || math.Abs(list[0].score-all[0]) > 1e-9 {
			t.Fatalf("%q limit %d: %v %v, want %v", forms, m.opt.limit, list, err, all[0])
		}
		more, _ := m.best(background, lm, forms, 5)
		for i := 1; i < len(more); i++ {
			if more[i].score > more[i-1].score+1e-9 ||
				!slices.ContainsFunc(all, func(x float64) bool { return math.Abs(x-more[i].score) < 1e-9 }) {
				t.Fatalf("the n best: %v", more)
			}
		}
		for _, p := range s.all { // an estimate is no less than what follows
			if p.covered.size() == s.n && p.score > all[0]+1e-9 {
				t.Fatalf("a partial translation has %v, the best whole one %v", p.score, all[0])
			}
		}
		m.opt.stack = 1
		if narrow, _ := m.best(background, lm, forms, 1); narrow[0].score > all[0]+1e-9 {
			t.Fatalf("a stack of one finds %v, all ways %v", narrow[0].score, all[0])
		}
	}
}

// TestLine: the best change of a weight is as good as the best of many that are tried.
func TestLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		p := &pool{}
		for range 6 {
			var list []candidate
			for range 8 {
				c := candidate{stats: make([]float32, 10)}
				for k := range c.h {
					c.h[k] = rng.NormFloat64()
				}
				for n := range 4 {
					c.stats[4+n] = float32(9 - n)
					c.stats[n] = float32(1 + rng.IntN(9-n))
				}
				c.stats[8], c.stats[9] = 9, float32(8+rng.IntN(3))
				list = append(list, c)
			}
			p.list = append(p.list, list)
		}
		w := start
		for k := range w {
			most, x := p.line(&w, k)
			at := w
			at[k] += x
			if got := p.bleu(&at); math.Abs(got-most) > 1e-9 {
				t.Fatalf("weight %d: %v is promised, %v found", k, most, got)
			}
			for d := -6.0; d < 6; d += .01 {
				at := w
				at[k] += d
				if got := p.bleu(&at); got > most+1e-9 {
					t.Fatalf("weight %d: %v at %v, better than %v", k, got, d, most)
				}
			}
		}
		if next := p.search(w, rng); p.bleu(&next) < p.bleu(&w) {
			t.Fatal("the search makes it worse")
		}
	}
}

// TestTable: probabilities of phrases are shares, those of words come from their links.
func TestTable(t *testing.T) {
	c := newCollector(2)
	link := func(pairs ...int) (out []bitext.Link) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, bitext.Link{Source: pairs[i], Target: pairs[i+1]})
		}
		return out
	}
	c.add([]uint32{0, 1}, []uint32{5, 6}, link(0, 0, 1, 1)) // a b: u v
	c.add([]uint32{0}, []uint32{7}, link(0, 0))             // a: w
	c.add([]uint32{0}, []uint32{7, 8}, link(0, 0))          // a: w x, x from none
	tab, err := c.build(background, 1, 9)
	if err != nil {
		t.Fatal(err)
	}
	find := func(s, f []uint32) *pair {
		for i, p := range tab.of(s) {
			if slices.Equal(tab.target.at(p.target), f) {
				return &tab.of(s)[i]
			}
		}
		t.Fatalf("%v %v is no phrase pair", s, f)
		return nil
	}
	for _, x := range []struct {
		s, f []uint32
		want [own]float64
	}{
		{[]uint32{0}, []uint32{7}, [own]float64{.5, 1, 2.0 / 3, 1}},
		{[]uint32{0}, []uint32{5}, [own]float64{.25, 1, 1.0 / 3, 1}},
		{[]uint32{0}, []uint32{7, 8}, [own]float64{.25, 1, 2.0 / 3, 1}},
		{[]uint32{0, 1}, []uint32{5, 6}, [own]float64{1, 1, 1.0 / 3, 1}},
	} {
		p := find(x.s, x.f)
		for k, h := range p.h {
			if got := math.Exp(float64(h)); math.Abs(got-x.want[k]) > 1e-6 {
				t.Errorf("%v %v: %s is %v, want %v", x.s, x.f, featureNames[k], got, x.want[k])
			}
		}
	}
	if few, _ := c.build(background, 2, 9); len(few.pairs) != 1 {
		t.Errorf("%d phrase pairs occur twice", len(few.pairs))
	}
}
