package linking

import (
	"fmt"

	"parlance/algo/engine/partition"
)

// None is the antecedent of a mention that is linked to nothing.
const None = -1

// Table is the scores of the pairs of a document: of each mention with the mentions before it, or with the nearest of
// them.
type Table struct {
	first []int32 // by mention: its first candidate
	begin []int   // by mention: where its row begins
	Score []float64
}

// NewTable returns a table of n mentions with scores of 0. Each mention has the nearest antecedents up to limit as
// candidates, 0 stands for all.
func NewTable(n, limit int) *Table {
	t := &Table{}
	t.Reset(n, limit)
	return t
}

// Reset makes the table one of n mentions with scores of 0, in the same memory where there is enough.
func (t *Table) Reset(n, limit int) {
	t.first, t.begin = t.first[:0], t.begin[:0]
	size := 0
	for i := range n {
		from := 0
		if limit > 0 {
			from = max(0, i-limit)
		}
		t.first, t.begin = append(t.first, int32(from)), append(t.begin, size)
		size += i - from
	}
	t.begin = append(t.begin, size)
	if cap(t.Score) < size {
		t.Score = make([]float64, size)
	}
	t.Score = t.Score[:size]
	clear(t.Score)
}

// Len is the number of mentions.
func (t *Table) Len() int { return len(t.first) }

// First is the first candidate of a mention; the candidates are those from it to the mention.
func (t *Table) First(i int) int { return int(t.first[i]) }

// Row is the scores of the candidates of a mention. It may be changed.
func (t *Table) Row(i int) []float64 { return t.Score[t.begin[i]:t.begin[i+1]] }

// Pair is the place of a pair among the scores, of an antecedent that is a candidate.
func (t *Table) Pair(j, i int) int { return t.begin[i] + j - int(t.first[i]) }

// At is the score of a pair, 0 for an antecedent that is no candidate.
func (t *Table) At(j, i int) float64 {
	if j < int(t.first[i]) {
		return 0
	}
	return t.Score[t.Pair(j, i)]
}

// edges are the pairs of the table.
func (t *Table) edges() []partition.Edge {
	out := make([]partition.Edge, 0, len(t.Score))
	for i := range t.Len() {
		for k, w := range t.Row(i) {
			out = append(out, partition.Edge{A: int32(t.First(i) + k), B: int32(i), Weight: w})
		}
	}
	return out
}

// Clusters are the mentions joined by links, numbered from 0 by their first mentions.
func Clusters(antecedents []int32) []int32 {
	labels := make([]int32, len(antecedents))
	next := int32(0)
	for i, a := range antecedents {
		if a == None {
			labels[i] = next
			next++
		} else {
			labels[i] = labels[a]
		}
	}
	return labels
}

// check wants labels for each mention.
func (t *Table) check(labels []int32) {
	if len(labels) != t.Len() {
		panic(fmt.Sprintf("linking: %d labels for %d mentions", len(labels), t.Len()))
	}
}
