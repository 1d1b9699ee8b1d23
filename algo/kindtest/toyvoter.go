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

// VoterKind labels documents by their words, which vote for the labels of the documents that they were seen in.
func VoterKind() kind.Kind {
	return kind.Kind{Name: "voter", Doc: "labels documents by votes of their words", Revision: 1,
		New: func() kind.Model { return &voter{} }}
}

// voter has, for each word, votes for each label.
type voter struct {
	kind.Base
	rounds        int
	done          int // rounds of training
	words, labels []string
	votes         []uint32 // by word, then label
}

func (m *voter) Options(s *option.Set) {
	s.Int(&m.rounds, "rounds", 4, 1, 100, "how often the documents are counted")
}

var (
	wordVotes = kind.Relation{Name: "votes", Doc: "votes of words", Columns: []kind.Column{
		{Name: "word", Type: value.Text}, {Name: "label", Type: value.Text}, {Name: "votes", Type: value.Integer}}}
	votesOf = kind.Relation{Name: "of", Doc: "votes of a word", Columns: wordVotes.Columns[1:],
		Args: []kind.Arg{{Name: "word", Type: value.Text}}}
)

func (m *voter) Schema() kind.Schema {
	labels := []kind.LayerUse{{Layer: "labels"}}
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}, Learns: labels,
		Writes: labels, Prob: kind.Score,
		Ranked: []string{"labels"}, Relations: []kind.Relation{wordVotes, votesOf}}
}

func (m *voter) Train(ctx context.Context, t *kind.Training) error {
	count := map[[2]string]uint32{}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		toks, gold := d.Layer("tokens"), d.Layer("labels")
		if toks == nil || gold == nil {
			continue
		}
		for _, label := range gold.Strs("label") {
			for _, f := range toks.Strs("form") {
				count[[2]string{f, label}]++
			}
		}
	}
	if len(count) == 0 {
		return fmt.Errorf("%w: no document has a label", kind.ErrNoData)
	}
	for p := range count {
		m.words, m.labels = append(m.words, p[0]), append(m.labels, p[1])
	}
	sort.Strings(m.words)
	sort.Strings(m.labels)
	m.words, m.labels = slices.Compact(m.words), slices.Compact(m.labels)
	m.votes = make([]uint32, len(m.words)*len(m.labels))
	if t.Resume != nil {
		if err := m.Decode(t.Resume); err != nil {
			return err
		}
	}
	for ; m.done < m.rounds; m.done++ {
		if m.done > 0 && t.Save != nil {
			if err := t.Save(m.Encode); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, w := range m.words {
			for k, label := range m.labels {
				m.votes[i*len(m.labels)+k] += count[[2]string{w, label}]
			}
		}
		t.Report(kind.Progress{Step: m.done + 1, Of: m.rounds, Objective: math.NaN(), HeldOut: math.NaN()})
	}
	return nil
}

// row is the votes of a word, nil for an unknown one.
func (m *voter) row(word string) []uint32 {
	i, ok := slices.BinarySearch(m.words, word)
	if !ok {
		return nil
	}
	return m.votes[i*len(m.labels) : (i+1)*len(m.labels)]
}

// order ranks the labels of a document. Each has one vote more than its words give it.
func (m *voter) order(d *text.Document) (order []int, share []float64) {
	share = make([]float64, len(m.labels))
	sum := 0.0
	for k := range share {
		share[k], order = 1, append(order, k)
	}
	if toks := d.Layer("tokens"); toks != nil {
		for _, f := range toks.Strs("form") {
			for k, n := range m.row(f) {
				share[k] += float64(n)
			}
		}
	}
	for _, x := range share {
		sum += x
	}
	for k := range share {
		share[k] /= sum
	}
	sort.SliceStable(order, func(i, j int) bool { return share[order[i]] > share[order[j]] })
	return order, share
}

func (m *voter) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		order, share := m.order(d)
		l := text.NewLayer(text.Labels)
		for i, k := range order[:min(max(1, r.NBest), len(order))] {
			l.N++
			l.SetStrs("label", append(l.Strs("label"), m.labels[k]))
			if r.Prob || r.NBest > 1 {
				l.Prob = append(l.Prob, share[k])
			}
			if r.NBest > 1 {
				l.Rank = append(l.Rank, int32(i+1))
			}
		}
		d.SetLayer(l)
	}
	return ctx.Err()
}

// Explain lists the votes of the words for the label over those for the runner-up.
func (m *voter) Explain(ctx context.Context, docs []*text.Document, _ kind.At, _ *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	for _, d := range docs {
		order, share := m.order(d)
		x := kind.Decision{Doc: d.ID, Outcome: m.labels[order[0]], Prob: share[order[0]]}
		if len(order) > 1 {
			x.RunnerUp = m.labels[order[1]]
			for _, f := range d.Layer("tokens").Strs("form") {
				if row := m.row(f); row != nil {
					w := float64(row[order[0]]) - float64(row[order[1]])
					x.Contributions = append(x.Contributions, kind.Contribution{Feature: f, Value: 1, Weight: w})
					x.Margin += w
				}
			}
		}
		sort.SliceStable(x.Contributions, func(i, j int) bool {
			return math.Abs(x.Contributions[i].Weight) > math.Abs(x.Contributions[j].Weight)
		})
		out.Decisions = append(out.Decisions, x)
	}
	return out, ctx.Err()
}

func (m *voter) Open(_ context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	var rows [][]value.Value
	switch relation {
	case "votes":
		for i, w := range m.words {
			for k, label := range m.labels {
				rows = append(rows, []value.Value{value.Str(w), value.Str(label), value.Int(int64(m.votes[i*len(m.labels)+k]))})
			}
		}
		return kind.RowsOf(wordVotes, slices.Values(rows)), nil
	case "of":
		row := m.row(args[0].S)
		if row == nil {
			return nil, &kind.Unknown{What: "word", Name: args[0].S, Known: m.words}
		}
		for k, n := range row {
			rows = append(rows, []value.Value{value.Str(m.labels[k]), value.Int(int64(n))})
		}
		return kind.RowsOf(votesOf, slices.Values(rows)), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *voter) Encode(w *kind.Writer) error {
	if err := w.JSON("done", m.done); err != nil {
		return err
	}
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	if err := w.Strings("labels", m.labels); err != nil {
		return err
	}
	return w.Uint32s("votes", m.votes)
}

func (m *voter) Decode(r *kind.Reader) (err error) {
	if err = r.JSON("done", &m.done); err != nil {
		return err
	}
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.labels, err = r.Strings("labels"); err != nil {
		return err
	}
	if m.votes, err = r.Uint32s("votes"); err == nil && len(m.votes) != len(m.words)*len(m.labels) {
		err = kind.Corrupt("votes", "one a word and label is wanted")
	}
	return err
}
