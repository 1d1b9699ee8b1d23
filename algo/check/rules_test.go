package check

import (
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
)

func defaults() Options {
	var o Options
	o.Declare(&option.Set{})
	return o
}

// build cuts sentences at | and tokens at spaces.
func build(id, content string) *text.Document {
	d := &text.Document{ID: id}
	toks, sents := text.NewLayer(text.Tokens), text.NewLayer(text.Sentences)
	var sent, tok, start, end, ss, se, sn []int32
	var forms []string
	for i, s := range strings.Split(content, "|") {
		if i > 0 {
			d.Text += " "
		}
		ss, sn = append(ss, int32(len(d.Text))), append(sn, int32(i+1))
		for k, w := range strings.Fields(s) {
			if k > 0 {
				d.Text += " "
			}
			sent, tok = append(sent, int32(i+1)), append(tok, int32(k+1))
			start = append(start, int32(len(d.Text)))
			d.Text += w
			end, forms = append(end, int32(len(d.Text))), append(forms, w)
		}
		se = append(se, int32(len(d.Text)))
	}
	toks.N, sents.N = len(forms), len(sn)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetInts("char_start", start)
	toks.SetInts("char_end", end)
	toks.SetStrs("form", forms)
	sents.SetInts("sent", sn)
	sents.SetInts("char_start", ss)
	sents.SetInts("char_end", se)
	d.SetLayer(sents)
	d.SetLayer(toks)
	return d
}

func raw(id, content string) *text.Document { return &text.Document{ID: id, Text: content} }

func withSpans(d *text.Document, spans ...text.Span) *text.Document {
	d.SetLayer(d.SpanLayer(text.Entities, spans))
	return d
}

// withHeads parses the first sentence; a head of -1 stands for none.
func withHeads(d *text.Document, heads ...int32) *text.Document {
	l := text.NewLayer(text.Dependencies)
	var sent, tok, head []int32
	var rel []string
	for i, h := range heads {
		if h >= 0 {
			sent, tok, head, rel = append(sent, 1), append(tok, int32(i+1)), append(head, h), append(rel, "dep")
		}
	}
	l.N = len(head)
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("head", head)
	l.SetStrs("deprel", rel)
	d.SetLayer(l)
	return d
}

// bare takes the relations of tokens away.
func bare(d *text.Document, toks ...int) *text.Document {
	for _, k := range toks {
		d.Layer("dependencies").Strs("deprel")[k] = ""
	}
	return d
}

// withPhrases takes node, parent, first and last token of each phrase of sentence 1.
func withPhrases(d *text.Document, rows ...[4]int32) *text.Document {
	l := text.NewLayer(text.Constituents)
	l.N = len(rows)
	cols := make([][]int32, 7)
	toks := d.Layer("tokens")
	for _, r := range rows {
		a, z := toks.Ints("char_start")[r[2]-1], toks.Ints("char_end")[r[3]-1]
		for i, v := range []int32{1, r[0], r[1], a, z, r[2], r[3]} {
			cols[i] = append(cols[i], v)
		}
	}
	for i, n := range []string{"sent", "node", "parent", "char_start", "char_end", "tok_start", "tok_end"} {
		l.SetInts(n, cols[i])
	}
	d.SetLayer(l)
	return d
}

func withClusters(d *text.Document, clusters ...string) *text.Document {
	l := text.NewLayer(text.Mentions)
	l.N = len(clusters)
	l.SetStrs("cluster", clusters)
	d.SetLayer(l)
	return d
}

func withLabels(d *text.Document, labels ...string) *text.Document {
	l := text.NewLayer(text.Labels)
	l.N = len(labels)
	l.SetStrs("label", labels)
	d.SetLayer(l)
	return d
}

// withNote adds a row of the layer words.
func withNote(d *text.Document, id, line string) *text.Document {
	l := text.NewLayer(text.Words)
	l.N = 1
	l.SetInts("sent", []int32{1})
	l.SetStrs("id", []string{id})
	l.SetStrs("line", []string{line})
	d.SetLayer(l)
	return d
}

// change sets a value of a layer's integer column.
func change(d *text.Document, layer, column string, row int, v int32) *text.Document {
	d.Layer(layer).Ints(column)[row] = v
	return d
}

func changeForm(d *text.Document, row int, form string) *text.Document {
	d.Layer("tokens").Strs("form")[row] = form
	return d
}

