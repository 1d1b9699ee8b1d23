// Package chain is the numerics of linear-chain conditional random fields (Lafferty,
// McCallum and Pereira 2001): training, decoding, marginals. It works on numbers of
// attributes and labels and knows nothing of documents.
//
// The score of labels y for a sequence x of T tokens is
//
//	s(x, y) = Σ_t Σ_{a at t} value_a · w[a, y_t] + Σ_{t>0} w[y_{t−1}, y_t]
//
// and p(y|x) = exp(s(x, y)) / Z(x). Pairs without a weight score 0.
package chain

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalid marks data, options and models that make no sense.
var ErrInvalid = errors.New("invalid chain")

// MaxLabels is the largest number of labels.
const MaxLabels = math.MaxUint16

// Data is labelled sequences in rows of compressed indices. Locality, and with it speed,
// is best when attributes are numbered in the order of their first occurrence.
type Data struct {
	Labels      int       // number of labels, 1 to MaxLabels
	Attributes  int       // number of attributes
	Offsets     []uint32  // sequence i is tokens Offsets[i] to Offsets[i+1]
	AttrOffsets []uint32  // token t has Attrs[AttrOffsets[t]:AttrOffsets[t+1]]
	Attrs       []uint32  // attributes, 0-based
	Values      []float32 // values of Attrs; nil: all are 1
	Gold        []uint16  // label of every token, 0-based
}

// Sequence is one sequence: token t has Attrs[AttrOffsets[t]:AttrOffsets[t+1]], there is
// one offset more than tokens, and the first need not be 0.
type Sequence struct {
	AttrOffsets []uint32
	Attrs       []uint32
	Values      []float32 // nil: all are 1
}

// Len returns the number of tokens.
func (s Sequence) Len() int { return max(0, len(s.AttrOffsets)-1) }

// Sequences returns the number of sequences.
func (d *Data) Sequences() int { return max(0, len(d.Offsets)-1) }

// Tokens returns the number of tokens.
func (d *Data) Tokens() int { return max(0, len(d.AttrOffsets)-1) }

// Sequence returns sequence i.
func (d *Data) Sequence(i int) Sequence {
	return Sequence{d.AttrOffsets[d.Offsets[i] : d.Offsets[i+1]+1], d.Attrs, d.Values}
}

// Check tells what is wrong with the data.
func (d *Data) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
	}
	if d.Labels < 1 || d.Labels > MaxLabels {
		return bad("%d labels, want 1 to %d", d.Labels, MaxLabels)
	}
	if d.Attributes < 0 || d.Attributes > math.MaxUint32-1 {
		return bad("%d attributes, want 0 to %d", d.Attributes, math.MaxUint32-1)
	}
	if err := checkOffsets("sequence", d.Offsets, len(d.Gold)); err != nil {
		return err
	}
	if len(d.AttrOffsets) != len(d.Gold)+1 {
		return bad("%d offsets of attributes for %d tokens, want one more than tokens", len(d.AttrOffsets), len(d.Gold))
	}
	if err := checkOffsets("token", d.AttrOffsets, len(d.Attrs)); err != nil {
		return err
	}
	if d.Values != nil && len(d.Values) != len(d.Attrs) {
		return bad("%d values for %d attributes", len(d.Values), len(d.Attrs))
	}
	for i, a := range d.Attrs {
		if int(a) >= d.Attributes {
			return bad("attribute %d at %d, want below %d", a, i, d.Attributes)
		}
	}
	for i, y := range d.Gold {
		if int(y) >= d.Labels {
			return bad("label %d at token %d, want below %d", y, i, d.Labels)
		}
	}
	for i, v := range d.Values {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return bad("value %g at %d, want a finite number", v, i)
		}
	}
	return nil
}

// checkOffsets checks that offsets rise from 0 to n.
func checkOffsets(of string, offsets []uint32, n int) error {
	if len(offsets) == 0 || offsets[0] != 0 || int64(offsets[len(offsets)-1]) != int64(n) {
		return fmt.Errorf("%w: offsets of every %s must begin with 0 and end with %d", ErrInvalid, of, n)
	}
	for i := 1; i < len(offsets); i++ {
		if offsets[i] < offsets[i-1] {
			return fmt.Errorf("%w: offset %d of %s %d is below the one before", ErrInvalid, offsets[i], of, i)
		}
	}
	return nil
}
