package registry

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"parlance/storage/dbfile"
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
type Version struct {
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
	Encoding     int             `json:"encoding"` // kind.Encoding of the program that wrote the weights
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
	Trainer string    `json:"trainer,omitempty"` // the other program that wrote it; then there is no name and no version
}

func (o *Origin) String() string {
	if o.Trainer != "" {
		return fmt.Sprintf("%s, of %s, on %s", o.Path, o.Trainer, o.Loaded.Format("2006-01-02 15:04:05"))
	}
	return fmt.Sprintf("%s, %s@%d there, on %s", o.Path, o.Name, o.Version, o.Loaded.Format("2006-01-02 15:04:05"))
}

// Same reports whether two versions are equivalent: they have equal weights, kind, options, tokeniser and upstream
// content. Version numbers do not count.
func (v Version) Same(o Version) bool {
	return v.Kind == o.Kind && v.Revision == o.Revision && v.WeightsHash == o.WeightsHash && v.Tokenizer == o.Tokenizer &&
		slices.Equal(v.Options, o.Options) &&
		slices.EqualFunc(v.Upstream, o.Upstream, func(a, b Pin) bool {
			return a.Name == b.Name && a.Hash == b.Hash && a.Role == b.Role && a.Ref == b.Ref
		})
}

// Model are all versions of a model. It is immutable.
type Model struct {
	Last       int            `json:"last"` // highest version number so far
	Aliases    map[string]int `json:"aliases,omitempty"`
	Promotions []Promotion    `json:"promotions,omitempty"` // history of the aliases
	Versions   []Version      `json:"-"`                    // ascending

	id uint32 // in the catalog
}

// Version returns a version by its number.
func (m *Model) Version(number int) (Version, bool) {
	for _, v := range m.Versions {
		if v.Version == number {
			return v, true
		}
	}
	return Version{}, false
}

func (m *Model) clone() *Model {
	c := *m
	c.Versions, c.Promotions, c.Aliases = slices.Clone(m.Versions), slices.Clone(m.Promotions), map[string]int{}
	maps.Copy(c.Aliases, m.Aliases)
	return &c
}

func modelKey(id uint32) []byte { return []byte(fmt.Sprintf("model/%08x", id)) }

func versionKey(id uint32, version int) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, id), uint32(version))
}

// put writes what is common to the versions.
func (m *Model) put(tx *sealed.Tx) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return tx.Bucket(dbfile.Catalog).Put(modelKey(m.id), raw)
}

// readModel reads a model by its identifier in the catalog.
func readModel(tx *sealed.Tx, id uint32, name string) (*Model, error) {
	m := &Model{id: id}
	if raw := tx.Bucket(dbfile.Catalog).Get(modelKey(id)); raw != nil {
		if err := json.Unmarshal(raw, m); err != nil {
			return nil, fmt.Errorf("%w: model %s", dbfile.ErrCorrupt, name)
		}
	}
	prefix := binary.BigEndian.AppendUint32(nil, id)
	c := tx.Bucket(dbfile.Model).Cursor()
	for k, v := c.Seek(prefix); len(k) == 8 && string(k[:4]) == string(prefix); k, v = c.Next() {
		var mv Version
		if err := json.Unmarshal(v, &mv); err != nil {
			return nil, fmt.Errorf("%w: a version of model %s", dbfile.ErrCorrupt, name)
		}
		mv.Name = name
		m.Versions = append(m.Versions, mv)
	}
	return m, nil
}
