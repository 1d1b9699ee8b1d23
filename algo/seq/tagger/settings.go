package tagger

import (
	"fmt"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
)

// Settings are the options that kinds trained by L-BFGS share.
type Settings struct {
	Task
	L1, L2, Epsilon, Delta  float64
	Iterations, Memory      int
	Period                  int
	Patience, ValidateEvery int
	Constrained             bool
}

// The defaults of delta: Enough is where further iterations no longer raised the scores of held-out sentences of seven
// corpora (crf's RESULTS.md), Exact stops where CRFsuite does.
const (
	Enough = 5e-3
	Exact  = 1e-5
)

// Declare declares the options besides those of DeclareTask; delta is the default of that option.
func (o *Settings) Declare(s *option.Set, delta float64) {
	s.Float(&o.L1, "l1", 0, 0, math.Inf(1), "weight of the penalty l1·|w|; above 0, training is by OWL-QN")
	s.Float(&o.L2, "l2", 1, 0, math.Inf(1), "weight of the penalty ½·l2·|w|²")
	s.Int(&o.Iterations, "iterations", 200, 1, math.MaxInt32, "iterations of L-BFGS at most")
	s.Int(&o.Memory, "memory", 10, 1, 1000, "pairs of differences that L-BFGS keeps")
	s.Float(&o.Epsilon, "epsilon", 1e-5, 0, 1, "ends when |gradient| ≤ epsilon·max(1, |w|); 0: off")
	s.Float(&o.Delta, "delta", delta, 0, 1, "ends when the objective fell by less than this share in period iterations: "+
		"at 5e-3 chains no longer gain on held-out text, at 1e-5 the optimum is near; 0: off")
	s.Int(&o.Period, "period", 10, 1, 1000, "iterations that delta looks back")
	s.Int(&o.MinCount, "min_count", 1, 1, math.MaxInt32, "attributes in fewer items (tokens or documents) are dropped")
	s.Choice(&o.Scheme, "scheme", "bio", bio.Schemes(), "how spans are written as labels of tokens")
	s.Int(&o.Patience, "patience", 0, 0, math.MaxInt32, "with VALIDATE: ends after this many scores without a better one "+
		"and keeps the best model; 0: never").Validating()
	s.Int(&o.ValidateEvery, "validate_every", 10, 1, math.MaxInt32,
		"with VALIDATE: iterations between scores").Validating()
	s.Bool(&o.Constrained, "constrained", true, "decoding keeps to the scheme: no I- without its B-").In(option.Predict)
}

// Fit returns the settings of a training.
func (o *Settings) Fit() Fit {
	return Fit{Patience: o.Patience, ValidateEvery: o.ValidateEvery, Options: chain.Options{
		L1: o.L1, L2: o.L2, Iterations: o.Iterations, Memory: o.Memory, Epsilon: o.Epsilon, Period: o.Period, Delta: o.Delta,
	}}
}

// Features compiles the templates of tokens, those that suit the target by default, and checks
// that they do not read what is written, nor labels of tokens before.
func (t Target) Features(name string) (*feature.Set, error) {
	s, err := t.HistoryFeatures(name)
	if err == nil && s.History() != 0 {
		return nil, fmt.Errorf("the templates read the labels of tokens before, which this kind learns from transitions " +
			"instead; leave label[…] out")
	}
	return s, err
}

// HistoryFeatures does the same for kinds whose templates may read labels of tokens before.
func (t Target) HistoryFeatures(name string) (*feature.Set, error) {
	if name == "" {
		name = t.DefaultFeatures()
	}
	s, err := feature.Resolve(name)
	if err != nil {
		return nil, err
	}
	if s.Document() {
		return nil, fmt.Errorf("templates of tokens are wanted, such as form[-1..1]; these describe documents")
	}
	for _, c := range s.Columns() {
		if c == t.Column {
			return nil, fmt.Errorf("the templates read tokens.%s, which the model writes", c)
		}
	}
	return s, nil
}

// Trained is what is learned: names of labels and attributes, and the weights.
type Trained struct {
	Labels   []string
	Alphabet *feature.Alphabet
	Chain    *chain.Model
}

// Bytes is what the model takes in memory.
func (t *Trained) Bytes() int64 { return t.Alphabet.Bytes() + t.Chain.Bytes() }

// Encode writes labels, templates, alphabet and weights.
func (t *Trained) Encode(w *kind.Writer) error {
	if err := EncodeNames(w, t.Labels, t.Alphabet); err != nil {
		return err
	}
	return Encode(w, t.Chain)
}

// EncodeNames writes labels, templates and alphabet.
func EncodeNames(w *kind.Writer, labels []string, a *feature.Alphabet) error {
	if err := w.Strings("labels", labels); err != nil {
		return err
	}
	if err := w.Bytes("features", []byte(a.Set().String())); err != nil {
		return err
	}
	return a.Encode(w)
}

// DecodeNames reads what EncodeNames wrote.
func DecodeNames(r *kind.Reader) (labels []string, a *feature.Alphabet, err error) {
	if labels, err = r.Strings("labels"); err != nil {
		return nil, nil, err
	}
	set, err := DecodeSet(r)
	if err != nil {
		return nil, nil, err
	}
	a, err = feature.DecodeAlphabet(set, r)
	return labels, a, err
}

// DecodeSet reads the templates of a trained model.
func DecodeSet(r *kind.Reader) (*feature.Set, error) {
	notation, err := r.Bytes("features")
	if err != nil {
		return nil, err
	}
	set, err := feature.Parse(string(notation))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return set, nil
}

// DecodeTrained reads what Encode wrote. The weights may have extra attributes after those of
// the alphabet, as many as extra says for the number of labels.
func DecodeTrained(r *kind.Reader, extra func(labels int) int) (t Trained, err error) {
	if t.Labels, t.Alphabet, err = DecodeNames(r); err != nil {
		return t, err
	}
	if t.Chain, err = Decode(r); err != nil {
		return t, err
	}
	if t.Chain.Labels() != len(t.Labels) || t.Chain.Attributes() != t.Alphabet.Len()+extra(len(t.Labels)) {
		return t, kind.Corrupt("labels", "labels, attributes and weights differ in number")
	}
	return t, nil
}