// docs lists documents; an id such as train:a puts one into a split.
func docs(list ...*text.Document) []*text.Document { return list }

func run(t interface{ Helper() }, o Options, list []*text.Document) *Checker {
	t.Helper()
	c := New(o, len(list))
	for more := true; more; more = c.Next() {
		for _, d := range list {
			split, _, ok := strings.Cut(d.ID, ":")
			if !ok {
				split = ""
			}
			c.Add(d, split)
		}
	}
	return c
}

const long = "The quick brown fox jumps over the lazy dog ."

func span(first, last int32, label string) text.Span {
	return text.Span{Sent: 1, First: first, Last: last, Label: label}
}

func repeat(n int, d func(i int) *text.Document) (out []*text.Document) {
	for i := range n {
		out = append(out, d(i))
	}
	return out
}

// In each case the red documents break the rule as often as said, the green ones never.
var cases = []struct {
	rule       string
	total      int
	red, green []*text.Document
	place      string // of the first finding
	message    string // a part of it
}{
	{"empty-document", 2, docs(raw("a", ""), raw("b", " \n\t")), docs(build("a", "x")), "", "no text"},
	{"no-sentences", 1, docs(raw("a", "x y")), docs(build("a", "x y"), raw("b", " ")), "", "3 bytes"},
	{"no-tokens", 1, docs(raw("a", "x y")), docs(build("a", "x y"), raw("b", "")), "", "3 bytes"},
	{"huge-document", 1, docs(raw("a", strings.Repeat("x", 1<<20+1)), raw("b", "y")),
		docs(raw("a", strings.Repeat("x", 1<<20))), "", "1048577 bytes"},
	{"split-duplicate", 1, docs(build("train:a", long), build("dev:a", long)),
		docs(build("train:a", long), build("train:b", long), build("dev:a", strings.ToLower(long)),
			build("dev:b", "Thanks .")), "", "document train:a in train, this one is in dev"},
	{"split-near-duplicate", 1, docs(build("train:a", long), build("dev:a", strings.ToUpper(long))),
		docs(build("train:a", long), build("dev:a", long)), "", "train:a in train"},
	{"duplicate", 2, docs(build("a", long), build("b", long), build("c", long)),
		docs(build("a", long), build("b", long+" !"), build("train:b", long)), "", "document a"},
	{"near-duplicate", 1, docs(raw("a", "ΑΣ "+long), raw("b", " ας  "+long)), docs(build("a", long), build("b", long)),
		"", "document a"},
	{"invalid-utf8", 1, docs(raw("a", "caf\xe9")), docs(raw("a", "café �")), "char 3", "1 place, first in 'caf�'"},
	{"replacement-character", 1, docs(raw("a", "caf� and na�ve")), docs(raw("a", "café")), "char 3", "2 places"},
	{"mojibake", 7, docs(raw("a", "cafÃ© Ã©tÃ©"), raw("b", "Itâ€™s"), raw("c", "Ð¿Ñ€Ð¸"), raw("d", "ðŸ˜€"),
		raw("e", "Itâ\u0080\u0099s"), raw("f", "iruï¿½ko"), raw("g", "subrayÃ³")),
		docs(raw("a", "Café, ÉTÉ, «CITÉ», «AMANHÃ», Ã, Â"), raw("b", "It’s “it” … ™ € 5 °C"), raw("c", "при ÐÑ"),
			raw("d", "São João à »x« Ä»")), "char 3", "3 places"},
	{"control-character", 3, docs(raw("a", "x\x00y"), raw("b", "x\x1by"), raw("c", "x\u0092y")), docs(raw("a", "x\ty\nz")),
		"char 1", "1 place"},
	{"byte-order-mark", 1, docs(raw("a", "é\ufeffx")), docs(raw("a", "x")), "char 1", ""},
	{"surrogate-escape", 2, docs(raw("a", `hi \ud83d!`), raw("b", `\uDE00`)), docs(raw("a", `\u00e9 \udx80 \u`)),
		"char 3", ""},
	{"character-reference", 3, docs(raw("a", "R&amp;D"), raw("b", "it&#39;s"), raw("c", "&#x27;")),
		docs(raw("a", "R&D; AT&T, &c; &#; a & b;")), "char 1", "'R&amp;D'"},
	{"mixed-script", 2, docs(raw("a", "the c\u043eat"), raw("b", "\u041c\u043esc\u043e\u0432")),
		docs(raw("a", "IT-компания Wi-Fi μm coat")), "char 4", ""},
	{"whitespace", 4, docs(raw("a", "x\u200by"), raw("b", "x\r\ny"), raw("c", "x \u00a0y"), raw("d", "ba\u00adsic")),
		docs(raw("a", "x\u00a0: y\t\nz　")), "char 1", ""},
	{"sentence-order", 3,
		docs(change(build("a", "a b|c"), "sentences", "sent", 1, 3),
			change(build("b", "a b|c"), "sentences", "char_start", 1, 2),
			change(build("c", "a b|c"), "sentences", "char_end", 0, 1)), docs(build("a", "a b|c"), build("b", "a||c")),
		"sentences sent 3", "numbered"},
	{"long-sentence", 1, docs(build("a", "b|"+strings.Repeat("x ", 251))), docs(build("a", strings.Repeat("x ", 250))),
		"sentences sent 2", "251 tokens"},
	{"token-number", 3,
		docs(change(build("a", "a b|c"), "tokens", "tok", 1, 3), change(build("b", "a b|c"), "tokens", "sent", 2, 1<<30),
			change(build("c", "a b|c"), "tokens", "sent", 0, -1)), docs(build("a", "a b||c")), "tokens sent 1, tok 3", ""},
	{"token-offsets", 4,
		docs(change(build("a", "a b"), "tokens", "char_end", 1, 9), change(build("b", "a b"), "tokens", "char_start", 0, -1),
			change(build("c", "a b"), "tokens", "char_end", 0, 0), change(build("d", "é b"), "tokens", "char_end", 0, 1)),
		docs(build("a", "é b")), "tokens sent 1, tok 2", "outside"},
	{"token-overlap", 2,
		docs(change(build("a", "abc def"), "tokens", "char_start", 1, 2),
			change(change(build("b", "a b"), "tokens", "char_start", 1, 0), "tokens", "char_end", 1, 3)),
		docs(build("a", "a b"), change(change(build("b", "a b"), "tokens", "char_start", 1, 0), "tokens", "char_end", 1, 1)),
		"tokens sent 1, tok 2", "'c def'"},
	{"token-gap", 2, docs(change(build("a", "ab cd ef"), "tokens", "char_start", 1, 4),
		change(build("b", "éa cd"), "tokens", "char_end", 1, 5)), docs(build("a", "ab cd")), "char 3",
		"1 stretch of text without tokens, first at 'cd'"},
	{"token-space", 1, docs(changeForm(build("a", "ab cd"), 1, "cd ")), docs(changeForm(build("a", "ab cd"), 1, "c d")),
		"tokens sent 1, tok 2", "'cd '"},
	{"token-form", 1,
		docs(changeForm(build("a", "ab cd"), 1, "c"), changeForm(changeForm(build("b", "ab cd"), 1, "x"), 0, "y")),
		docs(build("a", "ab cd")), "tokens sent 1, tok 2",
		"3 of 4 forms differ from the text, in 2 documents; first here: 'c' for 'cd'"},
	{"span-bounds", 3, docs(change(withSpans(build("a", "a b|c"), span(1, 2, "X")), "entities", "sent", 0, 3),
		change(withSpans(build("b", "a b|c"), span(1, 2, "X")), "entities", "tok_end", 0, 3),
		change(withSpans(build("c", "a b|c"), span(1, 2, "X")), "entities", "char_end", 0, 99)),
		docs(withSpans(build("a", "a b|c"), span(1, 2, "X"))), "entities sent 3, tok 1-2", "2"},
	{"span-empty", 2, docs(change(withSpans(build("a", "a b"), span(2, 2, "X")), "entities", "char_end", 0, 2),
		change(withSpans(build("b", "a b"), span(2, 2, "X")), "entities", "tok_start", 0, 3)),
		docs(withSpans(build("a", "a b"), span(2, 2, "X"))), "entities sent 1, tok 2", ""},
	{"span-offsets", 1, docs(change(withSpans(build("a", "ab cd"), span(1, 2, "X")), "entities", "tok_end", 0, 1)),
		docs(withSpans(build("a", "ab cd"), span(1, 2, "X"))), "entities sent 1, tok 1", "cover 'ab cd', the tokens 'ab'"},
	{"span-inside-token", 1, docs(change(withSpans(build("a", "ab cd"), span(1, 2, "X")), "entities", "char_end", 0, 4)),
		docs(withSpans(build("a", "ab cd"), span(1, 2, "X"))), "entities sent 1, tok 1-2",
		"'ab c' covers a part of the tokens 'ab cd'"},
	{"span-order", 1, docs(withSpans(build("a", "a b"), span(2, 2, "X"), span(1, 1, "X"))),
		docs(withSpans(build("a", "a b"), span(1, 1, "X"), span(2, 2, "X"))), "entities sent 1, tok 1",
		"'a' stands after 'b'"},
	{"span-duplicate", 1, docs(withSpans(build("a", "a b"), span(1, 1, "X"), span(1, 1, "X"))),
		docs(withSpans(build("a", "a b"), span(1, 1, "X"), span(1, 1, "Y"))), "entities sent 1, tok 1", ""},
	{"span-crossing", 1, docs(withSpans(build("a", "a b c"), span(1, 2, "X"), span(2, 3, "X"))),
		docs(withSpans(build("a", "a b c"), span(1, 2, "X"), span(2, 2, "X"), span(3, 3, "X"))), "entities sent 1, tok 2-3",
		"'b c' crosses 'a b'"},
	{"span-nested", 1, docs(withSpans(build("a", "a b c"), span(1, 3, "X"), span(1, 2, "X"), span(2, 2, "X"))),
		docs(withSpans(build("a", "a b c"), span(1, 2, "X"), span(3, 3, "X"))), "entities sent 1, tok 1-2",
		"entities: 2 spans lie within another, in 1 document; first here: 'a b' in 'a b c'"},
	{"span-label", 1, docs(withSpans(build("a", "a b"), span(1, 1, ""))),
		docs(withSpans(build("a", "a b"), span(1, 1, "X"))), "entities sent 1, tok 1", "'a' has no label"},
	{"span-parts", 1, docs(withNote(build("a", "ä b c"), text.PartsRow, "entities 0 1;4 5")),
		docs(withNote(build("a", "a b c"), "T1", "entities 0 1;4 5")), "entities 0 1;4 5", "'ä' and 'c'"},
	{"mention-empty", 1, docs(withNote(build("a", "a b"), text.EmptyRow, "mentions e1")),
		docs(withNote(build("a", "a b"), "", "mentions e1")), "mentions", "'e1' covers no token"},
	{"tree-head", 2, docs(withHeads(build("a", "a b"), 0, 3), withHeads(build("b", "a b"), 0, 2)),
		docs(withHeads(build("a", "a b"), 0, 1)), "dependencies sent 1, tok 2", "head 3"},
	{"tree-incomplete", 1, docs(withHeads(build("a", "a b c"), 0, 1, -1)), docs(withHeads(build("a", "a b c"), 0, 1, 2)),
		"dependencies sent 1, tok 3", "1 of 3"},
	{"tree-no-root", 1, docs(withHeads(build("a", "a b"), 2, 1)), docs(withHeads(build("a", "a b"), 2, 0)),
		"dependencies sent 1", ""},
	{"tree-roots", 1, docs(withHeads(build("a", "a b"), 0, 0)), docs(withHeads(build("a", "a b"), 2, 0)),
		"dependencies sent 1, tok 2", "2 tokens"},
	{"tree-cycle", 1, docs(withHeads(build("a", "a b c d"), 0, 4, 2, 3)),
		docs(withHeads(build("a", "a b c d"), 0, 4, 2, 1)), "dependencies sent 1, tok 2", ""},
	{"tree-label", 1, docs(withHeads(build("a", "a b"), 0, 1), bare(withHeads(build("b", "a b"), 0, 1), 1)),
		docs(bare(withHeads(build("a", "a b"), 0, 1), 0, 1)), "dependencies sent 1, tok 2",
		"1 of 4 arcs have no relation, in 1 document; first here: the arc from 1 to 2"},
	{"tree-crossing", 1, docs(withHeads(build("a", "a b c d"), 3, 0, 2, 1)),
		docs(withHeads(build("a", "a b c d"), 2, 0, 2, 3)), "dependencies sent 1, tok 1",
		"1 of 1 trees have arcs that cross others, 2 arcs"},
	{"phrase-parent", 3, docs(withPhrases(build("a", "a b"), [4]int32{1, 0, 1, 2}, [4]int32{2, 3, 1, 1}),
		withPhrases(build("b", "a b"), [4]int32{1, 1, 1, 2}),
		withPhrases(build("c", "a b"), [4]int32{1, 0, 1, 2}, [4]int32{1, 0, 1, 1})),
		docs(withPhrases(build("a", "a b"), [4]int32{1, 0, 1, 2}, [4]int32{2, 1, 1, 1})), "constituents sent 1, node 2",
		"parent 3"},
	{"phrase-crossing", 1, docs(withPhrases(build("a", "a b c"), [4]int32{1, 0, 1, 2}, [4]int32{2, 1, 2, 3})),
		docs(withPhrases(build("a", "a b c"), [4]int32{1, 0, 1, 3}, [4]int32{2, 1, 2, 3})), "constituents sent 1, node 2",
		"covers tokens 2-3, its parent only 1-2"},
	{"mention-single", 1, docs(withClusters(build("a", "x"), "c1", "c1", "c2"), withClusters(build("b", "x"), "c1")),
		docs(withClusters(build("a", "x"), "c1", "c1", "")), "",
		"2 of 3 clusters have one mention, in 2 documents; first here: cluster 'c2'"},
	{"label-missing-in-train", 1, docs(withLabels(raw("train:a", "x"), "A"), withLabels(raw("dev:a", "x"), "B", "A")),
		docs(withLabels(raw("train:a", "x"), "A", "B"), withLabels(raw("dev:a", "x"), "A")), "labels.label",
		"'B' occurs 1 time, first here in dev"},
	{"label-rare", 1, docs(withLabels(raw("a", "x"), strings.Fields(strings.Repeat("A ", 96)+"B B B B")...)),
		docs(withLabels(raw("a", "x"), strings.Fields(strings.Repeat("A ", 95)+"B B B B B")...),
			withLabels(raw("b", "x"), "A")), "labels.label", "'B' occurs 4 times among 100 labels"},
	{"label-inconsistent", 2,
		append(repeat(8, func(i int) *text.Document {
			return withSpans(build("d", "in New York now"), span(2, 3, "LOC"))
		}), build("odd", "to New York"), withSpans(build("org", "New York"), span(1, 2, "ORG"))),
		append(repeat(4, func(i int) *text.Document {
			return withSpans(build("d", "in New York now"), span(2, 3, "LOC"))
		}), withSpans(build("e", "the New York Times"), span(2, 4, "ORG"))),
		"entities sent 1, tok 2-3",
		"'New York' is unlabelled 1 time, first here, and LOC 8 times, as in document d, sent 1, tok 2-3"},
}

