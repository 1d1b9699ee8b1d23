package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"time"

	"parlance/storage/bbolt"
	"parlance/storage/value"
)

// Kind of object names what a catalog entry is.
type ObjectKind string

// The kinds of object that share one name space.
const (
	CorpusObject    ObjectKind = "corpus"
	GazetteerObject ObjectKind = "gazetteer"
	LexiconObject   ObjectKind = "lexicon"
	KBObject        ObjectKind = "kb"
	FeaturesObject  ObjectKind = "features"
	ModelObject     ObjectKind = "model"
)

// ColumnDef is a declared column of an object.
type ColumnDef struct {
	Name   string     `json:"name"`
	Type   value.Type `json:"type"`
	Stored string     `json:"stored,omitempty"` // name in the file where it is another
	Slot   int        `json:"slot,omitempty"`   // of a table: place in stored rows, 1-based; 0 is that in Columns
}

// Object is a catalog entry.
type Object struct {
	ID      uint32            `json:"id"`
	Name    string            `json:"name"`
	Kind    ObjectKind        `json:"kind"`
	Columns []ColumnDef       `json:"columns,omitempty"` // corpus metadata, table columns
	Options map[string]string `json:"options,omitempty"` // WITH of CREATE
	Source  string            `json:"source,omitempty"`  // templates of a feature set
	Indexes [][]string        `json:"indexes,omitempty"`
	Retired []string          `json:"retired,omitempty"` // stored names of dropped columns
	Width   int               `json:"width,omitempty"`   // values of a stored row where columns were dropped
	Tables  []*Object         `json:"tables,omitempty"`  // of a knowledge base
	Owner   uint32            `json:"owner,omitempty"`   // of such a table: identifier of the knowledge base
	Part    string            `json:"part,omitempty"`    // and its name in it
	Created time.Time         `json:"created"`

	since  uint64  // version of the state in which what a transaction has made of it is first seen
	before *Object // what snapshots from before find; nil for nothing
}

// Table returns a table of a knowledge base, or nil.
func (o *Object) Table(part string) *Object {
	for _, t := range o.Tables {
		if t.Part == part {
			return t
		}
	}
	return nil
}

// entryID is the identifier of the catalog entry that the object stands in.
func (o *Object) entryID() uint32 {
	if o.Owner != 0 {
		return o.Owner
	}
	return o.ID
}

