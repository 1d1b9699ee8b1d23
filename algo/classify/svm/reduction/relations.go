package reduction

import (
	"context"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// Name is machine k in words: its class, or the classes of a pair.
func (m *Machines) Name(k int, labels []string) string {
	if m.Scheme != Pairwise {
		return labels[k]
	}
	i, j := Pair(k, m.Classes)
	return labels[i] + " against " + labels[j]
}

// Names are the names of all machines.
func (m *Machines) Names(labels []string) []string {
	out := make([]string, m.Scheme.Count(m.Classes))
	for k := range out {
		out[k] = m.Name(k, labels)
	}
	return out
}

// SupportVectors is the relation of the support vectors of machines that are no weights.
var SupportVectors = kind.Relation{Name: "support_vectors",
	Doc: "support vectors of each machine; b stands under vector 0", Columns: []kind.Column{
		{Name: "label", Type: value.Text, Doc: "label of the machine, or both labels of a pair"},
		{Name: "vector", Type: value.Integer, Doc: "support vector, 1-based; machines share them"},
		{Name: "coefficient", Type: value.Float,
			Doc: "what its kernel is multiplied by: above 0 it speaks for the (first) label"},
		{Name: "features", Type: value.Integer, Doc: "number of its features"}}}

// VectorRows opens the relation SupportVectors.
func (m *Machines) VectorRows(labels []string) kind.Rows { return &vectorRows{m: m, labels: labels} }

type vectorRows struct {
	m      *Machines
	labels []string
	k, i   int // next machine, and next row of it: 0 is b
}

// Next returns the next batch, nil at the end.
func (r *vectorRows) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var names []string
	var vector, size []int64
	var coef []float64
	for len(names) < value.BatchSize && r.k < len(r.m.vectors) {
		if !r.m.exists(r.k) {
			r.k++
			continue
		}
		at, coefs := r.m.Vectors(r.k)
		names = append(names, r.m.Name(r.k, r.labels))
		if r.i == 0 {
			vector, coef, size = append(vector, 0), append(coef, r.m.offset[r.k]), append(size, 0)
		} else {
			v := int(at[r.i-1])
			cols, _ := r.m.Pool.Rows().Row(v)
			vector, coef, size = append(vector, int64(v+1)), append(coef, coefs[r.i-1]), append(size, int64(len(cols)))
		}
		if r.i++; r.i > len(at) {
			r.k, r.i = r.k+1, 0
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return &value.Batch{N: len(names),
		Cols: []value.Vec{{Type: value.Text, Strs: names}, {Type: value.Integer, Ints: vector},
			{Type: value.Float, Floats: coef}, {Type: value.Integer, Ints: size}}}, nil
}

// Close does nothing.
func (r *vectorRows) Close() error { return nil }
