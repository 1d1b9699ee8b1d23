package reduction

import (
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Trained is what kinds made of machines have learned.
type Trained struct {
	Labels   []string // by class
	Alphabet *feature.Alphabet
	Machines *Machines
}

// Relation is what a model with these settings answers: weights, or support vectors.
func (o *Settings) Relation() kind.Relation {
	if o.linear() {
		return tagger.Weights
	}
	return SupportVectors
}

// Open opens the relation of the machines; name is a column as text.
func (t *Trained) Open(relation string, name func(column uint32) string) (kind.Rows, error) {
	switch linear := t.Machines.Linear(); {
	case linear && relation == tagger.Weights.Name:
		return tagger.WeightRows(t.Machines.Weights, name, t.Machines.Names(t.Labels)), nil
	case !linear && relation == SupportVectors.Name:
		return t.Machines.VectorRows(t.Labels), nil
	}
	return nil, kind.ErrNoRelation
}

// Bytes is what the model takes in memory.
func (t *Trained) Bytes() int64 { return t.Alphabet.Bytes() + t.Machines.Bytes() }

// Encode writes labels, templates, alphabet and machines.
func (t *Trained) Encode(w *kind.Writer) error {
	if err := tagger.EncodeNames(w, t.Labels, t.Alphabet); err != nil {
		return err
	}
	return t.Machines.Encode(w)
}

// DecodeTrained reads what Encode wrote. Whether the columns of the machines are those of the model,
// the kind checks by Fits.
func DecodeTrained(r *kind.Reader) (t Trained, err error) {
	if t.Labels, t.Alphabet, err = tagger.DecodeNames(r); err != nil {
		return t, err
	}
	t.Machines, err = Decode(r)
	return t, err
}

// Fits is an error that wraps kind.ErrCorrupt where classes are not the labels, or columns of linear
// machines do not have this many attributes and the bias.
func (t *Trained) Fits(attributes int) error {
	if m := t.Machines; m.Classes != len(t.Labels) || m.Linear() && m.Weights.Attributes() != attributes+1 {
		return kind.Corrupt("labels", "labels, attributes and machines differ in number")
	}
	return nil
}
