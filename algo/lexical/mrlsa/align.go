package mrlsa

import (
	"context"
	"slices"

	"parlance/algo/numeric/lowrank"
)

// Synsets that a row of a word takes relations from.
const (
	alignBest  = "best"
	alignUnion = "union"
)

// aligned joins a thesaurus of words with a net of synsets (section 5.1). A word that is a subject has
// a row with what is listed for it. It takes the relations of that synset s of the word t that shares
// most words with the entry E(t), the word and its synonyms, the first sense of equals:
//
//	argmax_s |E(t) ∩ words(s)|
//
// Synsets that no word takes have rows of their own, with their members under the pivot.
func (m *model) aligned(ctx context.Context, r *thesaurus, d *data, inverses [][2]string) error {
	a := &alignment{data: d, senses: newSenses(r, m.opt.members, m.opt.similar), names: r.entities.names,
		pivot: slices.Index(d.relations, m.opt.pivot)}
	for k, relation := range d.relations {
		a.net = append(a.net, map[uint32][]triple{})
		for _, t := range r.of(relation, inverses) {
			switch {
			case a.senses.words[t.subject] != nil:
				a.net[k][t.subject] = append(a.net[k][t.subject], t)
			default:
				a.list(k, t.subject, t)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.heads(d)
	taken := a.join(m.opt.align == alignUnion)
	for _, t := range r.triples[m.opt.members] {
		if !taken[t.object] {
			a.list(a.pivot, t.object, triple{t.object, t.subject, 1})
		}
	}
	for k := range d.relations {
		for _, t := range r.of(d.relations[k], inverses) {
			if a.senses.words[t.subject] != nil && !taken[t.subject] {
				a.list(k, t.subject, t)
			}
		}
	}
	for len(d.heads) < len(d.rows.names) {
		d.heads = append(d.heads, nobody)
	}
	return ctx.Err()
}

// alignment is what rows of words and of synsets are made of.
type alignment struct {
	*data
	*senses
	names []string
	pivot int
	net   []map[uint32][]triple // of each relation the triples of a synset
}

// list puts the object of a triple, or the members of that synset, in a row.
func (a *alignment) list(relation int, row uint32, t triple) {
	words := a.senses.words[t.object]
	if words == nil {
		words = []uint32{t.object}
	}
	for _, w := range words {
		a.cells[relation] = append(a.cells[relation],
			lowrank.Entry{Row: a.rows.id(a.names[row]), Col: a.data.words.id(a.names[w]), Value: t.weight})
	}
}

// join gives the rows of words the relations of synsets, and returns those that were taken.
func (a *alignment) join(all bool) map[uint32]bool {
	ids := make(map[string]uint32, len(a.names))
	for i, n := range a.names {
		ids[n] = uint32(i)
	}
	entry := make([]map[uint32]bool, len(a.rows.names))
	for row, name := range a.rows.names {
		entry[row] = map[uint32]bool{ids[name]: true}
	}
	for _, c := range a.cells[a.pivot] {
		entry[c.Row][ids[a.data.words.names[c.Col]]] = true
	}
	taken := map[uint32]bool{}
	for row := range entry {
		word := ids[a.rows.names[row]]
		for _, s := range a.like(word, entry[row], all) {
			taken[s] = true
			for k := range a.net {
				for _, t := range a.net[k][s] {
					a.list(k, word, t)
				}
			}
		}
	}
	return taken
}

// like returns the synset of a word that shares most with its entry, or all of its synsets.
func (a *alignment) like(word uint32, entry map[uint32]bool, all bool) (out []uint32) {
	most, first := 0, 0.0
	for _, x := range a.synsets[word] {
		shared := 0
		for _, w := range a.senses.words[x.synset] {
			if entry[w] {
				shared++
			}
		}
		switch {
		case all:
			out = append(out, x.synset)
		case shared > most || shared == most && x.weight > first:
			most, first, out = shared, x.weight, []uint32{x.synset}
		}
	}
	return out
}
