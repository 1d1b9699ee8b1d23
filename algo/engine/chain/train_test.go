package chain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomData is sequences of up to longest tokens whose labels depend on attributes and
// on the label before.
func randomData(rng *rand.Rand, sequences, longest, labels, attributes int, values bool) *Data {
	d := &Data{Labels: labels, Attributes: attributes, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for range sequences {
		last := 0
		for range rng.IntN(longest + 1) {
			y := (last + rng.IntN(2)) % labels
			if rng.IntN(5) == 0 {
				y = rng.IntN(labels)
			}
			for range 1 + rng.IntN(4) {
				a := rng.IntN(attributes)
				if rng.IntN(2) == 0 {
					a = y % attributes
				}
				d.Attrs = append(d.Attrs, uint32(a))
				if values {
					d.Values = append(d.Values, float32(rng.IntN(7)-2)/2)
				}
			}
			d.Gold = append(d.Gold, uint16(y))
			d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
			last = y
		}
		d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
	}
	return d
}

func mustObjective(t testing.TB, d *Data, l2 float64, workers int, all bool) *objective {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	l, err := newLayout(d, all, all)
	if err != nil {
		t.Fatal(err)
	}
	return newObjective(d, l, l2, workers)
}

func (o *objective) at(t testing.TB, w []float64) (float64, []float64) {
	t.Helper()
	g := make([]float64, len(w))
	f, err := o.evaluate(context.Background(), w, g)
	if err != nil {
		t.Fatal(err)
	}
	return f, g
}

// TestObjectiveAgainstEnumeration compares the loss with all labellings.
func TestObjectiveAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		for _, spread := range []float64{1, 10, 800} {
			d := randomData(rng, 6, 4, 1+rng.IntN(4), 6, round%3 == 0)
			if d.Tokens() == 0 {
				continue
			}
			o := mustObjective(t, d, 0.7, 1, round%2 == 0)
			w := make([]float64, o.layout.size())
			for i := range w {
				w[i] = spread * math.Round(4*rng.NormFloat64()) / 4
			}
			m, err := NewModel(Parts{d.Labels, d.Attributes, o.layout.attrStart, o.layout.pairLabel,
				w[:o.layout.states()], o.layout.from, o.layout.to, w[o.layout.states():]})
			if err != nil {
				t.Fatal(err)
			}
			var want float64
			for i := range d.Sequences() {
				s, gold := d.Sequence(i), d.Gold[d.Offsets[i]:d.Offsets[i+1]]
				or := newOracle(d.Labels, s.Len(), stateScores(m, s), transitionOf(m), nil)
				k := slices.IndexFunc(or.paths, func(p Path) bool { return slices.Equal(p.Labels, gold) })
				want += or.logZ - or.paths[k].Score
			}
			for _, v := range w {
				want += 0.35 * v * v
			}
			if got, _ := o.at(t, w); !near(got, want) {
				t.Fatalf("spread %g: %v, want %v", spread, got, want)
			}
		}
	}
}

// TestGradient compares with finite differences on every path: four lanes, values, more
// labels than lanes hold, all features, log space.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 6))
	for _, c := range []struct {
		name   string
		labels int
		values bool
		all    bool
		spread float64
		guard  bool
	}{
		{"lanes", 5, false, false, 1, false}, {"lanes, all", 4, false, true, 1, false},
		{"lanes, dense", 5, false, false, 9, false}, {"values", 5, true, false, 1, false},
		{"40 labels", 40, false, false, 1, false}, {"40 labels, all", 40, false, true, 0.5, false},
		{"one label", 1, false, false, 1, false}, {"log space", 4, false, false, 150, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.labels > 5 {
				t.Skip("one goroutine, much arithmetic: nothing for a short run")
			}
			d := randomData(rng, 11, 9, c.labels, 12, c.values)
			o := mustObjective(t, d, 0.5, 1, c.all)
			w := make([]float64, o.layout.size())
			for i := range w {
				w[i] = c.spread * rng.NormFloat64()
			}
			f0, g := o.at(t, w)
			if guarded := o.trans.active == nil; guarded != c.guard {
				t.Fatalf("guarded: %v, want %v", guarded, c.guard)
			}
			for k := range w {
				const h = 1e-4
				v := w[k]
				w[k] = v + h
				up, _ := o.at(t, w)
				w[k] = v - h
				down, _ := o.at(t, w)
				w[k] = v
				if want := (up - down) / (2 * h); math.Abs(g[k]-want) > 1e-5*(1+math.Abs(want))+1e-10*math.Abs(f0)/h {
					t.Fatalf("gradient %d of %d is %v, want %v", k, len(w), g[k], want)
				}
			}
		})
	}
}

