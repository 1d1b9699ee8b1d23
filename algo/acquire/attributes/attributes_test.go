package attributes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// page makes a document of tokens form/upos[/lemma], sentences parted by "|", and texts between tags, which stand in
// the text behind the sentences as tokens of one word or more.
func page(id, line string, segments ...string) *text.Document {
	d := &text.Document{ID: id}
	toks, segs := text.NewLayer(text.Tokens), text.NewLayer(text.Segments)
	var sent, tok, start, end, segStart, segEnd, segSent []int32
	var forms, lemmas, tags, labels, texts []string
	var b strings.Builder
	s, k := int32(1), int32(0)
	put := func(w string) {
		parts := strings.Split(w, "/")
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		k++
		sent, tok, start = append(sent, s), append(tok, k), append(start, int32(b.Len()))
		b.WriteString(parts[0])
		end = append(end, int32(b.Len()))
		forms, tags = append(forms, parts[0]), append(tags, parts[1])
		lemma := strings.ToLower(parts[0])
		if len(parts) > 2 {
			lemma = parts[2]
		}
		lemmas = append(lemmas, lemma)
	}
	for _, w := range strings.Fields(line) {
		if w == "|" {
			s, k = s+1, 0
			continue
		}
		put(w)
	}
	for _, g := range segments {
		s, k = s+1, 0
		from := int32(b.Len())
		if b.Len() > 0 {
			from++
		}
		for _, w := range strings.Fields(g) {
			put(w + "/NOUN")
		}
		segStart, segEnd, segSent = append(segStart, from), append(segEnd, int32(b.Len())), append(segSent, s)
		labels, texts = append(labels, "li"), append(texts, g)
	}
	toks.N = len(tok)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetInts("char_start", start)
	toks.SetInts("char_end", end)
	toks.SetStrs("form", forms)
	toks.SetStrs("lemma", lemmas)
	toks.SetStrs("upos", tags)
	d.Text = b.String()
	d.SetLayer(toks)
	segs.N = len(labels)
	segs.SetInts("sent", segSent)
	segs.SetInts("char_start", segStart)
	segs.SetInts("char_end", segEnd)
	segs.SetStrs("label", labels)
	segs.SetStrs("text", texts)
	d.SetLayer(segs)
	return d
}

// parse adds a tree, as head/relation by token of the one sentence.
func parse(d *text.Document, arcs string) *text.Document {
	l := text.NewLayer(text.Dependencies)
	var sent, tok, head []int32
	var labels []string
	for i, a := range strings.Fields(arcs) {
		h, rel, _ := strings.Cut(a, "/")
		n := int32(0)
		fmt.Sscan(h, &n)
		sent, tok, head, labels = append(sent, 1), append(tok, int32(i+1)), append(head, n), append(labels, rel)
	}
	l.N = len(tok)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", head)
	l.SetStrs("deprel", labels)
	d.SetLayer(l)
	return d
}

var cars = []*text.Document{
	page("d1", "The/DET engine/NOUN of/ADP the/DET car/NOUN is/AUX loud/ADJ ./PUNCT | The/DET weight/NOUN of/ADP a/DET "+
		"car/NOUN matters/VERB for/ADP the/DET price/NOUN ./PUNCT", "Car", "Engine", "Weight :", "Price"),
	page("d2", "The/DET car/NOUN 's/PART engine/NOUN was/AUX new/ADJ | We/PRON like/VERB the/DET price/NOUN "+
		"of/ADP the/DET "+
		"car/NOUN ,/PUNCT and/CCONJ its/PRON colour/NOUN ./PUNCT", "Price", "Home", "The cars and engines of today"),
	page("d3", "A/DET man/NOUN of/ADP the/DET car/NOUN company/NOUN said/VERB that/SCONJ the/DET engine/NOUN "+
		"of/ADP this/DET "+
		"car/NOUN is/AUX fine/ADJ ./PUNCT | The/DET owner/NOUN of/ADP the/DET car/NOUN left/VERB ./PUNCT",
		"Weight", "1200 kg", "Engine", "2 litre"),
}

