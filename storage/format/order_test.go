package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/algo/text"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// Ids, places and texts of many chunks are those of the lines, for any number of workers.
func TestOrder(t *testing.T) {
	in := formattest.Workload("lines", 30_000)
	want := strings.Split(strings.TrimSuffix(in, "\n"), "\n")
	for _, workers := range []int{1, 4} {
		got, err := formattest.ReadString(suite.Configure(t, "lines"), in, workers)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Docs) != len(want) {
			t.Fatalf("%d documents of %d lines", len(got.Docs), len(want))
		}
		for i, d := range got.Docs {
			if place := fmt.Sprintf("stdin:%d", i+1); d.ID != place || got.Places[i] != place || d.Text != want[i] {
				t.Fatalf("%d workers: %s at %s is %q, want %s", workers, d.ID, got.Places[i], d.Text, place)
			}
		}
	}
}

// Neighbours of one label stay two spans in every scheme.
func TestSchemes(t *testing.T) {
	b := layers.Builder{}
	b.Sentence()
	for _, f := range []string{"a", "b", "c", "d", "e"} {
		b.Token(f, false)
	}
	d, _ := b.Document("stdin:1")
	d.SetLayer(d.SpanLayer(text.Entities,
		[]text.Span{{Sent: 1, First: 1, Last: 2, Label: "X"}, {Sent: 1, First: 3, Last: 3, Label: "X"},
			{Sent: 1, First: 5, Last: 5, Label: "Y"}}))
	for scheme, want := range map[string]string{
		"bio":   "a B-X\nb I-X\nc B-X\nd O\ne B-Y\n\n",
		"iob1":  "a I-X\nb I-X\nc B-X\nd O\ne I-Y\n\n",
		"iobes": "a B-X\nb E-X\nc S-X\nd O\ne S-Y\n\n",
	} {
		c := suite.Configure(t, "conll", formattest.Arg("scheme", value.Str(scheme)),
			formattest.Arg("document", value.Str("sentence")))
		file := formattest.Written(t, c, []*text.Document{d})
		if diff := cmp.Diff(want, file); diff != "" {
			t.Errorf("%s: %s", scheme, diff)
		}
		got, err := formattest.ReadString(c, file, 1)
		if err != nil {
			t.Fatal(err)
		}
		got.Docs[0].DropLayer("words") // how the file was laid out
		if diff := cmp.Diff(formattest.Dumps([]*text.Document{d}), formattest.Dumps(got.Docs)); diff != "" {
			t.Errorf("%s: %s", scheme, diff)
		}
	}
}
