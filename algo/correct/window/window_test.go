package window_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/correct"
	"parlance/algo/correct/confusion"
	"parlance/algo/correct/correcttest"
	"parlance/algo/correct/ngrams"
	"parlance/algo/correct/window"
	"parlance/algo/kindtest"
)

func model(t *testing.T) correct.Ngrams {
	t.Helper()
	m, err := correcttest.Train(ngrams.Kind(), correcttest.Documents(200, 0, 9), nil, kindtest.Arg("lower", true))
	if err != nil {
		t.Fatal(err)
	}
	return m.Model.(correct.Ngrams)
}

// TestDiff: the difference around an edit is that of the whole sentences.
func TestDiff(t *testing.T) {
	m := model(t)
	w := window.New(m)
	rng := rand.New(rand.NewPCG(2, 2))
	words := strings.Fields("the a student students depends depend on in of unknownword , . However do n't")
	docs := correcttest.Documents(200, 0, 9)
	for n := range 400 {
		var forms []string
		for range 1 + rng.IntN(12) {
			forms = append(forms, words[rng.IntN(len(words))])
		}
		if n%2 == 0 { // a sentence that the model has seen, of which long n-grams are known
			forms = docs[rng.IntN(len(docs))].Layer("tokens").Strs("form")[:6]
		}
		e := confusion.Edit{Start: rng.IntN(len(forms) + 1)}
		e.End = min(len(forms), e.Start+rng.IntN(3))
		var put []string
		for range rng.IntN(3) {
			put = append(put, words[rng.IntN(len(words))])
		}
		e.Words = strings.Join(put, " ")
		edited, err := confusion.Apply(forms, []confusion.Edit{e})
		if err != nil {
			t.Fatal(err)
		}
		if len(edited) == 0 {
			continue
		}
		before, _ := m.LogProb(forms)
		after, _ := m.LogProb(edited)
		w.Set(confusion.New(forms, nil, nil))
		for range 2 { // computed, then remembered
			if got := w.Diff(e); math.Abs(got-(after-before)) > 1e-6 {
				t.Fatalf("%v with %v: %v, want %v", forms, e, got, after-before)
			}
		}
	}
}

// TestWindows: far from both ends there are 3 + 4 + 5 windows, each with the slot once; counts are those of the words.
func TestWindows(t *testing.T) {
	m := model(t)
	w := window.New(m)
	s := confusion.New(strings.Fields("However , the student depends on the teacher with technology ."), nil, nil)
	w.Set(s)
	seen := map[int]int{}
	w.Each(window.Bayes{Smoothing: 1}, 5, 6, []string{"on", "", "of"}, func(left, n int, counts, _ []float64) {
		seen[n]++
		text := strings.Fields(window.Text(s, 5, 6, left, n, "on"))
		if len(text) != n || text[left] != "on" {
			t.Errorf("window of %d with %d before: %v", n, left, text)
		}
		if want := float64(m.Count(text...)); counts[0] != want {
			t.Errorf("%v occurs %v times, want %v", text, counts[0], want)
		}
		if bare := strings.Fields(window.Text(s, 5, 6, left, n, "")); counts[1] != float64(m.Count(bare...)) {
			t.Errorf("%v occurs %v times", bare, counts[1])
		}
	})
	if seen[3] != 3 || seen[4] != 4 || seen[5] != 5 {
		t.Errorf("windows: %v", seen)
	}
	n := 0
	w.Each(window.Bayes{Smoothing: 1, Skip: true}, 5, 6, []string{"zebra", "quagga"}, func(_, _ int, _, _ []float64) {
		n++
	})
	if n != 0 {
		t.Errorf("%d windows that never occur count", n)
	}
}

// TestBayesByHand has the scores of confusion {on, in, at} with counts 1000, 2000, 500 and two features with counts
// (30, 5, 1) and (12, 40, 0), d = 1, V = 10,000.
func TestBayesByHand(t *testing.T) {
	total := [3]float64{1000, 2000, 500}
	counts := [2][3]float64{{30, 5, 1}, {12, 40, 0}}
	likelihood := func(c int) (sum float64) {
		for _, f := range counts {
			sum += window.Feature(f[c], total[c], 1, 1e4)
		}
		return sum
	}
	for name, x := range map[string]struct{ prior, want [3]float64 }{
		"native":       {[3]float64{1000. / 3500, 2000. / 3500, 500. / 3500}, [3]float64{-13.865128, -13.839608, -19.771024}},
		"who wrote in": {[3]float64{.04, .95, .01}, [3]float64{-15.831240, -13.331286, -22.430284}},
	} {
		for c := range 3 {
			if got := math.Log(x.prior[c]) + likelihood(c); math.Abs(got-x.want[c]) > 1e-6 {
				t.Errorf("%s, word %d: %v, want %v", name, c, got, x.want[c])
			}
		}
	}
	on, in := math.Log(.90)+likelihood(0), math.Log(.08)+likelihood(1)
	if got := in - on; math.Abs(got - -3.087996) > 1e-6 {
		t.Errorf("who wrote on: in − on = %v", got)
	}
}
