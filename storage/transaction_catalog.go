package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/bbolt"
)

// catalogOverlay is the catalog with the changes of a transaction. Its parts are not changed: others take their place.
type catalogOverlay struct {
	names map[string]*Object // of what it has made or altered, and nil for what it has dropped or renamed
	gone  []*Object          // committed ones that it has dropped
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
	if sn.frozen != nil {
		o := sn.frozen.object(name)
		return o, o != nil
	}
	o, ok := sn.s.Object(name)
	if ok && o.since > sn.version {
		o = o.at(sn.version)
		ok = o != nil && o.Name == name
	}
	return o, ok
}

// at returns the entry that snapshots of a version find, nil for none.
func (o *Object) at(version uint64) *Object {
	for o != nil && o.since > version {
		o = o.before
	}
	return o
}

// Objects returns the entries of a kind ("" for all) by name, as the transaction of the snapshot sees them.
func (sn *Snapshot) Objects(kind ObjectKind) []*Object {
	var out []*Object
	all := sn.s.Objects
	if sn.frozen != nil {
		all = sn.frozen.objects
	}
	for _, o := range all(kind) {
		if _, changed := sn.names[o.Name]; changed {
			continue
		}
		if o = o.at(sn.version); o != nil {
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
	sortObjects(out)
	return out
}

// CatalogVersion tells catalogs apart; that of the committed one rises with every change of it.
func (sn *Snapshot) CatalogVersion() uint64 {
	if sn.catalog != 0 {
		return sn.catalog
	}
	if sn.frozen != nil {
		return sn.frozen.catalog.version
	}
	return sn.s.CatalogVersion()
}

// captureCatalog gives a snapshot the catalog that the transaction sees.
func (t *Transaction) captureCatalog(sn *Snapshot) {
	if len(t.catalog.names) == 0 {
		return
	}
	if base := sn.CatalogVersion(); t.catalogNumber == 0 || t.catalogBase != base {
		t.catalogBase, t.catalogNumber = base, firstOverlay+t.s.corpora.overlays.Add(1)
	}
	sn.names, sn.catalog = t.catalog.names, t.catalogNumber
}

// entry returns what the name stands for in a transaction, which may be nil, or nil.
func (t *Transaction) entry(c *catalog, name string) *Object {
	if t != nil {
		if o, changed := t.catalog.names[name]; changed {
			return o
		}
	}
	return c.byName[name]
}

// object returns the entry of an identifier as the transaction, which may be nil, sees it; the lock of the store is held.
func (t *Transaction) object(c *catalog, id uint32) *Object {
	if t != nil {
		for _, o := range t.catalog.names {
			if o != nil {
				if found := o.within(id); found != nil {
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

// kept is the entry without what no snapshot from a version on finds.
func (o *Object) kept(oldest uint64) *Object {
	if o == nil || o.since <= oldest && o.before == nil {
		return o
	}
	x := *o
	if x.since <= oldest {
		x.before = nil
	} else {
		x.before = x.before.kept(oldest)
	}
	return &x
}

// setCatalog replaces what the transaction makes of the catalog.
func (t *Transaction) setCatalog(x catalogOverlay) { t.catalog, t.catalogNumber = x, 0 }

// drop hides an object until Commit removes it. Nobody else writes it meanwhile.
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
	if now := t.s.entry(ctx, o); now.Name != name { // by who wrote it before
		return fmt.Errorf("%s %w", name, ErrNotFound)
	}
	x := t.catalog.with(name, nil)
	if !t.makes(o.ID) {
		x.gone = append(slices.Clip(x.gone), o)
	}
	t.setCatalog(x)
	return nil
}

// forsake gives up objects that the transaction has made and nobody knows.
func (t *Transaction) forsake(made []*Object) {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range made {
		// What an error leaves in the file is removed when it is opened.
		_ = s.update(func(tx *bbolt.Tx) error { return forsake(tx, o.ID) })
		delete(s.cat.coming, o.ID)
		t.letGo(o.ID)
	}
}

// letGo ends the transaction's hold of an object.
func (t *Transaction) letGo(id uint32) {
	unlock := t.held[id]
	if unlock == nil {
		return
	}
	c := &t.s.corpora
	c.mu.Lock()
	delete(c.owners, id)
	c.mu.Unlock()
	delete(t.held, id)
	unlock()
}

// revealed is what the transaction has made or altered and not dropped, by name; the lock of the store is held.
// ErrExists if another has taken the name of one meanwhile.
func (t *Transaction) revealed() ([]*Object, error) {
	var out []*Object
	for _, name := range slices.Sorted(maps.Keys(t.catalog.names)) {
		o := t.catalog.names[name]
		if o == nil {
			continue
		}
		if other := t.s.cat.byName[name]; other != nil && !t.drops(other.ID) && t.current(other.ID) == nil {
			return nil, fmt.Errorf("%s %w", name, ErrExists)
		}
		out = append(out, o)
	}
	return out, nil
}

// current is the entry of an object that the transaction has made or altered, nil of others and of those that it has dropped.
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

// alter replaces the entry under a name, also by one under another name; the lock of the store is held.
func (t *Transaction) alter(name string, o *Object) {
	if t.makes(o.ID) {
		t.s.cat.coming[o.ID] = o
	}
	x := t.catalog
	if o.Name != name {
		x = x.with(name, nil)
		t.s.cat.taken[o.Name] = t
	}
	t.setCatalog(x.with(o.Name, o))
}

// backTo gives the objects of the transaction the entries of a moment.
func (t *Transaction) backTo(made int, x catalogOverlay) {
	t.forsake(t.made[made:])
	t.made = slices.Clip(t.made[:made])
	t.setCatalog(x)
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	for _, o := range x.names {
		if o != nil && t.makes(o.ID) {
			t.s.cat.coming[o.ID] = o
		}
	}
}

func (t *Transaction) drops(id uint32) bool {
	return slices.ContainsFunc(t.catalog.gone, func(o *Object) bool { return o.ID == id })
}

// writeCatalog writes the changes of the catalog.
func (t *Transaction) writeCatalog(tx *bbolt.Tx, revealed []*Object) error {
	for _, o := range t.catalog.gone {
		if err := removeEntry(tx, o.ID); err != nil {
			return err
		}
	}
	for _, o := range t.made {
		if t.current(o.ID) != nil {
			continue
		}
		if err := forsake(tx, o.ID); err != nil {
			return err
		}
	}
	for _, o := range revealed {
		if err := putEntry(tx, o); err != nil {
			return err
		}
	}
	return nil
}

// publishCatalog makes the written changes of the catalog known; the lock of the store is held.
func (t *Transaction) publishCatalog(revealed, lost []*Object, version uint64) {
	cat, oldest := t.s.cat, t.s.corpora.oldest()
	known := map[uint32]*Object{}
	for _, o := range slices.Concat(lost, revealed) {
		delete(cat.coming, o.ID)
		for name, was := range cat.byName { // it may have another name by now
			if was.ID == o.ID {
				known[o.ID] = was
				delete(cat.byName, name)
			}
		}
	}
	for _, o := range revealed {
		now := *o
		now.since, now.before = version, known[o.ID].kept(oldest)
		cat.byName[o.Name] = &now
	}
	if len(revealed)+len(t.catalog.gone) > 0 {
		cat.version++
	}
}

// lost is what there is no more after Commit: what it has dropped, committed or its own.
func (t *Transaction) lost() []*Object {
	out := slices.Clone(t.catalog.gone)
	for _, o := range t.made {
		if t.current(o.ID) == nil {
			out = append(out, o)
		}
	}
	return out
}
