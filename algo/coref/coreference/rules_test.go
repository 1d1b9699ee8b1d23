package coreference

import (
	"testing"

	"parlance/algo/coref/mention"
)

// pairOf is a document with the tokens of two mentions, the first before the second.
func pairOf(words, tags []string, a, b mention.Mention) *document {
	feats := make([]string, len(words))
	for i, w := range words {
		if w == "first" || w == "second" {
			feats[i] = "NumType=Ord"
		}
	}
	return &document{read: &mention.Document{Forms: words, Lower: words, Upos: tags, Xpos: make([]string, len(words)),
		Feats: feats},
		mentions: []mention.Mention{a, b}}
}

// holds looks a rule up by its name and applies it to two mentions.
func holds(t *testing.T, name string, d *document) bool {
	t.Helper()
	for _, r := range rules {
		if r.name == name {
			return r.of(d, 0, 1)
		}
	}
	t.Fatalf("there is no rule %s", name)
	return false
}

// over changes a mention.
func over(m mention.Mention, change func(*mention.Mention)) mention.Mention {
	change(&m)
	return m
}

// TestPropertyMismatch: a property contradicts where both mentions have it, and it differs.
func TestPropertyMismatch(t *testing.T) {
	none := mention.Mention{}
	male, female := mention.Mention{Gender: mention.Male}, mention.Mention{Gender: mention.Female}
	one, many := mention.Mention{Number: mention.Singular}, mention.Mention{Number: mention.Plural}
	person, thing := mention.Mention{Animacy: mention.Animate}, mention.Mention{Animacy: mention.Inanimate}
	for _, c := range []struct {
		a, b mention.Mention
		want bool
	}{{male, female, true}, {male, male, false}, {none, male, false}, {male, none, false}, {one, many, true},
		{one, one, false}, {none, many, false}, {many, none, false}, {person, thing, true}, {thing, thing, false},
		{none, thing, false}, {thing, none, false}} {
		if got := holds(t, "property_mismatch", pairOf(nil, nil, c.a, c.b)); got != c.want {
			t.Errorf("%+v and %+v: %v", c.a, c.b, got)
		}
	}
}

// TestSpeakers: I and you of one speaker are two persons, and so is I of two speakers.
func TestSpeakers(t *testing.T) {
	pronoun := func(form string, person uint8, speaker string) mention.Mention {
		return mention.Mention{Type: mention.Pronoun, Pronoun: form, Person: person, Speaker: speaker}
	}
	name := mention.Mention{Type: mention.Name, Person: 1, Pronoun: "i", Speaker: "B"}
	i, you := pronoun("i", 1, "A"), pronoun("you", 2, "A")
	for _, c := range []struct {
		a, b mention.Mention
		want bool
	}{{i, you, true}, {you, i, true}, {i, i, false}, {you, you, false}, {i, pronoun("i", 1, "B"), true},
		{i, pronoun("you", 2, "B"), false}, {you, pronoun("i", 1, "B"), false}, {pronoun("he", 3, "A"), you, false},
		{i, pronoun("he", 3, "A"), false}, {i, pronoun("i", 1, ""), false}, {pronoun("i", 1, ""), i, false},
		{i, name, false}, {name, i, false}} {
		if got := holds(t, "speaker", pairOf(nil, nil, c.a, c.b)); got != c.want {
			t.Errorf("%+v and %+v: %v", c.a, c.b, got)
		}
	}
}

// TestModifierMismatch: numbers differ where both mentions have some before the same head, and none is a pronoun.
func TestModifierMismatch(t *testing.T) {
	words := []string{"two", "dogs", "three", "dogs", "big", "dogs", "two", "cats", "second", "dogs"}
	tags := []string{"NUM", "NOUN", "NUM", "NOUN", "ADJ", "NOUN", "NUM", "NOUN", "ADJ", "NOUN"}
	at := func(start int32) mention.Mention {
		return mention.Mention{Span: mention.Span{Start: start, End: start + 2}, Head: start + 1, Type: mention.Nominal}
	}
	pronoun := func(m *mention.Mention) { m.Type = mention.Pronoun }
	for _, c := range []struct {
		a, b mention.Mention
		want bool
	}{{at(0), at(2), true}, {at(0), at(0), false}, {at(0), at(4), false}, {at(4), at(0), false}, {at(2), at(6), false},
		{at(0), at(8), true}, {over(at(0), pronoun), at(2), false}, {at(0), over(at(2), pronoun), false}} {
		if got := holds(t, "modifier_mismatch", pairOf(words, tags, c.a, c.b)); got != c.want {
			t.Errorf("%v and %v: %v", words[c.a.Start:c.a.End], words[c.b.Start:c.b.End], got)
		}
	}
}

