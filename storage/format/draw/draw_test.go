package draw

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wellFormed wants a text to be XML.
func wellFormed(t rapid.TB, s string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, s)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, c := range [][2]string{
		{"plain", "plain"},
		{`<a href="x">&'`, "&lt;a href=&#34;x&#34;&gt;&amp;&#39;"},
		{"a\x00b\x1b", "a␀b␛"},
		{"a\tb\nc\r", "a\tb\nc&#13;"},
		{"\xffé\ufffe", "\ufffdé\ufffd"},
	} {
		if got := Escape(c[0]); got != c[1] {
			t.Errorf("Escape(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestEscapeIsXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		wellFormed(t, `<a b="`+Escape(s)+`">`+Escape(s)+"</a>")
	})
}

func TestWidth(t *testing.T) {
	if w := Width("iiii", 10); w > 10 {
		t.Errorf("iiii is %v wide", w)
	}
	if a, b := Width("WWWW", 10), Width("iiii", 10); a < 3*b {
		t.Errorf("WWWW is %v wide, iiii %v", a, b)
	}
	if w := Width("漢字", 10); w < 20 || w > 22 {
		t.Errorf("two full-width characters are %v wide", w)
	}
	if a, b := Width("e\u0301", 10), Width("e", 10); a != b {
		t.Errorf("an accent is %v wide", a-b)
	}
}

// pieces shows how a text is cut: [text|marks over it|marks that end].
func pieces(m *Marks) string {
	var b strings.Builder
	for _, p := range m.Pieces {
		fmt.Fprintf(&b, "[%s|%v|%v]", p.Text, p.Over, p.Ends)
	}
	return b.String()
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		marks []Mark
		want  string
		depth string
	}{
		{"abc", nil, "[abc|[]|[]]", "[]"},
		{"abcdef", []Mark{{From: 1, To: 2}, {From: 4, To: 6}}, "[a|[]|[]][b|[0]|[0]][cd|[]|[]][ef|[1]|[1]]", "[0 0]"},
		{"abcdef", []Mark{{From: 2, To: 3}, {From: 1, To: 5}}, "[a|[]|[]][b|[1]|[]][c|[1 0]|[0]][de|[1]|[1]][f|[]|[]]",
			"[0 1]"},
		{"abcd", []Mark{{From: 0, To: 3}, {From: 1, To: 4}}, "[a|[0]|[]][bc|[0 1]|[0]][d|[1]|[1]]", "[1 0]"},
		{"ab", []Mark{{From: 1, To: 1}}, "[a|[]|[]][|[]|[0]][b|[]|[]]", "[0]"},
		{"ab", []Mark{{From: 0, To: 2}, {From: 0, To: 2}}, "[ab|[0 1]|[1 0]]", "[1 0]"},
		{"é", []Mark{{From: 1, To: 9}, {From: -3, To: 1}}, "[|[]|[1]][é|[0]|[0]]", "[0 0]"},
		{"", []Mark{{From: 0, To: 0}}, "[|[]|[0]]", "[0]"},
	} {
		m := Cut(c.text, c.marks)
		if got := pieces(m); got != c.want {
			t.Errorf("%q %v: %s, want %s", c.text, c.marks, got, c.want)
		}
		if got := fmt.Sprint(m.Depth); got != c.depth {
			t.Errorf("%q %v: depths %s, want %s", c.text, c.marks, got, c.depth)
		}
	}
}

// The pieces of a text are all of it, every mark ends once, and marks that overlap have lines
// of their own.
func TestCutIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var marks []Mark
		for range rapid.IntRange(0, 8).Draw(t, "marks") {
			marks = append(marks,
				Mark{From: rapid.IntRange(-1, len(s)+1).Draw(t, "from"), To: rapid.IntRange(-1, len(s)+1).Draw(t, "to"), Tag: "x"})
		}
		m := Cut(s, marks)
		ends := make([]int, len(marks))
		for _, p := range m.Pieces {
			lines := map[int]bool{}
			for _, i := range p.Over {
				if len(p.Over) > 1 && (lines[m.Depth[i]] || !m.Deep[i] || m.Depth[i] >= m.Most) {
					t.Fatalf("mark %d shares a line: %s", i, pieces(m))
				}
				lines[m.Depth[i]] = true
			}
			for _, i := range p.Ends {
				ends[i]++
			}
		}
		for i, n := range ends {
			if n != 1 {
				t.Fatalf("mark %d ends %d times: %s", i, n, pieces(m))
			}
		}
		if got := m.text(); got != s {
			t.Fatalf("%q, want %q", got, s)
		}
		wellFormed(t, Flow(m, 200).File("t", ""))
	})
}

