// Package storage keeps a database in one bbolt file: the catalog, corpora in blocks of
// documents by layer, typed tables, model weights in chunks, the prediction cache and jobs.
//
// No transaction is held while anything waits: scans page through short read
// transactions under a captured state, writers chunk their work.
package storage

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"parlance/storage/relation"
	"parlance/storage/sealed"
)

// FormatVersion is the version of the file format, the only one that this program reads. In files of 1 to 6, values
// have no checksums of their own.
const FormatVersion = 7

// Errors of the package.
var (
	// there is no object of the name
	ErrNotFound = errors.New("not found")
	// the name is taken
	ErrExists = errors.New("already exists")
	// another writer is about to take the name
	ErrNamePending = errors.New("is being made by another statement or transaction")
	// the alias names another version than expected
	ErrAliasChanged = errors.New("has moved meanwhile")
	// the column is part of an index
	ErrInUse = errors.New("in use")
	// the writer read the catalog before an ALTER
	ErrChanged = errors.New("its columns have changed in the meantime")
	// a checksum or an encoding is wrong
	ErrCorrupt     = relation.ErrDamaged
	ErrLockTimeout = errors.New("another statement or transaction still writes it") // after the time of WithLockTimeout
	ErrDeadlock    = errors.New("two transactions would wait for each other")
	// a transaction over a frozen state changes an object that others have changed since
	ErrConcurrent = errors.New("could not serialize access due to concurrent update")
	// a serializable transaction has read an object that others have changed since
	ErrDependent   = errors.New("could not serialize access due to read/write dependencies among transactions")
	ErrReadOnly    = errors.New("database is read-only")     // writes to a read-only database
	ErrUnwritable  = errors.New("no permission to write it") // Open of a file with read permission only
	ErrLocked      = errors.New("database is in use by another process")
	ErrFileMoved   = errors.New("the file of the database was moved, removed or replaced while it was open")
	ErrNotDatabase = errors.New("not a parlance database")
	ErrEmptyFile   = errors.New("the file is empty and no parlance database") // and Options do not ask for one
	ErrOlder       = errors.New("database was written by a version of parlance that is too old")
	ErrNewer       = errors.New("database was written by a newer version of parlance")
)

// Names of the top-level buckets.
var (
	bucketMeta    = []byte("meta")
	bucketCatalog = []byte("cat")
	bucketSegment = []byte("seg")
	bucketDir     = []byte("dir")
	bucketDead    = []byte("dead")
	bucketIndex   = []byte("index")
	bucketModel   = []byte("model")
	bucketWeights = []byte("weights")
	bucketCache   = []byte("cache")
	bucketJob     = []byte("job")
	bucketUser    = []byte("user")
)

var allBuckets = [][]byte{bucketMeta, bucketCatalog, bucketSegment, bucketDir, bucketDead, bucketIndex,
	bucketModel, bucketWeights, bucketCache, bucketJob, bucketUser}

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
	path        string
	absolute    string // absolute path
	listed      string // in openFiles
	closed      sync.Once
	bolt        *sealed.DB
	opened      *os.File // the file of bolt, which closes it
	readOnly    bool
	temporary   bool
	unwritten   *uint64      // number of writes when the file was created; nil unless RemoveUnwritten
	mu          sync.RWMutex // guards the catalog state
	cat         *catalog
	corpora     corpora
	entries     entries
	segments    segmentCache
	heads       headCache
	lists       listCache
	blocks      *relation.Cache // of tables
	orders      contentOrders
	file        sync.RWMutex // held by transactions; Compact changes the file under them
	models      map[string]*modelState
	frozen      atomic.Pointer[frozenCatalog] // the last one that was used
	jobs        map[uint64]Job
	lastJob     uint64
	settings    map[string]string
	users       users
	cache       *Cache
	nextWeights uint64
	writes      atomic.Uint64
	waiting     atomic.Int32 // number of waiting write transactions
	cleaner     orphanCleaner
	fewRows     int // for tests: mostRows; 0 for the default
}

// blockCacheBytes is the memory for blocks of tables that look-ups have read.
const blockCacheBytes = 64 << 20

type header struct {
	Magic   string `json:"magic"`
	Version int    `json:"version"`
	Program string `json:"program"`
}

const magic = "parlance"

// Open opens or creates the file at path. A file held by another process gives ErrLocked
// within a second; a foreign or newer file is refused and left as it is.
func Open(path string, o Options) (s *Store, err error) {
	// Damaged pages may make bbolt panic, or read outside of the file.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			s, err = nil, fmt.Errorf("open %s: %w", path, damage(v))
		}
	}()
	return openFile(path, o)
}

