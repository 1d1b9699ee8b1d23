package kindtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// TableKind remembers pairs of words with weights and finds the partners of a word.
func TableKind() kind.Kind {
	return kind.Kind{Name: "partners",
		Doc: "remembers pairs of words with weights; of(word) lists partners, the heaviest first", Revision: 1,
		New: func() kind.Model { return &partners{} }}
}

// partners keeps pairs in the order of training.
type partners struct {
	kind.Base
	left, right []string
	weights     []float64
	least       float64
	scale       float64
}

func (m *partners) Options(s *option.Set) {
	s.Float(&m.scale, "scale", 1, 0, 100, "factor of the weights")
	s.Float(&m.least, "least", 0, 0, math.Inf(1), "lighter partners count for nothing").In(option.Predict)
}

var (
	pairColumns = []kind.Column{{Name: "word", Type: value.Text}, {Name: "partner", Type: value.Text},
		{Name: "weight", Type: value.Float, Optional: true}}
	pairTable = kind.TableUse{Name: "pairs", Columns: pairColumns,
		Doc: "pairs of words; the weight is 1 where it is NULL"}
	otherTable = kind.TableUse{Name: "others", Columns: pairColumns[:2], Optional: true, Doc: "further pairs of weight 1"}
)

func (m *partners) Schema() kind.Schema {
	return kind.Schema{Tables: []kind.TableUse{pairTable, otherTable}, Scores: []kind.TableUse{pairTable},
		Roles: []kind.Role{{Name: kind.Known, Doc: "further pairs", Tables: []kind.TableUse{pairTable, otherTable},
			Optional: true, Train: true, Evaluate: true}},
		Relations: []kind.Relation{
			{Name: "pairs", Doc: "all pairs", Columns: pairColumns},
			{Name: "of", Doc: "partners of a word, the heaviest first", Columns: pairColumns[1:],
				Args: []kind.Arg{{Name: "word", Type: value.Text}, {Name: "least", Type: value.Float, Optional: true}}}}}
}

// eachPair reads the tables of an input.
func eachPair(ctx context.Context, in kind.Input, use func(word, partner string, weight float64)) error {
	for _, name := range []string{"pairs", "others"} {
		t, ok := in.Table(name)
		if !ok {
			continue
		}
		n := 0
		for row, err := range t.Rows(ctx) {
			if err != nil {
				return err
			}
			n++
			w := 1.0
			if len(row) > 2 && !row[2].IsNull() {
				w = row[2].Float()
			}
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return fmt.Errorf("row %d of %s: the weight is %v", n, name, w)
			}
			use(row[0].S, row[1].S, w)
		}
	}
	return nil
}

func (m *partners) Train(ctx context.Context, t *kind.Training) error {
	add := func(word, partner string, weight float64) {
		m.left, m.right, m.weights = append(m.left, word), append(m.right, partner), append(m.weights, weight*m.scale)
	}
	if err := eachPair(ctx, t.On, add); err != nil {
		return err
	}
	if known := t.Roles["known"]; known != nil {
		if err := eachPair(ctx, known, add); err != nil {
			return err
		}
	}
	if len(m.left) == 0 {
		return fmt.Errorf("%w: there are no pairs", kind.ErrNoData)
	}
	return ctx.Err()
}

func (m *partners) Annotate(context.Context, []*text.Document, *kind.Run) error { return nil }

func (m *partners) has(word, partner string) bool {
	for i := range m.left {
		if m.left[i] == word && m.right[i] == partner && m.weights[i] >= m.least {
			return true
		}
	}
	return false
}

// Open lists pairs.
func (m *partners) Open(_ context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	var rows [][]value.Value
	rels := m.Schema().Relations
	switch relation {
	case "pairs":
		for i := range m.left {
			rows = append(rows, []value.Value{value.Str(m.left[i]), value.Str(m.right[i]), value.Real(m.weights[i])})
		}
		return kind.RowsOf(rels[0], slices.Values(rows)), nil
	case "of":
		least := m.least
		if !args[1].IsNull() {
			least = args[1].Float()
		}
		if !slices.Contains(m.left, args[0].S) {
			return nil, &kind.Unknown{What: "word", Name: args[0].S, Known: m.left}
		}
		for i := range m.left {
			if m.left[i] == args[0].S && m.weights[i] >= least {
				rows = append(rows, []value.Value{value.Str(m.right[i]), value.Real(m.weights[i])})
			}
		}
		slices.SortStableFunc(rows, func(a, b []value.Value) int {
			switch x, y := a[1].Float(), b[1].Float(); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return strings.Compare(a[0].S, b[0].S)
		})
		return kind.RowsOf(rels[1], slices.Values(rows)), nil
	}
	return nil, kind.ErrNoRelation
}

// Evaluate counts the pairs that are remembered; those of the role known are left out.
func (m *partners) Evaluate(ctx context.Context, in kind.Input, r *kind.Run) ([]metrics.Metric, error) {
	known := map[[2]string]bool{}
	if k := r.Roles["known"]; k != nil {
		if err := eachPair(ctx, k,
			func(word, partner string, _ float64) { known[[2]string{word, partner}] = true }); err != nil {
			return nil, err
		}
	}
	out := metrics.Metric{Name: "recall", Label: metrics.All}
	err := eachPair(ctx, in, func(word, partner string, _ float64) {
		if known[[2]string{word, partner}] {
			return
		}
		right := float32(0)
		if m.has(word, partner) {
			right = 1
		}
		out.Units.Add(right, 1)
		out.Support++
	})
	return []metrics.Metric{out}, err
}

// Explain tells the weight of a pair: of(word) against its second partner.
func (m *partners) Explain(_ context.Context, _ []*text.Document, at kind.At, r *kind.Run) (kind.Explanation, error) {
	if at.Relation != "of" {
		return kind.Explanation{}, kind.ErrNoExplain
	}
	rows, err := m.Open(context.Background(), at.Relation, at.Args, r)
	if err != nil {
		return kind.Explanation{}, err
	}
	b, err := rows.Next(context.Background())
	if b == nil || err != nil {
		return kind.Explanation{}, err
	}
	first := b.Row(nil, 0)
	d := kind.Decision{Form: at.Args[0].S, Outcome: first[0].S, Prob: 1, Margin: first[1].Float()}
	d.Contributions = []kind.Contribution{{Feature: "pair", Value: 1, Weight: d.Margin}}
	return kind.Explanation{Decisions: []kind.Decision{d}}, rows.Close()
}

func (m *partners) Encode(w *kind.Writer) error {
	if err := w.Strings("left", m.left); err != nil {
		return err
	}
	if err := w.Strings("right", m.right); err != nil {
		return err
	}
	return w.Float64s("weights", m.weights)
}

func (m *partners) Decode(r *kind.Reader) (err error) {
	if m.left, err = r.Strings("left"); err != nil {
		return err
	}
	if m.right, err = r.Strings("right"); err != nil {
		return err
	}
	if m.weights, err = r.Float64s("weights"); err == nil &&
		(len(m.weights) != len(m.left) || len(m.right) != len(m.left)) {
		err = kind.Corrupt("weights", "one a pair is wanted")
	}
	return err
}
