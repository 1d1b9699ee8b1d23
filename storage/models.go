package storage

import (
	"context"
	"fmt"
	"maps"
	"time"

	"parlance/storage/catalog"
	"parlance/storage/registry"
	"parlance/storage/sealed"
)

// The versions of a model are in the registry; the model itself is an object of the catalog, which its first version
// makes.

// PublishModel publishes weights as a new version of the model, in one small transaction. The model is created with its
// first version. It returns ErrExists if the name belongs to another kind of object.
func (s *Store) PublishModel(ctx context.Context, w *registry.WeightsWriter,
	mv registry.Version) (registry.Version, error) {
	out, err := s.PublishModels(ctx, []registry.NewVersion{{Weights: w, Version: mv}})
	if err != nil {
		return mv, err
	}
	return out[0], nil
}

// PublishModels publishes all versions in one transaction. An entry may have earlier entries as upstream.
func (s *Store) PublishModels(ctx context.Context, batch []registry.NewVersion) ([]registry.Version, error) {
	if err := registry.Finish(ctx, batch); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	made, nextID := map[string]*Object{}, s.cat.nextID
	out, err := s.Publish(batch, func(name string) (uint32, error) {
		o := s.cat.byName[name]
		if o == nil {
			o = &Object{ID: nextID, Name: name, Kind: catalog.ModelObject, Created: time.Now().UTC().Truncate(time.Microsecond)}
			made[name] = o
			nextID++
		}
		if o.Kind != catalog.ModelObject {
			return 0, &TakenError{o}
		}
		return o.ID, nil
	}, func(tx *sealed.Tx) error {
		for _, o := range made {
			if err := catalog.PutEntry(tx, o); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	maps.Copy(s.cat.byName, made)
	s.cat.nextID = nextID
	s.cat.version++
	return out, nil
}

// DropModel deletes a model with all versions. Weights that cannot be deleted stay until the file is opened next.
func (s *Store) DropModel(ctx context.Context, name string) error {
	gone, err := s.dropModel(name)
	if err != nil {
		return err
	}
	_ = s.DeleteWeights(ctx, gone)
	return nil
}

// dropModel removes a model from the catalog and from the registry.
func (s *Store) dropModel(name string) (*registry.Model, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.cat.byName[name]
	if o == nil || o.Kind != catalog.ModelObject {
		return nil, fmt.Errorf("model %s %w", name, ErrNotFound)
	}
	gone, err := s.Registry.DropModel(name, func(tx *sealed.Tx) error {
		return tx.Bucket(bucketCatalog).Delete(catalog.ObjectKey(o.ID))
	})
	if err == nil {
		delete(s.cat.byName, name)
		s.cat.version++
	}
	return gone, err
}

// catalogChanged makes plans be made anew.
func (s *Store) catalogChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cat.version++
}
