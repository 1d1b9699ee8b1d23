package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"maps"
	"slices"
	"sort"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// sweepWeights deletes weights that no version names, which a killed training has left.
func (s *Store) sweepWeights(used map[uint64]bool) error {
	var lost []uint64
	err := s.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(dbfile.Weights).Cursor()
		for k, _ := c.First(); len(k) >= 8; {
			id := binary.BigEndian.Uint64(k)
			s.nextWeights = max(s.nextWeights, id+1)
			if !used[id] {
				lost = append(lost, id)
			}
			k, _ = c.Seek(binary.BigEndian.AppendUint64(nil, id+1))
		}
		return nil
	})
	if err != nil || s.ReadOnly() {
		return err
	}
	for _, id := range lost {
		if err := s.DeletePrefix(context.Background(), dbfile.Weights, binary.BigEndian.AppendUint64(nil, id)); err != nil {
			return err
		}
	}
	return nil
}

// weightsChunk is the size of a chunk of weights.
const weightsChunk = 1 << 20

// WeightsWriter writes the sections of a model in chunks. It must be ended by PublishModel or
// Abort.
type WeightsWriter struct {
	s        *Store
	ctx      context.Context
	id       uint64
	sections map[string]*weightsSection
	pending  []dbfile.Pair
	size     int
	total    int64
	done     bool
}

type weightsSection struct {
	chunks int
	buf    []byte
	hash   hash.Hash
}

// NewWeights begins to write weights.
func (s *Store) NewWeights(ctx context.Context) (*WeightsWriter, error) {
	if s.ReadOnly() {
		return nil, ErrReadOnly
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextWeights = max(s.nextWeights, 1)
	w := &WeightsWriter{s: s, ctx: ctx, id: s.nextWeights, sections: map[string]*weightsSection{}}
	s.nextWeights++
	return w, nil
}

func weightsKey(id uint64, section string, chunk int) []byte {
	k := binary.BigEndian.AppendUint64(nil, id)
	k = append(append(k, section...), 0)
	return be32(k, uint32(chunk))
}

// Write appends to a section.
func (w *WeightsWriter) Write(section string, data []byte) error {
	sec := w.sections[section]
	if sec == nil {
		sec = &weightsSection{hash: sha256.New()}
		w.sections[section] = sec
	}
	if _, err := sec.hash.Write(data); err != nil {
		return err
	}
	w.total += int64(len(data))
	for len(data) > 0 {
		n := min(len(data), weightsChunk-len(sec.buf))
		sec.buf, data = append(sec.buf, data[:n]...), data[n:]
		if len(sec.buf) == weightsChunk {
			if err := w.chunk(section, sec); err != nil {
				return err
			}
		}
	}
	return nil
}

// chunk queues a full chunk with its checksum.
func (w *WeightsWriter) chunk(section string, sec *weightsSection) error {
	v := binary.LittleEndian.AppendUint32(make([]byte, 0, len(sec.buf)+4), crc32.Checksum(sec.buf, castagnoli))
	w.pending = append(w.pending, dbfile.Pair{Key: weightsKey(w.id, section, sec.chunks), Value: append(v, sec.buf...)})
	w.size += len(sec.buf)
	sec.buf = sec.buf[:0]
	sec.chunks++
	if w.size < transactionBytes {
		return nil
	}
	return w.flush()
}

func (w *WeightsWriter) flush() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	sort.Slice(w.pending, func(i, j int) bool { return string(w.pending[i].Key) < string(w.pending[j].Key) })
	err := w.s.Update(func(tx *sealed.Tx) error { return w.put(tx) })
	w.pending, w.size = nil, 0
	return err
}

