package tuples

import (
	"strings"
)

// nounPairs yields the pairs of nouns, the first one before the second, with the path of dependencies between them.
//
// A path is read from X, the first noun, to Y: <slot goes up from what fills the slot, >slot down to it. Verbs stand by
// their lemmas, not_ before those that are denied; other words have /n, /a or /o for nouns, adjectives and the rest.
// Slots are those of the tuples, so that active, passive, relative and participial clauses have the same path:
//
//	virus causes disease, virus that causes disease       X <nsubj cause >obj Y
//	disease (that is) caused by a virus                   X <obj cause >nsubj Y
func (s *sentence) nounPairs(yield func(x, y int, path string)) {
	var places []int
	for i, n := range s.nouns {
		if n != "" && s.wanted(i) && (s.o.noun == "head" || s.tok[i].rel != "compound") {
			places = append(places, i)
		}
	}
	chains := make([][]int, len(places))
	for k, i := range places {
		chains[k] = s.chain(i)
	}
	for a, x := range places {
		for b := a + 1; b < len(places); b++ {
			if p := s.path(x, places[b], chains[a], chains[b]); p != "" {
				yield(x, places[b], p)
			}
		}
	}
}

// up is the token that a token hangs on, that of the first noun for those coordinated with it; 0 at the root.
func (s *sentence) up(i int) int { return s.tok[s.first(i)].head }

// first is the first of the nouns that a noun is coordinated with, itself for most.
func (s *sentence) first(i int) int {
	for s.nouns[i] != "" && s.tok[i].rel == "conj" && s.nouns[s.tok[i].head] != "" {
		i = s.tok[i].head
	}
	return i
}

// chain is a token and those above it, as many as a path may have.
func (s *sentence) chain(i int) []int {
	out := make([]int, 0, s.o.maxPath)
	for ; i != 0 && len(out) < s.o.maxPath; i = s.up(i) {
		out = append(out, i)
	}
	return out
}

// path is the path from x to y, "" where it is too long or they hang together by nothing.
func (s *sentence) path(x, y int, up, down []int) string {
	if s.first(x) == s.first(y) {
		return "X >conj Y"
	}
	a, b := meet(up, down)
	if a < 0 || a+b+1 > s.o.maxPath {
		return ""
	}
	var p strings.Builder
	p.WriteByte('X')
	for k := 1; k <= a; k++ {
		p.WriteString(s.edge(up[k-1], up[k], true))
		s.node(&p, up[k], y)
	}
	for k := b - 1; k >= 0; k-- {
		p.WriteString(s.edge(down[k], down[k+1], false))
		s.node(&p, down[k], y)
	}
	return p.String()
}

// meet is the places of the first token that both chains have, -1 if there is none.
func meet(up, down []int) (int, int) {
	for a, i := range up {
		for b, j := range down {
			if i == j {
				return a, b
			}
		}
	}
	return -1, -1
}

// node writes a token of a path.
func (s *sentence) node(p *strings.Builder, i, y int) {
	if i == y {
		p.WriteByte('Y')
		return
	}
	if k := s.predAt[i]; k > 0 {
		if s.preds[k-1].negated {
			p.WriteString("not_")
		}
		p.WriteString(s.preds[k-1].name)
		return
	}
	p.WriteString(s.tok[i].lemma)
	switch s.tok[i].upos {
	case "NOUN", "PROPN":
		p.WriteString("/n")
	case "ADJ":
		p.WriteString("/a")
	default:
		p.WriteString("/o")
	}
}

// edge writes the arc between a token and the one above it. Where a clause modifies a noun that fills a slot of its
// verb, the noun hangs on the verb.
func (s *sentence) edge(low, high int, up bool) string {
	dir, back := " >", " <"
	if up {
		dir, back = back, dir
	}
	if k := s.predAt[low]; k > 0 {
		if slot := s.preds[k-1].slotOf(high); slot != "" {
			return back + slot + " "
		}
	}
	if k := s.predAt[high]; k > 0 {
		if slot := s.preds[k-1].slotOf(low); slot != "" {
			return dir + slot + " "
		}
	}
	low = s.first(low)
	rel, _, _ := strings.Cut(s.tok[low].rel, ":")
	if m := s.marker(low, "case"); m != "" && m != "'s" && m != "’s" {
		rel += ":" + m
	} else if s.tok[low].rel == "nmod:poss" {
		rel = "nmod:poss"
	}
	return dir + rel + " "
}

// slotOf is the slot that a noun fills, "" if none.
func (p *predicate) slotOf(at int) string {
	for _, a := range p.args {
		if a.at == at {
			return a.slot
		}
	}
	return ""
}
