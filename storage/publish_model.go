package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// NewVersion is a version to publish. Its WeightsHash, if set, must be that of the weights. Within maps indexes of its
// upstream to entries of the same batch.
type NewVersion struct {
	Weights *WeightsWriter
	Version ModelVersion
	Within  map[int]int
}

// PublishModel publishes weights as a new version of the model, in one small transaction. The model is created with its
// first version. It returns ErrExists if the name belongs to another kind of object.
func (s *Store) PublishModel(ctx context.Context, w *WeightsWriter, mv ModelVersion) (ModelVersion, error) {
	out, err := s.PublishModels(ctx, []NewVersion{{Weights: w, Version: mv}})
	if err != nil {
		return mv, err
	}
	return out[0], nil
}

// PublishModels publishes all versions in one transaction. An entry may have earlier entries as upstream.
func (s *Store) PublishModels(ctx context.Context, batch []NewVersion) (out []ModelVersion, err error) {
	defer func() {
		if err != nil {
			for _, b := range batch {
				b.Weights.Abort()
			}
		}
	}()
	for i, b := range batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hash, err := b.Weights.finish()
		if err != nil {
			return nil, err
		}
		if want := b.Version.WeightsHash; want != "" && want != hash {
			return nil, fmt.Errorf("%w: weights of %s are not those of their lineage", ErrCorrupt, b.Version.Name)
		}
		batch[i].Version.WeightsHash = hash
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := publication{s: s, nextID: s.cat.nextID, objects: map[string]*Object{}, states: map[string]*modelState{}}
	for _, b := range batch {
		if err := p.add(b); err != nil {
			return nil, err
		}
	}
	if err := s.Update(p.write); err != nil {
		return nil, err
	}
	for _, b := range batch {
		b.Weights.done = true
	}
	p.commit()
	return p.versions, nil
}

// publication publishes versions. The lock of the store must be held.
type publication struct {
	s        *Store
	nextID   uint32
	objects  map[string]*Object // models that are created by their first version
	states   map[string]*modelState
	versions []ModelVersion
}

func (p *publication) add(b NewVersion) error {
	mv, s := b.Version, p.s
	o := s.cat.byName[mv.Name]
	if o == nil {
		o = p.objects[mv.Name]
	}
	if o == nil {
		o = &Object{ID: p.nextID, Name: mv.Name, Kind: ModelObject, Created: time.Now().UTC().Truncate(time.Microsecond)}
		p.objects[mv.Name] = o
		p.nextID++
	}
	if o.Kind != ModelObject {
		return fmt.Errorf("%s %w", mv.Name, ErrExists)
	}
	st := p.states[mv.Name]
	if st == nil {
		st = s.model(mv.Name).clone()
		p.states[mv.Name] = st
	}
	mv.Upstream = append([]Pin(nil), mv.Upstream...)
	for at, entry := range b.Within {
		mv.Upstream[at].Name, mv.Upstream[at].Version = p.versions[entry].Name, p.versions[entry].Version
	}
	st.Last++
	mv.ObjectID, mv.Version, mv.WeightsBytes, mv.WeightsID = o.ID, st.Last, b.Weights.total, b.Weights.id
	st.versions = append(st.versions, mv)
	p.versions = append(p.versions, mv)
	return nil
}

func (p *publication) write(tx *sealed.Tx) error {
	for _, o := range p.objects {
		if err := putJSON(tx, objectKey(o.ID), o); err != nil {
			return err
		}
	}
	for _, mv := range p.versions {
		raw, err := json.Marshal(mv)
		if err != nil {
			return err
		}
		if err := tx.Bucket(dbfile.Model).Put(versionKey(mv.ObjectID, mv.Version), raw); err != nil {
			return err
		}
		if err := putJSON(tx, modelKey(mv.ObjectID), p.states[mv.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (p *publication) commit() {
	for name, o := range p.objects {
		p.s.cat.byName[name] = o
	}
	p.s.cat.nextID = p.nextID
	for name, st := range p.states {
		p.s.setModel(name, st)
	}
}
