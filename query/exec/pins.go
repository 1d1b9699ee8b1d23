package exec

import (
	"fmt"
	"strings"

	"parlance/algo/option"
	"parlance/storage"
)

// inputRole is the role of pins to models whose relations are learned from.
const inputRole = "input"

func (r *Execution) pin(name string, version int) storage.Pin {
	p := storage.Pin{Name: name, Version: version}
	if v, ok := r.Store.ModelVersion(name, version); ok {
		p.Hash = v.WeightsHash
	}
	return p
}

func addPin(list []storage.Pin, p storage.Pin) []storage.Pin {
	for _, x := range list {
		if x.Name == p.Name && x.Version == p.Version && x.Role == p.Role && x.Ref == p.Ref {
			return list
		}
	}
	return append(list, p)
}

// recordedVersion is the number that a pinned version had where it was trained with.
func recordedVersion(p storage.Pin) int {
	if p.Was > 0 {
		return p.Was
	}
	return p.Version
}

func recordedPin(p storage.Pin) string { return fmt.Sprintf("%s@%d", p.Name, recordedVersion(p)) }

func (r *Execution) KindHint(name string) string {
	var names []string
	for _, k := range r.Kinds {
		names = append(names, k.Name)
	}
	if h := option.DidYouMean(name, names); h != "" {
		return strings.TrimPrefix(h, "; ")
	}
	return "kinds: " + strings.Join(names, ", ")
}
