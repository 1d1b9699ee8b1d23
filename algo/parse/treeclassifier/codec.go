package treeclassifier

import (
	"context"
	"parlance/algo/kind"
	"parlance/algo/parse/treesvm"
)

// Encode writes the support vectors with their coefficients.
func (m *model) Encode(w *kind.Writer) error {
	for _, write := range []func() error{
		func() error { return w.Strings("labels", m.labels) },
		func() error { return m.vectors.Encode(w) },
		func() error { return w.JSON("subtrees", m.subtrees) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var err error
	for _, read := range []func(){
		func() { m.labels, err = r.Strings("labels") },
		func() { m.vectors, err = treesvm.Decode(r, len(m.labels)) },
		func() { err = r.JSON("subtrees", &m.subtrees) },
	} {
		if read(); err != nil {
			return err
		}
	}
	if len(m.labels) < 2 {
		return kind.Corrupt("labels", "are fewer than two")
	}
	for _, x := range m.subtrees {
		if x.Class < 0 || x.Class >= len(m.labels) {
			return kind.Corrupt("subtrees", "has a class that does not exist")
		}
	}
	return m.ready(context.Background())
}
