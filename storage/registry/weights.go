package registry

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
func (r *Registry) sweepWeights(used map[uint64]bool) error {
	var lost []uint64
	err := r.file.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(dbfile.Weights).Cursor()
		for k, _ := c.First(); len(k) >= 8; {
			id := binary.BigEndian.Uint64(k)
			r.nextWeights = max(r.nextWeights, id+1)
			if !used[id] {
				lost = append(lost, id)
			}
			k, _ = c.Seek(binary.BigEndian.AppendUint64(nil, id+1))
		}
		return nil
	})
	if err != nil || r.file.ReadOnly() {
		return err
	}
	for _, id := range lost {
		if err := r.deleteWeights(context.Background(), id); err != nil {
			return err
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// weightsChunk is the size of a chunk of weights.
const weightsChunk = 1 << 20

// WeightsWriter writes the sections of a model in chunks. It must be ended by PublishModel or
// Abort.
type WeightsWriter struct {
	r        *Registry
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
func (r *Registry) NewWeights(ctx context.Context) (*WeightsWriter, error) {
	if r.file.ReadOnly() {
		return nil, dbfile.ErrReadOnly
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nextWeights = max(r.nextWeights, 1)
	w := &WeightsWriter{r: r, ctx: ctx, id: r.nextWeights, sections: map[string]*weightsSection{}}
	r.nextWeights++
	return w, nil
}

func weightsKey(id uint64, section string, chunk int) []byte {
	k := binary.BigEndian.AppendUint64(nil, id)
	k = append(append(k, section...), 0)
	return binary.BigEndian.AppendUint32(k, uint32(chunk))
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
	if w.size < dbfile.TransactionBytes {
		return nil
	}
	return w.flush()
}

func (w *WeightsWriter) flush() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	sort.Slice(w.pending, func(i, j int) bool { return string(w.pending[i].Key) < string(w.pending[j].Key) })
	err := w.r.file.Update(func(tx *sealed.Tx) error {
		return dbfile.PutPairs(tx.Bucket(dbfile.Weights), w.pending)
	})
	w.pending, w.size = nil, 0
	return err
}

// Bytes is how much was written.
func (w *WeightsWriter) Bytes() int64 { return w.total }

// Weights opens what was written, before it is published. Nothing can be written after it.
func (w *WeightsWriter) Weights() (*Weights, error) {
	if _, err := w.finish(); err != nil {
		return nil, err
	}
	return w.r.Weights(w.id)
}

// Abort removes what was written.
func (w *WeightsWriter) Abort() {
	if w.done {
		return
	}
	w.done = true
	// Chunks that cannot be removed now are removed at the next opening.
	_ = w.r.file.DeletePrefix(context.Background(), dbfile.Weights, binary.BigEndian.AppendUint64(nil, w.id))
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
	r      *Registry
	id     uint64
	chunks map[string]int
	sizes  map[string]int64
}

// Names returns the names of the sections, sorted.
func (w *Weights) Names() []string { return slices.Sorted(maps.Keys(w.chunks)) }

// Weights opens the weights of a version; dbfile.ErrCorrupt if chunks are missing.
func (r *Registry) Weights(id uint64) (*Weights, error) {
	w := &Weights{r: r, id: id, chunks: map[string]int{}, sizes: map[string]int64{}}
	size := int64(0)
	err := r.file.View(func(tx *sealed.Tx) error {
		return eachChunk(tx, id, func(section string, chunk int, v []byte) error {
			if chunk != w.chunks[section] || len(v) < 4 {
				return fmt.Errorf("%w: weights section %s, chunk %d", dbfile.ErrCorrupt, section, w.chunks[section])
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
	if mv, ok := r.versionOf(id); ok && mv.WeightsBytes != size {
		return nil, fmt.Errorf("%w: model %s@%d has %d bytes of weights, %d were written", dbfile.ErrCorrupt, mv.Name,
			mv.Version, size, mv.WeightsBytes)
	}
	return w, nil
}

// versionOf returns the version that has the weights.
func (r *Registry) versionOf(id uint64) (Version, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, m := range r.models {
		for _, v := range m.Versions {
			if v.WeightsID == id {
				return v, true
			}
		}
	}
	return Version{}, false
}

// eachChunk calls f with the chunks of weights by section and number. v is valid during f.
func eachChunk(tx *sealed.Tx, id uint64, f func(section string, chunk int, v []byte) error) error {
	prefix := binary.BigEndian.AppendUint64(nil, id)
	c := tx.Bucket(dbfile.Weights).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if len(k) < 13 {
			return fmt.Errorf("%w: key of weights %d", dbfile.ErrCorrupt, id)
		}
		if err := f(string(k[8:len(k)-5]), int(binary.BigEndian.Uint32(k[len(k)-4:])), v); err != nil {
			return err
		}
	}
	return nil
}

// Section reads a section; dbfile.ErrNotFound if there is none.
func (w *Weights) Section(name string) ([]byte, error) {
	n := w.chunks[name]
	if n == 0 {
		return nil, fmt.Errorf("weights section %s: %w", name, dbfile.ErrNotFound)
	}
	out := make([]byte, 0, w.sizes[name])
	err := w.r.file.View(func(tx *sealed.Tx) error {
		for chunk := range n {
			v := tx.Bucket(dbfile.Weights).Get(weightsKey(w.id, name, chunk))
			if v == nil { // the version was dropped meanwhile
				return fmt.Errorf("weights section %s, chunk %d: %w", name, chunk, dbfile.ErrNotFound)
			}
			if len(v) < 4 || crc32.Checksum(v[4:], castagnoli) != binary.LittleEndian.Uint32(v) {
				return fmt.Errorf("%w: weights section %s, chunk %d", dbfile.ErrCorrupt, name, chunk)
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

// CheckWeights verifies the weights of all versions, and calls say for each fault.
func (r *Registry) CheckWeights(ctx context.Context, say func(string, ...any)) error {
	models := r.Models()
	for _, name := range slices.Sorted(maps.Keys(models)) {
		for _, v := range models[name].Versions {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := r.checkVersion(v, say); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkVersion compares the weights of a version with their checksums, size and hash.
func (r *Registry) checkVersion(v Version, say func(string, ...any)) error {
	size, sound, name := int64(0), true, ""
	sum, section := sha256.New(), hash.Hash(nil)
	err := r.file.View(func(tx *sealed.Tx) error {
		return eachChunk(tx, v.WeightsID, func(at string, _ int, p []byte) error {
			if section == nil || at != name {
				if section != nil {
					sumSection(sum, name, section)
				}
				name, section = at, sha256.New()
			}
			if len(p) < 4 || crc32.Checksum(p[4:], castagnoli) != binary.LittleEndian.Uint32(p) {
				say("model %s@%d: checksum of its weights", v.Name, v.Version)
				sound = false
				return nil
			}
			size += int64(len(p) - 4)
			_, err := section.Write(p[4:])
			return err
		})
	})
	if err != nil {
		return err
	}
	if section != nil {
		sumSection(sum, name, section)
	}
	switch {
	case !sound:
	case size != v.WeightsBytes:
		say("model %s@%d has %d bytes of weights, %d are expected", v.Name, v.Version, size, v.WeightsBytes)
	case hex.EncodeToString(sum.Sum(nil)) != v.WeightsHash:
		say("model %s@%d: hash of its weights", v.Name, v.Version)
	}
	return nil
}
