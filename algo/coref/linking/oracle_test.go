package linking

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var background = context.Background()

// partitions yields all clusterings of n mentions, numbered by their first mentions.
func partitions(n int, yield func([]int32)) {
	labels := make([]int32, n)
	var place func(i int, next int32)
	place = func(i int, next int32) {
		if i == n {
			yield(labels)
			return
		}
		for c := int32(0); c <= next; c++ {
			labels[i] = c
			place(i+1, max(next, c+1))
		}
	}
	place(0, 0)
}

// tableOf has the scores w12, w13, w23, w14, …
func tableOf(n int, scores ...float64) *Table {
	t := NewTable(n, 0)
	copy(t.Score, scores)
	return t
}

func random(r *rand.Rand, n int) *Table {
	t := NewTable(n, 0)
	for i := range t.Score {
		t.Score[i] = r.NormFloat64()
	}
	return t
}

func randomRules(r *rand.Rand, n int) *Rules {
	var list []Rule
	for i := range n {
		for j := range i {
			if r.IntN(4) == 0 {
				list = append(list, Rule{int32(j), int32(i), 3 * r.NormFloat64()})
			}
		}
	}
	return NewRules(list)
}

// best is the greatest value of all clusterings.
func best(n int, value func([]int32) float64) (high float64) {
	high = math.Inf(-1)
	partitions(n, func(labels []int32) { high = max(high, value(labels)) })
	return high
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: %.9f, want %.9f", what, got, want)
	}
}

func TestLinkIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := 1 + r.IntN(7)
		x := random(r, n)
		l := link(x, Options{})
		near(t, "best link", Value(x, l.Clusters), best(n, func(c []int32) float64 { return Value(x, c) }))
		if !slices.Equal(Clusters(l.Antecedents), l.Clusters) {
			t.Fatalf("antecedents %v make other clusters than %v", l.Antecedents, l.Clusters)
		}
		if cold := link(x, Options{Temperature: 2e-3}); !slices.Equal(cold.Clusters, l.Clusters) {
			t.Fatalf("at a low temperature %v, at 0 %v", cold.Clusters, l.Clusters)
		}
	}
}

func TestWorkedDecoders(t *testing.T) {
	x := tableOf(4, 1, -.5, -.2, 1, .9, 1.2)
	l := link(x, Options{})
	if !slices.Equal(l.Clusters, []int32{0, 0, 1, 1}) {
		t.Errorf("best link: %v", l.Clusters)
	}
	near(t, "its value", Value(x, l.Clusters), 2.2)
	all, err := AllLink(background, x, AllOptions{Exact: 10, Nodes: 1000})
	if err != nil || !slices.Equal(all.Clusters, []int32{0, 0, 0, 0}) {
		t.Errorf("all link: %v %v", all, err)
	}
	near(t, "its value", all.Value, 3.4)
	forest, value, err := SpanningForest(context.Background(), x, nil)
	if err != nil || !slices.Equal(forest, []int32{0, 0, 0, 0}) {
		t.Errorf("forest: %v %v", forest, err)
	}
	near(t, "its value", value, 3.2)
	for _, c := range []struct {
		temperature float64
		want        []int32
		third       float64
		fourth      float64
	}{{1, []int32{0, 0, 0, 0}, .587673, 1 - .105285}, {.4, []int32{0, 0, 1, 0}, -1, .506838},
		{.3, []int32{0, 0, 1, 1}, -1, .526423}, {.3557, []int32{0, 0, 1, 0}, -1, -1}, {.3555, []int32{0, 0, 1, 1}, -1, -1}} {
		l := link(x, Options{Temperature: c.temperature})
		if !slices.Equal(l.Clusters, c.want) {
			t.Errorf("temperature %v: %v", c.temperature, l.Clusters)
		}
		if c.third >= 0 {
			near(t, "third", l.Prob[2], c.third)
		}
		if c.fourth >= 0 {
			near(t, "fourth", l.Prob[3], c.fourth)
		}
	}
	y := tableOf(4, 2, -3, 1.5, -1, -.5, .4)
	if l := link(y, Options{}); !slices.Equal(l.Antecedents, []int32{None, 0, 1, 2}) {
		t.Errorf("antecedents %v", l.Antecedents)
	}
	all, err = AllLink(background, y, AllOptions{Exact: 10, Nodes: 1000})
	if err != nil || !slices.Equal(all.Clusters, []int32{0, 0, 1, 1}) {
		t.Errorf("all link: %v %v", all, err)
	}
	near(t, "its value", all.Value, 2.4)
}

func TestProbabilitiesOfClusteringsSumToOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 6; n++ {
		x, sum := random(r, n), 0.0
		temperature := .2 + r.Float64()
		partitions(n, func(c []int32) { sum += math.Exp(LogProb(x, c, temperature)) })
		near(t, "sum", sum, 1)
	}
	// of three mentions, by link vectors
	x, g := random(r, 3), .7
	weight := func(j, i int) float64 {
		if j < 0 {
			return 1
		}
		return math.Exp(x.At(j, i) / g)
	}
	together := weight(0, 1) / (1 + weight(0, 1)) * (weight(0, 2) + weight(1, 2)) / (1 + weight(0, 2) + weight(1, 2))
	near(t, "one cluster", math.Exp(LogProb(x, []int32{0, 0, 0}, g)), together)
}

func TestRules(t *testing.T) {
	cannot := NewRules([]Rule{{0, 2, -2}})
	for _, c := range []struct {
		name           string
		table          *Table
		rules          *Rules
		greedy, exact  []int32
		value, optimum float64
		relaxed        float64
	}{
		{"cannot", tableOf(3, .1, -1, 1), cannot, []int32{0, 0, 1}, []int32{0, 1, 1}, .1, 1, 1},
		{"must", tableOf(2, -1.5), NewRules([]Rule{{0, 1, 1}}), []int32{0, 1}, []int32{0, 1}, 0, 0, 1},
		{"both", tableOf(3, .5, -1, .3), NewRules([]Rule{{0, 2, -2}, {1, 2, 3}}), []int32{0, 0, 0}, []int32{0, 1, 1},
			1.8, 3.3, 3.3},
	} {
		l := link(c.table, Options{Rules: c.rules})
		if !slices.Equal(l.Clusters, c.greedy) {
			t.Errorf("%s: greedy %v", c.name, l.Clusters)
		}
		near(t, c.name, RuledValue(c.table, l.Clusters, c.rules), c.value)
		e, err := Exact(background, c.table, ExactOptions{Rules: c.rules, Nodes: 1e5})
		if err != nil || !slices.Equal(e.Clusters, c.exact) {
			t.Errorf("%s: exact %v %v", c.name, e, err)
		}
		near(t, c.name, e.Value, c.optimum)
		e, err = Exact(background, c.table, ExactOptions{Rules: c.rules, Nodes: 1e5, Relaxed: true})
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name+" relaxed", e.Value, c.relaxed)
	}
	far := tableOf(3, 5, 5, 5)
	forbid := NewRules([]Rule{{0, 2, math.Inf(-1)}, {1, 2, math.Inf(-1)}})
	for _, g := range []float64{0, .5} {
		if l := link(far, Options{Rules: forbid, Temperature: g}); !slices.Equal(l.Clusters, []int32{0, 0, 1}) {
			t.Errorf("temperature %v, forbidden: %v", g, l.Clusters)
		}
		force := NewRules([]Rule{{0, 2, math.Inf(1)}})
		if l := link(tableOf(3, -5, -5, -4), Options{Rules: force, Temperature: g}); !slices.Equal(l.Clusters,
			[]int32{0, 1, 0}) {
			t.Errorf("temperature %v, forced: %v", g, l.Clusters)
		}
	}
}