func openFile(path string, o Options) (*Store, error) {
	b, opened, err := openBolt(path, o.ReadOnly, mayInit(path, o))
	found := (*sealed.Damage)(nil)
	switch {
	case errors.Is(err, sealed.ErrTimeout):
		return nil, fmt.Errorf("open %s: %w", path, openFiles.lockedBy(path))
	case errors.Is(err, ErrEmptyFile):
		return nil, fmt.Errorf("open %s: %w", path, ErrEmptyFile)
	case errors.Is(err, sealed.ErrForeign):
		return nil, fmt.Errorf("open %s: %w", path, foreign(path))
	case errors.Is(err, sealed.ErrVersion):
		return nil, fmt.Errorf("open %s: %w: this program reads format %d", path, ErrOlder, FormatVersion)
	case errors.Is(err, sealed.ErrInvalid):
		return nil, fmt.Errorf("open %s: %w", path, ErrNotDatabase)
	case errors.As(err, &found):
		return nil, fmt.Errorf("open %s: %w", path, (&Store{}).named(err))
	case (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) && !o.ReadOnly:
		if f, e := os.Open(path); e == nil {
			f.Close()
			return nil, fmt.Errorf("open %s: %w", path, ErrUnwritable)
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	case err != nil:
		if e := (*fs.PathError)(nil); errors.As(err, &e) && e.Path == path {
			return nil, err // the error names the file
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{path: path, bolt: b, opened: opened, readOnly: o.ReadOnly, temporary: o.Temporary}
	if s.absolute, err = filepath.Abs(path); err == nil {
		err = s.prepare(o)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s.listed = openFiles.add(s.absolute)
	return s, nil
}

// older is the error of a file of an earlier format.
func older(version int) error {
	return fmt.Errorf("%w: its format is %d, this program reads %d", ErrOlder, version, FormatVersion)
}

// foreign is the error of a file whose values have no checksums: one of an earlier format, or of another program.
func foreign(path string) error {
	h, err := sealed.Unsealed(path, time.Second, bucketMeta, []byte("header"))
	var old header
	if err != nil || json.Unmarshal(h, &old) != nil || old.Magic != magic {
		return ErrNotDatabase
	}
	return older(old.Version)
}

// mayInit reports whether an empty file becomes a database: a new one, or where that is asked for.
func mayInit(path string, o Options) bool {
	_, err := os.Stat(path)
	return !o.ReadOnly && (o.Empty || errors.Is(err, fs.ErrNotExist))
}

// openBolt opens a file, and returns its handle, which identifies it after renames. Closing the database closes it.
func openBolt(path string, readOnly, init bool) (b *sealed.DB, opened *os.File, err error) {
	for _, size := range []int{16 << 30, 0} {
		// a large map need not be remapped, but takes address space, which may be limited
		b, opened, err = openMapped(path, readOnly, init, size)
		if !errors.Is(err, syscall.ENOMEM) {
			return b, opened, err
		}
	}
	return nil, nil, fmt.Errorf("%w for a map of the file: is the address space limited (ulimit -v)?", err)
}

// openMapped opens a file with a memory map of at least that size.
func openMapped(path string, readOnly, init bool, size int) (*sealed.DB, *os.File, error) {
	var opened *os.File
	b, err := sealed.Open(path, 0o600, &sealed.Options{
		Timeout: time.Second, ReadOnly: readOnly, InitialMmapSize: size,
		OpenFile: func(name string, flag int, mode fs.FileMode) (f *os.File, err error) {
			f, err = os.OpenFile(name, flag, mode)
			if err == nil && !init {
				err = refuseEmpty(f)
			}
			if err != nil && f != nil {
				return nil, errors.Join(err, f.Close())
			}
			opened = f
			return f, err
		},
	})
	if err == nil {
		b.SetAllocSize(4 << 20)
	}
	return b, opened, err
}

// refuseEmpty returns ErrEmptyFile for a file of 0 bytes. A file that another process is creating has a moment to fill.
func refuseEmpty(f *os.File) error {
	for range 10 {
		info, err := f.Stat()
		if err != nil || info.Size() > 0 {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ErrEmptyFile
}

// prepare checks or writes the header, creates the buckets and reads the catalog.
func (s *Store) prepare(o Options) error {
	h, err := s.header()
	created := false
	switch {
	case err != nil:
		return err
	case h == nil && s.readOnly:
		return ErrNotDatabase
	case h == nil:
		err = s.create(o)
		created = true
	case h.Version > FormatVersion:
		return fmt.Errorf("%w: its format is %d, this program reads %d", ErrNewer, h.Version, FormatVersion)
	case h.Version < FormatVersion:
		return older(h.Version)
	}
	if err != nil {
		return err
	}
	if err := s.loadCatalog(); err != nil {
		return err
	}
	s.corpora.snapshots.prev, s.corpora.snapshots.next = &s.corpora.snapshots, &s.corpora.snapshots
	s.corpora.writers, s.corpora.owners = map[uint32]chan struct{}{}, map[uint32]*Transaction{}
	s.segments.parts = map[segmentKey]*list.Element{}
	s.blocks = relation.NewCache(blockCacheBytes)
	s.cleaner.report = o.Background
	s.cleaner.ctx, s.cleaner.cancel = context.WithCancel(context.Background())
	for _, read := range []func() error{s.discardHidden, s.readCorpora, s.readTables, s.readModels, s.readJobs,
		s.readSettings, s.readUsers, s.openCache} {
		if err := read(); err != nil {
			return err
		}
	}
	if err := s.readOrphanedBlocks(); err != nil || s.readOnly {
		return err
	}
	if created && o.RemoveUnwritten {
		n := s.writes.Load()
		s.unwritten = &n
	}
	if s.hasOrphans() {
		s.removeOrphansSoon()
	}
	return nil
}

// header reads the header of the file; it is nil if the file is empty.
func (s *Store) header() (h *header, err error) {
	err = s.view(func(tx *sealed.Tx) error {
		m := tx.Bucket(bucketMeta)
		if m == nil {
			return tx.ForEach(func([]byte, *sealed.Bucket) error { return ErrNotDatabase })
		}
		if err := json.Unmarshal(m.Get([]byte("header")), &h); err != nil || h == nil || h.Magic != magic {
			return ErrNotDatabase
		}
		return nil
	})
	return h, err
}

// create turns an empty file into a database.
func (s *Store) create(o Options) error {
	raw, err := json.Marshal(header{magic, FormatVersion, o.Program})
	if err != nil {
		return err
	}
	return s.bolt.Update(func(tx *sealed.Tx) error {
		for _, name := range allBuckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bucketMeta).Put([]byte("header"), raw)
	})
}

// Path returns the file's path.
func (s *Store) Path() string { return s.path }

// ReadOnly reports whether the store refuses writes.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Close writes the cache and releases the file.
func (s *Store) Close() error {
	var err error
	s.cleaner.stop()
	if s.cache != nil {
		err = s.cache.close()
	}
	s.file.Lock()
	defer s.file.Unlock()
	defer s.closed.Do(func() { openFiles.remove(s.listed) })
	if s.unwritten != nil && s.writes.Load() == *s.unwritten && !s.fileMoved(s.absolute) {
		err = errors.Join(err, os.Remove(s.absolute)) // before the lock is released, so that nobody can have written to it
	}
	return errors.Join(err, s.bolt.Close())
}

// view runs a read transaction.
func (s *Store) view(f func(*sealed.Tx) error) (err error) {
	s.file.RLock()
	defer s.file.RUnlock()
	defer s.unreadable(&err, debug.SetPanicOnFault(true))
	return s.bolt.View(f)
}

// update runs a write transaction; ErrFileMoved if the file is no longer under its name.
func (s *Store) update(f func(*sealed.Tx) error) (err error) {
	if s.readOnly {
		return ErrReadOnly
	}
	s.file.RLock()
	defer s.file.RUnlock()
	defer s.unreadable(&err, debug.SetPanicOnFault(true))
	s.writes.Add(1)
	s.waiting.Add(1)
	begun := false
	defer func() {
		if !begun {
			s.waiting.Add(-1)
		}
	}()
	return s.withDatabaseName(s.bolt.Update(func(tx *sealed.Tx) (err error) {
		begun = true
		s.waiting.Add(-1)
		// inside the transaction: bbolt reads pages to roll it back after a panic
		defer s.unreadable(&err, debug.SetPanicOnFault(true))
		if !s.temporary && s.fileMoved(s.absolute) {
			return ErrFileMoved
		}
		return f(tx)
	}))
}

// shortSlice is how long a merge or removal may block other writers.
const shortSlice = 20 * time.Millisecond

// shouldYield reports whether a write transaction that began at a time should end, since another one waits.
func (s *Store) shouldYield(began time.Time) bool {
	return s.waiting.Load() > 0 && time.Since(began) > shortSlice
}

// withDatabaseName replaces the file name in errors of the file system by that of the database: COMPACT opens the file
// under a temporary name.
func (s *Store) withDatabaseName(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == s.bolt.Path() {
		p.Path = s.path
	}
	return err
}
