package mcmc

import (
	"context"
	"math"
	"testing"

	"parlance/algo/engine/partition"
)

// table is the factors of all pairs.
type table struct {
	n, at int32
	f     []int64
}

func newTable(n int, pairs map[[2]int32]float64) *table {
	t := &table{n: int32(n), f: make([]int64, n*n)}
	for p, v := range pairs {
		x := int64(math.Round(v * Unit))
		t.f[int(p[0])*n+int(p[1])], t.f[int(p[1])*n+int(p[0])] = x, x
	}
	return t
}

func (t *table) Select(i int32)         { t.at = i }
func (t *table) Pair(o int32) int64     { return t.f[t.at*t.n+o] }
func (t *table) score(a, b int) float64 { return float64(t.f[a*int(t.n)+b]) / Unit }

// four are the factors of the example of four mentions.
func four() *table {
	return newTable(4, map[[2]int32]float64{{0, 1}: 1, {0, 2}: -.5, {1, 2}: .2, {0, 3}: -1, {1, 3}: .3, {2, 3}: .8})
}

// partitions lists all clusterings of n items by labels that rise with first items.
func partitions(n int) [][]int32 {
	out := [][]int32{{}}
	for range n {
		var next [][]int32
		for _, p := range out {
			top := int32(-1)
			for _, y := range p {
				top = max(top, y)
			}
			for y := int32(0); y <= top+1; y++ {
				next = append(next, append(append([]int32{}, p...), y))
			}
		}
		out = next
	}
	return out
}

func (t *table) of(labels []int32) float64 {
	s := 0.0
	for a := range labels {
		for b := range a {
			if labels[a] == labels[b] {
				s += t.score(a, b)
			}
		}
	}
	return s
}

func key(labels []int32) string {
	b := make([]byte, len(labels))
	for i, y := range labels {
		b[i] = byte('a' + y)
	}
	return string(b)
}

// law is the probability of each allowed clustering.
func (t *table) law(n int, allowed func([]int32) bool) map[string]float64 {
	out, z := map[string]float64{}, 0.0
	for _, p := range partitions(n) {
		if allowed == nil || allowed(p) {
			w := math.Exp(t.of(p))
			out[key(p)] = w
			z += w
		}
	}
	for k := range out {
		out[k] /= z
	}
	return out
}

func TestFourMentions(t *testing.T) {
	f, z := four(), 0.0
	for _, p := range partitions(4) {
		z += math.Exp(f.of(p))
	}
	law := f.law(4, nil)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"Z", z, 26.562236}, {"{12}{34}", law["aabb"], .227754}, {"{1}{234}", law["abbb"], .138140},
		{"{12}{3}{4}", law["aabc"], .102336}, {"{1}{2}{34}", law["abcc"], .083786}} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s = %.6f, want %.6f", c.what, c.got, c.want)
		}
	}
}

// frequencies runs a chain and counts the clusterings.
func frequencies(t *testing.T, w *Partition, gibbs bool, n int) map[string]float64 {
	t.Helper()
	c := NewChain(w, 7)
	c.Hastings, c.Gibbs = true, gibbs
	out, buf := map[string]float64{}, []int32(nil)
	for range n {
		c.Step()
		buf = w.State.Labels(buf[:0])
		out[key(buf)]++
	}
	for k := range out {
		out[k] /= float64(n)
	}
	return out
}

func distance(a, b map[string]float64) float64 {
	d := 0.0
	for k, x := range a {
		d += math.Abs(x - b[k])
	}
	for k, x := range b {
		if _, ok := a[k]; !ok {
			d += x
		}
	}
	return d
}

