package chain

import (
	"context"
	"slices"
)

// Path is a labelling with its score.
type Path struct {
	Labels []uint16
	Score  float64
}

// NBest returns the n best labellings by falling score, fewer if there are no more. The first is that of
// Viterbi.
func (d *Decoder) NBest(n int) ([]Path, error) {
	d.paths = d.paths[:0]
	if n < 1 {
		return nil, nil
	}
	if d.lattice.n == 0 {
		return append(d.paths, Path{}), nil
	}
	d.fillViterbi()
	if d.nbest.Find(context.Background(), (*fromEnd)(d), n) == 0 {
		return nil, ErrNoPath
	}
	for i := range d.nbest.Len() {
		y := d.nbest.Labels(i, nil)
		slices.Reverse(y)
		d.paths = append(d.paths, Path{y, d.nbest.Score(i)})
	}
	return d.paths, nil
}

// fromEnd is the trellis of a sentence walked from the end, where what Viterbi found is the bound: step k is token
// n−1−k. The score of a prefix has the transition, and not yet the label, of its newest token:
//
//	suffix_n−1 = 0,  suffix_t−1 = suffix_t + s_t[y_t] + w[y_t−1, y_t],  bound_t = best_t[y_t] + suffix_t
type fromEnd Decoder

func (d *fromEnd) Size() (steps, labels int) { return d.lattice.n, d.lattice.labels }

func (d *fromEnd) Prefix(labels []uint16) (suffix float64) {
	l := &d.lattice
	for k := 1; k < len(labels); k++ {
		y := int(labels[k-1])
		suffix += l.scores[(l.n-k)*l.labels+y]
		suffix += d.grammar.trans.at(int(labels[k]), y)
	}
	return suffix
}

func (d *fromEnd) First(out []float64) { copy(out, d.lattice.row(d.viterbi.best, d.lattice.n-1)) }

func (d *fromEnd) Step(step int, last, label uint16, suffix float64, out []float64) float64 {
	l, t := &d.lattice, d.lattice.n-step
	suffix += l.scores[t*l.labels+int(last)]
	d.grammar.trans.column(int(last), out)
	next := suffix + out[label]
	for i, p := range l.row(d.viterbi.best, t-1) {
		out[i] = p + (suffix + out[i])
	}
	return next
}

func (d *fromEnd) Next(step int, last uint16) uint16 {
	return d.viterbi.back[(d.lattice.n-step)*d.lattice.labels+int(last)]
}
