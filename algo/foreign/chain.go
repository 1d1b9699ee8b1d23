package foreign

import (
	"errors"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/seq/external"
)

// ChainOf returns the chain of a model to write, or an error of type *Refusal that says why there is none.
func ChainOf(m kind.Model) (*external.Export, error) {
	e, ok := kind.Unwrap(m).(external.Exporter)
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

// Templated is a chain to write, by the templates of a program.
type Templated struct {
	Labels []string
	*external.Templated
}

// TemplatesOf returns the chain of a model to write by templates that have a notation, or an error of type *Refusal.
func TemplatesOf(m kind.Model, n external.Notation, program string) (*Templated, error) {
	x, err := ChainOf(m)
	if err != nil {
		return nil, err
	}
	for _, l := range x.Labels {
		if l == "" || strings.ContainsAny(l, " \t\r\n\v\f\x00") {
			return nil, &Refusal{Msg: fmt.Sprintf("the label %q has white space, which parts columns in %s", l, program)}
		}
	}
	t, err := x.Templated(n)
	if err != nil {
		return nil, &Refusal{Msg: err.Error(), Hint: "FORMAT crfsuite writes features as they are named"}
	}
	return &Templated{x.Labels, t}, nil
}