// TestStationary compares how often a chain is in each clustering with enumeration, for each proposal, with several
// lists of partners, and with items that must and must not be together.
func TestStationary(t *testing.T) {
	pairs := map[[2]int32]float64{}
	r := NewRand(3)
	for a := range int32(6) {
		for b := range a {
			pairs[[2]int32{a, b}] = 2*r.Float64() - 1
		}
	}
	lists := Partners{Items: [][]int32{{0, 1, 2, 3, 4, 5}, {0, 1, 2}, {2, 3, 4, 5}},
		Lists: [][]int32{{0, 1}, {0, 1}, {0, 1, 2}, {0, 2}, {0, 2}, {0, 2}}}
	for _, c := range []struct {
		name    string
		n       int
		o       PartitionOptions
		allowed func([]int32) bool
	}{
		{"cluster", 5, PartitionOptions{Proposal: ByCluster}, nil},
		{"partner", 5, PartitionOptions{Proposal: ByPartner}, nil},
		{"partner of 6", 6, PartitionOptions{Proposal: ByPartner}, nil},
		{"lists", 6, PartitionOptions{Proposal: ByPartner, Partners: lists}, nil},
		{"must, partner", 6, PartitionOptions{Proposal: ByPartner, Must: []int32{0, 1, 0, 3, 3, 5}},
			func(y []int32) bool { return y[0] == y[2] && y[3] == y[4] }},
		{"must, cluster", 6, PartitionOptions{Proposal: ByCluster, Must: []int32{0, 1, 0, 3, 3, 5}},
			func(y []int32) bool { return y[0] == y[2] && y[3] == y[4] }},
		{"cannot", 5, PartitionOptions{Proposal: ByPartner, Cannot: [][2]int32{{0, 1}, {2, 4}}},
			func(y []int32) bool { return y[0] != y[1] && y[2] != y[4] }},
		{"both", 6, PartitionOptions{Proposal: ByCluster, Must: []int32{0, 1, 0, 3, 3, 5}, Cannot: [][2]int32{{2, 4}}},
			func(y []int32) bool { return y[0] == y[2] && y[3] == y[4] && y[2] != y[4] }},
		{"lists and cannot", 6, PartitionOptions{Proposal: ByPartner, Partners: lists, Cannot: [][2]int32{{1, 2}, {2, 4}}},
			func(y []int32) bool { return y[1] != y[2] && y[2] != y[4] }},
	} {
		f := newTable(c.n, pairs6(pairs, c.n))
		state := partition.New(c.n)
		for i, first := range c.o.Must {
			state.Move(i, int(first))
		}
		start := state.Labels(nil)
		for _, gibbs := range []bool{false, true} {
			got := frequencies(t, NewPartition(partition.FromLabels(start), f, c.o), gibbs, 400000)
			if d := distance(f.law(c.n, c.allowed), got); d > .05 {
				t.Errorf("%s, Gibbs %v: L1 distance of frequencies to enumeration %.4f", c.name, gibbs, d)
			}
		}
	}
}

func pairs6(all map[[2]int32]float64, n int) map[[2]int32]float64 {
	out := map[[2]int32]float64{}
	for p, v := range all {
		if int(p[0]) < n {
			out[p] = v
		}
	}
	return out
}

// TestDetailedBalance compares p(y) q(y′|y) α with the same of the way back for all pairs of clusterings, with
// frequencies of proposals from each state.
func TestDetailedBalance(t *testing.T) {
	f := four()
	for proposal := range Proposals {
		moves := map[[2]string]float64{} // probability of proposal times acceptance
		for _, p := range partitions(4) {
			const tries = 40000
			r := NewRand(11)
			for range tries {
				state := partition.FromLabels(p)
				w := NewPartition(state, f, PartitionOptions{Proposal: Proposal(proposal)})
				if !w.Propose(r) {
					continue
				}
				delta, _ := w.Delta(&Sampler{}, nil)
				accept := math.Min(1, math.Exp(delta+w.LogRatio()))
				w.Accept()
				to := state.Labels(nil)
				if got := f.of(to) - f.of(p); math.Abs(got-delta) > 1e-9 {
					t.Fatalf("%v to %v: δ = %v, recomputed %v", p, to, delta, got)
				}
				moves[[2]string{key(p), key(to)}] += accept / tries
			}
		}
		law := f.law(4, nil)
		for m, a := range moves {
			b := moves[[2]string{m[1], m[0]}]
			x, y := law[m[0]]*a, law[m[1]]*b
			if math.Abs(x-y) > .0025*(.05+x+y) && math.Abs(x-y) > .05*(x+y) {
				t.Errorf("%s: flow %s to %s %.5f, back %.5f", Proposals[proposal], m[0], m[1], x, y)
			}
		}
	}
}

// TestIncremental recomputes the score after each of 10⁵ moves, of proposals and of Gibbs steps.
func TestIncremental(t *testing.T) {
	for _, gibbs := range []bool{false, true} {
		incremental(t, gibbs)
	}
}

