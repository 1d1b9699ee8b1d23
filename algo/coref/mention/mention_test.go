package mention

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/text"
)

// document makes a document of sentences, one a line, of tokens form/xpos[/head/relation[/misc]].
func document(lines string) *text.Document {
	d := &text.Document{}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	cols := map[string][]string{}
	var sent, tok, from, to, head []int32
	for s, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		for t, cell := range strings.Fields(line) {
			f := append(strings.Split(cell, "/"), "", "", "", "")
			sent, tok = append(sent, int32(s+1)), append(tok, int32(t+1))
			from = append(from, int32(len(d.Text)))
			d.Text += f[0] + " "
			to = append(to, int32(len(d.Text)-1))
			h, err := strconv.Atoi(f[2])
			if err != nil {
				h = -1
			}
			head = append(head, int32(h))
			for i, c := range []string{"form", "xpos", "", "deprel", "misc"} {
				cols[c] = append(cols[c], f[i])
			}
		}
	}
	toks.N = len(sent)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetInts("char_start", from)
	toks.SetInts("char_end", to)
	for _, c := range []string{"form", "xpos", "misc"} {
		toks.SetStrs(c, cols[c])
	}
	d.SetLayer(toks)
	arcs.N = len(sent)
	arcs.SetInts("sent", sent)
	arcs.SetInts("tok", tok)
	arcs.SetInts("head", head)
	arcs.SetStrs("deprel", cols["deprel"])
	d.SetLayer(arcs)
	return d
}

func one(t *testing.T, line string, s Span) Mention {
	t.Helper()
	return described(read(document(line)), []Span{s})[0]
}

func TestPronouns(t *testing.T) {
	for _, c := range []struct {
		form, tag, canonical string
		person               uint8
		number               Number
		gender               Gender
		animacy              Animacy
		kase                 Case
	}{
		{"Him", "PRP", "he", 3, Singular, Male, Animate, Personal},
		{"her", "PRP$", "she", 3, Singular, Female, Animate, PossessiveCase},
		{"themselves", "PRP", "they", 3, Plural, UnknownGender, UnknownAnimacy, Reflexive},
		{"our", "PRP$", "we", 1, Plural, UnknownGender, Animate, PossessiveCase},
		{"this", "DT", "this", 3, Singular, UnknownGender, UnknownAnimacy, DemonstrativeCase},
		{"its", "PRP$", "it", 3, Singular, Neuter, Inanimate, PossessiveCase},
	} {
		m := one(t, c.form+"/"+c.tag, Span{0, 1})
		if m.Type != Pronoun || m.Pronoun != c.canonical || m.Class() != c.canonical || m.Person != c.person ||
			m.Number != c.number || m.Gender != c.gender || m.Animacy != c.animacy || m.Case != c.kase {
			t.Errorf("%s: %+v", c.form, m)
		}
	}
	if m := one(t, "mine/NN", Span{0, 1}); m.Type != Nominal || m.Class() != "nominal" {
		t.Errorf("a mine: %+v", m)
	}
	if m := one(t, "one/CD books/NNS", Span{0, 2}); m.Type != Nominal || m.Definiteness != Quantified ||
		m.Number != Plural {
		t.Errorf("one books: %+v", m)
	}
}

func TestNounsAndNames(t *testing.T) {
	for _, c := range []struct {
		text    string
		typ     Type
		head    int32
		number  Number
		gender  Gender
		animacy Animacy
		def     Definiteness
	}{
		{"the/DT woman/NN in/IN black/NN", Nominal, 1, Singular, Female, Animate, Definite},
		{"a/DT table/NN", Nominal, 1, Singular, Neuter, Inanimate, Indefinite},
		{"these/DT teams/NNS", Nominal, 1, Plural, UnknownGender, UnknownAnimacy, Demonstrative},
		{"Mrs./NNP Dalloway/NNP", Name, 1, Singular, Female, Animate, Bare},
		{"Dr./NNP John/NNP Smith/NNP", Name, 2, Singular, Male, Animate, Bare},
		{"Berlin/NNP", Name, 0, Singular, UnknownGender, UnknownAnimacy, Bare},
		{"Ann/NNP and/CC Bob/NNP", Name, 0, Plural, UnknownGender, UnknownAnimacy, Bare},
		{"John/NNP 's/POS book/NN", Nominal, 2, Singular, Neuter, Inanimate, Possessive},
		{"my/PRP$ brother/NN", Nominal, 1, Singular, Male, Animate, Possessive},
		{"hold/VB", Verb, 0, UnknownNumber, Neuter, Inanimate, Bare},
	} {
		n := int32(len(strings.Fields(c.text)))
		m := one(t, c.text, Span{0, n})
		if m.Type != c.typ || m.Head != c.head || m.Number != c.number || m.Gender != c.gender || m.Animacy != c.animacy ||
			m.Definiteness != c.def || m.Person != 3 {
			t.Errorf("%s: %+v", c.text, m)
		}
	}
}

