package metrics

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// parsed returns a document of sentences with the heads and relations of its tokens in order.
func parsed(lengths []int, heads []int32, rels []string) *text.Document {
	d := document(lengths...)
	l := text.NewLayer(text.Dependencies)
	var sent, tok []int32
	for s, n := range lengths {
		for k := range n {
			sent, tok = append(sent, int32(s+1)), append(tok, int32(k+1))
		}
	}
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", heads)
	l.SetStrs("deprel", rels)
	d.SetLayer(l)
	return d
}

// score returns the metrics of one document.
func score(t rapid.TB, opt Options, gold, predicted *text.Document) []Metric {
	t.Helper()
	s := NewArcs(opt)
	if err := s.Add(context.Background(), []*text.Document{gold}, []*text.Document{predicted}); err != nil {
		t.Fatal(err)
	}
	return s.Metrics()
}

func TestArcsByHand(t *testing.T) {
	lengths := []int{3, 2}
	gold := parsed(lengths, []int32{2, 0, 2, 0, 1}, []string{"nsubj:pass", "root", "punct", "root", "advmod"})
	gold.Layer("tokens").SetStrs("form", []string{"Dogs", "bark", "?!", "Go", "now"})
	gold.Layer("tokens").SetStrs("xpos", []string{"NNS", "VBP", ".", "VB", "RB"})
	predicted := parsed(lengths, []int32{2, 0, 1, 2, 0}, []string{"nsubj", "root", "punct", "root", "root"})
	m := score(t, Options{}, gold, predicted)
	for name, want := range map[string]float64{
		"uas": 2.0 / 5, "las": 1.0 / 5, "las_main": 2.0 / 5, // Dogs is nsubj
		"uem": 0, "lem": 0,
		"uas_words": 2.0 / 4, "las_words": 1.0 / 4, "uem_words": 1.0 / 2, "lem_words": 0,
		"clas":           2.0 * 2 / (4 + 4), // Dogs and bark, for subtypes do not count
		"root_precision": 1.0 / 2, "root_recall": 1.0 / 2, "root_f1": 1.0 / 2,
	} {
		near(t, name, find(t, m, name, All).Value(), want)
	}
	near(t, "root relation f1", find(t, m, "f1", "root").Value(), 2.0*1/(2+3))
	m = score(t, Options{Ignore: []string{"VB", "."}}, gold, predicted)
	near(t, "uas without tags", find(t, m, "uas", All).Value(), 2.0/3)
	near(t, "support without tags", find(t, m, "uas_words", All).Support, 3)
	if err := NewArcs(Options{Ignore: []string{"."}}).document(predicted, gold); err == nil ||
		!strings.Contains(err.Error(), "neither upos nor xpos") {
		t.Errorf("tags that are not there are ignored: %v", err)
	}
	if err := NewArcs(Options{}).document(gold,
		parsed([]int{3, 1}, []int32{2, 0, 1, 0}, []string{"a", "b", "c", "d"})); err == nil {
		t.Error("five and four tokens are compared")
	}
	if err := NewArcs(Options{}).document(gold,
		parsed([]int{2, 3}, []int32{2, 0, 0, 1, 1}, []string{"a", "b", "c", "d", "e"})); err == nil {
		t.Error("sentences of other lengths are compared")
	}
	m = score(t, Options{}, parsed(lengths, []int32{2, 0, 2, 0, 1}, []string{"SBJ", "ROOT", "P", "ROOT", "ADV"}),
		predicted)
	for _, x := range m {
		if x.Name == "clas" {
			t.Error("clas is given where relations are not those of Universal Dependencies")
		}
	}
}

// TestArcsWithoutHead scores neither tokens without gold nor spares those without prediction.
func TestArcsWithoutHead(t *testing.T) {
	cut := func(d *text.Document, n int) *text.Document {
		l := *d.Layer("dependencies")
		l.N = n
		l.Cols = nil
		for _, c := range d.Layer("dependencies").Cols {
			if c.Ints != nil {
				c.Ints = c.Ints[:n]
			}
			if c.Strs != nil {
				c.Strs = c.Strs[:n]
			}
			l.Cols = append(l.Cols, c)
		}
		out := *d
		out.SetLayer(&l)
		return &out
	}
	d := parsed([]int{4}, []int32{0, 1, 1, 1}, []string{"root", "obj", "obj", "obj"})
	near(t, "with two gold heads", find(t, score(t, Options{}, cut(d, 2), d), "las", All).Value(), 1)
	near(t, "with three predicted heads", find(t, score(t, Options{}, d, cut(d, 3)), "las", All).Value(), 0.75)
}

