package plain

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
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

// checkBytes wants a file as it was.
func checkBytes(t *testing.T, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	t.Errorf("line %d differs: %q, want %q", bytes.Count(want[:at], []byte("\n"))+1, formattest.Near(got, at),
		formattest.Near(want, at))
}

func TestInlineRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "inline", formattest.Arg("entities", value.Bool(true)),
			formattest.Arg("layer", value.Str("entities")))
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			d := &text.Document{ID: fmt.Sprintf("stdin:%d", i+1)}
			var spans []layers.Span
			for k := range rapid.IntRange(1, 5).Draw(t, "pieces") {
				if k > 0 && rapid.Bool().Draw(t, "blank") {
					d.Text += " "
				}
				from := len(d.Text)
				d.Text += rapid.StringMatching(`[a-z<>&é]([a-z <>/&;é]{0,5}[a-z<>;é])?`).Draw(t, "text")
				if rapid.Bool().Draw(t, "span") {
					first := from
					if len(spans) > 0 && rapid.Bool().Draw(t, "outer") {
						first = rapid.SampledFrom(spans).Draw(t, "first").Start
					}
					spans = append(spans, layers.Span{Start: first, End: len(d.Text), Label: fmt.Sprintf("L%d", len(spans))})
				}
			}
			d.SetLayer(layers.Spans(d, text.Entities, spans))
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, c, docs)
	})
}

func TestInlineAttribute(t *testing.T) {
	c := suite.Configure(t, "inline", formattest.Arg("attribute", value.Str("type")))
	d := &text.Document{ID: "stdin:1", Text: "Ann, Bo"}
	d.SetLayer(layers.Spans(d, text.Segments, []layers.Span{{Start: 0, End: 3, Label: `a "b" & c`}, {Start: 5, End: 7, Label: "d e"}}))
	file := formattest.Written(t, c, []*text.Document{d})
	if want := "<span type=\"a &#34;b&#34; &amp; c\"> Ann</span>, <span type=\"d e\"> Bo </span>\n"; file != want {
		t.Errorf("%q", file)
	}
	got, err := formattest.ReadString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(formattest.Dumps([]*text.Document{d}), formattest.Dumps(got.Docs)); diff != "" {
		t.Error(diff)
	}
}

func TestInlineRefuses(t *testing.T) {
	spans := func(content string, s ...layers.Span) *text.Document {
		d := &text.Document{ID: "d", Text: content}
		d.SetLayer(layers.Spans(d, text.Segments, s))
		return d
	}
	for _, c := range []struct {
		d    *text.Document
		want string
	}{
		{spans("a\nb"), "document d: its text does not fit into a line; FORMAT jsonl holds any text"},
		{spans("a <b> c"), "document d: its text has <b>, which reads as a tag; WITH (entities = true) writes it"},
		{spans("a", layers.Span{Start: 0, End: 1, Label: "x y"}),
			`document d: "x y" is no name of a tag; WITH (attribute = 'label') writes any label`},
		{spans("abc", layers.Span{Start: 0, End: 2, Label: "x"}, layers.Span{Start: 1, End: 3, Label: "x"}),
			"document d: a span labelled x crosses another of its tag; FORMAT jsonl holds them"},
	} {
		w, err := codec.NewDocumentWriter(suite.Configure(t, "inline"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func FuzzInline(f *testing.F) {
	formattest.Seeds(f, "<a> b </a>", "<a><b>c</a>d</b>e", "<a", "</a>", "<a/>&amp;", "x <a t='1'>b</a>\n<a> \n</a>",
		"<a> </a><b>c")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "inline")
		suite.CheckRead(t, in, "inline", formattest.Arg("unbalanced", value.Str("text")),
			formattest.Arg("document", value.Str("file")))
		suite.CheckRead(t, in, "inline", formattest.Arg("unbalanced", value.Str("close")),
			formattest.Arg("entities", value.Bool(true)))
		suite.CheckRead(t, in, "inline", formattest.Arg("attribute", value.Str("t")))
	})
}

// References are written as they were read, but for blanks.
func TestReferences(t *testing.T) {
	for _, f := range formattest.DataFiles(t, "cite/*.tagged.txt") {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := suite.Configure(t, "inline", formattest.Arg("unbalanced", value.Str("text")),
				formattest.Arg("entities", value.Bool(true)))
			docs := formattest.ReadPlain(t, c, f)
			file := formattest.Written(t, c, docs)
			again, err := formattest.ReadString(c, file, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range again.Docs {
				d.ID = docs[i].ID
			}
			if diff := cmp.Diff(formattest.Dumps(docs), formattest.Dumps(again.Docs)); diff != "" {
				t.Fatal(diff)
			}
			want, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			plain := func(s string) []byte { return []byte(html.UnescapeString(strings.Join(strings.Fields(s), ""))) }
			checkBytes(t, plain(file), plain(string(want)))
		})
	}
}
