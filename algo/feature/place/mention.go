package place

import (
	"context"
	"slices"

	"parlance/algo/coref/mention"
	"parlance/algo/text"
)

// described is a mention with its document and the mentions before it.
type described struct {
	*mention.Mention
	doc           *mention.Document
	before, after int // tokens that are heads of mentions and have the form of its head, before and after that
}

// mentions is the descriptions of the mentions of a document.
type mentions struct {
	doc    *mention.Document
	list   []mention.Mention // in reading order
	at     []int32           // by row of the layer: place in list, none for rows without tokens
	heads  [][2]int32        // by place in list: equal heads before and after
	counts map[agreement][]int32
}

// agreement is what mentions must not contradict each other in.
type agreement struct {
	gender  mention.Gender
	number  mention.Number
	animacy mention.Animacy
}

func agreementOf(m *mention.Mention) agreement { return agreement{m.Gender, m.Number, m.Animacy} }

// fits tells whether two values are the same, or one is unknown.
func fits[T comparable](a, b T) bool {
	var unknown T
	return a == b || a == unknown || b == unknown
}

func (a agreement) fits(b agreement) bool {
	return fits(a.gender, b.gender) && fits(a.number, b.number) && fits(a.animacy, b.animacy)
}

func (m *mentions) read(ctx context.Context, doc *text.Document) (err error) {
	if m.doc, m.list, err = mention.Of(ctx, doc, mention.Lexicons{}); err != nil {
		return err
	}
	m.at, m.counts = m.at[:0], map[agreement][]int32{}
	if l := doc.Layer("mentions"); l != nil {
		m.at = append(m.at, slices.Repeat([]int32{none}, l.N)...)
	}
	for i := range m.list {
		m.at[m.list[i].Row] = int32(i)
	}
	m.countHeads()
	return nil
}

// countHeads counts the heads of mentions by form; mentions with one head count once.
func (m *mentions) countHeads() {
	var tokens []int32
	for i := range m.list {
		tokens = append(tokens, m.list[i].Head)
	}
	slices.Sort(tokens)
	total, before := map[string]int32{}, map[int32]int32{}
	for _, t := range slices.Compact(tokens) {
		before[t] = total[m.doc.Lower[t]]
		total[m.doc.Lower[t]]++
	}
	m.heads = m.heads[:0]
	for i := range m.list {
		t := m.list[i].Head
		m.heads = append(m.heads, [2]int32{before[t], total[m.doc.Lower[t]] - before[t] - 1})
	}
}

// compatible is how many mentions stand between two rows, in reading order, that contradict the second one in nothing.
// Counts up to each mention are made once for each agreement.
func (m *mentions) compatible(a, b int32) int32 {
	i, j := m.at[a], m.at[b]
	if i < 0 || j < 0 {
		return 0
	}
	want := agreementOf(&m.list[j])
	upTo := m.counts[want]
	if upTo == nil {
		upTo = make([]int32, len(m.list)+1)
		for k := range m.list {
			upTo[k+1] = upTo[k]
			if want.fits(agreementOf(&m.list[k])) {
				upTo[k+1]++
			}
		}
		m.counts[want] = upTo
	}
	i, j = min(i, j), max(i, j)
	return max(0, upTo[j]-upTo[min(i+1, j)])
}

// described tells whether a step reads the description of a mention.
func (s *step) described() bool { return s.said != nil || s.listed != nil || s.counted != nil }

