package place

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"

	"pgregory.net/rapid"
)

// treebank is three short sentences with trees, constituents and mentions:
//
//	I see a beautiful bird . It sings in the old tree . The birds sing
const rows = `1 I I PRON Case=Nom|Number=Sing|Person=1 2 nsubj
1 see see VERB Tense=Pres 0 root
1 a a DET _ 5 det
1 beautiful beautiful ADJ _ 5 amod
1 bird bird NOUN Gender=Neut|Number=Sing 2 obj
1 . . PUNCT _ 2 punct
2 It it PRON Gender=Neut|Number=Sing|Person=3 2 nsubj
2 sings sing VERB Tense=Pres 0 root
2 in in ADP _ 6 case
2 the the DET _ 6 det
2 old old ADJ _ 6 amod
2 tree tree NOUN Number=Sing 2 obl
2 . . PUNCT _ 2 punct
3 The the DET _ 2 det
3 birds bird NOUN Number=Plur 3 nsubj
3 sing sing VERB Tense=Pres 0 root`

func sample(tb testing.TB) *text.Document {
	tb.Helper()
	d := &text.Document{ID: "d"}
	toks, deps := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	c := map[string][]string{}
	var sent, tok, head []int32
	for _, line := range strings.Split(rows, "\n") {
		f := strings.Fields(line)
		n := int32(f[0][0] - '0')
		if len(sent) > 0 && sent[len(sent)-1] == n {
			tok = append(tok, tok[len(tok)-1]+1)
		} else {
			tok = append(tok, 1)
		}
		sent, head = append(sent, n), append(head, int32(f[5][0]-'0'))
		if f[4] == "_" {
			f[4] = ""
		}
		for i, name := range []string{"form", "lemma", "upos", "feats", "", "deprel"} {
			c[name] = append(c[name], f[1+i])
		}
	}
	toks.N, deps.N = len(sent), len(sent)
	for _, l := range []*text.Layer{toks, deps} {
		l.SetInts("sent", sent)
		l.SetInts("tok", tok)
	}
	for _, name := range []string{"form", "lemma", "upos", "feats"} {
		toks.SetStrs(name, c[name])
	}
	deps.SetInts("head", head)
	deps.SetStrs("deprel", c["deprel"])
	nodes := spans(text.Constituents, []int32{1, 1, 1, 1, 2}, []int32{1, 1, 2, 3, 1}, []int32{6, 1, 5, 5, 7})
	nodes.SetInts("node", []int32{1, 2, 3, 4, 1})
	nodes.SetInts("parent", []int32{0, 1, 1, 3, 0})
	nodes.SetStrs("label", []string{"S", "NP-SBJ", "VP", "NP", "S"})
	mentions := spans(text.Mentions, []int32{1, 1, 2, 2, 3}, []int32{1, 3, 1, 4, 1}, []int32{1, 5, 1, 6, 2})
	mentions.SetInts("mention", []int32{1, 2, 3, 4, 5})
	mentions.SetStrs("kind", []string{"PER", "ANIMAL", "ANIMAL", "", "ANIMAL"})
	mentions.SetStrs("cluster", []string{"a", "b", "b", "c", "d"})
	frames := spans(text.Roles, []int32{1, 1, 2, 2, 3}, []int32{1, 3, 1, 4, 1}, []int32{1, 3, 1, 4, 1})
	frames.SetStrs("sense", []string{"a.01", "b.02", "a.01", "", "c.01"})
	d.Layers = []*text.Layer{toks, deps, nodes, mentions, frames}
	return d
}

func spans(def *text.LayerDef, sent, from, to []int32) *text.Layer {
	l := text.NewLayer(def)
	l.N = len(sent)
	l.SetInts("sent", sent)
	l.SetInts("tok_start", from)
	l.SetInts("tok_end", to)
	return l
}

// words is a lexicon of which look-ups alone are made.
type words struct {
	kind.Lexicon
	known map[string]string
}

func (w words) Lookup(word, column string) string { return w.known[word+"/"+column] }

type resources struct{ kind.Resources }

func (resources) Lexicon(name string) (kind.Lexicon, error) {
	if name != "animals" {
		return nil, errors.New("there is none")
	}
	return words{known: map[string]string{"bird/class": "animate", "tree/class": "plant"}}, nil
}

// synsets is a knowledge base of a few nouns.
type synsets struct{ kind.KB }

func (synsets) Objects(subject, relation string) []string {
	return map[string][]string{"bird/synset": {"dame.n.02", "bird.n.01"}, "tree/synset": {"tree.n.01"},
		"bird.n.01/hypernym": {"vertebrate.n.01"}, "vertebrate.n.01/hypernym": {"animal.n.01"},
		"tree.n.01/hypernym": {"plant.n.02"}}[subject+"/"+relation]
}