// TestSameDefinite: both are definite, have one head and number, and the later one has no modifier of its own.
func TestSameDefinite(t *testing.T) {
	words := []string{"the", "old", "dog", "that", "dog", "the", "cat", "the", "big", "dog"}
	tags := []string{"DET", "ADJ", "NOUN", "DET", "NOUN", "DET", "NOUN", "DET", "ADJ", "NOUN"}
	at := func(start, end int32, d mention.Definiteness) mention.Mention {
		return mention.Mention{Span: mention.Span{Start: start, End: end}, Head: end - 1, Type: mention.Nominal,
			Number: mention.Singular, Definiteness: d}
	}
	old, that := at(0, 3, mention.Definite), at(3, 5, mention.Demonstrative)
	for _, c := range []struct {
		name string
		a, b mention.Mention
		want bool
	}{{"fewer modifiers", old, that, true}, {"more modifiers", that, old, false},
		{"other head", old, at(5, 7, mention.Definite), false}, {"other modifier", old, at(7, 10, mention.Definite), false},
		{"indefinite", old, at(3, 5, mention.Indefinite), false}, {"indefinite first", at(0, 3, mention.Indefinite), that,
			false},
		{"plural", old, over(that, func(m *mention.Mention) { m.Number = mention.Plural }), false},
		{"name", old, over(that, func(m *mention.Mention) { m.Type = mention.Name }), false}} {
		if got := holds(t, "same_definite", pairOf(words, tags, c.a, c.b)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestSameName: names have the same words, or one of two persons is called by the last word of the other.
func TestSameName(t *testing.T) {
	words := []string{"ann", "lee", "lee", "ann", "lee"}
	tags := []string{"PROPN", "PROPN", "PROPN", "PROPN", "PROPN"}
	at := func(start, end int32, a mention.Animacy) mention.Mention {
		return mention.Mention{Span: mention.Span{Start: start, End: end}, Head: end - 1, Type: mention.Name, Animacy: a}
	}
	common := func(m *mention.Mention) { m.Type = mention.Nominal }
	const person, thing = mention.Animate, mention.Inanimate
	for _, c := range []struct {
		name string
		a, b mention.Mention
		want bool
	}{{"same", at(0, 2, thing), at(3, 5, thing), true}, {"short second", at(0, 2, person), at(2, 3, person), true},
		{"short first", at(2, 3, person), at(3, 5, person), true}, {"first word", at(0, 2, person), at(3, 4, person), false},
		{"first is no person", at(0, 2, thing), at(2, 3, person), false},
		{"second is no person", at(0, 2, person), at(2, 3, thing), false},
		{"first is no name", over(at(0, 2, person), common), at(3, 5, person), false},
		{"second is no name", at(0, 2, person), over(at(3, 5, person), common), false}} {
		if got := holds(t, "same_name", pairOf(words, tags, c.a, c.b)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestSameSpan: six words are enough, five are not, and the words are the same.
func TestSameSpan(t *testing.T) {
	words := []string{"a", "b", "c", "d", "e", "f", "a", "b", "c", "d", "e", "f", "a", "b", "c", "d", "e", "g"}
	at := func(start, n int32) mention.Mention {
		return mention.Mention{Span: mention.Span{Start: start, End: start + n}}
	}
	for _, c := range []struct {
		a, b mention.Mention
		want bool
	}{{at(0, 6), at(6, 6), true}, {at(0, 5), at(6, 5), false}, {at(0, 6), at(12, 6), false}} {
		if got := holds(t, "same_span", pairOf(words, nil, c.a, c.b)); got != c.want {
			t.Errorf("%v and %v: %v", c.a.Span, c.b.Span, got)
		}
	}
}