// A word of a line takes the room that was counted for it, whatever the font is.
func TestFlowFits(t *testing.T) {
	f := Flow(Cut("Ann met Bob", nil), 900)
	if want := fmt.Sprintf(`textLength="%s" lengthAdjust="spacingAndGlyphs">met<`,
		num(Width("met", wordSize))); !strings.Contains(f.Body, want) {
		t.Errorf("no %s in %s", want, f.Body)
	}
}

// A word of a line is where the words before leave room, and blanks begin no line.
func TestFlowBreaks(t *testing.T) {
	m := Cut("one two three\nfour", nil)
	var atoms []atom
	for i, p := range m.Pieces {
		atoms = appendAtoms(atoms, p.Text, i)
	}
	lines, _ := breakLines(atoms, Width("one two ", wordSize)+1)
	var got []string
	for _, a := range atoms {
		got = append(got, fmt.Sprintf("%s%d", strings.TrimSpace(a.s), a.line))
	}
	if want := "one0 0 two0 0 three1 1 four2"; strings.Join(got, " ") != want || lines != 3 {
		t.Errorf("%d lines: %s, want %s", lines, strings.Join(got, " "), want)
	}
}

func TestArcsGolden(t *testing.T) {
	f := Arcs([]Word{{"Dogs", "NOUN"}, {"bark", ""}}, []Arc{{1, 0, "nsubj"}, {-1, 1, "root"}})
	want := `<path class="a" d="M61.7 44V41Q61.7 35 55.7 35H26.5Q20.5 35 20.5 41V40"/>` +
		`<path class="p" d="M20.5 45l-3 -6h6z"/>` +
		`<path class="a" d="M65.3 15V40"/>` +
		`<path class="p" d="M65.3 45l-3 -6h6z"/>` +
		`<rect class="bg" x="25.5" y="29" width="31.2" height="12"/><text class="l" x="41.1" y="39" text-anchor="middle" textLength="27.2" lengthAdjust="spacingAndGlyphs">nsubj</text><rect class="bg" x="53.5" y="9" width="23.6" height="12"/><text class="l" x="65.3" y="19" text-anchor="middle" textLength="19.6" lengthAdjust="spacingAndGlyphs">root</text><text x="16.9" y="60" text-anchor="middle" textLength="33.7" lengthAdjust="spacingAndGlyphs">Dogs</text><text class="s" x="16.9" y="75" text-anchor="middle" textLength="33.3" lengthAdjust="spacingAndGlyphs">NOUN</text><text x="65.3" y="60" text-anchor="middle" textLength="28.1" lengthAdjust="spacingAndGlyphs">bark</text>`
	if f.Body != want {
		t.Errorf("%s\nwant\n%s", f.Body, want)
	}
	wellFormed(t, f.Inline())
}

