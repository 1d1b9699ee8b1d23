package storage

import (
	"maps"
	"sync"

	"parlance/storage/catalog"
	"parlance/storage/registry"
	"parlance/storage/table"
)

// Frozen is the committed state of one moment, including the catalog and the versions of models, which all statements
// of a transaction block read under REPEATABLE READ and SERIALIZABLE. It holds no transaction of the file. Like a
// Snapshot it keeps data that is deleted or changed after it.
type Frozen struct {
	s        *Store
	snapshot Snapshot
	catalog  *frozenCatalog
	reads    *reads // nil unless the transaction is serializable
}

// frozenCatalog is the committed catalog of one version. It is immutable.
type frozenCatalog struct {
	version uint64
	names   map[string]*Object
	models  map[string]*registry.Model
}

// reads is the read set of a transaction: the objects that it has read, by identifier.
type reads struct {
	mu      sync.Mutex
	objects map[uint32]bool
	all     bool
}

// Freeze returns the present state, which must be closed. If serializable, its transaction records what it reads.
func (s *Store) Freeze(serializable bool) *Frozen {
	f := &Frozen{s: s}
	if serializable {
		f.reads = &reads{objects: map[uint32]bool{}}
	}
	s.mu.RLock() // a writer that publishes a change of the catalog holds it until catalog and corpora are published
	defer s.mu.RUnlock()
	f.catalog = s.frozen.Load()
	if f.catalog == nil || f.catalog.version != s.cat.version {
		f.catalog = &frozenCatalog{s.cat.version, maps.Clone(s.cat.byName), s.Models()}
		s.frozen.Store(f.catalog)
	}
	s.Capture(&f.snapshot)
	return f
}

// Close releases the state. Closing again does nothing.
func (f *Frozen) Close() { f.snapshot.Close() }

// Capture makes sn, which is not open, a snapshot of the state and returns it.
func (f *Frozen) Capture(sn *Snapshot) *Snapshot {
	c := &f.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	*sn = f.snapshot
	sn.frozen = f
	sn.prev, sn.next = &f.snapshot, f.snapshot.next
	sn.prev.next, sn.next.prev = sn, sn
	c.open++
	return sn
}

// Begin opens a transaction over the state, which Commit or Rollback must end; they close the state. Its first change
// of an object is ErrConcurrent if others have changed it since.
func (f *Frozen) Begin() *Transaction {
	t := f.s.Begin()
	t.frozen = f
	return t
}

// object returns the entry of the name, nil for none.
func (f *Frozen) object(name string) *Object { return f.catalog.names[name] }

// objects returns the entries of a kind ("" for all) by name.
func (f *Frozen) objects(kind catalog.ObjectKind) []*Object {
	return ofKind(f.catalog.names, kind)
}

// note records that an object was read. Its tables count as the object.
func (r *reads) note(o *Object) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.objects[o.EntryID()] = true
}

// read records that a statement reads the object.
func (sn *Snapshot) read(o *Object) {
	if sn.frozen != nil && sn.frozen.reads != nil {
		sn.frozen.reads.note(o)
	}
}

// ReadAll records that a statement may have read any object.
func (sn *Snapshot) ReadAll() {
	if sn.frozen != nil && sn.frozen.reads != nil {
		r := sn.frozen.reads
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = true
	}
}

// claim returns ErrConcurrent if an object, which the transaction has just locked to change it, was changed after its
// frozen state.
func (f *Frozen) claim(id uint32) error {
	f.s.mu.RLock()
	defer f.s.mu.RUnlock()
	for _, o := range f.catalog.names {
		if o.ID == id && f.moved(o) {
			return ErrConcurrent
		}
	}
	return nil
}

// validate returns ErrDependent if an object of the read set has changed since. The lock of the store is held until the
// transaction is published, so of two transactions that each read what the other one changes, the second fails.
func (f *Frozen) validate() error {
	r := f.reads
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all && !sameForAll(f.catalog.names, f.s.cat.byName) {
		return ErrDependent
	}
	for _, o := range f.catalog.names {
		if o.Temporary == 0 && (r.all || r.objects[o.ID]) && f.moved(o) {
			return ErrDependent
		}
	}
	return nil
}

// sameForAll reports whether two catalogs have the same objects, temporary ones aside: those of other sessions the
// transaction does not see, and its own nobody else changes.
func sameForAll(a, b map[string]*Object) bool {
	n := 0
	for name, o := range a {
		if o.Temporary == 0 {
			if n++; b[name] != o {
				return false
			}
		}
	}
	for _, o := range b {
		if o.Temporary == 0 {
			n--
		}
	}
	return n == 0
}

// moved reports whether an object was dropped, or has other columns, documents or rows now. The lock of the store must
// be held.
func (f *Frozen) moved(o *Object) bool {
	now := f.s.cat.byID(o.ID)
	if now == nil || !catalog.SameColumns(o, now) {
		return true
	}
	c := &f.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	sn := &f.snapshot
	if c.states[o.ID] != sn.states[o.ID] || !sameRows(c.tables[o.ID], sn.tables[o.ID]) {
		return true
	}
	for _, t := range o.Tables {
		if !sameRows(c.tables[t.ID], sn.tables[t.ID]) {
			return true
		}
	}
	return false
}

// sameRows reports whether two states of a table have equal rows under equal numbers.
func sameRows(a, b table.State) bool { return a.Next == b.Next && a.Count == b.Count && a.Sum == b.Sum }

// Model returns a model as the snapshot sees it, one without versions if there is none of the name.
func (sn *Snapshot) Model(name string) *registry.Model {
	if sn.frozen == nil {
		return sn.s.Model(name)
	}
	if m := sn.frozen.catalog.models[name]; m != nil {
		return m
	}
	return &registry.Model{}
}
