package boosting

import (
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/rerank"
)

// stored is what is written as JSON.
type stored struct {
	Base, Start float64
	Pass        int64
	Rounds      int
}

// Encode writes the rounds and the names of their features.
func (m *Model) Encode(w *kind.Writer) error {
	x := &m.Learned
	if err := w.JSON("reranker", stored{x.Base, x.Start, x.Pass, m.Rounds}); err != nil {
		return err
	}
	if err := w.Strings("features", m.Names); err != nil {
		return err
	}
	var features []uint32
	var work []uint64
	var numbers []float64
	for _, s := range x.Steps {
		features, work = append(features, uint32(s.Feature)), append(work, uint64(s.Work))
		numbers = append(numbers, s.Delta, s.Gain, s.Loss)
	}
	if err := w.Uint32s("rounds.features", features); err != nil {
		return err
	}
	if err := w.Uint64s("rounds.work", work); err != nil {
		return err
	}
	return w.Float64s("rounds.numbers", numbers)
}

// Decode reads what Encode wrote.
func (m *Model) Decode(r *kind.Reader) error {
	var x stored
	if err := r.JSON("reranker", &x); err != nil {
		return err
	}
	var err error
	if m.Names, err = r.Strings("features"); err != nil {
		return err
	}
	features, err := r.Uint32s("rounds.features")
	if err != nil {
		return err
	}
	work, err := r.Uint64s("rounds.work")
	if err != nil {
		return err
	}
	numbers, err := r.Float64s("rounds.numbers")
	if err != nil {
		return err
	}
	if len(work) != len(features) || len(numbers) != 3*len(features) || x.Rounds < 0 || x.Rounds > len(features) ||
		!(math.Abs(x.Base) <= 1e6) {
		return kind.Corrupt("rounds.features", "and what is known of the rounds are of different lengths")
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return kind.Corrupt("rounds.numbers", "has one that is no number")
		}
	}
	m.Learned, m.Rounds = rerank.Model{Base: x.Base, Start: x.Start, Pass: x.Pass}, x.Rounds
	for i, k := range features {
		if int64(k) >= int64(len(m.Names)) {
			return kind.Corrupt("rounds.features", "has a feature without a name")
		}
		m.Learned.Steps = append(m.Learned.Steps, rerank.Step{Feature: int32(k), Delta: numbers[3*i], Gain: numbers[3*i+1],
			Loss: numbers[3*i+2], Work: int64(work[i])})
	}
	m.Ready(0)
	return nil
}
