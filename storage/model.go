package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"sort"
	"time"

	"go.etcd.io/bbolt"
)

// Pin names something a model was made with, and its content.
type Pin struct {
	Name    string `json:"name"`
	Version int    `json:"version,omitempty"` // of models
	Hash    string `json:"hash"`
	Role    string `json:"role,omitempty"`
}

// TracePoint is one line of a training's trace.
type TracePoint struct {
	Step      int      `json:"step"`
	Of        int      `json:"of,omitempty"`
	Objective float64  `json:"objective"`
	HeldOut   *float64 `json:"held_out,omitempty"`
	Metric    string   `json:"metric,omitempty"`
	Seconds   float64  `json:"seconds"`
	Note      string   `json:"note,omitempty"`
}

// ModelVersion is a version of a model with its lineage. It never changes.
type ModelVersion struct {
	Name         string             `json:"name"`
	ObjectID     uint32             `json:"object"`
	Version      int                `json:"version"` // from 1, never given twice
	Kind         string             `json:"kind"`
	Revision     int                `json:"revision"`
	Statement    string             `json:"statement"`
	Options      [][2]string        `json:"options"`
	Seed         uint64             `json:"seed"`
	SourceHash   string             `json:"source"`
	Upstream     []Pin              `json:"upstream,omitempty"`
	Resources    []Pin              `json:"resources,omitempty"`
	Tokenizer    string             `json:"tokenizer"`
	Program      string             `json:"program"`
	Metrics      map[string]float64 `json:"metrics,omitempty"`
	Seconds      float64            `json:"seconds"`
	Created      time.Time          `json:"created"`
	WeightsHash  string             `json:"weights_hash"`
	WeightsBytes int64              `json:"weights_bytes"`
	WeightsID    uint64             `json:"weights"`
	Schema       json.RawMessage    `json:"schema,omitempty"`
	Trace        []TracePoint       `json:"trace,omitempty"`
}

// Promotion is one entry of an alias's history.
type Promotion struct {
	Alias   string    `json:"alias"`
	Version int       `json:"version"`
	When    time.Time `json:"when"`
}

// modelState is all versions of a model.
type modelState struct {
	Last       int            `json:"last"` // highest version ever given
	Aliases    map[string]int `json:"aliases,omitempty"`
	Promotions []Promotion    `json:"promotions,omitempty"`
	versions   []ModelVersion
}

func modelKey(id uint32) []byte { return []byte(fmt.Sprintf("model/%08x", id)) }

func versionKey(id uint32, version int) []byte {
	return be32(be32(nil, id), uint32(version))
}

