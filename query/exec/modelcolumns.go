package exec

import (
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage"
	"parlance/storage/value"
)

// AliasList lists the aliases of a version.
func AliasList(r *Execution, name string, version int) string {
	var parts []string
	for a, v := range r.Snapshot.Aliases(name) {
		if v == version {
			parts = append(parts, a)
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

func MetricName(v storage.ModelVersion) value.Value {
	for n := range v.Metrics {
		return value.Str(n)
	}
	return value.Value{}
}

func MetricValue(v storage.ModelVersion) value.Value {
	for _, x := range v.Metrics {
		return value.Real(x)
	}
	return value.Value{}
}

func KindOptions(k *kind.Kind) *option.Set {
	s := &option.Set{}
	k.New().Options(s)
	return s
}
