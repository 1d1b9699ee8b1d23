package aligner

import (
	"fmt"
	"math"
	"slices"

	"parlance/algo/bitext"
	"parlance/algo/kind"
)

// shape is the parameters besides words and table.
type shape struct {
	HMM      [2]hmm
	Diagonal [2]diagonal
}

var sideNames = [2]string{"source", "target"}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.table == nil {
		return 0
	}
	n := int64(8*len(m.table.starts) + 12*len(m.table.targets))
	for _, v := range m.vocabulary {
		for _, w := range v.Words {
			n += int64(len(w)) + 72
		}
	}
	return n
}

// Encode writes words, table and parameters.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.JSON("shape", shape{m.p.hmm, m.p.diagonal}); err != nil {
		return err
	}
	for side, v := range m.vocabulary {
		if err := w.Strings("words."+sideNames[side], v.Words); err != nil {
			return err
		}
	}
	t := m.table
	if err := w.Uint64s("starts", t.starts); err != nil {
		return err
	}
	if err := w.Uint32s("targets", t.targets); err != nil {
		return err
	}
	for d := range t.prob {
		if err := w.Float32s(fmt.Sprintf("prob.%d", d), t.prob[d]); err != nil {
			return err
		}
		if err := w.Float32s(fmt.Sprintf("null.%d", d), t.null[d]); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var s shape
	if err := r.JSON("shape", &s); err != nil {
		return err
	}
	m.p = parameters{chain: m.opt.model == byHMM, hmm: s.HMM, diagonal: s.Diagonal}
	if !m.p.sound() {
		return kind.Corrupt("shape", "has a number that is no probability")
	}
	for side := range m.vocabulary {
		section := "words." + sideNames[side]
		words, err := r.Strings(section)
		if err != nil {
			return err
		}
		if !slices.IsSorted(words) {
			return kind.Corrupt(section, "is out of order")
		}
		m.vocabulary[side] = bitext.NewVocabulary(words)
	}
	return m.decodeTable(r)
}

// sound reports whether the numbers are such as training gives.
func (p *parameters) sound() bool {
	for d := range p.hmm {
		for _, w := range p.hmm[d].Weight {
			if !(w >= 1e-12 && w <= 1) {
				return false
			}
		}
		g := p.diagonal[d]
		if h := p.hmm[d].Null; !(h >= 0 && h < 1 && g.Null >= 0 && g.Null < 1 && g.Lambda >= 0 && g.Lambda <= 100) {
			return false
		}
	}
	return true
}

func (m *model) decodeTable(r *kind.Reader) (err error) {
	t := &table{}
	if t.starts, err = r.Uint64s("starts"); err != nil {
		return err
	}
	if t.targets, err = r.Uint32s("targets"); err != nil {
		return err
	}
	sources, targets := len(m.vocabulary[source].Words), len(m.vocabulary[target].Words)
	if len(t.starts) != sources+1 || !slices.IsSorted(t.starts) || t.starts[0] != 0 ||
		t.starts[sources] != uint64(len(t.targets)) {
		return kind.Corrupt("starts", "does not fit the words")
	}
	for s := range sources {
		row := t.targets[t.starts[s]:t.starts[s+1]]
		for i, f := range row {
			if int64(f) >= int64(targets) || i > 0 && f <= row[i-1] {
				return kind.Corrupt("targets", "is out of order")
			}
		}
	}
	for d, words := range [2]int{targets, sources} {
		if t.prob[d], err = probabilities(r, fmt.Sprintf("prob.%d", d), len(t.targets)); err != nil {
			return err
		}
		if t.null[d], err = probabilities(r, fmt.Sprintf("null.%d", d), words); err != nil {
			return err
		}
	}
	m.table = t
	return nil
}

func probabilities(r *kind.Reader, section string, n int) ([]float32, error) {
	p, err := r.Float32s(section)
	if err != nil {
		return nil, err
	}
	if len(p) != n {
		return nil, kind.Corrupt(section, "has a wrong length")
	}
	for _, x := range p {
		if !(x >= 0 && x <= 1) || math.IsNaN(float64(x)) {
			return nil, kind.Corrupt(section, "has a number that is no probability")
		}
	}
	return p, nil
}
