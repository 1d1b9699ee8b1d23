package hiddenreranker

import (
	"math"
	"slices"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/parse/boosting"
)

// Encode writes the members, boosting, and the mixtures.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.JSON("mixtures", m.mixtures); err != nil {
		return err
	}
	for i, x := range m.members {
		err := w.Within("member"+strconv.Itoa(i)+".", func(w *kind.Writer) error {
			if err := w.Uint64s("words", hashes(x.singles)); err != nil {
				return err
			}
			if err := w.Uint64s("edges", hashes(x.pairs)); err != nil {
				return err
			}
			theta := make([]float32, len(x.theta))
			for i, t := range x.theta {
				theta[i] = float32(t)
			}
			return w.Float32s("weights", theta)
		})
		if err != nil {
			return err
		}
	}
	if m.boost != nil {
		if err := w.Within("boost.", m.boost.Encode); err != nil {
			return err
		}
	}
	var names []string
	var weights []float64
	for _, d := range m.likes {
		names, weights = append(names, d.Member, d.Value, d.Feature), append(weights, d.Weight)
	}
	if err := w.Strings("values", names); err != nil {
		return err
	}
	return w.Float64s("values.weights", weights)
}

// hashes are those of features by number.
func hashes(numbers map[uint64]int32) []uint64 {
	out := make([]uint64, len(numbers))
	for h, n := range numbers {
		out[n] = h
	}
	return out
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := r.JSON("mixtures", &m.mixtures); err != nil {
		return err
	}
	names := m.scorers()
	same := func(x mixture, set []string) bool { return slices.Equal(x.Names, set) }
	if !slices.EqualFunc(m.mixtures, m.sets(), same) {
		return kind.Corrupt("mixtures", "has scorers that are not those of the members")
	}
	for _, x := range m.mixtures {
		if len(x.Shares) != len(names) || slices.ContainsFunc(x.Shares, func(f float64) bool {
			return math.IsNaN(f) ||
				math.IsInf(f, 0)
		}) {
			return kind.Corrupt("mixtures", "has shares that are not those of the members")
		}
	}
	m.members, m.boost, m.likes = nil, nil, nil
	for _, name := range m.opt.members {
		if name == boosted {
			m.boost = &boosting.Model{}
			if err := m.boost.Decode(r.Within("boost.")); err != nil {
				return err
			}
			continue
		}
		x := m.newMember(name)
		if err := x.decode(r.Within("member" + strconv.Itoa(len(m.members)) + ".")); err != nil {
			return err
		}
		m.members = append(m.members, x)
	}
	if err := m.decodeValues(r); err != nil {
		return err
	}
	return m.ready()
}

func (x *member) decode(r *kind.Reader) error {
	for section, into := range map[string]*map[uint64]int32{"words": &x.singles, "edges": &x.pairs} {
		list, err := r.Uint64s(section)
		if err != nil {
			return err
		}
		if *into = numbered(list); len(*into) != len(list) {
			return kind.Corrupt(section, "has a feature twice")
		}
	}
	theta, err := r.Float32s("weights")
	if err != nil {
		return err
	}
	if len(theta) != x.size() {
		return kind.Corrupt("weights", "are not those of the features")
	}
	x.theta = make([]float64, len(theta))
	for i, t := range theta {
		if x.theta[i] = float64(t); math.IsNaN(x.theta[i]) || math.IsInf(x.theta[i], 0) {
			return kind.Corrupt("weights", "has one that is no number")
		}
	}
	return nil
}

func (m *model) decodeValues(r *kind.Reader) error {
	names, err := r.Strings("values")
	if err != nil {
		return err
	}
	weights, err := r.Float64s("values.weights")
	if err != nil {
		return err
	}
	if len(names) != 3*len(weights) {
		return kind.Corrupt("values", "and their weights are of different lengths")
	}
	for i, w := range weights {
		m.likes = append(m.likes, description{names[3*i], names[3*i+1], names[3*i+2], w})
	}
	return nil
}
