package labelhistory

import (
	"context"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Trained is what is learned: labels, attributes of the alphabet and joint ones, and weights.
// Joint is nil where no template reads labels.
type Trained struct {
	tagger.Trained
	Joint *feature.Joint
}

// Expand joins the attributes of the data that read labels with the gold labels before their
// tokens; joint attributes in fewer than least tokens are dropped. It returns nil and changes
// nothing where no template reads labels.
func Expand(ctx context.Context, d *tagger.Data, least int) (*feature.Joint, error) {
	if d.Alphabet.Set().History() == 0 {
		return nil, nil
	}
	j := feature.NewJoint(d.Alphabet, d.Labels)
	rows, err := j.Grow(ctx, &feature.Rows{Offsets: d.AttrOffsets, Attrs: d.Attrs, Values: d.Values},
		d.Offsets, d.Gold, least)
	if err != nil {
		return nil, err
	}
	d.AttrOffsets, d.Attrs, d.Values = rows.Offsets, rows.Attrs, rows.Values
	d.Attributes = j.Attributes()
	return j, nil
}

// NewTrained puts together what was learned from data that Expand has seen, without the weights
// of 0 and the attributes that have no others.
func NewTrained(ctx context.Context, labels []string, a *feature.Alphabet, j *feature.Joint,
	weights *chain.Model) (Trained, error) {
	if j == nil {
		c, a, err := tagger.Compact(ctx, weights, a)
		return Trained{Trained: tagger.Trained{Labels: labels, Alphabet: a, Chain: c}}, err
	}
	// Numbers of attributes of the alphabet stay, for joint ones name them.
	p := weights.Prune(0).Parts()
	base := a.Len()
	start := append([]uint32{}, p.AttrStart[:base+1]...)
	kept, _, err := j.Keep(ctx, func(i int) bool {
		keep := p.AttrStart[base+i+1] > p.AttrStart[base+i]
		if keep {
			start = append(start, p.AttrStart[base+i+1])
		}
		return keep
	})
	if err != nil {
		return Trained{}, err
	}
	p.AttrStart, p.Attributes = start, len(start)-1
	c, err := chain.NewModel(p)
	return Trained{Trained: tagger.Trained{Labels: labels, Alphabet: a, Chain: c}, Joint: kept}, err
}

// Name is an attribute as text.
func (t *Trained) Name(attr uint32) string {
	if t.Joint == nil {
		return t.Alphabet.Name(attr)
	}
	return t.Joint.Name(attr, t.Labels)
}

// Bytes is what the model takes in memory.
func (t *Trained) Bytes() int64 {
	n := t.Trained.Bytes()
	if t.Joint != nil {
		n += t.Joint.Bytes()
	}
	return n
}

// Encode writes everything that was learned.
func (t *Trained) Encode(w *kind.Writer) error {
	if err := t.Trained.Encode(w); err != nil || t.Joint == nil {
		return err
	}
	return t.Joint.Encode(w)
}

// Decode reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func Decode(r *kind.Reader) (t Trained, err error) {
	joint := 0
	if set, err := tagger.DecodeSet(r); err != nil {
		return t, err
	} else if set.History() != 0 {
		list, err := r.Uint32s("joint.attributes")
		if err != nil {
			return t, err
		}
		joint = len(list)
	}
	if t.Trained, err = tagger.DecodeTrained(r, func(int) int { return joint }); err != nil {
		return t, err
	}
	if t.Alphabet.Set().History() != 0 {
		t.Joint, err = feature.DecodeJoint(t.Alphabet, len(t.Labels), r)
	}
	return t, err
}

// Scorer returns a scorer of the weights, for one goroutine.
func (t *Trained) Scorer() *Scorer { return NewScorer(t.Chain, t.Joint) }
