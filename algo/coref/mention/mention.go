// Package mention describes mentions of entities and events: head, type, gender, number, person, animacy, definiteness,
// type of the entity, speaker, nesting.
//
// Descriptions come from tokens, tags, dependencies or constituents, entities and speakers, of what a document has.
// Tables of English words stand in the folder english; they were written for this package. Words of other languages are
// in none of them, so what is known of their mentions comes from tags, features and trees. A WordNet and a lexicon of
// genders may be given besides.
package mention

// Type is the type of a mention.
type Type uint8

// The types.
const (
	Nominal Type = iota
	Name
	Pronoun
	Verb // an event
)

func (t Type) String() string { return [...]string{"nominal", "name", "pronoun", "verb"}[t] }

// Gender is a grammatical gender, as far as it is known.
type Gender uint8

// The genders.
const (
	UnknownGender Gender = iota
	Male
	Female
	Neuter
)

// String is the name, "" where it is unknown.
func (g Gender) String() string { return [...]string{"", "male", "female", "neuter"}[g] }

// Number is a grammatical number, as far as it is known.
type Number uint8

// The numbers.
const (
	UnknownNumber Number = iota
	Singular
	Plural
)

// String is the name, "" where it is unknown.
func (n Number) String() string { return [...]string{"", "singular", "plural"}[n] }

// Animacy tells persons and animals from the rest, as far as it is known.
type Animacy uint8

// The animacies.
const (
	UnknownAnimacy Animacy = iota
	Animate
	Inanimate
)

// String is the name, "" where it is unknown.
func (a Animacy) String() string { return [...]string{"", "animate", "inanimate"}[a] }

// Definiteness is how a mention begins.
type Definiteness uint8

// The cases.
const (
	Bare          Definiteness = iota // no determiner
	Definite                          // the
	Demonstrative                     // this, that, these, those, such
	Possessive                        // my, the man's
	Indefinite                        // a, some
	Quantified                        // every, all, two
)

func (d Definiteness) String() string {
	return [...]string{"bare", "definite", "demonstrative", "possessive", "indefinite", "quantified"}[d]
}

// Case is the form of a pronoun.
type Case uint8

// The cases of pronouns.
const (
	NoCase Case = iota
	Personal
	PossessiveCase
	Reflexive
	DemonstrativeCase
	Relative
	Adverbial // here, there, then
)

// String is the name, "" for what is no pronoun.
func (c Case) String() string {
	return [...]string{"", "personal", "possessive", "reflexive", "demonstrative", "relative", "adverbial"}[c]
}

// None stands for a row that does not exist.
const None = -1

// Span is rows [Start, End) of the tokens of a document, of one sentence.
type Span struct{ Start, End int32 }

// Mention is a mention and what is known of it. Rows are those of the layer of tokens, from 0.
type Mention struct {
	Span
	Sent         int32  // its sentence, from 0
	Head         int32  // row of the head token
	Outer        int32  // the smallest other mention around it, None without one
	Row          int32  // its row in the layer of mentions, None where it was made of a span
	Pronoun      string // of pronouns: one form for all cases, such as he for him and his; else ""
	Determiner   string // first determiner in small letters, "'s" for a possessor, "" without one
	Entity       string // type of the named entity with the head, "" without one
	Speaker      string // who says it, "" where unknown
	Type         Type
	Gender       Gender
	Number       Number
	Person       uint8 // 1 to 3
	Animacy      Animacy
	Definiteness Definiteness
	Case         Case // of pronouns
	Coordinated  bool // a coordination, such as Ann and Bob
	Quoted       bool // between quotation marks
}

// Class is the canonical form of a pronoun, else the type: what features of pairs are joined with.
func (m *Mention) Class() string {
	if m.Type == Pronoun && m.Pronoun != "" {
		return m.Pronoun
	}
	return m.Type.String()
}

// Len is how many tokens the mention has.
func (s Span) Len() int { return int(s.End - s.Start) }

// Covers tells whether the span covers another one, or is the same.
func (s Span) Covers(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Compare orders spans as texts are read: by start, a longer span before a shorter one.
func (s Span) Compare(o Span) int {
	if s.Start != o.Start {
		return int(s.Start - o.Start)
	}
	return int(o.End - s.End)
}
