package coreference

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
)

// sieve groups mentions by passes of rules, the most precise first, that learn nothing (Raghunathan et al. 2010; Lee et
// al. 2011). Each pass sees the clusters of the passes before: what is known of one mention of a cluster is known of
// all. The first mention of a cluster alone looks for antecedents, nearest sentences first, in a sentence from the
// left.
func sieve(ctx context.Context, d *document) (linking.Links, error) {
	s := newSieve(d)
	for _, p := range passes {
		for i := range d.mentions {
			if ctx.Err() != nil {
				return linking.Links{}, ctx.Err()
			}
			s.pass(i, p)
		}
	}
	links := linking.Links{Antecedents: s.antecedents, Scores: make([]float64, len(d.mentions))}
	links.Clusters = make([]int32, len(d.mentions))
	number := map[int]int32{}
	for i := range d.mentions {
		c, ok := number[s.root(i)]
		if !ok {
			c = int32(len(number))
			number[s.root(i)] = c
		}
		links.Clusters[i] = c
	}
	for i, a := range links.Antecedents {
		if a != linking.None {
			links.Scores[i] = 1
		}
	}
	return links, nil
}

// sievePass is a rule: whether a mention i corefers with an earlier one.
type sievePass struct {
	name     string
	pronouns bool // the mentions are pronouns, else others
	holds    func(s *sieves, j, i int) bool
}

// passes in their order.
var passes = []sievePass{
	{"speakers", true, func(s *sieves, j, i int) bool {
		a, b := &s.d.mentions[j], &s.d.mentions[i]
		return a.Type == mention.Pronoun && a.Speaker == b.Speaker && a.Pronoun == b.Pronoun &&
			(a.Person == 1 || a.Person == 2)
	}},
	{"exact string", false, func(s *sieves, j, i int) bool {
		return !s.pronoun(j) && s.d.read.Bare(s.at(j)) == s.d.read.Bare(s.at(i))
	}},
	{"relaxed string", false, func(s *sieves, j, i int) bool {
		a, b := s.upToHead(j), s.upToHead(i)
		return !s.pronoun(j) && a == b && a != ""
	}},
	{"precise constructs", false, (*sieves).construct},
	{"strict head", false, func(s *sieves, j, i int) bool {
		return s.heads(j, i) && s.included(j, i) &&
			s.modified(j, i)
	}},
	{"strict head without modifiers", false, func(s *sieves, j, i int) bool { return s.heads(j, i) && s.included(j, i) }},
	{"strict head without words", false, func(s *sieves, j, i int) bool { return s.heads(j, i) && s.modified(j, i) }},
	{"proper head", false, func(s *sieves, j, i int) bool {
		a, b := s.at(j), s.at(i)
		return a.Type == mention.Name && b.Type == mention.Name && s.heads(j, i) && !otherModifiers(s.d, j, i)
	}},
	{"relaxed head", false, func(s *sieves, j, i int) bool {
		return s.at(j).Type == s.at(i).Type && !s.pronoun(j) && !s.inside(j, i) &&
			s.cluster(j).words[s.d.read.Lower[s.at(i).Head]] && s.included(j, i)
	}},
	{"pronouns", true, func(s *sieves, j, i int) bool {
		b := s.at(i)
		if b.Sent-s.at(j).Sent > 3 || s.inside(j, i) || b.Person == 1 || b.Person == 2 {
			return false
		}
		return s.agree(j, i)
	}},
}

// attributes are what is known of a cluster: sets of values as bits, the unknown left out.
type attributes struct {
	gender, number, animacy, person uint8
	words                           map[string]bool // of its names and nominals
	heads                           map[string]bool
	first                           int
}

type sieves struct {
	d           *document
	parent      []int
	of          []*attributes // by root
	antecedents []int32
}

func newSieve(d *document) *sieves {
	s := &sieves{d: d}
	for i := range d.mentions {
		m := &d.mentions[i]
		a := &attributes{gender: bit(uint8(m.Gender)), number: bit(uint8(m.Number)), animacy: bit(uint8(m.Animacy)),
			person: bit(m.Person),
			words:  map[string]bool{}, heads: map[string]bool{}, first: i}
		if m.Type != mention.Pronoun {
			a.heads[d.read.Lower[m.Head]] = true
			for t := m.Start; t < m.End; t++ {
				if !slices.Contains([]string{"DET", "ADP", "PUNCT", "PART", "CCONJ"}, d.read.Upos[t]) {
					a.words[d.read.Lower[t]] = true
				}
			}
		}
		s.parent, s.of, s.antecedents = append(s.parent, i), append(s.of, a), append(s.antecedents, linking.None)
	}
	return s
}

