package transitionparser

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var weights = kind.Relation{Name: "weights", Doc: "the heaviest weights, of moves and of labels. Features are " +
	"hashed: each stands for the one that trained its weight most often",
	Columns: []kind.Column{
		{Name: "feature", Type: value.Text, Doc: "template and values"},
		{Name: "label", Type: value.Text, Doc: "shift, left, right, reduce, or the label of an arc"},
		{Name: "weight", Type: value.Float, Doc: "weight"}}}

// heavy is a weight with the name of its feature.
type heavy struct {
	feature, label string
	weight         float64
}

// place is a weight of a table.
type place struct {
	row     uint32
	outcome int
	weight  int
}

// heaviestOf returns the n weights of the largest magnitude, the first of equals.
func heaviestOf(t *table, n int) []place {
	if n == 0 {
		return nil
	}
	var out []place
	order := func(a, b place) int {
		return cmp.Or(cmp.Compare(magnitude(b), magnitude(a)), cmp.Compare(a.row, b.row), cmp.Compare(a.outcome, b.outcome))
	}
	least, width := 0, t.words*lanes
	for i := range len(t.w) * lanes {
		x := place{uint32(i / width), i % width, t.whole(i)}
		if magnitude(x) <= least {
			continue
		}
		if out = append(out, x); len(out) == 2*n {
			slices.SortFunc(out, order)
			out = out[:n]
			least = magnitude(out[n-1])
		}
	}
	slices.SortFunc(out, order)
	return out[:min(n, len(out))]
}

func magnitude(p place) int { return max(p.weight, -p.weight) }

// names counts the features of some rows.
type names struct {
	wanted []uint64 // bits by row
	counts map[uint32]map[string]*int
	buffer []byte
}

// namesOf counts those of the rows of a list, in a table of 2^bits rows.
func namesOf(list []place, bits int) *names {
	n := &names{wanted: make([]uint64, 1+(1<<bits-1)/64), counts: map[uint32]map[string]*int{}}
	for _, p := range list {
		n.wanted[p.row/64] |= 1 << (p.row % 64)
		n.counts[p.row] = map[string]*int{}
	}
	return n
}

// see counts the features of rows that are wanted; name appends the feature of the i-th one.
func (n *names) see(rows []uint32, name func(dst []byte, i int) []byte) {
	for i, r := range rows {
		if n.wanted[r/64]>>(r%64)&1 != 0 {
			n.buffer = name(n.buffer[:0], i)
			n.count(r, n.buffer, 1)
		}
	}
}

func (n *names) count(row uint32, feature []byte, times int) {
	m := n.counts[row]
	c := m[string(feature)]
	if c == nil {
		c = new(int)
		m[string(feature)] = c
	}
	*c += times
}

// merge adds the counts of others of the same rows.
func (n *names) merge(other *names) {
	for row, m := range other.counts {
		for feature, c := range m {
			n.count(row, []byte(feature), *c)
		}
	}
}

// name is the most frequent feature of a row, the first in order of equals.
func (n *names) name(row uint32) string {
	top, count := "", 0
	for s, k := range n.counts[row] {
		if *k > count || *k == count && s < top {
			top, count = s, *k
		}
	}
	return top
}

func encodeHeavy(w *kind.Writer, list []heavy) error {
	var texts []string
	var weights []float64
	for _, h := range list {
		texts, weights = append(texts, h.feature, h.label), append(weights, h.weight)
	}
	if err := w.Strings("heaviest.names", texts); err != nil {
		return err
	}
	return w.Float64s("heaviest.weights", weights)
}

func decodeHeavy(r *kind.Reader) ([]heavy, error) {
	texts, err := r.Strings("heaviest.names")
	if err != nil {
		return nil, err
	}
	weights, err := r.Float64s("heaviest.weights")
	if err != nil {
		return nil, err
	}
	if len(texts) != 2*len(weights) {
		return nil, kind.Corrupt("heaviest.names", "names and weights differ in number")
	}
	var out []heavy
	for i, v := range weights {
		out = append(out, heavy{texts[2*i], texts[2*i+1], v})
	}
	return out, nil
}

// weightRows streams the heaviest weights.
type weightRows struct{ list []heavy }

// Next returns the next batch, nil at the end.
func (r *weightRows) Next(ctx context.Context) (*value.Batch, error) {
	n := min(len(r.list), value.BatchSize)
	if n == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	features, labels, weights := make([]string, n), make([]string, n), make([]float64, n)
	for i, h := range r.list[:n] {
		features[i], labels[i], weights[i] = h.feature, h.label, h.weight
	}
	r.list = r.list[n:]
	return &value.Batch{N: n, Cols: []value.Vec{{Type: value.Text, Strs: features}, {Type: value.Text, Strs: labels},
		{Type: value.Float, Floats: weights}}}, nil
}

// Close ends the stream.
func (r *weightRows) Close() error { return nil }