// worked is the example of three documents among a thousand, with the given number of parsed genitives of each noun.
func worked() (on, parsed kind.Documents) {
	on = append(on, cars...)
	rest := map[string]int{"engine": 20 - 3, "weight": 50 - 2, "price": 125 - 2, "man": 250 - 1, "owner": 60 - 1,
		"home":   500 - 1,
		"colour": 40 - 1}
	for i := range 997 {
		line := "it/PRON"
		for _, n := range []string{"engine", "weight", "price", "man", "owner", "home", "colour"} {
			if i < rest[n] {
				line += " " + n + "/NOUN"
			}
		}
		on = append(on, page(fmt.Sprint("x", i), line))
	}
	for noun, n := range map[string]int{"engine": 30, "weight": 20, "price": 50, "man": 5, "owner": 40, "colour": 8} {
		for i := range n {
			if i%2 == 0 {
				parsed = append(parsed, parse(page(fmt.Sprint(noun, i), "the/DET "+noun+"/NOUN ,/PUNCT he/PRON said/VERB ,/PUNCT "+
					"of/ADP every/DET car/NOUN"), "2/det 0/root 2/punct 5/nsubj 2/parataxis 5/punct 9/case 9/det 2/nmod"))
				continue
			}
			parsed = append(parsed, parse(page(fmt.Sprint(noun, i), "a/DET car/NOUN 's/PART "+noun+"/NOUN"),
				"2/det 4/nmod:poss 2/case 0/root"))
		}
	}
	return on, parsed
}

func made(t *testing.T, args ...option.Arg) *model {
	t.Helper()
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	args = append(args, kindtest.Arg("max_length", 20))
	if !slices.ContainsFunc(args, func(a option.Arg) bool { return a.Name == "classes" }) {
		args = append(args, list("classes", "car"))
	}
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	return m
}

func list(name string, values ...string) option.Arg {
	a := option.Arg{Name: name}
	for _, v := range values {
		a.List = append(a.List, option.Arg{Value: value.Str(v)})
	}
	return a
}

func train(t *testing.T, m *model, on, parsed kind.Documents) {
	t.Helper()
	in := &kind.Training{On: on, Roles: map[string]kind.Input{}, Workers: 1, Notice: func(string) {},
		Report: func(kind.Progress) {}}
	if parsed != nil {
		in.Roles["parsed"] = parsed
	}
	if err := m.Train(context.Background(), in); err != nil {
		t.Fatal(err)
	}
}

