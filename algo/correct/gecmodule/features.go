package gecmodule

import (
	"strings"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/inflect"
)

// ngrams adds the words and tags around a slot [i, j): B are those before, A those after (Rozovskaya et al. 2013,
// table 7).
func (c *collector) ngrams(i, j int) {
	w, p := c.w, c.p
	b1, b2, b3, b4 := w(i-1), w(i-2), w(i-3), w(i-4)
	a1, a2, a3, a4 := w(j), w(j+1), w(j+2), w(j+3)
	c.add("wB", b1)
	c.add("w2B", b2)
	c.add("w3B", b3)
	c.add("wA", a1)
	c.add("w2A", a2)
	c.add("w3A", a3)
	c.add("wBwA", b1, a1)
	c.add("w2BwB", b2, b1)
	c.add("wAw2A", a1, a2)
	c.add("w3Bw2BwB", b3, b2, b1)
	c.add("w2BwBwA", b2, b1, a1)
	c.add("wBwAw2A", b1, a1, a2)
	c.add("wAw2Aw3A", a1, a2, a3)
	c.add("w4Bw3Bw2BwB", b4, b3, b2, b1)
	c.add("w3Bw2BwBwA", b3, b2, b1, a1)
	c.add("w2BwBwAw2A", b2, b1, a1, a2)
	c.add("wBwAw2Aw3A", b1, a1, a2, a3)
	c.add("wAw2Aw3Aw4A", a1, a2, a3, a4)
	q1, q2, q3 := p(i-1), p(i-2), p(i-3)
	r1, r2, r3 := p(j), p(j+1), p(j+2)
	c.add("pB", q1)
	c.add("p2B", q2)
	c.add("p3B", q3)
	c.add("pA", r1)
	c.add("p2A", r2)
	c.add("p3A", r3)
	c.add("pBpA", q1, r1)
	c.add("p2BpB", q2, q1)
	c.add("pAp2A", r1, r2)
	c.add("pBwB", q1, b1)
	c.add("pAwA", r1, a1)
	c.add("p2Bw2B", q2, b2)
	c.add("p2Aw2A", r2, a2)
	c.add("p2BpBpA", q2, q1, r1)
	c.add("pBpAp2A", q1, r1, r2)
	c.add("pAp2Ap3A", r1, r2, r3)
}

func nominal(tag string) bool { return strings.HasPrefix(tag, "NN") }
func verbal(tag string) bool  { return strings.HasPrefix(tag, "VB") }
func finite(tag string) bool  { return tag == "VBZ" || tag == "VBP" || tag == "VBD" || tag == "MD" }

// nounPhrase is the noun phrase after a slot, from token j on.
func nounPhrase(s *confusion.Sentence, j int) (from, to int) {
	if j >= len(s.Forms) {
		return j, j
	}
	p := s.Phrase(j)
	if p.Label != "NP" {
		return j, j + 1
	}
	return j, p.End
}

// phraseFeatures are those of a noun phrase [j, end) that others are joined with: NP1 of the paper.
func (c *collector) phraseFeatures(j, end int) (names []string, atoms [][]atom) {
	s := c.s
	add := func(name string, a ...atom) { names, atoms = append(names, name), append(atoms, a) }
	if j >= end {
		return nil, nil
	}
	head := c.w(end - 1)
	add("headWord", head)
	add("npWords", c.joined(c.w, j, end))
	compound := end-j > 1 && nominal(s.Tags[end-2])
	if compound {
		add("NC", c.w(end-2))
	}
	adj := -1
	switch {
	case strings.HasPrefix(s.Tags[j], "JJ"):
		adj = j
	case strings.HasPrefix(s.Tags[j], "RB") && j+1 < end && strings.HasPrefix(s.Tags[j+1], "JJ"):
		adj = j + 1
	}
	if adj >= 0 {
		add("adj&headWord", c.w(adj), head)
		add("adjTag&headWord", c.p(adj), head)
		if compound {
			add("adj&NC", c.w(adj), c.w(end-2))
			add("adjTag&NC", c.p(adj), c.w(end-2))
		}
	}
	tags := c.joined(c.p, j, end)
	add("npTags&headWord", tags, head)
	if compound {
		add("npTags&NC", tags, c.w(end-2))
	}
	return names, atoms
}

