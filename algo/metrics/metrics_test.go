package metrics

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// document has sentences of the given lengths.
func document(lengths ...int) *text.Document {
	d := &text.Document{ID: "d"}
	l := text.NewLayer(text.Tokens)
	for s, n := range lengths {
		for t := range n {
			at := int32(len(d.Text))
			d.Text += "x "
			l.Cols[0].Ints = append(l.Cols[0].Ints, int32(s+1))
			l.Cols[1].Ints = append(l.Cols[1].Ints, int32(t+1))
			l.Cols[2].Ints = append(l.Cols[2].Ints, at)
			l.Cols[3].Ints = append(l.Cols[3].Ints, at+1)
			l.Cols[4].Strs = append(l.Cols[4].Strs, "x")
			l.N++
		}
	}
	d.SetLayer(l)
	return d
}

func with(d *text.Document, spans ...text.Span) *text.Document {
	c := *d
	c.SetLayer(c.SpanLayer(text.Entities, spans))
	return &c
}

func find(t rapid.TB, list []Metric, name, label string) Metric {
	t.Helper()
	for _, m := range list {
		if m.Name == name && m.Label == label {
			return m
		}
	}
	t.Fatalf("no metric %s %s", name, label)
	return Metric{}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestSpansByHand has 2 right, 2 wrong and 3 missed spans: P 2/4, R 2/5, F 4/9.
func TestSpansByHand(t *testing.T) {
	d := document(6, 4)
	gold := with(d, text.Span{Sent: 1, First: 1, Last: 2, Label: "PER"},
		text.Span{Sent: 1, First: 4, Last: 4, Label: "LOC"}, text.Span{Sent: 1, First: 6, Last: 6, Label: "LOC"},
		text.Span{Sent: 2, First: 1, Last: 1, Label: "ORG"}, text.Span{Sent: 2, First: 3, Last: 4, Label: "ORG"})
	pred := with(d, text.Span{Sent: 1, First: 1, Last: 2, Label: "PER"},
		text.Span{Sent: 1, First: 4, Last: 5, Label: "LOC"},
		text.Span{Sent: 2, First: 1, Last: 1, Label: "PER"}, text.Span{Sent: 2, First: 3, Last: 4, Label: "ORG"})
	s := NewSpans("entities", Options{})
	if err := s.Add(context.Background(), []*text.Document{gold}, []*text.Document{pred}); err != nil {
		t.Fatal(err)
	}
	m := s.Metrics()
	near(t, "precision", find(t, m, "precision", All).Value(), 0.5)
	near(t, "recall", find(t, m, "recall", All).Value(), 0.4)
	f := find(t, m, "f1", All)
	near(t, "f1", f.Value(), 4.0/9)
	near(t, "support", f.Support, 5)
	near(t, "PER f1", find(t, m, "f1", "PER").Value(), 2.0/3)
	near(t, "LOC f1", find(t, m, "f1", "LOC").Value(), 0)
	near(t, "ORG f1", find(t, m, "f1", "ORG").Value(), 2.0/3)
	near(t, "macro f1", find(t, m, "macro_f1", All).Value(), 4.0/9)
	if f.Units.Len() != 2 {
		t.Errorf("%d units, want the 2 sentences", f.Units.Len())
	}
	want := map[Cell]bool{{"", "LOC", 1}: true, {"LOC", "", 2}: true, {"ORG", "ORG", 1}: true, {"ORG", "PER", 1}: true,
		{"PER", "PER", 1}: true}
	for _, c := range s.Confusion() {
		if !want[c] {
			t.Errorf("unexpected cell %+v", c)
		}
		delete(want, c)
	}
	if len(want) > 0 {
		t.Errorf("missing cells %v", want)
	}
}

func TestTokensByHand(t *testing.T) {
	d := document(3, 2)
	tags := func(v ...string) *text.Document {
		c := *d
		l := *d.Layer("tokens")
		l.Cols = append([]text.Col{}, l.Cols...)
		l.SetStrs("upos", v)
		c.SetLayer(&l)
		return &c
	}
	s := NewTokens("upos", Options{})
	if err := s.document(tags("N", "V", "", "N", "V"), tags("N", "N", "X", "N", "V")); err != nil {
		t.Fatal(err)
	}
	m := s.Metrics()
	near(t, "accuracy", find(t, m, "accuracy", All).Value(), 0.75)
	near(t, "sentence accuracy", find(t, m, "sentence_accuracy", All).Value(), 0.5)
	near(t, "N precision", find(t, m, "precision", "N").Value(), 2.0/3)
	near(t, "V recall", find(t, m, "recall", "V").Value(), 0.5)
}

func TestLabelsByHand(t *testing.T) {
	doc := func(labels ...string) *text.Document {
		d := &text.Document{}
		l := text.NewLayer(text.Labels)
		l.N = len(labels)
		l.SetStrs("label", labels)
		d.SetLayer(l)
		return d
	}
	s := NewLabels(Options{})
	for _, c := range [][2][]string{{{"a"}, {"a"}}, {{"a"}, {"b"}}, {{"b"}, {"b"}}, {{"a", "b"}, {"a"}}, {nil, {"a"}}} {
		if err := s.document(doc(c[0]...), doc(c[1]...)); err != nil {
			t.Fatal(err)
		}
	}
	m := s.Metrics()
	near(t, "accuracy", find(t, m, "accuracy", All).Value(), 0.5)
	near(t, "micro f1", find(t, m, "f1", All).Value(), 2*3.0/(2*3+1+2))
	near(t, "support of accuracy", find(t, m, "accuracy", All).Support, 4)
}

// TestIntervals checks the interval against the normal approximation of a proportion.
func TestIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := Metric{Combine: Ratio}
	for range 2000 {
		x := float32(0)
		if rng.Float64() < 0.7 {
			x = 1
		}
		m.Units.Add(x, 1)
	}
	c := Chance{Confidence: 0.95, Resamples: 2000, Seed: 1, Workers: 2}
	found, err := Intervals(context.Background(), []Metric{m, {Combine: Sum}}, c)
	if err != nil {
		t.Fatal(err)
	}
	p, low, high := m.Value(), found[0].Low, found[0].High
	half := 1.96 * math.Sqrt(p*(1-p)/2000)
	if math.Abs(low-(p-half)) > 0.004 || math.Abs(high-(p+half)) > 0.004 {
		t.Errorf("interval [%v, %v], want about [%v, %v]", low, high, p-half, p+half)
	}
	if found[1] != nil {
		t.Errorf("a metric without units has the interval %v", found[1])
	}
}