// bit of a value, none of 0, which is unknown.
func bit(v uint8) uint8 {
	if v == 0 {
		return 0
	}
	return 1 << v
}

func (s *sieves) at(i int) *mention.Mention { return &s.d.mentions[i] }
func (s *sieves) pronoun(i int) bool        { return s.d.pronoun(i) }

func (s *sieves) root(i int) int {
	for s.parent[i] != i {
		i = s.parent[i]
	}
	return i
}

func (s *sieves) cluster(i int) *attributes { return s.of[s.root(i)] }

// pass looks for an antecedent of a mention, if it is the first of its cluster.
func (s *sieves) pass(i int, p sievePass) {
	if s.pronoun(i) != p.pronouns || s.cluster(i).first != i {
		return
	}
	for sent := s.at(i).Sent; sent >= 0; sent-- {
		from, to := s.sentence(sent, i)
		if to <= s.d.table.First(i) {
			return // what stands before is no candidate
		}
		for j := from; j < to; j++ {
			if s.root(j) != s.root(i) && p.holds(s, j, i) {
				s.join(j, i)
				return
			}
		}
		if p.pronouns && s.at(i).Sent-sent >= 3 && p.name == "pronouns" {
			return
		}
	}
}

// sentence is the mentions of a sentence before one.
func (s *sieves) sentence(sent int32, before int) (from, to int) {
	list := s.d.mentions[:before]
	of := func(m mention.Mention, v int32) int { return int(m.Sent - v) }
	from, _ = slices.BinarySearchFunc(list, sent, of)
	to, _ = slices.BinarySearchFunc(list, sent+1, of)
	return max(from, s.d.table.First(before)), to
}

func (s *sieves) join(j, i int) {
	s.antecedents[i] = int32(j)
	a, b := s.root(j), s.root(i)
	x, y := s.of[a], s.of[b]
	s.parent[b] = a
	x.gender, x.number, x.animacy, x.person = x.gender|y.gender, x.number|y.number, x.animacy|y.animacy, x.person|y.person
	for w := range y.words {
		x.words[w] = true
	}
	for w := range y.heads {
		x.heads[w] = true
	}
	x.first = min(x.first, y.first)
}

// agree tells whether nothing that is known of two clusters contradicts.
func (s *sieves) agree(j, i int) bool {
	a, b := s.cluster(j), s.cluster(i)
	fits := func(x, y uint8) bool { return x == 0 || y == 0 || x&y != 0 }
	return fits(a.gender, b.gender) && fits(a.number, b.number) && fits(a.animacy, b.animacy) && fits(a.person, b.person)
}

func (s *sieves) inside(j, i int) bool {
	return s.at(j).Covers(s.at(i).Span) || s.at(i).Covers(s.at(j).Span)
}

// heads tells whether the head of a mention is one of the heads of a cluster, and neither is inside the other.
func (s *sieves) heads(j, i int) bool {
	return !s.pronoun(j) && s.at(j).Type != mention.Verb && !s.inside(j, i) &&
		s.cluster(j).heads[s.d.read.Lower[s.at(i).Head]]
}

// included tells whether a cluster has all words of another one.
func (s *sieves) included(j, i int) bool {
	a := s.cluster(j)
	for w := range s.cluster(i).words {
		if !a.words[w] {
			return false
		}
	}
	return true
}

// modified tells whether the later mention has only modifiers of the earlier one.
func (s *sieves) modified(j, i int) bool {
	of := s.d.read.Modifiers(s.at(j))
	return !slices.ContainsFunc(s.d.read.Modifiers(s.at(i)), func(w string) bool { return !slices.Contains(of, w) })
}

// upToHead is the words of a name or nominal up to its head, without a determiner.
func (s *sieves) upToHead(i int) string {
	m := *s.at(i)
	if m.Type == mention.Pronoun {
		return ""
	}
	m.End = m.Head + 1
	return s.d.read.Bare(&m)
}

// construct finds appositions, predicate nominals and acronyms.
func (s *sieves) construct(j, i int) bool {
	r, a, b := s.d.read, s.at(j), s.at(i)
	if s.pronoun(j) {
		return false
	}
	if r.Heads[b.Head] == a.Head && strings.HasPrefix(r.Rels[b.Head], "appos") {
		return true
	}
	if r.Heads[a.Head] == b.Head && strings.HasPrefix(r.Rels[a.Head], "nsubj") && s.agree(j, i) {
		for _, c := range r.Children(b.Head) {
			if r.Rels[c] == "cop" {
				return true
			}
		}
	}
	x, y := r.Initials(a), r.Initials(b)
	return x != "" && x == r.Forms[b.Head] && b.Type == mention.Name ||
		y != "" && y == r.Forms[a.Head] && a.Type == mention.Name
}
