package tuples

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed slots.tsv
var slotTable string

//go:embed connectives.tsv
var connectiveTable string

// languages are those with tables of their own, and ud for all others.
var languages = []string{"en", "ja", "ud"}

// slotRule says which slot an argument fills.
type slotRule struct{ relation, marker, voice, slot string }

// connective is what joins two clauses.
type connective struct {
	form, word string
	but        bool
	causal     bool
	order      string // of events: text, main or sub clause first
}

// grammar is the tables of a language.
type grammar struct {
	slots       []slotRule
	connectives []connective
	find        map[string]int // form and word to the connective
}

var grammars = func() map[string]*grammar {
	out := map[string]*grammar{}
	for _, l := range languages {
		out[l] = &grammar{find: map[string]int{}}
	}
	for _, f := range table(slotTable) {
		g := out[f[0]]
		g.slots = append(g.slots, slotRule{f[1], f[2], f[3], f[4]})
	}
	for _, f := range table(connectiveTable) {
		g := out[f[0]]
		if len(f) != 6 {
			panic(fmt.Sprintf("connectives.tsv: %q", f))
		}
		g.find[f[1]+" "+f[2]] = len(g.connectives)
		g.connectives = append(g.connectives, connective{f[1], f[2], f[3] == "but", f[4] == "1", f[5]})
	}
	return out
}()

// slot is the slot of an argument, "" where it fills none.
func (g *grammar) slot(relation, marker string, passive bool) string {
	for _, r := range g.slots {
		if r.relation == relation && (r.marker == "*" || r.marker == marker || r.marker == "-" && marker == "") &&
			(r.voice == "*" || passive) {
			return strings.Replace(r.slot, "{}", marker, 1)
		}
	}
	if main, _, sub := strings.Cut(relation, ":"); sub && !g.names(relation) {
		return g.slot(main, marker, passive)
	}
	return ""
}

// names tells whether a line has this very relation.
func (g *grammar) names(relation string) bool {
	for _, r := range g.slots {
		if r.relation == relation {
			return true
		}
	}
	return false
}

// joined is the connective of a form and a word, nil if it is none.
func (g *grammar) joined(form, word string) *connective {
	if i, ok := g.find[form+" "+word]; ok {
		return &g.connectives[i]
	}
	if i, ok := g.find[form+" *"]; ok && word != "" {
		c := g.connectives[i]
		c.word = word
		return &c
	}
	return nil
}
