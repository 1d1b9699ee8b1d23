package score

import (
	"fmt"
	"strings"

	"parlance/algo/metrics"
	"parlance/query/exec"
)

// warnForeign gives a notice if no prediction is right and the labels of the model do not occur in gold: the documents
// may be annotated by another scheme.
func (s *scoredItem) warnForeign(r *exec.Execution) {
	var labels []string
	support := map[string]float64{}
	for _, g := range s.groups {
		for _, m := range g.metrics {
			if m.Name != "f1" || m.Label == metrics.All {
				continue
			}
			if m.Value() > 0 {
				return
			}
			if _, known := support[m.Label]; !known {
				labels = append(labels, m.Label)
			}
			support[m.Label] += m.Support
		}
	}
	var given, gold []string
	for _, l := range labels {
		if support[l] > 0 {
			gold = append(gold, l)
		} else {
			given = append(given, l)
		}
	}
	if len(given) == 0 || len(gold) == 0 {
		return
	}
	r.Session.Notice(fmt.Sprintf("nothing that %s says is right: it gives the labels %s, and the documents have %s",
		s.label, firstFew(given), firstFew(gold)))
}

// firstFew lists the first few of the names.
func firstFew(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
