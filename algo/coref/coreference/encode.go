package coreference

import (
	"parlance/algo/kind"
)

// shape is what is stored besides the weights.
type shape struct {
	Features   [2]string
	Bits       int
	Thresholds [3]float64
	Singletons bool
	Phrases    []phrasePair
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return int64(4 * len(m.trained.weights)) }

// Encode writes features and weights.
func (m *model) Encode(w *kind.Writer) error {
	t := m.trained
	s := shape{Bits: t.bits, Thresholds: t.thresholds, Singletons: t.singletons, Phrases: t.phrases}
	for k, f := range t.features {
		s.Features[k] = f.notation
	}
	if err := w.JSON("shape", s); err != nil {
		return err
	}
	return w.Float32s("weights", t.weights)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var s shape
	if err := r.JSON("shape", &s); err != nil {
		return err
	}
	t := &trained{bits: s.Bits, thresholds: s.Thresholds, singletons: s.Singletons, phrases: s.Phrases}
	var err error
	for k, n := range s.Features {
		if k == 1 && n == s.Features[0] {
			t.features[1] = t.features[0]
		} else if t.features[k], err = compile(n); err != nil {
			return kind.Corrupt("shape", err.Error())
		}
	}
	if t.weights, err = r.Float32s("weights"); err != nil {
		return err
	}
	if s.Bits < 8 || s.Bits > 24 || len(t.weights) != m.opt.tableSize() {
		return kind.Corrupt("weights", "has another number of weights")
	}
	m.trained = t
	return nil
}
