package aligner

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/bitext/bitexttest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

var background = context.Background()

// fresh is a model with options.
func fresh(t testing.TB, opts ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(opts); err != nil {
		t.Fatal(err)
	}
	return m
}

func train(t testing.TB, lines []string, opts ...option.Arg) *model {
	t.Helper()
	m := fresh(t, opts...)
	if err := m.Train(background, plain(kind.Documents(bitexttest.Pairs(lines...)))); err != nil {
		t.Fatal(err)
	}
	return m
}

func plain(in kind.Input) *kind.Training {
	return &kind.Training{On: in, Report: func(kind.Progress) {}, Notice: func(string) {}}
}

// newTest is a trainer on lines.
func newTest(t testing.TB, lines []string, m *model) *trainer {
	t.Helper()
	c, err := read(background, kind.Documents(bitexttest.Pairs(lines...)), m.sides(), m.units(), 100)
	if err != nil {
		t.Fatal(err)
	}
	c.sorted()
	tab, x, err := newTable(background, c)
	if err != nil {
		t.Fatal(err)
	}
	m.vocabulary, m.table, m.p = c.vocabulary, tab, m.begin()
	r := newTrainer(c, tab, x, 1)
	r.p, r.joint = &m.p, m.opt.joint
	r.counts = newCounts(tab, r.joint)
	return r
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestIBM1ByHand: three pairs of two words each, from the same probability for all.
func TestIBM1ByHand(t *testing.T) {
	m := fresh(t, kindtest.Arg("model", ibm1), kindtest.Arg("joint", false), kindtest.Arg("null", 0.0))
	r := newTest(t, []string{"the house ||| das Haus", "the book ||| das Buch", "a book ||| ein Buch"}, m)
	for round, want := range [][2]float64{{.5, .5}, {.6364, .5714}, {.7479, .6534}} {
		if _, err := r.round(background, 0); err != nil {
			t.Fatal(err)
		}
		das, _ := m.Translation("the", "das")
		buch, _ := m.Translation("book", "buch")
		haus, _ := m.Translation("house", "Haus")
		near(t, "t(das|the)", das, want[0], 5e-5)
		near(t, "t(Buch|book)", buch, want[0], 5e-5)
		near(t, "t(Haus|house)", haus, want[1], 5e-5)
		if t.Failed() {
			t.Fatalf("after round %d", round+1)
		}
	}
}

// TestHMMByHand: two positions and two observations; the start is even.
func TestHMMByHand(t *testing.T) {
	h := &hmm{}
	for d, w := range map[int]float64{-1: .2, 0: .3, 1: .5, 2: .5} {
		h.Weight[bucket(d)] = w
	}
	var r room
	r.positions(2, 2)
	copy(r.emit, []float64{.7, .2, .3, .8})
	clear(r.none)
	z := 1.0
	for _, s := range h.posteriors(&r, 2, 2, nil) {
		z *= s
	}
	near(t, "Z", z, .274375, 1e-12)
	near(t, "P(a1 = x1)", r.post[0], .7813212, 5e-8)
	near(t, "P(a2 = x2)", r.post[3], .8127563, 5e-8)
}

// enumerate calls f with every path of states, positions from 0 with none at position i as −i−1, and its probability.
func enumerate(h *hmm, r *room, n, m int, f func(path []int, p float64)) {
	norm := func(from int) (s float64) {
		for k := 1; k <= n; k++ {
			s += h.Weight[bucket(k-from)]
		}
		return s
	}
	path := make([]int, 0, m)
	var next func(at int, p float64)
	next = func(at int, p float64) {
		j := len(path)
		if j == m {
			f(path, p)
			return
		}
		path = append(path, -at-1)
		next(at, p*h.Null*r.none[j])
		for i := 1; i <= n; i++ {
			path[j] = i - 1
			next(i, p*(1-h.Null)*h.Weight[bucket(i-at)]/norm(at)*r.emit[j*n+i-1])
		}
		path = path[:j]
	}
	next(0, 1)
}

// TestHMMByEnumeration: likelihood, posteriors, expected jumps and best paths are those over all paths, also where
// jumps are longer than the longest with a weight of its own.
func TestHMMByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {1, 4}, {2, 5}, {4, 4}, {3, 1}, {13, 3}, {25, 2}} {
		n, m := size[0], size[1]
		h, r := &hmm{Null: []float64{.2, .6}[rng.IntN(2)]}, &room{}
		for i := range h.Weight {
			h.Weight[i] = rng.Float64() + .01
		}
		r.positions(n, m)
		for i := range r.emit {
			r.emit[i] = math.Exp(-20 * rng.Float64())
		}
		for j := range r.none {
			r.none[j] = math.Exp(-20 * rng.Float64())
		}
		z, most := 0.0, -1.0
		post, none := make([]float64, n*m), make([]float64, m)
		var taken jumps
		var best []int
		enumerate(h, r, n, m, func(path []int, p float64) {
			z += p
			if p > most {
				most, best = p, slices.Clone(path)
			}
			at := 0
			for j, s := range path {
				if s < 0 {
					none[j] += p
					continue
				}
				post[j*n+s] += p
				taken[bucket(s+1-at)] += p
				at = s + 1
			}
		})
		var st statistics
		got := 1.0
		for _, s := range h.posteriors(r, n, m, &st) {
			got *= s
		}
		near(t, "likelihood", got/z, 1, 1e-10)
		for i := range post {
			near(t, "posterior", r.post[i], post[i]/z, 1e-10)
		}
		for j := range none {
			near(t, "posterior of none", r.nullPost[j], none[j]/z, 1e-10)
		}
		for d := range taken {
			near(t, "jumps", st.taken[d], taken[d]/z, 1e-10)
		}
		path := make([]int, m)
		h.best(r, n, m, path)
		for j := range best {
			if path[j] != max(best[j], -1) {
				t.Errorf("%v: the best path is %v, want %v", size, path, best)
				break
			}
		}
	}
}

