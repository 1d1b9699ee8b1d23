// Package predictions is the cache of what models have predicted: in the file, and in memory until it is written. It
// can be computed again, so what is damaged or cannot be written is forgotten.
package predictions

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sort"
	"sync"
	"syscall"

	"parlance/storage/dbfile"
	"parlance/storage/guard"
	"parlance/storage/sealed"
)

// Cache stores predictions of models. A key consists of a hash of the model version and its options (8 bytes) and the
// sequence number of the first document of the unit. A value is the hash of the unit, a checksum and the prediction. An
// entry whose hash differs is a miss.
//
// New entries are buffered in memory, where lookups find them, and are written some megabytes a transaction.
type Cache struct {
	file    *dbfile.File
	mu      sync.Mutex
	pending map[cacheKey]cacheValue
	bytes   int
	limit   int64
	models  map[[8]byte]*cacheModel
	order   uint64 // rises with every use of a model, for LRU
	texts   textCache
	flush   sync.Mutex
	writing bool           // a flush is on its way
	wait    sync.WaitGroup // for it
	failed  int64          // flushes
}

type cacheKey struct {
	model [8]byte
	seq   uint64
}

type cacheValue struct {
	hash   [16]byte
	result []byte
}

// ModelStats are the statistics of one model version under one set of options.
type ModelStats struct {
	Label                        string
	Entries, Bytes, Hits, Misses int64
}

// Stats are the statistics of the cache.
type Stats struct {
	Entries, Bytes, Limit, Hits, Misses int64
	Failed                              int64 // number of failed writes to the file
	Models                              []ModelStats
}

const (
	cacheFlush   = 8 << 20
	cacheDefault = 256 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Open reads the statistics of the cache of a file. Close must follow, before the file is closed.
func Open(f *dbfile.File) (*Cache, error) {
	c := &Cache{file: f, pending: map[cacheKey]cacheValue{}, limit: cacheDefault, models: map[[8]byte]*cacheModel{},
		texts: newTextCache()}
	return c, f.View(c.readBooks)
}

// RegisterModel sets the label of a key, and marks the model as used.
func (c *Cache) RegisterModel(key [8]byte, label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key, label)
}

// Hit counts a hit of a cache above this one, which holds the same entry.
func (c *Cache) Hit(key [8]byte, label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key, label).hits++
}

// use marks a model as used, and sets its label. The lock must be held.
func (c *Cache) use(key [8]byte, label string) *cacheModel {
	c.order++
	m := c.model(key)
	m.Label, m.Used = label, c.order
	return m
}

func (c *Cache) model(key [8]byte) *cacheModel {
	m := c.models[key]
	if m == nil {
		m = &cacheModel{}
		c.models[key] = m
	}
	return m
}

func cacheKeyBytes(k cacheKey) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 16), k.model[:]...), k.seq)
}

// GetMany looks units up by sequence number and hash; absent ones are nil.
func (c *Cache) GetMany(model [8]byte, seqs []uint64, hashes [][16]byte) [][]byte {
	out := make([][]byte, len(seqs))
	c.mu.Lock()
	m, look := c.model(model), false
	for i, q := range seqs {
		if out[i] = c.recent(cacheKey{model, q}, hashes[i]); out[i] == nil && m.Entries > 0 {
			look = true
		}
	}
	if look {
		c.mu.Unlock()
		c.read(model, seqs, hashes, out)
		c.mu.Lock()
		m = c.model(model)
	}
	hits := int64(0)
	for _, r := range out {
		if r != nil {
			hits++
		}
	}
	m.hits += hits
	m.misses += int64(len(seqs)) - hits
	c.mu.Unlock()
	return out
}

// recent returns an entry that is buffered in memory, or nil.
func (c *Cache) recent(k cacheKey, hash [16]byte) []byte {
	if v, ok := c.pending[k]; ok && v.hash == hash {
		return v.result
	}
	if !isAdhoc(k.seq) {
		return nil
	}
	return c.text(k, hash)
}