// TestLanesAgree compares four lanes with one sequence at a time, and with log space.
func TestLanesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	rng := rand.New(rand.NewPCG(9, 6))
	for _, spread := range []float64{0.5, 3, 12} {
		d := randomData(rng, 200, 40, 17, 50, false)
		o := mustObjective(t, d, 1, 1, false)
		w := make([]float64, o.layout.size())
		for i := range w {
			w[i] = spread * rng.NormFloat64()
		}
		f, g := o.at(t, w)
		slow := mustObjective(t, d, 1, 1, false)
		for _, s := range slow.shards {
			s.pairs = nil
		}
		f2, g2 := slow.at(t, w)
		if !near(f, f2) {
			t.Errorf("spread %g: %v in lanes, %v one by one", spread, f, f2)
		}
		for k := range g {
			if math.Abs(g[k]-g2[k]) > 1e-8*(1+math.Abs(g[k])) {
				t.Fatalf("spread %g: gradient %d is %v in lanes, %v one by one", spread, k, g[k], g2[k])
			}
		}
	}
}

// bitsOf is the whole model as bytes.
func bitsOf(m *Model) string {
	var b bytes.Buffer
	p := m.Parts()
	for _, ws := range [][]float64{p.Weights, p.TransWeights} {
		for _, w := range ws {
			fmt.Fprintf(&b, "%016x", math.Float64bits(w))
		}
	}
	return b.String()
}