func (resources) KB(name string) (kind.KB, error) {
	if name != "wordnet" {
		return nil, errors.New("there is none")
	}
	return synsets{}, nil
}

// extracted lists the features of places as template=value.
func extracted(tb testing.TB, notation, places string) []string {
	tb.Helper()
	s, err := Parse(notation)
	if err != nil {
		tb.Fatalf("%s: %v", notation, err)
	}
	d := sample(tb)
	x, err := NewExtractor(s, resources{})
	if err != nil {
		tb.Fatal(err)
	}
	bind(x, d)
	refs, err := Locate(s, d, places)
	if err != nil {
		tb.Fatal(err)
	}
	var f Found
	if err := x.Extract(refs, &f); err != nil {
		tb.Fatal(err)
	}
	t, v := x.Names(&f)
	for i := range t {
		t[i] += "=" + v[i]
	}
	return t
}

// Sets and places of the values worked out by hand.
const (
	pair = "over (p token, a token) "
	see  = "p = 1.2, a = 1.4" // see, beautiful
	far  = "p = 1.2, a = 2.1" // in different sentences
	one  = "over (p token) "
	ment = "over (n mention, m mention) "
	node = "over (x node, y node) "
)

// values is what templates give, "" for nothing.
var values = []struct{ set, places, template, want string }{
	{pair, see, "p.form", "see"}, {pair, see, "p.lemma & a.upos", "see & ADJ"}, {pair, see, "a.deprel", "amod"},
	{pair, see, "bias", "1"},
	{pair, see, "p.feats.Tense", "Pres"}, {pair, see, "p.feats", "Tense=Pres"}, {pair, see, "a.feats.Case", ""},
	{pair, see, "p.xpos", ""},
	{one, "p = 1.5", "p.number", "Sing"}, {one, "p = 1.5", "p.gender", "Neut"}, {one, "p = 1.1", "p.person", "1"},
	{one, "p = 2.3", "p.sent & p.tok", "2 & 3"},
	{pair, see, "a.head.form", "bird"}, {pair, see, "p.head.form", ""}, {pair, see, "a.root.form", "see"},
	{pair, see, "p.root.form", "see"},
	{pair, see, "p.lm.form", "I"}, {pair, see, "p.ln.form", "I"}, {pair, see, "p.rn.form", "bird"},
	{pair, see, "p.rm.form", "."}, {pair, see, "a.lm.form", ""},
	{one, "p = 2.6", "p.lm.form", "in"}, {one, "p = 2.6", "p.ln.form", "old"},
	{one, "p = 2.6", "p.inner.form.seq", "the old"},
	{pair, see, "p.children.form.seq", "I bird ."}, {pair, see, "p.left.form.seq", "I"},
	{pair, see, "p.right.form.seq", "bird ."},
	{pair, see, "p.children(deprel, nsubj|punct).form.seq", "I ."},
	{pair, see, "p.children(deprel, !nsubj|punct).form.seq", "bird"},
	{pair, see, "p.child(upos, NOUN).form", "bird"}, {pair, see, "p.child(upos, VERB).form", ""},
	{pair, see, "a.siblings.form.seq", "a"}, {pair, see, "a.ancestors.form.seq", "bird see"},
	{pair, see, "p.ancestors.form.seq", "-"},
	{pair, see, "a.up(upos, VERB).form", "see"}, {pair, see, "a.up(upos, !NOUN).form", "see"},
	{pair, see, "a.up(upos, ADP).form", ""},
	{pair, see, "a.top(upos, NOUN|VERB).form", "see"}, {pair, see, "a.top(upos, NOUN).form", "bird"},
	{pair, see, "p[-1].form", "I"}, {pair, see, "p[1].form", "a"}, {pair, see, "p[-2].form", ""},
	{pair, see, "p[5].form", ""}, {pair, see, "a.head[-1].form", "beautiful"},
	{pair, see, "p.sentence.first.form & p.sentence.length", "I & 6"},
	{one, "p = 2.6", "p.sentence.text", "It sings in the old tree ."},
	{pair, see, "a.constituent.label", "NP"}, {pair, see, "a.constituent.up.label", "VP"},
	{pair, see, "a.constituent.up(S|X).label", "S"},
	{pair, see, "a.constituent.up(!VP).label", "S"}, {one, "p = 3.1", "p.constituent.label", ""},
	{pair, see, "path(a, p).form.seq", "beautiful bird see"},
	{pair, see, "path(p, a).form.seq", "see bird beautiful"},
	{pair, see, "path(a, p).steps", "amod↑ obj↑"}, {pair, see, "path(p, a).steps", "↓obj ↓amod"},
	{pair, see, "path(p, a).steps(upos)", "↓NOUN ↓ADJ"},
	{pair, see, "path(a, p[-1]).steps", "amod↑ obj↑ ↓nsubj"}, {pair, see, "path(a, a).steps", "-"},
	{pair, far, "path(a, p).steps", ""},
	{pair, see, "up_path(a, p).form.seq", "beautiful bird see"}, {pair, see, "up_path(p, a).form.seq", "see"},
	{pair, see, "shared_path(a, a).form.seq", "beautiful bird see"}, {pair, see, "common(a, p[-1]).form", "see"},
	{pair, see, "line(p, a).form.seq", "see a beautiful"}, {pair, see, "line(a, p).form.seq", "see a beautiful"},
	{pair, far, "line(a, p).form.seq", ""},
	{pair, see, "between(a, p).form.seq", "a"}, {pair, see, "between(a, a).form.seq", "-"},
	{pair, far, "between(a, p).form.seq", ""},
	{pair, see, "relation(p, a)", "ancestor"}, {pair, see, "relation(a, p)", "descendant"},
	{pair, see, "relation(a.head, p)", "child"},
	{pair, see, "relation(p, a.head)", "parent"}, {pair, see, "relation(p, p)", "same"},
	{pair, see, "relation(a.head, p[-1])", "sibling"}, {pair, see, "relation(a, p[-1])", "other"},
	{pair, see, "order(p, a)", "before"}, {pair, see, "order(a, p)", "after"}, {pair, see, "order(p, p)", "same"},
	{pair, see, "order(p, p.sentence)", "inside"}, {pair, see, "order(p.sentence, p)", "covers"},
	{pair, see, "distance(p, a)", "2"}, {pair, see, "distance(p, a).bins(1, 2, 5)", "2..4"},
	{pair, see, "distance(a, p).bins(3)", "<3"},
	{pair, see, "distance(a, p).bins(1, 2)", "2+"}, {pair, see, "distance(a, p).bins(1, 2, 3)", "2"},
	{pair, see, "distance(p, p.sentence)", "0"}, {pair, far, "sentence_distance(p, a)", "1"},
	{pair, see, "equals(p.upos, a.upos)", "no"}, {pair, see, "equals(p, a.head.head)", "yes"},
	{pair, see, "equals(p.xpos, a.upos)", "unknown"},
	{pair, see, "equals(p.tok, p.sent)", "no"},
	{pair, see, "contains(a.form, p[3].form)", "no"}, {pair, see, "contains(a.form, a.form.prefix(4))", "yes"},
	{pair, see, "contains(p.children.form, a.head.form)", "yes"},
	{pair, see, "contains(p.children.form, a.form)", "no"}, {pair, see, "contains(p.xpos, a.form)", "unknown"},
	{pair, see, "share(p.children.form, a.siblings.form)", "no"},
	{pair, see, "share(a.ancestors.form, p.children.form)", "yes"},
	{pair, see, "a.form.prefix(3)", "bea"}, {pair, see, "a.form.suffix(3)", "ful"},
	{pair, see, "p.form.prefix(3)", ""}, {pair, see, "p[-1].form.lower", "i"},
	{one, "p = 2.1", "p.form.shape", "Xx"}, {pair, see, "a.form.shape", "xxxx"},
	{pair, see, "a.form.short_shape", "x"}, {pair, see, "a.form.length", "9"},
	{pair, see, "p.upos.only(VERB|AUX)", "VERB"}, {pair, see, "p.upos.only(NOUN)", ""},
	{pair, see, "p.upos.only(!NOUN)", "VERB"},
	{pair, see, "a.head.lemma.lexicon(animals, class)", "animate"},
	{pair, see, "a.head.lemma.lexicon(animals, class, 2)", "an"},
	{pair, see, "p.lemma.lexicon(animals, class)", ""},
	{pair, "p = 1.2, a = 1.5", "a.lemma.synset(wordnet) & a.lemma.sense(wordnet)", "bird.n.01 & animal"},
	{pair, "p = 1.2, a = 1.5", "a.lemma.hypernyms(wordnet, 2).seq", "bird.n.01 vertebrate.n.01"},
	{pair, see, "p.lemma.synset(wordnet)", ""},
	{pair, see, "p.children.count", "3"}, {pair, see, "p.children.xpos.count", "3"},
	{pair, see, "p.children.xpos.seq", "_ _ _"}, {pair, see, "p.children.xpos.bag", "-"},
	{one, "p = 2.6", "p.sentence.tokens.upos.bag", "ADJ ADP DET NOUN PRON PUNCT VERB"},
	{one, "p = 2.6", "p.sentence.tokens.upos.prefix(1).nodup.seq", "P V A D A N P"},
	{ment, "n = 2, m = 3", "n.text", "a beautiful bird"},
	{ment, "n = 2, m = 3", "n.head.form & n.first.form & n.last.form", "bird & a & bird"},
	{ment, "n = 2, m = 3", "n.kind & m.kind", "ANIMAL & ANIMAL"}, {ment, "n = 4, m = 3", "n.kind", ""},
	{ment, "n = 2, m = 3", "n.mention & n.cluster", "2 & b"},
	{ment, "n = 2, m = 3", "n.type & m.type", "nominal & pronoun"},
	{ment, "n = 2, m = 5", "equals(n.number, m.number)", "no"},
	{ment, "n = 2, m = 3", "n.gender & m.gender & m.person", "neuter & neuter & 3"},
	{ment, "n = 2, m = 3", "n.class & m.class & m.pronoun & m.case", "nominal & it & it & personal"},
	{ment, "n = 2, m = 3", "n.animacy & m.animacy & n.pronoun", ""},
	{ment, "n = 2, m = 3", "n.animacy & m.animacy & m.number", "animate & inanimate & singular"},
	{ment, "n = 2, m = 4", "n.definiteness & m.definiteness & n.determiner & m.determiner", "indefinite & definite & a " +
		"& the"},
	{ment, "n = 2, m = 4", "n.bare & m.bare & n.modifiers.seq & m.names.count", "beautiful bird & old tree & beautiful " +
		"& 0"},
	{ment, "n = 2, m = 4", "n.coordinated & n.nested & n.quoted & m.seen & m.later", "no & no & no & 0 & 0"},
	{ment, "n = 2, m = 4", "n.speaker", ""}, {ment, "n = 2, m = 4", "n.initials", ""},
	{ment, "n = 2, m = 4", "n.entity", ""},
	{ment, "n = 2, m = 3", "compatible(n, m)", "no"}, {ment, "n = 2, m = 4", "compatible(n, m)", "yes"},
	{ment, "n = 1, m = 5", "compatible_between(n, m)", "0"}, {ment, "n = 1, m = 4", "compatible_between(n, m)", "2"},
	{ment, "n = 2, m = 3", "n.length & m.sent", "3 & 2"},
	{ment, "n = 2, m = 3", "n[-1].form & n[1].form & m[1].form", "see & . & sings"},
	{ment, "n = 2, m = 3", "m[-1].form", ""}, {ment, "n = 2, m = 4", "n[2].form", ""},
	{ment, "n = 1, m = 4", "mention_distance(n, m)", "3"}, {ment, "n = 4, m = 1", "mention_distance(n, m)", "3"},
	{ment, "n = 2, m = 2", "mention_distance(n, m)", "0"},
	{ment, "n = 2, m = 3", "sentence_distance(n, m) & distance(n, m)", "1 & 2"},
	{ment, "n = 2, m = 3", "n.constituent.label & n.sentence.length", "NP & 6"},
	{node, "x = 1.4, y = 1.2", "x.label & y.label & y.category", "NP & NP-SBJ & NP"},
	{node, "x = 1.4, y = 1.2", "path(x, y).steps", "NP↑ VP↑ ↓NP-SBJ"},
	{node, "x = 1.4, y = 1.2", "path(x, y).label.seq", "NP VP S NP-SBJ"},
	{node, "x = 1.1, y = 1.2", "x.children.label.seq", "NP-SBJ VP"},
	{node, "x = 1.4, y = 1.2", "common(x, y).label & relation(x, y)", "S & other"},
	{node, "x = 1.4, y = 1.1", "relation(x, y) & relation(y, x)", "descendant & ancestor"},
	{node, "x = 1.4, y = 1.2", "x.head.form & x.text", "bird & a beautiful bird"},
	{node, "x = 1.4, y = 1.1", "up_path(x, y).label.seq & order(x, y)", "NP VP S & inside"},
	{node, "x = 1.1, y = 2.1", "path(x, y).steps", ""}, {"over (s span) ", "s = 1.3-5", "s.text & s.head.form",
		"a beautiful bird & bird"},
	{"over (s span(mentions)) ", "s = 2", "s.kind", "ANIMAL"}, {pair, see, "p.misc", ""},
	{"over (s span) ", "s = 1.3-4", "s.head.form", "a"},
	{pair, see, "order(a.head[1], a.constituent)", "after"},
	{node, "x = 1.3, y = 1.4", "shared_path(x, y).label.seq", "VP S"},
}

