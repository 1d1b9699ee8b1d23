package kindtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// RelationKind is a kind for tests, neighbours: it counts which word follows which and
// answers by relations alone: vocabulary, and neighbours(word, k), the k most frequent
// words after a word (all, if k is left out).
func RelationKind() kind.Kind {
	return kind.Kind{Name: "neighbours", Revision: 1, Doc: "counts neighbouring words", New: func() kind.Model { return &neighbours{} }}
}

// follower is a word with the number of times it follows another.
type follower struct {
	Word  string
	Count int64
}

type neighbours struct {
	kind.Base
	minCount int
	words    []string              // by first occurrence
	after    map[string][]follower // by falling count, then by word
}

// Options declares the option min_count.
func (m *neighbours) Options(s *option.Set) {
	s.Int(&m.minCount, "min_count", 1, 1, math.MaxInt32, "rarer pairs are dropped")
}

var neighbourRelations = []kind.Relation{
	{Name: "neighbours", Doc: "words after a word, the most frequent first",
		Columns: []kind.Column{{Name: "word", Type: value.Text, Doc: "word"}, {Name: "next", Type: value.Text, Doc: "word after it"}, {Name: "count", Type: value.Integer, Doc: "how often"}},
		Args:    []kind.Arg{{Name: "word", Type: value.Text, Doc: "word"}, {Name: "k", Type: value.Integer, Optional: true, Doc: "number of rows"}}},
	{Name: "vocabulary", Doc: "words by first occurrence", Columns: []kind.Column{{Name: "word", Type: value.Text, Doc: "word"}, {Name: "followers", Type: value.Integer, Doc: "different words after it"}}},
}

// Schema tells that forms are read and relations answered.
func (m *neighbours) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}}, Relations: neighbourRelations}
}

// Train counts pairs of neighbours.
func (m *neighbours) Train(ctx context.Context, t *kind.Training) error {
	if t.Init != nil {
		return fmt.Errorf("counts start from nothing")
	}
	counts, seen := map[[2]string]int64{}, map[string]bool{}
	m.after = map[string][]follower{}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		l := d.Layer(text.Tokens.Name)
		if l == nil {
			continue
		}
		forms, sent := l.Strs("form"), l.Ints("sent")
		for i, f := range forms {
			if !seen[f] {
				seen[f], m.words = true, append(m.words, f)
			}
			if i > 0 && sent[i-1] == sent[i] {
				counts[[2]string{forms[i-1], f}]++
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(m.words) == 0 {
		return fmt.Errorf("%w: there are no tokens", kind.ErrNoData)
	}
	for pair, n := range counts {
		if n >= int64(m.minCount) {
			m.after[pair[0]] = append(m.after[pair[0]], follower{pair[1], n})
		}
	}
	for _, list := range m.after {
		sort.Slice(list, func(i, j int) bool {
			return list[i].Count > list[j].Count || list[i].Count == list[j].Count && list[i].Word < list[j].Word
		})
	}
	t.Report(kind.Progress{Step: 1, Of: 1, HeldOut: math.NaN(), Note: fmt.Sprintf("%d words", len(m.words))})
	return nil
}

// Annotate writes nothing.
func (m *neighbours) Annotate(_ context.Context, _ []*text.Document, _ *kind.Run) error { return nil }

// Open answers from the counts.
func (m *neighbours) Open(_ context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	var rows [][]value.Value
	switch relation {
	case "neighbours":
		if len(args) != 2 || args[0].T != value.Text {
			return nil, fmt.Errorf("neighbours takes a word and a number, or NULL")
		}
		list := m.after[args[0].S]
		if !args[1].IsNull() {
			list = list[:min(int64(len(list)), max(0, args[1].Int()))]
		}
		for _, f := range list {
			rows = append(rows, []value.Value{args[0], value.Str(f.Word), value.Int(f.Count)})
		}
	case "vocabulary":
		for _, w := range m.words {
			rows = append(rows, []value.Value{value.Str(w), value.Int(int64(len(m.after[w])))})
		}
	default:
		return nil, kind.ErrNoRelation
	}
	i := slices.IndexFunc(neighbourRelations, func(r kind.Relation) bool { return r.Name == relation })
	var types []value.Type
	for _, c := range neighbourRelations[i].Columns {
		types = append(types, c.Type)
	}
	return &listed{types, rows}, nil
}

// Encode writes words and counts.
func (m *neighbours) Encode(w *kind.Writer) error {
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	return w.JSON("after", m.after)
}

// Decode reads what Encode wrote.
func (m *neighbours) Decode(r *kind.Reader) (err error) {
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	return r.JSON("after", &m.after)
}

// listed streams rows that are in memory.
type listed struct {
	types []value.Type
	rows  [][]value.Value
}

// Next returns the next batch.
func (l *listed) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil || len(l.rows) == 0 {
		return nil, err
	}
	n := min(len(l.rows), value.BatchSize)
	b := value.FromRows(l.types, l.rows[:n])
	l.rows = l.rows[n:]
	return b, nil
}

// Close has nothing to end.
func (l *listed) Close() error { return nil }
