package crfpp

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kindtest"
	"parlance/algo/seq/crf"
)

// TestWrites: what is written is read again with the same labels and probabilities.
func TestWrites(t *testing.T) {
	m := foreigntest.Must(t, Format(), crf.Kind(), "testdata/model.txt", kindtest.Arg("layer", "upos"))
	var b bytes.Buffer
	if err := write(context.Background(), &b, m); err != nil {
		t.Fatal(err)
	}
	again, err := foreigntest.Model(Format(), crf.Kind(), b.String(), kindtest.Arg("layer", "upos"))
	if err != nil {
		t.Fatal(err)
	}
	labels, prob := foreigntest.Labels(t, m, foreigntest.Documents(t, "testdata/test.txt", "form", "xpos"), "upos")
	l2, p2 := foreigntest.Labels(t, again, foreigntest.Documents(t, "testdata/test.txt", "form", "xpos"), "upos")
	for i := range labels {
		for k := range labels[i] {
			if !slices.Equal(labels[i], l2[i]) || !foreigntest.Near(prob[i][k], p2[i][k], 1e-12) {
				t.Errorf("sentence %d: %v %v, want %v %v", i+1, l2[i], p2[i], labels[i], prob[i])
			}
		}
	}
	var refused *foreign.Refusal
	if err := write(context.Background(), &b, crf.Kind().New()); !errors.As(err, &refused) {
		t.Errorf("a model without weights: %v", err)
	}
}