// article adds the features of an article's slot.
func (c *collector) article(x *confusion.Candidate) {
	s := c.s
	c.ngrams(x.Slot, x.SlotEnd)
	j, end := nounPhrase(s, x.SlotEnd)
	names, atoms := c.phraseFeatures(j, end)
	for k, n := range names {
		c.add(n, atoms[k]...)
		c.add("wB&"+n, append([]atom{c.w(x.Slot - 1)}, atoms[k]...)...)
	}
	if j < end {
		head, number := c.w(end-1), "singular"
		if tag := s.Tags[end-1]; tag == "NNS" || tag == "NNPS" {
			number = "plural"
		}
		c.add("headWord&headPOS", head, c.p(end-1))
		c.add("headNumber", word(number))
		for k := 1; k <= 3; k++ {
			after := c.joined(c.w, end, end+k)
			c.add("headWord&after"+string(rune('0'+k)), head, after)
			c.add("npWords&after"+string(rune('0'+k)), c.joined(c.w, j, end), after)
		}
	}
	before := s.Tag(x.Slot - 1)
	if verbal(before) {
		c.add("verb", c.w(x.Slot-1))
		for k, n := range names {
			c.add("verb&"+n, append([]atom{c.w(x.Slot - 1)}, atoms[k]...)...)
		}
	}
	if before == "IN" || before == "TO" {
		for k, n := range names {
			c.add("prep&"+n, append([]atom{c.w(x.Slot - 1)}, atoms[k]...)...)
		}
	}
	seen := "new"
	for i := 0; i < x.Slot; i++ {
		if j < end && s.Lower[i] == s.Lower[end-1] {
			seen = "seen"
		}
	}
	c.add("headSeen", word(seen))
}

// preposition adds the features of a preposition's slot: its object, and the verb and noun before it.
func (c *collector) preposition(x *confusion.Candidate) {
	s := c.s
	c.ngrams(x.Slot, x.SlotEnd)
	j, end := nounPhrase(s, x.SlotEnd)
	object := c.w(end - 1)
	if j >= end {
		object = c.w(j)
	}
	c.add("object", object)
	c.add("wB&object", c.w(x.Slot-1), object)
	for i := x.Slot - 1; i >= 0 && i >= x.Slot-6; i-- {
		if verbal(s.Tags[i]) {
			c.add("verb", c.w(i))
			c.add("verb&object", c.w(i), object)
			c.add("verb&wB", c.w(i), c.w(x.Slot-1))
			break
		}
	}
	c.add("wB&npTags", c.w(x.Slot-1), c.joined(c.p, j, end))
}

// noun adds the features of a noun.
func (c *collector) noun(x *confusion.Candidate) {
	s, i := c.s, x.Slot
	c.ngrams(i, i+1)
	lemma := x.Fill
	if x.Source == confusion.Plural {
		lemma = inflect.Singular(x.Fill)
	}
	l := word(lemma)
	p := s.Phrase(i)
	start := p.Start
	if start > 0 && p.Label == "NP" && (s.Tags[start-1] == "DT" || s.Tags[start-1] == "PRP$") {
		start--
	}
	det := word("none")
	for k := start; k < i; k++ {
		if t := s.Tags[k]; t == "DT" || t == "PRP$" || t == "CD" || t == "POS" || t == "PDT" || t == "WDT" ||
			t == "JJ" && k == start {
			det = c.w(k)
			c.add("detTag", c.p(k))
			break
		}
	}
	place := "head"
	if i+1 < p.End && nominal(s.Tag(i+1)) {
		place = "modifier"
	}
	c.add("lemma", l)
	c.add("place", word(place))
	c.add("det", det)
	c.add("det&place", det, word(place))
	c.add("det&lemma", det, l)
	c.add("lemma&place", l, word(place))
	c.add("lemma&wB", l, c.w(i-1))
	c.add("lemma&wA", l, c.w(i+1))
	c.add("wBlemmawA", c.w(i-1), l, c.w(i+1))
	c.add("lemma&w2BwB", l, c.w(i-2), c.w(i-1))
	c.add("before&det", c.w(start-1), det)
	c.add("before&lemma", c.w(start-1), l)
	c.add("npTags", c.joined(c.p, start, i))
	for k := i + 1; k < len(s.Forms) && k < i+7; k++ {
		if finite(s.Tags[k]) {
			c.add("verb", c.w(k))
			c.add("verbTag&place", c.p(k), word(place))
			break
		}
	}
	for _, o := range x.Options {
		for k, w := range s.Lower {
			if k != i && w == o.Fill {
				c.add("otherForm")
				break
			}
		}
	}
	same := "no"
	for k, w := range s.Lower {
		if k != i && w == x.Fill {
			same = "yes"
		}
	}
	c.add("sameForm", word(same))
}

// agreement adds the features of a verb and its subject.
func (c *collector) agreement(x *confusion.Candidate) {
	i := x.Slot
	c.ngrams(i, i+1)
	lemma := word(lemmaOf(x.Fill))
	c.add("lemma", lemma)
	c.add("lemma&wB", lemma, c.w(i-1))
	c.add("lemma&pB", lemma, c.p(i-1))
	c.subject(i, lemma)
}

