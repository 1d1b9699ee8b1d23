package tagparser

import (
	"math"
	"slices"
	"testing"

	"parlance/algo/engine/hypergraph"
	"parlance/algo/parse/constituent"
)

// world is spines and scores of a formula: the derivations over n tokens whose spines are those of their token.
type world struct {
	n      int
	spines [][][]string // by token, from 1
	arc    func(h, m, p int, regular, later bool, length int) float64
	spine  func(i, length int) float64
	sib    func(h, m, s, p int) float64 // s is 0 for none; nil: of first order
	grand  func(h, m, c int) float64    // c is 0 for none
}

// second makes the chart of second order of a world.
func (w *world) second() *second {
	s := &second{chart: w.chart()}
	link := func(a *arc, labels int) links {
		l := links{width: [3]int{1, 1, 1}}
		for u := range 2 * labels {
			l.used = append(l.used, int32(u))
		}
		side, to, out := a.sides()
		others := func(h, side, length int) (list []int) {
			for _, b := range s.arcs[s.first[2*h+side]:s.first[2*h+side+1]] {
				if length == 0 || b.length() < length {
					list = append(list, int(b.mod))
				}
			}
			return list
		}
		sibs := []int{0}
		if a.head > 0 {
			sibs = append(sibs, others(int(a.head), side, a.length())...)
		}
		l.width[0] = len(sibs)
		for u := range 2 * labels {
			for _, x := range sibs {
				l.sib = append(l.sib, w.sib(int(a.head), int(a.mod), x, u/2+1))
			}
		}
		for half, side := range [2]int{to, out} {
			list := append([]int{0}, others(int(a.mod), side, 0)...)
			l.width[1+half] = len(list)
			for range 2 * labels {
				for _, x := range list {
					l.grand[half] = append(l.grand[half], w.grand(int(a.head), int(a.mod), x))
				}
			}
		}
		return l
	}
	for k := range s.arcs {
		s.links = append(s.links, link(&s.arcs[k], 3))
	}
	for k := range s.root {
		s.roots = append(s.roots, link(&s.root[k], 1))
	}
	return s
}

// chart makes the chart of a world with all arcs.
func (w *world) chart() *chart {
	c := &chart{n: w.n, tokens: make([]token, w.n+1), find: make([]int32, (w.n+1)*(w.n+1)),
		ended: func() bool { return false }}
	for i := 1; i <= w.n; i++ {
		t := &c.tokens[i]
		t.from = []int32{0}
		for k, s := range w.spines[i] {
			t.spines = append(t.spines, int32(k))
			for range len(s) - 1 {
				t.owner = append(t.owner, int32(k))
			}
			t.from = append(t.from, int32(len(t.owner)))
		}
	}
	add := func(h, m int) {
		k := w.items(c, h, m)
		if len(k.items) > 0 {
			c.arcs = append(c.arcs, k)
			c.find[h*(w.n+1)+m] = int32(len(c.arcs))
		}
	}
	c.first = []int32{0, 0, 0}
	for h := 1; h <= w.n; h++ {
		for m := h - 1; m >= 1; m-- {
			add(h, m)
		}
		c.first = append(c.first, int32(len(c.arcs)))
		for m := h + 1; m <= w.n; m++ {
			add(h, m)
		}
		c.first = append(c.first, int32(len(c.arcs)))
	}
	for m := 1; m <= w.n; m++ {
		a := arc{head: 0, mod: int32(m), labels: []int32{0}}
		for k, s := range w.spines[m] {
			a.items = append(a.items, item{entry: entry{0, int32(k), 0, -1},
				sister: w.arc(0, m, 1, false, false, len(s)) + w.spine(m, len(s)), sisterCopy: none, regular: none})
		}
		c.root = append(c.root, a)
	}
	return c
}

func (w *world) items(c *chart, h, m int) arc {
	a := arc{head: int32(h), mod: int32(m), labels: []int32{0, 1, 2}} // by position
	for p, owner := range c.tokens[h].owner {
		at := p - int(c.tokens[h].from[owner]) + 1
		for k, s := range w.spines[m] {
			e := w.spine(m, len(s))
			x := item{entry: entry{int32(p), int32(k), int32(at - 1), int32(at - 1)},
				sister:     w.arc(h, m, at, false, false, len(s)) + e,
				sisterCopy: w.arc(h, m, at, false, true, len(s)) + e, regular: w.arc(h, m, at, true, false, len(s)) + e}
			a.items = append(a.items, x)
		}
	}
	return a
}

