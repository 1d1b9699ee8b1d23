package similarity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/numeric/topk"
	"parlance/algo/option"
	"parlance/storage/value"
)

// family makes words of families that share contexts: word i belongs to family i mod families. The
// frequencies follow Zipf; the rarest words have a few tokens.
func family(seed uint64, words, families, contexts, tokens int) ([][]value.Value, [][]value.Value) {
	rng := rand.New(rand.NewPCG(seed, 7))
	profiles := make([][]float64, families)
	for c := range profiles {
		profiles[c] = make([]float64, contexts)
		total := 0.0
		for f := range profiles[c] {
			total += gammaDraw(rng, 0.05)
			profiles[c][f] = total
		}
		for f := range profiles[c] {
			profiles[c][f] /= total
		}
	}
	var counts, sets [][]value.Value
	for i := range words {
		n := map[int]int{}
		for range 1 + tokens/(i+1) {
			f, _ := slices.BinarySearch(profiles[i%families], rng.Float64())
			n[min(f, contexts-1)]++
		}
		name := value.Str(fmt.Sprintf("w%d", i))
		for f := range contexts {
			if n[f] > 0 {
				counts = append(counts, []value.Value{name, value.Str(fmt.Sprintf("f%d", f)), value.Real(float64(n[f]))})
			}
		}
		sets = append(sets, []value.Value{value.Str(fmt.Sprintf("s%d", i%families)), name})
	}
	return counts, sets
}