// Arcs that lie over each other have different heights, and ends at a word do not cross.
func TestArcLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "words")
		words := make([]Word, n)
		var list []Arc
		for i := range words {
			words[i] = Word{Form: rapid.SampledFrom([]string{"a", "longer", "字", "مصر", "<&>"}).Draw(t, "form")}
			list = append(list,
				Arc{rapid.IntRange(-2, n+1).Draw(t, "head"), i,
					rapid.SampledFrom([]string{"", "dep", "nsubj:pass"}).Draw(t, "label")})
		}
		a := &arcs{words: words}
		for _, x := range list {
			if x.Head < 0 || x.Head >= n || x.Head == x.Dep {
				x.Head = -1
			}
			a.arcs = append(a.arcs, x)
		}
		a.levels()
		a.places()
		for i, x := range a.arcs {
			for j, y := range a.arcs[:i] {
				if x.Head < 0 || y.Head < 0 {
					continue
				}
				f1, t1 := x.ends()
				f2, t2 := y.ends()
				if f1 < t2 && f2 < t1 && a.level[i] == a.level[j] {
					t.Fatalf("%v and %v are of one height", x, y)
				}
			}
		}
		for w := 1; w < n; w++ {
			if room := a.at[w] - a.at[w-1]; room < (Width(words[w].Form, wordSize)+Width(words[w-1].Form, wordSize))/2 {
				t.Fatalf("words %d and %d overlap", w-1, w)
			}
		}
		wellFormed(t, Arcs(words, list).File("", ""))
	})
}

// Items of a tree do not share their place with others of their height, whatever the parents.
func TestTreePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "words")
		words := make([]Word, n)
		for i := range words {
			words[i] = Word{rapid.SampledFrom([]string{"a", "longer", "字", ""}).Draw(t, "form"),
				rapid.SampledFrom([]string{"", "NN"}).Draw(t, "tag")}
		}
		var nodes []Node
		for i := range rapid.IntRange(0, 8).Draw(t, "nodes") {
			nodes = append(nodes, Node{rapid.IntRange(-1, i).Draw(t, "parent"), rapid.IntRange(-1, n).Draw(t, "first"),
				rapid.IntRange(-1, n).Draw(t, "last"), rapid.SampledFrom([]string{"NP", "S", "VP-SBJ-LONG"}).Draw(t, "label")})
		}
		tr := &tree{gauge: pixels, nodes: nodes, words: words, below: make([][]int, len(nodes))}
		tr.link()
		tr.measure()
		tr.place()
		width := func(i int) float64 {
			if i < len(nodes) {
				return Width(nodes[i].Label, labelSize+1)
			}
			return Width(words[i-len(nodes)].Form, wordSize)
		}
		for i := range tr.above {
			if p := tr.above[i]; p >= 0 && tr.level[p] <= tr.level[i] {
				t.Fatalf("item %d is not below its parent", i)
			}
			for j := range i {
				if tr.level[i] == tr.level[j] && math.Abs(tr.at[i]-tr.at[j]) < (width(i)+width(j))/2 {
					t.Fatalf("items %d and %d overlap", i, j)
				}
			}
		}
		wellFormed(t, Tree(words, nodes).File("", ""))
	})
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi, parts float64
		want          string
	}{
		{0, 10, 5, "0 2 4 6 8 10"},
		{0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0"},
		{-3, 4, 7, "-3 -2 -1 0 1 2 3 4"},
		{1200, 9800, 6, "2000 4000 6000 8000"},
		{0.00012, 0.00034, 4, "0.0002 0.0003"},
		{5, 5, 5, "4.6 4.8 5.0 5.2 5.4"},
		{0, 3e9, 3, "0 1e+09 2e+09 3e+09"},
	} {
		a := &axis{lo: c.lo, hi: c.hi}
		a.settle(c.parts)
		var got []string
		for _, v := range a.ticks() {
			got = append(got, a.tick(v))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v to %v: %v, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// Plots of any numbers are pictures whose points lie within the axes.
func TestPlotOfAnything(t *testing.T) {
	value := rapid.OneOf(rapid.Float64(),
		rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
			math.SmallestNonzeroFloat64}))
	rapid.Check(t, func(t *rapid.T) {
		p := &Plot{X: "x", Times: rapid.Bool().Draw(t, "times"), LogX: rapid.Bool().Draw(t, "log x"),
			LogY: rapid.Bool().Draw(t, "log y")}
		for i := range rapid.IntRange(0, 3).Draw(t, "lines") {
			n := rapid.IntRange(0, 5).Draw(t, "points")
			p.Series = append(p.Series,
				Series{fmt.Sprint(i), rapid.SliceOfN(value, n, n).Draw(t, "x"), rapid.SliceOfN(value, n, n).Draw(t, "y")})
		}
		s := p.Figure(NewPalette("")).File("p", "")
		wellFormed(t, s)
		if strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Fatal("a place that is no number")
		}
	})
}