// TestValues compares every step and function with values worked out by hand.
func TestValues(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range values {
		other := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
		for _, w := range strings.FieldsFunc(c.template, other) {
			shown[w] = true
		}
		got := strings.Join(extracted(t, c.set+c.template, c.places), "\n")
		want := c.template + "=" + c.want
		if c.want == "" {
			want = ""
		}
		if got != want {
			t.Errorf("%s at %s: got %q, want %q", c.template, c.places, got, want)
		}
	}
	for _, name := range append(functionNames(), slices.Collect(maps.Keys(steps))...) {
		if !shown[name] {
			t.Errorf("no template shows %s", name)
		}
	}
}

func TestListGivesFeatureForEachText(t *testing.T) {
	got := extracted(t, "over (p token) p.form & p.sentence.tokens.upos", "p = 1.2")
	want := []string{"PRON", "VERB", "DET", "ADJ", "NOUN", "PUNCT"}
	for i := range want {
		want[i] = "p.form & p.sentence.tokens.upos=see & " + want[i]
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got %q", got)
	}
}

func TestEachAndRangesAreWrittenOut(t *testing.T) {
	s, err := Parse("over(m mention)\n# a comment\neach (alone, m.type, m.type & m.kind) { m.text; m[1..2].form }, " +
		"m.head[-1..0].form & m.head[0..1].upos")
	if err != nil {
		t.Fatal(err)
	}
	want := `over (m mention)
m.text
m.type & m.text
m.type & m.kind & m.text
m[1].form
m[2].form
m.type & m[1].form
m.type & m[2].form
m.type & m.kind & m[1].form
m.type & m.kind & m[2].form
m.head[-1].form & m.head.upos
m.head.form & m.head[1].upos`
	if s.String() != want {
		t.Fatalf("got\n%s", s)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ notation, want string }{
		{"", "character 1: the places are missing"},
		{"over", "character 5: \"(\" is wanted"},
		{"over (p tokn) p.form", `character 9: unknown type of place "tokn"; did you mean token?`},
		{"over (p token, p token) p.form", "character 16: there are two places p"},
		{"over (path token) path.form", "path is a word of the notation"},
		{"over (p span(entitis)) p.label",
			`character 14: there is no layer of spans "entitis"; did you mean entities?`},
		{"over (p token)", "character 15: there is no template"},
		{"over (p token) q.form", "character 16: there is no place q"},
		{"over (pred token) prd.form", "there is no place prd; did you mean pred?"},
		{"over (p token) p.lema", "character 18: p is a token and has no lema; did you mean lemma?"},
		{"over (é token) é.form, é.lema", "character 26: é is a token and has no lema"},
		{"over (p token) p.kind", "p is a token and has no kind"},
		{"over (m mention) m.knd", "m is a mention and has no knd; did you mean kind?"},
		{"over (p token) p.head", "character 16: p.head is a token, which is no value"},
		{"over (p token) p", "p is a token, which is no value"},
		{"over (p token) p.form.prefix", "prefix is written .prefix(n)"},
		{"over (p token) p.form.prefix(0)", "prefix: 0 is no number from 1 to 20"},
		{"over (p token) p.tok.bins(2, 1)", "the bounds of bins are numbers that rise"},
		{"over (p token) p.up(uposs, A).form", "tokens have no column uposs; did you mean upos?"},
		{"over (p token) p.up(upos, A||B).form", "a value between bars is empty"},
		{"over (p token) p.children(upos).form", "the values of upos are missing"},
		{"over (p token) p[21].form", "character 17: an offset is a number from -20 to 20"},
		{"over (p token) p[0", "a bracket is not closed"},
		{"over (m mention) m[0].form", "offsets of spans are -1"},
		{"over (p token) p.form[1]", "p.form is a text and has no neighbours"},
		{"over (p token) p[0..1].form & p[0..2].form", "the ranges of a template differ in length"},
		{"over (p token) pth(p, p).steps", "there is no function pth; did you mean path?"},
		{"over (p token) path(p, p.form).steps", "path takes two tokens or two nodes, not token and text"},
		{"over (p token) path(p).steps", "path takes two tokens or two nodes, not token"},
		{"over (p token) p.children.form & p.children.lemma", "a template has one list of values at most"},
		{"over (p token) p.form p.form", `character 23: unexpected "p"`},
		{"over (p token) p.form ⊕", `unexpected "⊕"`},
		{"over (p token) each (alone) { p.form", "a value is wanted"},
		{"over (p token) each (alone { p.form }", `")" is wanted`},
		{"over (p token) p.form.only(", "an argument is wanted"},
		{`over (p token) p.form.only("")`, "an argument in quotes is empty"},
		{"over (p token) " + strings.Repeat("equals(", 20) + "p", "more than 8 deep"},
		{"over (p token) p" + strings.Repeat(".head", 20) + ".form", "at most 16 steps"},
		{"over (p token) p.form" + strings.Repeat(" & p.form", 8), "joins at most 8 values"},
	} {
		_, err := Parse(c.notation)
		var f *feature.Error
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.notation, err, c.want)
		}
	}
}

