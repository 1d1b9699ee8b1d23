package relationacquirer

import (
	"fmt"
	"slices"
)

// describe yields the features of a candidate, those of a group that is not wanted left out. Nouns stand by their
// roles, X and Y. Some may come twice.
func (m *model) describe(x *scan, a, b int, yield func(string)) {
	at := [2]int{x.Nouns[a], x.Nouns[b]}
	place := [2]int{a, b}
	word := func(i int) string {
		switch {
		case i == at[0]:
			return "X"
		case i == at[1]:
			return "Y"
		case i < 1 || i > x.Len():
			return "#"
		}
		return x.Lemma(i)
	}
	for role, name := range [2]string{"X", "Y"} {
		if m.uses("base") {
			window(x, at[role], name, word, yield)
		}
		if m.uses("classes") && m.classed {
			for _, c := range x.classes[place[role]] {
				yield(name + " class " + c)
			}
		}
		if m.uses("partials") {
			for _, p := range x.match[role][place[role]] {
				yield(name + " partial " + p)
			}
		}
	}
	if m.uses("infix") {
		for i := min(at[0], at[1]) + 1; i < max(at[0], at[1]); i++ {
			yield("between " + word(i))
		}
	}
}

func (m *model) uses(group string) bool { return slices.Contains(m.opt.groups, group) }

// window yields words and parts of speech up to two tokens before and after a noun, and the bigrams on either side.
func window(x *scan, at int, name string, word func(int) string, yield func(string)) {
	for o := -2; o <= 2; o++ {
		i := at + o
		if o != 0 {
			yield(fmt.Sprintf("%s%+d %s", name, o, word(i)))
		}
		if i >= 1 && i <= x.Len() {
			upos, xpos := x.Tags(i)
			yield(fmt.Sprintf("%s%+d upos %s", name, o, upos))
			if xpos != "" {
				yield(fmt.Sprintf("%s%+d xpos %s", name, o, xpos))
			}
		}
	}
	yield(name + "-2-1 " + word(at-2) + " " + word(at-1))
	yield(name + "+1+2 " + word(at+1) + " " + word(at+2))
}

// known are the numbers of the features of a candidate that the machine has seen, rising.
func (m *model) known(x *scan, a, b int, to []uint32) []uint32 {
	m.describe(x, a, b, func(f string) {
		if n, ok := m.number[f]; ok {
			to = append(to, n)
		}
	})
	slices.Sort(to)
	return slices.Compact(to)
}
