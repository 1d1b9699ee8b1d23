package classpatterns

import (
	"slices"
	"testing"
)

// TestFirstPartials: of n instances the patterns of the first ⌈n/10⌉ give partial patterns, one at least and top at
// most, each once. A pattern that has come, or has no verb, does not end them.
func TestFirstPartials(t *testing.T) {
	m := &model{patterns: []rule{{text: "X <nsubj cause >obj Y"}, {text: "X >nmod:of Y"}, {text: "X <nsubj bring >obj Y"},
		{text: "X <nsubj kill >obj Y"}}}
	all := []uint32{0, 0, 1, 2, 3} // the patterns of the first instances
	of := map[uint32][]partial{0: {{"X", "X <nsubj cause"}, {"Y", "cause >obj Y"}},
		2: {{"X", "X <nsubj bring"}, {"Y", "bring >obj Y"}}, 3: {{"X", "X <nsubj kill"}, {"Y", "kill >obj Y"}}}
	for _, c := range []struct {
		instances, top int
		patterns       []uint32
	}{
		{0, 9, nil}, {1, 9, []uint32{0}}, {10, 9, []uint32{0}}, {30, 9, []uint32{0}}, {31, 9, []uint32{0, 2}},
		{40, 9, []uint32{0, 2}}, {41, 9, []uint32{0, 2, 3}}, {50, 9, []uint32{0, 2, 3}}, {50, 5, []uint32{0, 2, 3}},
		{50, 4, []uint32{0, 2}}, {50, 3, []uint32{0}}, {50, 1, []uint32{0}},
	} {
		m.opt.topN = c.top
		m.instances = make([]fact, c.instances)
		for i := range m.instances {
			if i < len(all) {
				m.instances[i].by = all[i]
			}
		}
		got := m.partials()
		want := 0
		for _, p := range c.patterns {
			for _, x := range of[p] {
				if want++; !slices.Contains(got, x) {
					t.Errorf("%d instances, top %d: %v lacks %v", c.instances, c.top, got, x)
				}
			}
		}
		if len(got) != want || !slices.IsSortedFunc(got, func(a, b partial) int {
			return slices.Compare([]string{a.role, a.text}, []string{b.role, b.text})
		}) {
			t.Errorf("%d instances, top %d: %v", c.instances, c.top, got)
		}
	}
}