// read looks up in the file the entries that are still missing. If a read fails, they are misses.
func (c *Cache) read(model [8]byte, seqs []uint64, hashes [][16]byte, out [][]byte) {
	_ = c.file.View(func(tx *sealed.Tx) error {
		cur := tx.Bucket(dbfile.Cache).Cursor()
		for i, q := range seqs {
			if out[i] != nil {
				continue
			}
			want := cacheKeyBytes(cacheKey{model, q})
			k, v := cur.Seek(want)
			if !bytes.Equal(k, want) || len(v) < 20 || !bytes.Equal(v[:16], hashes[i][:]) {
				continue
			}
			if crc32.Checksum(v[20:], castagnoli) != binary.LittleEndian.Uint32(v[16:]) {
				continue
			}
			out[i] = append(make([]byte, 0, len(v)-20), v[20:]...)
		}
		return nil
	})
}

// Put stores a copy of a prediction. Entries are written in the background; if more than two transactions' worth is
// buffered, Put waits.
func (c *Cache) Put(ctx context.Context, model [8]byte, seq uint64, hash [16]byte, result []byte) error {
	v := cacheValue{hash, append([]byte{}, result...)}
	k := cacheKey{model, seq}
	c.mu.Lock()
	if isAdhoc(seq) {
		c.texts.Put(k, textValue{cacheValue: v})
	} else {
		c.addPending(k, v)
	}
	over := c.bytes >= 2*cacheFlush
	c.mu.Unlock()
	if !over {
		return nil
	}
	if err := c.Flush(ctx); err != nil {
		c.dropPending()
	}
	return ctx.Err()
}

// addPending buffers an entry, and starts a write if enough is buffered.
func (c *Cache) addPending(k cacheKey, v cacheValue) {
	if old, ok := c.pending[k]; ok {
		c.bytes -= len(old.result) + 64
	}
	c.pending[k] = v
	c.bytes += len(v.result) + 64
	switch {
	case c.bytes < cacheFlush:
	case c.file.ReadOnly():
		c.pending, c.bytes = map[cacheKey]cacheValue{}, 0
	case !c.writing:
		c.writing = true
		c.wait.Add(1)
		go c.write()
	}
}

// write flushes in the background.
func (c *Cache) write() {
	defer c.wait.Done()
	err := guard.Call("writing the cache", func() error { return c.Flush(context.Background()) })
	if err != nil {
		c.dropPending()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = false
}

// dropPending drops entries that could not be written. They can be computed again, so no query fails.
func (c *Cache) dropPending() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed++
	c.pending, c.bytes = map[cacheKey]cacheValue{}, 0
}

// Close waits for the running write and writes the rest. If that fails, the entries are dropped.
func (c *Cache) Close() error {
	c.wait.Wait()
	err := c.Flush(context.Background())
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, dbfile.ErrFileMoved) {
		c.dropPending()
		return nil
	}
	return err
}

// Flush writes the buffered entries.
func (c *Cache) Flush(ctx context.Context) error {
	if c.file.ReadOnly() {
		return nil
	}
	c.flush.Lock()
	defer c.flush.Unlock()
	keys, vals := c.waiting()
	if len(keys) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	added, err := c.store(keys, vals)
	if err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	c.stored(keys, vals, added)
	return c.evict(ctx)
}

// waiting returns the buffered entries in the order of their keys in the file.
func (c *Cache) waiting() ([]cacheKey, map[cacheKey]cacheValue) {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := make([]cacheKey, 0, len(c.pending))
	vals := make(map[cacheKey]cacheValue, len(c.pending))
	for k, v := range c.pending {
		keys = append(keys, k)
		vals[k] = v
		c.model(k.model) // so that the statistics list it
	}
	sort.Slice(keys, func(i, j int) bool {
		if a, b := keys[i].model, keys[j].model; a != b {
			return bytes.Compare(a[:], b[:]) < 0
		}
		return keys[i].seq < keys[j].seq
	})
	return keys, vals
}

