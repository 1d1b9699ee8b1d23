package models

import (
	"bytes"
	"encoding/json"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/catalog"
)

// LayerDef returns the definition of a layer, built-in or declared by a model, or nil.
func (set *Set) LayerDef(name string) *text.LayerDef {
	if d := text.Builtins(name); d != nil {
		return d
	}
	if d, ok := set.layers.Load(name); ok {
		return d.(*text.LayerDef)
	}
	d := set.storedLayerDef(name)
	if d != nil {
		set.layers.Store(name, d)
	}
	return d
}

// DeclareLayers makes the layers known that a model declares.
func (set *Set) DeclareLayers(s kind.Schema) {
	for _, d := range s.Defs {
		set.layers.Store(d.Name, d)
	}
}

// storedLayerDef finds a layer in the stored schemas of all model versions, without loading weights.
func (set *Set) storedLayerDef(name string) *text.LayerDef {
	for _, o := range set.Store.Objects(catalog.ModelObject) {
		for _, v := range set.Store.Model(o.Name).Versions {
			var s kind.Schema
			if bytes.Contains(v.Schema, []byte(name)) && json.Unmarshal(v.Schema, &s) == nil {
				if d := s.Def(name); d != nil {
					return d
				}
			}
		}
	}
	return nil
}
