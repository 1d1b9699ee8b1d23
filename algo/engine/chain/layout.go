package chain

import (
	"fmt"
	"math"
	"slices"
)

// layout numbers the features: first the state features, attribute by attribute with
// rising labels, then the transitions by (from, to).
type layout struct {
	labels, attributes int
	attrStart          []uint32 // state features of attribute a are attrStart[a] to attrStart[a+1]
	pairLabel          []uint16 // label of a state feature
	from, to           []uint16 // labels of a transition
	observed           []float64
	attrTotal          []float64 // sum of the absolute values of an attribute
	labelCount         []float64 // tokens with a label that have a next token
}

func (l *layout) states() int { return len(l.pairLabel) }
func (l *layout) size() int   { return len(l.pairLabel) + len(l.from) }

// maxFeatures keeps indices of features in 32 bits with room to spare.
const maxFeatures = 1 << 31

// newLayout numbers the observed or all features of the data and sums up their values.
func newLayout(d *Data, allStates, allTransitions bool) (*layout, error) {
	l := &layout{labels: d.Labels, attributes: d.Attributes}
	if allStates && int64(d.Attributes)*int64(d.Labels) > maxFeatures {
		return nil, fmt.Errorf(
			"%w: all pairs of %d attributes and %d labels are more than %d features; use the observed pairs", ErrInvalid,
			d.Attributes, d.Labels, maxFeatures)
	}
	if allTransitions && d.Labels > 1<<15 {
		return nil, fmt.Errorf("%w: all transitions of %d labels are more than %d features; use the observed ones",
			ErrInvalid, d.Labels, 1<<30)
	}
	l.addStates(d, allStates)
	if len(l.pairLabel) > maxFeatures {
		return nil, fmt.Errorf("%w: more than %d features", ErrInvalid, maxFeatures)
	}
	l.addTransitions(d, allTransitions)
	return l, nil
}

// occurrences groups the places of attributes by attribute: place i is index at[i] into
// Attrs, and attribute a has places start[a] to start[a+1].
func occurrences(d *Data) (start, at []uint32) {
	start = make([]uint32, d.Attributes+2)
	for _, a := range d.Attrs {
		start[a+2]++
	}
	for a := 2; a < len(start); a++ {
		start[a] += start[a-1]
	}
	at = make([]uint32, len(d.Attrs))
	for i, a := range d.Attrs {
		at[start[a+1]] = uint32(i)
		start[a+1]++
	}
	return start[:d.Attributes+1], at
}

func (l *layout) addStates(d *Data, all bool) {
	labelOf := make([]uint16, len(d.Attrs))
	for t, y := range d.Gold {
		for i := d.AttrOffsets[t]; i < d.AttrOffsets[t+1]; i++ {
			labelOf[i] = y
		}
	}
	start, at := occurrences(d)
	sum := make([]float64, d.Labels)
	seen := make([]bool, d.Labels)
	var labels []uint16
	l.attrStart = make([]uint32, d.Attributes+1)
	l.attrTotal = make([]float64, d.Attributes)
	for a := range d.Attributes {
		labels = labels[:0]
		for _, i := range at[start[a]:start[a+1]] {
			y, v := labelOf[i], 1.0
			if d.Values != nil {
				v = float64(d.Values[i])
			}
			if !seen[y] {
				seen[y] = true
				labels = append(labels, y)
			}
			sum[y] += v
			l.attrTotal[a] += math.Abs(v)
		}
		if all {
			for y := range d.Labels {
				l.pairLabel = append(l.pairLabel, uint16(y))
				l.observed = append(l.observed, sum[y])
			}
		} else {
			slices.Sort(labels)
			for _, y := range labels {
				l.pairLabel = append(l.pairLabel, y)
				l.observed = append(l.observed, sum[y])
			}
		}
		for _, y := range labels {
			sum[y], seen[y] = 0, false
		}
		l.attrStart[a+1] = uint32(len(l.pairLabel))
	}
}

func (l *layout) addTransitions(d *Data, all bool) {
	l.labelCount = make([]float64, d.Labels)
	counts := map[uint32]float64{}
	for i := range d.Sequences() {
		gold := d.Gold[d.Offsets[i]:d.Offsets[i+1]]
		for t := 1; t < len(gold); t++ {
			counts[uint32(gold[t-1])<<16|uint32(gold[t])]++
			l.labelCount[gold[t-1]]++
		}
	}
	var keys []uint32
	if all {
		for i := range d.Labels {
			for j := range d.Labels {
				keys = append(keys, uint32(i)<<16|uint32(j))
			}
		}
	} else {
		for k := range counts {
			keys = append(keys, k)
		}
		slices.Sort(keys)
	}
	for _, k := range keys {
		l.from = append(l.from, uint16(k>>16))
		l.to = append(l.to, uint16(k))
		l.observed = append(l.observed, counts[k])
	}
}
