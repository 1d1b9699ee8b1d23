package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"parlance/algo/text"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

func TestSemevalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.StringMatching(`[a-zé<>" ]{0,6}`)
		filled := rapid.StringMatching(`[a-zé]{1,6}`)
		var docs []*text.Document
		for i := range rapid.IntRange(1, 3).Draw(t, "documents") {
			d := &text.Document{ID: fmt.Sprint(i + 1)}
			var at [4]int
			for k := range at {
				draw := piece
				if k%2 == 1 {
					draw = filled
				}
				d.Text += draw.Draw(t, "piece")
				at[k] = len(d.Text)
			}
			d.Text += piece.Draw(t, "piece")
			r := relation{rapid.SampledFrom([]string{"", "Other", "Cause-Effect(e2,e1)"}).Draw(t, "label"), at[0],
				at[1], at[2], at[3]}
			if rapid.Bool().Draw(t, "turned") {
				r.subjectStart, r.subjectEnd, r.objectStart, r.objectEnd = at[2], at[3], at[0], at[1]
			}
			d.SetLayer(charSpans(d, text.Entities,
				[]charSpan{{r.subjectStart, r.subjectEnd, "e1"}, {r.objectStart, r.objectEnd, "e2"}}))
			d.SetLayer(relationLayer([]relation{r}))
			if rapid.Bool().Draw(t, "comment") {
				d.Fields = append(d.Fields, text.Field{Name: "comment", Value: value.Str(filled.Draw(t, "comment"))})
			}
			docs = append(docs, d)
		}
		checkDocuments(t, suite.Configure(t, "semeval"), docs)
	})
}

func TestSemevalRefuses(t *testing.T) {
	with := func(content string, l *text.Layer) *text.Document {
		d := &text.Document{ID: "d", Text: content}
		if l != nil {
			d.SetLayer(l)
		}
		return d
	}
	one := relation{"X", 0, 1, 2, 3}
	for _, c := range []struct {
		d    *text.Document
		want string
	}{
		{with("a b", nil), "document d: it has neither a relation nor one entity e1 and one e2"},
		{with("a b", relationLayer([]relation{one, one})),
			"document d: it has 2 relations, the format holds one; FORMAT jsonl holds any"},
		{with("a\nb", relationLayer([]relation{one})),
			"document d: text, relation and comment are one line each; FORMAT jsonl holds any"},
		{with("a b <e1>", relationLayer([]relation{one})), "document d: its text has tags of arguments already"},
	} {
		w, err := NewDocumentWriter(suite.Configure(t, "semeval"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func FuzzSemeval(f *testing.F) {
	seeds(f, "1\t\"<e1>a</e1> <e2>b</e2>\"\nOther\nComment: c\n\n2\t\"<e2>a</e2> <e1>b</e1>\"\n", "1\t\"",
		"1\t\"<e1><e2></e1></e2>\"\nComment:", "\t\"\n")
	f.Fuzz(func(t *testing.T, in string) { suite.CheckRead(t, in, "semeval") })
}

// Published relations come back byte by byte, but for the blank after the colon of comments.
func TestRelations(t *testing.T) {
	files := append(dataFiles(t, "relext/*.train.txt"), dataFiles(t, "relext/*.test.txt")...)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := suite.Configure(t, "semeval")
			want, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			want = regexp.MustCompile(`(?m)^Comment:(\S)`).ReplaceAll(want, []byte("Comment: $1"))
			got := []byte(written(t, c, readPlain(t, c, f)))
			checkBytes(t, bytes.TrimRight(got, "\n"), bytes.TrimRight(want, "\n"))
		})
	}
}