// luminance is that of WCAG.
func luminance(t *testing.T, hex string) float64 {
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	part := func(v uint64) float64 {
		x := float64(v&255) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(n>>16) + 0.7152*part(n>>8) + 0.0722*part(n)
}

// Text on every colour is readable, in light and dark.
func TestContrast(t *testing.T) {
	check := func(i int, a, b string) {
		x, y := luminance(t, a), luminance(t, b)
		if c := (max(x, y) + 0.05) / (min(x, y) + 0.05); c < 4.5 {
			t.Errorf("colour %d: %s on %s has a contrast of %.1f", i, a, b, c)
		}
	}
	named, ordered := NewPalette(""), NewOrdered("")
	for i := range 2000 {
		name := fmt.Sprint("label ", i)
		named.Class(name)
		ordered.Class(name)
		p := named
		if i%2 == 0 {
			p = ordered
		}
		light, dark := p.of(name)
		check(i, "#1b1f24", light.soft)
		check(i, "#ffffff", light.strong)
		check(i, "#e6e9ee", dark.soft)
		check(i, "#15181d", dark.strong)
	}
}

// TestPaletteOfNames: a label has one colour, whatever labels are beside it; ordered palettes go by the order of use.
func TestPaletteOfNames(t *testing.T) {
	a, b := NewPalette(""), NewPalette("")
	for _, name := range []string{"ORG", "LOC", "disease", "R:VERB"} {
		a.Class(name)
	}
	for _, name := range []string{"R:VERB", "PER", "disease"} {
		b.Class(name)
	}
	for _, name := range []string{"disease", "R:VERB"} {
		x, _ := a.of(name)
		if y, _ := b.of(name); x != y {
			t.Errorf("%s is %v and %v", name, x, y)
		}
		if !strings.Contains(a.HTML(), ".b"+a.Class(name)+"{background:"+x.soft+"}") {
			t.Errorf("%s has not the colour %s in\n%s", name, x.soft, a.HTML())
		}
	}
	seen := map[colours]string{}
	for _, name := range []string{"PER", "ORG", "LOC", "MISC"} {
		c, _ := a.of(name)
		if seen[c] != "" {
			t.Errorf("%s and %s are both %v", name, seen[c], c)
		}
		seen[c] = name
	}
	o := NewOrdered("")
	o.Class("z")
	o.Class("a")
	first, _ := o.of("z")
	if want, _ := shades(hues[0], 0); first != want {
		t.Errorf("the first label is %v, want %v", first, want)
	}
}

func TestTicksOfLogarithms(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{-3, 2, "0.001 0.01 0.1 1 10 100"},
		{0, 1, "1 2 5 10"},
		{0.1, 0.9, "2 5"},
		{3, 9, "1000 10000 100000 1000000 1e+07 1e+08 1e+09"},
		{-12, 12, "1e-12 1e-10 1e-08 1e-06 0.0001 0.01 1 100 10000 1000000 1e+08 1e+10 1e+12"},
	} {
		a := axis{lo: c.lo, hi: c.hi, log: true}
		var got []string
		for _, v := range a.ticks() {
			got = append(got, a.tick(v))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.lo, c.hi, s, c.want)
		}
	}
}

// TestLogarithms leaves out points without a logarithm and keeps the scale of names.
func TestLogarithms(t *testing.T) {
	p := &Plot{LogX: true, LogY: true, Series: []Series{{Name: "a", X: []float64{1, 10, 100}, Y: []float64{1, 0, 1000}}}}
	q := p.logarithms()
	if q.Series[0].X[2] != 2 || q.Series[0].Y[2] != 3 || !math.IsNaN(q.Series[0].Y[1]) || p.Series[0].X[2] != 100 {
		t.Errorf("%+v of %+v", q, p)
	}
	p.Categories = []string{"x", "y", "z"}
	if q := p.logarithms(); q.LogX || q.Series[0].X[2] != 100 {
		t.Errorf("names are %v", q.Series[0].X)
	}
}
