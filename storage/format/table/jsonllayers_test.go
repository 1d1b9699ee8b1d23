package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// TestJSONLOfEveryLayer reads what it writes of each layer, whatever is NULL.
func TestJSONLOfEveryLayer(t *testing.T) {
	for _, def := range text.Builtin {
		if def == text.Sentences || def == text.Tokens || def.Spans || def == text.Labels {
			continue // these have tests of their own
		}
		t.Run(def.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d, _ := formattest.Tokens(t, "a")
				formattest.AnyLayer(t, d, def)
				formattest.CheckDocuments(t, suite.Configure(t, "jsonl"), []*text.Document{d})
			})
		})
	}
}

// TestJSONLSpansOfTokensInPart keeps spans that cover a part of their tokens, or no token.
func TestJSONLSpansOfTokensInPart(t *testing.T) {
	bd := layers.Builder{}
	bd.Sentence()
	bd.Token("abc", false)
	bd.Token("de", false)
	d, _ := bd.Document("x")
	l := d.SpanLayer(text.Entities, []text.Span{{Sent: 1, First: 1, Last: 1, Label: "A"}, {Sent: 1, First: 1, Last: 2,
		Label: "B"}})
	l.Ints("char_start")[0], l.Strs("text")[0] = 1, "bc"
	l.N++
	for c, v := range []int32{0, 3, 4, 0, 0} {
		l.Cols[c].Ints = append(l.Cols[c].Ints, v)
	}
	l.Cols[5].Strs, l.Cols[6].Strs = append(l.Cols[5].Strs, "C"), append(l.Cols[6].Strs, " ")
	d.SetLayer(l)
	c := suite.Configure(t, "jsonl")
	got, err := formattest.ReadString(c, formattest.Written(t, c, []*text.Document{d}), 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(formattest.Dumps([]*text.Document{d}), formattest.Dumps(got.Docs)); diff != "" {
		t.Error(diff)
	}
}

// TestJSONLLabels reads labels and spans as the field writes them.
func TestJSONLLabels(t *testing.T) {
	for line, want := range map[string]string{
		`"label":"x"`:                 "labels x",
		`"label":["x","y"]`:           "labels x y",
		`"label":1`:                   "labels 1",
		`"label":true,"labels":["x"]`: "labels true x",
		`"label":null`:                "",
		`"cats":{"A":0.9,"B":0.1,"C":true,"D":0.5}`:     "labels A C D",
		`"label":[[0,3,"PER"],[8,11,"PER"]]`:            "entities Ann Bob",
		`"labels":[[0,3,"PER"],[8,11,"PER"]]`:           "entities Ann Bob",
		`"entities":[[0,3,"PER"],[8,11,"PER"]]`:         "entities Ann Bob",
		`"entities":[[0,3,"PER"]],"label":[]`:           "entities Ann",
		`"entities":[{"start":8,"end":11,"label":"P"}]`: "entities Bob",
	} {
		got, err := formattest.ReadString(suite.Configure(t, "jsonl"), `{"id":1,"text":"Ann met Bob.",`+line+"}\n", 1)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		found := ""
		for _, l := range got.Docs[0].Layers {
			if l.N > 0 {
				values := l.Strs("label")
				if l.Def.Spans {
					values = l.Strs("text")
				}
				found += fmt.Sprintf("%s %s", l.Name, strings.Join(values, " "))
			}
		}
		if len(got.Docs[0].Fields) > 0 || found != want {
			t.Errorf("%s: %q and %d fields, want %q", line, found, len(got.Docs[0].Fields), want)
		}
	}
	c := suite.Configure(t, "jsonl", formattest.Arg("label", value.Str("")))
	got, err := formattest.ReadString(c, `{"text":"a","label":"x"}`+"\n", 1)
	if err != nil || got.Docs[0].Field("label").S != "x" {
		t.Errorf("%v: with label = '' the member is no metadata", err)
	}
	c = suite.Configure(t, "jsonl")
	if _, err = formattest.ReadString(c, `{"text":"a","cats":{"x":1},"entities":[{"start":0,"end":1,"label":"P","note":1}]}`+"\n",
		1); err != nil {
		t.Fatal(err)
	}
	want := []string{strangers.One + " (the first at stdin:1)", categories.One + " (the first at stdin:1)"}
	if diff := cmp.Diff(want, codec.Notices(c)); diff != "" {
		t.Error(diff)
	}
}
