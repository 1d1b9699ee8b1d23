package exec

import (
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// AliasList lists the aliases of a version.
func AliasList(r *Execution, name string, version int) string {
	var parts []string
	for a, v := range r.Snapshot.Model(name).Aliases {
		if v == version {
			parts = append(parts, a)
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

// MetricName is the name of the metric that a version was scored by, NULL if it was not.
func MetricName(v registry.Version) value.Value {
	for n := range v.Metrics {
		return value.Str(n)
	}
	return value.Value{}
}

// MetricValue is its value.
func MetricValue(v registry.Version) value.Value {
	for _, x := range v.Metrics {
		return value.Real(x)
	}
	return value.Value{}
}

// KindOptions are the options that a kind declares.
func KindOptions(k *kind.Kind) *option.Set {
	s := &option.Set{}
	k.New().Options(s)
	return s
}
