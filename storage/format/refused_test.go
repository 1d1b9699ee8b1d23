package format

import (
	"bytes"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// What a format cannot hold is refused rather than changed.
func TestRefused(t *testing.T) {
	spaced := layers.Builder{}
	spaced.Sentence()
	spaced.Token("New York", false)
	withBlank, _ := spaced.Document("d")
	two := &text.Document{ID: "d", Text: "one\ntwo"}
	labelled := &text.Document{ID: "d", Text: "x"}
	labelled.SetLayer(layers.Labels("a", "b"))
	for _, c := range []struct {
		format string
		args   []option.Arg
		d      *text.Document
		want   string
	}{
		{"conll", nil, withBlank,
			`document d: "New York" does not fit into a column; WITH (separator = 'tab') allows blanks`},
		{"lines", nil, two, "document d: its text does not fit into a line; FORMAT jsonl holds any text"},
		{"lines", nil, &text.Document{ID: "d"}, "document d: its text does not fit into a line; FORMAT jsonl holds any text"},
		{"lines", []option.Arg{formattest.Arg("label", value.Str("first"))}, &text.Document{ID: "d", Text: "x"},
			"document d has no label"},
		{"lines", []option.Arg{formattest.Arg("label", value.Str("first"))}, labelled,
			"document d: its labels do not fit beside the text; FORMAT jsonl holds any"},
	} {
		w, err := codec.NewDocumentWriter(suite.Configure(t, c.format, c.args...), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.format, err, c.want)
		}
	}
	w, err := codec.NewRowWriter(suite.Configure(t, "gazetteer"), &bytes.Buffer{},
		[]codec.Column{{Name: "phrase", Type: value.Text}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(value.FromRows([]value.Type{value.Text}, [][]value.Value{{value.Str("a\tb")}})); err == nil ||
		err.Error() != `column phrase: "a\tb" does not fit between tabs` {
		t.Error(err)
	}
}
