package definition

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// document is a document of sentences of words/TAG/head/relation, heads from 1; "|" parts sentences.
func document(id, s string, fields ...text.Field) *text.Document {
	d := &text.Document{ID: id, Fields: fields}
	toks, deps := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	ints := map[string][]int32{}
	var forms, tags, rels []string
	var heads []int32
	var b strings.Builder
	for n, sentence := range strings.Split(s, "|") {
		for i, w := range strings.Fields(sentence) {
			p := strings.Split(w, "/")
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			from := b.Len()
			b.WriteString(p[0])
			for name, v := range map[string]int{"sent": n + 1, "tok": i + 1, "char_start": from, "char_end": b.Len()} {
				ints[name] = append(ints[name], int32(v))
			}
			forms, tags = append(forms, p[0]), append(tags, p[1])
			if len(p) > 2 {
				var h int32
				fmt.Sscan(p[2], &h)
				heads, rels = append(heads, h), append(rels, p[3])
			}
		}
	}
	d.Text, toks.N = b.String(), len(forms)
	for name, v := range ints {
		toks.SetInts(name, v)
	}
	toks.SetStrs("form", forms)
	toks.SetStrs("xpos", tags)
	d.SetLayer(toks)
	if len(heads) > 0 {
		deps.N = len(heads)
		deps.SetInts("sent", ints["sent"])
		deps.SetInts("tok", ints["tok"])
		deps.SetInts("head", heads)
		deps.SetStrs("deprel", rels)
		d.SetLayer(deps)
	}
	return d
}

func field(name, v string) text.Field { return text.Field{Name: name, Value: value.Str(v)} }

// generated are articles: a definition of the title, then facts that name it.
func generated(n int, labels bool) (out []*text.Document) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list string) string { w := strings.Fields(list); return w[rng.IntN(len(w))] }
	for i := range n {
		term := pick("Osmosis Basalt Kestrel Rickets Zinc Fennel Quartz Lute") + "/NN/4/nsubj"
		def := term + " is/VBZ/4/cop a/DT/4/det " + pick("mineral bird metal process plant") +
			"/NN/0/root that/WDT/6/nsubj " +
			pick("grows moves helps") + "/VBZ/4/acl:relcl ./././punct"
		def = strings.Replace(def, "./././punct", "./././punct", 1)
		def = strings.ReplaceAll(def, "./././punct", "././4/punct")
		fact := strings.Replace(term, "/4/", "/2/", 1) + " was/VBD/0/root " + pick("there/RB/2/advmod "+
			"here/RB/2/advmod") +
			" in/IN/5/case " + pick("Rome Oslo Ghent") + "/NNP/2/obl ././2/punct"
		name := strings.Split(term, "/")[0]
		if labels {
			out = append(out, document(fmt.Sprint("p", i), def, field(termField, name), field(labelField, "1")),
				document(fmt.Sprint("n", i), fact, field(termField, name), field(labelField, "0")))
		} else {
			out = append(out, document(fmt.Sprint("a", i), def+"|"+fact, field(titleField, name)))
		}
	}
	return out
}

// small are thresholds that fit a few documents.
var small = []option.Arg{kindtest.Arg("min_surface", 2), kindtest.Arg("min_base", 2), kindtest.Arg("min_tags", 2),
	kindtest.Arg("min_subtree", 2)}

func list(names ...string) option.Arg {
	a := option.Arg{Name: "patterns"}
	for _, n := range names {
		a.List = append(a.List, option.Arg{Value: value.Str(n)})
	}
	return a
}

