package pcfg

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes the grammar and the words.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	m.grammar = &grammar{}
	if err := state.Load(r, m); err != nil {
		return err
	}
	m.Coarse.ready(m.Root)
	m.index()
	m.Words.ready(m.Symbols)
	return nil
}

// ready indexes the rules of a coarse grammar by their left child.
func (c *coarse) ready(root int32) {
	c.root, c.first = c.Of[root], make([]int32, c.Size+1)
	for _, r := range c.Rules {
		c.first[r.Left+1]++
	}
	for i := range c.Size {
		c.first[i+1] += c.first[i]
	}
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return state.Memory(m) }