// describe reads a step of all mentions, as far as the context lets it.
func (d *document) describe(ctx context.Context, x *Extractor, k int, l *layer) {
	s, m := x.set.code[k].step, &d.described
	l.cells[k], l.lists[k] = l.cells[k][:0], l.lists[k][:0]
	for range m.at {
		l.cells[k], l.lists[k] = append(l.cells[k], none), append(l.lists[k], nil)
	}
	for i := range m.list {
		if i&63 == 0 && ctx.Err() != nil { // some steps read all words of a mention
			return
		}
		row := m.list[i].Row
		v := &described{&m.list[i], m.doc, int(m.heads[i][0]), int(m.heads[i][1])}
		switch {
		case s.said != nil:
			if t := s.said(v); t != "" {
				l.cells[k][row] = x.id(t)
			}
		case s.counted != nil:
			l.cells[k][row] = int32(s.counted(v))
		default:
			for _, t := range s.listed(v) {
				l.lists[k][row] = append(l.lists[k][row], x.id(t))
			}
		}
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// mentionSteps are what descriptions say of mentions.
func mentionSteps() []*step {
	var out []*step
	add := func(name, doc string, need needs, typ typ) *step {
		s := &step{name: name, usage: "." + name, doc: doc, in: mentionType, out: typ, need: need | needDescriptions}
		s.all = func(x *Extractor, k int, in, out *val) { out.set(x.cell(k, in.row)) }
		out = append(out, s)
		return s
	}
	say := func(name, doc string, said func(m *described) string) { add(name, doc, 0, textType).said = said }
	list := func(name, doc string, listed func(m *described) []string) {
		s := add(name, doc, 0, textsType)
		s.listed = listed
		s.all = func(x *Extractor, k int, in, out *val) { out.list = append(out.list, x.listOf(k, in.row)...) }
	}
	say("type", "pronoun, name, nominal or verb", func(m *described) string { return m.Type.String() })
	say("class", "one form of a pronoun for all its cases, such as he for him and his; else the type",
		func(m *described) string { return m.Class() })
	say("pronoun", "that form of a pronoun, none of others", func(m *described) string { return m.Pronoun })
	say("case", "of a pronoun: personal, possessive, reflexive, demonstrative, relative or adverbial",
		func(m *described) string { return m.Case.String() })
	say("gender", "male, female or neuter", func(m *described) string { return m.Gender.String() })
	say("number", "singular or plural", func(m *described) string { return m.Number.String() })
	say("person", "1, 2 or 3", func(m *described) string {
		if m.Person == 0 {
			return ""
		}
		return string(rune('0' + m.Person))
	})
	say("animacy", "animate or inanimate", func(m *described) string { return m.Animacy.String() })
	say("definiteness", "bare, definite, demonstrative, possessive, indefinite or quantified",
		func(m *described) string { return m.Definiteness.String() })
	say("determiner", "the determiner in small letters, 's for a possessor",
		func(m *described) string { return m.Determiner })
	say("coordinated", "yes or no: two or more things joined by and",
		func(m *described) string { return yesNo(m.Coordinated) })
	say("nested", "yes or no: inside another mention", func(m *described) string { return yesNo(m.Outer >= 0) })
	say("quoted", "yes or no: between quotation marks", func(m *described) string { return yesNo(m.Quoted) })
	say("speaker", "who says it, where that is known", func(m *described) string { return m.Speaker })
	say("bare", "its words in small letters, without determiners in front and a possessive ending",
		func(m *described) string { return m.doc.Bare(m.Mention) })
	say("initials", "the initials of its capitalized words, of several of them",
		func(m *described) string { return m.doc.Initials(m.Mention) })
	list("modifiers", "the words before the head that are no determiners, in small letters",
		func(m *described) []string { return m.doc.Modifiers(m.Mention) })
	list("names", "its proper nouns in small letters", func(m *described) []string { return m.doc.Names(m.Mention) })
	add("seen", "how many words before it that mentions have as their heads are the same as its head", 0,
		numberType).counted = func(m *described) int { return m.before }
	add("later", "how many words after it that mentions have as their heads are the same as its head", 0,
		numberType).counted =
		func(m *described) int { return m.after }
	add("entity", "the type of the named entity with its head", needEntities, textType).said =
		func(m *described) string { return m.Entity }
	return out
}

// listOf is the list of a description.
func (x *Extractor) listOf(k int, row int32) []int32 {
	l := x.layers[x.set.code[k].place].lists[k]
	if int(row) >= len(l) {
		return nil
	}
	return l[row]
}

// mentionFunctions are those of two mentions.
func mentionFunctions() []*function {
	of := func(result typ) func(a, b typ) typ {
		return func(a, b typ) typ {
			if a == mentionType && b == mentionType {
				return result
			}
			return noType
		}
	}
	return []*function{
		{name: "compatible", doc: "whether gender, number and animacy of two mentions are the same or unknown: yes or no",
			wants: "two mentions", need: needDescriptions, result: of(textType),
			eval: func(x *Extractor, _ int, a, b, out *val) { x.truth(x.compatible(a.row, b.row), out) }},
		{name: "compatible_between",
			doc:   "how many mentions between x and y are compatible with y",
			wants: "two mentions", need: needDescriptions, result: of(numberType),
			eval: func(x *Extractor, _ int, a, b, out *val) { out.set(x.described.compatible(a.row, b.row)) }},
	}
}

// compatible tells whether the mentions of two rows contradict each other in nothing.
func (x *Extractor) compatible(a, b int32) bool {
	i, j := x.described.at[a], x.described.at[b]
	return i >= 0 && j >= 0 && agreementOf(&x.described.list[i]).fits(agreementOf(&x.described.list[j]))
}
