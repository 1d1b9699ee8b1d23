package models

import (
	"strings"

	"parlance/query/ast"
	"parlance/storage/registry"
)

// Warm loads a model, NAME or NAME@VERSION, with the resources that it reads. One that is not needed is loaded only if
// it is pinned or no other model must be unloaded for it.
func (r *Resolver) Warm(ref string, needed bool, relations RelationReader) error {
	name, version, _ := strings.Cut(ref, "@")
	v, err := r.Resolve(ast.ModelRef{Name: name, Version: version})
	if err != nil {
		return err
	}
	if !needed && !r.Set.pinned(Key{Name: v.Name, Version: v.Version}) && !r.Set.hasRoom(v) {
		return nil
	}
	l, err := r.Fetch(v.Name, v.Version)
	if err != nil {
		return err
	}
	found := &Resources{Resolver: r, Relations: relations, Pins: l.Meta.Upstream}
	for _, res := range l.schema.Resources {
		if err := found.Load(res); err != nil {
			return err
		}
	}
	return nil
}

// hasRoom reports whether a version can be loaded without unloading another.
func (set *Set) hasRoom(v registry.Version) bool {
	set.mu.Lock()
	defer set.mu.Unlock()
	return set.bytes+weightsFactor*v.WeightsBytes <= set.Limit()
}
