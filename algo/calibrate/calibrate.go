// Package calibrate makes prob of a model say how often its rows are right: it compares predictions on held-out
// documents with gold, and fits a temperature (Guo et al. 2017) or a rising curve (Zadrozny and Elkan 2002) to them.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Section is the section of a model with its calibration. Models that were trained without calibration have none.
const Section = "calibration"

// Tempered is a model that makes probabilities of scores: Temper says what these are divided by. It changes no
// prediction.
type Tempered interface{ Temper(t float64) error }

// The values of the option.
const (
	automatic  = "auto"
	none       = "none"
	byTemper   = "temperature"
	byIsotonic = "isotonic"
	optionName = "calibration"
)

const description = "fits prob to how often rows of held-out documents are right: of VALIDATE, else of a tenth " +
	"of ON, for which a second model learns from %s, so that training takes up to %s as long. temperature: one number " +
	"sharpens or softens prob; isotonic: a rising curve besides; auto: isotonic where prob of the weights is a " +
	"score, else none"

// manner is how models of a kind are calibrated.
type manner struct {
	standard string // default of the option
	half     bool   // the second model learns from half of the documents
}

// Kind adds the option calibration, which is auto unless said otherwise, to a kind whose models annotate documents one
// by one.
func Kind(k kind.Kind) kind.Kind { return manner{standard: automatic}.add(k) }

// Slow is Kind where training takes long: the second model learns from half of the documents. It is somewhat worse than
// the first one, and prob somewhat too low.
func Slow(k kind.Kind) kind.Kind { return manner{automatic, true}.add(k) }

// Unless is Kind with the default none, for kinds with a fit of their own.
func Unless(k kind.Kind) kind.Kind { return manner{standard: none}.add(k) }

func (x manner) add(k kind.Kind) kind.Kind {
	inner := k.New
	k.Optional = append(slices.Clip(k.Optional), Section)
	k.New = func() kind.Model { return &model{Model: inner(), untrained: inner, manner: x} }
	return k
}

// doc describes the option.
func (x manner) doc() string {
	if x.half {
		return fmt.Sprintf(description, "half of the documents", "1.5 times")
	}
	return fmt.Sprintf(description, "the others", "twice")
}

// model is a model of any kind with its calibration.
type model struct {
	kind.Model
	untrained func() kind.Model
	manner
	method  string
	set     *option.Set
	trained bool
	fitted  *fitted // nil where prob is that of the model
}

// Unwrap is the model as it is without calibration, which answers with the same rows.
func (m *model) Unwrap() kind.Model { return m.Model }

// fitted is what was learned of held-out predictions.
type fitted struct {
	Temperature float64 // what scores are divided by, or log odds of models that are not Tempered
	Curve       *curve  `json:",omitempty"` // follows; nil for none
}

// Options declares those of the kind, then calibration.
func (m *model) Options(s *option.Set) {
	m.Model.Options(s)
	m.set = s
	s.Choice(&m.method, optionName, m.standard, []string{automatic, none, byTemper, byIsotonic}, m.doc())
	s.Check(optionName, func() error {
		sch := m.Model.Schema()
		if _, ok := learned(sch); !ok && len(sch.Writes) > 0 && (m.method == byTemper || m.method == byIsotonic) {
			return errors.New("the model learns nothing that prob could be compared with")
		}
		return nil
	})
}

// learned is the layer that a model learns and writes.
func learned(s kind.Schema) (kind.LayerUse, bool) {
	for _, w := range s.Writes {
		same := func(l kind.LayerUse) bool { return l.Layer == w.Layer }
		if s.Def(w.Layer) == nil && slices.ContainsFunc(s.Learns, same) {
			return w, s.Unit == kind.PerDocument
		}
	}
	return kind.LayerUse{}, false
}

// chosen is the method once auto is decided.
func (m *model) chosen() string {
	if m.method != automatic {
		return m.method
	}
	s := m.Model.Schema()
	if _, ok := learned(s); ok && s.Prob == kind.Score {
		return byIsotonic
	}
	return none
}

