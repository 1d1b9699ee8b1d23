// Package registry keeps models: their versions with lineage, weights, aliases and the history of these, the trainings
// that make them, and the files that carry them to other databases. That a model exists is in the catalog, which is not
// the registry's.
package registry

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// ErrAliasChanged is the error of an alias that names another version than expected.
var ErrAliasChanged = errors.New("has moved meanwhile")

// Registry keeps models, their weights and the trainings that make them. It is safe for concurrent use.
type Registry struct {
	file        *dbfile.File
	changed     func() // is called after changes of models
	mu          sync.RWMutex
	models      map[string]*Model
	nextWeights uint64
	jobs        map[uint64]Job
	lastJob     uint64
}

// Open reads the jobs of a file, and the models, whose names are by identifier in the catalog. changed is called after
// each change of a model but those of Publish and DropModel.
func Open(f *dbfile.File, names map[uint32]string, changed func()) (*Registry, error) {
	r := &Registry{file: f, changed: changed, models: map[string]*Model{}}
	used := map[uint64]bool{}
	err := f.View(func(tx *sealed.Tx) error {
		for id, name := range names {
			m, err := readModel(tx, id, name)
			if err != nil {
				return err
			}
			for _, v := range m.Versions {
				used[v.WeightsID] = true
			}
			r.models[name] = m
		}
		return nil
	})
	if err == nil {
		err = r.sweepWeights(used)
	}
	if err == nil {
		err = r.readJobs()
	}
	return r, err
}

// model returns a model, one without versions if there is none of the name. The lock must be held.
func (r *Registry) model(name string) *Model {
	if m := r.models[name]; m != nil {
		return m
	}
	return &Model{}
}

// Model returns a model as it stands now, one without versions if there is none of the name.
func (r *Registry) Model(name string) *Model {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.model(name)
}

// Models returns all models as they stand now, by name.
func (r *Registry) Models() map[string]*Model {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return maps.Clone(r.models)
}

// ModelVersion returns one version.
func (r *Registry) ModelVersion(name string, version int) (Version, bool) {
	return r.Model(name).Version(version)
}

// change replaces a model by a copy that f has edited. f also writes what belongs to the versions.
func (r *Registry) change(name string, f func(*Model) (write func(*sealed.Tx) error, err error)) error {
	r.mu.Lock()
	m := r.model(name).clone()
	write, err := f(m)
	if err == nil {
		err = r.file.Update(func(tx *sealed.Tx) error {
			if err := write(tx); err != nil {
				return err
			}
			return m.put(tx)
		})
	}
	if err == nil {
		r.models[name] = m
	}
	r.mu.Unlock()
	if err == nil {
		r.changed()
	}
	return err
}

// Promote points an alias of a model at a version, unless p is refused, and adds p to the history with the present time
// and the previous version. It returns dbfile.ErrNotFound if there is no such version, and ErrAliasChanged if an alias
// in expect no longer names the version given there (0: none).
func (r *Registry) Promote(name string, p Promotion, expect map[string]int) error {
	return r.change(name, func(m *Model) (func(*sealed.Tx) error, error) {
		if _, ok := m.Version(p.Version); !ok {
			return nil, fmt.Errorf("model %s@%d %w", name, p.Version, dbfile.ErrNotFound)
		}
		for alias, version := range expect {
			if m.Aliases[alias] != version {
				return nil, fmt.Errorf("%s of %s %w", alias, name, ErrAliasChanged)
			}
		}
		p.From, p.When = m.Aliases[p.Alias], time.Now().UTC().Truncate(time.Microsecond)
		if !p.Refused {
			m.Aliases[p.Alias] = p.Version
		}
		m.Promotions = append(m.Promotions, p)
		return func(*sealed.Tx) error { return nil }, nil
	})
}

// DropModelVersion deletes a version and the aliases that point at it; its number is not
// reused. Weights that cannot be deleted stay until the file is opened next.
func (r *Registry) DropModelVersion(ctx context.Context, name string, version int) error {
	var gone Version
	err := r.change(name, func(m *Model) (func(*sealed.Tx) error, error) {
		var ok bool
		if gone, ok = m.Version(version); !ok {
			return nil, fmt.Errorf("model %s@%d %w", name, version, dbfile.ErrNotFound)
		}
		m.Versions = slices.DeleteFunc(m.Versions, func(v Version) bool { return v.Version == version })
		maps.DeleteFunc(m.Aliases, func(_ string, v int) bool { return v == version })
		return func(tx *sealed.Tx) error { return tx.Bucket(dbfile.Model).Delete(versionKey(m.id, version)) }, nil
	})
	if err != nil {
		return err
	}
	_ = r.deleteWeights(ctx, gone.WeightsID)
	return nil
}

// DropModel deletes a model with all versions. also writes what else belongs to the same transaction. The weights stay
// for DeleteWeights.
func (r *Registry) DropModel(name string, also func(*sealed.Tx) error) (gone *Model, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone = r.model(name)
	err = r.file.Update(func(tx *sealed.Tx) error {
		for _, v := range gone.Versions {
			if err := tx.Bucket(dbfile.Model).Delete(versionKey(gone.id, v.Version)); err != nil {
				return err
			}
		}
		if err := tx.Bucket(dbfile.Catalog).Delete(modelKey(gone.id)); err != nil {
			return err
		}
		return also(tx)
	})
	if err == nil {
		delete(r.models, name)
	}
	return gone, err
}

// DeleteWeights deletes the weights of the versions of a dropped model.
func (r *Registry) DeleteWeights(ctx context.Context, m *Model) error {
	for _, v := range m.Versions {
		if err := r.deleteWeights(ctx, v.WeightsID); err != nil {
			return err
		}
	}
	return nil
}

func (r *Registry) deleteWeights(ctx context.Context, id uint64) error {
	return r.file.DeletePrefix(ctx, dbfile.Weights, binary.BigEndian.AppendUint64(nil, id))
}