// Column returns the position of a declared column, or -1.
func (o *Object) Column(name string) int {
	for i := range o.Columns {
		if o.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

type catalog struct {
	version uint64 // rises with every change
	byName  map[string]*Object
	coming  map[uint32]*Object      // what is being filled, before it has its name
	taken   map[string]*Transaction // names that transactions give to objects
	trained map[string]int          // names that trainings will give to models, with their number
	nextID  uint32
}

// byID returns the entry of an identifier, or nil.
func (c *catalog) byID(id uint32) *Object {
	for _, o := range c.byName {
		if found := o.within(id); found != nil {
			return found
		}
	}
	for _, o := range c.coming {
		if found := o.within(id); found != nil {
			return found
		}
	}
	return nil
}

// within returns the object or the table of it that has an identifier, or nil.
func (o *Object) within(id uint32) *Object {
	if o.ID == id {
		return o
	}
	for _, t := range o.Tables {
		if t.ID == id {
			return t
		}
	}
	return nil
}

func (s *Store) loadCatalog() error {
	c := &catalog{byName: map[string]*Object{}, coming: map[uint32]*Object{}, taken: map[string]*Transaction{}, trained: map[string]int{}, nextID: 1}
	err := s.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucketCatalog)
		if b == nil {
			return ErrNotDatabase
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

// Objects returns the entries of a kind ("" for all) by name. Entries are never changed.
func (s *Store) Objects(kind ObjectKind) []*Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []*Object
	for _, o := range s.cat.byName {
		if kind == "" || o.Kind == kind {
			out = append(out, o)
		}
	}
	sortObjects(out)
	return out
}

func sortObjects(list []*Object) {
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
}

// tableObjects returns what may have rows: all objects, and the tables of knowledge bases after them.
func (s *Store) tableObjects() []*Object {
	out := s.Objects("")
	for _, o := range out {
		out = append(out, o.Tables...)
	}
	return out
}

func objectKey(id uint32) []byte { return []byte("object/" + strconv.FormatUint(uint64(id)+1<<32, 10)) }

// CreateObject adds an entry and returns it with its identifier; ErrExists if the name is taken, ErrComing if it will be. In a transaction
// the entry is part of that.
func (s *Store) CreateObject(ctx context.Context, o Object) (*Object, error) {
	if transaction(ctx) != nil {
		made, err := s.PrepareObject(ctx, o)
		if err != nil {
			return nil, err
		}
		return made, s.RevealObject(ctx, made)
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

// identify gives an object and its tables identifiers; ErrExists if its name is taken for the transaction, which may be
// nil, ErrComing if another statement or transaction makes an object of the name.
func (c *catalog) identify(t *Transaction, o *Object) error {
	if err := c.free(t, o.Name); err != nil {
		return err
	}
	o.ID, o.Created = c.nextID, time.Now().UTC().Truncate(time.Microsecond)
	for i, t := range o.Tables {
		t.ID, t.Owner, t.Created = o.ID+1+uint32(i), o.ID, o.Created
	}
	c.nextID += 1 + uint32(len(o.Tables))
	return nil
}

// free fails for a name that an object has, or will have, where the transaction, which may be nil, looks for it.
func (c *catalog) free(t *Transaction, name string) error {
	if t.entry(c, name) != nil {
		return fmt.Errorf("%s %w", name, ErrExists)
	}
	if c.trained[name] > 0 {
		return fmt.Errorf("%s %w", name, ErrComing)
	}
	return c.unmade(t, name)
}

// unmade fails for a name that another transaction or statement than t gives to an object.
func (c *catalog) unmade(t *Transaction, name string) error {
	other := c.taken[name]
	if other != nil && other != t {
		return fmt.Errorf("%s %w", name, ErrComing)
	}
	for _, x := range c.coming {
		if x.Name == name && !t.makes(x.ID) {
			return fmt.Errorf("%s %w", name, ErrComing)
		}
	}
	return nil
}

// NameModel keeps a name for a model that is being trained until release is called: whoever would make something else of
// that name meanwhile gets ErrComing. Several trainings may have one name. ErrExists if the name is that of something else,
// ErrComing if it will be.
func (s *Store) NameModel(name string) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.cat.byName[name]; o != nil && o.Kind != ModelObject {
		return nil, fmt.Errorf("%s %w", name, ErrExists)
	}
	if err := s.cat.unmade(nil, name); err != nil {
		return nil, err
	}
	s.cat.trained[name]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.cat.trained[name]--; s.cat.trained[name] == 0 {
			delete(s.cat.trained, name)
		}
	}, nil
}

// PrepareObject returns an object that can be filled before anybody knows it. RevealObject or ForsakeObject
// follows; a process that is killed in between leaves nothing.
func (s *Store) PrepareObject(ctx context.Context, o Object) (*Object, error) {
	t := transaction(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.cat.identify(t, &o); err != nil {
		return nil, err
	}
	err := s.update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketCatalog).Put(comingKey(o.ID), []byte{}) })
	if err != nil {
		return nil, err
	}
	s.cat.coming[o.ID] = &o
	if t != nil {
		t.made = append(t.made, &o)
	}
	return &o, nil
}

