package mentiondetector

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/coref/mention"
	"parlance/algo/kind"
)

// sources are where candidates come from.
type sources struct {
	dependencies, constituents, entities, wide bool
}

// finder lists the candidates of a document: spans that may be mentions.
type finder struct {
	*mention.Document
	ctx  context.Context // of the search; rules stop when it has ended
	wide bool
	out  []candidate
}

// candidate is a span and the rules that found it.
type candidate struct {
	mention.Span
	found origin
}

// origin is a set of rules.
type origin uint16

// The rules.
const (
	asPronoun      origin = 1 << iota
	asSubtree             // what a noun is the head of
	asDetermined          // from its determiner or possessor on
	asCoordination        // with what is coordinated
	asApposition          // with its apposition
	asShorter             // without its last dependents
	asLonger              // with the dependents of the head above that follow
	asPhrase              // a constituent
	asEntity              // a named entity
	asName                // a run of proper nouns
	asRun                 // a run of tags
	asNoun                // a noun with what stands before it
	asVerb
)

var originNames = [...]string{"pronoun", "subtree", "determined", "coordination", "apposition", "shorter", "longer",
	"phrase", "entity", "name", "run", "noun", "verb"}

func (o origin) String() string {
	var out []string
	for i, name := range originNames {
		if o&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// candidates lists spans in reading order, each once: those of the pronouns, and what the sources give.
func candidates(ctx context.Context, d *mention.Document, s sources) ([]candidate, error) {
	f := &finder{Document: d, ctx: ctx, wide: s.wide}
	f.pronouns()
	if s.dependencies && d.Tree {
		f.subtrees()
	}
	if s.constituents {
		f.phrases()
	}
	if s.entities {
		for _, e := range d.Entities() {
			f.add(e, asEntity)
		}
	}
	if s.wide || !s.constituents && !(s.dependencies && d.Tree) {
		f.runs()
	}
	if s.wide {
		f.nouns()
		f.events()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortStableFunc(f.out, func(a, b candidate) int { return a.Compare(b.Span) })
	out := f.out[:0]
	for _, c := range f.out {
		if n := len(out); n > 0 && out[n-1].Span == c.Span {
			out[n-1].found |= c.found
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// add adds a span without punctuation at its ends, if something is left. A bracket that opens inside is closed.
func (f *finder) add(s mention.Span, rule origin) {
	for s.Start < s.End && f.mark(s.Start) {
		s.Start++
	}
	for s.Start < s.End && f.mark(s.End-1) && !f.closes(s) {
		s.End--
	}
	if s.Start < s.End {
		f.out = append(f.out, candidate{s, rule})
	}
}

func (f *finder) mark(t int32) bool { return f.Class(t) == "PUNCT" && f.Forms[t] != "%" }

// closes tells whether the last token of a span closes a bracket that opens inside.
func (f *finder) closes(s mention.Span) bool {
	open, pairs := "", map[string]string{")": "(", "]": "[", "}": "{", "-RRB-": "-LRB-", "-RSB-": "-LSB-"}
	if open = pairs[f.Forms[s.End-1]]; open == "" {
		return false
	}
	return slices.Contains(f.Forms[s.Start:s.End-1], open)
}

// pronouns adds personal, possessive, reflexive and demonstrative pronouns.
func (f *finder) pronouns() {
	for t := range f.Forms {
		if kind.Ended(f.ctx, t) {
			return
		}
		switch tag := f.Xpos[t]; {
		case tag == "PRP" || tag == "PRP$":
		case f.pronoun(int32(t)):
		default:
			continue
		}
		f.add(mention.Span{Start: int32(t), End: int32(t) + 1}, asPronoun)
	}
}

// pronoun tells whether a token is a pronoun of the tables by itself: this as a determiner is none.
func (f *finder) pronoun(t int32) bool {
	switch f.CaseOf(t) {
	case mention.Personal, mention.PossessiveCase, mention.Reflexive:
		return f.Xpos[t] == "" && f.Class(t) == "PRON"
	case mention.NoCase:
		return f.Upos[t] == "PRON" && !f.English()
	case mention.DemonstrativeCase:
		if f.Xpos[t] != "DT" && f.Class(t) != "PRON" {
			return false
		}
		return f.Rels[t] != "det" && f.Rels[t] != "mark" && f.Rels[t] != "advmod" &&
			(f.Tree || int(t)+1 == len(f.Forms) || !nominal(f.Class(t+1)) && f.Class(t+1) != "ADJ")
	}
	return false
}

func nominal(class string) bool { return class == "NOUN" || class == "PROPN" || class == "NUM" }

// outside are the relations of dependents that are no part of what a noun is the head of.
var outside = map[string]bool{"case": true, "cc": true, "conj": true, "punct": true, "appos": true, "parataxis": true,
	"cop": true, "mark": true, "discourse": true, "vocative": true, "dislocated": true, "nsubj": true, "csubj": true,
	"advcl": true, "aux": true, "list": true, "expl": true, "reparandum": true, "root": true, "orphan": true}

// bare is a relation without its subtype.
func bareRelation(r string) string {
	r, _, _ = strings.Cut(r, ":")
	return r
}

// inName are the relations of parts of a longer name or compound, which are mentions only where they are names.
var inName = map[string]bool{"flat": true, "goeswith": true, "fixed": true}

// nounRelations are the relations in which a numeral, determiner or adjective stands for a noun.
var nounRelations = map[string]bool{"nsubj": true, "obj": true, "iobj": true, "obl": true, "nmod": true, "root": true,
	"conj": true, "appos": true, "vocative": true, "dislocated": true}

// heads tells whether a token can be the head of a mention that is no pronoun.
func (f *finder) heads(t int32) bool {
	rel := bareRelation(f.Rels[t])
	switch c := f.Class(t); {
	case inName[rel]:
		return false
	case c == "PROPN":
		return true
	case c == "NOUN":
		return rel != "compound"
	case c == "NUM" || c == "DET" || c == "ADJ":
		return nounRelations[rel]
	case c == "PRON":
		return f.Xpos[t] == "NN" || f.Xpos[t] == ""
	}
	return false
}

// subtrees adds what nouns are the heads of in the dependency tree.
func (f *finder) subtrees() {
	for i := range f.Forms {
		if f.ctx.Err() != nil { // a head may have many dependents
			return
		}
		t := int32(i)
		if !f.heads(t) || f.Heads[t] == mention.None {
			continue
		}
		s := f.phrase(t)
		f.add(s, asSubtree)
		f.shorter(t, s)
		f.longer(t, s)
		if f.wide {
			f.attached(t, s)
		}
	}
}

// attached adds a phrase without its last dependents, one by one, and with the dependents of the head above that come
// next: parsers often attach these wrongly.
func (f *finder) attached(t int32, s mention.Span) {
	for _, c := range f.Children(t) {
		if e := f.Extent(c); c > t && e.Start > t && e.Start < s.End && f.Class(c) != "PUNCT" {
			f.add(mention.Span{Start: s.Start, End: e.Start}, asShorter)
		}
	}
	if h := f.Heads[t]; h >= 0 {
		end := s.End
		for _, c := range f.Children(h) {
			if e := f.Extent(c); e.Start == end && f.Class(c) != "PUNCT" && e.End > end {
				end = e.End
				f.add(mention.Span{Start: s.Start, End: end}, asLonger)
			}
		}
	}
}

// phrase is the subtree of a token without the dependents that are outside, as far as it has no gaps; a possessive
// ending stays.
func (f *finder) phrase(t int32) mention.Span {
	s := mention.Span{Start: t, End: t + 1}
	kids := f.Children(t)
	for i := len(kids) - 1; i >= 0; i-- { // to the left, the nearest first
		if c := kids[i]; c < t {
			if f.left(c) {
				break
			}
			if f.Class(c) != "PUNCT" {
				s.Start = min(s.Start, f.Extent(c).Start)
			}
		}
	}
	for _, c := range kids {
		if c <= t {
			continue
		}
		if f.Xpos[c] == "POS" && c == s.End {
			s.End++
			continue
		}
		rel := bareRelation(f.Rels[c])
		if rel != "punct" && outside[rel] {
			if rel == "cc" || rel == "conj" || rel == "appos" || rel == "case" {
				continue
			}
			break
		}
		if rel != "punct" {
			s.End = max(s.End, f.Extent(c).End)
		}
	}
	return s
}

// left tells whether a dependent before the head ends the phrase.
func (f *finder) left(c int32) bool {
	rel := bareRelation(f.Rels[c])
	return rel != "punct" && outside[rel]
}

// shorter adds the part of a phrase from its determiner or possessor on, and the part up to what follows the head.
func (f *finder) shorter(t int32, s mention.Span) {
	for _, c := range f.Children(t) {
		if c > t {
			break
		}
		if r := f.Rels[c]; r == "det" || r == "nmod:poss" || r == "det:predet" {
			f.add(mention.Span{Start: f.Extent(c).Start, End: s.End}, asDetermined)
			break
		}
	}
}

// longer adds the whole coordination that a token begins, and the phrase with its apposition.
func (f *finder) longer(t int32, s mention.Span) {
	end, with := s.End, s.End
	for _, c := range f.Children(t) {
		switch bareRelation(f.Rels[c]) {
		case "conj":
			if nominal(f.Class(c)) || f.Class(c) == "PRON" {
				end = max(end, f.Extent(c).End)
			}
		case "appos":
			with = max(with, f.Extent(c).End)
		}
	}
	if end > s.End {
		f.add(mention.Span{Start: s.Start, End: end}, asCoordination)
	}
	if with > s.End {
		f.add(mention.Span{Start: s.Start, End: with}, asApposition)
	}
}

// phrases adds noun phrases of constituent trees.
func (f *finder) phrases() {
	for i, n := range f.Nodes() {
		if kind.Ended(f.ctx, i) {
			return
		}
		label, _, _ := strings.Cut(n.Label, "-")
		if label == "NP" || label == "NML" || label == "NX" || label == "WHNP" && n.Len() == 1 {
			f.add(n.Span, asPhrase)
		}
	}
	f.names()
}

// names adds runs of proper nouns.
func (f *finder) names() {
	for t := 0; t < len(f.Forms) && f.ctx.Err() == nil; t++ {
		end := t
		for end < len(f.Forms) && f.Class(int32(end)) == "PROPN" && f.Sents[end] == f.Sents[t] {
			end++
		}
		if end > t {
			f.add(mention.Span{Start: int32(t), End: int32(end)}, asName)
			t = end
		}
	}
}

// leads tells whether a token may stand before a noun as a part of its phrase, by the tags.
func (f *finder) leads(t int32) bool {
	c, x := f.Class(t), f.Xpos[t]
	return c == "DET" || c == "ADJ" || x == "PRP$" || x == "POS" || x == "HYPH"
}

// runs adds what tags alone show: nouns with the determiners, adjectives and numerals before them.
func (f *finder) runs() {
	f.names()
	for t := 0; t < len(f.Forms) && f.ctx.Err() == nil; t++ {
		end, last := t, -1
		for end < len(f.Forms) && f.Sents[end] == f.Sents[t] {
			c := f.Class(int32(end))
			if nominal(c) {
				last = end
			} else if !f.leads(int32(end)) {
				break
			}
			end++
		}
		if last >= 0 {
			f.add(mention.Span{Start: int32(t), End: int32(last) + 1}, asRun)
		}
		t = max(t, end-1)
	}
}

// nouns adds each noun with what stands before it and belongs to it by the tags, and by itself a name in a longer name.
func (f *finder) nouns() {
	for i := range f.Forms {
		if f.ctx.Err() != nil { // what stands before may be the whole sentence
			return
		}
		t := int32(i)
		c := f.Class(t)
		if !nominal(c) {
			continue
		}
		s := mention.Span{Start: t, End: t + 1}
		if c == "PROPN" {
			f.add(s, asNoun)
		}
		for s.Start > f.Bounds[f.Sents[t]] {
			if p := s.Start - 1; !nominal(f.Class(p)) && !f.leads(p) {
				break
			}
			s.Start--
		}
		f.add(s, asNoun)
		if t+1 < f.Bounds[f.Sents[t]+1] && f.Xpos[t+1] == "POS" {
			f.add(mention.Span{Start: s.Start, End: t + 2}, asNoun)
		}
	}
}

// events adds verbs, as this, that and it may mean them.
func (f *finder) events() {
	for i := range f.Forms {
		if kind.Ended(f.ctx, i) {
			return
		}
		if f.Class(int32(i)) == "VERB" {
			f.add(mention.Span{Start: int32(i), End: int32(i) + 1}, asVerb)
		}
	}
}
