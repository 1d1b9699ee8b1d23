package conll

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// nested draws spans of n tokens that nest, in reading order.
func nested(t *rapid.T, n int32, label *rapid.Generator[string]) (out []labelled) {
	var open []int
	for tok := int32(1); tok <= n; tok++ {
		for range rapid.IntRange(0, 2).Draw(t, "open") {
			open = append(open, len(out))
			out = append(out, labelled{label.Draw(t, "label"), tok, n})
		}
		for len(open) > 0 && rapid.Bool().Draw(t, "close") {
			out[open[len(open)-1]].last = tok
			open = open[:len(open)-1]
		}
	}
	return out
}

// drawRoles draws predicates with arguments; the predicate itself is V.
func drawRoles(t *rapid.T, d *text.Document, toks *text.Layer) {
	var rows roleRows
	bounds := d.SentenceTokens()
	for s := int32(1); int(s) < len(bounds); s++ {
		n := bounds[s] - bounds[s-1]
		for p := int32(1); p <= n; p++ {
			if rapid.Bool().Draw(t, "predicate") {
				rows.add(s, p, formattest.Name.Draw(t, "sense"), nested(t, n, rapid.SampledFrom([]string{"A0", "AM-LOC"})))
			}
		}
	}
	rows.set(d, toks)
}

// drawMentions draws mentions of which any may cross, but for those of one cluster.
func drawMentions(t *rapid.T, d *text.Document, toks *text.Layer) {
	var rows layers.Mentions
	bounds := d.SentenceTokens()
	for s := int32(1); int(s) < len(bounds); s++ {
		for _, cluster := range []string{"1", "22"} {
			for _, m := range nested(t, bounds[s]-bounds[s-1], rapid.Just(cluster)) {
				rows.Rows = append(rows.Rows, layers.Mention{Sent: s, First: m.first, Last: m.last, Cluster: cluster})
			}
		}
	}
	rows.Set(d, toks)
}

func TestConll2012RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []*text.Document
		for part, id := range []string{"a/b (c); part 4", "d/1"} {
			d, toks := formattest.Tokens(t, id)
			formattest.Column(t, toks, "lemma", "xpos")
			for _, n := range []string{"lemma", "xpos"} {
				for i, v := range toks.Strs(n) {
					if blankCell(v) {
						toks.Strs(n)[i] = ""
					}
				}
			}
			misc := []string{"", "Sense=1", "Speaker=a\\pb\\\\", "Sense=2|Speaker=x y"}
			toks.SetStrs("misc", rapid.SliceOfN(rapid.SampledFrom(misc), toks.N, toks.N).Draw(t, "misc"))
			d.Fields = append(d.Fields, text.Field{Name: "part", Value: value.Int(int64(part))})
			formattest.DrawTrees(t, d, toks)
			formattest.SpanLayer(t, d, text.Entities)
			drawRoles(t, d, toks)
			drawMentions(t, d, toks)
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "conll2012"), docs)
	})
}

// Layers that do not fit are refused.
func TestConll2012Refused(t *testing.T) {
	document := func(change func(d *text.Document, toks *text.Layer)) *text.Document {
		b := layers.Builder{}
		b.Sentence()
		for i := range 3 {
			b.Token(fmt.Sprint(i), false)
		}
		d, toks := b.Document("d")
		change(d, toks)
		return d
	}
	for want, change := range map[string]func(d *text.Document, toks *text.Layer){
		"document d: the entities of sentence 1 cross": func(d *text.Document, _ *text.Layer) {
			d.SetLayer(d.SpanLayer(text.Entities,
				[]text.Span{{Sent: 1, First: 1, Last: 2, Label: "A"}, {Sent: 1, First: 2, Last: 3, Label: "B"}}))
		},
		"document d: arguments of token 1 of sentence 1 cross": func(d *text.Document, toks *text.Layer) {
			r := roleRows{}
			r.add(1, 1, "", []labelled{{"A0", 1, 2}, {"A1", 2, 3}})
			r.set(d, toks)
		},
		"document d: mentions of a cluster cross in sentence 1, or a cluster's name does not fit": func(d *text.Document,
			toks *text.Layer) {
			m := layers.Mentions{Rows: []layers.Mention{{Sent: 1, First: 1, Last: 2, Cluster: "1", Kind: "", Link: ""},
				{Sent: 1, First: 2, Last: 3, Cluster: "1", Kind: "", Link: ""}}}
			m.Set(d, toks)
		},
		"document d: its mentions name no tokens or no cluster": func(d *text.Document, toks *text.Layer) {
			m := layers.Mentions{Rows: []layers.Mention{{Sent: 1, First: 1, Last: 2, Cluster: "", Kind: "", Link: ""}}}
			m.Set(d, toks)
		},
		`document "#d": its id is no name of this format`: func(d *text.Document, _ *text.Layer) { d.ID = "#d" },
	} {
		w, err := codec.NewDocumentWriter(suite.Configure(t, "conll2012"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(document(change)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// LitBank has as many tokens and mentions as lines and opening brackets.
func TestRealCoreference(t *testing.T) {
	files := formattest.DataFiles(t, "litbank/*.conll")
	tokens, mentions := 0, 0
	opening := regexp.MustCompile(`\(\d`)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			tokens++
			mentions += len(opening.FindAllString(line[strings.LastIndexByte(line, '\t'):], -1))
		}
	}
	docs := suite.CheckSameDocuments(t, "conll2012", files)
	if len(docs) != len(files) || formattest.RowsOf(docs, "tokens") != tokens ||
		formattest.RowsOf(docs, "mentions") != mentions {
		t.Errorf("%d documents with %d tokens and %d mentions, the files have %d, %d, %d", len(docs),
			formattest.RowsOf(docs, "tokens"),
			formattest.RowsOf(docs, "mentions"), len(files), tokens, mentions)
	}
	t.Logf("%d documents, %d tokens, %d mentions", len(docs), tokens, mentions)
}
