package frame

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// TestDecodeIsEnumeration compares the labels with the best of all in which no core label comes twice.
func TestDecodeIsEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	core := []int{-1, 0, 1, -1, 2}
	changed := 0
	for range 400 {
		logs := make([][]float64, r.IntN(6))
		for i := range logs {
			logs[i] = make([]float64, len(core))
			for y := range logs[i] {
				if logs[i][y] = -5 * r.Float64(); r.IntN(8) == 0 {
					logs[i][y] = -800 * r.Float64()
				}
			}
		}
		value := func(labels []int) float64 {
			sum, used := 0.0, map[int]bool{}
			for i, y := range labels {
				if core[y] >= 0 && used[y] {
					return math.Inf(-1)
				}
				used[y] = true
				sum += logs[i][y]
			}
			return sum
		}
		best := math.Inf(-1)
		labels := make([]int, len(logs))
		var all func(i int)
		all = func(i int) {
			if i == len(labels) {
				best = max(best, value(labels))
				return
			}
			for labels[i] = range core {
				all(i + 1)
			}
		}
		all(0)
		got, err := Decode(t.Context(), logs, core)
		if err != nil {
			t.Fatal(err)
		}
		if v := value(got); math.Abs(v-best) > 1e-9 {
			t.Fatalf("%v: labels %v have %g, the best %g", logs, got, v, best)
		}
		greedy := 0.0
		for _, row := range logs {
			greedy += slices.Max(row)
		}
		if greedy > best {
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("the rule changes only %d choices", changed)
	}
}

// TestSoftmaxWorked has probabilities, loss and slopes that were found by hand: with weights ((.5, −.2), (.1, .3), (0,
// 0)) and x = (1, 2) they are those of features f once and g, which has twice its weight, once.
func TestSoftmaxWorked(t *testing.T) {
	m := &Softmax{bias: make([]float32, 3), weights: []weight{{0.5, 0}, {0.1, 1}, {0, 2}, {-0.4, 0}, {0.6, 1}, {0, 2}}}
	m.index([]uint64{7, 9}, []uint32{0, 3, 6})
	scores, probs := make([]float32, 3), make([]float64, 3)
	m.Begin(scores)
	m.Add([]uint64{7, 9, 12}, scores)
	Normalise(scores, probs)
	for y, want := range []float64{0.268315, 0.488903, 0.242782} {
		if math.Abs(probs[y]-want) > 1e-6 {
			t.Errorf("P(%d) = %g, want %g", y, probs[y], want)
		}
	}
	if loss := -math.Log(probs[1]); math.Abs(loss-0.715592) > 1e-6 {
		t.Errorf("loss %g", loss)
	}
}

// TestStepIsGradient compares a step with the slopes of the loss by differences: with AdaGrad and no step before, each
// weight changes by the rate against the sign of its slope, and remembers its square.
func TestStepIsGradient(t *testing.T) {
	x := NewExamples(3)
	x.Add([]uint64{1, 2}, 0, nil)
	x.Add([]uint64{1, 3}, 2, nil)
	x.Add([]uint64{2, 3}, 1, []uint16{1, 2})
	l := &learner{Examples: x, Fit: Fit{Rate: 0, L2: 0}}
	l.prepare()
	r := rand.New(rand.NewPCG(3, 4))
	for k := range l.value {
		l.value[k] = float32(r.NormFloat64())
	}
	for i := range x.gold {
		clear(l.square)
		l.Rate = 0
		l.step(i)
		squares := slices.Clone(l.square)
		for k := range l.value {
			const h = 1e-2
			old := l.value[k]
			l.value[k] = old + h
			up := l.step(i)
			l.value[k] = old - h
			down := l.step(i)
			l.value[k] = old
			slope := (up - down) / (2 * h)
			if got := math.Sqrt(float64(squares[k])); math.Abs(got-math.Abs(slope)) > 1e-4 {
				t.Errorf("example %d, weight %d: slope %g, the step has %g", i, k, slope, got)
			}
		}
	}
}

// TestTrainSeparates: what can be told apart is.
func TestTrainSeparates(t *testing.T) {
	x := NewExamples(3)
	for i := range 60 {
		x.Add([]uint64{uint64(i%3) + 10, uint64(i % 7)}, i%3, nil)
	}
	var last float64
	m, err := x.Train(context.Background(), Fit{Epochs: 60, Rate: 0.3, Cutoff: 2}, func(_ int, loss float64) {
		last = loss
	})
	if err != nil {
		t.Fatal(err)
	}
	if last > 0.05 {
		t.Errorf("loss %g", last)
	}
	scores := make([]float32, 3)
	for y := range 3 {
		m.Begin(scores)
		m.Add([]uint64{uint64(y) + 10}, scores)
		if scores[y] < slices.Max(scores) {
			t.Errorf("label %d: scores %v", y, scores)
		}
	}
	if m.Weight(10, 1) != 0 {
		t.Error("a feature has a weight for a label that it was not seen with")
	}
}

