package subtreerules

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/bitext"
	"parlance/algo/kind"
	"parlance/storage/value"
)

var relations = []kind.Relation{
	{Name: "rules", Doc: "rules by type, the most frequent first", Columns: []kind.Column{
		{Name: "type", Type: value.Text, Doc: "words of both sides: 2to2, 2to3, 3to3, 3to2"},
		{Name: "rule", Type: value.Text,
			Doc: "source side => target side: words in the order of the sentence, each with the place of its head, 0 " +
				"for the root. N, V: any noun, any verb; W_i: what word i is linked to; others with their tag"},
		{Name: "count", Type: value.Integer, Doc: "occurrences in the training data"}}},
	{Name: "subtrees", Doc: "pairs of subtrees by part, the most frequent first", Columns: []kind.Column{
		{Name: "part", Type: value.Text,
			Doc: "22: an arc whose images are an arc; 23: one whose images are the ends of a chain of three; " +
				"33s: adjacent siblings; 33c: a chain of three"},
		{Name: "source", Type: value.Text, Doc: "words of the source with the places of their heads"},
		{Name: "target", Type: value.Text, Doc: "words of the target with the places of their heads"},
		{Name: "count", Type: value.Integer, Doc: "occurrences in the training data"},
		{Name: "set", Type: value.Text, Doc: "HF, MF or LF: of high, middle or low frequency among those of the part"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case "rules":
		return kind.RowsOf(relations[0], func(yield func([]value.Value) bool) {
			for t, list := range m.rules {
				for _, r := range list {
					if !yield([]value.Value{value.Str(bitext.RuleType(t).String()), value.Str(shown(r.left, r.Right)),
						value.Int(int64(r.Count))}) {
						return
					}
				}
			}
		}), nil
	case "subtrees":
		return kind.RowsOf(relations[1], func(yield func([]value.Value) bool) {
			for p := range m.pairs {
				for i := range m.pairs[p].keys {
					if !yield(m.row(bitext.Part(p), i)) {
						return
					}
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

// row is pair i of a part.
func (m *model) row(p bitext.Part, i int) []value.Value {
	list := &m.pairs[p]
	_, s, t, so, to := unpack(list.keys[i])
	heads := [3]int{-1, 0, 1} // of words as they stand in the key: the head, its dependent, and a third
	sourceHeads, targetHeads := heads, heads
	switch p {
	case bitext.Siblings:
		sourceHeads[2], targetHeads[2] = 0, 0
	case bitext.ArcToChain: // the third word is between
		targetHeads = [3]int{-1, 2, 0}
	}
	return []value.Value{value.Str(p.String()), value.Str(m.subtree(0, s, sourceHeads, so)),
		value.Str(m.subtree(1, t, targetHeads, to)),
		value.Int(int64(list.counts[i])), value.Str(list.set(i).String())}
}

// subtree writes two or three words in the order of their sentence.
func (m *model) subtree(side int, ids [3]uint32, heads [3]int, order uint8) string {
	after := func(bit int) bool { return order&(1<<bit) != 0 }
	n := 3
	if ids[2] == 0 {
		n = 2
	}
	less := func(a, b int) bool { // whether word a stands before word b
		switch {
		case a > b:
			a, b = b, a
			return !after([3]int{0, 2, 1}[a+b-1])
		default:
			return after([3]int{0, 2, 1}[a+b-1])
		}
	}
	words := []int{0, 1, 2}[:n]
	slices.SortFunc(words, func(a, b int) int {
		if less(a, b) {
			return -1
		}
		return 1
	})
	var parts []string
	for _, w := range words {
		head := 0
		if heads[w] >= 0 {
			head = 1 + slices.Index(words, heads[w])
		}
		parts = append(parts, m.words[side].Words[ids[w]]+":"+strconv.Itoa(head))
	}
	return strings.Join(parts, "-")
}
