package wikigazetteer

import (
	"fmt"
	"testing"

	"parlance/algo/option"
)

// TestRunsOfTags finds base noun phrases: the longest runs, one after the other, that end with a noun or number.
func TestRunsOfTags(t *testing.T) {
	m := &model{}
	m.Options(&option.Set{})
	for _, c := range []struct {
		tags []string
		want string
	}{
		{nil, "[]"},
		{[]string{"VB"}, "[]"},
		{[]string{"DT", "JJ", "NN", "VB", "NN"}, "[[0 3] [4 5]]"},
		{[]string{"IN", "IN", "NN"}, "[[2 3]]"},
		{[]string{"DT", "JJ"}, "[]"},
		{[]string{"DT", "CD"}, "[[0 2]]"},
		{[]string{"NN", "NN", "DT", "NN"}, "[[0 2] [2 4]]"},
		{[]string{"NN", "POS", "NN"}, "[[0 3]]"},
		{[]string{"NN", "JJ"}, "[[0 1]]"},
	} {
		if got := fmt.Sprint(m.runsOfTags(sentence{tags: c.tags, forms: make([]string, len(c.tags))})); got != c.want {
			t.Errorf("%v: %s, want %s", c.tags, got, c.want)
		}
	}
}
