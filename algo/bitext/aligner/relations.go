package aligner

import (
	"context"
	"slices"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var argSource = kind.Arg{Name: "source", Type: value.Text, Optional: true, Doc: "source word; all if left out"}

var relations = []kind.Relation{
	{Name: "lexicon", Doc: "a bilingual dictionary: words and what they are translated by, the likeliest first",
		Columns: []kind.Column{
			{Name: "source", Type: value.Text, Doc: "source word, or character, as aligned"},
			{Name: "target", Type: value.Text, Doc: "target word, or character"},
			{Name: "prob", Type: value.Float, Doc: "probability of the target word given the source word"},
			{Name: "backward", Type: value.Float, Doc: "probability of the source word given the target word"},
		}, Args: []kind.Arg{argSource}, Prefix: "source"},
	{Name: "jumps", Doc: "how far links jump from one word to the next one, by hmm",
		Columns: []kind.Column{
			{Name: "direction", Type: value.Text, Doc: "forward: target words come from source words"},
			{Name: "jump", Type: value.Integer,
				Doc: "words from the last link to the next; the ends stand for longer jumps too"},
			{Name: "weight", Type: value.Float, Doc: "how likely the jump is where all jumps are possible; they sum up to 1"},
		}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	switch name {
	case "lexicon":
		words := m.vocabulary[source].Words
		from, to := 0, len(words)
		if len(args) > 0 && !args[0].IsNull() {
			w := args[0].S
			if m.opt.lower {
				w = strings.ToLower(w)
			}
			i, ok := slices.BinarySearch(words, w)
			if from, to = i, i; ok {
				to++
			}
		} else if p := run.Prefix; p != "" {
			from = sort.SearchStrings(words, p)
			to = from + sort.Search(len(words)-from, func(i int) bool { return !strings.HasPrefix(words[from+i], p) })
		}
		return m.lexicon(from, to), nil
	case "jumps":
		if m.opt.model != byHMM {
			return nil, kind.ErrNoRelation
		}
		return m.jumps(), nil
	}
	return nil, kind.ErrNoRelation
}

// lexicon is the rows of source words.
func (m *model) lexicon(from, to int) kind.Rows {
	t := m.table
	return kind.RowsOf(relations[0], func(yield func([]value.Value) bool) {
		for s := from; s < to; s++ {
			var row []int
			for e := int(t.starts[s]); e < int(t.starts[s+1]); e++ {
				row = append(row, e)
			}
			slices.SortStableFunc(row, func(a, b int) int {
				switch {
				case t.prob[0][a] > t.prob[0][b]:
					return -1
				case t.prob[0][a] < t.prob[0][b]:
					return 1
				}
				return 0
			})
			for _, e := range row {
				if !yield([]value.Value{value.Str(m.vocabulary[source].Words[s]),
					value.Str(m.vocabulary[target].Words[t.targets[e]]),
					value.Real(float64(t.prob[0][e])), value.Real(float64(t.prob[1][e]))}) {
					return
				}
			}
		}
	})
}

func (m *model) jumps() kind.Rows {
	return kind.RowsOf(relations[1], func(yield func([]value.Value) bool) {
		for d, name := range []string{byForward, byBackward} {
			for i, w := range m.p.hmm[d].Weight {
				if !yield([]value.Value{value.Str(name), value.Int(int64(i - longestJump)), value.Real(w)}) {
					return
				}
			}
		}
	})
}
