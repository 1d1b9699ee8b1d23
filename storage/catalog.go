package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/sealed"
	"parlance/storage/table"
)

// Object is an entry of the catalog.
type Object = catalog.Object

// catalogState is the committed catalog, and names that are about to be taken.
type catalogState struct {
	version  uint64 // rises with every change
	byName   map[string]*Object
	hidden   map[uint32]*Object      // objects that are being filled and have no name yet
	reserved map[string]*Transaction // names of objects that transactions have made
	training map[string]int          // names reserved by trainings, with the number of these
	nextID   uint32
}

// byID returns the entry of an identifier, or nil.
func (c *catalogState) byID(id uint32) *Object {
	for _, o := range c.byName {
		if found := o.Within(id); found != nil {
			return found
		}
	}
	for _, o := range c.hidden {
		if found := o.Within(id); found != nil {
			return found
		}
	}
	return nil
}

func (s *Store) loadCatalog() error {
	c := &catalogState{byName: map[string]*Object{}, hidden: map[uint32]*Object{}, reserved: map[string]*Transaction{},
		training: map[string]int{}, nextID: 1}
	err := s.View(func(tx *sealed.Tx) error {
		b := tx.Bucket(bucketCatalog)
		if b == nil {
			return dbfile.ErrNotDatabase
		}
		prefix := []byte("object/")
		cur := b.Cursor()
		for k, v := cur.Seek(prefix); len(k) > len(prefix) && string(k[:len(prefix)]) == string(prefix); k, v = cur.Next() {
			var o Object
			if err := json.Unmarshal(v, &o); err != nil {
				return fmt.Errorf("%w: catalog entry %s", ErrCorrupt, k)
			}
			c.byName[o.Name] = &o
			c.nextID = max(c.nextID, o.ID+1)
			for _, t := range o.Tables {
				c.nextID = max(c.nextID, t.ID+1)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.cat = c
	s.mu.Unlock()
	return nil
}

// CatalogVersion rises with every change of the catalog; plans are cached under it.
func (s *Store) CatalogVersion() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.cat.version
}

// Object returns the entry of the name.
func (s *Store) Object(name string) (*Object, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.cat.byName[name]
	return o, ok
}

// byID returns the entry with an identifier, nil for none.
func (s *Store) byID(id uint32) *Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.cat.byID(id)
}

// Objects returns the entries of a kind ("" for all) by name. Entries are never changed.
func (s *Store) Objects(kind catalog.ObjectKind) []*Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return ofKind(s.cat.byName, kind)
}

// ofKind returns entries of a kind ("" for all) by name.
func ofKind(entries map[string]*Object, kind catalog.ObjectKind) []*Object {
	var out []*Object
	for _, o := range entries {
		if kind == "" || o.Kind == kind {
			out = append(out, o)
		}
	}
	catalog.SortObjects(out)
	return out
}

// tableObjects returns the objects that may have rows: all objects, followed by the tables of knowledge bases.
func (s *Store) tableObjects() []*Object {
	out := s.Objects("")
	for _, o := range out {
		out = append(out, o.Tables...)
	}
	return out
}

// CreateObject adds an entry and returns it with its identifier. It returns ErrExists if the name is taken, and
// ErrNamePending if another statement or transaction is about to take it. In a transaction the entry is part of that.
func (s *Store) CreateObject(ctx context.Context, o Object) (*Object, error) {
	if transaction(ctx) != nil {
		made, err := s.CreateHidden(ctx, o)
		if err != nil {
			return nil, err
		}
		return made, s.PublishObject(ctx, made)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.cat.identify(nil, &o); err != nil {
		return nil, err
	}
	if err := s.putObject(&o); err != nil {
		return nil, err
	}
	s.cat.byName[o.Name] = &o
	s.cat.version++
	return &o, nil
}

// identify gives an object and its tables identifiers. t is the transaction, or nil. It returns ErrExists if the name
// is taken, ErrNamePending if another statement or transaction makes an object of the name.
func (c *catalogState) identify(t *Transaction, o *Object) error {
	if err := c.checkNameFree(t, o.Name); err != nil {
		return err
	}
	o.ID, o.Created = c.nextID, time.Now().UTC().Truncate(time.Microsecond)
	for i, t := range o.Tables {
		t.ID, t.Owner, t.Created = o.ID+1+uint32(i), o.ID, o.Created
	}
	c.nextID += 1 + uint32(len(o.Tables))
	return nil
}

// checkNameFree returns an error if an object has the name, or will have it, as seen by transaction t, which may be
// nil.
func (c *catalogState) checkNameFree(t *Transaction, name string) error {
	if o := t.entry(c, name); o != nil {
		return &TakenError{o}
	}
	if c.training[name] > 0 {
		return fmt.Errorf("%s %w", name, ErrNamePending)
	}
	return c.checkNotPending(t, name)
}

// checkNotPending returns an error if a statement or transaction other than t is making an object of the name.
func (c *catalogState) checkNotPending(t *Transaction, name string) error {
	other := c.reserved[name]
	if other != nil && other != t {
		return fmt.Errorf("%s %w", name, ErrNamePending)
	}
	for _, x := range c.hidden {
		if x.Name == name && !t.makes(x.ID) {
			return fmt.Errorf("%s %w", name, ErrNamePending)
		}
	}
	return nil
}

// ReserveModelName reserves a name for a model that is being trained until release is called: making another object of
// that name fails with ErrNamePending. Several trainings may reserve one name. It returns ErrExists if the name belongs
// to an object that is no model, ErrNamePending if it is about to.
func (s *Store) ReserveModelName(name string) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.cat.byName[name]; o != nil && o.Kind != catalog.ModelObject {
		return nil, &TakenError{o}
	}
	if err := s.cat.checkNotPending(nil, name); err != nil {
		return nil, err
	}
	s.cat.training[name]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.cat.training[name]--; s.cat.training[name] == 0 {
			delete(s.cat.training, name)
		}
	}, nil
}

