package nonlocal

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// toy is texts such as pqp/ABA: words p, q, r with labels A and B, transitions without a start, and
// the numbers of pairs of tokens with the same word that have the same label, or different ones.
func toy(list ...string) *texts {
	x := &texts{labels: 2, nodes: 3, edges: 1, start: []uint32{0}, width: 2,
		node: lists{from: []uint32{0}}, edge: lists{from: []uint32{0}}}
	for _, s := range list {
		words, labels, _ := strings.Cut(s, "/")
		for i := range words {
			x.node.list = append(x.node.list, uint32(words[i]-'p'))
			x.node.from = append(x.node.from, uint32(len(x.node.list)))
			if i > 0 {
				x.edge.list = append(x.edge.list, 0)
			}
			x.edge.from = append(x.edge.from, uint32(len(x.edge.list)))
			x.gold = append(x.gold, uint16(labels[i]-'A'))
		}
		x.start = append(x.start, uint32(len(x.gold)))
	}
	x.nonlocal = func(i int, y []uint16, out []entry) []entry {
		var n [2]float64
		words, _, _ := strings.Cut(list[i], "/")
		for a := range y {
			for b := range a {
				if words[a] == words[b] {
					if y[a] == y[b] {
						n[1]++
					} else {
						n[0]++
					}
				}
			}
		}
		for id, v := range n {
			if v != 0 {
				out = append(out, entry{uint32(id), v})
			}
		}
		return out
	}
	return x
}

var three = []string{"pqp/ABA", "qr/BB", "rpr/BAB"}

