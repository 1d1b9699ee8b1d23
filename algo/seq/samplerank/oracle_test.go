package samplerank

import (
	"context"
	"math"
	"slices"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/mcmc"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/tagger"
)

// example is the citation Smith Parsing 1999 with labels A, T, D; the words are the attributes.
func example(gold ...uint16) *tagger.Data {
	n := uint32(len(gold))
	d := &tagger.Data{Names: []string{"A", "T", "D"}, Labelled: 1}
	d.Labels, d.Attributes = 3, int(n)
	d.Offsets, d.AttrOffsets, d.Gold = []uint32{0, n}, []uint32{0}, gold
	for a := range n {
		d.Attrs, d.AttrOffsets = append(d.Attrs, a), append(d.AttrOffsets, a+1)
	}
	return d
}

const labelA, labelT, labelD = 0, 1, 2

func learn(t *testing.T, d *tagger.Data, o objective) *learner {
	t.Helper()
	l, err := newLearner(d, 1, 0, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.objective = o
	return l
}

func truthOf(d *tagger.Data) objective {
	gold := make(mcmc.Truth, len(d.Gold))
	for i, g := range d.Gold {
		gold[i] = int32(g)
	}
	return objective{labelled: len(gold), truth: gold}
}

// TestWorkedUpdates: two updates by hand rank all 27 labellings as they should; ties of weights 0 count as wrong.
func TestWorkedUpdates(t *testing.T) {
	d := example(labelA, labelT, labelD)
	l := learn(t, d, truthOf(d))
	for _, c := range []struct {
		y      [3]int32
		at     int
		to     int32
		update bool
	}{
		{[3]int32{labelA, labelA, labelA}, 1, labelT, true}, {[3]int32{labelA, labelT, labelA}, 2, labelD, true},
		{[3]int32{labelA, labelT, labelD}, 0, labelD, false}, {[3]int32{labelA, labelT, labelD}, 2, labelA, false},
		{[3]int32{labelA, labelT, labelD}, 1, labelD, false}, {[3]int32{labelA, labelT, labelD}, 2, labelT, false},
	} {
		copy(l.y, c.y[:])
		before := l.Updates
		l.step(c.at, c.to)
		if (l.Updates > before) != c.update {
			t.Errorf("%v, token %d to %d: updated %v", c.y, c.at, c.to, !c.update)
		}
	}
	m, err := l.chain(l.Weights)
	if err != nil {
		t.Fatal(err)
	}
	dec, err := m.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	dec.Load(d.Sequence(0))
	base := dec.Score([]uint16{labelA, labelA, labelA})
	for want, y := range map[float64][]uint16{4: {labelA, labelT, labelD}, 3: {labelT, labelT, labelD}, 2: {labelT,
		labelD, labelD}} {
		if got := dec.Score(y); got != want {
			t.Errorf("score of %v = %v, want %v (%v of AAA)", y, got, want, base)
		}
	}
	best, score, err := dec.Viterbi()
	if err != nil || score != 4 || best[0] != labelA || best[1] != labelT || best[2] != labelD {
		t.Errorf("best %v, score %v, %v", best, score, err)
	}
}

// TestObjectives is the example of one unlabelled token, 2001, predicted as A, whose constraint wants D.
func TestObjectives(t *testing.T) {
	d := example(labelA)
	c := mcmc.Constraints{0: {{Labels: []int32{labelD}, Strength: 1}}}
	for _, x := range []struct {
		objective string
		self, mod float64 // λ
		weight    float64 // of A
		update    bool
	}{
		{objectiveSelf, 10, 1e-4, 1, false}, {objectiveConstraints, 10, 1e-4, 1, true},
		{objectiveSelfConstraints, 10, 1e-4, 1, true}, {objectiveSelfConstraints, 0, 1e-4, 1, false},
		{objectiveModelConstraints, 10, 1e-4, 1, false}, {objectiveModelConstraints, 10, 1, 1, true},
		{objectiveModelConstraints, 10, 1e-4, 0, true}, {objectiveModelConstraints, 10, 0, 0, false},
	} {
		m := &model{}
		m.opt.objective, m.opt.selfConstraints, m.opt.modelConstraints = x.objective, x.self, x.mod
		l := learn(t, d, m.objective(0, mcmc.Truth{labelA}, c))
		l.y[0], l.Weights[labelA] = labelA, x.weight
		l.step(0, labelD)
		want := [2]float64{x.weight, 0}
		if x.update {
			want = [2]float64{x.weight - 1, 1}
		}
		if got := [2]float64{l.Weights[labelA], l.Weights[labelD]}; got != want {
			t.Errorf("%s, λ %v and %v, weight %v: weights %v, want %v", x.objective, x.self, x.mod, x.weight, got, want)
		}
	}
}

// TestLimits: constraints without strength move nothing; with a large λ the objective model+constraints makes the
// updates of constraints, and with λ = 0 self+constraints those of self.
func TestLimits(t *testing.T) {
	weights := func(name string, self, mod, strength float64) (*learner, []float64) {
		l, _ := random(t, 9)
		clear(l.Weights[:len(l.Weights)/2])
		m := &model{}
		m.opt.objective, m.opt.selfConstraints, m.opt.modelConstraints = name, self, mod
		l.objective = m.objective(0, l.objective.truth, mcmc.Constraints{
			0: {{Labels: []int32{labelT}, Strength: strength}}, 4: {{Labels: []int32{labelA, labelT}, Strength: strength}}})
		if err := l.pass(context.Background(), len(l.y)); err != nil {
			t.Fatal(err)
		}
		return l, l.Weights
	}
	if l, _ := weights(objectiveConstraints, 10, 1, 0); l.Updates != 0 {
		t.Errorf("%d updates without strength", l.Updates)
	}
	l, cons := weights(objectiveConstraints, 10, 1, 1)
	_, mod := weights(objectiveModelConstraints, 10, 1e6, 1)
	if l.Updates == 0 || !slices.Equal(cons, mod) {
		t.Errorf("%d updates; weights %v, with the model %v", l.Updates, cons, mod)
	}
	l, self := weights(objectiveSelf, 10, 1, 1)
	_, both := weights(objectiveSelfConstraints, 0, 1, 1)
	if l.Updates == 0 || !slices.Equal(self, both) {
		t.Errorf("%d updates; weights %v, with constraints of weight 0 %v", l.Updates, self, both)
	}
}

// random is data of two sequences with random weights.
func random(t *testing.T, seed uint64) (*learner, *chain.Model) {
	t.Helper()
	r := mcmc.NewRand(seed)
	d := example(0, 1, 2, 0, 1)
	d.Offsets, d.Labelled = []uint32{0, 3, 5}, 2
	l := learn(t, d, truthOf(d))
	for i := range l.Weights {
		l.Weights[i] = 4*r.Float64() - 2
	}
	m, err := l.chain(l.Weights)
	if err != nil {
		t.Fatal(err)
	}
	return l, m
}

// TestChange: the score of a change is the difference of the scores of whole sequences.
func TestChange(t *testing.T) {
	l, m := random(t, 3)
	dec, err := m.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	score := func() (sum float64) {
		for i := range l.data.Sequences() {
			dec.Load(l.data.Sequence(i))
			var y []uint16
			for _, k := range l.y[l.data.Offsets[i]:l.data.Offsets[i+1]] {
				y = append(y, uint16(k))
			}
			sum += dec.Score(y)
		}
		return sum
	}
	for range 200 {
		at, to := l.random.Intn(len(l.y)), int32(l.random.Intn(3))
		if to == l.y[at] {
			continue
		}
		before, got := score(), l.Score(l.change(at, to))
		if l.y[at] = to; math.Abs(score()-before-got) > 1e-9 {
			t.Fatalf("token %d to %d: %v, want %v", at, to, got, score()-before)
		}
	}
}

// TestSampling: with an objective that prefers nothing the chain keeps to p(y|x), and cooled down it finds the labels
// of Viterbi search.
func TestSampling(t *testing.T) {
	l, m := random(t, 5)
	l.objective = objective{unlabelled: mcmc.Mixture{}}
	dec, err := m.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	dec.Load(l.data.Sequence(0))
	counts := [3][3]float64{}
	const n = 200000
	for range n {
		at := l.random.Intn(5)
		l.step(at, (l.y[at]+1+int32(l.random.Intn(2)))%3)
		for i := range counts {
			counts[i][l.y[i]]++
		}
	}
	for i := range counts {
		for k := range counts[i] {
			if got, want := counts[i][k]/n, dec.Marginal(i, k); math.Abs(got-want) > 0.01 {
				t.Errorf("token %d, label %d: %.3f, want %.3f", i, k, got, want)
			}
		}
	}
	for i := range 50 {
		l.temperature = mcmc.Schedule{First: 1, Last: 0.01}.At(i, 50)
		if err := l.pass(context.Background(), 5); err != nil {
			t.Fatal(err)
		}
	}
	best, _, err := dec.Viterbi()
	for i := range best {
		if err != nil || int32(best[i]) != l.y[i] {
			t.Errorf("cooled down to %v, best %v, %v", l.y[:3], best, err)
		}
	}
}

func started(t *testing.T, opts ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(opts); err != nil {
		t.Fatal(err)
	}
	return m
}

func fit(t *testing.T, in *kind.Training, opts ...option.Arg) *model {
	t.Helper()
	m := started(t, opts...)
	in.Report, in.Notice = func(kind.Progress) {}, func(string) {}
	if err := m.Train(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNoErrors: by truth alone the labels of a separable corpus are learned without error.
func TestNoErrors(t *testing.T) {
	docs := kindtest.Sample(20)
	last := math.NaN()
	m := started(t, kindtest.Arg("layer", "entities"))
	in := &kind.Training{On: kind.Documents(docs), Notice: func(string) {},
		Report: func(p kind.Progress) { last = p.Objective }}
	if err := m.Train(context.Background(), in); err != nil || last != 0 {
		t.Errorf("%v errors, %v", last, err)
	}
}

// TestConstraintsTeach: a label that gold never shows is learned from a constraint, by its strength.
func TestConstraintsTeach(t *testing.T) {
	docs := kindtest.Sample(30)
	ask := func(strength float64) *model {
		return fit(t, &kind.Training{On: kind.Documents(docs[:10]), Roles: map[string]kind.Input{
			"unlabelled":  kind.Documents(docs[10:]),
			"constraints": rules([]any{"token", "the", "THING", strength, ">="})}},
			kindtest.Arg("layer", "entities"), kindtest.Arg("objective", objectiveSelfConstraints))
	}
	has := func(m *model) (sum float64) {
		for w := range m.Chain.States() {
			if l := m.Labels[w.Label]; l == "B-THING" || l == "I-THING" {
				sum += max(0, w.Weight)
			}
		}
		return sum
	}
	if weak, strong := has(ask(0)), has(ask(1)); !(strong > weak) {
		t.Errorf("weights of the label that a constraint wants: %v, without strength %v", strong, weak)
	}
}

// TestConstraintsOfTokens: strengths by direction, and none for labelled tokens.
func TestConstraintsOfTokens(t *testing.T) {
	docs := kindtest.Sample(4)
	m := started(t, kindtest.Arg("layer", "entities"), kindtest.Arg("objective", objectiveConstraints))
	c, err := m.read(context.Background(), &kind.Training{On: kind.Documents(docs[:2]), Notice: func(string) {},
		Roles: map[string]kind.Input{"unlabelled": kind.Documents(docs[2:]), "constraints": rules(
			[]any{"pattern", "^ .", "PER", 0.75, ">="}, []any{"pattern", "^ .", "NEW", 0.25, "<="})}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.constraints) != c.Sequences()-c.Labelled {
		t.Errorf("%d tokens have constraints, want the first of each of %d sentences", len(c.constraints),
			c.Sequences()-c.Labelled)
	}
	id := func(name string) int32 { return int32(slices.Index(c.Names, name)) }
	at := int(c.Offsets[c.Labelled])
	for _, x := range []struct {
		from, to string
		want     float64
	}{{"O", "B-PER", 1.5}, {"B-PER", "I-PER", 0}, {"O", "I-NEW", -1.5}, {"B-NEW", "B-PER", 3}} {
		if got := c.constraints.Prefer(at, id(x.from), id(x.to)); got != x.want {
			t.Errorf("%s to %s: %v, want %v", x.from, x.to, got, x.want)
		}
	}
}

// TestPredictions: the second stage begins with the best labels of sentences without gold, which self takes for the
// truth.
func TestPredictions(t *testing.T) {
	docs := kindtest.Sample(20)
	m := started(t, kindtest.Arg("layer", "entities"), kindtest.Arg("objective", objectiveSelf))
	in := &kind.Training{On: kind.Documents(docs[:10]), Notice: func(string) {}, Report: func(kind.Progress) {},
		Roles: map[string]kind.Input{"unlabelled": kind.Documents(docs[10:])}}
	c, err := m.read(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	l := learn(t, c.Data, m.objective(c.labelledTokens(), truthOf(c.Data).truth, nil))
	r := &run{model: m, t: in, corpus: c, learner: l}
	if err := l.pass(context.Background(), c.labelledTokens()); err != nil {
		t.Fatal(err)
	}
	if err := r.predict(context.Background()); err != nil {
		t.Fatal(err)
	}
	now, err := l.chain(l.Weights)
	if err != nil {
		t.Fatal(err)
	}
	dec, err := now.NewDecoder(m.opt.Rules(c.Names))
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	for i := c.Labelled; i < c.Sequences(); i++ {
		dec.Load(c.Sequence(i))
		best, _, err := dec.Viterbi()
		for k, y := range best {
			at := int(c.Offsets[i]) + k
			if err != nil || l.objective.truth[at] != int32(y) || l.y[at] != int32(y) {
				t.Fatalf("token %d: truth %d, state %d, best %d, %v", at, l.objective.truth[at], l.y[at], y, err)
			}
			if c.Names[y] != "O" {
				inside++
			}
		}
	}
	if inside == 0 {
		t.Error("nothing is predicted to be in a span")
	}
}