// CreateHidden returns an object that can be filled before it is visible. PublishObject or DiscardObject must follow.
// If the process is killed in between, the object is removed at the next opening.
func (s *Store) CreateHidden(ctx context.Context, o Object) (*Object, error) {
	t := transaction(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.cat.identify(t, &o); err != nil {
		return nil, err
	}
	err := s.Update(func(tx *sealed.Tx) error { return tx.Bucket(bucketCatalog).Put(catalog.ComingKey(o.ID), []byte{}) })
	if err != nil {
		return nil, err
	}
	s.cat.hidden[o.ID] = &o
	if t != nil {
		t.made = append(t.made, &o)
	}
	return &o, nil
}

// PublishObject adds the entry of a hidden object to the catalog; ErrExists if its name has been taken meanwhile. In a
// transaction it is visible to others after Commit.
func (s *Store) PublishObject(ctx context.Context, o *Object) error {
	if t := transaction(ctx); t != nil {
		t.setCatalog(t.catalog.with(o.Name, o))
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.cat.byName[o.Name]; other != nil {
		return &TakenError{other}
	}
	if err := s.putObject(o); err != nil {
		return err
	}
	c := &s.corpora
	c.mu.Lock()
	c.version++
	version := c.version
	c.mu.Unlock()
	s.cat.publishHidden(o, version)
	s.cat.version++
	return nil
}

// publishHidden gives a hidden object its name, for snapshots from a version on.
func (c *catalogState) publishHidden(o *Object, version uint64) {
	known := *o
	known.Since = version
	delete(c.hidden, o.ID)
	c.byName[o.Name] = &known
}

// DiscardObject removes a hidden object and its content. In a transaction RollbackTo or Rollback does.
func (s *Store) DiscardObject(ctx context.Context, o *Object) error {
	if transaction(ctx) != nil {
		return nil
	}
	s.mu.Lock()
	err := s.Update(func(tx *sealed.Tx) error { return discardEntry(tx, o.ID) })
	delete(s.cat.hidden, o.ID)
	s.publish(map[uint32]*documents.Corpus{o.ID: nil}, s.remains(ctx, o))
	s.mu.Unlock()
	s.collectSoon(context.Background())
	return err
}

// discardEntry removes the catalog entry of a hidden object.
func discardEntry(tx *sealed.Tx, id uint32) error {
	b := tx.Bucket(bucketCatalog)
	if err := b.Delete(documents.CorpusKey(id)); err != nil {
		return err
	}
	return b.Delete(catalog.ComingKey(id))
}

// discardHidden removes the hidden objects that a killed process was filling. Their rows are orphans.
func (s *Store) discardHidden() error {
	if s.ReadOnly() {
		return nil
	}
	var lost []uint32
	err := s.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(bucketCatalog).Cursor()
		for k, _ := c.Seek(catalog.HiddenPrefix); bytes.HasPrefix(k, catalog.HiddenPrefix); k, _ = c.Next() {
			if len(k) == len(catalog.HiddenPrefix)+4 {
				lost = append(lost, binary.BigEndian.Uint32(k[len(catalog.HiddenPrefix):]))
			}
		}
		return nil
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	return s.Update(func(tx *sealed.Tx) error {
		for _, id := range lost {
			if err := discardEntry(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) putObject(o *Object) error {
	return s.Update(func(tx *sealed.Tx) error { return catalog.PutEntry(tx, o) })
}

// RenameObject renames an object; ErrExists if the name is taken, ErrNamePending if it is about to be. It waits for
// writers of the object.
func (s *Store) RenameObject(ctx context.Context, o *Object, to string) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.alterEntry(ctx, o, func(x *Object) error { x.Name = to; return nil })
	return err
}

// alterObject replaces an entry by a copy that change has edited, also under a new name. In a transaction the entry is
// part of that.
func (s *Store) alterObject(ctx context.Context, id uint32, change func(*Object) error) (*Object, error) {
	t := transaction(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	old := t.object(s.cat, id)
	if old == nil {
		return nil, fmt.Errorf("the object was dropped: %w", ErrNotFound)
	}
	o := *old
	if err := change(&o); err != nil {
		return nil, err
	}
	if o.Name != old.Name {
		if err := s.cat.checkNameFree(t, o.Name); err != nil {
			return nil, err
		}
		o.NameTables()
	}
	if t != nil {
		t.alter(old.Name, &o)
		return &o, nil
	}
	if err := s.putObject(&o); err != nil {
		return nil, err
	}
	delete(s.cat.byName, old.Name)
	s.cat.byName[o.Name] = &o
	s.cat.version++
	return &o, nil
}

// alterEntry replaces an object, or a table of a knowledge base, by a copy that change has edited.
func (s *Store) alterEntry(ctx context.Context, o *Object, change func(*Object) error) (*Object, error) {
	if o.Owner == 0 {
		return s.alterObject(ctx, o.ID, change)
	}
	now, err := s.alterObject(ctx, o.Owner, func(x *Object) error {
		x.Tables = slices.Clone(x.Tables)
		for i, t := range x.Tables {
			if t.ID == o.ID {
				c := *t
				x.Tables[i] = &c
				return change(&c)
			}
		}
		return fmt.Errorf("%s %w", o.Name, ErrNotFound)
	})
	if err != nil {
		return nil, err
	}
	return now.Table(o.Part), nil
}

// DropObject removes the entry. Its data is deleted when no snapshot reads it any more. In a transaction Commit does
// so. It waits for writers of the object; ErrNotFound if they have dropped or renamed it.
func (s *Store) DropObject(ctx context.Context, name string) error {
	if t := transaction(ctx); t != nil {
		return t.drop(ctx, name)
	}
	o, ok := s.Object(name)
	if !ok {
		return fmt.Errorf("%s %w", name, ErrNotFound)
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	err = s.dropEntry(name, o.ID)
	unlock()
	if err == nil {
		s.collectSoon(context.Background())
	}
	return err
}

func (s *Store) dropEntry(name string, id uint32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.cat.byName[name]
	if !ok || o.ID != id {
		return fmt.Errorf("%s %w", name, ErrNotFound)
	}
	if err := s.Update(func(tx *sealed.Tx) error { return removeEntry(tx, o.ID) }); err != nil {
		return err
	}
	delete(s.cat.byName, name)
	s.cat.version++
	s.publish(map[uint32]*documents.Corpus{o.ID: nil}, s.remains(context.Background(), o))
	return nil
}

// removeEntry deletes the entry of an object.
func removeEntry(tx *sealed.Tx, id uint32) error {
	if err := tx.Bucket(bucketCatalog).Delete(documents.CorpusKey(id)); err != nil {
		return err
	}
	return tx.Bucket(bucketCatalog).Delete(catalog.ObjectKey(id))
}

// remains is the data of a dropped object in the file, to be deleted, as the statement of the context sees it.
func (s *Store) remains(ctx context.Context, o *Object) []garbage {
	var out []garbage
	for _, g := range s.state(ctx, o.ID).Gens {
		out = append(out, garbage{corpus: o.ID, gen: g.ID, all: true})
	}
	for _, t := range append(o.Tables[:len(o.Tables):len(o.Tables)], o) {
		out = append(out, garbage{corpus: t.ID, table: true})
	}
	return out
}

// removeTable deletes the rows of a table and their indexes.
func (s *Store) removeTable(ctx context.Context, id uint32) error {
	for _, b := range [][]byte{bucketSegment, bucketIndex} {
		if err := s.DeletePrefix(ctx, b, dbfile.Key(id)); err != nil {
			return err
		}
	}
	s.forgetTable(id)
	return s.Update(func(tx *sealed.Tx) error { return tx.Bucket(bucketCatalog).Delete(table.Key(id)) })
}

// forgetTable removes the state of a table from memory.
func (s *Store) forgetTable(id uint32) {
	s.groups.forget(id)
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	next := maps.Clone(c.tables)
	delete(next, id)
	c.tables = next
}

// Owner returns the knowledge base of a table, as the statement of the context sees it; nil for other objects.
func (s *Store) Owner(ctx context.Context, o *Object) *Object {
	if o.Owner == 0 {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return transaction(ctx).object(s.cat, o.Owner)
}
