package exec

import (
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage"
	"parlance/storage/value"
)

// aliasList lists the aliases of a version.
func aliasList(r *run, name string, version int) string {
	var parts []string
	for a, v := range r.snap.Aliases(name) {
		if v == version {
			parts = append(parts, a)
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

func metricName(v storage.ModelVersion) value.Value {
	for n := range v.Metrics {
		return value.Str(n)
	}
	return value.Value{}
}

func metricValue(v storage.ModelVersion) value.Value {
	for _, x := range v.Metrics {
		return value.Real(x)
	}
	return value.Value{}
}

func kindOptions(k *kind.Kind) *option.Set {
	s := &option.Set{}
	k.New().Options(s)
	return s
}
