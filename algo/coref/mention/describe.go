package mention

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Lexicons are what descriptions look into besides the tables. Each may be nil.
type Lexicons struct {
	WordNet kind.KB      // as LOAD … FORMAT wordnet makes it: who is a person
	Genders kind.Lexicon // words and first names with a column gender: male, female, neuter, m, f or n
}

// Of describes the mentions of a document, in reading order: the rows of its layer of mentions. It fails only when the
// context has ended.
func Of(ctx context.Context, doc *text.Document, lex Lexicons) (*Document, []Mention, error) {
	d, err := Read(ctx, doc)
	if err != nil {
		return nil, nil, err
	}
	spans, rows := d.Spans(doc)
	out, err := d.Describe(ctx, spans, lex)
	if err != nil {
		return nil, nil, err
	}
	for i, r := range rows {
		out[i].Row = r
	}
	return d, out, nil
}

// Describe describes spans, which must be in reading order (Span.Compare), of one sentence each. It fails only when the
// context has ended.
func (d *Document) Describe(ctx context.Context, spans []Span, lex Lexicons) ([]Mention, error) {
	out := make([]Mention, len(spans))
	var open []int32 // spans around the one at hand, the outermost first
	for i, s := range spans {
		if i&63 == 0 && ctx.Err() != nil { // a description may read the whole sentence
			return nil, ctx.Err()
		}
		for len(open) > 0 && !spans[open[len(open)-1]].Covers(s) {
			open = open[:len(open)-1]
		}
		m := &out[i]
		*m = Mention{Span: s, Sent: d.Sents[s.Start], Head: d.HeadOf(s), Outer: None, Row: None}
		if n := len(open); n > 0 {
			m.Outer = open[n-1]
		}
		open = append(open, int32(i))
		d.describe(m, lex)
	}
	return out, nil
}

func (d *Document) describe(m *Mention, lex Lexicons) {
	m.Entity = d.entity(m)
	m.Speaker, m.Quoted = d.Speakers[m.Head], d.Quoted[m.Head]
	d.begin(m)
	p, isPronoun := words().pronouns[d.Lower[m.Head]]
	class := d.Class(m.Head)
	switch {
	case isPronoun && pronounFits(p, class, m):
		m.Type, m.Pronoun, m.Person, m.Case = Pronoun, p.form, p.person, p.kase
		m.Number, m.Gender, m.Animacy = p.number, p.gender, p.animacy
		if d.Xpos[m.Head] == "PRP$" || feature(d.Feats[m.Head], "Poss") == "Yes" {
			m.Case = PossessiveCase
		}
		return
	case class == "PROPN":
		m.Type = Name
	case class == "VERB" || class == "AUX":
		m.Type = Verb
	case class == "PRON" && d.Xpos[m.Head] != "NN":
		m.Type, m.Pronoun = Pronoun, d.Lower[m.Head]
	}
	m.Person = 3
	m.Coordinated = d.coordinated(m)
	m.Number = d.number(m)
	d.gender(m, lex)
}

// pronounFits tells whether the form is a pronoun here: a word such as one or there may be a numeral or an adverb.
func pronounFits(p pronoun, class string, m *Mention) bool {
	switch class {
	case "PRON":
		return true
	case "DET", "ADV":
		return m.Len() == 1
	case "NOUN", "NUM", "PROPN", "ADJ", "VERB", "AUX":
		return false
	}
	return p.kase != Adverbial
}

// begin reads the determiner.
func (d *Document) begin(m *Mention) {
	for t := m.Start; t < m.Head; t++ {
		if d.Xpos[t] == "POS" || d.Lower[t] == "'s" || d.Lower[t] == "’s" {
			m.Determiner, m.Definiteness = "'s", Possessive
			return
		}
	}
	first := d.Lower[m.Start]
	if det, ok := words().determiners[first]; ok && m.Head > m.Start {
		m.Determiner, m.Definiteness = first, det.definite
		return
	}
	p, ok := words().pronouns[first]
	switch {
	case m.Head == m.Start:
	case ok && p.kase == PossessiveCase:
		m.Determiner, m.Definiteness = first, Possessive
	case d.Class(m.Start) == "NUM":
		m.Definiteness = Quantified
	}
}

// entity is the type of the named entity with the head: the longest inside the mention, else the shortest around.
func (d *Document) entity(m *Mention) string {
	best, inside := "", 0
	around := 1 << 30
	after, _ := slices.BinarySearchFunc(d.entities, m.Head+1, func(e entity, row int32) int { return int(e.Start - row) })
	for i := after; i > 0; i-- {
		e := &d.entities[i-1]
		if d.Sents[e.Start] != m.Sent {
			break
		}
		switch n := e.Len(); {
		case e.End <= m.Head:
		case m.Covers(e.Span) && n > inside:
			best, inside = e.label, n
		case inside == 0 && n < around && e.Covers(m.Span):
			best, around = e.label, n
		}
	}
	return best
}

// coordinated tells whether the head is joined with another one inside.
func (d *Document) coordinated(m *Mention) bool {
	if d.Tree {
		for _, c := range d.Children(m.Head) {
			if d.Rels[c] == "conj" && c < m.End {
				return true
			}
		}
		return false
	}
	for t := m.Head + 1; t+1 < m.End; t++ {
		if d.Class(t) == "CCONJ" && (d.Class(t+1) == "PROPN" || d.Class(t+1) == "NOUN") {
			return true
		}
	}
	return false
}