// derivations enumerates those of a world: all heads, positions and operations that Check lets pass.
func (w *world) derivations(visit func(d *constituent.Derivation, score float64)) {
	d := &constituent.Derivation{Spines: make([][]string, w.n+1), Arcs: make([]constituent.Arc, w.n+1)}
	d.Spines[0] = constituent.RootSpine
	var arcs, spines func(m int)
	arcs = func(m int) {
		if m > w.n {
			if d.Check() == nil {
				visit(d, w.score(d))
			}
			return
		}
		for h := range w.n + 1 {
			for p := 1; p < len(d.Spines[h]) && h != m; p++ {
				for _, r := range []bool{false, true} {
					d.Arcs[m] = constituent.Arc{Head: int32(h), Position: p, Regular: r}
					arcs(m + 1)
				}
			}
		}
	}
	spines = func(i int) {
		if i > w.n {
			arcs(1)
			return
		}
		for _, s := range w.spines[i] {
			d.Spines[i] = s
			spines(i + 1)
		}
	}
	spines(1)
}

func (w *world) score(d *constituent.Derivation) (sum float64) {
	later := d.Later()
	for m := 1; m <= w.n; m++ {
		a, size := d.Arcs[m], len(d.Spines[m])
		sum += w.arc(int(a.Head), m, a.Position, a.Regular, later[m], size) + w.spine(m, size)
	}
	if w.sib == nil {
		return sum
	}
	outermost := make([][2]int, w.n+1)
	d.Modifiers(func(h, side int, list []int) { outermost[h][side] = list[len(list)-1] })
	d.Modifiers(func(h, side int, list []int) {
		before := 0
		for _, m := range list {
			sum += w.sib(h, m, before, d.Arcs[m].Position) + w.grand(h, m, outermost[m][0]) + w.grand(h, m, outermost[m][1])
			before = m
		}
	})
	return sum
}

// uniform has the same spines for every token and no scores.
func uniform(n int, spines ...[]string) *world {
	return &world{n: n, spines: slices.Repeat([][][]string{spines}, n+1),
		arc:   func(_, _, _ int, _, _ bool, _ int) float64 { return 0 },
		spine: func(_, _ int) float64 { return 0 }}
}

// TestCounts counts the derivations of tokens with one spine, or two, as enumeration does.
func TestCounts(t *testing.T) {
	a, ab, bare := []string{"T", "A"}, []string{"T", "A", "B"}, []string{"T"}
	for _, c := range []struct {
		spines [][]string
		want   []float64
	}{
		{[][]string{a}, []float64{1, 4, 28, 240, 2288}},
		{[][]string{ab}, []float64{1, 8, 104, 1632, 28336}},
		{[][]string{bare, a}, []float64{2, 8, 80, 960}},
	} {
		for i, want := range c.want {
			ch := uniform(i+1, c.spines...).chart()
			var f forest
			if f.build(ch, 1) == hypergraph.Impossible {
				t.Fatal("no derivation")
			}
			if got := math.Exp(f.g.Sum()); math.Abs(got-want) > 1e-6*want {
				t.Errorf("%v, %d tokens: %v derivations, want %v", c.spines, i+1, got, want)
			}
		}
	}
}

// formula is a world of scores that tell all of an arc apart but its label's later, which sisters alone have.
func formula(n int) *world {
	w := &world{n: n, spines: [][][]string{nil}}
	for i := 1; i <= n; i++ {
		if i%2 == 1 {
			w.spines = append(w.spines, [][]string{{"T"}, {"T", "A", "B"}})
		} else {
			w.spines = append(w.spines, [][]string{{"T", "A"}})
		}
	}
	w.spine = func(i, length int) float64 { return float64((2*i+3*length)%5 - 2) }
	w.arc = func(h, m, p int, regular, later bool, length int) float64 {
		x := 3*h + 5*m + h*m + 2*p + length
		if regular {
			x += 3
		}
		if later && !regular {
			x++
		}
		return float64(x%7 - 3)
	}
	return w
}

// drawn is a world whose scores are drawn.
func drawn(n int, seed uint64) *world {
	w := formula(n)
	score := func(parts ...int) float64 {
		h := seed
		for _, p := range parts {
			h = mix(h ^ uint64(p))
		}
		return float64(h%13) - 6
	}
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	w.spine = func(i, length int) float64 { return score(1, i, length) }
	w.arc = func(h, m, p int, regular, later bool, length int) float64 {
		return score(2, h, m, p, bit(regular), bit(later && !regular), length)
	}
	w.sib = func(h, m, s, p int) float64 { return score(3, h, m, s, p) }
	w.grand = func(h, m, c int) float64 { return score(4, h, m, c) }
	return w
}

// worlds are that of the formula and drawn ones.
func worlds() (list []*world) {
	for n := 1; n <= 4; n++ {
		list = append(list, formula(n))
	}
	for seed := range uint64(12) {
		list = append(list, drawn(4, seed))
	}
	return list
}

