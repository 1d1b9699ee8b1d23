package averaged

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

// leastProb is added to every probability before its logarithm is taken, as fastText does.
const leastProb = 1e-5

// The table of the logistic function: its steps from −limit to limit, 0 and 1 outside.
const (
	sigmoidSteps = 512
	sigmoidLimit = 8
)

// decision is memory for one document after the other.
type decision struct {
	rows
	hidden  []float32
	touched float32   // keeps the compiler from leaving out the pass that fetches
	logs    []float64 // of the labels: logarithm of the probability and leastProb
	order   []int
}

// decide computes the labels' logarithms; false for a text without any row.
func (m *Model) decide(d *decision, text string) bool {
	d.m = m
	d.read(text)
	if len(d.list) == 0 {
		return false
	}
	d.hidden = buffer.Resize(d.hidden, m.Dim)
	clear(d.hidden)
	d.touched = m.Input.fetch(d.list)
	m.Input.addAll(d.list, d.hidden)
	share := float32(1 / float64(len(d.list)))
	for i := range d.hidden {
		d.hidden[i] *= share
	}
	d.logs = buffer.Resize(d.logs, len(m.Labels))
	switch m.Loss {
	case "softmax":
		m.softmax(d)
	case "hs":
		m.tree.walk(m, d)
	default:
		for k := range d.logs {
			d.logs[k] = math.Log(float64(sigmoid(m.Output.dot(k, d.hidden))) + leastProb)
		}
	}
	d.order = buffer.Resize(d.order, len(m.Labels))
	tagger.ByScore(d.order, d.logs)
	return true
}

func (m *Model) softmax(d *decision) {
	hi, sum := math.Inf(-1), 0.0
	for k := range d.logs {
		d.logs[k] = float64(m.Output.dot(k, d.hidden))
		hi = max(hi, d.logs[k])
	}
	for _, v := range d.logs {
		sum += math.Exp(v - hi)
	}
	for k, v := range d.logs {
		d.logs[k] = math.Log(math.Exp(v-hi)/sum + leastProb)
	}
}

// sigmoid looks the logistic function up, at the step below.
func sigmoid(x float32) float32 {
	switch {
	case x < -sigmoidLimit:
		return 0
	case x > sigmoidLimit:
		return 1
	}
	i := int((x + sigmoidLimit) * sigmoidSteps / sigmoidLimit / 2)
	at := float64(i*2*sigmoidLimit)/sigmoidSteps - sigmoidLimit
	return float32(1 / (1 + math.Exp(-at)))
}

// tree is the Huffman tree over labels by their counts.
type tree struct{ left, right []int } // of inner node k, whose number is labels + k

// newTree merges the two rarest nodes again and again; of equally rare ones an inner node comes first. Labels come by
// falling counts.
func newTree(counts []int64) *tree {
	n := len(counts)
	all := make([]int64, 2*n-1)
	copy(all, counts)
	t := &tree{}
	leaf, inner := n-1, n
	for k := n; k < 2*n-1; k++ {
		var pair [2]int
		for i := range pair {
			if leaf >= 0 && (inner >= k || all[leaf] < all[inner]) {
				pair[i] = leaf
				leaf--
			} else {
				pair[i] = inner
				inner++
			}
		}
		t.left, t.right = append(t.left, pair[0]), append(t.right, pair[1])
		all[k] = all[pair[0]] + all[pair[1]]
	}
	return t
}

// walk computes the product of the decisions on the way to each label.
func (t *tree) walk(m *Model, d *decision) {
	n := len(m.Labels)
	logs := make([]float64, 2*n-1) // of nodes, the root last
	for k := 2*n - 2; k >= n; k-- {
		f := 1 / (1 + math.Exp(-float64(m.Output.dot(k-n, d.hidden))))
		logs[t.left[k-n]] = logs[k] + math.Log(1-f+leastProb)
		logs[t.right[k-n]] = logs[k] + math.Log(f+leastProb)
	}
	copy(d.logs, logs)
}

// Schema tells what is read, written and answered.
func (m *Model) Schema() kind.Schema {
	return kind.Schema{Unit: kind.PerDocument, Writes: []kind.LayerUse{{Layer: text.Labels.Name}}, Prob: kind.Score,
		Ranked: []string{text.Labels.Name}}
}

// Annotate labels documents. A text of which the model knows nothing, not even its end, has no label.
func (m *Model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	var d decision
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !m.decide(&d, doc.Text) {
			doc.SetLayer(text.NewLayer(text.Labels))
			continue
		}
		for i, v := range d.logs {
			d.logs[i] = min(0, v) // fastText's own probabilities are up to 1.00001
		}
		tagger.LabelDocument(doc, m.Labels, d.order, d.logs, run)
	}
	return nil
}

// Open has no relations.
func (m *Model) Open(context.Context, string, []value.Value, *kind.Run) (kind.Rows, error) {
	return nil, kind.ErrNoRelation
}

// Explain compares the best label of each document with the next: what each row adds to the difference of their scores.
func (m *Model) Explain(_ context.Context, docs []*text.Document) (out kind.Explanation, err error) {
	if m.Loss == "hs" || len(m.Labels) < 2 {
		return out, kind.ErrNoExplain
	}
	d := decision{rows: rows{named: true}}
	row := make([]float32, m.Dim)
	for _, doc := range docs {
		if !m.decide(&d, doc.Text) {
			continue
		}
		own, other := d.order[0], d.order[1]
		x := kind.Decision{Doc: doc.ID, Outcome: m.Labels[own], RunnerUp: m.Labels[other],
			Prob: min(1, math.Exp(d.logs[own]))}
		sums := map[string]float64{}
		for i, r := range d.list {
			clear(row)
			m.Input.add(r, row)
			diff := float64(m.Output.dot(own, row)) - float64(m.Output.dot(other, row))
			sums[d.names[i]] += diff / float64(len(d.list))
		}
		x.Gather(sums, 0)
		out.Decisions = append(out.Decisions, x)
	}
	return out, nil
}
