package models

import (
	"fmt"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/registry"
)

// Versions knows the versions and aliases of models: the store those of now, a snapshot those that it sees.
type Versions interface {
	Model(name string) *registry.Model
}

// Resolve returns the version that a reference names in the snapshot. A version that was dropped since is an error,
// also where another one has its number now.
func (r *Resolver) Resolve(ref ast.ModelRef) (registry.Version, error) {
	v, err := r.Set.Version(r.Snapshot, ref)
	if err != nil {
		return v, err
	}
	if now, ok := r.Set.Store.ModelVersion(v.Name, v.Version); !ok || now.WeightsID != v.WeightsID {
		return v, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, "run the block again",
			"model %s@%d was dropped", v.Name, v.Version)
	}
	return v, nil
}

// Version returns the version that a reference names: a number, an alias, or for a bare
// name the alias production, else the newest.
func (set *Set) Version(in Versions, ref ast.ModelRef) (registry.Version, error) {
	m := in.Model(ref.Name)
	if len(m.Versions) == 0 {
		return registry.Version{}, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, set.SuggestModel(ref.Name),
			"there is no model %s", ref.Name)
	}
	want := 0
	switch {
	case ref.Version == "":
		if v, ok := m.Aliases["production"]; ok {
			want = v
		} else {
			return m.Versions[len(m.Versions)-1], nil
		}
	default:
		if v, ok := m.Aliases[ref.Version]; ok {
			want = v
		} else if _, err := fmt.Sscanf(ref.Version, "%d", &want); err != nil {
			hint := "SHOW MODELS lists versions and aliases"
			return registry.Version{}, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, hint,
				"model %s has no alias %s", ref.Name, ref.Version)
		}
	}
	if v, ok := m.Version(want); ok {
		return v, nil
	}
	return registry.Version{}, plan.Errorf(ref.Pos, plan.CodeUndefinedObject, "SHOW MODELS lists the versions",
		"model %s has no version %d", ref.Name, want)
}

// SuggestModel is the hint where there is no model of a name.
func (set *Set) SuggestModel(name string) string {
	var names []string
	for _, o := range set.Store.Objects(catalog.ModelObject) {
		names = append(names, o.Name)
	}
	if s := option.Closest(name, names); s != "" {
		return "did you mean " + s + "?"
	}
	return "SHOW MODELS lists the models"
}