func TestBadPlaces(t *testing.T) {
	d := sample(t)
	s, err := Parse("over (p token, m mention, x node, s span) bias")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ places, want string }{
		{"p = 1.2", "m is not given"}, {"q = 1.2", "no place q"}, {"p", "is not name = place"},
		{"p = 1.2, p = 1.2", "given twice"},
		{"p = 9.1", "there is no sentence 9"}, {"p = 1.7", "sentence 1 has 6 tokens"},
		{"p = 1.2-3", "a token is written"}, {"m = 9", "mentions has no such row"},
		{"x = 3", "a node is written"}, {"s = 1.5-2", "sentence 1 has 6 tokens"},
	} {
		if _, err := Locate(s, d, c.places); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.places, err, c.want)
		}
	}
	x, err := NewExtractor(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	bind(x, d)
	for _, refs := range [][]Ref{nil, {Token(99), Row(0), Row(0), Span(0, 1)}, {Token(0), Row(9), Row(0), Span(0, 1)},
		{Token(0), Row(0), Row(0), Span(5, 7)}} {
		if err := x.Extract(refs, &Found{}); err == nil {
			t.Errorf("%v: no error", refs)
		}
	}
}

func TestLayersAndResources(t *testing.T) {
	s, err := Parse("over (p token, m mention) p.up(xpos, V).lemma & path(p, m.head).steps, m.kind.lexicon(l, c)")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, l := range s.Layers() {
		got[l.Layer] = strings.Join(l.Columns, " ")
	}
	want := map[string]string{"tokens": "xpos lemma", "dependencies": "sent tok head deprel",
		"mentions": "sent tok_start tok_end kind"}
	for name, columns := range want {
		if got[name] != columns {
			t.Errorf("%s: got %q, want %q", name, got[name], columns)
		}
	}
	if r := s.Resources(); len(got) != len(want) || len(r) != 1 || r[0] != (kind.Resource{Kind: "lexicon", Name: "l"}) {
		t.Errorf("layers %v, resources %v", got, r)
	}
}

