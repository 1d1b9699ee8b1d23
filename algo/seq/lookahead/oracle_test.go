package lookahead

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/engine/chain"
)

// The tiny tagger: labels A and B, three tokens.
var (
	toyNode = []float64{1.0, 0.8, 0.0, 0.5, 0.2, 1.5}
	toyPair = []float64{0.3, -1.0, -0.5, 0.6} // AA, AB, BA, BB
)

func toyWindow(depth int) *window {
	w := &window{pair: toyPair}
	w.resize(2, depth, 3)
	copy(w.node, toyNode)
	return w
}

// decodeWindow labels greedily by the values of the window, or by trying every sequence.
func decodeWindow(w *window, naive *searcher) []int {
	var out []int
	values := make([]float64, w.labels)
	last, second := start, start
	for t := range w.n {
		if naive == nil {
			w.values(t, last, second, values)
		} else {
			p := naive.p.(interface{ at(t, last, second int) })
			p.at(t, last, second)
			for _, r := range naive.search(w.depth) {
				values[r.action] = r.score + r.tail
			}
		}
		y := chain.Argmax(values)
		out = append(out, y)
		last, second = y, last
	}
	return out
}

// counting counts the leaves of a search.
type counting struct {
	*labelling
	depth, level, leaves int
}

func (c *counting) do(y int) {
	c.labelling.do(y)
	if c.level++; c.level == c.depth+1 || c.t == c.w.n {
		c.leaves++
	}
}

func (c *counting) undo() {
	c.labelling.undo()
	c.level--
}

func TestToyDecoding(t *testing.T) {
	const a, b = 0, 1
	for depth, want := range []struct {
		labels []int
		leaves int
	}{{[]int{a, a, a}, 6}, {[]int{b, b, b}, 10}, {[]int{b, b, b}, 14}, {[]int{b, b, b}, 14}} {
		w := toyWindow(depth)
		if got := decodeWindow(w, nil); !slices.Equal(got, want.labels) {
			t.Errorf("depth %d gives %v, want %v", depth, got, want.labels)
		}
		c := &counting{labelling: newLabelling(w), depth: depth}
		if got := decodeWindow(w, &searcher{p: c}); !slices.Equal(got, want.labels) || c.leaves != want.leaves {
			t.Errorf("depth %d by trying all gives %v with %d leaves, want %v with %d", depth, got, c.leaves,
				want.labels, want.leaves)
		}
	}
}

// toyLearner learns the labels AAB of the tiny tagger; token t has the attribute t.
func toyLearner(depth int, margin float64) *tagLearner {
	m := &model{}
	m.opt.depth, m.opt.margin, m.opt.order = depth, margin, 1
	return newTagLearner(m,
		&chain.Data{Labels: 2, Attributes: 3, Offsets: []uint32{0, 3}, AttrOffsets: []uint32{0, 1, 2, 3},
			Attrs: []uint32{0, 1, 2}, Gold: []uint16{0, 0, 1}}, nil)
}

func (l *tagLearner) current() []float64 {
	var out []float64
	for a := range l.data.Attributes {
		row := make([]float64, l.data.Labels)
		l.w.AddRow(uint32(a), row)
		out = append(out, row...)
	}
	return append(out, l.pair.W...)
}

func TestToyUpdates(t *testing.T) {
	for _, c := range []struct {
		depth   int
		margin  float64
		want    []float64 // e1A e1B e2A e2B e3A e3B AA AB BA BB
		updates int
		decoded []int
	}{
		{0, 0, []float64{1.0, 0.8, 0.0, 0.5, -0.8, 2.5, -0.7, 0.0, -0.5, 0.6}, 1, []int{0, 1, 1}},
		{1, 0, []float64{2.0, -0.2, 1.0, -0.5, -0.8, 2.5, 0.3, 0.0, -0.5, -0.4}, 2, []int{0, 0, 1}},
		{0, 1, []float64{2.0, -0.2, 1.0, -0.5, -0.8, 2.5, 0.3, -1.0, -0.5, 0.6}, 3, []int{0, 0, 1}},
	} {
		l := toyLearner(c.depth, c.margin)
		for k, x := range toyNode {
			l.w.Move(uint32(k/2), uint16(k%2), x, 0)
		}
		copy(l.pair.W, toyPair)
		n, err := l.learn(context.Background(), 0)
		if err != nil || n != c.updates {
			t.Errorf("C=%g, D=%d: %d updates, want %d (%v)", c.margin, c.depth, n, c.updates, err)
		}
		got := l.current()
		for k, x := range c.want {
			if math.Abs(got[k]-x) > 1e-6 {
				t.Errorf("C=%g, D=%d: weights %v, want %v", c.margin, c.depth, got, c.want)
				break
			}
		}
		w := &window{pair: got[6:]}
		w.resize(2, c.depth, 3)
		copy(w.node, got)
		if got := decodeWindow(w, nil); !slices.Equal(got, c.decoded) {
			t.Errorf("C=%g, D=%d: then %v, want %v", c.margin, c.depth, got, c.decoded)
		}
	}
}

