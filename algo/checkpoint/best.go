package checkpoint

import (
	"parlance/algo/kind"
)

// Best is the best model by held-out score so far. It is a part of the state of a training.
type Best struct {
	Model kind.Model // nil before the first score
	Score float64
	Step  int               // of the score
	Stale int               // scores since
	New   func() kind.Model // an empty model with the options of the training
}

// Better takes a model that scores higher than those before, and tells whether it does.
func (b *Best) Better(m kind.Model, score float64, step int) bool {
	if b.Model != nil && score <= b.Score {
		b.Stale++
		return false
	}
	b.Model, b.Score, b.Step, b.Stale = m, score, step, 0
	return true
}

// head is what is written besides the model.
type head struct {
	There       bool
	Score       float64
	Step, Stale int
}

// Write writes the score and the sections of the model, under the name of its own.
func (b *Best) Write(w *kind.Writer, section string) error {
	if err := w.JSON(section, head{b.Model != nil, b.Score, b.Step, b.Stale}); err != nil || b.Model == nil {
		return err
	}
	return w.Within(section, b.Model.Encode)
}

// Read reads what Write wrote.
func (b *Best) Read(r *kind.Reader, section string) error {
	var h head
	if err := r.JSON(section, &h); err != nil {
		return err
	}
	b.Model, b.Score, b.Step, b.Stale = nil, h.Score, h.Step, h.Stale
	if !h.There {
		return nil
	}
	b.Model = b.New()
	return b.Model.Decode(r.Within(section))
}