// TestLemmas: forms that were seen, and endings.
func TestLemmas(t *testing.T) {
	c := lemmaCounts{}
	for _, w := range [][3]string{{"VBD", "Walked", "walk"}, {"VBD", "talked", "talk"}, {"VBD", "went", "go"},
		{"VBG", "making", "make"}, {"VBG", "taking", "take"}, {"VBG", "going", "go"}, {"NNS", "plans", "plan"}} {
		c.add(w[0], w[1], w[2])
	}
	l := c.lemmas()
	for _, w := range [][3]string{{"went", "VBD", "go"}, {"Balked", "VBD", "balk"}, {"baking", "VBG", "bake"},
		{"cats", "NNS", "cat"},
		{"odd", "JJ", "odd"}, {"", "VBD", ""}} {
		if got := l.Of(w[0], w[1]); got != w[2] {
			t.Errorf("%s/%s: lemma %s, want %s", w[0], w[1], got, w[2])
		}
	}
	for sense, want := range map[string]string{"kill.01": "kill", "grow_up.04": "grow", "01": "", ".01": "", "": ""} {
		if got := Stem(sense); got != want {
			t.Errorf("stem of %q is %q, want %q", sense, got, want)
		}
	}
}

// TestRead reads what a Writer wrote, and counts rows of tokens that are not there.
func TestRead(t *testing.T) {
	d := &text.Document{Text: "a b c"}
	toks := text.NewLayer(text.Tokens)
	toks.N = 3
	toks.SetInts("sent", []int32{1, 1, 1})
	toks.SetInts("tok", []int32{1, 2, 3})
	toks.SetInts("char_start", []int32{0, 2, 4})
	toks.SetInts("char_end", []int32{1, 3, 5})
	d.SetLayer(toks)
	w := NewWriter(d, true)
	w.Add(1, Frame{Predicate: 2, Sense: "b.01", Prob: 0.5, Args: []Argument{{"A1", 3, 3, 0.25}, {"A0", 1, 1, 1}}})
	l := w.Layer()
	d.SetLayer(l)
	if got := fmt.Sprint(l.Strs("label"), l.Ints("char_start"), l.Prob); got != "[A0 V A1] [0 2 4] [1 0.5 0.25]" &&
		got != "[V A0 A1] [2 0 4] [0.5 1 0.25]" {
		t.Error(got)
	}
	frames, faults := Read(d)
	if got := fmt.Sprint(frames[1], faults); got != "[{2 b.01 0 [{A0 1 1 0} {A1 3 3 0}]}] 0" {
		t.Error(got)
	}
	l.Ints("tok_end")[1], l.Ints("predicate")[2] = 9, 7
	if frames, faults = Read(d); faults != 2 || len(frames[1]) != 1 || len(frames[1][0].Args) != 0 {
		t.Errorf("%v, %d faults", frames, faults)
	}
}

// TestHead finds heads of spans, and core labels.
func TestHead(t *testing.T) {
	heads := []int32{0, 2, 4, 4, 0, 4} // 1→2→4, 3→4, 5→4
	for span, want := range map[[2]int]int{{1, 2}: 2, {1, 4}: 4, {5, 5}: 5, {1, 5}: 4, {2, 3}: 2} {
		if got := Head(heads, span[0], span[1]); got != want {
			t.Errorf("head of %v is %d, want %d", span, got, want)
		}
	}
	for label, want := range map[string]bool{"A0": true, "ARG1": true, "AA": true, "AM-TMP": false, "ARGM-TMP": false,
		"R-A0":   false,
		"C-ARG1": false, "V": false, "ARG": false, "A": false} {
		if Core(label) != want {
			t.Errorf("%s is core: %v", label, !want)
		}
	}
}

// TestDamagedSoftmax: bytes that are no model are refused.
func TestDamagedSoftmax(t *testing.T) {
	sections := map[string][]byte{}
	w := kind.NewWriter(func(name string, p []byte) error { sections[name] = append(sections[name], p...); return nil })
	x := NewExamples(2)
	x.Add([]uint64{1, 2}, 0, nil)
	x.Add([]uint64{2, 3}, 1, nil)
	m, err := x.Train(context.Background(), Fit{Epochs: 1, Rate: 0.1}, func(int, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Encode(w); err != nil {
		t.Fatal(err)
	}
	r := kind.NewReader(func(name string) ([]byte, error) { return sections[name], nil })
	if _, err := DecodeSoftmax(r, 2); err != nil {
		t.Error(err)
	}
	if _, err := DecodeSoftmax(r, 3); err == nil {
		t.Error("a model of two labels decodes as one of three")
	}
}
