// Package confusion finds the places of a sentence where a writer may have erred, and what else could stand there.
//
// A candidate is such a place: a slot of tokens, the label of what was written, and options, each of which is an edit
// of the sentence with the label of what it puts there. A module of a corrector (article, noun number, …) has a finder
// of candidates and a fixed list of labels; what scores options knows nothing of how they were found.
//
// sentence.go reads documents, edit.go has edits and how gold ones are compared, apply.go makes edits in a text,
// article.go, preposition.go, noun.go, verb.go, comma.go and spelling.go have the finders, words.go the spelling of
// options.
package confusion

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

// Phrase is a base phrase: tokens [Start, End).
type Phrase struct {
	Start, End int
	Label      string
}

// Sentence is the tokens of a sentence with tags of the Penn Treebank and base phrases. Tags are "" where there are
// none.
type Sentence struct {
	Number  int // from 1, in its document
	Row     int // first token in the layer of tokens
	Forms   []string
	Lower   []string
	Tags    []string
	Phrases []Phrase
	phrase  []int32 // of each token, −1 for none
}

// Read returns the sentences of a document, with its tags and phrases where it has them.
func Read(d *text.Document) []*Sentence {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.Strs("form") == nil {
		return nil
	}
	var out []*Sentence
	forms, tags := toks.Strs("form"), toks.Strs("xpos")
	for s := range d.Sentences() {
		x := &Sentence{Number: s.Number, Row: s.From, Forms: forms[s.From:s.To]}
		if tags != nil {
			x.Tags = tags[s.From:s.To]
		} else {
			x.Tags = make([]string, s.To-s.From)
		}
		out = append(out, x)
	}
	if l := d.Layer(text.Chunks.Name); l != nil {
		at := 0
		for _, p := range l.Spans() {
			for at < len(out) && out[at].Number < int(p.Sent) {
				at++
			}
			if at < len(out) && out[at].Number == int(p.Sent) && int(p.Last) <= len(out[at].Forms) && p.First >= 1 {
				out[at].Phrases = append(out[at].Phrases, Phrase{int(p.First) - 1, int(p.Last), p.Label})
			}
		}
	}
	for _, x := range out {
		x.ready()
	}
	return out
}

// New makes a sentence of its parts; tags and phrases may be nil.
func New(forms, tags []string, phrases []Phrase) *Sentence {
	s := &Sentence{Number: 1, Forms: forms, Tags: tags, Phrases: phrases}
	if tags == nil {
		s.Tags = make([]string, len(forms))
	}
	s.ready()
	return s
}

func (s *Sentence) ready() {
	s.Lower = make([]string, len(s.Forms))
	for i, f := range s.Forms {
		s.Lower[i] = strings.ToLower(f)
	}
	s.phrase = make([]int32, len(s.Forms))
	for i := range s.phrase {
		s.phrase[i] = -1
	}
	for k, p := range s.Phrases {
		for i := p.Start; i < p.End; i++ {
			s.phrase[i] = int32(k)
		}
	}
}

// Phrase returns the base phrase that a token is in; one without a label is none.
func (s *Sentence) Phrase(i int) Phrase {
	if i < 0 || i >= len(s.phrase) || s.phrase[i] < 0 {
		return Phrase{Start: i, End: i + 1}
	}
	return s.Phrases[s.phrase[i]]
}

// Word is the token at a place in lower case, <s> before and </s> behind the sentence.
func (s *Sentence) Word(i int) string {
	switch {
	case i < 0:
		return "<s>"
	case i >= len(s.Lower):
		return "</s>"
	}
	return s.Lower[i]
}

// Tag is the tag at a place, <s> before and </s> behind the sentence.
func (s *Sentence) Tag(i int) string {
	switch {
	case i < 0:
		return "<s>"
	case i >= len(s.Tags):
		return "</s>"
	}
	return s.Tags[i]
}

// verbal, nominal and proper tell tags apart.
func verbal(tag string) bool  { return strings.HasPrefix(tag, "VB") }
func nominal(tag string) bool { return tag == "NN" || tag == "NNS" }
func proper(tag string) bool  { return strings.HasPrefix(tag, "NNP") }

// alphabetic tells whether a word has letters alone, of which two or more.
func alphabetic(w string) bool {
	return utf8.RuneCountInString(w) > 1 && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
}

var determiners = []string{"DT", "PRP$", "WDT", "POS", "CD", "PRP", "WP", "WP$", "EX", "PDT"}

// determined tells whether a phrase has a word that leaves no place for an article.
func (s *Sentence) determined(p Phrase) bool {
	for i := p.Start; i < p.End; i++ {
		if slices.Contains(determiners, s.Tags[i]) || quantifiers[s.Lower[i]] {
			return true
		}
	}
	return p.Start > 0 && s.Phrase(p.Start-1).Label != "" &&
		slices.Contains([]string{"DT", "PRP$", "POS", "WP$"}, s.Tags[p.Start-1])
}