func train(t testing.TB, counts [][]value.Value, workers int, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Tables{"counts": counts}, Workers: workers, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSearchIsBruteForce compares lists with those of scoring every pair, for every measure.
func TestSearchIsBruteForce(t *testing.T) {
	counts, _ := family(1, 120, 6, 200, 600)
	for _, measure := range []string{bcb, bc, bca, js, pmi, dirichlet} {
		m := train(t, counts, 2, kindtest.Arg("measure", measure), kindtest.Arg("list_length", 15))
		v := m.vectors
		for i := range v.words() {
			var want []topk.Item
			for j := range v.words() {
				if acc := v.common(i, j); j != i && acc != 0 {
					want = append(want, topk.Item{ID: uint32(j), Score: v.score(i, j, acc)})
				}
			}
			slices.SortFunc(want, topk.Compare)
			words, scores := m.lists.of(i)
			if len(words) != min(15, len(want)) {
				t.Fatalf("%s: %d words, want %d", measure, len(words), min(15, len(want)))
			}
			for k, w := range words {
				if w != want[k].ID || scores[k] != float32(want[k].Score) {
					t.Fatalf("%s: word %d, place %d: %d %v, want %v", measure, i, k+1, w, scores[k], want[k])
				}
			}
			long, err := v.exhaustive(context.Background(), i, 1000)
			if err != nil || !slices.Equal(long, want) {
				t.Fatalf("%s: word %d has another long list", measure, i)
			}
		}
	}
}

// TestRecall: the more contexts and words propose, the more of the exact lists is found.
func TestRecall(t *testing.T) {
	counts, _ := family(2, 300, 6, 150, 3000)
	exact := train(t, counts, 2, kindtest.Arg("list_length", 10))
	last := 0.0
	for _, n := range []int{1, 3, 10, 40, 300} {
		m := train(t, counts, 2, kindtest.Arg("list_length", 10), kindtest.Arg("query_contexts", n),
			kindtest.Arg("context_words", n))
		found, all := 0, 0
		for i := range m.vectors.words() {
			got, _ := m.lists.of(i)
			want, _ := exact.lists.of(i)
			for _, w := range want {
				if all++; slices.Contains(got, w) {
					found++
				}
			}
		}
		recall := float64(found) / float64(all)
		if recall < last-0.005 {
			t.Errorf("recall falls to %v with %d", recall, n)
		}
		last = recall
	}
	if last != 1 {
		t.Errorf("recall %v with all", last)
	}
}

func score(t testing.TB, m *model, sets [][]value.Value, name string) float64 {
	t.Helper()
	list, err := m.Evaluate(context.Background(), kind.Tables{"sets": sets}, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(x metrics.Metric) bool { return x.Name == name && x.Label == metrics.All })
	return list[i].Value()
}

// TestSynthetic has 40 families with Zipf frequencies: the Bayesian measure beats the others, its best
// alpha on half of the families is good on the other half, and the curve over alpha has one peak.
func TestSynthetic(t *testing.T) {
	counts, sets := family(4, 1000, 40, 1000, 1500)
	var halves [2][][]value.Value
	for i, row := range sets {
		halves[i%40%2] = append(halves[i%40%2], row)
	}
	alphas := []float64{1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10}
	var curves [2][]float64
	for _, alpha := range alphas {
		m := train(t, counts, 2, kindtest.Arg("alpha", alpha), kindtest.Arg("list_length", 100))
		for h := range halves {
			curves[h] = append(curves[h], score(t, m, halves[h], "precision@1"))
		}
	}
	best := slices.Index(curves[0], slices.Max(curves[0]))
	t.Logf("precision@1 by alpha %v: %.4f", alphas, curves)
	if top := slices.Max(curves[1]); curves[1][best] < 0.95*top {
		t.Errorf("alpha = %v gives %v on the other half, the best is %v", alphas[best], curves[1][best], top)
	}
	for i := 1; i < len(alphas); i++ {
		if d := curves[1][i] - curves[1][i-1]; i <= best && d < -0.02 || i > best && d > 0.02 {
			t.Errorf("more than one peak: %v", curves[1])
		}
	}
	other := map[string]float64{}
	for _, measure := range []string{bc, bca, js, pmi} {
		other[measure] = score(t, train(t, counts, 2, kindtest.Arg("measure", measure), kindtest.Arg("list_length", 100)),
			halves[1], "precision@1")
	}
	t.Logf("bcb %.4f, others %v", curves[1][best], other)
	if !(curves[1][best] > other[bca] && other[bca] > other[bc]) {
		t.Errorf("bcb %v, bca %v, bc %v", curves[1][best], other[bca], other[bc])
	}
}

// TestAverages works one list out by hand: hit, miss, hit with two answers, and with four.
func TestAverages(t *testing.T) {
	m := train(t, fewWords(), 1, kindtest.Arg("measure", "bc"), kindtest.Arg("log_counts", false))
	rows := func(set string, words ...string) (out [][]value.Value) {
		for _, w := range words {
			out = append(out, []value.Value{value.Str(set), value.Str(w)})
		}
		return out
	}
	words, _ := m.lists.of(0)
	if !slices.Equal(words, []uint32{1, 2, 3}) {
		t.Fatalf("the list of the first word is %v", words)
	}
	ap := func(sets [][]value.Value) float64 {
		list, err := m.Evaluate(context.Background(), kind.Tables{"sets": sets}, &kind.Run{})
		if err != nil {
			t.Fatal(err)
		}
		u := list[0].Units.Row(0)
		return float64(u[0]) / float64(u[1])
	}
	near(t, "two answers", ap(rows("s", "a", "b", "d", "unknown")), (1+2./3)/2, 1e-6)
	near(t, "four answers", ap(append(rows("s", "a", "b", "d"), rows("r", "a", "e", "f")...)), (1+2./3)/4, 1e-6)
}

// fewWords is a word with a list of three, and two words apart.
func fewWords() [][]value.Value {
	var out [][]value.Value
	for _, c := range []struct {
		word, context string
		count         float64
	}{{"a", "x", 10}, {"b", "x", 9}, {"b", "y", 1}, {"c", "x", 5}, {"c", "y", 5}, {"d", "x", 1}, {"d", "z", 9},
		{"e", "u", 1}, {"f", "u", 1}} {
		out = append(out, []value.Value{value.Str(c.word), value.Str(c.context), value.Real(c.count)})
	}
	return out
}

// TestIntuition: of words with the same relative frequencies, the one seen more often is more alike.
func TestIntuition(t *testing.T) {
	v := vectorsOf(t, dense([]float64{4, 2, 0, 0, 0}, []float64{2, 1, 0, 0, 0}, []float64{4, 2, 0, 0, 0},
		[]float64{40, 20, 0, 0, 0}), bayes(0.1))
	if a, b, c := v.similarity(0, 1), v.similarity(0, 2), v.similarity(0, 3); !(a < b && b < c) {
		t.Errorf("%v %v %v", a, b, c)
	}
}

func TestDelta(t *testing.T) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("measure", "bca"), kindtest.Arg("delta", 1)}); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: kind.Tables{"counts": fewWords()}})
	if err == nil || err.Error() != "option delta: 1 is not less than the count of 'b' with 'y', 1" {
		t.Error(err)
	}
}

func TestContract(t *testing.T) {
	counts, sets := family(5, 60, 4, 80, 200)
	word := func(s ...string) (out []value.Value) {
		for _, w := range s {
			out = append(out, value.Str(w))
		}
		return out
	}
	queries := []kindtest.Query{
		{Relation: "similar", Args: append(word("w1"), value.Value{})},
		{Relation: "similar", Args: append(word("w1"), value.Int(3))},
		{Relation: "similar", Args: append(word("w1"), value.Int(100))},
		{Relation: "similar", Args: append(word("w1"), value.Int(0)), Fails: "length"},
		{Relation: "similar", Args: append(word("w1 "), value.Value{}), Fails: "did you mean w1"},
		{Relation: "similarity", Args: word("w1", "w5")},
		{Relation: "similarity", Args: word("w1", "nothing like it"), Fails: "unknown word"},
	}
	for _, measure := range []string{bcb, pmi, js, dirichlet} {
		kindtest.Run(t,
			kindtest.Case{Kind: Kind(), Options: []option.Arg{kindtest.Arg("measure", measure), kindtest.Arg("list_length", 20)},
				Tables: kind.Tables{"counts": counts}, Gold: kind.Tables{"sets": sets}, Queries: queries})
	}
	var pairs [][]value.Value
	for i := range 40 {
		same := 0.0
		if i%4 == i*i%7%4 {
			same = 1
		}
		pairs = append(pairs, append(word(fmt.Sprint("w", i), fmt.Sprint("w", i*i%7)), value.Real(same)))
	}
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: []option.Arg{kindtest.Arg("task", "correlation")},
		Tables: kind.Tables{"counts": counts}, Gold: kind.Tables{"pairs": pairs}, Queries: queries})
	kept := []kindtest.Query{queries[0], queries[1], {Relation: "similar", Args: queries[2].Args, Fails: "keep_counts"}}
	kindtest.Run(t,
		kindtest.Case{Kind: Kind(),
			Options: []option.Arg{kindtest.Arg("keep_counts", false), kindtest.Arg("list_length", 20)},
			Tables:  kind.Tables{"counts": counts}, Gold: kind.Tables{"sets": sets}, Queries: kept})
}

