package segmenter

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// manyTags is a sentence for each tag.
func manyTags(n int) (out [][]taggedWord) {
	for i := range n {
		out = append(out, []taggedWord{{strings.Repeat("ab", 1+i%3), fmt.Sprintf("T%d", i)}, {"o", fmt.Sprintf("T%d", i)}})
	}
	return out
}

// TestMostTags: a model of as many tags as there may be is stored and loaded; one more is refused by the training.
func TestMostTags(t *testing.T) {
	epochs := kindtest.Arg("epochs", 1)
	m := fitted(t, documents(manyTags(maxTags)...), epochs)
	stored := map[string][]byte{}
	if err := m.Encode(kind.NewWriter(func(section string, p []byte) error {
		stored[section] = append(stored[section], p...)
		return nil
	})); err != nil {
		t.Fatal(err)
	}
	again, set := &model{}, &option.Set{}
	again.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("layer", "xpos"), epochs}); err != nil {
		t.Fatal(err)
	}
	read := func(section string) ([]byte, error) { return stored[section], nil }
	if err := again.Decode(kind.NewReader(read)); err != nil {
		t.Errorf("%d tags: %v", maxTags, err)
	}

	more, set := &model{}, &option.Set{}
	more.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("layer", "xpos"), epochs}); err != nil {
		t.Fatal(err)
	}
	err := more.Train(context.Background(), &kind.Training{On: documents(manyTags(maxTags + 1)...), Seed: 1, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}})
	if err == nil || !strings.Contains(err.Error(), "more than 250 tags") {
		t.Errorf("%d tags: %v", maxTags+1, err)
	}
}
