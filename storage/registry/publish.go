package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// NewVersion is a version to publish. Its WeightsHash, if set, must be that of the weights. Within maps indexes of its
// upstream to entries of the same batch.
type NewVersion struct {
	Weights *WeightsWriter
	Version Version
	Within  map[int]int
}

// Finish writes the last chunks of the weights of versions and sets their hashes. After an error all weights are
// removed.
func Finish(ctx context.Context, batch []NewVersion) (err error) {
	defer abortIf(&err, batch)
	for i, b := range batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		hash, err := b.Weights.finish()
		if err != nil {
			return err
		}
		if want := b.Version.WeightsHash; want != "" && want != hash {
			return fmt.Errorf("%w: weights of %s are not those of their lineage", dbfile.ErrCorrupt, b.Version.Name)
		}
		batch[i].Version.WeightsHash = hash
	}
	return nil
}

// abortIf removes the weights of versions after an error.
func abortIf(err *error, batch []NewVersion) {
	if *err != nil {
		for _, b := range batch {
			b.Weights.Abort()
		}
	}
}

// Publish publishes finished versions in one transaction and returns them with their numbers. An entry may have earlier
// entries as upstream. identify gives the identifier of a model in the catalog; also writes what else belongs to the
// transaction. After an error all weights are removed.
func (r *Registry) Publish(batch []NewVersion, identify func(name string) (uint32, error),
	also func(*sealed.Tx) error) (out []Version, err error) {
	defer abortIf(&err, batch)
	r.mu.Lock()
	defer r.mu.Unlock()
	models := map[string]*Model{}
	for _, b := range batch {
		mv := b.Version
		m := models[mv.Name]
		if m == nil {
			m = r.model(mv.Name).clone()
			if m.id, err = identify(mv.Name); err != nil {
				return nil, err
			}
			models[mv.Name] = m
		}
		mv.Upstream = slices.Clone(mv.Upstream)
		for at, entry := range b.Within {
			mv.Upstream[at].Name, mv.Upstream[at].Version = out[entry].Name, out[entry].Version
		}
		m.Last++
		mv.ObjectID, mv.Version, mv.WeightsBytes, mv.WeightsID = m.id, m.Last, b.Weights.total, b.Weights.id
		m.Versions, out = append(m.Versions, mv), append(out, mv)
	}
	err = r.file.Update(func(tx *sealed.Tx) error {
		for _, mv := range out {
			raw, err := json.Marshal(mv)
			if err != nil {
				return err
			}
			if err := tx.Bucket(dbfile.Model).Put(versionKey(mv.ObjectID, mv.Version), raw); err != nil {
				return err
			}
		}
		for _, m := range models {
			if err := m.put(tx); err != nil {
				return err
			}
		}
		return also(tx)
	})
	if err != nil {
		return nil, err
	}
	for _, b := range batch {
		b.Weights.done = true
	}
	maps.Copy(r.models, models)
	return out, nil
}
