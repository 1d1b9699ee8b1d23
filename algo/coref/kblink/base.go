package kblink

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"parlance/algo/kind"
)

// Base looks names and entities up in a knowledge base and keeps what it has found. It serves one goroutine.
type Base struct {
	KB       kind.KB
	Articles kind.Corpus // documents by entity, which are searched for names that are no alias; nil for none
	Size     int         // candidates of a name, 1 or more
	Share    float64     // of the counts of a name that an entity has to have, from 0 to 1

	found map[string]Candidates
	known map[string]*Entity
}

// Entity is what is known of an entity.
type Entity struct {
	Names map[string]bool // folded: those that it is called by, aliases and its own
	Types []string
	Nouns map[string]bool // the last words of the types, in small letters
}

// Search returns the candidates of a name, each counted once. The name is looked up as it is written, without a
// determiner and a possessive mark, in small letters, and with capitals; the first of these that some entity is called
// wins. Relevance is the weight of the alias, without one its share of the counts of the name, without these 1/place in
// the order of storing.
func (b *Base) Search(ctx context.Context, name string) (Candidates, error) {
	if c, ok := b.found[name]; ok {
		return c, nil
	}
	if b.found == nil {
		b.found = map[string]Candidates{}
	}
	var out Candidates
	for _, form := range spellings(name) {
		if out = b.ranked(form); len(out) > 0 {
			break
		}
	}
	if len(out) == 0 && b.Articles != nil {
		hits, err := b.Articles.Search(ctx, kind.AnyOf(strings.Fields(bare(name))), b.Size)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			out = add(out, Candidate{h.Document.ID, 1, h.Score})
		}
		slices.SortFunc(out, compare)
	}
	out = out[:min(len(out), b.Size)]
	b.found[name] = out
	return out, nil
}

// spellings are the forms of a name that are looked up, in this order.
func spellings(name string) []string {
	plain := bare(name)
	lower := strings.ToLower(plain)
	words := strings.Fields(lower)
	for i, w := range words {
		r := []rune(w)
		r[0] = unicode.ToTitle(r[0])
		words[i] = string(r)
	}
	return []string{name, plain, lower, strings.Join(words, " ")}
}

// add adds a candidate that is not there yet.
func add(list Candidates, c Candidate) Candidates {
	if list.Has(c.Entity) {
		return list
	}
	return append(list, c)
}

// ranked are the entities with an alias.
func (b *Base) ranked(alias string) (out Candidates) {
	if alias == "" {
		return nil
	}
	list := b.KB.Candidates(alias)
	all := total(list)
	for i, c := range list {
		if b.rare(c, all) {
			continue
		}
		x := Candidate{Entity: c.Entity, Count: 1, Relevance: 1 / float64(i+1)}
		switch {
		case !math.IsNaN(c.Weight):
			x.Relevance = c.Weight
		case all > 0:
			x.Relevance = max(c.Count, 0) / all // NaN, an entity that is called so itself, has none of the counts
			if math.IsNaN(c.Count) {
				x.Relevance = 0
			}
		}
		out = add(out, x)
	}
	slices.SortFunc(out, compare)
	return out
}

// total is the sum of the counts of a name, 0 where there are none.
func total(list []kind.Candidate) (sum float64) {
	for _, c := range list {
		if c.Count > 0 {
			sum += c.Count
		}
	}
	return sum
}

// rare tells whether an entity has too small a share of the counts of a name. Without a count it has no share to go by.
func (b *Base) rare(c kind.Candidate, all float64) bool {
	return all > 0 && !math.IsNaN(c.Count) && c.Count/all < b.Share
}

// Entity returns what is known of an entity; without names and types where it is unknown.
func (b *Base) Entity(name string) *Entity {
	if e := b.known[name]; e != nil {
		return e
	}
	if b.known == nil {
		b.known = map[string]*Entity{}
	}
	e := &Entity{Names: map[string]bool{Fold(name): true}, Types: b.KB.Types(name), Nouns: map[string]bool{}}
	if at := strings.IndexAny(name, "("); at > 0 {
		e.Names[Fold(name[:at])] = true
	}
	for _, a := range b.KB.Aliases(name) {
		list := b.KB.Candidates(a)
		at := slices.IndexFunc(list, func(c kind.Candidate) bool { return c.Entity == name })
		if at < 0 || !b.rare(list[at], total(list)) {
			e.Names[Fold(a)] = true
		}
	}
	delete(e.Names, "")
	for _, t := range e.Types {
		if words := strings.Fields(Fold(t)); len(words) > 0 {
			e.Nouns[words[len(words)-1]] = true
		}
	}
	b.known[name] = e
	return e
}

var determiners = []string{"the ", "a ", "an "}

// bare is a name without a determiner before and a possessive mark behind.
func bare(name string) string {
	name = strings.TrimSpace(name)
	for _, d := range determiners {
		if len(name) > len(d) && strings.EqualFold(name[:len(d)], d) {
			name = strings.TrimSpace(name[len(d):])
			break
		}
	}
	for _, mark := range []string{"'s", "’s"} {
		name = strings.TrimSpace(strings.TrimSuffix(name, mark))
	}
	return name
}

// Fold is what names are compared by: small letters, without a determiner, a possessive mark and punctuation; marks
// that divide words, such as underscores and hyphens, are blanks.
func Fold(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(bare(strings.ReplaceAll(name, "_", " "))) {
		switch {
		case r == '-' || r == '–' || r == '/' || unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.IsSymbol(r):
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