func TestKind(t *testing.T) {
	articles := generated(30, false)
	for name, c := range map[string]kindtest.Case{
		"titles":   {Train: articles},
		"subtrees": {Train: articles, Options: []option.Arg{list(ngrams, sequences, subtrees)}},
		"triples": {Train: articles, Options: []option.Arg{list(ngrams, sequences),
			kindtest.Arg("sequence_parts", 3)}},
		"random": {Train: articles, Options: []option.Arg{kindtest.Arg("negatives", byRandom),
			kindtest.Arg("negative_ratio", 1)}},
		"labels":  {Train: generated(30, true)},
		"windows": {Train: generated(30, true), Options: []option.Arg{kindtest.Arg("method", byWindows)}},
	} {
		t.Run(name, func(t *testing.T) {
			c.Kind, c.Test = Kind(), generated(5, false)
			c.Gold = kind.Documents(generated(5, true))
			if name != "windows" {
				c.Options = append(c.Options, small...)
			}
			kindtest.Run(t, c)
		})
	}
}

// trained is a model of the generated documents.
func trained(t *testing.T, docs []*text.Document, args ...option.Arg) (*model, []string) {
	t.Helper()
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	if err := s.Apply(append(args, small...)); err != nil {
		t.Fatal(err)
	}
	var notices []string
	if err := m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(s string) { notices = append(notices, s) }}); err != nil {
		t.Fatal(err)
	}
	return m, notices
}

// TestDefinitions finds a term that no training has seen, and tells definitions of known terms from facts.
func TestDefinitions(t *testing.T) {
	for name, args := range map[string][]option.Arg{"ngrams": nil, "all": {list(ngrams, sequences, subtrees)}} {
		t.Run(name, func(t *testing.T) {
			m, _ := trained(t, generated(30, false), args...)
			d := document("new", "The/DT/2/det Gadfly/NN/5/nsubj is/VBZ/5/cop a/DT/5/det bird/NN/0/root "+
				"that/WDT/7/nsubj "+
				"moves/VBZ/5/acl:relcl ././5/punct")
			if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Workers: 1}); err != nil {
				t.Fatal(err)
			}
			l := d.Layer(sentences.Definitions.Name)
			if l.N != 1 || l.Strs("term")[0] != "gadfly" || l.Ints("sent")[0] != 1 ||
				d.Text[l.Ints("form_start")[0]:l.Ints("form_end")[0]] != "Gadfly" {
				t.Errorf("%d definitions: %v", l.N, l.Strs("term"))
			}
			list, err := m.scored(context.Background(), kind.Documents(generated(9, true)))
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range list {
				if j.positive != (j.score > 0) {
					t.Errorf("score %g of a definition: %v", j.score, j.positive)
				}
			}
		})
	}
}

// TestRate is the worked example: 400 of 2,000 and 50 of 5,000 give 20, and so on; where no other sentence has a
// pattern its rate is the largest of the rest.
func TestRate(t *testing.T) {
	list := []pattern{{hash: 1, pos: 400, neg: 50}, {hash: 2, pos: 20, neg: 150}, {hash: 3, pos: 100, neg: 200},
		{hash: 4, pos: 7}, {hash: 5, pos: 2}}
	for i, want := range []float64{20, 1.0 / 3, 1.25, 20, 20} {
		if got := rates(list, 2000, 5000)[i]; got < want-1e-9 || got > want+1e-9 {
			t.Errorf("rate of %d is %g, want %g", i+1, got, want)
		}
	}
	var kept []uint64
	for _, p := range selected(list, 2000, 5000, 2, 0.5, func(*pattern) int { return 5 }) {
		kept = append(kept, p.hash)
	}
	if !slices.Equal(kept, []uint64{1, 2, 4}) {
		t.Errorf("kept %v, want 1, 2 and 4: the rate of 3 is neither high nor low, 5 is too rare", kept)
	}
}

// data are marked generated sentences.
func data(docs []*text.Document, n names) (out []labelled) {
	r := &sentences.Reader{Tags: sentences.Penn}
	for _, d := range docs {
		s := r.Whole(d)
		from, to, _ := locate(s, term(d), true)
		out = append(out, labelled{mark(s, from, to, n), strings.HasPrefix(d.ID, "p")})
	}
	return out
}

