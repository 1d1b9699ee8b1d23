package mrlsa

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/numeric/lowrank"
)

// How far relations between words reach in rows of synsets.
const (
	expandDirect  = "direct"
	expandSynset  = "synset"
	expandSimilar = "similar"
)

// senses is the members of synsets.
type senses struct {
	words   map[uint32][]uint32 // of a synset, both as entities
	synsets map[uint32][]member // of a word
	similar map[uint32][]uint32 // synsets
	between map[[2]uint32]bool  // synsets that the relation at hand is between; nil where the input does not tell
}

// member is a synset of a word; the weight falls with the number of the sense.
type member struct {
	synset uint32
	weight float64
}

// synsets makes a row of each synset. Its members are the pivot. A relation from a synset to another
// lists the members of that one. A relation between words, in WordNet that of opposites, is between
// those senses of theirs that the option senses tells by a relation between synsets; where the input
// lacks that, it is taken to be the pair of the least numbers of senses, of one part of speech.
func (m *model) synsets(ctx context.Context, r *thesaurus, d *data, inverses [][2]string) error {
	s := newSenses(r, m.opt.members, m.opt.similar)
	for k, relation := range d.relations {
		seen := map[[2]uint32]bool{}
		add := func(synset, word uint32, weight float64) {
			row, col := d.rows.id(r.entities.names[synset]), d.words.id(r.entities.names[word])
			if !seen[[2]uint32{row, col}] {
				seen[[2]uint32{row, col}] = true
				d.cells[k] = append(d.cells[k], lowrank.Entry{Row: row, Col: col, Value: weight})
			}
		}
		if relation == m.opt.pivot {
			for _, t := range r.triples[m.opt.members] {
				add(t.object, t.subject, 1)
			}
			continue
		}
		s.between = r.pairs(m.partner(relation))
		for n, t := range r.of(relation, inverses) {
			if n&0xfff == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s.expand(t, r.entities.names, m.opt.expand, add)
		}
	}
	for range d.rows.names {
		d.heads = append(d.heads, nobody)
	}
	return ctx.Err()
}

func newSenses(r *thesaurus, members, similar string) *senses {
	s := &senses{words: map[uint32][]uint32{}, synsets: map[uint32][]member{}, similar: map[uint32][]uint32{}}
	for _, t := range r.triples[members] {
		s.words[t.object] = append(s.words[t.object], t.subject)
		s.synsets[t.subject] = append(s.synsets[t.subject], member{t.object, t.weight})
	}
	for _, t := range r.triples[similar] {
		for _, p := range [][2]uint32{{t.subject, t.object}, {t.object, t.subject}} {
			if !slices.Contains(s.similar[p[0]], p[1]) {
				s.similar[p[0]] = append(s.similar[p[0]], p[1])
			}
		}
	}
	return s
}

// expand adds the words that a triple lists in rows.
func (s *senses) expand(t triple, names []string, expansion string, add func(synset, word uint32, weight float64)) {
	from, to := s.words[t.subject] != nil, s.words[t.object] != nil
	switch {
	case from && to:
		for _, w := range s.words[t.object] {
			add(t.subject, w, t.weight)
		}
	case from:
		add(t.subject, t.object, t.weight)
	case to:
		for _, x := range s.synsets[t.subject] {
			for _, w := range s.words[t.object] {
				add(x.synset, w, t.weight)
			}
		}
	default:
		for _, p := range s.meant(t, names) {
			s.opposed(t, p[0], p[1], expansion, add)
		}
	}
}

// opposed adds the words that a triple between words lists in rows, if it is of senses a and b.
func (s *senses) opposed(t triple, a, b uint32, expansion string, add func(synset, word uint32, weight float64)) {
	rows, words := []uint32{a}, []uint32{t.object}
	if expansion != expandDirect {
		words = s.words[b]
	}
	if expansion == expandSimilar {
		rows = append(rows, s.similar[a]...)
		for _, x := range s.similar[b] {
			for _, w := range s.words[x] {
				add(a, w, t.weight)
			}
		}
	}
	for _, row := range rows {
		for _, w := range words {
			add(row, w, t.weight)
		}
	}
}

// meant returns the pairs of synsets that a relation between two words is of.
func (s *senses) meant(t triple, names []string) (out [][2]uint32) {
	best := 0.0
	for _, a := range s.synsets[t.subject] {
		for _, b := range s.synsets[t.object] {
			p := [2]uint32{a.synset, b.synset}
			switch part := partOf(names[a.synset]); {
			case s.between != nil:
				if s.between[p] {
					out = append(out, p)
				}
			case part == partOf(names[b.synset]) && part != "s" && a.weight*b.weight > best:
				best, out = a.weight*b.weight, [][2]uint32{p}
			}
		}
	}
	return out
}

// pairs is what a relation is between, nil where the input has none of the name.
func (r *thesaurus) pairs(relation string) map[[2]uint32]bool {
	list, ok := r.triples[relation]
	if !ok || relation == "" {
		return nil
	}
	out := make(map[[2]uint32]bool, len(list))
	for _, t := range list {
		out[[2]uint32{t.subject, t.object}] = true
	}
	return out
}

// partner is the relation between synsets that tells the senses of one between words, "" for none.
func (m *model) partner(relation string) string {
	list, _ := assignments("senses", m.opt.senses)
	for _, p := range list {
		if p[0] == relation {
			return p[1]
		}
	}
	return ""
}

// isPartner reports whether a relation only tells the senses of another.
func (m *model) isPartner(relation string) bool {
	list, _ := assignments("senses", m.opt.senses)
	return m.opt.rows != bySubject && slices.ContainsFunc(list, func(p [2]string) bool { return p[1] == relation })
}

// partOf is the part of speech in the name of a synset, such as n of dog.n.01: n, v, a, r, and s for
// satellites of adjectives, which have no opposites of their own; "" where the name tells none.
func partOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	k := strings.LastIndexByte(name[:i], '.')
	return name[k+1 : i]
}