func TestExactIsTheBestOfAllClusterings(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		n := 2 + r.IntN(4)
		x, rules := random(r, n), randomRules(r, n)
		e, err := Exact(background, x, ExactOptions{Rules: rules, Nodes: 1e6})
		if err != nil || !e.Certified {
			t.Fatal(e, err)
		}
		want := best(n, func(c []int32) float64 { return RuledValue(x, c, rules) })
		near(t, "exact", e.Value, want)
		near(t, "its clusters", RuledValue(x, e.Clusters, rules), want)
		if g := RuledValue(x, link(x, Options{Rules: rules}).Clusters, rules); g > want+1e-9 {
			t.Errorf("greedy %v is above the best %v", g, want)
		}
		relaxed, err := Exact(background, x, ExactOptions{Rules: rules, Nodes: 1e6, Relaxed: true})
		if err != nil || relaxed.Value < want-1e-9 {
			t.Errorf("relaxed %v is below the best %v: %v", relaxed.Value, want, err)
		}
	}
}

func TestAllLinkIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		n := 1 + r.IntN(7)
		x := random(r, n)
		all, err := AllLink(background, x, AllOptions{Exact: 10, Nodes: 1e6})
		if err != nil || !all.Certified {
			t.Fatal(all, err)
		}
		want := best(n, func(c []int32) float64 { return AllValue(x, c) })
		near(t, "all link", all.Value, want)
		near(t, "its clusters", AllValue(x, all.Clusters), want)
	}
}

// droppedBest is the greatest value of all choices of pairs under two constraints a triple.
func droppedBest(x *Table, d Drop) (high float64) {
	n, pairs := x.Len(), len(x.Score)
	for bits := range 1 << pairs {
		y := func(j, i int) int { return bits >> x.Pair(j, i) & 1 }
		ok := true
		for k := range n {
			for j := range k {
				for i := range j {
					ij, jk, ik := y(i, j), y(j, k), y(i, k)
					ok = ok && (d == DropTrans || ik >= ij+jk-1) && (d == DropEucl || jk >= ij+ik-1) &&
						(d == DropAnti || ij >= ik+jk-1)
				}
			}
		}
		if !ok {
			continue
		}
		v := 0.0
		for p, w := range x.Score {
			v += w * float64(bits>>p&1)
		}
		high = max(high, v)
	}
	return high
}

func TestDroppedTransitivity(t *testing.T) {
	for _, c := range []struct {
		scores [3]float64 // w12, w13, w23
		drop   Drop
	}{{[3]float64{-1.5, 1, 1}, DropAnti}, {[3]float64{1, 1, -1.5}, DropEucl}, {[3]float64{1, -1.5, 1}, DropTrans}} {
		for _, d := range []Drop{DropTrans, DropEucl, DropAnti, DropNone} {
			x := tableOf(3, c.scores[:]...)
			all, err := AllLink(background, x, AllOptions{Drop: d, Exact: 10, Nodes: 1e5})
			if err != nil {
				t.Fatal(err)
			}
			want, labels := 1.0, 2
			if d == c.drop {
				want, labels = 2, 1
			}
			near(t, string(d), all.Value, want)
			if int(slices.Max(all.Clusters))+1 != labels {
				t.Errorf("%s of %v: clusters %v", d, c.scores, all.Clusters)
			}
		}
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range 12 {
		x := random(r, 2+r.IntN(4))
		full, _ := AllLink(background, x, AllOptions{Exact: 10, Nodes: 1e6})
		for _, d := range []Drop{DropTrans, DropEucl, DropAnti} {
			all, err := AllLink(background, x, AllOptions{Drop: d, Exact: 10, Nodes: 1e6})
			if err != nil || !all.Certified {
				t.Fatal(all, err)
			}
			near(t, string(d), all.Value, droppedBest(x, d))
			if all.Value < full.Value-1e-9 {
				t.Errorf("%s: %v is below %v", d, all.Value, full.Value)
			}
		}
	}
}

func TestForestIsTheBestOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 30 {
		n := 1 + r.IntN(5)
		x := random(r, n)
		_, got, err := SpanningForest(context.Background(), x, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for bits := range 1 << len(x.Score) {
			if v, ok := acyclic(x, bits); ok {
				want = max(want, v)
			}
		}
		near(t, "forest", got, want)
	}
}

// acyclic is the value of a choice of pairs, if it has no cycle.
func acyclic(x *Table, bits int) (v float64, ok bool) {
	labels := make([]int, x.Len())
	for i := range labels {
		labels[i] = i
	}
	for i := range x.Len() {
		for j := range i {
			if p := x.Pair(j, i); bits>>p&1 == 1 {
				a, b := labels[i], labels[j]
				if a == b {
					return 0, false
				}
				for k := range labels {
					if labels[k] == a {
						labels[k] = b
					}
				}
				v += x.Score[p]
			}
		}
	}
	return v, true
}

func TestForestGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 30 {
		n := 2 + r.IntN(4)
		x := random(r, n)
		gold := make([]int32, n)
		for i := range gold {
			gold[i] = int32(r.IntN(2))
		}
		coef := make([]float64, len(x.Score))
		loss, err := ForestGradient(context.Background(), x, gold, coef)
		if err != nil || loss < -1e-9 {
			t.Fatalf("loss %v %v", loss, err)
		}
		for p := range x.Score {
			near(t, "derivative", coef[p], slope(x, p, func() float64 {
				v, _ := ForestGradient(context.Background(), x, gold, make([]float64, len(x.Score)))
				return v
			}))
		}
	}
}

