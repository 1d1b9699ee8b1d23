package tuples

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

//go:embed testdata/sentences.tsv
var writtenSentences string

//go:embed testdata/sentences.conllu
var writtenTrees string

// TestWrittenSentences: the order of events, connectives with their types, and negation, in 60 sentences. The pair of
// clauses that is listed is found, once, and not the other way round; of most sentences it is the only one.
func TestWrittenSentences(t *testing.T) {
	trees := parsed(t)
	want := table(writtenSentences)
	if len(trees) != len(want) || len(want) != 60 {
		t.Fatalf("%d trees of %d sentences", len(trees), len(want))
	}
	others := 0
	for i, w := range want {
		got := map[string]bool{}
		for _, r := range listed(t, train(t, kind.Documents{trees[i]}), "clauses", 5) {
			f := strings.Split(r, " ")
			denied := func(verb, not string) string { return map[string]string{"true": "!"}[not] + verb }
			got[strings.Join([]string{denied(f[2], f[3]), f[10], f[11], denied(f[7], f[8])}, " ")] = true
		}
		if !got[strings.Join(w[1:], " ")] {
			t.Errorf("%s: %v, want %v", w[0], got, w[1:])
		}
		if got[strings.Join([]string{w[4], w[2], w[3], w[1]}, " ")] {
			t.Errorf("%s: the events are turned over too", w[0])
		}
		others += len(got) - 1
	}
	if others > 2 {
		t.Errorf("%d further pairs of clauses", others)
	}
}

// parsed is the documents of the trees.
func parsed(t *testing.T) (out []*text.Document) {
	for i, block := range strings.Split(strings.TrimSpace(writtenTrees), "\n\n") {
		var tokens []string
		for line := range strings.Lines(block) {
			f := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if len(f) == 10 {
				if strings.Contains(f[1], "/") || slices.Contains(f, "") {
					t.Fatalf("%q", line)
				}
				tokens = append(tokens, strings.Join([]string{f[1], f[3], f[4], f[6], f[7]}, "/"))
			}
		}
		out = append(out, trees(fmt.Sprint(i), strings.Join(tokens, " ")))
	}
	return out
}
