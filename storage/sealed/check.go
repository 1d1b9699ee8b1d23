package sealed

import (
	"bytes"
	"context"
)

// Check reads all pages of the state that a transaction has found: that each is in one tree, or free, that entries are
// what was written, and that each bucket has those that it should have. It calls say with what is not so. Writers are
// not held up. ok is false if none of this was done since a later state has overwritten the description of this one.
func (t *Tx) Check(ctx context.Context, say func(*Damage)) (ok bool, err error) {
	place := uint64(t.ID()) % 2
	m := meta(bytes.Clone(t.pages.data[place*t.pages.size:][:metaSize]))
	if !m.sound(place, t.pages.size) || m.transaction() != uint64(t.ID()) {
		return false, nil
	}
	w := walk{pages: t.pages, ctx: ctx, leaves: true, say: say}
	return true, w.run(m.root(), m.free())
}
