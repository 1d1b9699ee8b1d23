// Package storage keeps a database in one bbolt file: the catalog, corpora in blocks of
// documents by layer, typed tables, model weights in chunks, the prediction cache and jobs.
//
// No transaction is held while anything waits: scans page through short read
// transactions under a captured state, writers chunk their work.
package storage

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"parlance/storage/accounts"
	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/metaindex"
	"parlance/storage/predictions"
	"parlance/storage/registry"
	"parlance/storage/relation"
	"parlance/storage/table"
	"parlance/storage/textindex"
)

// TakenError says which object has a name that another one wants. It is an ErrExists.
type TakenError struct{ By *Object }

func (e *TakenError) Error() string {
	if e.By.Temporary != 0 { // of what kind it is others do not learn
		return fmt.Sprintf("%s %v", e.By.Name, ErrExists)
	}
	return fmt.Sprintf("%s %s %v", e.By.Kind, e.By.Name, ErrExists)
}

// Unwrap returns ErrTemporary for a temporary object, which may be one of another session; ErrExists for others.
func (e *TakenError) Unwrap() error {
	if e.By.Temporary != 0 {
		return ErrTemporary
	}
	return ErrExists
}

// Errors of the package.
var (
	ErrNotFound = dbfile.ErrNotFound // there is no object of the name
	ErrExists   = dbfile.ErrExists   // the name is taken
	ErrCorrupt  = dbfile.ErrCorrupt  // a checksum or an encoding is wrong
	ErrReadOnly = dbfile.ErrReadOnly // writes to a read-only database
	// the name is that of a temporary object; an ErrExists
	ErrTemporary = fmt.Errorf("the name is temporary: %w", ErrExists)
	// another writer is about to take the name
	ErrNamePending = errors.New("is being made by another statement or transaction")
	// the column is part of an index
	ErrInUse = errors.New("in use")
	// the writer read the catalog before an ALTER
	ErrChanged     = errors.New("its columns have changed in the meantime")
	ErrLockTimeout = errors.New("another statement or transaction still writes it") // after the time of WithLockTimeout
	ErrDeadlock    = errors.New("two transactions would wait for each other")
	// a transaction over a frozen state changes an object that others have changed since
	ErrConcurrent = errors.New("could not serialize access due to concurrent update")
	// a serializable transaction has read an object that others have changed since
	ErrDependent = errors.New("could not serialize access due to read/write dependencies among transactions")
)

// Buckets of catalog, documents and rows.
var (
	bucketCatalog = dbfile.Catalog
	bucketSegment = dbfile.Segment
	bucketDir     = dbfile.Dir
	bucketDead    = dbfile.Dead
	bucketIndex   = dbfile.Index
)

// transactionBytes is how much one transaction of a large change writes.
const transactionBytes = dbfile.TransactionBytes

// Options of Open.
type Options struct {
	ReadOnly  bool
	Temporary bool   // the file is deleted with the Store, and need not keep its name
	Program   string // version of the program, stored in new files

	Empty bool // makes a database of a file of 0 bytes, which else is refused

	RemoveUnwritten bool // Close removes a file that this Open created and nothing was written to

	Background func(error) // called from another goroutine with failures outside of statements; may be nil
}

// Store is an open database file. It is safe for concurrent use.
type Store struct {
	*dbfile.File
	*registry.Registry
	*accounts.Accounts
	mu       sync.RWMutex // guards the catalog state
	cat      *catalogState
	corpora  corpora
	groups   commitGroups
	entries  catalog.EntryCache
	segments *documents.Cache
	metadata *metaindex.Indexes
	texts    *textindex.Reader
	tables   *table.Env
	loads    *loading.Env
	orders   contentOrders
	frozen   atomic.Pointer[frozenCatalog] // the last one that was used
	settings map[string]string
	sessions atomic.Uint64 // number of sessions that have made temporary objects
	cache    *predictions.Cache
	cleaner  orphanCleaner
}

// blockCacheBytes is the memory for blocks of tables that look-ups have read.
const blockCacheBytes = 64 << 20

// Open opens or creates the file at path. A file held by another process gives dbfile.ErrLocked within a second; a
// foreign or newer file is refused and left as it is.
func Open(path string, o Options) (*Store, error) {
	s := &Store{}
	_, err := dbfile.Open(path, dbfile.Options{ReadOnly: o.ReadOnly, Temporary: o.Temporary, Program: o.Program,
		Empty: o.Empty, RemoveUnwritten: o.RemoveUnwritten, Owner: s.nameOf}, func(f *dbfile.File) error {
		s.File = f
		return s.prepare(o)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// nameOf names the object of an identifier, "" for none. It does not wait: the goroutine that reads a damaged page may
// hold the lock.
func (s *Store) nameOf(id uint32) string {
	if s.cat == nil || !s.mu.TryRLock() {
		return ""
	}
	defer s.mu.RUnlock()
	if o := s.cat.byID(id); o != nil {
		return o.Name
	}
	return ""
}

// prepare reads the catalog, and what is kept in memory.
func (s *Store) prepare(o Options) error {
	if err := s.loadCatalog(); err != nil {
		return err
	}
	s.corpora.snapshots.prev, s.corpora.snapshots.next = &s.corpora.snapshots, &s.corpora.snapshots
	s.corpora.writers, s.corpora.owners = map[uint32]chan struct{}{}, map[uint32]*Transaction{}
	s.segments = documents.NewCache(s.File)
	s.metadata = metaindex.New(s.File, s.segments)
	s.texts = textindex.NewReader(s.File, s.segments)
	s.tables = &table.Env{File: s.File, Blocks: relation.NewCache(blockCacheBytes), Generations: &s.corpora.nextGen}
	s.loads = &loading.Env{File: s.File, Segments: s.segments, Sequences: &s.corpora.nextSeq}
	s.cleaner.report = o.Background
	s.cleaner.ctx, s.cleaner.cancel = context.WithCancel(context.Background())
	for _, read := range []func() error{s.discardHidden, s.discardTemporary, s.readCorpora, s.readTables, s.readSettings} {
		if err := read(); err != nil {
			return err
		}
	}
	models := map[uint32]string{}
	for _, o := range s.Objects(catalog.ModelObject) {
		models[o.ID] = o.Name
	}
	var err error
	if s.Registry, err = registry.Open(s.File, models, s.catalogChanged); err != nil {
		return err
	}
	if s.Accounts, err = accounts.Open(s.File, s.catalogChanged); err != nil {
		return err
	}
	if s.cache, err = predictions.Open(s.File); err != nil {
		return err
	}
	if err := s.readOrphanedBlocks(); err != nil || s.ReadOnly() {
		return err
	}
	if s.hasOrphans() {
		s.removeOrphansSoon()
	}
	return nil
}

// Cache returns the cache of predictions.
func (s *Store) Cache() *predictions.Cache { return s.cache }

// Close removes temporary objects, writes the cache and releases the file.
func (s *Store) Close() error {
	s.cleaner.stop()
	var err error
	if !s.ReadOnly() {
		err = s.discardTemporary()
	}
	if s.cache != nil {
		err = errors.Join(err, s.cache.Close())
	}
	return errors.Join(err, s.File.Close())
}

// Compact rewrites the file without free pages, after what no reader sees was removed. Other statements wait meanwhile.
// If the open file was moved, removed or replaced, it returns dbfile.ErrFileMoved and changes nothing.
func (s *Store) Compact(ctx context.Context) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	if err := s.removeOrphans(ctx); err != nil {
		return err
	}
	return s.File.Compact(ctx)
}
