package extract

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/algo/text"

	"pgregory.net/rapid"
)

// sentences makes a document whose tokens are form/upos, with entities given as
// sentence:first-last:label.
func sentences(t testing.TB, lines []string, entities ...string) *text.Document {
	t.Helper()
	d := &text.Document{ID: "d"}
	toks := text.NewLayer(text.Tokens)
	var b strings.Builder
	for s, line := range lines {
		for i, w := range strings.Fields(line) {
			form, pos, _ := strings.Cut(w, "/")
			toks.Cols[0].Ints = append(toks.Cols[0].Ints, int32(s+1))
			toks.Cols[1].Ints = append(toks.Cols[1].Ints, int32(i+1))
			toks.Cols[2].Ints = append(toks.Cols[2].Ints, int32(b.Len()))
			b.WriteString(form)
			toks.Cols[3].Ints = append(toks.Cols[3].Ints, int32(b.Len()))
			b.WriteByte(' ')
			toks.Cols[4].Strs = append(toks.Cols[4].Strs, form)
			toks.Cols[5].Strs = append(toks.Cols[5].Strs, strings.ToLower(form))
			toks.Cols[6].Strs = append(toks.Cols[6].Strs, pos)
			toks.N++
		}
	}
	d.Text = b.String()
	d.SetLayer(toks)
	var spans []text.Span
	for _, e := range entities {
		var s text.Span
		if _, err := fmt.Sscanf(e, "%d:%d-%d:%s", &s.Sent, &s.First, &s.Last, &s.Label); err != nil {
			t.Fatal(err)
		}
		spans = append(spans, s)
	}
	d.SetLayer(d.SpanLayer(text.Entities, spans))
	return d
}