func (w *WeightsWriter) put(tx *sealed.Tx) error {
	for _, p := range w.pending {
		if err := tx.Bucket(dbfile.Weights).Put(p.Key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// Weights opens what was written, before it is published. Nothing can be written after it.
func (w *WeightsWriter) Weights() (*Weights, error) {
	if _, err := w.finish(); err != nil {
		return nil, err
	}
	return w.s.Weights(w.id)
}

// Abort removes what was written.
func (w *WeightsWriter) Abort() {
	if w.done {
		return
	}
	w.done = true
	// Chunks that cannot be removed now are removed at the next opening.
	_ = w.s.DeletePrefix(context.Background(), dbfile.Weights, binary.BigEndian.AppendUint64(nil, w.id))
}

// finish writes the last chunks and returns the hash of all sections by name.
func (w *WeightsWriter) finish() (string, error) {
	names := make([]string, 0, len(w.sections))
	for n := range w.sections {
		names = append(names, n)
	}
	sort.Strings(names)
	h := sha256.New()
	for _, n := range names {
		sec := w.sections[n]
		if len(sec.buf) > 0 || sec.chunks == 0 {
			if err := w.chunk(n, sec); err != nil {
				return "", err
			}
		}
		sumSection(h, n, sec.hash)
	}
	return hex.EncodeToString(h.Sum(nil)), w.flush()
}

// HashWeights returns the hash of weights; write passes pieces of sections to put.
func HashWeights(write func(put func(section string, p []byte) error) error) (string, error) {
	sections := map[string]hash.Hash{}
	err := write(func(section string, p []byte) error {
		if sections[section] == nil {
			sections[section] = sha256.New()
		}
		sections[section].Write(p)
		return nil
	})
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		sumSection(h, name, sections[name])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sumSection adds a section to the hash of weights.
func sumSection(sum hash.Hash, name string, section hash.Hash) {
	fmt.Fprintf(sum, "%s\x00%x\x00", name, section.Sum(nil))
}

// Weights are the sections of a model version.
type Weights struct {
	s      *Store
	id     uint64
	chunks map[string]int
	sizes  map[string]int64
}

// Names returns the names of the sections, sorted.
func (w *Weights) Names() []string { return slices.Sorted(maps.Keys(w.chunks)) }

// Weights opens the weights of a version; ErrCorrupt if chunks are missing.
func (s *Store) Weights(id uint64) (*Weights, error) {
	w := &Weights{s: s, id: id, chunks: map[string]int{}, sizes: map[string]int64{}}
	size := int64(0)
	err := s.View(func(tx *sealed.Tx) error {
		return eachChunk(tx, id, func(section string, chunk int, v []byte) error {
			if chunk != w.chunks[section] || len(v) < 4 {
				return fmt.Errorf("%w: weights section %s, chunk %d", ErrCorrupt, section, w.chunks[section])
			}
			w.chunks[section]++
			w.sizes[section] += int64(len(v) - 4)
			size += int64(len(v) - 4)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if mv, ok := s.versionOf(id); ok && mv.WeightsBytes != size {
		return nil, fmt.Errorf("%w: model %s@%d has %d bytes of weights, %d were written", ErrCorrupt, mv.Name, mv.Version,
			size, mv.WeightsBytes)
	}
	return w, nil
}

// versionOf returns the version that has the weights.
func (s *Store) versionOf(id uint64) (ModelVersion, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, st := range s.models {
		for _, v := range st.versions {
			if v.WeightsID == id {
				return v, true
			}
		}
	}
	return ModelVersion{}, false
}

// eachChunk calls f with the chunks of weights by section and number. v is valid during f.
func eachChunk(tx *sealed.Tx, id uint64, f func(section string, chunk int, v []byte) error) error {
	prefix := binary.BigEndian.AppendUint64(nil, id)
	c := tx.Bucket(dbfile.Weights).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if len(k) < 13 {
			return fmt.Errorf("%w: key of weights %d", ErrCorrupt, id)
		}
		if err := f(string(k[8:len(k)-5]), int(binary.BigEndian.Uint32(k[len(k)-4:])), v); err != nil {
			return err
		}
	}
	return nil
}

// Section reads a section; ErrNotFound if there is none.
func (w *Weights) Section(name string) ([]byte, error) {
	n := w.chunks[name]
	if n == 0 {
		return nil, fmt.Errorf("weights section %s: %w", name, ErrNotFound)
	}
	out := make([]byte, 0, min(n, 1<<10)*weightsChunk)
	err := w.s.View(func(tx *sealed.Tx) error {
		for chunk := range n {
			v := tx.Bucket(dbfile.Weights).Get(weightsKey(w.id, name, chunk))
			if v == nil { // the version was dropped meanwhile
				return fmt.Errorf("weights section %s, chunk %d: %w", name, chunk, ErrNotFound)
			}
			if len(v) < 4 || crc32.Checksum(v[4:], castagnoli) != binary.LittleEndian.Uint32(v) {
				return fmt.Errorf("%w: weights section %s, chunk %d", ErrCorrupt, name, chunk)
			}
			out = append(out, v[4:]...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