func (s *Store) readModels() error {
	states := map[string]*modelState{}
	used := map[uint64]bool{}
	err := s.view(func(tx *bbolt.Tx) error {
		for _, o := range s.Objects(ModelObject) {
			st := &modelState{Aliases: map[string]int{}}
			if raw := tx.Bucket(bucketCatalog).Get(modelKey(o.ID)); raw != nil {
				if err := json.Unmarshal(raw, st); err != nil {
					return fmt.Errorf("%w: model %s", ErrCorrupt, o.Name)
				}
			}
			if st.Aliases == nil {
				st.Aliases = map[string]int{}
			}
			prefix := be32(nil, o.ID)
			c := tx.Bucket(bucketModel).Cursor()
			for k, v := c.Seek(prefix); len(k) == 8 && string(k[:4]) == string(prefix); k, v = c.Next() {
				var mv ModelVersion
				if err := json.Unmarshal(v, &mv); err != nil {
					return fmt.Errorf("%w: a version of model %s", ErrCorrupt, o.Name)
				}
				mv.Name = o.Name
				used[mv.WeightsID] = true
				st.versions = append(st.versions, mv)
			}
			states[o.Name] = st
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.models = states
	return s.sweepWeights(used)
}

// sweepWeights deletes weights that no version names: what a killed training left behind.
func (s *Store) sweepWeights(used map[uint64]bool) error {
	var lost []uint64
	err := s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketWeights).Cursor()
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
	if err != nil || s.readOnly {
		return err
	}
	for _, id := range lost {
		if err := s.deletePrefix(context.Background(), bucketWeights, binary.BigEndian.AppendUint64(nil, id)); err != nil {
			return err
		}
	}
	return nil
}

// weightsChunk bounds a value of the weights.
const weightsChunk = 1 << 20

// WeightsWriter writes the sections of a model in chunks. It must be ended by PublishModel or
// Abort.
type WeightsWriter struct {
	s        *Store
	ctx      context.Context
	id       uint64
	sections map[string]*weightsSection
	pending  []pair
	size     int
	total    int64
	done     bool
}

type weightsSection struct {
	chunks int
	buf    []byte
	hash   interface {
		Write([]byte) (int, error)
		Sum([]byte) []byte
	}
}

// NewWeights begins to write weights.
func (s *Store) NewWeights(ctx context.Context) (*WeightsWriter, error) {
	if s.readOnly {
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
	w.pending = append(w.pending, pair{weightsKey(w.id, section, sec.chunks), append(v, sec.buf...)})
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
	sort.Slice(w.pending, func(i, j int) bool { return string(w.pending[i].k) < string(w.pending[j].k) })
	err := w.s.update(func(tx *bbolt.Tx) error { return w.put(tx) })
	w.pending, w.size = nil, 0
	return err
}

func (w *WeightsWriter) put(tx *bbolt.Tx) error {
	for _, p := range w.pending {
		if err := tx.Bucket(bucketWeights).Put(p.k, p.v); err != nil {
			return err
		}
	}
	return nil
}

// Abort removes what was written.
func (w *WeightsWriter) Abort() {
	if w.done {
		return
	}
	w.done = true
	// What cannot be removed now is swept at the next opening.
	_ = w.s.deletePrefix(context.Background(), bucketWeights, binary.BigEndian.AppendUint64(nil, w.id))
}

// finish queues the last chunks and returns the hash of all sections by name.
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
		fmt.Fprintf(h, "%s\x00%x\x00", n, sec.hash.Sum(nil))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// PublishModel makes weights a new version of the model, which is created with its first one.
func (s *Store) PublishModel(ctx context.Context, w *WeightsWriter, mv ModelVersion) (out ModelVersion, err error) {
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	if mv.WeightsHash, err = w.finish(); err != nil {
		return mv, err
	}
	if err := ctx.Err(); err != nil {
		return mv, err
	}
	o, ok := s.Object(mv.Name)
	if !ok {
		if _, err = s.CreateObject(Object{Name: mv.Name, Kind: ModelObject}); err != nil && !errors.Is(err, ErrExists) {
			return mv, err
		}
		o, _ = s.Object(mv.Name)
	}
	if o.Kind != ModelObject {
		return mv, fmt.Errorf("%s %w", mv.Name, ErrExists)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.model(mv.Name).clone()
	st.Last++
	mv.ObjectID, mv.Version, mv.WeightsBytes, mv.WeightsID = o.ID, st.Last, w.total, w.id
	raw, err := json.Marshal(mv)
	if err != nil {
		return mv, err
	}
	sort.Slice(w.pending, func(i, j int) bool { return string(w.pending[i].k) < string(w.pending[j].k) })
	err = s.update(func(tx *bbolt.Tx) error {
		if err := w.put(tx); err != nil {
			return err
		}
		if err := tx.Bucket(bucketModel).Put(versionKey(o.ID, mv.Version), raw); err != nil {
			return err
		}
		return putJSON(tx, modelKey(o.ID), st)
	})
	if err != nil {
		return mv, err
	}
	w.done = true
	st.versions = append(st.versions, mv)
	s.setModel(mv.Name, st)
	return mv, nil
}

// model returns the state of a model; the lock is held.
func (s *Store) model(name string) *modelState {
	if st := s.models[name]; st != nil {
		return st
	}
	return &modelState{Aliases: map[string]int{}}
}

func (m *modelState) clone() *modelState {
	out := &modelState{Last: m.Last, Aliases: map[string]int{}, Promotions: append([]Promotion{}, m.Promotions...), versions: append([]ModelVersion{}, m.versions...)}
	for k, v := range m.Aliases {
		out.Aliases[k] = v
	}
	return out
}

func (s *Store) setModel(name string, st *modelState) {
	s.models[name] = st
	s.cat.version++
}

// ModelVersions returns the versions of a model, ascending.
func (s *Store) ModelVersions(name string) []ModelVersion {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.model(name).versions
}

// ModelVersion returns one version.
func (s *Store) ModelVersion(name string, version int) (ModelVersion, bool) {
	for _, v := range s.ModelVersions(name) {
		if v.Version == version {
			return v, true
		}
	}
	return ModelVersion{}, false
}

// Weights are the sections of a model version.
type Weights struct {
	s  *Store
	id uint64
}

// Weights opens the weights of a version.
func (s *Store) Weights(id uint64) (*Weights, error) { return &Weights{s, id}, nil }

// Section reads a section; ErrNotFound if there is none.
func (w *Weights) Section(name string) ([]byte, error) {
	var out []byte
	found := false
	prefix := weightsKey(w.id, name, 0)
	prefix = prefix[:len(prefix)-4]
	for chunk := 0; ; chunk++ {
		last := false
		err := w.s.view(func(tx *bbolt.Tx) error {
			v := tx.Bucket(bucketWeights).Get(be32(append([]byte{}, prefix...), uint32(chunk)))
			if v == nil {
				last = true
				return nil
			}
			if len(v) < 4 || crc32.Checksum(v[4:], castagnoli) != binary.LittleEndian.Uint32(v) {
				return fmt.Errorf("%w: weights section %s, chunk %d", ErrCorrupt, name, chunk)
			}
			found = true
			out = append(out, v[4:]...)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if last {
			break
		}
	}
	if !found {
		return nil, fmt.Errorf("weights section %s: %w", name, ErrNotFound)
	}
	return out, nil
}

// DropModelVersion deletes a version; its number is not given again.
func (s *Store) DropModelVersion(ctx context.Context, name string, version int) error {
	o, ok := s.Object(name)
	if !ok {
		return fmt.Errorf("model %s %w", name, ErrNotFound)
	}
	s.mu.Lock()
	st := s.model(name).clone()
	var gone *ModelVersion
	for i := range st.versions {
		if st.versions[i].Version == version {
			v := st.versions[i]
			gone = &v
			st.versions = append(st.versions[:i], st.versions[i+1:]...)
			break
		}
	}
	if gone == nil {
		s.mu.Unlock()
		return fmt.Errorf("model %s@%d %w", name, version, ErrNotFound)
	}
	for a, v := range st.Aliases {
		if v == version {
			delete(st.Aliases, a)
		}
	}
	err := s.update(func(tx *bbolt.Tx) error {
		if err := tx.Bucket(bucketModel).Delete(versionKey(o.ID, version)); err != nil {
			return err
		}
		return putJSON(tx, modelKey(o.ID), st)
	})
	if err == nil {
		s.setModel(name, st)
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.deletePrefix(ctx, bucketWeights, binary.BigEndian.AppendUint64(nil, gone.WeightsID))
}

// DropModel deletes a model with all versions.
func (s *Store) DropModel(ctx context.Context, name string) error {
	o, ok := s.Object(name)
	if !ok {
		return fmt.Errorf("model %s %w", name, ErrNotFound)
	}
	versions := s.ModelVersions(name)
	err := s.update(func(tx *bbolt.Tx) error {
		for _, v := range versions {
			if err := tx.Bucket(bucketModel).Delete(versionKey(o.ID, v.Version)); err != nil {
				return err
			}
		}
		if err := tx.Bucket(bucketCatalog).Delete(modelKey(o.ID)); err != nil {
			return err
		}
		return tx.Bucket(bucketCatalog).Delete(objectKey(o.ID))
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.models, name)
	delete(s.cat.byName, name)
	s.cat.version++
	s.mu.Unlock()
	for _, v := range versions {
		if err := s.deletePrefix(ctx, bucketWeights, binary.BigEndian.AppendUint64(nil, v.WeightsID)); err != nil {
			return err
		}
	}
	return nil
}

// SetAlias points an alias of a model at a version.
func (s *Store) SetAlias(name, alias string, version int) error {
	o, ok := s.Object(name)
	if !ok {
		return fmt.Errorf("model %s %w", name, ErrNotFound)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.model(name).clone()
	st.Aliases[alias] = version
	st.Promotions = append(st.Promotions, Promotion{alias, version, time.Now().UTC().Truncate(time.Microsecond)})
	if err := s.update(func(tx *bbolt.Tx) error { return putJSON(tx, modelKey(o.ID), st) }); err != nil {
		return err
	}
	s.setModel(name, st)
	return nil
}

// Alias returns the version that an alias points at.
func (s *Store) Alias(name, alias string) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.model(name).Aliases[alias]
	return v, ok
}

// Aliases returns the aliases of a model. The map must not be changed.
func (s *Store) Aliases(name string) map[string]int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.model(name).Aliases
}

// Promotions returns the history of a model's aliases.
func (s *Store) Promotions(name string) []Promotion {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.model(name).Promotions
}