// show prints spans as their tokens, groups as name=tokens.
func show(d *text.Document, p *Pattern, spans []Span) string {
	forms := d.Layer("tokens").Strs("form")
	var out []string
	for _, s := range spans {
		line := strings.Join(forms[s.From:s.To], " ")
		for i, g := range s.Groups {
			line += fmt.Sprintf(" %s=%s", p.groups[i], strings.Join(forms[g.From:g.To], " "))
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestPattern(t *testing.T) {
	d := sentences(t, []string{"Ann/PROPN Lee/PROPN works/VERB hard/ADV for/ADP Acme/PROPN",
		"New/PROPN York/PROPN is/AUX big/ADJ ,/PUNCT new/ADJ and/CCONJ big/ADJ"},
		"1:1-2:PER", "1:1-1:GIVEN", "1:6-6:ORG", "2:1-2:LOC")
	for _, c := range [][2]string{
		{`<entities PER> [lemma=works] <token>{0,3} <entities ORG>`, "Ann Lee works hard for Acme"},
		{`(?who <entities PER>) [upos=VERB] []* (?where <entities>)`, "Ann Lee works hard for Acme who=Ann Lee where=Acme"},
		{`(?a <entities>) (?b [])`, "Ann Lee works a=Ann Lee b=works; New York is a=New York b=is"},
		{`[form~/^[A-Z]/]+`, "Ann Lee; Acme; New York"},
		{`[form="New"] [form='York']`, "New York"},
		{`[form="new"]`, "new"},
		{`[form~/^new$/i]`, "New; new"},
		{`[upos!=PROPN & upos!=VERB & !(upos=ADP | upos=AUX)]`, "hard; big; ,; new; and; big"},
		{`([form=big] | [form=new])`, "big; new; big"},
		{`^ <token>`, "Ann; New"},
		{`<token> $`, "Acme; big"},
		{`^ []* [form=big] $`, "New York is big , new and big"},
		{`<entities PER|LOC>`, "Ann Lee; New York"},
		{`<entities GIVEN> [form=Lee]`, "Ann Lee"},
		{`[form=big] ([form=","] [] | [form=nothing])?`, "big , new; big"},
		{`(?x [form=works] | [form=hard]) (?y [form=hard])?`, "works hard x=works y=hard"},
		{`[form=absent]*`, ""},
		{`<chunks>`, ""},
	} {
		p, err := Compile(c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := show(d, p, mustFind(t, p, d, Leftmost)); got != c[1] {
			t.Errorf("%s finds %q, want %q", c[0], got, c[1])
		}
	}
}

func TestPatternFaults(t *testing.T) {
	for _, c := range []struct {
		pattern string
		at      int
		msg     string
	}{
		{"", 1, "wanted"}, {"work", 1, "cannot stand"}, {"<entities PER", 1, "not closed"}, {"[lemma=work", 1, "not closed"},
		{"[] (<token>", 4, "not closed"}, {"<token>)", 8, "closes nothing"}, {"[lema=work]", 2, "no column lema"},
		{"[form]", 6, "is wanted"},
		{"[form=]", 7, "value is wanted"}, {"[form~ing]", 7, "between slashes"}, {"[form~/(/]", 7, "missing closing"},
		{"[form=\"x]", 7, "quote"},
		{"*", 1, "nothing to repeat"}, {"[]{2,1}", 3, "above its end"}, {"[]{1001}", 4, "at most 1000"},
		{"[]{}", 3, "number is wanted"},
		{"(?<token>)", 3, "name of the group"}, {"(?x []) (?x [])", 9, "two groups"}, {"[]{99}{99}", 1, "more than"},
		{"^*", 2, "cannot be repeated"},
		{"<>", 2, "name of a layer"}, {"<token PER>", 1, "no label"}, {"[] |", 5, "wanted"}, {"é []", 1, "cannot stand"},
		{"[form=é] é", 10, "cannot stand"},
		{strings.Repeat("(", 200), 101, "nests deeper"}, {"[]" + strings.Repeat("?", 200), 102, "nests deeper"},
		{"[" + strings.Repeat("!", 200), 101, "nests deeper"},
	} {
		_, err := Compile(c.pattern)
		var f *SyntaxError
		if !errors.As(err, &f) || f.At != c.at || !strings.Contains(f.Msg, c.msg) {
			t.Errorf("%.40s gives %v, want %q at %d", c.pattern, err, c.msg, c.at)
		}
	}
}

// oracle calls yield with the end and the groups of every way through n from pos, in order of
// preference, by plain backtracking; yield returns true to stop. A repetition that takes no
// token is not repeated.
func oracle(s *search, n *node, pos int32, groups map[string]Range, yield func(int32) bool) bool {
	switch n.op {
	case opToken:
		return pos < s.n && s.passes(n.test, pos) && yield(pos+1)
	case opSpan:
		if pos == s.n {
			return false
		}
		for _, end := range spanEnds(s.doc(), spec{layer: n.layer, labels: n.labels}, s.bounds)[s.base+pos] {
			if yield(end - s.base) {
				return true
			}
		}
		return false
	case opStart:
		return pos == 0 && yield(pos)
	case opEnd:
		return pos == s.n && yield(pos)
	case opAlt:
		for _, sub := range n.subs {
			if oracle(s, sub, pos, groups, yield) {
				return true
			}
		}
		return false
	case opSeq:
		var rest func(i int, pos int32) bool
		rest = func(i int, pos int32) bool {
			if i == len(n.subs) {
				return yield(pos)
			}
			return oracle(s, n.subs[i], pos, groups, func(p int32) bool { return rest(i+1, p) })
		}
		return rest(0, pos)
	case opGroup:
		return oracle(s, n.subs[0], pos, groups, func(p int32) bool {
			was, had := groups[n.name]
			if p > pos {
				groups[n.name] = Range{s.base + pos, s.base + p}
			}
			if yield(p) {
				return true
			}
			if delete(groups, n.name); had {
				groups[n.name] = was
			}
			return false
		})
	}
	var again func(k int, pos int32) bool
	again = func(k int, pos int32) bool {
		if n.max < 0 || k < n.max {
			if oracle(s, n.subs[0], pos, groups, func(p int32) bool { return (p > pos || k < n.min) && again(k+1, p) }) {
				return true
			}
		}
		return k >= n.min && yield(pos)
	}
	return again(0, pos)
}

var oracleDocument *text.Document

func (s *search) doc() *text.Document { return oracleDocument }

// drawPattern writes a random pattern; groups are named g0, g1, …
func drawPattern(t *rapid.T, depth int, groups *int) string {
	kind := rapid.IntRange(0, 9).Draw(t, "part")
	if depth == 0 {
		kind %= 4
	}
	sub := func() string { return drawPattern(t, depth-1, groups) }
	switch kind {
	case 0, 1:
		return rapid.SampledFrom([]string{"[form=a]", "[form=b]", "[form!=a]", "[]", "[form=a | upos=Y]",
			"[form=b & upos=X]"}).Draw(t, "token")
	case 2:
		return rapid.SampledFrom([]string{"<entities>", "<entities P>", "<entities P|Q>"}).Draw(t, "span")
	case 3:
		if rapid.IntRange(0, 3).Draw(t, "bound") == 0 {
			return rapid.SampledFrom([]string{"^", "$"}).Draw(t, "which")
		}
		return "<token>"
	case 4, 5:
		return sub() + " " + sub()
	case 6:
		return "(" + sub() + " | " + sub() + ")"
	case 7:
		name := fmt.Sprintf("g%d", *groups)
		*groups++
		return "(?" + name + " " + sub() + ")"
	}
	x := sub()
	if x == "^" || x == "$" {
		return x
	}
	return "(" + x + ")" + rapid.SampledFrom([]string{"?", "*", "+", "{2}", "{1,2}", "{2,}", "{,2}"}).Draw(t, "quantifier")
}

func drawDocument(t *rapid.T, tb testing.TB) *text.Document {
	var lines, entities []string
	for s := range rapid.IntRange(1, 2).Draw(t, "sentences") {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a/X", "b/X", "a/Y", "b/Y", "c/Z"}), 1, 6).Draw(t, "tokens")
		lines = append(lines, strings.Join(words, " "))
		for range rapid.IntRange(0, 3).Draw(t, "entities") {
			from := rapid.IntRange(1, len(words)).Draw(t, "first")
			to := rapid.IntRange(from, len(words)).Draw(t, "last")
			entities = append(entities,
				fmt.Sprintf("%d:%d-%d:%s", s+1, from, to, rapid.SampledFrom([]string{"P", "Q", "R"}).Draw(t, "label")))
		}
	}
	return sentences(tb, lines, entities...)
}

// TestPatternBruteForce compares matches and groups with those of plain backtracking.
func TestPatternBruteForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		groups := 0
		src := drawPattern(rt, 3, &groups)
		p, err := Compile(src)
		if err != nil {
			rt.Fatalf("%s: %v", src, err)
		}
		d := drawDocument(rt, t)
		oracleDocument = d
		s := newSearch(p, d)
		var all []Span
		for i := 0; i+1 < len(s.bounds); i++ {
			s.sentence(i)
			for from := range s.n {
				found := map[int32]Span{}
				taken := map[string]Range{}
				oracle(s, p.root, from, taken, func(end int32) bool {
					if _, ok := found[end]; !ok && end > from {
						span := Span{Range: Range{s.base + from, s.base + end}}
						for _, g := range p.groups {
							r := taken[g]
							if r.From == r.To {
								r = Range{}
							}
							span.Groups = append(span.Groups, r)
						}
						found[end] = span
					}
					return false
				})
				for end := from + 1; end <= s.n; end++ {
					if f, ok := found[end]; ok {
						all = append(all, f)
					}
				}
			}
		}
		for _, policy := range []Policy{All, Exact, Leftmost, Longest} {
			want := naive(all, policy)
			got := mustFind(t, p, d, policy)
			if !same(got, want) {
				rt.Fatalf("%s on %q, %s: %v, want %v", src, d.Text, policy, got, want)
			}
		}
		if p.Matches(d) != (len(all) > 0) {
			rt.Fatalf("%s on %q: Matches is %v", src, d.Text, p.Matches(d))
		}
	})
}

func same(a, b []Span) bool { return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b) }

