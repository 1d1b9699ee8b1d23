package online

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// ones is a vector of features with value 1.
func ones(at ...int) Vector {
	var terms []Term
	for _, a := range at {
		terms = append(terms, Term{uint64(a), 1})
	}
	return Collect(terms)
}

func close(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// TestPartitionPerceptron: the mentions 1, 2, 3 have the clusters {1,3} {2}, pairs the features φ(1,2) = (1,0), φ(1,3)
// = (0,1), φ(2,3) = (1,1). The best partition by w = (½, −0.8) is {1,2} {3}; after one update it is the right one
// (Chang, Samdani, Rozovskaya, Rizzolo, Sammons and Roth 2011, all-link inference).
func TestPartitionPerceptron(t *testing.T) {
	pairs := map[[2]int]Vector{{1, 2}: ones(0), {1, 3}: ones(1), {2, 3}: ones(0, 1)}
	partitions := [][][2]int{{}, {{1, 2}}, {{1, 3}}, {{2, 3}}, {{1, 2}, {1, 3}, {2, 3}}} // the pairs that are together
	features := func(p [][2]int) Vector {
		var terms []Term
		for _, x := range p {
			terms = append(terms, pairs[x]...)
		}
		return Collect(terms)
	}
	w := &Weights{W: []float64{0.5, -0.8}}
	gold := features(partitions[2])
	for pass, want := range [][]float64{{-0.5, 0.2}, {-0.5, 0.2}} {
		best := slices.MaxFunc(partitions, func(a, b [][2]int) int {
			return cmp.Compare(w.Dot(features(a)), w.Dot(features(b)))
		})
		step, err := w.Update(Perceptron, gold, features(best), 0, 0)
		if moved := pass == 0; err != nil || (step == 1) != moved || !close(w.W, want) {
			t.Errorf("pass %d: step %v to %v, want %v (%v)", pass, step, w.W, want, err)
		}
	}
}

// mention learns the antecedent of a mention from the features of candidates, of which the first, without features,
// says that there is none. Of the right ones the best counts; the loss of a wrong one is 1. It returns the hinge
// before.
func mention(t *testing.T, w *Weights, rule Rule, candidates []Vector, right ...int) float64 {
	t.Helper()
	gold, other := -1, -1
	scored := func(j int) float64 {
		if slices.Contains(right, j) {
			return w.Dot(candidates[j])
		}
		return w.Dot(candidates[j]) + 1
	}
	for j := range candidates {
		if slices.Contains(right, j) && (gold < 0 || scored(j) > scored(gold)) {
			gold = j
		}
		if other < 0 || scored(j) > scored(other) {
			other = j
		}
	}
	hinge := scored(other) - scored(gold)
	if other != gold {
		if _, err := w.Update(rule, candidates[gold], candidates[other], 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	return hinge
}

// TestLatentAntecedents follows the update of Chang, Samdani, Rozovskaya, Sammons and Roth (2012), algorithm 1:
// mentions 1, 2, 3 are one cluster, and the best right antecedent is chosen by the weights as they are.
func TestLatentAntecedents(t *testing.T) {
	const name, agrees, after, adjacent = 0, 1, 2, 3
	second, third := []Vector{nil, ones(agrees)}, []Vector{nil, ones(name), ones(after)}
	w := &Weights{W: []float64{0.2, 0.3, 0.1, 0}}
	for _, want := range [][]float64{{1.2, 1.3, 0.1, 0}, {1.2, 1.3, 0.1, 0}} { // a fixed point after one pass
		mention(t, w, LossAugmented, second, 1)
		mention(t, w, LossAugmented, third, 1, 2)
		if !close(w.W, want) {
			t.Errorf("weights %v, want %v", w.W, want)
		}
	}
	// From 0, with a feature that 1 and 2, and 2 and 3 share, the third mention goes to the second: what is right by
	// chance is learned.
	w = NewWeights(4, false)
	mention(t, w, Margin, []Vector{nil, ones(agrees, adjacent)}, 1)
	mention(t, w, Margin, []Vector{nil, ones(name), ones(after, adjacent)}, 1, 2)
	if want := []float64{0, 1, 1, 2}; !close(w.W, want) {
		t.Errorf("weights from 0 are %v, want %v", w.W, want)
	}
	// A first mention that is linked loses the weights of the link, one that is not gains those of the best.
	w = &Weights{W: []float64{2, 0, 0, 0}}
	if mention(t, w, LossAugmented, []Vector{nil, ones(name)}, 0); !close(w.W, []float64{1, 0, 0, 0}) {
		t.Errorf("weights of a wrong link are %v", w.W)
	}
}

// TestLatentHinge: φ(1,3) = (1,0), φ(2,3) = (0,1), w = (½, 0.2), where none, the first, or both are right antecedents
// of the third mention (Chang, Samdani and Roth 2013, eqs. 3 and 4).
func TestLatentHinge(t *testing.T) {
	for _, c := range []struct {
		right []int
		hinge float64
		step  []float64 // minus the subgradient
	}{{[]int{1}, 0.7, []float64{1, -1}}, {[]int{1, 2}, 0.5, []float64{1, 0}}, {[]int{0}, 1.5, []float64{-1, 0}}} {
		w := &Weights{W: []float64{0.5, 0.2}}
		hinge := mention(t, w, LossAugmented, []Vector{nil, ones(0), ones(1)}, c.right...)
		if want := []float64{0.5 + c.step[0], 0.2 + c.step[1]}; math.Abs(hinge-c.hinge) > 1e-9 || !close(w.W, want) {
			t.Errorf("antecedents %v: hinge %v to %v, want %v and %v", c.right, hinge, w.W, c.hinge, want)
		}
	}
}

// TestBestSegmentations: two of the k best segmentations and tags of a sentence are to be behind by their losses, from
// w = 0 (Kruengkrai, Uchimoto, Kazama, Wang, Torisawa and Isahara 2009, section 3.3). The solutions are those of the
// conditions of Karush, Kuhn and Tucker by hand.
func TestBestSegmentations(t *testing.T) {
	deltas := []Vector{{{0, 1}, {1, -1}}, {{0, 1}, {2, -1}}}
	for _, c := range []struct{ losses, alpha, w []float64 }{
		{[]float64{2, 3}, []float64{1. / 3, 4. / 3}, []float64{5. / 3, -1. / 3, -4. / 3}},
		{[]float64{1, 3}, []float64{0, 1.5}, []float64{1.5, 0, -1.5}}, // the second makes the first true
	} {
		w := NewWeights(3, false)
		alpha, err := w.MIRA(deltas, c.losses, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		norm, dual := 0.0, 0.0
		for i := range c.w {
			if norm += w.W[i] * w.W[i]; math.Abs(w.W[i]-c.w[i]) > 1e-6 {
				t.Errorf("losses %v: weights %v, want %v", c.losses, w.W, c.w)
			}
		}
		for j, a := range alpha {
			slack := w.Dot(deltas[j]) - c.losses[j]
			if dual += a * c.losses[j]; math.Abs(a-c.alpha[j]) > 1e-6 || slack < -1e-6 || math.Abs(a*slack) > 1e-6 {
				t.Errorf("losses %v: multiplier %d is %v with slack %v, want %v", c.losses, j, a, slack, c.alpha[j])
			}
		}
		if math.Abs(norm-dual) > 1e-6 { // no duality gap
			t.Errorf("losses %v: |w|² is %v, α·loss %v", c.losses, norm, dual)
		}
	}
}

// looker labels three tokens with 0 or 1, each by the best labels of it and of depth tokens after it (Tsuruoka, Miyao
// and Kazama 2011, figures 2 and 3). Features are 2i + y for label y of token i, and 6 + 2y′ + y for label y after y′.
type looker struct {
	w     *Weights
	depth int
}

const lookerFeatures = 10

func lookerWeights() *Weights {
	return &Weights{W: []float64{1, 0.8, 0, 0.5, 0.2, 1.5, 0.3, -1, -0.5, 0.6}}
}

// leaf is the best continuation of the labels before with label y: its features and their score.
func (l *looker) leaf(before []int, y int) (best Vector, score float64) {
	from := len(before)
	ahead := min(l.depth, 2-from)
	score = math.Inf(-1)
	for k := range 1 << ahead {
		path := append(slices.Clone(before), y)
		for i := ahead - 1; i >= 0; i-- {
			path = append(path, k>>i&1)
		}
		var at []int
		for i := from; i < len(path); i++ {
			at = append(at, 2*i+path[i])
			if i > 0 {
				at = append(at, 6+2*path[i-1]+path[i])
			}
		}
		if f := ones(at...); l.w.Dot(f) > score {
			best, score = f, l.w.Dot(f)
		}
	}
	return best, score
}

func (l *looker) decode() string {
	var path []int
	for range 3 {
		_, a := l.leaf(path, 0)
		_, b := l.leaf(path, 1)
		y := 0
		if b > a {
			y = 1
		}
		path = append(path, y)
	}
	out := ""
	for _, y := range path {
		out += string("AB"[y])
	}
	return out
}

// learn goes over the gold labels once and returns the number of updates.
func (l *looker) learn(t *testing.T, gold []int, margin float64) (updates int) {
	t.Helper()
	for i, y := range gold {
		right, _ := l.leaf(gold[:i], y)
		wrong, _ := l.leaf(gold[:i], 1-y)
		step, err := l.w.Update(Margin, right, wrong, 0, margin)
		if err != nil {
			t.Fatal(err)
		}
		updates += int(step)
	}
	return updates
}

func TestLookahead(t *testing.T) {
	for depth, want := range []string{"AAA", "BBB", "BBB", "BBB"} {
		if got := (&looker{lookerWeights(), depth}).decode(); got != want {
			t.Errorf("depth %d finds %s, want %s", depth, got, want)
		}
	}
	gold := []int{0, 0, 1}
	for _, c := range []struct {
		depth, updates int
		margin         float64
		w              []float64
		found          string
	}{
		{0, 1, 0, []float64{1, 0.8, 0, 0.5, -0.8, 2.5, -0.7, 0, -0.5, 0.6}, "ABB"},
		{1, 2, 0, []float64{2, -0.2, 1, -0.5, -0.8, 2.5, 0.3, 0, -0.5, -0.4}, "AAB"},
		{0, 3, 1, []float64{2, -0.2, 1, -0.5, -0.8, 2.5, 0.3, -1, -0.5, 0.6}, "AAB"},
	} {
		l := &looker{lookerWeights(), c.depth}
		if n := l.learn(t, gold, c.margin); n != c.updates || !close(l.w.W, c.w) || l.decode() != c.found {
			t.Errorf("depth %d, margin %v: %d updates to %v, which find %s; want %+v", c.depth, c.margin, n,
				l.w.W, l.decode(), c)
		}
	}
	for depth, epochs := range []int{1, 2, 2} { // with updates, then one without
		l, updates := &looker{NewWeights(lookerFeatures, false), depth}, 0
		for range epochs {
			n := l.learn(t, gold, 1)
			if updates += n; n == 0 {
				t.Errorf("depth %d ends too soon", depth)
			}
		}
		if n := l.learn(t, gold, 1); n != 0 || updates != 3 || l.decode() != "AAB" {
			t.Errorf("depth %d from 0: %d updates, then %d, which find %s", depth, updates, n, l.decode())
		}
	}
}
