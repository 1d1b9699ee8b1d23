package sparse

import (
	"context"
	"math"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Decisions is the relation of the decision values of a vector.
var Decisions = kind.Relation{Name: "decisions", Doc: "decision values of features", Args: []kind.Arg{
	{Name: "features", Type: value.Text, Doc: "pairs such as 3:0.5 7:1, an index from 1 and a value"}},
	Columns: []kind.Column{
		{Name: "label", Type: value.Text, Doc: "label that positive values speak for"},
		{Name: "against", Type: value.Text, Doc: "the other label of a pair, NULL where a label is against all others"},
		{Name: "value", Type: value.Float, Doc: "decision value"},
		{Name: "prob", Type: value.Float, Doc: "probability of the label; NULL where the model has none, and for pairs"}}}

// Schema tells what is read, written and answered.
func (m *Model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerDocument, Writes: []kind.LayerUse{{Layer: text.Labels.Name}}, Prob: kind.NoProb,
		Relations: []kind.Relation{Decisions}}
	if m.Kernel.Name == "" {
		s.Relations = append(s.Relations, tagger.Weights)
	}
	if m.HasProb() {
		s.Prob = kind.Score
		if m.Kernel.Name == "" || m.ByProb {
			s.Ranked = []string{text.Labels.Name} // elsewhere the most probable label need not be the one with most votes
		}
	}
	return s
}

// Annotate labels documents.
func (m *Model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	var d decision
	order, logs := make([]int, len(m.Labels)), make([]float64, len(m.Labels))
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.read(doc, &d); err != nil {
			return err
		}
		for i, p := range d.prob {
			if logs[i] = math.Log(p); !m.HasProb() {
				logs[i] = math.NaN()
			}
		}
		tagger.ByScore(order, d.prob)
		for i, y := range order {
			if y == d.best { // it stays the first
				copy(order[1:i+1], order[:i])
				order[0] = y
				break
			}
		}
		tagger.LabelDocument(doc, m.Labels, order, logs, run)
	}
	return nil
}

const vectorHint = "the model reads features such as 1:0.5 3:2 in the place of a text, as FORMAT svmlight gives them"

func (m *Model) read(doc *text.Document, d *decision) error {
	if err := d.Parse(doc.Text); err != nil {
		return &kind.Unreadable{Doc: doc.ID, Msg: err.Error(), Hint: vectorHint}
	}
	m.decide(d)
	return nil
}

// Open opens a relation.
func (m *Model) Open(_ context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch {
	case relation == Decisions.Name:
		var d decision
		if !args[0].IsNull() {
			if err := d.Parse(args[0].String()); err != nil {
				return nil, &kind.Unreadable{Msg: err.Error(), Hint: vectorHint}
			}
			m.decide(&d)
		}
		return kind.RowsOf(Decisions, func(yield func([]value.Value) bool) { m.decisions(&d, yield) }), nil
	case relation == tagger.Weights.Name && m.Kernel.Name == "":
		return kind.RowsOf(tagger.Weights, m.weights), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *Model) decisions(d *decision, yield func([]value.Value) bool) {
	i, j := 0, 1
	for n, v := range d.values {
		row := []value.Value{value.Str(m.Labels[i]), {}, value.Real(v), {}}
		if m.Kernel.Name != "" {
			row[1] = value.Str(m.Labels[j])
		} else {
			if j = n; m.Logistic {
				row[3] = value.Real(d.prob[n])
			}
		}
		if !yield(row) {
			return
		}
		if j++; m.Kernel.Name == "" {
			i = n + 1
		} else if j == len(m.Labels) {
			i, j = i+1, i+2
		}
	}
}

// feature is a row of weights as text.
func (m *Model) feature(row int) string {
	if row == m.Features {
		return "bias"
	}
	return strconv.Itoa(row + 1)
}

func (m *Model) weights(yield func([]value.Value) bool) {
	for i, w := range m.Weights {
		row := []value.Value{value.Str(m.feature(i / m.Columns)), value.Str(m.Labels[i%m.Columns]), value.Real(w)}
		if w != 0 && !yield(row) {
			return
		}
	}
}

// Explain compares the best label of each document with the next one, by the weights of linear models.
func (m *Model) Explain(_ context.Context, docs []*text.Document) (out kind.Explanation, err error) {
	if m.Kernel.Name != "" {
		return out, kind.ErrNoExplain
	}
	var d decision
	for _, doc := range docs {
		if err := m.read(doc, &d); err != nil {
			return out, err
		}
		other := 1 - d.best
		if m.Columns > 1 {
			other = -1
			for k, v := range d.values {
				if k != d.best && (other < 0 || v > d.values[other]) {
					other = k
				}
			}
		}
		x := kind.Decision{Doc: doc.ID, Outcome: m.Labels[d.best], RunnerUp: m.Labels[other], Prob: math.NaN()}
		if m.Logistic {
			x.Prob = d.prob[d.best]
		}
		m.contributions(&x, &d, other)
		out.Decisions = append(out.Decisions, x)
	}
	return out, nil
}

// contributions adds the features of the vector with the difference of the weights of two labels; of one column, its
// weight for the first label.
func (m *Model) contributions(x *kind.Decision, d *decision, other int) {
	add := func(row int, v float64) {
		w := m.Weights[row*m.Columns:][:m.Columns]
		diff := w[0]
		switch {
		case m.Columns > 1:
			diff = w[d.best] - w[other]
		case d.best == 1:
			diff = -w[0]
		}
		if diff != 0 {
			x.Margin += v * diff
			x.Contributions = append(x.Contributions, kind.Contribution{Feature: m.feature(row), Value: v, Weight: diff})
		}
	}
	for i, k := range d.Index {
		if int(k) <= m.Features {
			add(int(k)-1, d.Value[i])
		}
	}
	if m.Bias >= 0 {
		add(m.Features, m.Bias)
	}
	x.Sort()
}