// TestGrams compares with all n-grams of all sentences.
func TestGrams(t *testing.T) {
	n := names{}
	again := document("p", "Zinc/NN/2/x is/VBZ/0/root a/DT/2/x a/DT/2/x a/DT/2/x metal/NN/2/x", field(termField, "Zinc"))
	all := data(append(generated(12, true), again, again, again, again), n)
	for rep := range reps {
		got, err := mineGrams(context.Background(), all, rep, 6, 3, n)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][2]uint32{}
		for _, d := range all {
			seen := map[string]bool{}
			for i := range d.symbols[rep] {
				for k := i + 2; k <= min(i+6, len(d.symbols[rep])); k++ {
					seen[spell(d.symbols[rep][i:k], n)] = true
				}
			}
			for g := range seen {
				c := want[g]
				if d.positive {
					c[0]++
				} else {
					c[1]++
				}
				want[g] = c
			}
		}
		for g, c := range want {
			if max(c[0], c[1]) < 3 {
				delete(want, g)
			}
		}
		for _, p := range got {
			if c, ok := want[p.text]; !ok || c != [2]uint32{p.pos, p.neg} {
				t.Fatalf("%s: %d and %d, want %v", p.text, p.pos, p.neg, c)
			}
			delete(want, p.text)
		}
		if len(want) > 0 || len(got) == 0 {
			t.Errorf("%s: missed %v", repNames[rep], want)
		}
	}
}

// TestSequences compares with all pairs and triples of n-grams, by their texts, and each subtree with the least set of
// tokens that is connected.
func TestSequences(t *testing.T) {
	n := names{}
	all := data(generated(10, true), n)
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	if err := s.Apply(append([]option.Arg{list(ngrams, sequences, subtrees), kindtest.Arg("sequence_parts", 3),
		kindtest.Arg("sequence_ngram", 2)}, small...)); err != nil {
		t.Fatal(err)
	}
	grams, err := m.opt.mineAllGrams(context.Background(), all, m.opt.least, 1, n)
	if err != nil {
		t.Fatal(err)
	}
	kept := selected(grams, 10, 10, 2, 0.5, func(*pattern) int { return 2 })
	f := newFinder(&m.opt, kept, indexOf(kept), 10, 10)
	got, err := mineSequences(context.Background(), f, all, m.opt.least, 1, n)
	if err != nil {
		t.Fatal(err)
	}
	want := sequencesByDefinition(f, all, n)
	if len(got) != len(want) || len(got) < 10 {
		t.Errorf("%d subsequences, want %d", len(got), len(want))
	}
	for _, p := range got {
		if c, ok := want[fmt.Sprint(p.rep, p.text)]; !ok || c != [2]uint32{p.pos, p.neg} {
			t.Fatalf("%s: %d and %d, want %v", p.text, p.pos, p.neg, c)
		}
	}
	for _, d := range all {
		f.find(d.marked)
		f.chains(d.marked, func(c chain) { leastTree(t, d.marked, c) })
	}
}

// sequencesByDefinition counts sentences by representation and text.
func sequencesByDefinition(f *finder, all []labelled, n names) map[string][2]uint32 {
	out := map[string][2]uint32{}
	for _, d := range all {
		seen := map[string]bool{}
		var spans []span
		for rep := range reps {
			for i := range d.symbols[rep] {
				if i+2 <= len(d.symbols[rep]) {
					h := mix(mix(seed(ngramSeed, rep), d.symbols[rep][i]), d.symbols[rep][i+1])
					if k, ok := f.index[h]; ok {
						spans = append(spans, span{k, int32(i), int32(i + 2)})
					}
				}
			}
		}
		follows := func(a, b span) bool {
			return f.kept[a.gram].rep == f.kept[b.gram].rep && f.classes[a.gram] == f.classes[b.gram] && b.from > a.to
		}
		note := func(list ...span) {
			if list[0].from <= int32(d.root) && list[len(list)-1].to > int32(d.root) {
				var parts []string
				for _, s := range list {
					parts = append(parts, f.kept[s.gram].text)
				}
				seen[fmt.Sprint(f.kept[list[0].gram].rep, strings.Join(parts, " * "))] = true
			}
		}
		for _, a := range spans {
			for _, b := range spans {
				if !follows(a, b) {
					continue
				}
				note(a, b)
				for _, c := range spans {
					if follows(b, c) {
						note(a, b, c)
					}
				}
			}
		}
		for x := range seen {
			c := out[x]
			if d.positive {
				c[0]++
			} else {
				c[1]++
			}
			out[x] = c
		}
	}
	for x, c := range out {
		if max(c[0], c[1]) < 2 {
			delete(out, x)
		}
	}
	return out
}