// TestWorked is the example of the paper's score computed by hand, and what is left when a factor is.
func TestWorked(t *testing.T) {
	on, parsed := worked()
	m := made(t)
	train(t, m, on, parsed)
	x := &m.Classes[0]
	if m.Documents != 1000 || x.Documents != 3 {
		t.Fatalf("%d documents, %d of the class", m.Documents, x.Documents)
	}
	want := map[string][5]float64{"engine": {3, 30, 2, 3, 3.912023}, "price": {1, 50, 2, 2, 2.079442},
		"weight": {1, 20, 2, 2, 2.995732},
		"owner":  {1, 40, 0, 1, 2.813411}, "man": {0, 5, 0, 1, 1.386294}, "home": {0, 0, 1, 1, 0.693147},
		"colour": {0, 8, 0, 1, 3.218876}}
	for i := range x.Candidates {
		c := &x.Candidates[i]
		w, ok := want[c.Noun]
		delete(want, c.Noun)
		if got := [5]float64{c.N, c.F, c.T, float64(c.DF), math.Round(m.idf(c)*1e6) / 1e6}; ok && got != w {
			t.Errorf("%s: n, f, t, df, idf %v, want %v", c.Noun, got, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("no candidates: %v", want)
	}
	for drop, list := range map[string]string{
		"":      "engine 2112.4924 price 415.8883 weight 239.6586",
		"t":     "engine 1056.2462 price 207.9442 weight 119.8293 owner 112.5364",
		"dfidf": "engine 180.0000 price 100.0000 weight 40.0000",
		"f":     "engine 70.4164 weight 11.9829 price 8.3178",
	} {
		m.opt.drop = nil
		if drop != "" {
			m.opt.drop = []string{drop}
		}
		var got []string
		for _, c := range m.ranked(x) {
			got = append(got, fmt.Sprintf("%s %.4f", c.Noun, c.score))
		}
		if s := strings.Join(got, " "); s != list {
			t.Errorf("without %q: %s", drop, s)
		}
	}
}

// TestPatterns: what is and what is no genitive, by patterns and by trees.
func TestPatterns(t *testing.T) {
	for line, want := range map[string]string{
		"the/DET price/NOUN of/ADP my/PRON old/ADJ car/NOUN rose/VERB":      "price",
		"the/DET price/NOUN of/ADP cars/NOUN/car rose/VERB":                 "price",
		"the/DET price/NOUN of/ADP the/DET car/NOUN company/NOUN rose/VERB": "(company)",
		"the/DET price/NOUN of/ADP the/DET car/NOUN 's/PART engine/NOUN":    "engine",
		"the/DET price/NOUN of/ADP the/DET car/NOUN -/PUNCT maker/NOUN":     "",
		"a/DET car/NOUN 's/PART new/ADJ big/ADJ engine/NOUN roared/VERB":    "engine",
		"a/DET car/NOUN 's/PART engine/NOUN room/NOUN was/AUX hot/ADJ":      "",
		"a/DET car/NOUN 's/PART | engine/NOUN":                              "",
		"price/NOUN | of/ADP the/DET car/NOUN":                              "",
		"sold/VERB of/ADP the/DET car/NOUN":                                 "",
		"the/DET car/NOUN price/NOUN rose/VERB":                             "(price)",
		"the/DET car/NOUN price/NOUN index/NOUN rose/VERB":                  "",
		"the/DET price/NOUN of/ADP the/DET sports/NOUN car/NOUN rose/VERB":  "",
		"of/ADP the/DET car/NOUN":                                           "",
		"the/DET 's/PART car/NOUN '/PUNCT 5/NUM":                            "",
		"the/DET price/NOUN of/ADP car/NOUN":                                "price",
		"the/DET price/NOUN of/ADP the/DET car/VERB":                        "",
		"the/DET weight/NOUN and/CCONJ price/NOUN of/ADP this/DET car/NOUN": "price",
	} {
		ws, _ := words(page("d", line), nil)
		c := &counter{names: map[string][]name{}}
		c.add("car", 0)
		var got []string
		surface(ws, c.length(ws, 0), true, func(g genitive) {
			s := ws[g.attribute].noun
			if g.compound {
				s = "(" + s + ")"
			}
			got = append(got, s)
		})
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", line, s, want)
		}
	}
	d := parse(page("d", "the/DET price/NOUN of/ADP the/DET sports/NOUN car/NOUN rose/VERB"),
		"2/det 7/nsubj 6/case 6/det 6/compound 2/nmod 0/root")
	ws, parsed := words(d, nil)
	c := &counter{names: map[string][]name{}}
	c.add("sports car", 0)
	n := 0
	trees(ws, c.length(ws, 0), false, func(g genitive) {
		if ws[g.attribute].noun == "price" && g.class == 4 {
			n++
		}
	})
	if !parsed || n != 1 {
		t.Errorf("trees: %d genitives of a name of two words", n)
	}
}

// TestDocumentsOfClass: the first documents by BM25, and those with words for kinds of the class.
func TestDocumentsOfClass(t *testing.T) {
	docs := kind.Documents{page("a", "car/NOUN is/AUX here/ADV and/CCONJ there/ADV"),
		page("b", "car/NOUN car/NOUN car/NOUN"),
		page("c", "car/NOUN"), page("d", "van/NOUN 's/PART price/NOUN")}
	m := made(t, kindtest.Arg("size", 2))
	train(t, m, docs, nil)
	if n := m.Classes[0].Documents; n != 2 {
		t.Fatalf("%d documents", n)
	}
	x := &tally{hits: []hit{{0, 1, 5}, {1, 3, 3}, {2, 1, 1}, {3, 1, 1}}, chosen: map[int]bool{}}
	x.choose(2, 2.5)
	if !x.chosen[1] || !x.chosen[2] {
		t.Errorf("chosen %v", x.chosen)
	}
	m = made(t, kindtest.Arg("local", "hyponyms"))
	in := &kind.Training{On: docs, Roles: map[string]kind.Input{"hyponyms": kind.Tables{"hyponyms": {
		{value.Str("car"), value.Str("Van")}, {value.Str("boat"), value.Str("car")}, {value.Str("car"), {}}}}},
		Notice: func(string) {}, Report: func(kind.Progress) {}}
	if err := m.Train(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	if x := m.Classes[0]; x.Documents != 1 || len(x.Candidates) != 1 || x.Candidates[0].Noun != "price" {
		t.Errorf("%+v", x)
	}
	delete(in.Roles, "hyponyms")
	if err := m.Train(context.Background(), in); err == nil || !strings.Contains(err.Error(), "AS hyponyms") {
		t.Errorf("without words: %v", err)
	}
}

// TestBadInput: what is wrong is said.
func TestBadInput(t *testing.T) {
	for want, args := range map[string][]option.Arg{
		"no factor; did you mean": {list("drop", "dfid")},
		"leaves no factor":        {list("drop", "n", "f", "t", "dfidf")},
		"no letters":              {list("classes", " ")},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	m := made(t)
	empty := &kind.Training{On: kind.Documents{{ID: "d"}}, Notice: func(string) {}}
	if err := m.Train(context.Background(), empty); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("no tokens: %v", err)
	}
	m.opt.classes = nil
	if err := m.Train(context.Background(), empty); err == nil || !strings.Contains(err.Error(), "name the classes") {
		t.Errorf("no classes: %v", err)
	}
	on, _ := worked()
	m = made(t, list("classes", "car", "train"))
	said := ""
	if err := m.Train(context.Background(),
		&kind.Training{On: on, Notice: func(s string) { said += s + "\n" }}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "no document has a word for the class 'train'") {
		t.Error(said)
	}
	var u *kind.Unknown
	if _, err := m.Open(context.Background(), "attributes", []value.Value{value.Str("cat")}, nil); !errors.As(err, &u) {
		t.Errorf("unknown class: %v", err)
	}
	if _, err := m.Evaluate(context.Background(), kind.Tables{"gold": {{value.Str("cat"), value.Str("tail")}}},
		nil); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("gold of no class: %v", err)
	}
}

// TestEvaluate: precision of short lists counts what is missing as wrong.
func TestEvaluate(t *testing.T) {
	on, parsed := worked()
	m := made(t)
	train(t, m, on, parsed)
	got, err := m.Evaluate(context.Background(), kind.Tables{"gold": {{value.Str("Car"), value.Str("Engine")},
		{value.Str("car"), value.Str("weight")}, {value.Str("boat"), value.Str("x")}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"precision_at_5": .4, "precision_at_10": .2, "precision_at_20": .1, "precision_at_50": .04,
		"average_precision": (1 + 2./3) / 2}
	for _, x := range got {
		if v := x.Value(); math.Abs(v-want[x.Name]) > 1e-6 {
			t.Errorf("%s = %v, want %v", x.Name, v, want[x.Name])
		}
	}
}

func TestKind(t *testing.T) {
	on, _ := worked()
	query := kindtest.Query{Relation: "questions", Args: []value.Value{value.Str("car"), value.Str("price")}}
	base := kindtest.Case{Kind: Kind(), Train: on[:200], Queries: []kindtest.Query{query},
		Gold: kind.Tables{"gold": {{value.Str("car"), value.Str("engine")}}}}
	kindtest.Variants(t, base, map[string][]option.Arg{
		"classes":  {list("classes", "car", "engine")},
		"smooth":   {list("classes", "car"), kindtest.Arg("smooth", 0.5), list("drop", "n")},
		"compound": {list("classes", "car", "engine"), kindtest.Arg("compound", true), kindtest.Arg("size", 2)},
	})
}