func TestRules(t *testing.T) {
	tested := map[string]bool{Storage: true}
	for _, x := range cases {
		t.Run(x.rule, func(t *testing.T) {
			tested[x.rule] = true
			o := defaults()
			o.Rules = []string{x.rule}
			c := run(t, o, x.red)
			list := c.Findings()
			if c.Total(x.rule) != x.total || len(list) != x.total {
				t.Fatalf("red: %d findings, want %d: %v", c.Total(x.rule), x.total, list)
			}
			f := list[0]
			if f.Place != x.place || !strings.Contains(f.Message, x.message) || f.Document == "" || f.Rule != x.rule ||
				f.Severity != rules[ruleIndex(x.rule)].Severity {
				t.Errorf("%+v, want place %q and in the message %q", f, x.place, x.message)
			}
			if list := run(t, o, x.green).Findings(); len(list) > 0 {
				t.Errorf("green: %v", list)
			}
		})
	}
	for _, r := range rules {
		if !tested[r.Name] {
			t.Errorf("rule %s has no test", r.Name)
		}
	}
}

// TestDetectorsCoverTheRules checks that each rule but storage has one detector.
func TestDetectorsCoverTheRules(t *testing.T) {
	n := map[string]int{Storage: 1}
	for _, d := range detectors {
		for _, r := range strings.Fields(d.rules) {
			n[r]++
		}
	}
	for _, r := range rules {
		if n[r.Name] != 1 {
			t.Errorf("rule %s has %d detectors", r.Name, n[r.Name])
		}
	}
	if len(n) != len(rules) {
		t.Errorf("detectors name %d rules, there are %d", len(n), len(rules))
	}
}
