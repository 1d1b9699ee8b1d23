package argumentrecognizer

import (
	"context"
	"parlance/algo/kind"
	"parlance/algo/parse/frame"
	"parlance/algo/parse/treesvm"
)

// Encode writes the models of predicates and the support vectors.
func (m *model) Encode(w *kind.Writer) error {
	roles := m.roles
	if roles == nil {
		roles = &treesvm.Vectors{}
	}
	for _, write := range []func() error{
		func() error { return w.Within("predicates", m.found.Encode) },
		func() error { return w.Within("arguments", m.vectors.Encode) },
		func() error { return w.Strings("labels", m.labels) },
		func() error { return w.Within("roles", roles.Encode) },
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
	set, err := m.opt.settings()
	if err != nil {
		return err
	}
	for _, read := range []func(){
		func() { m.found, err = frame.DecodeFinder(set, r.Within("predicates")) },
		func() { m.vectors, err = treesvm.Decode(r.Within("arguments"), 1) },
		func() { m.labels, err = r.Strings("labels") },
		func() { m.roles, err = treesvm.Decode(r.Within("roles"), len(m.labels)) },
		func() { err = r.JSON("subtrees", &m.subtrees) },
	} {
		if read(); err != nil {
			return err
		}
	}
	for _, x := range m.subtrees {
		if x.Class < 0 || x.Class > len(m.labels) {
			return kind.Corrupt("subtrees", "has a label that does not exist")
		}
	}
	if len(m.labels) == 0 {
		m.roles = nil
	}
	return m.ready(context.Background())
}