// naive applies a policy by its definition.
func naive(spans []Span, p Policy) []Span {
	if p == All || p == Exact {
		return spans
	}
	better := func(a, b Span) bool {
		la, lb := a.To-a.From, b.To-b.From
		if p == Longest {
			return la > lb || la == lb && a.From < b.From
		}
		return a.From < b.From || a.From == b.From && la > lb
	}
	rest := slices.Clone(spans)
	var out []Span
	for len(rest) > 0 {
		best := rest[0]
		for _, s := range rest {
			if better(s, best) {
				best = s
			}
		}
		out = append(out, best)
		rest = slices.DeleteFunc(rest, func(s Span) bool { return s.From < best.To && best.From < s.To })
	}
	slices.SortFunc(out, func(a, b Span) int { return int(a.From - b.From) })
	return out
}

// TestConsolidate compares the policies with their definitions on arbitrary spans.
func TestConsolidate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seen := map[Range]bool{}
		var spans []Span
		for range rapid.IntRange(0, 12).Draw(t, "spans") {
			from := rapid.Int32Range(0, 8).Draw(t, "from")
			r := Range{from, from + rapid.Int32Range(1, 5).Draw(t, "length")}
			if !seen[r] {
				seen[r] = true
				spans = append(spans, Span{Range: r})
			}
		}
		for _, policy := range []Policy{Leftmost, Longest} {
			want := naive(spans, policy)
			if got := Consolidate(slices.Clone(spans), policy); !same(got, want) {
				t.Fatalf("%s of %v: %v, want %v", policy, spans, got, want)
			}
		}
	})
}