// RevealObject adds the entry of a prepared object; ErrExists if its name has been taken meanwhile. In a transaction
// others do not know it before Commit.
func (s *Store) RevealObject(ctx context.Context, o *Object) error {
	if t := transaction(ctx); t != nil {
		t.setCatalog(t.catalog.with(o.Name, o))
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.cat.byName[o.Name]; taken {
		return fmt.Errorf("%s %w", o.Name, ErrExists)
	}
	if err := s.putObject(o); err != nil {
		return err
	}
	c := &s.corpora
	c.mu.Lock()
	c.version++
	version := c.version
	c.mu.Unlock()
	s.cat.reveal(o, version)
	s.cat.version++
	return nil
}

// reveal gives a prepared object its name, for snapshots from a version on.
func (c *catalog) reveal(o *Object, version uint64) {
	known := *o
	known.since = version
	delete(c.coming, o.ID)
	c.byName[o.Name] = &known
}

// ForsakeObject gives up a prepared object with all that was written to it. In a transaction Back or Rollback does.
func (s *Store) ForsakeObject(ctx context.Context, o *Object) error {
	if transaction(ctx) != nil {
		return nil
	}
	s.mu.Lock()
	err := s.update(func(tx *bbolt.Tx) error { return forsake(tx, o.ID) })
	delete(s.cat.coming, o.ID)
	s.publish(map[uint32]*corpusState{o.ID: nil}, s.remains(ctx, o))
	s.mu.Unlock()
	s.collectSoon(context.Background())
	return err
}

// forsake removes what the catalog has of an object that is not known.
func forsake(tx *bbolt.Tx, id uint32) error {
	b := tx.Bucket(bucketCatalog)
	if err := b.Delete(corpusKey(id)); err != nil {
		return err
	}
	return b.Delete(comingKey(id))
}

// forsakeAll gives up the objects that a killed process was filling; what else they have is a leftover.
func (s *Store) forsakeAll() error {
	if s.readOnly {
		return nil
	}
	var lost []uint32
	err := s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketCatalog).Cursor()
		for k, _ := c.Seek(comingPrefix); bytes.HasPrefix(k, comingPrefix); k, _ = c.Next() {
			if len(k) == len(comingPrefix)+4 {
				lost = append(lost, binary.BigEndian.Uint32(k[len(comingPrefix):]))
			}
		}
		return nil
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	return s.update(func(tx *bbolt.Tx) error {
		for _, id := range lost {
			if err := forsake(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

var comingPrefix = []byte("coming/")

func comingKey(id uint32) []byte { return be32(slices.Clone(comingPrefix), id) }

func (s *Store) putObject(o *Object) error {
	return s.update(func(tx *bbolt.Tx) error { return putEntry(tx, o) })
}

// putEntry writes the entry of an object.
func putEntry(tx *bbolt.Tx, o *Object) error {
	raw, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := tx.Bucket(bucketCatalog).Delete(comingKey(o.ID)); err != nil {
		return err
	}
	return tx.Bucket(bucketCatalog).Put(objectKey(o.ID), raw)
}

// RenameObject gives an object another name; ErrExists if that is taken, ErrComing if it will be. It waits for writers
// of the object.
func (s *Store) RenameObject(ctx context.Context, o *Object, to string) error {
	if s.readOnly {
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

// alterObject replaces an entry by what change makes of a copy (also under a new name). In a transaction the entry is
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
		if err := s.cat.free(t, o.Name); err != nil {
			return nil, err
		}
		o.nameTables()
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

// nameTables gives the tables of a knowledge base their names.
func (o *Object) nameTables() {
	tables := o.Tables
	o.Tables = nil
	for _, t := range tables {
		c := *t
		c.Name = o.Name + "." + c.Part
		o.Tables = append(o.Tables, &c)
	}
}

// alterEntry replaces an object, or a table of a knowledge base, by what change makes of a copy.
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

// DropObject removes the entry; its data follows when no snapshot reads it any more. In a transaction Commit does so.
func (s *Store) DropObject(ctx context.Context, name string) error {
	if t := transaction(ctx); t != nil {
		return t.drop(ctx, name)
	}
	if err := s.dropEntry(name); err != nil {
		return err
	}
	s.collectSoon(context.Background())
	return nil
}

func (s *Store) dropEntry(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.cat.byName[name]
	if !ok {
		return fmt.Errorf("%s %w", name, ErrNotFound)
	}
	if err := s.update(func(tx *bbolt.Tx) error { return removeEntry(tx, o.ID) }); err != nil {
		return err
	}
	delete(s.cat.byName, name)
	s.cat.version++
	s.publish(map[uint32]*corpusState{o.ID: nil}, s.remains(context.Background(), o))
	return nil
}

// removeEntry deletes the entry of an object.
func removeEntry(tx *bbolt.Tx, id uint32) error {
	if err := tx.Bucket(bucketCatalog).Delete(corpusKey(id)); err != nil {
		return err
	}
	return tx.Bucket(bucketCatalog).Delete(objectKey(id))
}

// remains is what an object leaves behind in the file, as a statement under the context sees it.
func (s *Store) remains(ctx context.Context, o *Object) []garbage {
	var out []garbage
	for _, g := range s.state(ctx, o.ID).gens {
		out = append(out, garbage{corpus: o.ID, gen: g.id, all: true})
	}
	for _, t := range append(o.Tables[:len(o.Tables):len(o.Tables)], o) {
		out = append(out, garbage{corpus: t.ID, table: true})
	}
	return out
}

// removeTable deletes the rows of a table and their indexes.
func (s *Store) removeTable(ctx context.Context, id uint32) error {
	buckets := [][]byte{bucketTable, bucketIndex}
	if err := s.view(func(tx *bbolt.Tx) error {
		if stagedIn(tx) != nil {
			buckets = append(buckets, bucketStaged)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, b := range buckets {
		if err := s.deletePrefix(ctx, b, be32(nil, id)); err != nil {
			return err
		}
	}
	s.forgetTable(id)
	return s.update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketCatalog).Delete(tableKey(id)) })
}

// forgetTable drops the state of a table.
func (s *Store) forgetTable(id uint32) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	next := maps.Clone(c.tables)
	delete(next, id)
	c.tables = next
}