// subject adds the features of the subject of a verb.
func (c *collector) subject(verb int, lemma atom) {
	s := c.s
	head, path := confusion.Subject(s, verb)
	if head < 0 {
		c.add("noSubject", lemma)
		return
	}
	number := word(confusion.Numbers[confusion.Number(s, head)])
	pathAtom := word(path)
	c.add("head", c.w(head))
	c.add("headTag", c.p(head))
	c.add("headTag&path", c.p(head), pathAtom)
	c.add("number&path", number, pathAtom)
	c.add("number&lemma", number, lemma)
	p := s.Phrase(head)
	c.add("first&number", c.w(p.Start), number)
	c.add("first&headTag", c.w(p.Start), c.p(head))
	if p.Start > 0 && s.Lower[p.Start-1] == "and" || p.Start > 1 && s.Lower[p.Start-2] == "and" {
		c.add("coordinated", number)
	}
	distance := min(verb-head, 5)
	c.add("number&distance", number, word(string(rune('0'+max(distance, 0)))))
}

// lemmaOf is the base of a form of agreement.
func lemmaOf(form string) string {
	switch form {
	case "is", "are", "am", "'s", "'re":
		return "be"
	case "was", "were":
		return "was"
	}
	for _, a := range inflect.Verb(form, nil) {
		if a.Form == inflect.Third || a.Form == inflect.Base {
			return a.Base
		}
	}
	return form
}

// times are words that tell when something happens.
var times = map[string]bool{"yesterday": true, "ago": true, "last": true, "tomorrow": true, "now": true,
	"nowadays": true,
	"today":    true, "since": true, "when": true, "while": true, "if": true, "next": true, "always": true,
	"usually": true,
	"already": true, "recently": true, "past": true, "future": true}

// verbForm adds the features of a verb: what governs it, its subject, tenses of the sentence.
func (c *collector) verbForm(x *confusion.Candidate, known inflect.Known) {
	s, i := c.s, x.Slot
	c.ngrams(i, i+1)
	lemma := word(x.Fill)
	for _, a := range inflect.Verb(x.Fill, known) {
		lemma = word(a.Base)
		if int(a.Form) == x.Source {
			break
		}
	}
	c.add("lemma", lemma)
	c.add("lemma&wB", lemma, c.w(i-1))
	c.add("lemma&wA", lemma, c.w(i+1))
	c.add("lemma&w2BwB", lemma, c.w(i-2), c.w(i-1))
	c.add("lemma&pB", lemma, c.p(i-1))
	for k := i - 1; k >= 0 && k >= i-5; k-- {
		if t := s.Tags[k]; verbal(t) || t == "MD" || t == "TO" {
			d := word(string(rune('0' + i - k)))
			c.add("governor", c.w(k))
			c.add("governor&distance", c.w(k), d)
			c.add("governorTag&distance", c.p(k), d)
			c.add("governor&between", c.w(k), c.joined(c.p, k+1, i))
			c.add("governor&lemma", c.w(k), lemma)
			break
		}
	}
	past, present := 0, 0
	for k, t := range s.Tags {
		switch {
		case k != i && t == "VBD":
			past++
		case k != i && (t == "VBZ" || t == "VBP"):
			present++
		}
	}
	tense := "none"
	switch {
	case past > 0 && present > 0:
		tense = "both"
	case past > 0:
		tense = "past"
	case present > 0:
		tense = "present"
	}
	for k, w := range s.Lower {
		if times[w] && k != i {
			c.add("time", c.w(k))
			c.add("time&pB", c.w(k), c.p(i-1))
		}
	}
	c.add("tense", word(tense))
	c.add("tense&pB", word(tense), c.p(i-1))
	c.subject(i, lemma)
}

// comma adds the features of a gap before token j, with a comma at i or, where i is j, without.
func (c *collector) comma(x *confusion.Candidate) {
	i, j := x.Slot, x.SlotEnd
	c.ngrams(i, j)
	c.add("w3Bw2BwBwAw2A", c.w(i-3), c.w(i-2), c.w(i-1), c.w(j), c.w(j+1))
	c.add("p3Bp2BpBpAp2Ap3A", c.p(i-3), c.p(i-2), c.p(i-1), c.p(j), c.p(j+1), c.p(j+2))
	c.add("p3Bp2BpB", c.p(i-3), c.p(i-2), c.p(i-1))
	c.add("wBpA", c.w(i-1), c.p(j))
	c.add("pBwA", c.p(i-1), c.w(j))
	c.add("start", word(string(rune('0'+min(i, 9)))))
	c.add("first&wA", c.w(0), c.w(j))
	c.add("first&pA", c.w(0), c.p(j))
	c.add("firstTag&pApB", c.p(0), c.p(j), c.p(i-1))
}
