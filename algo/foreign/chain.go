package foreign

import (
	"errors"

	"parlance/algo/kind"
	"parlance/algo/seq/external"
)

// Unwrap is a model as it is without what is around it, such as calibration.
func Unwrap(m kind.Model) kind.Model {
	for {
		u, ok := m.(interface{ Unwrap() kind.Model })
		if !ok {
			return m
		}
		m = u.Unwrap()
	}
}

// ChainOf returns the chain of a model to write, or an error of type *Refusal that says why there is none.
func ChainOf(m kind.Model) (*external.Export, error) {
	e, ok := Unwrap(m).(external.Exporter)
	if !ok {
		return nil, &Refusal{Msg: "its kind is no chain of labels", Hint: "models of the kind crf can be written so"}
	}
	x, err := e.Export()
	var refused *Refusal
	if err != nil && !errors.As(err, &refused) {
		err = &Refusal{Msg: err.Error()}
	}
	if err == nil && x.Rules != "" {
		err = &Refusal{Msg: x.Rules, Hint: "train it WITH (constrained = false)"}
	}
	return x, err
}

// TemplatesOf returns the chain of a model to write whose templates have a notation, or an error of type *Refusal.
func TemplatesOf(m kind.Model, n external.Notation, program string) (*external.Model, error) {
	x, err := ChainOf(m)
	if err != nil {
		return nil, err
	}
	if x.Foreign == nil || x.Foreign.Notation != n {
		return nil, &Refusal{Msg: "its features are not made by templates of " + program,
			Hint: "FORMAT crfsuite writes features as they are named"}
	}
	return x.Foreign, nil
}