// TestToyConvergence begins with weights of 0.
func TestToyConvergence(t *testing.T) {
	for depth, epochs := range []int{1, 2, 2} {
		l := toyLearner(depth, 1)
		total, last := 0, 0
		for epoch := 1; epoch <= 10; epoch++ {
			n, _ := l.learn(context.Background(), 0)
			if total += n; n > 0 {
				last = epoch
			}
		}
		got := l.current()
		w := &window{pair: got[6:]}
		w.resize(2, depth, 3)
		copy(w.node, got)
		if labels := decodeWindow(w, nil); total != 3 || last != epochs || !slices.Equal(labels, []int{0, 0, 1}) {
			t.Errorf("depth %d: %d updates in %d epochs, then %v; want 3 in %d, then AAB", depth, total, last, labels, epochs)
		}
	}
}

// randomWindow has scores that are multiples of 1/8, like weights a sum of which is exact.
func randomWindow(t *rapid.T, order, depth int, forbidden bool) *window {
	labels, n := rapid.IntRange(1, 4).Draw(t, "labels"), rapid.IntRange(1, 6).Draw(t, "n")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	spread := rapid.SampledFrom([]int{3, 1000}).Draw(t, "spread") // few values make ties
	draw := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			if out[i] = float64(rng.IntN(2*spread)-spread) / 8; forbidden && rng.IntN(8) == 0 {
				out[i] = math.Inf(-1)
			}
		}
		return out
	}
	w := &window{pair: draw(labels * labels)}
	forbidden = false // the scheme rules out pairs
	if order == 2 {
		w.triple = draw(labels * labels * labels)
	}
	w.maxima = newMaxima(labels, w.pair, w.triple)
	w.resize(labels, depth, n)
	copy(w.node, draw(n*labels))
	return w
}

func TestSearchesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order, depth := rapid.IntRange(1, 2).Draw(t, "order"), rapid.IntRange(0, 4).Draw(t, "depth")
		w := randomWindow(t, order, depth, rapid.Bool().Draw(t, "rules"))
		p := newLabelling(w)
		s := &searcher{p: p}
		values := make([]float64, w.labels)
		last, second := start, start
		for at := range w.n {
			w.values(at, last, second, values)
			p.at(at, last, second)
			for y, r := range s.search(depth) {
				if r.score+r.tail != values[y] {
					t.Fatalf("token %d label %d: %v, naive %v", at, y, values[y], r.score+r.tail)
				}
				if math.IsInf(values[y], -1) {
					continue
				}
				path := []uint16{uint16(y)}
				for _, a := range r.path {
					path = append(path, uint16(a))
				}
				if got := w.follow(at, last, y); !slices.Equal(got, path) {
					t.Fatalf("token %d label %d: %v, naive %v", at, y, got, path)
				}
			}
			last, second = rapid.IntRange(0, w.labels-1).Draw(t, "label"), last
		}
	})
}

