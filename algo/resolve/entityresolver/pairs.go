package entityresolver

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"parlance/algo/engine/mcmc"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// pairs lists the pairs of records that are together in the state or in a sample.
func (m *model) pairs(name value.Value) (kind.Rows, error) {
	if !name.IsNull() {
		at := slices.Index(m.ids, name.S)
		if at < 0 {
			return nil, &kind.Unknown{What: "record", Name: name.S, Known: m.ids}
		}
		return kind.RowsOf(pairsRows, func(yield func([]value.Value) bool) {
			for j := range m.ids {
				if j != at && !m.pair(int32(at), int32(j), yield) {
					return
				}
			}
		}), nil
	}
	return kind.RowsOf(pairsRows, func(yield func([]value.Value) bool) {
		// Those that are connected by any state are compared with each other.
		for _, group := range m.connected() {
			for k, i := range group {
				for _, j := range group[k+1:] {
					if !m.pair(i, j, yield) {
						return
					}
				}
			}
		}
	}), nil
}

// pair yields a pair that is together in any state, and reports whether to go on.
func (m *model) pair(i, j int32, yield func([]value.Value) bool) bool {
	n := 0
	for _, s := range m.samples {
		if s[i] == s[j] {
			n++
		}
	}
	same := m.labels[i] == m.labels[j]
	if n == 0 && !same {
		return true
	}
	prob, fault := value.Value{}, value.Value{}
	if len(m.samples) > 0 {
		prob = value.Real(float64(n) / float64(len(m.samples)))
		fault = real(mcmc.Agree(m.byChain(func(k int) float64 {
			if m.samples[k][i] == m.samples[k][j] {
				return 1
			}
			return 0
		})).Error)
	}
	return yield([]value.Value{value.Str(m.ids[i]), value.Str(m.ids[j]), prob, value.Bool(same), fault})
}

// byChain is a quantity of the samples, chain by chain.
func (m *model) byChain(of func(sample int) float64) [][]float64 {
	chains := max(1, m.Info.Chains)
	each := len(m.samples) / chains
	if each == 0 {
		return nil
	}
	out, values := make([][]float64, chains), make([]float64, len(m.samples))
	for k := range values {
		values[k] = of(k)
	}
	for c := range out {
		out[c] = values[c*each : (c+1)*each]
	}
	return out
}

// quantity is what a state is as a whole.
type quantity struct {
	name string
	mcmc.Agreement
}

// quantities are those that convergence tells of: without samples those of the state.
func (m *model) quantities() []quantity {
	if len(m.samples) == 0 {
		return []quantity{{"entities", mcmc.Agreement{Mean: float64(m.entities()), Error: math.NaN(), Rhat: math.NaN()}}}
	}
	out := []quantity{{"entities", mcmc.Agree(m.byChain(func(k int) float64 {
		n := 0
		for i, x := range m.samples[k] {
			if int(x) == i {
				n++
			}
		}
		return float64(n)
	}))}}
	if len(m.Info.Scores) == len(m.samples) {
		out = append(out, quantity{"score", mcmc.Agree(m.byChain(func(k int) float64 { return m.Info.Scores[k] }))})
	}
	return out
}

// agreement tells of the samples in a few words.
func (m *model) agreement() string {
	if len(m.samples) == 0 {
		return ""
	}
	out := ""
	for _, q := range m.quantities() {
		out += fmt.Sprintf("; %s of samples %.1f", q.name, q.Mean)
		if !math.IsNaN(q.Error) {
			out += fmt.Sprintf(" ± %.1f", q.Error)
		}
		if !math.IsNaN(q.Rhat) {
			out += fmt.Sprintf(", R̂ %.3f", q.Rhat)
		}
	}
	return out
}

func (m *model) convergenceRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		chains := max(1, m.Info.Chains)
		for _, q := range m.quantities() {
			if !yield([]value.Value{value.Str(q.name), value.Real(q.Mean), real(q.Error), real(q.Rhat),
				value.Int(int64(chains)), value.Int(int64(len(m.samples) / chains))}) {
				return
			}
		}
	}
}