// TestRelax checks that what a pattern may match after annotation passes before it.
func TestRelax(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		groups := 0
		src := drawPattern(rt, 3, &groups)
		p, err := Compile(src)
		if err != nil {
			rt.Fatal(err)
		}
		relaxed := p.Relax(func(layer, column string) bool { return layer == "entities" || column == "upos" })
		d := drawDocument(rt, t)
		bare := *d
		bare.DropLayer("entities")
		if relaxed != nil && p.Matches(d) && !relaxed.Matches(&bare) {
			rt.Fatalf("%s matches %q but may not before annotation", src, d.Text)
		}
	})
}

// TestNoPathologicalPattern runs patterns on which backtracking takes exponential time.
func TestNoPathologicalPattern(t *testing.T) {
	d := sentences(t, []string{strings.Repeat("a/X ", 300) + "b/X"})
	for _, src := range []string{`([form=a]+)+ [form=c]`, `([form=a]*)* [form=c]`, `([form=a] | [form=a])* [form=c]`,
		strings.Repeat("[form=a]? ", 100) + strings.Repeat("[form=a] ", 100) + "[form=c]", `(?x ([form=a]+)+) (?y [form=b])`,
		`([]{1,30}){1,30} [form=c]`} {
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		watch := testtime.Start()
		mustFind(t, p, d, Leftmost)
		if took := watch.Took(); took > testtime.Allow(5*time.Second) {
			t.Errorf("%.50s took %s", src, took)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{`<entities PER> [lemma=work] <token>{0,3} <entities ORG>`,
		`(?a [form~/^x\/y$/i & !(upos="NN" | xpos!=Z)])+ | ^ [] $`, `[]{1,2}{3,}`, `<a 'b'|c>*`, "(?", "[form~/", `["`} {
		f.Add(s)
	}
	d := sentences(f, []string{"a/X b/Y c/Z"}, "1:1-2:PER")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Compile(s)
		if err != nil {
			var fault *SyntaxError
			if !errors.As(err, &fault) || fault.At < 1 || fault.At > len([]rune(s))+1 {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		for _, m := range mustFind(t, p, d, All) {
			if m.From < 0 || m.To > 3 || m.From >= m.To {
				t.Fatalf("%q: %v", s, m)
			}
		}
	})
}

func mustFind(t testing.TB, p *Pattern, d *text.Document, policy Policy) []Span {
	t.Helper()
	out, err := p.Find(context.Background(), d, policy)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFindStops checks that what matches everywhere is refused, and that a cancelled search ends.
func TestFindStops(t *testing.T) {
	d := sentences(t, []string{strings.Repeat("a/X ", 1500)})
	p, err := Compile("[]+")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Find(context.Background(), d, All); !errors.Is(err, ErrTooMany) {
		t.Errorf("a million matches: %v", err)
	}
	if got := mustFind(t, p, d, Leftmost); len(got) != 1 || got[0].To != 1500 {
		t.Errorf("leftmost: %v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Find(ctx, d, Longest); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Paths(ctx, d, "", 2); err != nil {
		t.Errorf("no tree: %v", err)
	}
}