// TestIntervalsOverDocuments has six documents of two sentences, one of which is right; the sentences of a document are
// drawn together.
func TestIntervalsOverDocuments(t *testing.T) {
	m := Metric{Combine: Ratio}
	for i := range 6 {
		m.Units.Add(float32(i&1), 1)
		m.Units.Add(float32(1-i&1), 1)
		m.Ends = append(m.Ends, int32(2*i+2))
	}
	c := Chance{Confidence: 0.95, Resamples: 2000, Workers: 1}
	for _, sentences := range []bool{false, true} {
		c.Sentences = sentences
		found, err := Intervals(context.Background(), []Metric{m}, c)
		if err != nil {
			t.Fatal(err)
		}
		if low, high := found[0].Low, found[0].High; sentences && !(low < 0.4 && high > 0.6) ||
			!sentences && (low != 0.5 || high != 0.5) {
			t.Errorf("sentences %v: interval [%v, %v]", sentences, low, high)
		}
	}
}

// TestFewUnits: five documents or sentences have no interval, and six have one; p they have.
func TestFewUnits(t *testing.T) {
	c := Chance{Confidence: 0.95, Resamples: 100, Shuffles: 100, Workers: 1}
	for n := range 8 {
		a, b := Metric{Combine: Ratio}, Metric{Combine: Ratio}
		docs := Metric{Combine: Ratio}
		for i := range n {
			a.Units.Add(float32(i&1), 1)
			b.Units.Add(1, 1)
			docs.Units.Add(float32(i&1), 1)
			docs.Units.Add(1, 1)
			docs.Ends = append(docs.Ends, int32(2*i+2))
		}
		found, err := Intervals(t.Context(), []Metric{a, docs}, c)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range []Metric{a, docs} {
			if c.UnitsOf(m) != n || (found[i] != nil) != (n >= FewestUnits) {
				t.Errorf("metric %d of %d units: %d, %v", i, n, c.UnitsOf(m), found[i])
			}
		}
		diff, err := Compare(t.Context(), []Metric{a}, []Metric{b}, c)
		if err != nil {
			t.Fatal(err)
		}
		d := diff[0]
		none := [2]bool{math.IsNaN(d.Interval.Low), math.IsNaN(d.Interval.High)}
		if few := n < FewestUnits; none != [2]bool{few, few} || d.Units != n || d.Tested != (n > 0) {
			t.Errorf("%d units: %+v", n, d)
		}
	}
}