// TestBounds: leaving out what is bounded changes no decision.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order, depth := rapid.IntRange(1, 2).Draw(t, "order"), rapid.IntRange(0, 4).Draw(t, "depth")
		w := randomWindow(t, order, depth, rapid.Bool().Draw(t, "rules"))
		values := make([]float64, w.labels)
		last, second := start, start
		for at := range w.n {
			gold, margin := rapid.IntRange(-1, w.labels-1).Draw(t, "gold"), float64(rapid.IntRange(0, 20).Draw(t, "margin"))
			w.values(at, last, second, values)
			if gold >= 0 {
				values[gold] -= margin
			}
			want := chain.Argmax(values)
			if math.IsInf(values[want], -1) || gold >= 0 && math.IsInf(values[gold], -1) {
				return // what is right is never forbidden; other decoding takes over
			}
			path := slices.Clone(w.follow(at, last, want))
			if got := w.choose(at, last, second, gold, margin); got != want {
				t.Fatalf("token %d: %d of %v, want %d", at, got, values, want)
			}
			if got := w.follow(at, last, want); !slices.Equal(got, path) {
				t.Fatalf("token %d: %v, want %v", at, got, path)
			}
			last, second = rapid.IntRange(0, w.labels-1).Draw(t, "label"), last
		}
	})
}

// score recomputes the score of a whole labelling.
func (w *window) score(labels []int) float64 {
	sum := 0.0
	for t, y := range labels {
		sum += w.row(t)[y]
		if t > 0 {
			sum += w.pair[labels[t-1]*w.labels+y]
		}
		if t > 1 && w.triple != nil {
			sum += w.triple[(labels[t-2]*w.labels+labels[t-1])*w.labels+y]
		}
	}
	return sum
}

// TestDeepIsExhaustive: from depth n−1 on the labelling is the best of all, as Viterbi finds it.
func TestDeepIsExhaustive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.IntRange(1, 2).Draw(t, "order")
		w := randomWindow(t, order, 5, false)
		best := math.Inf(-1)
		labels := make([]int, w.n)
		for {
			best = max(best, w.score(labels))
			k := 0
			for ; k < w.n; k++ {
				if labels[k]++; labels[k] < w.labels {
					break
				}
				labels[k] = 0
			}
			if k == w.n {
				break
			}
		}
		if got := w.score(decodeWindow(w, nil)); got != best {
			t.Fatalf("score %v, the best is %v", got, best)
		}
	})
}