// TestSubtree leaves the root out where the tree does not divide there, and keeps it where it does.
func TestSubtree(t *testing.T) {
	n := names{}
	d := document("d", "Zinc/NN/3/nsubj soft/JJ/1/amod is/VBZ/0/root here/RB/3/advmod often/RB/4/advmod")
	m := mark((&sentences.Reader{Tags: sentences.Penn}).Whole(d), 0, 1, n)
	for _, c := range []struct {
		parts [3]span
		want  string
	}{{[3]span{{0, 1, 2}, {0, 4, 5}}, "([term]) <root> (here)"}, {[3]span{{0, 2, 3}, {0, 5, 6}},
		"(<nsubj> (soft)) <root> (<advmod> (often))"}, {[3]span{{0, 4, 5}, {0, 5, 6}}, "here (often)"},
		{[3]span{{0, 0, 2}, {0, 2, 3}}, "[term] (soft)"}} {
		x := chain{parts: c.parts, n: 2}
		leastTree(t, m, x)
		if top, list := m.nodes(x); m.spellTree(top, list, surface, n) != c.want {
			t.Errorf("%s, want %s", m.spellTree(top, list, surface, n), c.want)
		}
	}
}

// leastTree checks that the tokens of a subtree are connected, have those of the chain, and that none can be left out.
func leastTree(t *testing.T, m *marked, c chain) {
	t.Helper()
	top, list := m.nodes(c)
	in := map[int32]bool{}
	for _, x := range list {
		in[x.at] = true
	}
	for _, s := range c.parts[:c.n] {
		for at := max(1, s.from); at < s.to; at++ {
			if !in[at] {
				t.Fatalf("token %d is not in its subtree", at)
			}
		}
	}
	below := map[int32]int{}
	for _, x := range list {
		if x.at != top && !in[m.heads[x.at]] {
			t.Fatalf("token %d hangs on nothing", x.at)
		}
		below[m.heads[x.at]]++
	}
	for _, x := range list {
		if !x.matched && (below[x.at] == 0 || x.at == top && below[x.at] < 2) {
			t.Fatalf("token %d is not needed", x.at)
		}
	}
}

// TestMark collapses a term of two words in symbols and tree.
func TestMark(t *testing.T) {
	n := names{}
	d := document("d", "The/DT/3/det bone/NN/3/compound disease/NN/5/nsubj is/VBZ/5/cop bad/JJ/0/root")
	s := (&sentences.Reader{Tags: sentences.Penn}).Whole(d)
	m := mark(s, 1, 3, n)
	if got := spell(m.symbols[base], n); got != "^ the [term] be bad" {
		t.Error(got)
	}
	if got := spell(m.symbols[tags], n); got != "^ DT [term] VBZ JJ" {
		t.Error(got)
	}
	if !slices.Equal(m.heads, []int32{-1, 2, 4, 4, -1}) || m.root != 4 || n.text(m.relations[2]) != "nsubj" {
		t.Errorf("heads %v, root %d", m.heads, m.root)
	}
	// Of two words of a term that hang on words outside the first one says where the term hangs.
	d = document("d", "Big/JJ/3/amod end/NN/4/obl made/VBD/0/root it/PRP/3/obj")
	m = mark((&sentences.Reader{Tags: sentences.Penn}).Whole(d), 0, 2, n)
	if !slices.Equal(m.heads, []int32{-1, 2, -1, 2}) || n.text(m.relations[1]) != "amod" {
		t.Errorf("heads %v, %s", m.heads, n.text(m.relations[1]))
	}
}