// Schema is that of the model; prob is calibrated if it was, or will be by training.
func (m *model) Schema() kind.Schema {
	s := m.Model.Schema()
	if m.fitted != nil || !m.trained && m.chosen() != none {
		s.Prob = kind.Calibrated
	}
	return s
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	if s, ok := m.Model.(kind.Sized); ok {
		n = s.Bytes()
	}
	if m.fitted != nil && m.fitted.Curve != nil {
		n += 16 * int64(len(m.fitted.Curve.X))
	}
	return n
}

// Caution passes on what the model has to say.
func (m *model) Caution() string {
	if c, ok := m.Model.(kind.Cautious); ok {
		return c.Caution()
	}
	return ""
}

// Train fits the weights as without calibration, then the calibration.
func (m *model) Train(ctx context.Context, in *kind.Training) error {
	if in.Shards != nil && m.chosen() != none {
		return fmt.Errorf("%w: calibration = %s needs documents at hand; over shards, calibration = none",
			kind.ErrOneProcess, m.chosen())
	}
	own := *in
	if first, ok := in.Init.(*model); ok {
		own.Init = first.Model
	}
	last := kind.Progress{}
	own.Report = func(p kind.Progress) {
		last = p
		in.Report(p)
	}
	if err := m.Model.Train(ctx, &own); err != nil {
		return err
	}
	m.trained = true
	if in.NoProb || m.chosen() == none {
		return nil
	}
	f, err := m.fit(ctx, &own, last)
	if err != nil {
		return err
	}
	return m.take(f)
}

// take makes prob follow what was fitted.
func (m *model) take(f *fitted) error {
	m.fitted = f
	if t, ok := m.Model.(Tempered); ok && f != nil {
		return t.Temper(f.Temperature)
	}
	return nil
}

// Annotate writes the layers of the model; prob of the learned one is calibrated. Of n best analyses it is their share
// under the weights, which nothing is fitted to.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if m.fitted == nil || !run.Prob || run.NBest > 1 {
		return m.Model.Annotate(ctx, docs, run)
	}
	use, _ := learned(m.Model.Schema())
	before := make([]*text.Layer, len(docs))
	for i, d := range docs {
		before[i] = d.Layer(use.Layer)
	}
	if err := m.Model.Annotate(ctx, docs, run); err != nil {
		return err
	}
	_, tempered := m.Model.(Tempered)
	for i, d := range docs {
		l := d.Layer(use.Layer)
		if l == nil || l == before[i] {
			continue
		}
		for k, p := range l.Prob {
			l.Prob[k] = m.fitted.of(p, tempered)
		}
	}
	return nil
}

// of calibrates a probability; tempered tells that its scores have been divided by the temperature already.
func (f *fitted) of(p float64, tempered bool) float64 {
	if math.IsNaN(p) {
		return p
	}
	if !tempered {
		p = soften(p, f.Temperature)
	}
	if f.Curve != nil {
		p = f.Curve.at(p)
	}
	return p
}

// Encode writes the model, then its calibration.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.Model.Encode(w); err != nil || m.fitted == nil {
		return err
	}
	return w.JSON(Section, m.fitted)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := m.Model.Decode(r); err != nil {
		return err
	}
	m.trained = true
	f := &fitted{}
	switch err := r.JSON(Section, f); {
	case errors.Is(err, kind.ErrNoSection):
		return nil
	case err != nil:
		return err
	}
	if !(f.Temperature > 0) || math.IsInf(f.Temperature, 1) || f.Curve != nil && !f.Curve.sound() {
		return kind.Corrupt(Section, "has no temperature above 0, or a curve that leaves 0 to 1 or falls")
	}
	return m.take(f)
}

// summary is a line of progress.
func (f *fitted) summary(rows, docs int) string {
	s := text.Countf("prob calibrated on %d {row|rows} of %d held-out documents", rows, docs)
	if f.Curve == nil {
		return s + fmt.Sprintf(", temperature %.3g", f.Temperature)
	}
	return s + fmt.Sprintf(", a curve of %d points", len(f.Curve.X))
}