var update = os.Getenv("UPDATE") != ""

// TestGolden compares what the built-in sets extract with what was looked over.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct{ set, places string }{
		{"role_pairs", "p = 1.2, a = 1.5"}, {"role_pairs", "p = 2.2, a = 2.6"}, {"mention_pairs", "n = 2, m = 3"},
		{"mention_pairs", "n = 2, m = 5"}, {"coref", "n = 2, m = 3"}, {"mention", "m = 2"},
		{"node_pairs", "x = 1.4, y = 1.2"},
	} {
		notation, _ := Builtin(c.set)
		b.WriteString("# " + c.set + " at " + c.places + "\n" +
			strings.Join(extracted(t, notation, c.places), "\n") + "\n")
	}
	const file = "testdata/golden.txt"
	if update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != b.String() {
		t.Fatalf("%v; got\n%s", err, b.String())
	}
}

// TestOrderOfTemplatesIsOrderOfOutputAlone: any selection of templates in any order gives what the whole set gives for
// them, with the same hashes.
func TestOrderOfTemplatesIsOrderOfOutputAlone(t *testing.T) {
	d := sample(t)
	rapid.Check(t, func(r *rapid.T) {
		b := rapid.SampledFrom(builtins).Draw(r, "set")
		s, err := Parse(b.Notation)
		if err != nil {
			r.Fatal(err)
		}
		shuffled := rapid.Permutation(s.Templates()).Draw(r, "templates")
		kept := shuffled[:rapid.IntRange(1, len(shuffled)).Draw(r, "kept")]
		other, err := Parse(s.Header() + strings.Join(kept, ";"))
		if err != nil {
			r.Fatal(err)
		}
		x, _ := NewExtractor(s, resources{})
		y, _ := NewExtractor(other, resources{})
		bind(x, d)
		bind(y, d)
		for range rapid.IntRange(1, 6).Draw(r, "pairs") {
			refs := make([]Ref, len(s.places))
			for i, p := range s.places {
				if refs[i] = Token(rapid.IntRange(0, 15).Draw(r, "token")); p.Layer != "" {
					refs[i] = Row(rapid.IntRange(0, 4).Draw(r, "row"))
				}
			}
			var f, g Found
			if x.Extract(refs, &f) != nil || y.Extract(refs, &g) != nil {
				r.Fatal("the places are sound")
			}
			compare(r, x, &f, y, &g, kept)
		}
	})
}