func mustTrain(t testing.TB, d *Data, o Options, report func(Progress) bool) (*Model, Summary) {
	t.Helper()
	m, s, err := Train(context.Background(), d, o, report)
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

// TestTrainWorkers wants the same bits from any number of workers.
func TestTrainWorkers(t *testing.T) {
	d := randomData(rand.New(rand.NewPCG(1, 6)), 2500, 20, 5, 3000, false)
	if d.Tokens() < 2*shardTokens {
		t.Fatalf("%d tokens make one shard only", d.Tokens())
	}
	for _, o := range []Options{{L2: 1, Iterations: 6}, {L1: 1, Iterations: 6},
		{L2: 1, Iterations: 3, WarmStart: true, Seed: 3}} {
		counts := []int{1, 2, 5}
		if testing.Short() {
			o.Iterations, counts = 1, []int{1, 3}
		}
		var want string
		for _, workers := range counts {
			o.Workers = workers
			m, _ := mustTrain(t, d, o, nil)
			if got := bitsOf(m); want == "" {
				want = got
			} else if got != want {
				t.Errorf("%+v: other weights with %d workers", o, workers)
			}
		}
	}
}

// TestTrainResume goes on from every checkpoint and wants the bits of the whole run.
func TestTrainResume(t *testing.T) {
	d := randomData(rand.New(rand.NewPCG(2, 6)), 60, 12, 5, 30, true)
	for _, o := range []Options{{L2: 1, Iterations: 9, Period: 3, Delta: 1e-6}, {L1: 0.5, L2: 0.1, Iterations: 9},
		{L2: 1, Iterations: 5, WarmStart: true, Seed: 11}} {
		var saved []*bytes.Buffer
		whole, sum := mustTrain(t, d, o, func(p Progress) bool {
			b := &bytes.Buffer{}
			if err := p.Checkpoint(b); err != nil {
				t.Fatal(err)
			}
			saved = append(saved, b)
			return false
		})
		for k, b := range saved {
			r := o
			r.Resume = b
			m, got := mustTrain(t, d, r, nil)
			if bitsOf(m) != bitsOf(whole) || got != sum {
				t.Fatalf("%+v: resumed from report %d: %+v, want %+v", o, k+1, got, sum)
			}
		}
	}
}

func TestCheckpointRefused(t *testing.T) {
	d := randomData(rand.New(rand.NewPCG(2, 7)), 6, 4, 3, 5, false)
	for _, o := range []Options{{L2: 1, Iterations: 2}, {L2: 1, Iterations: 2, WarmStart: true}} {
		var b bytes.Buffer
		mustTrain(t, d, o, func(p Progress) bool {
			if err := p.Checkpoint(&b); err != nil {
				t.Fatal(err)
			}
			return true
		})
		try := func(o Options, d *Data, p []byte) error {
			o.Resume = bytes.NewReader(p)
			_, _, err := Train(context.Background(), d, o, nil)
			return err
		}
		if err := try(o, d, b.Bytes()); err != nil {
			t.Fatal(err)
		}
		for i := range b.Len() {
			p := bytes.Clone(b.Bytes())
			p[i] ^= 4
			if err := try(o, d, p); err == nil {
				t.Fatalf("byte %d changed and accepted", i)
			}
			if err := try(o, d, p[:i]); err == nil {
				t.Fatalf("cut after %d bytes and accepted", i)
			}
		}
		other := o
		other.L2 = 3
		if err := try(other, d, b.Bytes()); !errors.Is(err, ErrInvalid) {
			t.Errorf("other options: %v", err)
		}
		d2 := *d
		d2.Gold = slices.Clone(d.Gold)
		slices.Reverse(d2.Gold)
		if err := try(o, &d2, b.Bytes()); err == nil {
			t.Error("other data accepted")
		}
	}
}

// TestOptimum checks that all routes lead to the one minimum, where the gradient is 0.
func TestOptimum(t *testing.T) {
	d := randomData(rand.New(rand.NewPCG(3, 6)), 80, 10, 4, 12, false)
	plain, want := mustTrain(t, d, Options{L2: 1, Epsilon: 1e-8}, nil)
	for name, o := range map[string]Options{
		"warm start": {L2: 1, Epsilon: 1e-8, WarmStart: true, Seed: 4},
		"initial":    {L2: 1, Epsilon: 1e-8, Initial: plain},
		"memory":     {L2: 1, Epsilon: 1e-8, Memory: 20},
	} {
		m, got := mustTrain(t, d, o, nil)
		if math.Abs(got.Objective-want.Objective) > 1e-7*want.Objective {
			t.Errorf("%s: objective %v, want %v", name, got.Objective, want.Objective)
		}
		p, q := plain.Parts().Weights, m.Parts().Weights
		for i := range p {
			if math.Abs(p[i]-q[i]) > 1e-4 {
				t.Fatalf("%s: weight %d is %v, want %v", name, i, q[i], p[i])
			}
		}
		if name == "initial" && got.Iterations > 3 {
			t.Errorf("%d iterations from the minimum", got.Iterations)
		}
	}
}

// TestL1Sparsity checks the conditions of optimality under L1 and that pruning changes
// nothing.
func TestL1Sparsity(t *testing.T) {
	const c = 3
	d := randomData(rand.New(rand.NewPCG(4, 6)), 80, 10, 4, 40, false)
	m, sum := mustTrain(t, d, Options{L1: c, L2: 0.1, Epsilon: 1e-7, Iterations: 2000}, nil)
	o := mustObjective(t, d, 0.1, 1, false)
	p := m.Parts()
	w := append(slices.Clone(p.Weights), p.TransWeights...)
	_, g := o.at(t, w)
	zeros := 0
	for i, v := range w {
		miss := max(0, math.Abs(g[i])-c)
		if v != 0 {
			miss = math.Abs(g[i] + math.Copysign(c, v))
		} else {
			zeros++
		}
		if miss > 1e-3 {
			t.Errorf("weight %d = %g, gradient %g (%s)", i, v, g[i], sum.Status)
		}
	}
	if zeros < len(w)/10 || zeros == len(w) {
		t.Errorf("%d of %d weights are 0", zeros, len(w))
	}
	q := m.Prune(0)
	n := 0
	for range q.States() {
		n++
	}
	for range q.Transitions() {
		n++
	}
	if n != len(w)-zeros {
		t.Errorf("%d weights after pruning, want %d", n, len(w)-zeros)
	}
	a, _ := m.NewDecoder(nil)
	b, _ := q.NewDecoder(nil)
	for i := range d.Sequences() {
		a.Load(d.Sequence(i))
		b.Load(d.Sequence(i))
		if !near(a.LogZ(), b.LogZ()) {
			t.Fatalf("log Z %v, pruned %v", a.LogZ(), b.LogZ())
		}
	}
}

// TestPruneLeast: a weight of an attribute stays from the limit on, on either side of 0; transitions stay all.
func TestPruneLeast(t *testing.T) {
	m, err := NewModel(Parts{Labels: 2, Attributes: 3, AttrStart: []uint32{0, 2, 4, 5}, PairLabel: []uint16{0, 1, 0, 1, 0},
		Weights: []float64{0.5, -0.5, 0.49, -0.49, 0}, TransFrom: []uint16{0}, TransTo: []uint16{1},
		TransWeights: []float64{0.1}})
	if err != nil {
		t.Fatal(err)
	}
	p := m.Prune(0.5).Parts()
	if !slices.Equal(p.Weights, []float64{0.5, -0.5}) || !slices.Equal(p.AttrStart, []uint32{0, 2, 2, 2}) ||
		!slices.Equal(p.PairLabel, []uint16{0, 1}) || !slices.Equal(p.TransWeights, []float64{0.1}) {
		t.Errorf("%+v", p)
	}
}

// TestManyLabelsTrain trains with labels that need 16 bits.
func TestManyLabelsTrain(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	d := &Data{Labels: MaxLabels, Attributes: 3, Offsets: []uint32{0, 3}, AttrOffsets: []uint32{0, 1, 2, 3},
		Attrs: []uint32{0, 1, 2}, Gold: []uint16{65534, 0, 40000}}
	m, _ := mustTrain(t, d, Options{L2: 0.01, Iterations: 15}, nil)
	dec, err := m.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	dec.Load(d.Sequence(0))
	if y, _, err := dec.Viterbi(); err != nil || !slices.Equal(y, d.Gold) {
		t.Errorf("%v, want %v (%v)", y, d.Gold, err)
	}
}

func TestTrainStops(t *testing.T) {
	d := randomData(rand.New(rand.NewPCG(5, 6)), 30, 10, 4, 40, false)
	for _, warm := range []bool{false, true} {
		var last *Model
		m, sum := mustTrain(t, d, Options{L2: 1, WarmStart: warm}, func(p Progress) bool {
			last = p.Model()
			return p.Step == 3
		})
		if sum.Status.String() != "stopped" || bitsOf(m) != bitsOf(last) {
			t.Errorf("%+v, or another model than the last report", sum)
		}
		ctx, cancel := context.WithCancel(context.Background())
		_, _, err := Train(ctx, d, Options{L2: 1, WarmStart: warm}, func(Progress) bool { cancel(); return false })
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestRefused(t *testing.T) {
	good := func() *Data { return randomData(rand.New(rand.NewPCG(6, 6)), 5, 5, 3, 4, true) }
	for name, spoil := range map[string]func(*Data){
		"labels": func(d *Data) { d.Labels = 0 }, "many": func(d *Data) { d.Labels = MaxLabels + 1 },
		"gold": func(d *Data) { d.Gold[0] = 3 }, "attribute": func(d *Data) { d.Attrs[1] = 4 },
		"offsets": func(d *Data) { d.Offsets = nil }, "end": func(d *Data) { d.Offsets[len(d.Offsets)-1]++ },
		"falling": func(d *Data) { d.AttrOffsets[1] = 1 << 30 }, "values": func(d *Data) { d.Values = d.Values[1:] },
		"value": func(d *Data) { d.Values[0] = float32(math.NaN()) },
		"empty": func(d *Data) { *d = Data{Labels: 1, Offsets: []uint32{0}, AttrOffsets: []uint32{0}} },
	} {
		d := good()
		spoil(d)
		if _, _, err := Train(context.Background(), d, Options{}, nil); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, o := range []Options{{L1: -1}, {L2: math.NaN()}, {Iterations: -1}, {L1: 1, WarmStart: true},
		{Epsilon: math.Inf(1)}, {Resume: io.LimitReader(nil, 0)}} {
		if _, _, err := Train(context.Background(), good(), o, nil); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestLongSequence trains on one sequence of 10,000 tokens, whose gradient is as long.
func TestLongSequence(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	const n = 10000
	d := &Data{Labels: 2, Attributes: n / 10, Offsets: []uint32{0, n}, AttrOffsets: []uint32{0}}
	for i := range uint32(n) {
		d.Attrs = append(d.Attrs, i%(n/10))
		d.AttrOffsets = append(d.AttrOffsets, i+1)
		d.Gold = append(d.Gold, uint16(i%50/49))
	}
	_, sum, err := Train(context.Background(), d, Options{L2: 1, Iterations: 20, WarmStart: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.IsNaN(sum.Objective) || sum.Objective > n*math.Ln2/4 {
		t.Errorf("objective %v", sum.Objective)
	}
}