func TestHeadOfTree(t *testing.T) {
	d := read(document("the/DT/3/det old/JJ/3/amod man/NN/4/nsubj sleeps/VBZ/0/root"))
	if h := d.HeadOf(Span{0, 3}); h != 2 {
		t.Errorf("head %d", h)
	}
	if h := d.HeadOf(Span{0, 4}); h != 3 {
		t.Errorf("the root: head %d", h)
	}
}

func TestHeadOfConstituents(t *testing.T) {
	doc := document("friends/NNS of/IN the/DT king/NN who/WP sleep/VBP")
	doc.DropLayer("dependencies")
	l := text.NewLayer(text.Constituents)
	l.N = 3
	l.SetInts("sent", []int32{1, 1, 1})
	l.SetInts("node", []int32{1, 2, 3})
	l.SetInts("parent", []int32{0, 1, 1})
	l.SetStrs("label", []string{"NP", "NP", "SBAR"})
	l.SetInts("tok_start", []int32{1, 1, 5})
	l.SetInts("tok_end", []int32{6, 4, 6})
	doc.SetLayer(l)
	if h := read(doc).HeadOf(Span{0, 6}); h != 0 {
		t.Errorf("head %d", h)
	}
}

func TestNesting(t *testing.T) {
	d := read(document("the/DT head/NN of/IN his/PRP$ team/NN ran/VBD"))
	ms := described(d, []Span{{0, 5}, {3, 5}, {3, 4}, {5, 6}})
	for i, want := range []int32{None, 0, 1, None} {
		if ms[i].Outer != want {
			t.Errorf("mention %d is inside %d, not %d", i, ms[i].Outer, want)
		}
	}
}

func TestEntities(t *testing.T) {
	doc := document("the/DT Bank/NNP of/IN England/NNP fell/VBD")
	doc.SetLayer(doc.SpanLayer(text.Entities,
		[]text.Span{{Sent: 1, First: 2, Last: 4, Label: "ORG"}, {Sent: 1, First: 4, Last: 4, Label: "GPE"}}))
	ms := described(read(doc), []Span{{0, 4}, {3, 4}})
	if ms[0].Entity != "ORG" || ms[0].Gender != Neuter || ms[1].Entity != "GPE" {
		t.Errorf("%+v", ms)
	}
}

func TestSpeakers(t *testing.T) {
	d := read(document(`"/'' I/PRP/3/nsubj agree/VBP/0/root "/'' said/VBD/3/x Ann/NNP/5/nsubj Lee/NNP/6/flat
we/PRP///Speaker=Bob go/VBP///Speaker=Bob`))
	ms := described(d, []Span{{1, 2}, {5, 7}, {7, 8}})
	if ms[0].Speaker != "Ann Lee" || !ms[0].Quoted || ms[1].Speaker != "" || ms[1].Quoted || ms[2].Speaker != "Bob" {
		t.Errorf("%+v", ms)
	}
}

func TestNothing(t *testing.T) {
	d, ms, err := Of(context.Background(), &text.Document{}, Lexicons{})
	if err != nil || len(ms) != 0 || len(d.Forms) != 0 {
		t.Errorf("%v %v %v", d, ms, err)
	}
}

// read is Read under a context that does not end, and described is Describe without lexicons.
func read(doc *text.Document) *Document {
	d, err := Read(context.Background(), doc)
	if err != nil {
		panic(err)
	}
	return d
}

func described(d *Document, spans []Span) []Mention {
	list, err := d.Describe(context.Background(), spans, Lexicons{})
	if err != nil {
		panic(err)
	}
	return list
}
