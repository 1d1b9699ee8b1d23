package storage

import (
	"context"
	"crypto/sha256"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"parlance/storage/documents"
	"parlance/storage/table"
)

// corpora is the committed state of all corpora and tables, and the garbage to be deleted.
type corpora struct {
	mu         sync.Mutex
	states     map[uint32]*documents.Corpus
	nextGen    atomic.Uint32
	nextSeq    atomic.Uint64
	tables     map[uint32]table.State // copied on write
	left       [][]byte               // prefixes of index entries of corpora that no index has
	version    uint64                 // of the newest state
	published  uint64                 // version of the newest state that changed a corpus
	collecting sync.Mutex             // held by the garbage collector
	snapshots  Snapshot               // head of the ring of open snapshots, by version
	open       int                    // number of open snapshots
	garbage    []garbage
	writers    map[uint32]chan struct{} // locks of objects: one writer each
	owners     map[uint32]*Transaction  // transactions that hold locks
	overlays   atomic.Uint64            // number of transaction states read so far
}

// garbage is a generation, or a part of it, that no state after version names.
type garbage struct {
	version     uint64
	corpus, gen uint32
	part        uint16
	all         bool // the whole generation
	table       bool // the rows of a table, whose identifier is in corpus
}

// Snapshot is the state of all corpora and tables at one moment. It holds no transaction of the file. It must be
// closed, or data that is deleted after it stays in the file until the next opening.
type Snapshot struct {
	s          *Store
	version    uint64
	overlay    uint64 // number of a transaction's state, 0 for a committed state
	published  uint64
	states     map[uint32]*documents.Corpus
	tables     map[uint32]table.State
	names      map[string]*Object // objects that its transaction has made, nil for dropped ones
	catalog    uint64             // number of the catalog of its transaction, 0 for the committed catalog
	frozen     *Frozen            // the frozen state that it is a copy of, or nil
	session    uint64             // whose temporary objects it shows, 0 for none
	prev, next *Snapshot          // in the ring while it is open
}

// Snapshot captures the committed state.
func (s *Store) Snapshot() *Snapshot { return s.Capture(new(Snapshot)) }

// Capture makes sn, which is not open, a snapshot of the committed state and returns it.
func (s *Store) Capture(sn *Snapshot) *Snapshot {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	*sn = Snapshot{s: s, version: c.version, published: c.published, states: c.states, tables: c.tables,
		prev: c.snapshots.prev, next: &c.snapshots}
	sn.prev.next, sn.next.prev = sn, sn
	c.open++
	return sn
}

// Close releases the state. Closing again does nothing.
func (sn *Snapshot) Close() {
	c := &sn.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	if sn.next == nil {
		return
	}
	sn.prev.next, sn.next.prev = sn.next, sn.prev
	sn.prev, sn.next = nil, nil
	c.open--
}

// publish replaces the states of corpora; nil drops one.
func (s *Store) publish(states map[uint32]*documents.Corpus, waste []garbage) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.publish(states, waste)
}

// publish replaces the states of corpora with the present version.
func (c *corpora) publish(states map[uint32]*documents.Corpus, waste []garbage) {
	next := maps.Clone(c.states)
	maps.Copy(next, states)
	maps.DeleteFunc(next, func(_ uint32, st *documents.Corpus) bool { return st == nil })
	c.published = c.version
	for i := range waste {
		waste[i].version = c.version
	}
	c.states, c.garbage = next, append(c.garbage, waste...)
}

// state returns the newest state of a corpus, including the changes of the transaction in the context.
func (s *Store) state(ctx context.Context, id uint32) *documents.Corpus {
	if t := transaction(ctx); t != nil && t.states[id] != nil {
		return t.states[id]
	}
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	if st := c.states[id]; st != nil {
		return st
	}
	return &documents.Corpus{ID: id}
}

// lockHeldKey is the key in contexts of the identifier of an object that the caller has locked.
type lockHeldKey struct{}

// LockForWrite locks an object for writing until release, so that the caller can change what it reads. It waits for
// other writers. Writes under the returned context do not wait for this lock.
func (s *Store) LockForWrite(ctx context.Context, o *Object) (held context.Context, release func(), err error) {
	id := o.EntryID()
	release, err = s.lockCorpus(ctx, id)
	return context.WithValue(ctx, lockHeldKey{}, id), release, err
}

// lockTimeout is the key in contexts of the lock timeout.
type lockTimeout struct{}

// WithLockTimeout returns a context under which statements wait at most that long for a lock. Then they fail with
// ErrLockTimeout.
func WithLockTimeout(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, lockTimeout{}, most)
}