// slope is the central difference by one score.
func slope(x *Table, p int, f func() float64) float64 {
	const h = 1e-6
	w := x.Score[p]
	x.Score[p] = w + h
	up := f()
	x.Score[p] = w - h
	down := f()
	x.Score[p] = w
	return (up - down) / (2 * h)
}

func TestLimitedCandidates(t *testing.T) {
	x := NewTable(5, 2)
	if len(x.Score) != 0+1+2+2+2 || x.First(4) != 2 || len(x.Row(4)) != 2 {
		t.Fatalf("%d scores, first %d", len(x.Score), x.First(4))
	}
	x.Score[x.Pair(2, 4)] = 3
	if x.At(2, 4) != 3 || x.At(0, 4) != 0 || x.Row(4)[0] != 3 {
		t.Error("a pair is at another place")
	}
	for _, l := range []Links{link(x, Options{}), link(x, Options{Temperature: .5})} {
		if l.Antecedents[4] != 2 {
			t.Errorf("antecedents %v", l.Antecedents)
		}
	}
	x.Reset(0, 0)
	if l := link(x, Options{Temperature: 1}); len(l.Clusters) != 0 {
		t.Error("an empty document has clusters")
	}
}

// TestLinkUnderRules compares each decision with one that reads the scores and rules as they are written: the score of
// an antecedent and the weights of all rules between its cluster and the mention.
func TestLinkUnderRules(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n := 2 + r.IntN(6)
		x := random(r, n)
		for i := range x.Score {
			x.Score[i] = float64(r.IntN(9)-4) / 4 // with ties, and scores of 0 and between 0 and 1
		}
		var rules *Rules
		if r.IntN(3) > 0 {
			rules = randomRules(r, n)
		}
		nearest := r.IntN(2) == 0
		l := link(x, Options{Rules: rules, Nearest: nearest})
		for i := range n {
			want, high := int32(None), 0.0
			for k, w := range x.Row(i) {
				j := x.First(i) + k
				for _, rule := range rules.before(i) {
					if l.Clusters[rule.A] == l.Clusters[j] {
						w += rule.Weight
					}
				}
				if w > 0 && (w >= high || nearest) {
					want, high = int32(j), w
				}
			}
			if l.Antecedents[i] != want {
				t.Fatalf("mention %d is linked to %d, want %d: nearest %t, scores %v, rules %v", i, l.Antecedents[i], want,
					nearest, x.Row(i), rules.before(i))
			}
		}
	}
}

// link is Link under a context that does not end.
func link(t *Table, o Options) Links {
	l, err := Link(context.Background(), t, o)
	if err != nil {
		panic(err)
	}
	return l
}