// sentences draws data whose labels depend on attributes and labels before.
func sentences(seed uint64, n, labels int) *chain.Data {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &chain.Data{Labels: labels, Attributes: 40, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for range n {
		last := 0
		for range 1 + rng.IntN(7) {
			a := rng.IntN(20)
			d.Attrs = append(d.Attrs, uint32(a), uint32(20+rng.IntN(20)))
			d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
			if last = (a/3 + last) % labels; rng.IntN(10) == 0 {
				last = rng.IntN(labels)
			}
			d.Gold = append(d.Gold, uint16(last))
		}
		d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
	}
	return d
}

func learnerOf(d *chain.Data, depth, order int, margin float64) *tagLearner {
	m := &model{}
	m.opt.depth, m.opt.margin, m.opt.order = depth, margin, order
	return newTagLearner(m, d, nil)
}

// TestDepthZeroIsThePerceptron compares with the averaged multiclass perceptron, with a margin or
// without, whose averages are sums over every decision.
func TestDepthZeroIsThePerceptron(t *testing.T) {
	for _, margin := range []float64{0, 2} {
		d := sentences(1, 40, 3)
		l := learnerOf(d, 0, 1, margin)
		w, sum, steps := make([]float64, 40*3+9), make([]float64, 40*3+9), 0.0
		for range 3 {
			for i := range d.Sequences() {
				if _, err := l.learn(context.Background(), i); err != nil {
					t.Fatal(err)
				}
				for k := d.Offsets[i]; k < d.Offsets[i+1]; k++ {
					gold := int(d.Gold[k])
					features := func(y int) (out []int) {
						for _, a := range d.Attrs[d.AttrOffsets[k]:d.AttrOffsets[k+1]] {
							out = append(out, int(a)*3+y)
						}
						if k > d.Offsets[i] {
							out = append(out, 120+int(d.Gold[k-1])*3+y)
						}
						return out
					}
					top, best := -1, math.Inf(-1)
					for y := range 3 {
						s := 0.0
						for _, f := range features(y) {
							s += w[f]
						}
						if y == gold {
							s -= margin
						}
						if s > best {
							top, best = y, s
						}
					}
					if top != gold {
						for _, f := range features(gold) {
							w[f]++
						}
						for _, f := range features(top) {
							w[f]--
						}
					}
					for f, x := range w {
						sum[f] += x
					}
					steps++
				}
			}
		}
		compare(t, l, sum, steps)
	}
}

// compare checks that lazy averages are sums of the weights after every decision over their number.
func compare(t *testing.T, l *tagLearner, sum []float64, steps float64) {
	t.Helper()
	if l.decisions != steps {
		t.Fatalf("%v decisions, want %v", l.decisions, steps)
	}
	var p chain.Parts
	l.w.average(&p, steps)
	c, err := chain.NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	n := l.data.Labels
	got := make([]float64, l.data.Attributes*n)
	for s := range c.States() {
		got[int(s.Attr)*n+int(s.Label)] = s.Weight
	}
	for f, x := range append(got, l.pair.average(steps)...) {
		if math.Abs(x-sum[f]/steps) > 1e-6 {
			t.Fatalf("weight %d is %v, by brute force %v", f, x, sum[f]/steps)
		}
	}
}

// TestLazyAverages sums the weights after every decision at depths above 0, on sentences of which
// every decision is seen.
func TestLazyAverages(t *testing.T) {
	for depth := 1; depth <= 3; depth++ {
		d := sentences(2, 30, 3)
		l := learnerOf(d, depth, 1, 1)
		sum := make([]float64, 40*3+9)
		for range 2 {
			for i := range d.Sequences() {
				l.begin(i)
				for at := range l.gold {
					l.step(i, at)
					for f, x := range l.current() {
						sum[f] += x
					}
				}
			}
		}
		compare(t, l, sum, l.decisions)
	}
}

// TestNaiveTraining: both searches learn the same weights.
func TestNaiveTraining(t *testing.T) {
	for order := 1; order <= 2; order++ {
		d := sentences(3, 30, 4)
		a, b := learnerOf(d, 2, order, 3), learnerOf(d, 2, order, 3)
		b.problem = newLabelling(&b.window)
		b.naive = &searcher{p: b.problem}
		for range 3 {
			for i := range d.Sequences() {
				x, _ := a.learn(context.Background(), i)
				if y, _ := b.learn(context.Background(), i); x != y {
					t.Fatalf("order %d, sentence %d: %d updates, naive %d", order, i, x, y)
				}
			}
		}
		if !slices.Equal(a.current(), b.current()) || order == 2 && !slices.Equal(a.triple.W, b.triple.W) {
			t.Errorf("order %d: the weights differ", order)
		}
	}
}

// TestUpdateBound: labels told by one attribute are separable by u = 1 for (a, label of a), −1 for
// the other labels, over its length. Below the right action the label of every later token is free,
// so every token must be separated on its own: sentences have one token, where φ(S_c) − φ(S) is that
// of two labels. Then R² = 2, γ = 2/√(40·L) and updates ≤ (R² + 2C)/γ²; the margin afterwards is
// at least γC/(2C + R²).
func TestUpdateBound(t *testing.T) {
	const labels, attributes = 4, 40
	d := &chain.Data{Labels: labels, Attributes: attributes, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for a := range attributes {
		d.Attrs = append(d.Attrs, uint32(a))
		d.Gold = append(d.Gold, uint16(a%labels))
		d.AttrOffsets, d.Offsets = append(d.AttrOffsets, uint32(a+1)), append(d.Offsets, uint32(a+1))
	}
	gamma := 2 / math.Sqrt(attributes*labels)
	for _, c := range []float64{0, 1, 10} {
		l := learnerOf(d, 1, 1, c)
		total := 0
		for epoch := 0; ; epoch++ {
			n := 0
			for i := range d.Sequences() {
				k, _ := l.learn(context.Background(), i)
				n += k
			}
			if total += n; n == 0 {
				break
			}
			if epoch > 1000 {
				t.Fatalf("C=%g: does not converge", c)
			}
		}
		if bound := (2 + 2*c) / (gamma * gamma); float64(total) > bound {
			t.Errorf("C=%g: %d updates, the bound is %g", c, total, bound)
		}
		w := l.current()
		norm, margin := 0.0, math.Inf(1)
		for _, x := range w {
			norm += x * x
		}
		for a := range attributes {
			for y := range labels {
				if y != a%labels {
					margin = min(margin, w[a*labels+a%labels]-w[a*labels+y])
				}
			}
		}
		if margin /= math.Sqrt(norm); margin < gamma*c/(2*c+2) {
			t.Errorf("C=%g: margin %g, at least %g is proved", c, margin, gamma*c/(2*c+2))
		}
	}
}