// store writes entries in one transaction.
func (c *Cache) store(keys []cacheKey, vals map[cacheKey]cacheValue) (map[[8]byte]growth, error) {
	added := map[[8]byte]growth{}
	err := c.file.Update(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.Cache)
		for _, k := range keys {
			v := vals[k]
			key := cacheKeyBytes(k)
			a := added[k.model]
			if old := b.Get(key); old != nil {
				a.entries--
				a.bytes -= int64(len(old) + len(key))
			}
			raw := make([]byte, 0, 20+len(v.result))
			raw = append(raw, v.hash[:]...)
			raw = binary.LittleEndian.AppendUint32(raw, crc32.Checksum(v.result, castagnoli))
			raw = append(raw, v.result...)
			if err := b.Put(key, raw); err != nil {
				return err
			}
			a.entries++
			a.bytes += int64(len(raw) + len(key))
			added[k.model] = a
		}
		return c.writeBooks(tx, added)
	})
	return added, err
}

// stored removes written entries from the buffer, unless they have changed meanwhile.
func (c *Cache) stored(keys []cacheKey, vals map[cacheKey]cacheValue, added map[[8]byte]growth) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		if v, ok := c.pending[k]; ok && v.hash == vals[k].hash {
			c.bytes -= len(v.result) + 64
			delete(c.pending, k)
		}
	}
	for k, a := range added {
		m := c.model(k)
		m.Entries += a.entries
		m.Bytes += a.bytes
	}
}

// evict drops the entries of the least recently used models until the rest fits. Of the last of these models only as
// many as needed are dropped.
func (c *Cache) evict(ctx context.Context) error {
	for {
		c.mu.Lock()
		total := int64(0)
		var oldest [8]byte
		least := ^uint64(0)
		for k, m := range c.models {
			total += m.Bytes
			if m.Entries > 0 && (m.Used < least || m.Used == least && bytes.Compare(k[:], oldest[:]) < 0) {
				oldest, least = k, m.Used
			}
		}
		over := total - c.limit
		whole := over >= c.model(oldest).Bytes
		c.mu.Unlock()
		if over <= 0 || least == ^uint64(0) {
			return nil
		}
		var err error
		if whole {
			_, err = c.drop(ctx, oldest)
		} else {
			err = c.trim(ctx, oldest, over)
		}
		if err != nil {
			return err
		}
	}
}