func (d *Document) number(m *Mention) Number {
	if m.Coordinated {
		return Plural
	}
	switch d.Xpos[m.Head] {
	case "NNS", "NNPS":
		return Plural
	case "NN", "NNP":
		return Singular
	case "CD":
		if d.Lower[m.Head] == "one" || d.Lower[m.Head] == "1" {
			return Singular
		}
		return Plural
	}
	switch feature(d.Feats[m.Head], "Number") {
	case "Sing":
		return Singular
	case "Plur":
		return Plural
	}
	return words().determiners[m.Determiner].number
}

// feature is the value of a morphological feature, "" without it.
func feature(feats, name string) string {
	for f := range strings.SplitSeq(feats, "|") {
		if v, ok := strings.CutPrefix(f, name+"="); ok {
			return v
		}
	}
	return ""
}

// things are types of entities that are no persons, in the tag sets in use.
var things = map[string]bool{"ORG": true, "GPE": true, "LOC": true, "FAC": true, "PRODUCT": true, "DATE": true,
	"TIME":  true,
	"MONEY": true, "PERCENT": true, "EVENT": true, "WORK_OF_ART": true, "LAW": true, "LANGUAGE": true, "QUANTITY": true,
	"ORDINAL": true, "CARDINAL": true, "organization": true, "place": true, "object": true, "event": true, "time": true,
	"abstract": true, "plant": true, "substance": true, "location": true, "corporation": true, "product": true,
	"creative-work": true}

// persons are types of entities that are persons or animals.
var persons = map[string]bool{"PER": true, "PERSON": true, "person": true, "animal": true}

// gender finds gender and animacy of what is no pronoun: titles, first names and nouns for people first, then the type
// of the entity, the lexicons, morphology and endings.
func (d *Document) gender(m *Mention, lex Lexicons) {
	head := d.Lower[m.Head]
	switch {
	case m.Coordinated:
		return
	case m.Type == Verb || things[m.Entity]:
		m.Gender, m.Animacy = Neuter, Inanimate
		return
	case m.Type == Name:
		d.nameGender(m, lex)
	case m.Type == Nominal:
		if p, ok := words().people[head]; ok {
			if m.Gender = p.gender; !p.group {
				m.Animacy = Animate
			}
		} else {
			d.nounGender(m, lex)
		}
	}
	if persons[m.Entity] {
		m.Animacy = Animate
	}
	if m.Gender == UnknownGender {
		m.Gender = genders[feature(d.Feats[m.Head], "Gender")]
	}
	if m.Animacy == UnknownAnimacy && feature(d.Feats[m.Head], "Animacy") == "Anim" {
		m.Animacy = Animate
	}
}

var genders = map[string]Gender{"Masc": Male, "Fem": Female, "Neut": Neuter, "male": Male, "female": Female,
	"neuter": Neuter, "m": Male, "f": Female, "n": Neuter}

// nameGender reads the last word, titles in front and the first name.
func (d *Document) nameGender(m *Mention, lex Lexicons) {
	last := m.Head
	for last+1 < m.End && d.Class(last+1) == "PROPN" {
		last++
	}
	if words().things[d.Lower[last]] && !persons[m.Entity] {
		m.Gender, m.Animacy = Neuter, Inanimate
		return
	}
	for t := m.Start; t <= m.Head || t < m.End && d.Class(t) == "PROPN"; t++ {
		w := d.Lower[t]
		if g, ok := words().titles[w]; ok && t+1 < m.End {
			m.Animacy = Animate
			if g != UnknownGender {
				m.Gender = g
				return
			}
			continue
		}
		if d.Class(t) != "PROPN" {
			continue
		}
		if m.Definiteness == Definite && !persons[m.Entity] {
			return // the Beatles
		}
		g, ok := words().names[w]
		if lex.Genders != nil {
			if x := genders[lex.Genders.Lookup(w, "gender")]; x != UnknownGender {
				g, ok = x, true
			}
		}
		if ok {
			m.Gender = g
			m.Animacy = Animate
		}
		return // the first name alone counts
	}
}

// nounGender asks the lexicons, and guesses by the ending.
func (d *Document) nounGender(m *Mention, lex Lexicons) {
	lemma := d.Lemmas[m.Head]
	if lemma == "" {
		lemma = d.Lower[m.Head]
	}
	if lex.Genders != nil {
		if m.Gender = genders[lex.Genders.Lookup(lemma, "gender")]; m.Gender == Male || m.Gender == Female {
			m.Animacy = Animate
			return
		}
	}
	if lex.WordNet != nil {
		switch Sense(lex.WordNet, lemma) {
		case "":
		case "person", "animal":
			m.Animacy = Animate
			return
		case "group":
			return
		default:
			m.Gender, m.Animacy = Neuter, Inanimate
			return
		}
	}
	for _, end := range []string{"er", "or", "ist", "ian", "eer", "ee", "man", "person"} {
		if strings.HasSuffix(strings.ToLower(lemma), end) {
			return
		}
	}
	if class := d.Class(m.Head); class == "NOUN" && d.English() {
		m.Gender, m.Animacy = Neuter, Inanimate
	}
}

// English tells whether tags are those of the Penn Treebank, so that the tables of nouns say what words are not.
func (d *Document) English() bool {
	for _, x := range d.Xpos[:min(len(d.Xpos), 50)] {
		if x == "NN" || x == "DT" || x == "PRP" || x == "VBD" || x == "IN" {
			return true
		}
	}
	return false
}
