package kindtest

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// The toy kinds have each a shape of the contract that taggers and classifiers lack.

func label(d *text.Document, name string, prob bool) {
	l := text.NewLayer(text.Labels)
	l.N = 1
	l.SetStrs("label", []string{name})
	if prob {
		l.Prob = []float64{1}
	}
	d.SetLayer(l)
}

// GroupKind labels each document with the number of documents in its group.
func GroupKind() kind.Kind {
	return kind.Kind{Name: "group_size", Doc: "labels documents with the size of their group", Revision: 1,
		New: func() kind.Model { return &groupSize{} }}
}

type groupSize struct {
	kind.Base
	group string
}

func (m *groupSize) Options(s *option.Set) {
	s.Text(&m.group, "group", "topic", "column of the groups")
}

func (m *groupSize) Schema() kind.Schema {
	return kind.Schema{Unit: kind.PerGroup, Group: m.group,
		Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}, Writes: []kind.LayerUse{{Layer: "labels"}},
		Prob: kind.Marginal}
}

func (m *groupSize) Train(ctx context.Context, _ *kind.Training) error { return ctx.Err() }

func (m *groupSize) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		label(d, fmt.Sprint(len(docs)), r.Prob)
	}
	return ctx.Err()
}

func (m *groupSize) Encode(w *kind.Writer) error { return w.JSON("group", m.group) }

func (m *groupSize) Decode(r *kind.Reader) error { return r.JSON("group", &m.group) }

// CorpusKind labels each document with its place by length in the corpus, the longest being 1.
func CorpusKind() kind.Kind {
	return kind.Kind{Name: "length_rank", Doc: "labels documents with their place by length", Revision: 1,
		New: func() kind.Model { return &lengthRank{} }}
}

type lengthRank struct{ kind.Base }

func (m *lengthRank) Options(*option.Set) {}

func (m *lengthRank) Schema() kind.Schema {
	return kind.Schema{Unit: kind.PerCorpus, Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (m *lengthRank) Train(ctx context.Context, _ *kind.Training) error { return ctx.Err() }

func (m *lengthRank) Annotate(ctx context.Context, docs []*text.Document, _ *kind.Run) error {
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return len(docs[order[i]].Text) > len(docs[order[j]].Text) })
	for place, i := range order {
		label(docs[i], fmt.Sprint(place+1), false)
	}
	return ctx.Err()
}

func (m *lengthRank) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (m *lengthRank) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}

// RelationKind counts words and offers the relation starting(prefix, n).
func RelationKind() kind.Kind {
	return kind.Kind{Name: "word_counts", Doc: "counts words; starting(prefix, n) lists the most frequent with a prefix",
		Revision: 1, New: func() kind.Model { return &wordCounts{} }}
}

type wordCounts struct {
	kind.Base
	words  []string
	counts []uint32
}

func (m *wordCounts) Options(*option.Set) {}

func (m *wordCounts) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Learns: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Relations: []kind.Relation{{Name: "starting", Doc: "the most frequent words with a prefix",
			Columns: []kind.Column{{Name: "word", Type: value.Text}, {Name: "count", Type: value.Integer}},
			Args:    []kind.Arg{{Name: "prefix", Type: value.Text}, {Name: "n", Type: value.Integer, Optional: true}}}}}
}

func (m *wordCounts) Train(ctx context.Context, t *kind.Training) error {
	n := map[string]uint32{}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		if l := d.Layer("tokens"); l != nil {
			for _, f := range l.Strs("form") {
				n[f]++
			}
		}
	}
	if len(n) == 0 {
		return fmt.Errorf("%w: there are no words", kind.ErrNoData)
	}
	m.words, m.counts = nil, nil
	for w := range n {
		m.words = append(m.words, w)
	}
	sort.Slice(m.words, func(i, j int) bool {
		a, b := m.words[i], m.words[j]
		return n[a] > n[b] || n[a] == n[b] && a < b
	})
	for _, w := range m.words {
		m.counts = append(m.counts, n[w])
	}
	return ctx.Err()
}

func (m *wordCounts) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Open lists the words that begin with the first argument, as many as the second says.
func (m *wordCounts) Open(_ context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != "starting" {
		return nil, kind.ErrNoRelation
	}
	limit := len(m.words)
	if !args[1].IsNull() {
		limit = int(args[1].Int())
	}
	var rows [][]value.Value
	for i, w := range m.words {
		if len(rows) < limit && strings.HasPrefix(w, args[0].S) {
			rows = append(rows, []value.Value{value.Str(w), value.Int(int64(m.counts[i]))})
		}
	}
	return &oneBatch{rows}, nil
}

type oneBatch struct{ rows [][]value.Value }

func (o *oneBatch) Next(context.Context) (*value.Batch, error) {
	if len(o.rows) == 0 {
		return nil, nil
	}
	b := value.FromRows([]value.Type{value.Text, value.Integer}, o.rows)
	o.rows = nil
	return b, nil
}

func (o *oneBatch) Close() error { return nil }

func (m *wordCounts) Encode(w *kind.Writer) error {
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	return w.Uint32s("counts", m.counts)
}

func (m *wordCounts) Decode(r *kind.Reader) (err error) {
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.counts, err = r.Uint32s("counts"); err == nil && len(m.counts) != len(m.words) {
		err = kind.Corrupt("counts", "one a word is wanted")
	}
	return err
}

// Count returns how often a word occurs in the training data.
func (m *wordCounts) Count(word string) int {
	for i, w := range m.words {
		if w == word {
			return int(m.counts[i])
		}
	}
	return 0
}

// LookingKind labels each document with the count of its first word in another model.
func LookingKind() kind.Kind {
	return kind.Kind{Name: "first_count", Doc: "labels documents with the count of their first word in a model of counts",
		Revision: 1, New: func() kind.Model { return &firstCount{} }}
}

type firstCount struct {
	kind.Base
	counts string
}

func (m *firstCount) Options(s *option.Set) {
	s.Model(&m.counts, "counts", "", "model that counts words")
}

func (m *firstCount) Schema() kind.Schema {
	s := kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "labels"}}, Prob: kind.Marginal}
	if m.counts != "" {
		s.Resources = []kind.Resource{{Kind: "model", Name: m.counts}}
	}
	return s
}

// counter is what first_count needs of a model.
type counter interface{ Count(word string) int }

func (m *firstCount) counter(res kind.Resources) (counter, error) {
	if m.counts == "" {
		return &wordCounts{}, nil
	}
	found, err := res.Model(m.counts)
	if err != nil {
		return nil, err
	}
	c, ok := found.Model.(counter)
	if !ok {
		return nil, fmt.Errorf("counts: model %s does not count words", found.Label)
	}
	return c, nil
}

func (m *firstCount) Train(ctx context.Context, t *kind.Training) error {
	if _, err := m.counter(t.Resources); err != nil {
		return err
	}
	return ctx.Err()
}

func (m *firstCount) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	c, err := m.counter(r.Resources)
	if err != nil {
		return err
	}
	for _, d := range docs {
		n := 0
		if l := d.Layer("tokens"); l != nil && l.N > 0 {
			n = c.Count(l.Strs("form")[0])
		}
		label(d, fmt.Sprint(n), r.Prob)
	}
	return ctx.Err()
}

func (m *firstCount) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (m *firstCount) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}