// TestLikelihood: it never falls, in both directions apart.
func TestLikelihood(t *testing.T) {
	lines := bitexttest.Generated(200, 3)
	for _, name := range []string{ibm1, byHMM} {
		m := fresh(t, kindtest.Arg("model", name), kindtest.Arg("joint", false))
		r := newTest(t, lines, m)
		before := math.Inf(-1)
		for round := range 12 {
			log, err := r.round(background, 0)
			if err != nil {
				t.Fatal(err)
			}
			if log < before-1e-4*math.Abs(before)*1e-2 {
				t.Fatalf("%s: round %d takes the log likelihood from %v to %v", name, round, before, log)
			}
			before = log
		}
	}
}

// TestAgreement: expected links are products of the posteriors of both directions, those from none the rest.
func TestAgreement(t *testing.T) {
	lines := bitexttest.Generated(30, 4)
	m := fresh(t)
	r := newTest(t, lines, m)
	r.batchCells = 100
	type link struct{ e, f uint32 }
	want, targets, sources := map[link]float64{}, map[uint32]float64{}, map[uint32]float64{}
	for k := range r.c.size() {
		a, b := r.c.sentence(source, k), r.c.sentence(target, k)
		var rooms [2]room
		for d, n := range [2]int{len(a), len(b)} {
			by := len(a) + len(b) - n
			rooms[d].positions(n, by)
			m.emissions(d, &rooms[d], [2][]uint32{a, b})
			m.p.hmm[d].posteriors(&rooms[d], n, by, nil)
		}
		for i, e := range a {
			sources[e]++
			for j, f := range b {
				q := rooms[0].post[j*len(a)+i] * rooms[1].post[i*len(b)+j]
				want[link{e, f}] += q
				sources[e] -= q
				targets[f] -= q
			}
		}
		for _, f := range b {
			targets[f]++
		}
	}
	if _, err := r.round(background, 0); err != nil {
		t.Fatal(err)
	}
	for e := range r.c.vocabulary[source].Words {
		for i := r.t.starts[e]; i < r.t.starts[e+1]; i++ {
			near(t, "links", r.counts.links[0][i], want[link{uint32(e), r.t.targets[i]}], 1e-5)
			delete(want, link{uint32(e), r.t.targets[i]})
		}
		near(t, "source words from none", r.counts.null[1][e], sources[uint32(e)], 1e-4)
	}
	for f, n := range targets {
		near(t, "target words from none", r.counts.null[0][f], n, 1e-4)
	}
	if len(want) > 0 {
		t.Errorf("%d pairs of words have no entry", len(want))
	}
}

// TestMaximise: shares of counts in both directions sum up to one; with a prior they follow its estimate.
func TestMaximise(t *testing.T) {
	m := fresh(t, kindtest.Arg("joint", false))
	r := newTest(t, bitexttest.Generated(40, 5), m)
	rng := rand.New(rand.NewPCG(3, 3))
	for d := range r.counts.links {
		for i := range r.counts.links[d] {
			r.counts.links[d][i] = rng.Float64() * 3
		}
	}
	r.t.maximise(r.counts, 0)
	rows := func(d int, f func(word uint32, entries []int)) {
		of := map[uint32][]int{}
		for e := range r.c.vocabulary[source].Words {
			for i := r.t.starts[e]; i < r.t.starts[e+1]; i++ {
				w := uint32(e)
				if d == 1 {
					w = r.t.targets[i]
				}
				of[w] = append(of[w], int(i))
			}
		}
		for w, list := range of {
			f(w, list)
		}
	}
	for d := range 2 {
		rows(d, func(_ uint32, entries []int) {
			s := 0.0
			for _, i := range entries {
				s += float64(r.t.prob[d][i])
			}
			near(t, "sum of a row", s, 1, 1e-5)
		})
	}
	r.t.maximise(r.counts, .3)
	for d := range 2 {
		rows(d, func(_ uint32, entries []int) {
			all := 0.0
			for _, i := range entries {
				all += r.counts.links[d][i] + .3
			}
			for _, i := range entries {
				near(t, "t", float64(r.t.prob[d][i]), expDigamma(r.counts.links[d][i]+.3)/expDigamma(all), 1e-6)
			}
		})
	}
}