// TestTerms finds titles in sentences.
func TestTerms(t *testing.T) {
	s := (&sentences.Reader{Tags: sentences.Penn}).Whole(document("d",
		"The/DT AK/NN -/HYPH 47/CD of/IN John/NNP Q./NNP Doe/NNP is/VBZ old/JJ"))
	for _, c := range []struct {
		term     string
		loose    bool
		from, to int
		ok       bool
	}{{"ak-47", false, 1, 4, true}, {"john doe", true, 5, 8, true}, {"john doe", false, 0, 0, false},
		{"doe is", false, 7, 9, true}, {"47 old", true, 3, 10, true}, {"the is", true, 0, 0, false}, {"x", true, 0, 0, false},
		{"", true, 0, 0, false},
		{"-", true, 0, 0, false}} {
		from, to, ok := locate(s, c.term, c.loose)
		if ok != c.ok || ok && (from != c.from || to != c.to) {
			t.Errorf("%q: %d to %d, %v", c.term, from, to, ok)
		}
	}
}

// TestValidate moves the bias to the best F1: labels that are turned round leave everything a definition best.
func TestValidate(t *testing.T) {
	m, _ := trained(t, generated(20, true))
	at := m.bias
	val := generated(6, true)
	for _, d := range val {
		d.Fields = []text.Field{d.Fields[0], field(labelField, map[bool]string{true: "0", false: "1"}[d.ID[0] == 'p'])}
	}
	tr := &kind.Training{Validate: kind.Documents(val), Report: func(kind.Progress) {}}
	if err := m.tune(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	list, err := m.scored(context.Background(), tr.Validate)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range list {
		if j.score <= 0 {
			t.Errorf("score %g: the best F1 takes all", j.score)
		}
	}
	if m.bias <= at {
		t.Error("the bias did not move")
	}
	for _, off := range []float64{5, -5} {
		m.bias = at + off
		if err := m.tune(context.Background(), &kind.Training{Validate: kind.Documents(generated(6, true)),
			Report: func(kind.Progress) {}}); err != nil {
			t.Fatal(err)
		}
		list, err := m.scored(context.Background(), kind.Documents(generated(6, true)))
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range list {
			if j.positive != (j.score > 0) {
				t.Errorf("with the bias off by %g a score is %g, of a definition: %v", off, j.score, j.positive)
			}
		}
	}
}

// TestBadInput says what is wrong.
func TestBadInput(t *testing.T) {
	bare := document("bare", "Zinc/NN is/VBZ a/DT metal/NN", field(titleField, "Zinc"))
	odd := document("odd", "Zinc/NN is/VBZ a/DT metal/NN", field(labelField, "perhaps"))
	parsed := generated(3, true)
	flat := make([]*text.Document, 0, len(parsed))
	for _, d := range parsed {
		d.DropLayer(text.Dependencies.Name)
		flat = append(flat, d)
	}
	for want, c := range map[string]struct {
		docs []*text.Document
		args []option.Arg
	}{
		"there are 1 definitions and 0 other": {docs: []*text.Document{bare}},
		"label of document odd is 'perhaps'":  {docs: []*text.Document{odd}},
		"no sentence has a tree":              {docs: flat, args: []option.Arg{list(ngrams, sequences)}},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply(append(c.args, small...)); err != nil {
			t.Fatal(err)
		}
		err := m.Train(context.Background(), &kind.Training{On: kind.Documents(c.docs), Workers: 1,
			Report: func(kind.Progress) {}, Notice: func(string) {}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{list(ngrams, "subtree")}); err == nil || !strings.Contains(err.Error(), "subtrees") {
		t.Errorf("%v names no type", err)
	}
	if err := s.Apply([]option.Arg{list(subtrees)}); err == nil {
		t.Error("subtrees without ngrams are taken")
	}
	if _, notices := trained(t, append(generated(10, false), document("none", "Hello/UH"))); len(notices) != 1 ||
		!strings.Contains(notices[0], "1 document has neither") {
		t.Errorf("notices %v", notices)
	}
}
