package plain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
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
			r := layers.Relation{Label: rapid.SampledFrom([]string{"", "Other", "Cause-Effect(e2,e1)"}).Draw(t, "label"),
				SubjectStart: at[0],
				SubjectEnd:   at[1], ObjectStart: at[2], ObjectEnd: at[3]}
			if rapid.Bool().Draw(t, "turned") {
				r.SubjectStart, r.SubjectEnd, r.ObjectStart, r.ObjectEnd = at[2], at[3], at[0], at[1]
			}
			d.SetLayer(layers.Spans(d, text.Entities,
				[]layers.Span{{Start: r.SubjectStart, End: r.SubjectEnd, Label: "e1"},
					{Start: r.ObjectStart, End: r.ObjectEnd, Label: "e2"}}))
			d.SetLayer(layers.Relations([]layers.Relation{r}))
			if rapid.Bool().Draw(t, "comment") {
				d.Fields = append(d.Fields, text.Field{Name: "comment", Value: value.Str(filled.Draw(t, "comment"))})
			}
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "semeval"), docs)
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
	one := layers.Relation{Label: "X", SubjectStart: 0, SubjectEnd: 1, ObjectStart: 2, ObjectEnd: 3}
	for _, c := range []struct {
		d    *text.Document
		want string
	}{
		{with("a b", nil), "document d: it has neither a relation nor one entity e1 and one e2"},
		{with("a b", layers.Relations([]layers.Relation{one, one})),
			"document d: it has 2 relations, the format holds one; FORMAT jsonl holds any"},
		{with("a\nb", layers.Relations([]layers.Relation{one})),
			"document d: text, relation and comment are one line each; FORMAT jsonl holds any"},
		{with("a b <e1>", layers.Relations([]layers.Relation{one})), "document d: its text has tags of arguments already"},
	} {
		w, err := codec.NewDocumentWriter(suite.Configure(t, "semeval"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func FuzzSemeval(f *testing.F) {
	formattest.Seeds(f, "1\t\"<e1>a</e1> <e2>b</e2>\"\nOther\nComment: c\n\n2\t\"<e2>a</e2> <e1>b</e1>\"\n", "1\t\"",
		"1\t\"<e1><e2></e1></e2>\"\nComment:", "\t\"\n")
	f.Fuzz(func(t *testing.T, in string) { suite.CheckRead(t, in, "semeval") })
}

// Published relations come back byte by byte, but for the blank after the colon of comments.
func TestRelations(t *testing.T) {
	files := append(formattest.DataFiles(t, "relext/*.train.txt"), formattest.DataFiles(t, "relext/*.test.txt")...)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := suite.Configure(t, "semeval")
			want, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			want = regexp.MustCompile(`(?m)^Comment:(\S)`).ReplaceAll(want, []byte("Comment: $1"))
			got := []byte(formattest.Written(t, c, formattest.ReadPlain(t, c, f)))
			checkBytes(t, bytes.TrimRight(got, "\n"), bytes.TrimRight(want, "\n"))
		})
	}
}