// TestDigamma: ψ(1) = −γ, ψ(1/2) = −γ − 2 log 2, ψ(x+1) = ψ(x) + 1/x.
func TestDigamma(t *testing.T) {
	const gamma = 0.57721566490153286
	near(t, "ψ(1)", math.Log(expDigamma(1)), -gamma, 1e-10)
	near(t, "ψ(1/2)", math.Log(expDigamma(.5)), -gamma-2*math.Ln2, 1e-10)
	for _, x := range []float64{.01, .3, 6.9, 7, 50, 1e6} {
		near(t, "ψ(x+1)", math.Log(expDigamma(x+1)), math.Log(expDigamma(x))+1/x, 1e-9)
	}
}

// TestDiagonal: the prior is its formula, and the λ that is found makes the distances what they were.
func TestDiagonal(t *testing.T) {
	d := &diagonal{Null: .1, Lambda: 3}
	p := make([]float64, 4)
	d.prior(p, 2, 3)
	z := 0.0
	for i := 1; i <= 4; i++ {
		z += math.Exp(-3 * math.Abs(float64(i)/4-2.0/3))
	}
	for i := range p {
		near(t, "prior", p[i], .9*math.Exp(-3*math.Abs(float64(i+1)/4-2.0/3))/z, 1e-12)
	}
	sizes, order := map[lengths]float64{{5, 7}: 3, {9, 4}: 2}, []lengths{{5, 7}, {9, 4}}
	expected := func(d *diagonal) (s float64) {
		for _, o := range order {
			for j := 1; j <= o.m; j++ {
				q := make([]float64, o.n)
				d.prior(q, j, o.m)
				for i := range q {
					s += sizes[o] * q[i] * distance(i+1, j, o.n, o.m)
				}
			}
		}
		return s
	}
	links := (1 - d.Null) * weightOf(sizes, order)
	for _, lambda := range []float64{.5, 2, 8} {
		truth := &diagonal{Null: .1, Lambda: lambda}
		found := expected(truth)
		for range 3 {
			d.maximise(found, links, sizes, order)
		}
		near(t, "λ", d.Lambda, lambda, 1e-3)
	}
}

// TestSymmetrize: both, either and what grows, on a drawn table.
func TestSymmetrize(t *testing.T) {
	parse := func(rows ...string) grid {
		g := newGrid(len(rows), len(rows[0]))
		for i, r := range rows {
			for j := range r {
				g.on[i*g.m+j] = r[j] == 'x'
			}
		}
		return g
	}
	forward := parse(
		"x....",
		"x....",
		".....",
		"...x.",
		".x...")
	backward := parse(
		"x.x..",
		".....",
		"..x..",
		"...xx",
		".....")
	for way, want := range map[string]grid{
		byForward: forward, byBackward: backward,
		byIntersection: parse("x....", ".....", ".....", "...x.", "....."),
		byUnion:        parse("x.x..", "x....", "..x..", "...xx", ".x..."),
		// (1,0) and (3,4) touch links of both; so does (2,2), by its corner.
		byGrow: parse("x....", "x....", "..x..", "...xx", "....."),
		// (4,1): neither word has a link yet. (0,2): both have.
		byFinalAnd: parse("x....", "x....", "..x..", "...xx", ".x..."),
		byFinal:    parse("x....", "x....", "..x..", "...xx", ".x..."),
	} {
		if got := symmetrize(background, way, forward, backward); !slices.Equal(got.on, want.on) {
			t.Errorf("%s: %v, want %v", way, got.on, want.on)
		}
	}
	// A source word that has a link takes a further one in the end by final, not by final_and.
	forward, backward = parse("x..x", "...."), parse("x...", "....")
	for way, want := range map[string]grid{byGrow: parse("x...", "...."), byFinalAnd: parse("x...", "...."),
		byFinal: parse("x..x", "....")} {
		if got := symmetrize(background, way, forward, backward); !slices.Equal(got.on, want.on) {
			t.Errorf("%s: %v, want %v", way, got.on, want.on)
		}
	}
}

// TestTable: each cell names the entry of its words.
func TestTable(t *testing.T) {
	m := fresh(t)
	r := newTest(t, append(bitexttest.Generated(50, 6), "a a b ||| c c", "b ||| c d c d"), m)
	pairs := map[[2]uint32]bool{}
	for k := range r.c.size() {
		a, b := r.c.sentence(source, k), r.c.sentence(target, k)
		for i, e := range a {
			for j, f := range b {
				pairs[[2]uint32{e, f}] = true
				if got := r.x.entries[r.x.at[k]+i*len(b)+j]; int(got) != r.t.find(e, f) || r.t.find(e, f) < 0 {
					t.Fatalf("cell %d %d of sentence %d is entry %d, not %d", i, j, k, got, r.t.find(e, f))
				}
			}
		}
	}
	if len(pairs) != len(r.t.targets) {
		t.Errorf("%d entries for %d pairs of words", len(r.t.targets), len(pairs))
	}
	if r.t.find(bitext.Unseen, 0) >= 0 || r.t.find(0, bitext.Unseen) >= 0 {
		t.Error("a word that was not in training has an entry")
	}
}