func incremental(t *testing.T, gibbs bool) {
	t.Helper()
	const n = 12
	pairs := map[[2]int32]float64{}
	r := NewRand(5)
	for a := range int32(n) {
		for b := range a {
			pairs[[2]int32{a, b}] = r.Float64() - .6
		}
	}
	f := newTable(n, pairs)
	w := NewPartition(partition.New(n), f, PartitionOptions{Proposal: ByPartner, Merge: 4})
	c := NewChain(w, 1)
	c.Gibbs = gibbs
	score := 0.0
	for c.Trace.Accepted < 100000 {
		before := c.Trace
		c.Step()
		if c.Trace.Accepted == before.Accepted {
			continue
		}
		score += c.Trace.Gain - before.Gain
		if got := w.Score(); math.Abs(got-score) > 1e-6 {
			t.Fatalf("after %d moves the sum of δ is %v, the score %v", c.Trace.Accepted, score, got)
		}
	}
	if err := w.State.Check(); err != nil {
		t.Error(err)
	}
}

// TestSamplersExact: a share of 1, and an interval of width 0, give the chain of all factors.
func TestSamplersExact(t *testing.T) {
	run := func(s Sampler) ([]int32, Trace) {
		w := NewPartition(partition.New(4), four(), PartitionOptions{Proposal: ByCluster})
		c := NewChain(w, 9)
		c.Sampler = s
		if err := c.Run(context.Background(), 2000); err != nil {
			t.Fatal(err)
		}
		return w.State.Labels(nil), c.Trace
	}
	labels, trace := run(Sampler{})
	for _, s := range []Sampler{{Strategy: Uniform, Proportion: 1}, {Strategy: Confidence, Width: -1, Z: 1.96}} {
		l, tr := run(s)
		if key(l) != key(labels) || tr.Accepted != trace.Accepted || tr.Factors != trace.Factors {
			t.Errorf("%s: %v %+v, exact %v %+v", Strategies[s.Strategy], l, tr, labels, trace)
		}
	}
}

// TestFactorCount: a proposal with all factors takes |A| − 1 + |B|.
func TestFactorCount(t *testing.T) {
	state := partition.FromLabels([]int32{0, 0, 0, 1, 1, 2})
	w := NewPartition(state, newTable(6, nil), PartitionOptions{Proposal: ByCluster})
	r := NewRand(1)
	for range 1000 {
		if !w.Propose(r) {
			continue
		}
		want := state.Size(w.from) - 1
		if w.to >= 0 {
			want += state.Size(w.to)
		}
		if _, n := w.Delta(&Sampler{}, nil); n != want {
			t.Fatalf("%d factors, want %d", n, want)
		}
	}
}

// TestAnnealing finds the most probable clustering.
func TestAnnealing(t *testing.T) {
	s := Schedule{First: 1, Last: .01}
	for seed := range uint64(20) {
		w := NewPartition(partition.New(4), four(), PartitionOptions{Proposal: ByCluster})
		c := NewChain(w, seed)
		for i := range 50 {
			c.Temperature = s.At(i, 50)
			if err := c.Run(context.Background(), 40); err != nil {
				t.Fatal(err)
			}
		}
		if got := key(w.State.Labels(nil)); got != "aabb" {
			t.Errorf("seed %d ends at %s", seed, got)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := NewPartition(partition.New(4), four(), PartitionOptions{})
	if err := NewChain(w, 1).Run(ctx, 10); err == nil {
		t.Error("a chain runs on after its context has ended")
	}
}

// TestAffinityAndRepulsion: factors of pairs that are ±s by whether they are together are factors 2s of those together.
func TestAffinityAndRepulsion(t *testing.T) {
	pairs := map[[2]int32]float64{{0, 1}: .9, {0, 2}: .2, {0, 3}: .1, {1, 2}: .3, {1, 3}: 0, {2, 3}: .7}
	apart := 0.0
	for p := range pairs {
		pairs[p] -= .4
		apart -= pairs[p]
		pairs[p] *= 2
	}
	f := newTable(4, pairs)
	for labels, want := range map[string]float64{"aabb": 1.8, "aabc": 1.2, "abcc": .8, "aaab": .6, "abcd": .2} {
		y := make([]int32, 4)
		for i := range y {
			y[i] = int32(labels[i] - 'a')
		}
		near(t, labels, f.of(y)+apart, want, 1e-9)
	}
	law := f.law(4, nil)
	near(t, "p of the best", law["aabb"], .276640, 1e-6)
	near(t, "pair 1 2", law["aabb"]+law["aabc"]+law["aaab"]+law["aaba"]+law["aaaa"], .586664, 1e-6)
	if d := distance(law, frequencies(t, NewPartition(partition.New(4), f, PartitionOptions{}), false, 400000)); d > .02 {
		t.Errorf("L1 distance of frequencies to enumeration %.4f", d)
	}
}