// halves is a class model in which the classes of a word follow from its number.
type halves struct {
	kind.Model
	shift int
}

func (h halves) ClassCount() int { return 3 }

func (h halves) ClassesOf(word string) ([]uint32, []float64) {
	var n int
	if _, err := fmt.Sscanf(word, "w%d", &n); err != nil || n == 7 {
		return nil, nil
	}
	k := uint32((n + h.shift) % 2)
	return []uint32{k, k + 1}, []float64{0.75, 0.25}
}

type classModels struct{ kind.Resources }

func (classModels) Model(name string) (kind.Trained, error) {
	if name == "two" {
		return kind.Trained{Model: halves{shift: 2}}, nil
	}
	return kind.Trained{Model: halves{}}, nil
}

// TestClasses averages the similarities of two class models.
func TestClasses(t *testing.T) {
	counts, _ := family(6, 10, 2, 20, 50)
	m, s := &model{}, &option.Set{}
	m.Options(s)
	list := option.Arg{Name: "classes", List: []option.Arg{kindtest.Arg("", "one"), kindtest.Arg("", "two")}}
	if err := s.Apply([]option.Arg{kindtest.Arg("measure", "cls_js"), list}); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Tables{"counts": counts}, Resources: classModels{}, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	near(t, "same classes", m.vectors.similarity(0, 2), 1, 1e-12)
	js := func(p, q []float64) float64 { return bruteForce(p, q, settings{measure: js}, nil) }
	near(t, "other classes", m.vectors.similarity(0, 1), js([]float64{.75, .25, 0}, []float64{0, .75, .25}), 1e-12)
	if len(m.Schema().Resources) != 2 || m.vectors.has(7) {
		t.Error("two models are looked into, and a word of no class has no row")
	}
}

// TestExplain: contributions add up to the similarity, whatever the measure.
func TestExplain(t *testing.T) {
	counts, _ := family(8, 30, 3, 40, 300)
	for _, measure := range []string{bcb, bc, bca, js, pmi, dirichlet} {
		m := train(t, counts, 1, kindtest.Arg("measure", measure))
		for j := 1; j < 30; j++ {
			args := []value.Value{value.Str("w0"), value.Str(fmt.Sprint("w", j))}
			x, err := m.Explain(context.Background(), nil, kind.At{Relation: "similarity", Args: args}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := m.vectors.similarity(0, j)
			if measure == dirichlet {
				want = math.Log(want)
			}
			if d := x.Decisions[0]; math.Abs(d.Margin-want) > 1e-9*(1+math.Abs(want)) || d.Outcome != args[1].S ||
				!math.IsNaN(d.Prob) {
				t.Fatalf("%s, word %d: %v, want %v", measure, j, d.Margin, want)
			}
		}
	}
}

// TestRescored has contexts so large that only the best candidates are scored in full: what comes out
// has the scores of full profiles, and most of what exact lists have.
func TestRescored(t *testing.T) {
	counts, _ := family(2, 300, 6, 150, 3000)
	m := train(t, counts, 1)
	s := newSearch(m.vectors, m.counts.Rows, 20, 60)
	s.width = 0 // makes it the cheaper way
	exact := newSearch(m.vectors, m.counts.Rows, 1000, 1000)
	scratch, found, all := s.scratch(), 0, 0
	for i := range m.vectors.words() {
		got := slices.Clone(s.similar(i, 10, scratch))
		for _, x := range got {
			if x.Score != m.vectors.similarity(i, int(x.ID)) {
				t.Fatalf("words %d and %d: %v, want %v", i, x.ID, x.Score, m.vectors.similarity(i, int(x.ID)))
			}
		}
		for _, x := range exact.similar(i, 10, scratch) {
			if all++; slices.Contains(got, x) {
				found++
			}
		}
	}
	if recall := float64(found) / float64(all); recall < 0.9 || recall == 1 {
		t.Errorf("recall %v", recall)
	}
	t.Logf("%d of %d", found, all)
}