// trim deletes entries of a model from the end until the given number of bytes is freed, some thousand at a time. The
// first entries stay: a scan that is repeated finds them again.
func (c *Cache) trim(ctx context.Context, key [8]byte, size int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var freed growth
	err := c.file.Update(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.Cache)
		var keys [][]byte
		cur := b.Cursor()
		for k, v := lastOf(cur, key[:]); bytes.HasPrefix(k, key[:]) && -freed.bytes < size &&
			len(keys) < 2000; k, v = cur.Prev() {
			keys = append(keys, bytes.Clone(k))
			freed.entries--
			freed.bytes -= int64(len(k) + len(v))
		}
		for _, k := range keys {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return c.writeBooks(tx, map[[8]byte]growth{key: freed})
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(key)
	m.Entries += freed.entries
	m.Bytes += freed.bytes
	if freed.entries == 0 { // the statistics are wrong
		m.Entries, m.Bytes = 0, 0
	}
	return nil
}

// lastOf moves to the last key with the prefix, or to one before it.
func lastOf(c *sealed.Cursor, prefix []byte) (k, v []byte) {
	next := dbfile.Successor(prefix)
	if next == nil {
		return c.Last()
	}
	if k, _ = c.Seek(next); k == nil {
		return c.Last()
	}
	return c.Prev()
}

// drop deletes all entries of a model key.
func (c *Cache) drop(ctx context.Context, key [8]byte) (int, error) {
	if err := c.file.DeletePrefix(ctx, dbfile.Cache, key[:]); err != nil {
		return 0, err
	}
	c.mu.Lock()
	n := int(c.model(key).Entries)
	for k, v := range c.pending {
		if k.model == key {
			n++
			c.bytes -= len(v.result) + 64
			delete(c.pending, k)
		}
	}
	n += c.dropTexts(key)
	m := c.model(key)
	m.Entries, m.Bytes = 0, 0
	c.mu.Unlock()
	return n, c.file.Update(func(tx *sealed.Tx) error { return c.writeBooks(tx, nil) })
}

// Clear deletes the predictions of a model version by its label, those of all models with "", and returns their number.
func (c *Cache) Clear(ctx context.Context, label string) (int, error) {
	c.flush.Lock()
	defer c.flush.Unlock()
	c.mu.Lock()
	var keys [][8]byte
	for k, m := range c.models {
		if label == "" || m.Label == label {
			keys = append(keys, k)
		}
	}
	c.mu.Unlock()
	total := 0
	for _, k := range keys {
		n, err := c.drop(ctx, k)
		if err != nil {
			return total, err
		}
		total += n
	}
	if label == "" { // also entries that the statistics lack
		return total, c.file.DeletePrefix(ctx, dbfile.Cache, nil)
	}
	return total, nil
}

// SetLimit sets the highest size in the file. It is enforced when the cache is written, and by Shrink.
func (c *Cache) SetLimit(bytes int64) {
	c.mu.Lock()
	c.limit, c.texts.Limit = bytes, int(min(textBytes, bytes))
	c.mu.Unlock()
}

// Shrink evicts entries until the cache is within its limit.
func (c *Cache) Shrink(ctx context.Context) error {
	if c.file.ReadOnly() {
		return nil
	}
	c.flush.Lock()
	defer c.flush.Unlock()
	return c.evict(ctx)
}

// Stats returns the statistics, including buffered entries.
func (c *Cache) Stats() Stats { return c.stats(true) }

// Written returns the statistics of the entries in the file. It costs nothing.
func (c *Cache) Written() Stats { return c.stats(false) }

// stats sums up the statistics of the models, with buffered entries if pending is set.
func (c *Cache) stats(memory bool) Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	byLabel := map[string]*ModelStats{}
	of := func(label string) *ModelStats {
		s := byLabel[label]
		if s == nil {
			s = &ModelStats{Label: label}
			byLabel[label] = s
		}
		return s
	}
	for _, m := range c.models {
		s := of(m.Label)
		s.Entries += m.Entries
		s.Bytes += m.Bytes
		s.Hits += m.hits
		s.Misses += m.misses
	}
	if memory {
		c.unwritten(func(k cacheKey, v cacheValue) {
			s := of(c.model(k.model).Label)
			s.Entries++
			s.Bytes += int64(len(v.result)) + 36
		})
	}
	out := Stats{Limit: c.limit, Failed: c.failed}
	for _, s := range byLabel {
		if s.Entries+s.Hits+s.Misses > 0 {
			out.Models = append(out.Models, *s)
		}
		out.Entries += s.Entries
		out.Bytes += s.Bytes
		out.Hits += s.Hits
		out.Misses += s.Misses
	}
	sort.Slice(out.Models, func(i, j int) bool { return out.Models[i].Label < out.Models[j].Label })
	return out
}

// unwritten calls f for the entries that are in memory only. The lock must be held.
func (c *Cache) unwritten(f func(cacheKey, cacheValue)) {
	for k, v := range c.pending {
		f(k, v)
	}
	c.texts.Each(func(k cacheKey, v textValue) {
		if !v.kept {
			f(k, v.cacheValue)
		}
	})
}

// Check calls say for each damaged entry of the file.
func (c *Cache) Check(say func(string, ...any)) error {
	return c.file.View(func(tx *sealed.Tx) error {
		return tx.Bucket(dbfile.Cache).ForEach(func(k, v []byte) error {
			if len(k) != 16 || len(v) < 20 || crc32.Checksum(v[20:], castagnoli) != binary.LittleEndian.Uint32(v[16:]) {
				say("cache: a damaged entry; CLEAR CACHE mends it")
			}
			return nil
		})
	})
}
