package coreference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/coref/linking"
	"parlance/algo/text"
)

// read are the features of the pairs of a document.
func (l *learner) read(t testing.TB, k int) *vectors {
	t.Helper()
	v, err := l.vectorsOf(background, k, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestMergedScores compares scores under gold clusters with sums over the union of features.
func TestMergedScores(t *testing.T) {
	for _, separate := range []bool{false, true} {
		l := learnerOf(t, sample(5), "merge_features", true, "separate_pronouns", separate)
		r := rand.New(rand.NewPCG(1, 1))
		for i := range l.weights.V {
			l.weights.V[i] = float32(r.NormFloat64())
		}
		l.weights.V[0], l.weights.V[(len(l.weights.V)-1)&^(1<<12-1)] = 0, 0
		more := 0
		for k, d := range l.docs {
			v := l.read(t, k)
			l.begin(k)
			for i := range d.mentions {
				part := d.part(i)
				base := part << 12
				row := slices.Clone(l.score(d, v, i))
				for j, got := range row {
					q := j
					for c := j + 1; c < i; c++ {
						if d.gold[c] == d.gold[j] {
							q = c
						}
					}
					want := l.weights.Sums(base, v.of(i)) + l.weights.Sums(base, v.before(part, j))
					own := slices.Clone(v.one(part, i, j, i))
					want += l.weights.Sums(base, own)
					for n, p := range v.one(part, i, q, i) {
						if p != own[n] {
							want += l.weights.Sums(base, []uint32{p})
							more++
						}
					}
					near(t, fmt.Sprintf("link of %d to %d", i, j), got, want)
				}
			}
		}
		if more < 100 {
			t.Errorf("%d features are merged", more)
		}
	}
}

// TestMergedDecoding compares the scores of decoding with those of training under the clusters that it makes.
func TestMergedDecoding(t *testing.T) {
	docs := sample(12)
	m := train(t, docs, "merge_features", true, "link_temperature", 0)
	s, err := m.newScorer(nil)
	if err != nil {
		t.Fatal(err)
	}
	l := learnerOf(t, docs, "merge_features", true)
	copy(l.weights.V, m.trained.weights)
	merged := 0
	for k, d := range l.docs {
		x, links, err := m.resolve(background, s, docs[k])
		if err != nil {
			t.Fatal(err)
		}
		d.gold = links.Clusters
		v := l.read(t, k)
		l.begin(k)
		for i := range d.mentions {
			for j, w := range slices.Clone(l.score(d, v, i)) {
				near(t, fmt.Sprintf("document %d, link of %d to %d", k, i, j), x.table.Row(i)[j], w)
				merged += len(l.merged(d, v, i, j, i))
			}
		}
	}
	if merged < 1000 {
		t.Errorf("%d features are merged", merged)
	}
}

// TestMergedPairs compares steps of pairs with those of a perceptron over sets of features.
func TestMergedPairs(t *testing.T) {
	l := learnerOf(t, sample(3), "merge_features", true, "train", "pairs", "rate", 1, "decay", 0)
	l.weights.U = nil
	want := make([]float64, len(l.weights.V))
	for k, d := range l.docs {
		v := l.read(t, k)
		l.begin(k)
		for i := range d.mentions {
			for j := i - 1; j >= 0; j-- {
				q := j
				for c := j; c < i; c++ {
					if d.gold[c] == d.gold[j] {
						q = c
					}
				}
				own := slices.Clone(v.one(0, i, j, i))
				list := slices.Concat(own, v.of(i), v.before(0, j))
				for n, p := range v.one(0, i, q, i) {
					if p != own[n] {
						list = append(list, p)
					}
				}
				sum, sign := 0.0, -1.0
				if d.gold[i] == d.gold[j] {
					sign = 1
				}
				for _, p := range list {
					sum += want[p]
				}
				if sign*sum <= 0 {
					for _, p := range list {
						want[p] += sign
					}
					want[0] = 0
				}
			}
			l.pairs(d, v, i)
		}
	}
	for p, w := range want {
		if math.Abs(w-float64(l.weights.V[p])) > 1e-6 {
			t.Fatalf("place %d weighs %v, want %v", p, l.weights.V[p], w)
		}
	}
}

// TestMergedLearning looks that a step of a merged link moves what its score sums up: the derivative by each weight.
func TestMergedLearning(t *testing.T) {
	l := learnerOf(t, sample(2), "merge_features", true, "rate", 1, "decay", 0)
	l.weights.U = nil
	r := rand.New(rand.NewPCG(2, 1))
	for i := 1; i < len(l.weights.V); i++ {
		l.weights.V[i] = float32(.1 * r.NormFloat64())
	}
	before := slices.Clone(l.weights.V)
	d, v := l.docs[0], l.read(t, 0)
	i := len(d.mentions) - 1
	loss := func() float64 {
		l.begin(0)
		row := l.score(d, v, i)
		return l.opt.ranking().Gradient(row, d.right(i, nil), make([]float64, len(row)))
	}
	l.begin(0)
	l.rank(d, v, i, nil)
	grad := make([]float64, len(before))
	for p := range grad {
		grad[p] = float64(before[p] - l.weights.V[p])
	}
	copy(l.weights.V, before)
	checked := 0
	for p, g := range grad {
		if g == 0 || p%7 != 0 {
			continue
		}
		l.weights.V[p] = before[p] + 1e-2
		up := loss()
		l.weights.V[p] = before[p] - 1e-2
		down := loss()
		l.weights.V[p] = before[p]
		near(t, fmt.Sprint("place ", p), (up-down)/2e-2, g)
		checked++
	}
	if checked < 10 {
		t.Errorf("%d weights move", checked)
	}
}

// TestSupportVectors has one right and one wrong pair without a common feature: the minimum of λ/2·|w|² and the mean of
// the hinge losses is at w = (a, −a), a = min(1, 1/(2λ)).
func TestSupportVectors(t *testing.T) {
	docs := []*text.Document{parsed("a", "[1 Ann ] saw [1 Bob ] ."), parsed("b", "[1 Eve ] saw [2 Cid ] .")}
	const set = "over (n mention, m mention)\nn.head.form.lower & m.head.form.lower"
	for _, c := range []struct{ lambda, want float64 }{{.1, 1}, {.5, 1}, {.9, 1 / 1.8}} {
		m := train(t, docs, "features", set, "train", "pairs", "margin", 1, "l2", c.lambda, "rate", 1, "decay",
			0, "passes", 1000)
		var found []float64
		for _, w := range m.trained.weights {
			if w != 0 {
				found = append(found, float64(w))
			}
		}
		slices.Sort(found)
		if len(found) != 2 || math.Abs(found[0]+c.want) > .05 || math.Abs(found[1]-c.want) > .05 {
			t.Errorf("λ = %v: weights %v, want ±%v", c.lambda, found, c.want)
		}
	}
}

// learned counts the pairs of gold clusters and the others that train = pairs looks at.
func learned(t *testing.T, docs []*text.Document, opts ...any) (n float64) {
	l := learnerOf(t, docs, append(opts, "train", "pairs")...)
	for k, d := range l.docs {
		v := l.read(t, k)
		l.begin(k)
		for i := range d.mentions {
			l.pairs(d, v, i)
		}
	}
	return l.weights.Steps
}

func TestPrunedPairs(t *testing.T) {
	docs := sample(6)
	all := learned(t, docs)
	if near, between := learned(t, docs, "prune", 1),
		learned(t, docs, "positives", "nearest", "negatives", "between"); near != between {
		t.Errorf("back to the nearest antecedent %v pairs, between %v", near, between)
	}
	last := 0.0
	for k := 1; k < 12; k++ {
		now := learned(t, docs, "prune", k)
		if now < last || now > all || k > 2 && learned(t, docs, "prune", k, "first_mentions", "none") >= now {
			t.Errorf("back to %d antecedents %v pairs, one less %v, all %v", k, now, last, all)
		}
		last = now
	}
	if last != all {
		t.Errorf("back to any antecedents %v pairs, all %v", last, all)
	}
}

func TestClosestLink(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		table := linking.NewTable(6, 0)
		single := true
		for i := range 6 {
			positive := 0
			for k := range table.Row(i) {
				table.Row(i)[k] = r.NormFloat64() - .8
				if table.Row(i)[k] > 0 {
					positive++
				}
			}
			single = single && positive < 2
		}
		best, _ := linking.Link(context.Background(), table, linking.Options{Before: func(i int, antecedents []int32) {
			if len(antecedents) != i {
				t.Errorf("%d antecedents before mention %d", len(antecedents), i)
			}
		}})
		near, _ := linking.Link(context.Background(), table, linking.Options{Nearest: true})
		for i, a := range near.Antecedents {
			want := int32(linking.None)
			for k, w := range table.Row(i) {
				if w > 0 {
					want = int32(k)
				}
			}
			if a != want {
				t.Fatalf("the nearest antecedent of %d is %d, not %d", i, want, a)
			}
		}
		if single && !slices.Equal(best.Antecedents, near.Antecedents) {
			t.Error("with one antecedent above 0 each, best and nearest differ")
		}
	}
}

// TestLinksByCandidates is the baseline without weights; the order of candidates does not matter to it.
func TestLinksByCandidates(t *testing.T) {
	w := washington().add("state", "WS", 1).add("Ohio", "Ohio", 1)
	d := parsed("d", "by [1 Washington ] .", "[1 Wash ] saw [2 Ohio ] by [1 the state ] .",
		"[3 the house ] saw [1 it ] by [2 Ohio ] .")
	x := documentOf(d, 0)
	m := fresh(t, "kb", "wiki", "method", "kb_linking")
	for range 2 {
		b, err := m.opt.newBase(resources(w))
		if err != nil {
			t.Fatal(err)
		}
		if err := x.look(background, b); err != nil {
			t.Fatal(err)
		}
		links, err := x.byCandidates(background)
		if want := []int32{0, 0, 1, 0, 2, 3, 1}; err != nil || !slices.Equal(links.Clusters, want) {
			t.Errorf("%v %v, want %v", links.Clusters, err, want)
		}
		for _, c := range w.named {
			slices.Reverse(c)
		}
	}
}