// named lists the weights that are not 0.
func named(x *texts, w weights) string {
	names := map[int]string{x.local(): "diff", x.local() + 1: "same"}
	for a := range 3 {
		for y := range 2 {
			names[a*2+y] = fmt.Sprintf("e%c%c", 'p'+a, 'A'+y)
		}
	}
	for b := range 2 {
		for y := range 2 {
			names[x.edgeBase()+b*2+y] = fmt.Sprintf("t%c%c", 'A'+b, 'A'+y)
		}
	}
	var out []string
	for i, v := range w {
		if v != 0 {
			out = append(out, fmt.Sprintf("%s %g", names[i], v))
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// run trains until a pass makes no update.
func run(t *testing.T, l *learner) (sum trace, passes int) {
	t.Helper()
	for passes = 1; passes < 500; passes++ {
		p, err := l.pass(context.Background(), order(l.x.len(), -1, passes))
		if err != nil {
			t.Fatal(err)
		}
		if p.total+p.local == 0 {
			break
		}
		sum.total += p.total
		sum.local += p.local
	}
	return sum, passes
}

// The numbers are those of Kazama and Torisawa's algorithms worked by hand.
func TestAlgorithmsByHand(t *testing.T) {
	four := []string{"rqr/ABA", "pp/BB"}
	for _, c := range []struct {
		name                 string
		texts                []string
		s                    settings
		total, local, passes int
		want                 string
	}{
		{"perceptron", three, settings{}, 0, 4, 3, "epA 1, epB -1, eqA -2, eqB 2, erA -1, erB 1, tAA -2, tAB 1, tBA 1"},
		{"margin 0", three, settings{rule: margin}, 0, 4, 3, "epA 1, epB -1, eqA -2, eqB 2, erA -1, erB 1, tAA -2, tAB 1, " +
			"tBA 1"},
		{"margin 5", three, settings{rule: margin, local: 5}, 0, 10, 6, ""},
		{"margin 50", three, settings{rule: margin, local: 50}, 0, 78, 38, ""},
		{"proposed 0", three, settings{rule: proposed, n: 2}, 4, 0, 3, "epA 1, epB -1, eqA -2, eqB 2, erA -1, erB 1, tAA " +
			"-2, tAB 1, tBA 1"},
		{"proposed 5", three, settings{rule: proposed, n: 2, local: 5, total: 5}, 8, 2, 6,
			"diff -1, epA 3, epB -3, eqA -4, eqB 4, erA -3, erB 3, same 1, tAA -3, tAB 1, tBA 1, tBB 1"},
		{"candidate 5", three, settings{rule: candidate, n: 2, total: 5}, 12, 0, 8,
			"diff -1, epA 4, epB -4, eqA -4, eqB 4, erA -4, erB 4, same 1, tAA -2, tAB 1, tBA 1"},
		{"candidate fails", four, settings{rule: candidate, n: 2}, 3, 0, 3,
			"diff -1, epA -1, epB 1, eqA -1, eqB 1, erA 2, erB -2, same 1, tAA -2, tAB 1, tBA 2, tBB -1"},
		{"proposed does not", four, settings{rule: proposed, n: 2}, 3, 1, 3,
			"diff -1, epA -2, epB 2, eqA -1, eqB 1, erA 2, erB -2, same 1, tAA -2, tAB 1, tBA 1"},
	} {
		x := toy(c.texts...)
		l := newLearner(x, c.s, false)
		sum, passes := run(t, l)
		if sum.total != c.total || sum.local != c.local || passes != c.passes {
			t.Errorf("%s: %d and %d updates in %d passes, want %d, %d, %d", c.name, sum.total, sum.local, passes, c.total,
				c.local, c.passes)
		}
		if got := named(x, l.W); c.want != "" && got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

func TestMarginsByHand(t *testing.T) {
	last := 0.0
	for _, c := range []struct{ c, margin, norm float64 }{{5, 6, 8.944272}, {50, 51, 66.045439}} {
		x := toy(three...)
		l := newLearner(x, settings{rule: margin, local: c.c}, false)
		sum, _ := run(t, l)
		least := math.Inf(1)
		for i := range x.len() {
			x.fill(&l.tab, i, l.W)
			l.find.find(t.Context(), &l.tab, 2)
			least = min(least, l.tab.score(x.gold[x.start[i]:x.start[i+1]])-l.find.Score(1))
		}
		norm := 0.0
		for _, v := range l.W {
			norm += v * v
		}
		norm = math.Sqrt(norm)
		if least != c.margin || math.Abs(norm-c.norm) > 1e-6 || least/norm < last {
			t.Errorf("C = %g: margin %g, norm %g", c.c, least, norm)
		}
		last = least / norm
		if bound := (2*c.c + 30) / (last * last); float64(sum.local) > bound { // R² is at most 30
			t.Errorf("C = %g: %d updates, at most %g", c.c, sum.local, bound)
		}
	}
}

func TestCandidatesMissTheGoldLabels(t *testing.T) {
	for _, c := range []struct {
		r    rule
		want string
	}{{candidate, "BA AB"}, {proposed, "BB AB"}} {
		x := toy("rqr/ABA", "pp/BB")
		l := newLearner(x, settings{rule: c.r, n: 2}, false)
		run(t, l)
		x.fill(&l.tab, 1, l.W)
		l.find.find(t.Context(), &l.tab, 2)
		var got []string
		for k := range 2 {
			y := l.find.Labels(k, nil)
			got = append(got, string([]byte{'A' + byte(y[0]), 'A' + byte(y[1])}))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("rule %d: the two best of pp are %s, want %s", c.r, s, c.want)
		}
	}
}

func TestNBestByHand(t *testing.T) {
	x := toy(three...)
	l := newLearner(x, settings{}, false)
	run(t, l)
	x.fill(&l.tab, 0, l.W)
	l.find.find(t.Context(), &l.tab, 100)
	var got []float64
	for i := range l.find.Len() {
		got = append(got, l.find.Score(i))
	}
	if want := []float64{6, 3, 3, 0, -2, -3, -3, -4}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Special cases: without other features and with equal margins the proposed algorithm is the margin
// perceptron; without local updates it is the candidate algorithm; with all labellings it is the
// margin perceptron over all features.
func TestSpecialCases(t *testing.T) {
	for _, c := range []float64{0, 3, 11} {
		x := toy(three...)
		x.nonlocal, x.width = nil, 0
		a, b := newLearner(x, settings{rule: margin, local: c}, false),
			newLearner(x, settings{rule: proposed, n: 5, local: c, total: c}, false)
		for range 20 {
			for i := range x.len() {
				a.text(context.Background(), i, &trace{})
				b.text(context.Background(), i, &trace{})
				if !slices.Equal(a.W, b.W) {
					t.Fatalf("C = %g, text %d: %s, margin perceptron %s", c, i, named(x, b.W), named(x, a.W))
				}
			}
		}
	}
}

// Each update happens where the gold labels win by no more than C.
func TestUpdatesAreNeeded(t *testing.T) {
	for _, r := range []rule{plain, margin, candidate, proposed} {
		x := toy("pqp/ABA", "qr/BB", "rpr/BAB", "rqr/ABA", "pp/BB")
		l := newLearner(x, settings{rule: r, n: 3, local: 4, total: 4}, false)
		l.onStep = func(gap, square float64) {
			if gap > 4 || square <= 0 {
				t.Errorf("rule %d: an update where the gold labels win by %g, |ΔΦ|² = %g", r, gap, square)
			}
		}
		for range 5 {
			if _, err := l.pass(context.Background(), order(x.len(), 7, 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAveragingIsTheMean(t *testing.T) {
	x := toy("pqp/ABA", "qr/BB", "rpr/BAB", "rqr/ABA", "pp/BB")
	s := settings{rule: proposed, n: 3, local: 9, total: 9}
	lazy, step := newLearner(x, s, true), newLearner(x, s, false)
	mean, n := make([]float64, x.size()), 0.0
	for epoch := range 4 {
		if _, err := lazy.pass(context.Background(), order(x.len(), -1, epoch)); err != nil {
			t.Fatal(err)
		}
		for i := range x.len() {
			step.text(context.Background(), i, &trace{})
			for f, w := range step.W {
				mean[f] += w
			}
			n++
		}
	}
	for f, w := range lazy.Mean() {
		if math.Abs(w-mean[f]/n) > 1e-12 {
			t.Fatalf("feature %d: %g, mean %g", f, w, mean[f]/n)
		}
	}
}
