package external

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"parlance/algo/engine/chain"
)

// Builder gathers what a file holds. Features come with a weight for each label, or for each pair of labels by
// from·labels + to; weights of 0 are left out, and features without another one.
type Builder struct {
	Head
	Labels []string

	names  []string
	parts  chain.Parts
	pairs  pairWeights
	pnames []string
	trans  map[uint32]float64 // by from·labels + to
}

// NewBuilder begins a model of labels.
func NewBuilder(h Head, labels []string) (*Builder, error) {
	if len(labels) < 1 || len(labels) > chain.MaxLabels {
		return nil, fmt.Errorf("the model has %d labels, 1 to %d can be served", len(labels), chain.MaxLabels)
	}
	seen := map[string]bool{}
	for i, l := range labels {
		if l == "" {
			return nil, fmt.Errorf("label %d has no name", i+1)
		}
		if seen[l] {
			return nil, fmt.Errorf("the label %s comes twice", l)
		}
		seen[l] = true
	}
	b := &Builder{Head: h, Labels: labels, trans: map[uint32]float64{}}
	b.parts.Labels, b.parts.AttrStart = len(labels), []uint32{0}
	b.pairs.start = []uint32{0}
	return b, nil
}

// Grow makes room for a number of weights of labels.
func (b *Builder) Grow(weights int) {
	b.parts.PairLabel = make([]uint16, 0, weights)
	b.parts.Weights = make([]float64, 0, weights)
}

// maxWeights keeps numbers of weights in 32 bits.
const maxWeights = math.MaxUint32

// Unigram adds a feature with the weights of all labels.
func (b *Builder) Unigram(name string, weights []float64) error {
	for y, w := range weights {
		if w != 0 {
			b.parts.PairLabel, b.parts.Weights = append(b.parts.PairLabel, uint16(y)), append(b.parts.Weights, w)
		}
	}
	return b.end(name)
}

// Labelled adds a feature with weights of some labels, which rise.
func (b *Builder) Labelled(name string, labels []uint16, weights []float64) error {
	b.parts.PairLabel, b.parts.Weights = append(b.parts.PairLabel, labels...), append(b.parts.Weights, weights...)
	return b.end(name)
}

func (b *Builder) end(name string) error {
	n := len(b.parts.Weights)
	if int64(n) > maxWeights {
		return fmt.Errorf("more than %d weights", int64(maxWeights))
	}
	if uint32(n) > b.parts.AttrStart[len(b.parts.AttrStart)-1] {
		b.names, b.parts.AttrStart = append(b.names, name), append(b.parts.AttrStart, uint32(n))
	}
	return nil
}

// Bigram adds a feature of pairs with the weights of some pairs, from·labels + to, which rise.
func (b *Builder) Bigram(name string, pairs []uint32, weights []float64) {
	for i, w := range weights {
		if w != 0 {
			b.pairs.pair, b.pairs.weight = append(b.pairs.pair, pairs[i]), append(b.pairs.weight, w)
		}
	}
	if n := uint32(len(b.pairs.pair)); n > b.pairs.start[len(b.pairs.start)-1] {
		b.pnames, b.pairs.start = append(b.pnames, name), append(b.pairs.start, n)
	}
}

// Transitions adds weights of some pairs that hold at every token but the first.
func (b *Builder) Transitions(pairs []uint32, weights []float64) {
	for i, w := range weights {
		b.trans[pairs[i]] += w
	}
}

// Constants tells how many templates make a text of pairs that is the same everywhere, by the text, and whether others
// make texts of pairs that differ.
func Constants(n Notation, templates []string) (constant map[string]int, others bool) {
	constant = map[string]int{}
	for _, s := range templates {
		t, err := parseTemplate(n, s)
		switch {
		case err != nil || !t.bigram:
		case t.constant():
			constant[t.text]++
		default:
			others = true
		}
	}
	return constant, others
}

// Model makes the model. Templates that read columns which are not there are an error of type *TemplateError.
func (b *Builder) Model() (m *Model, err error) {
	m = &Model{Head: b.Head, pairs: b.pairs}
	m.Labels = b.Labels
	if m.features, err = newDictionary(b.names); err != nil {
		return nil, err
	}
	if m.pairs.features, err = newDictionary(b.pnames); err != nil {
		return nil, err
	}
	b.parts.Attributes = len(b.names)
	for _, i := range slices.Sorted(maps.Keys(b.trans)) {
		if w := b.trans[i]; w != 0 {
			l := uint32(len(b.Labels))
			b.parts.TransFrom = append(b.parts.TransFrom, uint16(i/l))
			b.parts.TransTo = append(b.parts.TransTo, uint16(i%l))
			b.parts.TransWeights = append(b.parts.TransWeights, w)
		}
	}
	if m.Chain, err = chain.NewModel(b.parts); err != nil {
		return nil, err
	}
	return m, m.ready()
}
