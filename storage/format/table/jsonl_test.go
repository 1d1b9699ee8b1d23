package table

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// TestNamesWithNUL refuses members whose names no column can have, at any depth and in rows too.
func TestNamesWithNUL(t *testing.T) {
	for _, line := range []string{
		`{"id": "a", "text": "x", "y\u0000": 1}`,
		`{"id": "a", "text": "x", "y": [{"z\u0000": 1}]}`,
		`{"id": "a", "text": "x", "y": "z\u0000"}`,
	} {
		src := func() *codec.Sources {
			s, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(line+"\n"), "utf-8")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		c := suite.Configure(t, "jsonl")
		err := codec.ReadRows(context.Background(), c, src(), []codec.Column{{Name: "text", Type: value.Text}},
			func([][]value.Value, []string) error {
				return nil
			})
		if err == nil || !strings.Contains(err.Error(), "stdin:1: no JSON object: ") {
			t.Errorf("rows of %s: %v", line, err)
		}
		err = codec.ReadDocuments(context.Background(), c, src(), 1, func([]*text.Document, []string) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "stdin:1: no JSON object: ") {
			t.Errorf("documents of %s: %v", line, err)
		}
	}
}

func TestJSONLRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			var d *text.Document
			id := fmt.Sprintf("%s%d", formattest.AnyText.Draw(t, "id"), i)
			if rapid.Bool().Draw(t, "tokens") {
				var toks *text.Layer
				d, toks = formattest.Tokens(t, id)
				formattest.Column(t, toks, "lemma", "upos", "xpos", "feats", "misc")
				formattest.SpanLayer(t, d, text.Entities)
				formattest.SpanLayer(t, d, text.Segments)
				formattest.Arcs(t, d, toks)
			} else {
				d = &text.Document{ID: id, Text: formattest.AnyText.Draw(t, "text")}
				looseSpans(t, d)
			}
			if rapid.Bool().Draw(t, "labelled") {
				d.SetLayer(layers.Labels(rapid.SliceOfN(formattest.Name, 1, 3).Draw(t, "labels")...))
			}
			formattest.Metadata(t, d)
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "jsonl"), docs)
	})
}

// looseSpans draws spans of a text without tokens.
func looseSpans(t *rapid.T, d *text.Document) {
	var at []int32
	for i := range d.Text {
		at = append(at, int32(i))
	}
	at = append(at, int32(len(d.Text)))
	l := text.NewLayer(text.Entities)
	var texts, names []string
	for from := 0; from < len(at); {
		to := rapid.IntRange(from, len(at)-1).Draw(t, "end")
		l.Cols[1].Ints, l.Cols[2].Ints = append(l.Cols[1].Ints, at[from]), append(l.Cols[2].Ints, at[to])
		texts, names = append(texts, d.Text[at[from]:at[to]]), append(names, formattest.Name.Draw(t, "label"))
		l.N++
		from = to + 1
	}
	l.SetStrs("label", names)
	l.SetStrs("text", texts)
	d.SetLayer(l)
}

func TestJSONLRowsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		formattest.CheckRows(t, suite.Configure(t, "jsonl"), formattest.RowColumns,
			formattest.DrawRows(t, formattest.RowColumns, formattest.AnyText))
	})
}