// lockCorpus locks an object for writing, and waits for other writers, also for changes that wait to be committed
// together. A transaction holds its locks until its end.
func (s *Store) lockCorpus(ctx context.Context, id uint32) (unlock func(), err error) {
	t := transaction(ctx)
	if ctx.Value(lockHeldKey{}) == id || t != nil && t.locks[id] != nil {
		return func() {}, nil
	}
	if t != nil {
		if err := t.await(id); err != nil {
			return nil, err
		}
	}
	late, stop := lateness(ctx)
	defer stop()
	if unlock, err = s.lockAlone(ctx, id, late); err == nil {
		err = s.groups.drained(ctx, id, late)
		if err == nil && t != nil && t.frozen != nil {
			err = t.frozen.claim(id)
		}
		if err != nil {
			unlock()
			unlock = nil
		}
	}
	if t == nil {
		return unlock, err
	}
	t.got(id, unlock)
	return func() {}, err
}

// lateness returns a channel that receives when the lock timeout of the context has passed, nil without one.
func lateness(ctx context.Context) (late <-chan time.Time, stop func()) {
	most, ok := ctx.Value(lockTimeout{}).(time.Duration)
	if !ok {
		return nil, func() {}
	}
	timer := time.NewTimer(most)
	return timer.C, func() { timer.Stop() }
}

// lockAlone takes the lock of an object, whose last changes may still wait to be committed together.
func (s *Store) lockAlone(ctx context.Context, id uint32, late <-chan time.Time) (unlock func(), err error) {
	c := &s.corpora
	c.mu.Lock()
	ch := c.writers[id]
	if ch == nil {
		ch = make(chan struct{}, 1)
		c.writers[id] = ch
	}
	c.mu.Unlock()
	select {
	case ch <- struct{}{}:
		return func() { <-ch }, nil
	case <-late:
		return nil, ErrLockTimeout
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// generationTaken keeps the numbers of new generations above one. It is for the opening of the file.
func (c *corpora) generationTaken(id uint32) { c.nextGen.Store(max(c.nextGen.Load(), id+1)) }

// LayerRows returns the number of rows of a layer, or of documents for "", including deleted documents.
func (sn *Snapshot) LayerRows(o *Object, layer string) int {
	st, n := sn.corpus(o), 0
	l := st.LayerOf(layer)
	if layer != "" && l == nil {
		return 0
	}
	for _, g := range st.Gens {
		for _, sg := range g.Segments {
			if layer == "" {
				n += sg.Docs
			} else {
				n += sg.Parts[l.Part].Rows
			}
		}
	}
	return n
}

func (sn *Snapshot) corpus(o *Object) *documents.Corpus {
	sn.read(o)
	if st := sn.states[o.ID]; st != nil {
		return st
	}
	return &documents.Corpus{ID: o.ID}
}

// Version identifies the state of the corpora. The version of committed states rises with every change of a corpus.
func (sn *Snapshot) Version() uint64 { return max(sn.published, sn.overlay) }

// Count returns the number of documents.
func (sn *Snapshot) Count(o *Object) int { return sn.corpus(o).Docs }

// Tokens returns the number of tokens.
func (sn *Snapshot) Tokens(o *Object) int64 { return sn.corpus(o).Tokens }

// LayerDefs returns the stored layers.
func (sn *Snapshot) LayerDefs(o *Object) []documents.LayerInfo {
	return sn.corpus(o).LayerInfos()
}

// CountLayers returns the stored layers with the numbers of their rows.
func (sn *Snapshot) CountLayers(o *Object) ([]documents.CountedLayer, error) {
	return sn.corpus(o).CountLayers(sn.s.segments)
}

// ContentHash is a hash of all documents that does not depend on their order.
func (sn *Snapshot) ContentHash(o *Object) [16]byte {
	sum := sn.corpus(o).Sum
	if d := o.Alteration(); d != nil {
		h := sha256.Sum256(append(sum[:], d...))
		return [16]byte(h[:16])
	}
	return sum
}

// Segments returns the segments with live documents. Their documents may interleave: Windows puts them in order.
func (sn *Snapshot) Segments(o *Object) []documents.SegmentID {
	var out []documents.SegmentID
	for _, g := range sn.corpus(o).Gens {
		for _, s := range g.Segments {
			if s.LiveDocuments() > 0 {
				out = append(out, documents.SegmentID{Gen: g.ID, Number: s.Number})
			}
		}
	}
	return out
}
