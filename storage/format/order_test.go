package format

import (
	"fmt"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// Ids, places and texts of many chunks are those of the lines, for any number of workers.
func TestOrder(t *testing.T) {
	in := workload("lines", 30_000)
	want := strings.Split(strings.TrimSuffix(in, "\n"), "\n")
	for _, workers := range []int{1, 4} {
		got, err := readString(suite.Configure(t, "lines"), in, workers)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.docs) != len(want) {
			t.Fatalf("%d documents of %d lines", len(got.docs), len(want))
		}
		for i, d := range got.docs {
			if place := fmt.Sprintf("stdin:%d", i+1); d.ID != place || got.places[i] != place || d.Text != want[i] {
				t.Fatalf("%d workers: %s at %s is %q, want %s", workers, d.ID, got.places[i], d.Text, place)
			}
		}
	}
}

// Neighbours of one label stay two spans in every scheme.
func TestSchemes(t *testing.T) {
	b := builder{}
	b.sentence()
	for _, f := range []string{"a", "b", "c", "d", "e"} {
		b.token(f, false)
	}
	d, _ := b.document("stdin:1")
	d.SetLayer(d.SpanLayer(text.Entities,
		[]text.Span{{Sent: 1, First: 1, Last: 2, Label: "X"}, {Sent: 1, First: 3, Last: 3, Label: "X"},
			{Sent: 1, First: 5, Last: 5, Label: "Y"}}))
	for scheme, want := range map[string]string{
		"bio":   "a B-X\nb I-X\nc B-X\nd O\ne B-Y\n\n",
		"iob1":  "a I-X\nb I-X\nc B-X\nd O\ne I-Y\n\n",
		"iobes": "a B-X\nb E-X\nc S-X\nd O\ne S-Y\n\n",
	} {
		c := suite.Configure(t, "conll", arg("scheme", value.Str(scheme)), arg("document", value.Str("sentence")))
		file := written(t, c, []*text.Document{d})
		if diff := cmp.Diff(want, file); diff != "" {
			t.Errorf("%s: %s", scheme, diff)
		}
		got, err := readString(c, file, 1)
		if err != nil {
			t.Fatal(err)
		}
		got.docs[0].DropLayer("words") // how the file was laid out
		if diff := cmp.Diff(dumps([]*text.Document{d}), dumps(got.docs)); diff != "" {
			t.Errorf("%s: %s", scheme, diff)
		}
	}
}
