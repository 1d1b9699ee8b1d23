package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/sealed"
)

// catalogOverlay are the changes of a transaction to the catalog. Its maps are copied on write.
type catalogOverlay struct {
	names map[string]*Object // made or altered objects, and nil for dropped or renamed ones
	gone  []*Object          // dropped committed objects
}

// with returns the overlay with another entry of a name.
func (x catalogOverlay) with(name string, o *Object) catalogOverlay {
	names := maps.Clone(x.names)
	if names == nil {
		names = map[string]*Object{}
	}
	names[name] = o
	return catalogOverlay{names, x.gone}
}

// Object returns the entry of the name, as the transaction of the snapshot sees it.
func (sn *Snapshot) Object(name string) (*Object, bool) {
	if o, changed := sn.names[name]; changed {
		return o, o != nil
	}
	var o *Object
	if sn.frozen != nil {
		o = sn.frozen.object(name)
	} else if o, _ = sn.s.Object(name); o != nil && o.Since > sn.version {
		if o = o.At(sn.version); o != nil && o.Name != name {
			o = nil
		}
	}
	if o == nil || sn.hides(o) {
		return nil, false
	}
	return o, true
}

// Objects returns the entries of a kind ("" for all) by name, as the transaction of the snapshot sees them.
func (sn *Snapshot) Objects(kind catalog.ObjectKind) []*Object {
	var out []*Object
	all := sn.s.Objects
	if sn.frozen != nil {
		all = sn.frozen.objects
	}
	for _, o := range all(kind) {
		if _, changed := sn.names[o.Name]; changed {
			continue
		}
		if o = o.At(sn.version); o != nil && !sn.hides(o) {
			out = append(out, o)
		}
	}
	if len(sn.names) == 0 {
		return out
	}
	for _, o := range sn.names {
		if o != nil && (kind == "" || o.Kind == kind) {
			out = append(out, o)
		}
	}
	catalog.SortObjects(out)
	return out
}

// CatalogVersion identifies the catalog. The version of the committed catalog rises with every change.
func (sn *Snapshot) CatalogVersion() uint64 {
	if sn.catalog != 0 {
		return sn.catalog
	}
	if sn.frozen != nil {
		return sn.frozen.catalog.version
	}
	return sn.s.CatalogVersion()
}

// captureCatalog gives a snapshot the catalog of the transaction.
func (t *Transaction) captureCatalog(sn *Snapshot) {
	if len(t.catalog.names) == 0 {
		return
	}
	if base := sn.CatalogVersion(); t.catalogNumber == 0 || t.catalogBase != base {
		t.catalogBase, t.catalogNumber = base, firstOverlayVersion+t.s.corpora.overlays.Add(1)
	}
	sn.names, sn.catalog = t.catalog.names, t.catalogNumber
}

// entry returns the object of a name as the transaction, which may be nil, sees it, or nil.
func (t *Transaction) entry(c *catalogState, name string) *Object {
	if t != nil {
		if o, changed := t.catalog.names[name]; changed {
			return o
		}
	}
	return c.byName[name]
}

// object returns the entry of an identifier as the transaction, which may be nil, sees it. The lock of the store must
// be held.
func (t *Transaction) object(c *catalogState, id uint32) *Object {
	if t != nil {
		for _, o := range t.catalog.names {
			if o != nil {
				if found := o.Within(id); found != nil {
					return found
				}
			}
		}
		if t.drops(id) {
			return nil
		}
	}
	return c.byID(id)
}

// setCatalog replaces the overlay of the transaction.
func (t *Transaction) setCatalog(x catalogOverlay) { t.catalog, t.catalogNumber = x, 0 }

// drop hides an object until Commit removes it, and keeps it locked.
func (t *Transaction) drop(ctx context.Context, name string) error {
	o, own := t.catalog.names[name]
	switch {
	case own:
	case t.frozen != nil:
		o = t.frozen.object(name)
	default:
		o, _ = t.s.Object(name)
	}
	if o == nil {
		return fmt.Errorf("%s %w", name, ErrNotFound)
	}
	if _, err := t.s.lockCorpus(ctx, o.ID); err != nil {
		return err
	}
	if now := t.s.entry(ctx, o); now.Name != name { // renamed by the previous writer
		return fmt.Errorf("%s %w", name, ErrNotFound)
	}
	x := t.catalog.with(name, nil)
	if !t.makes(o.ID) {
		x.gone = append(slices.Clip(x.gone), o)
	}
	t.setCatalog(x)
	return nil
}