func TestEqualValuesAreOneInstruction(t *testing.T) {
	s, err := Parse("over (p token) p.head.form & p.head.lemma, p.head.form & equals(p.head.lemma, p.lemma)")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range s.code {
		names = append(names, x.name)
	}
	want := []string{"p", "p.head", "p.head.form", "p.head.lemma", "p.lemma", "equals(p.head.lemma, p.lemma)"}
	if !slices.Equal(names, want) {
		t.Fatalf("got %q", names)
	}
}

// TestDifferentListsStayDifferent joins lists whose elements have the characters of the notation.
func TestDifferentListsStayDifferent(t *testing.T) {
	s, err := Parse("over (p token) bias")
	if err != nil {
		t.Fatal(err)
	}
	x, _ := NewExtractor(s, resources{})
	lists := [][]string{{}, {"-"}, {"_"}, {""}, {"a b"}, {"a", "b"}, {`a\`, "b"}, {`a\ b`}, {"", ""}, {"_", ""},
		{"", "_"}, {`\_`}, {`\-`}}
	seen := map[int32]int{}
	for i, l := range lists {
		var ids []int32
		for _, s := range l {
			id := int32(none)
			if s != "" {
				id = x.id(s)
			}
			ids = append(ids, id)
		}
		joined := x.join(ids)
		if k, ok := seen[joined]; ok {
			t.Errorf("%q and %q are both %q", lists[k], l, x.texts[joined])
		}
		seen[joined] = i
	}
}

// TestMissingLayers extracts from a document with tokens alone: what needs a tree has no value, the head of a span is
// its last token.
func TestMissingLayers(t *testing.T) {
	d := sample(t)
	d.Layers = d.Layers[:1]
	s, err := Parse(`over (p token, s span) s.head.form, p.head.form, p.children.form.seq, path(p, p[1]).steps,
		p.constituent.label, s.constituent.label, p.deprel, relation(p, p[1]), mention_distance(p, s)`)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := NewExtractor(s, resources{})
	bind(x, d)
	var f Found
	if err := x.Extract([]Ref{Token(1), Span(2, 5)}, &f); err != nil {
		t.Fatal(err)
	}
	templates, texts := x.Names(&f)
	got := strings.Join(templates, "; ") + " = " + strings.Join(texts, "; ")
	want := "s.head.form; p.children.form.seq; relation(p, p[1]); mention_distance(p, s) = bird; -; other; 0"
	if got != want {
		t.Fatalf("got %s", got)
	}
	bind(x, &text.Document{})
	if err := x.Extract([]Ref{Token(0), Span(0, 1)}, &f); err == nil {
		t.Fatal("an empty document has no places")
	}
}

// TestLayersSuffice extracts the same from a document that has what Layers asks for and nothing else.
func TestLayersSuffice(t *testing.T) {
	for _, b := range builtins {
		s, err := Parse(b.Notation)
		if err != nil {
			t.Fatal(err)
		}
		whole, bare := sample(t), sample(t)
		asked := map[string][]string{"tokens": {"sent", "tok"}}
		for _, u := range s.Layers() {
			asked[u.Layer] = append(asked[u.Layer], u.Columns...)
		}
		for _, l := range whole.Layers {
			if asked[l.Name] == nil {
				bare.DropLayer(l.Name)
				continue
			}
			for i, c := range l.Def.Columns {
				if !slices.Contains(asked[l.Name], c.Name) {
					bare.Layer(l.Name).Cols[i] = text.Col{}
				}
			}
		}
		var found [2]Found
		for i, d := range []*text.Document{whole, bare} {
			x, _ := NewExtractor(s, resources{})
			bind(x, d)
			if err := x.Extract(refsOf(s, 1, 3), &found[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(found[0].Hashes, found[1].Hashes) {
			t.Errorf("%s: other features without the columns that are not asked for", b.Name)
		}
	}
}

// refsOf are places of a set: the first one a token or row, the second another one, a third one a row.
func refsOf(s *Set, a, b int) (out []Ref) {
	for i, p := range s.places {
		at := []int{a, b, b % 5}[i]
		if p.Layer != "" {
			out = append(out, Row(at))
		} else {
			out = append(out, Token(at))
		}
	}
	return out
}

// TestPairAfterPair checks that what is kept from the pair before changes nothing.
func TestPairAfterPair(t *testing.T) {
	d := sample(t)
	for _, b := range builtins {
		s, err := Parse(b.Notation)
		if err != nil {
			t.Fatal(err)
		}
		kept, _ := NewExtractor(s, resources{})
		bind(kept, d)
		for i := range 30 {
			refs := refsOf(s, i/4%16, i*7%16)
			if s.places[0].Layer != "" {
				refs = refsOf(s, i/3%5, i*2%5)
			}
			fresh, _ := NewExtractor(s, resources{})
			bind(fresh, d)
			var f, g Found
			if kept.Extract(refs, &f) != nil || fresh.Extract(refs, &g) != nil {
				t.Fatal("the places are sound")
			}
			if !slices.Equal(f.Hashes, g.Hashes) {
				t.Fatalf("%s at %v: after other pairs %v, alone %v", b.Name, refs, f.Hashes, g.Hashes)
			}
		}
	}
}

// compare checks that the features of g are those of f with templates in kept, in their order, with the same hashes.
func compare(r *rapid.T, x *Extractor, f *Found, y *Extractor, g *Found, kept []string) {
	type one struct {
		value string
		hash  uint64
	}
	byTemplate := map[string][]one{}
	templates, values := x.Names(f)
	for i, t := range templates {
		byTemplate[t] = append(byTemplate[t], one{values[i], f.Hashes[i]})
	}
	var want []one
	for _, t := range kept {
		want = append(want, byTemplate[t]...)
	}
	var got []one
	_, values = y.Names(g)
	for i := range values {
		got = append(got, one{values[i], g.Hashes[i]})
	}
	if !slices.Equal(got, want) {
		r.Fatalf("got %v, want %v", got, want)
	}
}

// FuzzParse checks that what is parsed prints as itself, and extracts the same.
func FuzzParse(f *testing.F) {
	for _, b := range builtins {
		f.Add(b.Notation)
	}
	f.Add(`over (p token) p.form.only("a, b|!c") & p.feats.Case, p.feats("Number[psor]")`)
	f.Add("over(s span(entities),x node)each(alone,s.label){s[-1..1].form;x.up(A).label}")
	f.Add("over (p token) equals(p[-2..2].lemma, p.head.lemma) # comment")
	f.Add("over (p token) p.tok.bins(0,5,9) & p.children(upos, !A|B).lemma.nodup.bag")
	d := sample(f)
	f.Fuzz(func(t *testing.T, notation string) {
		s, err := Parse(notation)
		if err != nil {
			var e *feature.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(notation) {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		if !Is(notation) {
			t.Fatal("what parses is not recognised")
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%s\nprints as\n%s\n%v", notation, s, err)
		}
		x, err := NewExtractor(s, resources{})
		if err != nil {
			return
		}
		bind(x, d)
		refs := make([]Ref, len(s.places))
		for i, p := range s.places {
			if refs[i] = Token(i); p.Layer != "" {
				refs[i] = Row(0)
			}
		}
		var g Found
		if x.Extract(refs, &g) == nil {
			x.Names(&g)
		}
	})
}

// TestNoAllocation checks that features of places whose texts were met cost no memory.
func TestNoAllocation(t *testing.T) {
	for _, b := range builtins[:2] {
		s, err := Parse(b.Notation)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := NewExtractor(s, resources{})
		bind(x, sample(t))
		var f Found
		pairs := func() {
			f.Reset()
			for i := range 5 {
				refs := [2]Ref{Token(i), Token(i + 1)}
				if s.places[0].Layer != "" {
					refs = [2]Ref{Row(i), Row((i + 1) % 5)}
				}
				if err := x.Extract(refs[:], &f); err != nil {
					t.Fatal(err)
				}
			}
		}
		pairs()
		if n := testing.AllocsPerRun(20, pairs); n > 0 {
			t.Errorf("%s: %v allocations", b.Name, n)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	for _, n := range builtins[:2] {
		b.Run(n.Name, func(b *testing.B) {
			s, err := Parse(n.Notation)
			if err != nil {
				b.Fatal(err)
			}
			x, _ := NewExtractor(s, resources{})
			bind(x, sample(b))
			var f Found
			for i := 0; b.Loop(); i++ {
				refs := [2]Ref{Token(i / 6 % 6), Token(i % 6)}
				if s.places[0].Layer != "" {
					refs = [2]Ref{Row(i / 5 % 5), Row(i % 5)}
				}
				f.Reset()
				if err := x.Extract(refs[:], &f); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(s.templates))/b.Elapsed().Seconds(), "templates/s")
		})
	}
}

// bind binds a document under a context that does not end.
func bind(x *Extractor, d *text.Document) {
	if err := x.Bind(context.Background(), d); err != nil {
		panic(err)
	}
}
