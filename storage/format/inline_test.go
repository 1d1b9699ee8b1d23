package format

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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
	t.Errorf("line %d differs: %q, want %q", bytes.Count(want[:at], []byte("\n"))+1, near(got, at), near(want, at))
}

func TestInlineRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := suite.Configure(t, "inline", arg("entities", value.Bool(true)), arg("layer", value.Str("entities")))
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			d := &text.Document{ID: fmt.Sprintf("stdin:%d", i+1)}
			var spans []charSpan
			for k := range rapid.IntRange(1, 5).Draw(t, "pieces") {
				if k > 0 && rapid.Bool().Draw(t, "blank") {
					d.Text += " "
				}
				from := len(d.Text)
				d.Text += rapid.StringMatching(`[a-z<>&é]([a-z <>/&;é]{0,5}[a-z<>;é])?`).Draw(t, "text")
				if rapid.Bool().Draw(t, "span") {
					first := from
					if len(spans) > 0 && rapid.Bool().Draw(t, "outer") {
						first = rapid.SampledFrom(spans).Draw(t, "first").start
					}
					spans = append(spans, charSpan{first, len(d.Text), fmt.Sprintf("L%d", len(spans))})
				}
			}
			d.SetLayer(charSpans(d, text.Entities, spans))
			docs = append(docs, d)
		}
		checkDocuments(t, c, docs)
	})
}

func TestInlineAttribute(t *testing.T) {
	c := suite.Configure(t, "inline", arg("attribute", value.Str("type")))
	d := &text.Document{ID: "stdin:1", Text: "Ann, Bo"}
	d.SetLayer(charSpans(d, text.Segments, []charSpan{{0, 3, `a "b" & c`}, {5, 7, "d e"}}))
	file := written(t, c, []*text.Document{d})
	if want := "<span type=\"a &#34;b&#34; &amp; c\"> Ann</span>, <span type=\"d e\"> Bo </span>\n"; file != want {
		t.Errorf("%q", file)
	}
	got, err := readString(c, file, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dumps([]*text.Document{d}), dumps(got.docs)); diff != "" {
		t.Error(diff)
	}
}

func TestInlineRefuses(t *testing.T) {
	spans := func(content string, s ...charSpan) *text.Document {
		d := &text.Document{ID: "d", Text: content}
		d.SetLayer(charSpans(d, text.Segments, s))
		return d
	}
	for _, c := range []struct {
		d    *text.Document
		want string
	}{
		{spans("a\nb"), "document d: its text does not fit into a line; FORMAT jsonl holds any text"},
		{spans("a <b> c"), "document d: its text has <b>, which reads as a tag; WITH (entities = true) writes it"},
		{spans("a", charSpan{0, 1, "x y"}),
			`document d: "x y" is no name of a tag; WITH (attribute = 'label') writes any label`},
		{spans("abc", charSpan{0, 2, "x"}, charSpan{1, 3, "x"}),
			"document d: a span labelled x crosses another of its tag; FORMAT jsonl holds them"},
	} {
		w, err := NewDocumentWriter(suite.Configure(t, "inline"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func FuzzInline(f *testing.F) {
	seeds(f, "<a> b </a>", "<a><b>c</a>d</b>e", "<a", "</a>", "<a/>&amp;", "x <a t='1'>b</a>\n<a> \n</a>", "<a> </a><b>c")
	f.Fuzz(func(t *testing.T, in string) {
		suite.CheckRead(t, in, "inline")
		suite.CheckRead(t, in, "inline", arg("unbalanced", value.Str("text")), arg("document", value.Str("file")))
		suite.CheckRead(t, in, "inline", arg("unbalanced", value.Str("close")), arg("entities", value.Bool(true)))
		suite.CheckRead(t, in, "inline", arg("attribute", value.Str("t")))
	})
}

// References are written as they were read, but for blanks.
func TestReferences(t *testing.T) {
	for _, f := range dataFiles(t, "cite/*.tagged.txt") {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := suite.Configure(t, "inline", arg("unbalanced", value.Str("text")), arg("entities", value.Bool(true)))
			docs := readPlain(t, c, f)
			file := written(t, c, docs)
			again, err := readString(c, file, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range again.docs {
				d.ID = docs[i].ID
			}
			if diff := cmp.Diff(dumps(docs), dumps(again.docs)); diff != "" {
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