// TestArcsBruteForce counts arcs of random trees again, one by one, and adds up breakdowns.
func TestArcsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(1, 25), 1, 4).Draw(t, "lengths")
		draw := func() (heads []int32, rels []string) {
			for _, n := range lengths {
				for range n {
					heads = append(heads, rapid.Int32Range(0, int32(n)).Draw(t, "head"))
					rels = append(rels, rapid.SampledFrom([]string{"det", "obj", "obl", "obl:x"}).Draw(t, "relation"))
				}
			}
			return heads, rels
		}
		gh, gr := draw()
		ph, pr := draw()
		gold, predicted := parsed(lengths, gh, gr), parsed(lengths, ph, pr)
		want := map[string]float64{}
		at, content := 0, 0.0
		for _, n := range lengths {
			heads, all := true, true
			for range n {
				same := gh[at] == ph[at]
				heads, all = heads && same, all && same && gr[at] == pr[at]
				if same {
					want["uas"]++
				}
				if same && gr[at] == pr[at] {
					want["las"]++
				}
				g, _, _ := strings.Cut(gr[at], ":")
				p, _, _ := strings.Cut(pr[at], ":")
				for _, x := range []string{g, p} {
					if x != "det" {
						content++
					}
				}
				if same && g == p && g != "det" {
					want["clas"]++
				}
				at++
			}
			if heads {
				want["uem"]++
			}
			if all {
				want["lem"]++
			}
		}
		m := score(t, Options{}, gold, predicted)
		for _, name := range []string{"uas", "las", "uem", "lem"} {
			x := find(t, m, name, All)
			if got := x.Units.sums(2)[0]; got != want[name] || x.Units.Len() != len(lengths) {
				t.Fatalf("%s: %v right of %d units, want %v of %d", name, got, x.Units.Len(), want[name], len(lengths))
			}
			right := 0.0
			for _, ok := range x.Items {
				if ok {
					right++
				}
			}
			if right != want[name] {
				t.Fatalf("%s has %v right items, want %v", name, right, want[name])
			}
		}
		if got := find(t, m, "clas", All).Value(); content > 0 && math.Abs(got-2*want["clas"]/content) > 1e-12 {
			t.Fatalf("clas %v, want %v", got, 2*want["clas"]/content)
		}
		for _, b := range Breakdowns(text.Dependencies, nil) {
			right, scored := 0.0, 0.0
			for _, v := range b.Values {
				x := find(t, score(t, Options{Only: map[string]string{b.Name: v}}, gold, predicted), "las", All)
				right, scored = right+x.Units.sums(2)[0], scored+x.Support
				if x.Units.Len() != len(lengths) {
					t.Fatalf("%s %s has %d units", b.Name, v, x.Units.Len())
				}
			}
			if right != want["las"] || scored != float64(at) {
				t.Fatalf("by %s %v of %v are right, want %v of %v", b.Name, right, scored, want["las"], at)
			}
		}
	})
}

// TestBreakdownValues checks the borders of the values.
func TestBreakdownValues(t *testing.T) {
	for _, c := range []struct {
		name, value string
		counts      func(*Options) bool
	}{
		{"length", "1-10", func(o *Options) bool { return o.sentence(1) && o.sentence(10) && !o.sentence(11) }},
		{"length", "11-20", func(o *Options) bool {
			return o.sentence(11) && o.sentence(20) && !o.sentence(21) &&
				!o.sentence(10)
		}},
		{"length", "51+", func(o *Options) bool { return o.sentence(51) && o.sentence(500) && !o.sentence(50) }},
		{"arc_length", "root", func(o *Options) bool { return o.arc(0, 7) && !o.arc(1, 2) }},
		{"arc_length", "1", func(o *Options) bool { return o.arc(3, 4) && o.arc(4, 3) && !o.arc(3, 5) && !o.arc(0, 1) }},
		{"arc_length", "3-6", func(o *Options) bool { return o.arc(1, 4) && o.arc(7, 1) && !o.arc(1, 8) && !o.arc(1, 3) }},
		{"arc_length", "7+", func(o *Options) bool { return o.arc(1, 8) && o.arc(90, 1) && !o.arc(1, 7) }},
		{"direction", "left", func(o *Options) bool { return o.arc(3, 1) && !o.arc(1, 3) && !o.arc(0, 1) }},
	} {
		if o := (&Options{Only: map[string]string{c.name: c.value}}); !c.counts(o) {
			t.Errorf("%s %s has other borders", c.name, c.value)
		}
	}
}

// TestSpansByLength tells spans apart by their own length and by that of their sentence.
func TestSpansByLength(t *testing.T) {
	d := document(3, 12)
	gold := with(d, text.Span{Sent: 1, First: 1, Last: 2, Label: "A"}, text.Span{Sent: 2, First: 1, Last: 7, Label: "A"},
		text.Span{Sent: 2, First: 9, Last: 10, Label: "A"})
	predicted := with(d, text.Span{Sent: 1, First: 1, Last: 2, Label: "A"},
		text.Span{Sent: 2, First: 1, Last: 2, Label: "A"})
	for _, c := range []struct {
		name, value string
		want        Stat
	}{{"span_length", "2", Stat{1, 1, 1}}, {"span_length", "5+", Stat{0, 0, 1}}, {"length", "1-10", Stat{1, 0, 0}},
		{"length", "11-20", Stat{0, 1, 2}}} {
		s := NewSpans("entities", Options{Only: map[string]string{c.name: c.value}})
		if err := s.Add(context.Background(), []*text.Document{gold}, []*text.Document{predicted}); err != nil {
			t.Fatal(err)
		}
		got := find(t, s.Metrics(), "f1", All).Units.sums(3)
		if !slices.Equal(got, []float64{float64(c.want[0]), float64(c.want[1]), float64(c.want[2])}) {
			t.Errorf("%s %s: %v, want %v", c.name, c.value, got, c.want)
		}
	}
}

// TestMainOfTrees takes uas where no relation is right, as of a parser without relations.
func TestMainOfTrees(t *testing.T) {
	gold := parsed([]int{2}, []int32{2, 0}, []string{"a", "b"})
	for want, rels := range map[string][]string{"las": {"a", "x"}, "uas": {"", ""}} {
		if m := Main(score(t, Options{}, gold, parsed([]int{2}, []int32{2, 0}, rels))); m == nil || m.Name != want {
			t.Errorf("relations %v are compared by %v, want %s", rels, m, want)
		}
	}
}
