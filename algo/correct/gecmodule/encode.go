package gecmodule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
)

// stored is what is kept but the weights of features.
type stored struct {
	Lists   lists
	Prior   []priorRow
	Scale   float64
	Combine []float64
	Ranker  *ranker `json:",omitempty"`
	Pairs   []pairRow
	Tuned   float64
	Ignored [][2]string
	Trained results
}

// pairRow is the weight of a pair of labels.
type pairRow struct {
	Source, Label string
	Weight        float64
}

// Encode writes the model.
func (m *model) Encode(w *kind.Writer) error {
	s := stored{m.lists, m.prior.rows(m.labelsOf), m.scale, m.combine, m.ranker, nil, m.tuned, nil, m.trained}
	for p, v := range m.pairs {
		s.Pairs = append(s.Pairs, pairRow{m.labelsOf[p[0]], m.labelsOf[p[1]], v})
	}
	slices.SortFunc(s.Pairs, func(a, b pairRow) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Label, b.Label))
	})
	s.Ignored = m.sortedIgnored()
	if err := w.JSON("module", s); err != nil {
		return err
	}
	if m.weights == nil {
		return nil
	}
	if err := w.Uint64s("features", m.weights.hashes); err != nil {
		return err
	}
	return w.Float32s("weights", m.weights.values)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var s stored
	if err := r.JSON("module", &s); err != nil {
		return err
	}
	m.lists = s.Lists
	m.lists.ready()
	m.labelsOf = m.labels()
	if err := m.decodeCounts(&s); err != nil {
		return err
	}
	if len(s.Combine) != inputs || !(s.Scale > 0) {
		return kind.Corrupt("module", "has no regression of prob")
	}
	m.scale, m.combine, m.tuned, m.trained = s.Scale, s.Combine, s.Tuned, s.Trained
	if r := s.Ranker; r != nil {
		if r.Trees == nil || !r.Trees.Fits(numbers+properties) || !sortedLifts(r.Lifts) {
			return kind.Corrupt("module", "has trees that do not fit")
		}
		r.ready()
		m.ranker = r
	}
	m.ignored = map[[2]string]bool{}
	for _, p := range s.Ignored {
		m.ignored[p] = true
	}
	if m.learns() {
		return m.decodeWeights(r)
	}
	return nil
}

// decodeCounts restores the counts of pairs of labels and their weights, which are stored by the names of labels.
func (m *model) decodeCounts(s *stored) error {
	at := map[string]int{}
	for i, l := range m.labelsOf {
		at[l] = i
	}
	label := func(name string) (int, error) {
		i, ok := at[name]
		if !ok {
			return 0, kind.Corrupt("module", fmt.Sprintf("names the label %q", name))
		}
		return i, nil
	}
	m.prior = newPrior()
	for _, p := range s.Prior {
		a, err := label(p.Source)
		if err != nil {
			return err
		}
		b, err := label(p.Label)
		if err != nil {
			return err
		}
		m.prior.add(a, b, p.Count)
	}
	m.pairs = map[[2]int]float64{}
	for _, p := range s.Pairs {
		a, err := label(p.Source)
		if err != nil {
			return err
		}
		b, err := label(p.Label)
		if err != nil {
			return err
		}
		m.pairs[[2]int{a, b}] = p.Weight
	}
	return nil
}

func (m *model) decodeWeights(r *kind.Reader) (err error) {
	w := &weights{labels: len(m.labelsOf)}
	if w.hashes, err = r.Uint64s("features"); err != nil {
		return err
	}
	if w.values, err = r.Float32s("weights"); err != nil {
		return err
	}
	if len(w.values) != w.labels*len(w.hashes) || !slices.IsSorted(w.hashes) {
		return kind.Corrupt("weights", "do not fit the features")
	}
	for _, v := range w.values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return kind.Corrupt("weights", "are no finite numbers")
		}
	}
	w.ready()
	m.weights = w
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(4096) + 64*int64(len(m.prior.pairs)+len(m.lists.words)+len(m.lists.Gaps)+len(m.lists.Patterns)+
		len(m.lists.Verbs))
	if m.ranker != nil {
		n += int64(len(m.ranker.Trees.Nodes))*24 + int64(len(m.ranker.Lifts))*96
	}
	if m.weights != nil {
		n += int64(len(m.weights.hashes))*32 + 4*int64(len(m.weights.values))
	}
	return n
}

// sortedIgnored lists the corrections that are never made.
func (m *model) sortedIgnored() [][2]string {
	var out [][2]string
	for p := range m.ignored {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b [2]string) int {
		return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	})
	return out
}