func TestCompare(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	coins := func(p float64) Metric {
		m := Metric{Combine: Ratio}
		for range 500 {
			x := float32(0)
			if rng.Float64() < p {
				x = 1
			}
			m.Units.Add(x, 1)
		}
		return m
	}
	a, b, c := coins(0.8), coins(0.6), coins(0.8)
	for _, test := range []Test{Randomised, McNemar, Sign, Student} {
		set := Chance{Confidence: 0.95, Resamples: 500, Shuffles: 2000, Test: test, Workers: 2}
		found, err := Compare(context.Background(), []Metric{a, b, a, a}, []Metric{b, a, c, a}, set)
		if err != nil {
			t.Fatal(err)
		}
		ab, ba, ac, aa := found[0], found[1], found[2], found[3]
		if ab.Value < 0.1 || ab.P > 0.01 || ab.Interval.Low <= 0 || !ab.Tested {
			t.Errorf("better: %+v", ab)
		}
		if ba.Value != -ab.Value || ba.P != ab.P || ba.Interval.High >= 0 {
			t.Errorf("worse: %+v", ba)
		}
		if ac.P < 0.05 || ac.Interval.Low > 0 || ac.Interval.High < 0 {
			t.Errorf("alike: %+v", ac)
		}
		if aa.Value != 0 || aa.P != 1 || aa.Interval.Low != 0 || aa.Interval.High != 0 {
			t.Errorf("of itself: %+v", aa)
		}
	}
}

// TestCompareMeans compares means over labels of which the models met different ones: B has
// never met y, and of three labels x, y, z the mean is over those with any count.
func TestCompareMeans(t *testing.T) {
	part := func(label string, units ...Stat) Metric {
		return Metric{Name: "f1", Label: label, Combine: F1, Units: UnitsOf(units)}
	}
	a := Metric{Name: "macro_f1", Combine: MeanOf,
		Parts: []Metric{part("x", Stat{1}, Stat{1}), part("y", Stat{0, 1}, Stat{})}}
	b := Metric{Name: "macro_f1", Combine: MeanOf,
		Parts: []Metric{part("x", Stat{1}, Stat{0, 0, 1}), part("z", Stat{}, Stat{0, 1})}}
	found, err := Compare(context.Background(), []Metric{a}, []Metric{b},
		Chance{Confidence: 0.95, Shuffles: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	// Swapping unit 1: {x 1, y 0} against {x 2/3, z 0} becomes x alone, 1, against {x 2/3, y 0, z 0}.
	near(t, "difference", found[0].Value, 0.5-1.0/3)
	near(t, "p", found[0].P, 1)
	if found[0].Units != 2 {
		t.Errorf("%d units", found[0].Units)
	}
}

// TestMeanOfDifferentUnits scores a mean of a part over documents and one over pairs of them: it has no interval.
func TestMeanOfDifferentUnits(t *testing.T) {
	part := func(label string, units ...Stat) Metric {
		return Metric{Name: "f1", Label: label, Combine: F1, Units: UnitsOf(units)}
	}
	m := Metric{Name: "balanced", Combine: MeanOf,
		Parts: []Metric{part("x", Stat{1}), part("y", slices.Repeat([]Stat{{1}, {0, 1}}, 3)...)}}
	c := Chance{Confidence: 0.95, Resamples: 20, Shuffles: 20, Workers: 1}
	if found, err := Intervals(context.Background(), []Metric{m, m.Parts[1]}, c); err != nil || found[0] != nil ||
		found[1] == nil {
		t.Errorf("intervals %v, %v", found, err)
	}
	for _, other := range []Metric{m, {}} {
		found, err := Compare(context.Background(), []Metric{m}, []Metric{other}, c)
		if err != nil || found[0].Units != 0 || found[0].Tested {
			t.Errorf("compared %+v, %v", found, err)
		}
	}
}

func TestMcNemarNeedsItems(t *testing.T) {
	f := Metric{Name: "f1", Combine: F1, Units: UnitsOf([]Stat{{1, 0, 0}})}
	many := Metric{Name: "accuracy", Combine: Ratio, Units: UnitsOf([]Stat{{1, 2}})}
	items := Metric{Name: "accuracy", Combine: Ratio, Units: UnitsOf([]Stat{{1, 2}}), Items: []bool{true, false}}
	found, err := Compare(context.Background(), []Metric{f, many, items}, []Metric{f, many, items},
		Chance{Test: McNemar, Shuffles: 10, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if found[0].Tested || found[1].Tested || !found[2].Tested {
		t.Errorf("%+v", found)
	}
}