// discardMade removes unpublished objects of the transaction.
func (t *Transaction) discardMade(made []*Object) {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range made {
		// After an error the entry is removed when the file is opened.
		_ = s.Update(func(tx *sealed.Tx) error { return discardEntry(tx, o.ID) })
		delete(s.cat.hidden, o.ID)
		t.unlock(o.ID)
	}
}

// unlock releases the lock of an object.
func (t *Transaction) unlock(id uint32) {
	unlock := t.locks[id]
	if unlock == nil {
		return
	}
	c := &t.s.corpora
	c.mu.Lock()
	delete(c.owners, id)
	c.mu.Unlock()
	delete(t.locks, id)
	unlock()
}

// revealed are the objects that the transaction has made or altered and not dropped, by name. The lock of the store
// must be held. ErrExists if the name of one was taken meanwhile.
func (t *Transaction) revealed() ([]*Object, error) {
	var out []*Object
	for _, name := range slices.Sorted(maps.Keys(t.catalog.names)) {
		o := t.catalog.names[name]
		if o == nil {
			continue
		}
		if other := t.s.cat.byName[name]; other != nil && !t.drops(other.ID) && t.current(other.ID) == nil {
			return nil, &TakenError{other}
		}
		out = append(out, o)
	}
	return out, nil
}

// current is the entry of an object that the transaction has made or altered and not dropped, nil for others.
func (t *Transaction) current(id uint32) *Object {
	for _, o := range t.catalog.names {
		if o != nil && o.ID == id {
			return o
		}
	}
	return nil
}

// makes reports whether the transaction, which may be nil, has made an object.
func (t *Transaction) makes(id uint32) bool {
	return t != nil && slices.ContainsFunc(t.made, func(o *Object) bool { return o.ID == id })
}

// alter replaces the entry of a name, also by one of another name. The lock of the store must be held.
func (t *Transaction) alter(name string, o *Object) {
	if t.makes(o.ID) {
		t.s.cat.hidden[o.ID] = o
	}
	x := t.catalog
	if o.Name != name {
		x = x.with(name, nil)
		t.s.cat.reserved[o.Name] = t
	}
	t.setCatalog(x.with(o.Name, o))
}

// backTo restores the overlay of a savepoint.
func (t *Transaction) backTo(made int, x catalogOverlay) {
	t.discardMade(t.made[made:])
	t.made = slices.Clip(t.made[:made])
	t.setCatalog(x)
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	for _, o := range x.names {
		if o != nil && t.makes(o.ID) {
			t.s.cat.hidden[o.ID] = o
		}
	}
}

func (t *Transaction) drops(id uint32) bool {
	return slices.ContainsFunc(t.catalog.gone, func(o *Object) bool { return o.ID == id })
}

// writeCatalog writes the changes of the catalog.
func (t *Transaction) writeCatalog(tx *sealed.Tx, revealed []*Object) error {
	for _, o := range t.catalog.gone {
		if err := removeEntry(tx, o.ID); err != nil {
			return err
		}
	}
	for _, o := range t.made {
		if t.current(o.ID) != nil {
			continue
		}
		if err := discardEntry(tx, o.ID); err != nil {
			return err
		}
	}
	for _, o := range revealed {
		if err := catalog.PutEntry(tx, o); err != nil {
			return err
		}
	}
	return nil
}

// publishCatalog makes the written changes of the catalog visible. The lock of the store must be held.
func (t *Transaction) publishCatalog(revealed, lost []*Object, version uint64) {
	cat, oldest := t.s.cat, t.s.corpora.oldest()
	known := map[uint32]*Object{}
	for _, o := range slices.Concat(lost, revealed) {
		delete(cat.hidden, o.ID)
		for name, was := range cat.byName { // it may have been renamed
			if was.ID == o.ID {
				known[o.ID] = was
				delete(cat.byName, name)
			}
		}
	}
	for _, o := range revealed {
		now := *o
		now.Since, now.Before = version, known[o.ID].Kept(oldest)
		cat.byName[o.Name] = &now
	}
	if len(revealed)+len(t.catalog.gone) > 0 {
		cat.version++
	}
}

// lost are the objects that Commit removes: those that it has dropped, committed or its own.
func (t *Transaction) lost() []*Object {
	out := slices.Clone(t.catalog.gone)
	for _, o := range t.made {
		if t.current(o.ID) == nil {
			out = append(out, o)
		}
	}
	return out
}