// TestAgainstEnumeration compares the best derivation, its score read off, the sum and the probability of arcs, and the
// k best with all derivations.
func TestAgainstEnumeration(t *testing.T) {
	for _, w := range worlds() {
		n := w.n
		w.sib = nil
		scores, arcs := w.all()
		best := scores[0]
		c := w.chart()
		if got := c.fill(); got != best {
			t.Fatalf("%d tokens: best %v, want %v", n, got, best)
		}
		c.trace()
		if d, err := w.derivation(c); err != nil || w.score(d) != best {
			t.Errorf("%d tokens: %v has score %v, want %v: %v", n, d, w.score(d), best, err)
		}
		var f forest
		compare(t, &f, f.build(c, 1), scores, arcs)
	}
}

// compare compares the sum of a forest, the probabilities of arcs and the k best with those over all derivations: their
// scores, falling, and the sums of exp(score) of those with an arc.
func compare(t *testing.T, f *forest, root int32, scores []float64, arcs map[[2]int32]float64) {
	t.Helper()
	z := 0.0
	for _, s := range scores {
		z += math.Exp(s)
	}
	if got := f.g.Marginals(); math.Abs(got-math.Log(z)) > 1e-9 {
		t.Errorf("ln Z %v, want %v", got, math.Log(z))
	}
	got := map[[2]int32]float64{}
	for v := int32(1); int(v) < f.g.Nodes(); v++ {
		for e, to := f.g.Of(v); e < to; e++ {
			if k := f.g.Edges[e].Label; k >= 0 {
				got[[2]int32{f.made[k].head, f.made[k].mod}] += f.g.Mass[v] * f.g.Share[e]
			}
		}
	}
	for k, x := range arcs {
		if math.Abs(got[k]-x/z) > 1e-9 {
			t.Errorf("arc %v has %v, want %v", k, got[k], x/z)
		}
	}
	l := hypergraph.NewLister(&f.g)
	for k, want := range scores {
		if !l.Find(root, int32(k)) || math.Abs(l.At(root, int32(k)).Score-want) > 1e-9 {
			t.Fatalf("derivation %d of %d", k, len(scores))
		}
	}
	if l.Find(root, int32(len(scores))) {
		t.Errorf("more than %d derivations", len(scores))
	}
}

// all are the scores of the derivations of a world, falling, and by arc the sums of exp(score).
func (w *world) all() (scores []float64, arcs map[[2]int32]float64) {
	arcs = map[[2]int32]float64{}
	w.derivations(func(d *constituent.Derivation, score float64) {
		scores = append(scores, score)
		for m := 1; m <= w.n; m++ {
			arcs[[2]int32{d.Arcs[m].Head, int32(m)}] += math.Exp(score)
		}
	})
	slices.Sort(scores)
	slices.Reverse(scores)
	return scores, arcs
}

// seconds adds scores of siblings and grandchildren.
func (w *world) seconds() *world {
	w.sib = func(h, m, s, p int) float64 {
		if s == 0 {
			return 0
		}
		return float64((h+2*m+3*s+p)%5 - 2)
	}
	w.grand = func(h, m, c int) float64 {
		if c == 0 {
			return 0
		}
		return float64((2*h+3*m+5*c)%7 - 3)
	}
	return w
}

// TestSecondOrder compares the best derivation and its score read off with all derivations.
func TestSecondOrder(t *testing.T) {
	one := uniform(5, []string{"T", "A"})
	one.arc = formula(5).arc
	one.seconds()
	for _, w := range append(worlds(), one) {
		if w.sib == nil {
			w.seconds()
		}
		scores, arcs := w.all()
		best := scores[0]
		s := w.second()
		if got := s.fill(); got != best {
			t.Fatalf("%d tokens: best %v, want %v", w.n, got, best)
		}
		s.trace()
		if d, err := w.derivation(s.chart); err != nil || w.score(d) != best {
			t.Errorf("%d tokens: %v has score %v, want %v: %v", w.n, d, w.score(d), best, err)
		}
		var f forest
		compare(t, &f, f.buildSecond(s, 1), scores, arcs)
	}
}

// derivation is that which a chart found.
func (w *world) derivation(c *chart) (*constituent.Derivation, error) {
	d := &constituent.Derivation{Spines: make([][]string, w.n+1), Arcs: make([]constituent.Arc, w.n+1)}
	d.Spines[0] = constituent.RootSpine
	for m := 1; m <= w.n; m++ {
		d.Spines[m] = w.spines[m][c.spine[m]]
		d.Arcs[m] = constituent.Arc{Head: c.heads[m], Position: int(c.pos[m]), Regular: c.regular[m]}
	}
	return d, d.Check()
}

// TestNoCopies is first-order parsing of projective arcs where there is one spine and no copies (Eisner 2000).
func TestNoCopies(t *testing.T) {
	w := uniform(5, []string{"T", "A"})
	w.arc = func(h, m, _ int, regular, _ bool, _ int) float64 {
		if regular {
			return none
		}
		return float64((7*h+3*m+h*m)%11) - 5
	}
	best := none
	w.derivations(func(d *constituent.Derivation, score float64) { best = max(best, score) })
	if got := w.chart().fill(); got != best {
		t.Errorf("best %v, want %v", got, best)
	}
}
