package models

import (
	"fmt"

	"parlance/storage/registry"
)

// The roles of pinned versions in the lineage of a model.
const (
	InputRole    = "input"    // models whose relations it was trained on
	ResourceRole = "resource" // models that it reads
)

// Pin is a version for the lineage of a model that is trained with it.
func (r *Resolver) Pin(name string, version int) registry.Pin {
	p := registry.Pin{Name: name, Version: version}
	if v, ok := r.Set.Store.ModelVersion(name, version); ok {
		p.Hash = v.WeightsHash
	}
	return p
}

// AddPin appends a pin to a list that does not have it.
func AddPin(list []registry.Pin, p registry.Pin) []registry.Pin {
	for _, x := range list {
		if x.Name == p.Name && x.Version == p.Version && x.Role == p.Role && x.Ref == p.Ref {
			return list
		}
	}
	return append(list, p)
}

// RecordedVersion is the number that a pinned version had in the database in which the model was trained.
func RecordedVersion(p registry.Pin) int {
	if p.Was > 0 {
		return p.Was
	}
	return p.Version
}

// RecordedPin is the name of a pinned version in the database in which the model was trained.
func RecordedPin(p registry.Pin) string { return fmt.Sprintf("%s@%d", p.Name, RecordedVersion(p)) }
