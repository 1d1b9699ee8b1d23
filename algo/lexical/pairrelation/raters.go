package pairrelation

import (
	"slices"

	"parlance/algo/metrics/agreement"
	"parlance/storage/value"
)

// agreementRows are, at either level, the kappas of every two raters that judged a pair in common, and
// that of all. Ratings without a rater do not count.
func (m *model) agreementRows(yield func([]value.Value) bool) {
	judged, raters := m.ratings()
	for _, level := range []string{"leaf", "top"} {
		class := func(l int8) int32 { return int32(l) }
		if level == "top" {
			class = func(l int8) int32 { return int32(slices.Index(topNodes, top(l))) }
		}
		for i, a := range raters {
			for _, b := range raters[i+1:] {
				var x, y []int32
				for _, p := range judged {
					u, v := slices.IndexFunc(p, by(a)), slices.IndexFunc(p, by(b))
					if u >= 0 && v >= 0 {
						x, y = append(x, class(p[u].label)), append(y, class(p[v].label))
					}
				}
				if len(x) > 0 &&
					!yield([]value.Value{value.Str(level), value.Str("cohen"), value.Str(a), value.Str(b), value.Int(int64(len(x))),
						value.Real(agreement.Cohen(x, y, len(leaves)))}) {
					return
				}
			}
		}
		if len(judged) == 0 {
			continue
		}
		counts := make([][]int, len(judged))
		for i, p := range judged {
			counts[i] = make([]int, len(leaves))
			for _, r := range p {
				counts[i][class(r.label)]++
			}
		}
		if !yield([]value.Value{value.Str(level), value.Str("fleiss"), {}, {}, value.Int(int64(len(judged))),
			value.Real(agreement.Fleiss(counts))}) {
			return
		}
	}
}

func by(rater string) func(rating) bool { return func(r rating) bool { return r.rater == rater } }

// ratings returns the pairs that at least two raters judged, one label a rater, and the raters by name.
func (m *model) ratings() (judged [][]rating, raters []string) {
	for i := range m.pairs {
		list := byRater(m.pairs[i].ratings)
		list = slices.DeleteFunc(list, by(""))
		if len(list) < 2 {
			continue
		}
		judged = append(judged, list)
		for _, r := range list {
			raters = append(raters, r.rater)
		}
	}
	slices.Sort(raters)
	return judged, slices.Compact(raters)
}
