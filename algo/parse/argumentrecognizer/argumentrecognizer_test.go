package argumentrecognizer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
)

// framed gives sample documents roles: verbs are predicates, the phrase before is A0 and the one after A1.
func framed(docs []*text.Document) []*text.Document {
	docs = kindtest.Phrased(docs)
	for _, d := range docs {
		trees, tags := d.Layer(text.Constituents.Name), d.Layer(text.Tokens.Name).Strs("xpos")
		bounds := d.SentenceTokens()
		w := frame.NewWriter(d, false)
		for s := 1; s < len(bounds); s++ {
			for row := int(bounds[s-1]); row < int(bounds[s]); row++ {
				if tags[row][0] != 'V' {
					continue
				}
				f := frame.Frame{Predicate: row - int(bounds[s-1]) + 1, Sense: d.Layer(text.Tokens.Name).Strs("form")[row] + ".01"}
				for i, label := range trees.Strs("label") {
					if first := int(trees.Ints("tok_start")[i]); label == "NP" && int(trees.Ints("sent")[i]) == s {
						role := "A1"
						if first < f.Predicate {
							role = "A0"
						}
						f.Args = append(f.Args, frame.Argument{Label: role, First: first, Last: int(trees.Ints("tok_end")[i])})
					}
				}
				w.Add(s, f)
			}
		}
		d.SetLayer(w.Layer())
	}
	return docs
}

func TestContract(t *testing.T) {
	docs := framed(kindtest.Sample(24))
	for name, opts := range map[string][]option.Arg{
		"default": {kindtest.Arg("role_trees", 100)},
		"given":   {kindtest.Arg("predicates", "given"), kindtest.Arg("non_overlap", false)},
		"plain": {kindtest.Arg("recognition", "plain"), kindtest.Arg("kernel", "subset_tree"),
			kindtest.Arg("mark_weight", 1)},
		"all nodes": {kindtest.Arg("candidates", "all"), kindtest.Arg("method", "kernel"), kindtest.Arg("above", true)},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("trees", 150),
				kindtest.Arg("negatives", 1.0)), Train: docs[:16], Test: docs[16:]})
		})
	}
}

// trained trains a model.
func trained(t testing.TB, docs []*text.Document, args ...option.Arg) *model {
	t.Helper()
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { t.Log(s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWithoutRoles: arguments alone have the label ARG.
func TestWithoutRoles(t *testing.T) {
	docs := framed(kindtest.Sample(12))
	m := trained(t, docs[:8], kindtest.Arg("trees", 120), kindtest.Arg("classify", false))
	d := *docs[9]
	if err := m.Annotate(context.Background(), []*text.Document{&d}, &kind.Run{}); err != nil {
		t.Fatal(err)
	}
	labels := d.Layer(text.Roles.Name).Strs("label")
	slices.Sort(labels)
	if got := slices.Compact(labels); !slices.Equal(got, []string{"ARG", "V"}) {
		t.Errorf("labels are %v", got)
	}
}

// TestFastIsPlain compares the scores of all nodes at once with those node by node.
func TestFastIsPlain(t *testing.T) {
	docs := framed(kindtest.Sample(12))
	m := trained(t, docs[:8], kindtest.Arg("trees", 120), kindtest.Arg("candidates", "all"),
		kindtest.Arg("classify", false))
	m.opt.predicates = "given"
	w := m.free.Get().(*worker)
	compared := 0
	for _, d := range docs[8:] {
		list, _ := m.sentences(context.Background(), d)
		for _, s := range list {
			m.opt.recognition = "fast"
			fast, err := w.scores(context.Background(), s, s.frames)
			if err != nil {
				t.Fatal(err)
			}
			m.opt.recognition = "plain"
			plain, _ := w.scores(context.Background(), s, s.frames)
			for i := range plain {
				for n, v := range plain[i] {
					if math.IsInf(v, -1) && math.IsInf(fast[i][n], -1) {
						continue
					}
					if compared++; math.Abs(fast[i][n]-v) > 1e-9*max(1, math.Abs(v)) {
						t.Fatalf("node %d: %g at once, %g alone", n, fast[i][n], v)
					}
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d nodes", compared)
	}
}

// TestApartIsBest compares the choice with all sets of nodes of which none is above another.
func TestApartIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 300 {
		n := 1 + r.IntN(9)
		parent, score := make([]int32, n), make([]float64, n)
		for i := range parent {
			parent[i] = -1
			if i > 0 {
				p := int32(i - 1) // the node before, or one above it: nodes are in preorder
				for parent[p] >= 0 && r.IntN(2) == 0 {
					p = parent[p]
				}
				parent[i] = p
			}
			if score[i] = 3 * r.NormFloat64(); r.IntN(6) == 0 {
				score[i] = math.Inf(-1)
			}
		}
		value := func(set int) float64 {
			sum := 0.0
			for i := range n {
				in := set>>i&1 == 1
				for p := parent[i]; in && p >= 0; p = parent[p] {
					if set>>p&1 == 1 {
						return math.Inf(-1)
					}
				}
				switch {
				case in:
					sum += -softplus(-score[i]) // −Inf for what may not be chosen
				case !math.IsInf(score[i], -1):
					sum -= softplus(score[i])
				}
			}
			return sum
		}
		best := math.Inf(-1)
		for set := range 1 << n {
			best = max(best, value(set))
		}
		got := 0
		for _, i := range apart(parent, score) {
			got |= 1 << i
		}
		if v := value(got); math.Abs(v-best) > 1e-9 {
			t.Fatalf("parents %v, scores %v: set %b has %g, the best has %g", parent, score, got, v, best)
		}
	}
}

// TestWorkedChoice has choices that were found by hand.
func TestWorkedChoice(t *testing.T) {
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	parent := []int32{-1, 0, 1, 0} // R(X(Y), Z)
	for want, p := range map[int32][]float64{2: {0.6, 0.7, 0.8, 0.4}, 1: {0.7, 0.9, 0.8, 0.6}} {
		score := make([]float64, 4)
		for i, v := range p {
			score[i] = logit(v)
		}
		chosen := apart(parent, score)
		product := 1.0
		for i, v := range p {
			if slices.Contains(chosen, int32(i)) {
				product *= v
			} else {
				product *= 1 - v
			}
		}
		if chosen[0] != want || math.Abs(product-map[int32]float64{2: 0.0576, 1: 0.0324}[want]) > 1e-12 {
			t.Errorf("%v: chosen %v with %g", p, chosen, product)
		}
	}
	for s, want := range map[float64]float64{-1.2: 0.231475, 0.5: 0.622459, 2: 0.880797} {
		if got := math.Exp(-softplus(-s)); math.Abs(got-want) > 1e-6 {
			t.Errorf("p(%g) = %g, want %g", s, got, want)
		}
	}
	if got := softplus(800); got != 800 || softplus(-800) != 0 {
		t.Errorf("softplus(800) = %g", got)
	}
}
