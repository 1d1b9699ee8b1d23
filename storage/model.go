package storage

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"parlance/storage/sealed"
)

// Pin identifies an object that a model was made with, and its content by a hash.
type Pin struct {
	Name    string `json:"name"`
	Version int    `json:"version,omitempty"` // of models
	Hash    string `json:"hash"`
	Order   string `json:"order,omitempty"` // of rows or documents; "" for models, and if it was not recorded
	Role    string `json:"role,omitempty"`
	Ref     string `json:"ref,omitempty"` // of role resource: how the model names it
	Was     int    `json:"was,omitempty"` // version number in the database that the model was loaded from
}

// ModelVersion is a version of a model with its lineage. It is immutable.
type ModelVersion struct {
	Name       string      `json:"name"`
	ObjectID   uint32      `json:"object"`
	Version    int         `json:"version"` // from 1, never reused
	Kind       string      `json:"kind"`
	Revision   int         `json:"revision"`
	Statement  string      `json:"statement"`
	Options    [][2]string `json:"options"`
	Seed       uint64      `json:"seed"`
	SourceHash string      `json:"source"`
	// SourceHash is of what was read, in order, not of whole objects
	SourceRead   bool            `json:"source_read,omitempty"`
	Upstream     []Pin           `json:"upstream,omitempty"`
	Resources    []Pin           `json:"resources,omitempty"`
	Tokenizer    string          `json:"tokenizer"`
	Program      string          `json:"program"`
	Metrics      Metrics         `json:"metrics,omitempty"`
	Seconds      float64         `json:"seconds"`
	Created      time.Time       `json:"created"`
	WeightsHash  string          `json:"weights_hash"`
	WeightsBytes int64           `json:"weights_bytes"`
	WeightsID    uint64          `json:"weights"`
	Schema       json.RawMessage `json:"schema,omitempty"`
	Trace        []TracePoint    `json:"trace,omitempty"`
	Tuning       *Tuning         `json:"tuning,omitempty"`    // how TUNE chose the options
	Origin       *Origin         `json:"origin,omitempty"`    // nil for a version trained in this database
	Texts        []byte          `json:"texts,omitempty"`     // sample of the texts that it was trained on
	Documents    []byte          `json:"documents,omitempty"` // the same of ids with texts

	// nil for a version that read no documents, or was made before they were counted
	Learned *Learned `json:"learned,omitempty"`
}

// Learned is how much a version was trained on.
type Learned struct {
	Documents int `json:"documents"`
	Labels    int `json:"labels"` // different ones
}

// Tuning is the search by which TUNE chose the options of a version.
type Tuning struct {
	Statement string  `json:"statement"`
	Metric    string  `json:"metric"`
	Trials    []Trial `json:"trials"` // by candidate, then fold
}

// Trial is one training of a search and its score.
type Trial struct {
	Candidate int             `json:"candidate"` // from 1
	Options   json.RawMessage `json:"options"`   // an object: value by name
	Fold      int             `json:"fold"`      // from 1; 0 without folds
	Score     float64         `json:"score"`
	Seconds   float64         `json:"seconds"`
}

// Origin is the model file that a version was loaded from.
type Origin struct {
	Path    string    `json:"path"`
	File    string    `json:"file"` // checksum of the model file
	Name    string    `json:"name"` // of the model there
	Version int       `json:"version"`
	Loaded  time.Time `json:"loaded"`
}

func (o *Origin) String() string {
	return fmt.Sprintf("%s, %s@%d there, on %s", o.Path, o.Name, o.Version, o.Loaded.Format("2006-01-02 15:04:05"))
}

// Same reports whether two versions are equivalent: they have equal weights, kind, options, tokeniser and upstream
// content. Version numbers do not count.
func (v ModelVersion) Same(o ModelVersion) bool {
	return v.Kind == o.Kind && v.Revision == o.Revision && v.WeightsHash == o.WeightsHash && v.Tokenizer == o.Tokenizer &&
		slices.Equal(v.Options, o.Options) &&
		slices.EqualFunc(v.Upstream, o.Upstream, func(a, b Pin) bool {
			return a.Name == b.Name && a.Hash == b.Hash && a.Role == b.Role && a.Ref == b.Ref
		})
}

// modelState are all versions of a model.
type modelState struct {
	Last       int            `json:"last"` // highest version number so far
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
	err := s.view(func(tx *sealed.Tx) error {
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

// model returns the state of a model. The lock must be held.
func (s *Store) model(name string) *modelState {
	if st := s.models[name]; st != nil {
		return st
	}
	return &modelState{Aliases: map[string]int{}}
}

func (m *modelState) clone() *modelState {
	out := &modelState{Last: m.Last, Aliases: map[string]int{}, Promotions: append([]Promotion{}, m.Promotions...),
		versions: append([]ModelVersion{}, m.versions...)}
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

// DropModelVersion deletes a version and the aliases that point at it; its number is not
// reused.
func (s *Store) DropModelVersion(ctx context.Context, name string, version int) error {
	gone, err := s.forgetVersion(name, version)
	if err != nil {
		return err
	}
	return s.deletePrefix(ctx, bucketWeights, binary.BigEndian.AppendUint64(nil, gone.WeightsID))
}

// forgetVersion removes a version from its model and returns it.
func (s *Store) forgetVersion(name string, version int) (gone ModelVersion, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.model(name).clone()
	i := slices.IndexFunc(st.versions, func(v ModelVersion) bool { return v.Version == version })
	if i < 0 {
		return gone, fmt.Errorf("model %s@%d %w", name, version, ErrNotFound)
	}
	gone = st.versions[i]
	st.versions = slices.Delete(st.versions, i, i+1)
	maps.DeleteFunc(st.Aliases, func(_ string, v int) bool { return v == version })
	err = s.update(func(tx *sealed.Tx) error {
		if err := tx.Bucket(bucketModel).Delete(versionKey(gone.ObjectID, version)); err != nil {
			return err
		}
		return putJSON(tx, modelKey(gone.ObjectID), st)
	})
	if err == nil {
		s.setModel(name, st)
	}
	return gone, err
}

// DropModel deletes a model with all versions.
func (s *Store) DropModel(ctx context.Context, name string) error {
	versions, err := s.forgetModel(name)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if err := s.deletePrefix(ctx, bucketWeights, binary.BigEndian.AppendUint64(nil, v.WeightsID)); err != nil {
			return err
		}
	}
	return nil
}

// forgetModel removes a model from the catalog and returns the versions that it had.
func (s *Store) forgetModel(name string) ([]ModelVersion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.cat.byName[name]
	if o == nil || o.Kind != ModelObject {
		return nil, fmt.Errorf("model %s %w", name, ErrNotFound)
	}
	versions := s.model(name).versions
	err := s.update(func(tx *sealed.Tx) error {
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
		return nil, err
	}
	delete(s.models, name)
	delete(s.cat.byName, name)
	s.cat.version++
	return versions, nil
}
