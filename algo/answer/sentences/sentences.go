// Package sentences reads sentences as the kinds of definitions and paraphrases see them: words with base forms, tags
// and heads, noun phrases, and the layer of definitions that one of them writes and the other reads.
package sentences

import (
	"iter"
	"slices"
	"strings"

	"parlance/algo/correct/inflect"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
	"parlance/storage/value"
)

// Definitions is the layer of sentences that define a term.
var Definitions = &text.LayerDef{Name: "definitions", Doc: "sentences that define a term, with the term",
	Columns: []text.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence, 1-based within the document"},
		{Name: "char_start", Type: value.Integer, Role: text.Offset, Doc: "first code point of the sentence, 0-based"},
		{Name: "char_end", Type: value.Integer, Role: text.Offset, Doc: "code point after its last"},
		{Name: "term", Type: value.Text, Doc: "what is defined, in lower case and without an article"},
		{Name: "form_start", Type: value.Integer, Role: text.Offset, Doc: "first code point of the term, 0-based"},
		{Name: "form_end", Type: value.Integer, Role: text.Offset, Doc: "code point after its last"},
		{Name: "form", Type: value.Text, Role: text.Slice, From: "form", Doc: "the term as it is written"},
		{Name: "score", Type: value.Float, Doc: "signed distance from the border of the classifier, above 0"},
		{Name: "sentence", Type: value.Text, Role: text.Slice, From: "char", Doc: "the text of the sentence"},
	}}

// Values of the option tags.
const (
	Penn      = "xpos"
	Universal = "upos"
)

// DeclareTags declares the option tags.
func DeclareTags(s *option.Set, p *string) {
	s.Choice(p, "tags", Penn, []string{Penn, Universal}, "the column of tokens with the parts of speech that are "+
		"read; "+
		"noun phrases and predicates are found by those of the Penn Treebank, the Chinese Treebank or Universal "+
		"Dependencies")
}

// Reads is what a Reader reads, dependencies as they are needed.
func Reads(tags string, trees bool) []kind.LayerUse {
	return []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", tags}},
		{Layer: text.Tokens.Name, Columns: []string{"lemma"}, Optional: true},
		{Layer: text.Chunks.Name, Optional: true},
		{Layer: text.Dependencies.Name, Optional: !trees}}
}

// Longest is the greatest number of words of a sentence that is read; longer ones are left out, for they are lists.
const Longest = 200

// Word is a word of a sentence.
type Word struct {
	Form, Lower, Base, Tag string
	Relation               string // to the head
	Head                   int    // word, from 0; -1 for the root, and where there is no tree
	Start, End             int32  // bytes of the text
}

// Sentence is a sentence of a document.
type Sentence struct {
	Number int // in the document, from 1
	Words  []Word
	Root   int      // word, -1 where there is no sound tree
	Bases  [][2]int // base noun phrases, words [from, to), in order
}

// Reader reads documents. It serves one goroutine.
type Reader struct {
	Tags  string // column of tokens
	bases map[[2]string]string
}

// Sentences yields the sentences of a document with words, in order.
func (r *Reader) Sentences(d *text.Document) iter.Seq[*Sentence] {
	return func(yield func(*Sentence) bool) {
		c := columnsOf(d, r.Tags)
		if c == nil {
			return
		}
		for t := range treebank.Sentences(d) {
			if n := t.Len(); n == 0 || n > Longest {
				continue
			}
			if !yield(r.read(c, t)) {
				return
			}
		}
	}
}

// Whole is a document as one sentence, nil where it has no words or too many: its root is that of the first sentence
// with a tree, and words of the others that have no head hang on it.
func (r *Reader) Whole(d *text.Document) *Sentence {
	var all *Sentence
	for s := range r.Sentences(d) {
		if all == nil {
			all = s
			continue
		}
		n := len(all.Words)
		for _, w := range s.Words {
			switch {
			case w.Head >= 0:
				w.Head += n
			case all.Root >= 0 && s.Root >= 0:
				w.Head = all.Root
			}
			all.Words = append(all.Words, w)
		}
		if s.Root < 0 {
			all.Root = -1
		}
		if len(all.Words) > Longest {
			return nil
		}
		for _, b := range s.Bases {
			all.Bases = append(all.Bases, [2]int{b[0] + n, b[1] + n})
		}
	}
	return all
}

// columns are what is read of the tokens and chunks of a document.
type columns struct {
	form, tag, lemma []string
	start, end       []int32
	chunks           map[int32][][2]int // by sentence, NULL where the document has none
}

func columnsOf(d *text.Document, tags string) *columns {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.N == 0 || toks.Strs("form") == nil {
		return nil
	}
	c := &columns{form: toks.Strs("form"), tag: toks.Strs(tags), lemma: toks.Strs("lemma"),
		start: toks.Ints("char_start"),
		end:   toks.Ints("char_end")}
	if l := d.Layer(text.Chunks.Name); l != nil && l.N > 0 {
		c.chunks = map[int32][][2]int{}
		for _, s := range l.Spans() {
			if s.Label == "NP" {
				c.chunks[s.Sent] = append(c.chunks[s.Sent], [2]int{int(s.First) - 1, int(s.Last)})
			}
		}
	}
	return c
}

func (r *Reader) read(c *columns, t *treebank.Sentence) *Sentence {
	n := t.Len()
	s := &Sentence{Number: t.Number, Words: make([]Word, n), Root: -1}
	for i := range s.Words {
		k, w := t.From+i, &s.Words[i]
		w.Form, w.Lower, w.Head = c.form[k], strings.ToLower(c.form[k]), -1
		if c.start != nil && c.end != nil {
			w.Start, w.End = c.start[k], c.end[k]
		}
		if c.tag != nil {
			w.Tag = c.tag[k]
		}
		if c.lemma != nil {
			w.Base = strings.ToLower(c.lemma[k])
		}
		if w.Base == "" || w.Base == "_" {
			w.Base = r.base(w.Lower, w.Tag)
		}
	}
	s.tree(t)
	if c.chunks != nil {
		s.Bases = c.chunks[int32(t.Number)]
	} else {
		s.Bases = basePhrases(s.Words)
	}
	return s
}

// tree takes the heads over if every word leads to one root.
func (s *Sentence) tree(t *treebank.Sentence) {
	root := -1
	for i := range s.Words {
		h := int(t.Heads[i+1])
		switch {
		case h < 0 || h > len(s.Words):
			return
		case h == 0 && root < 0:
			root = i
		}
	}
	if root < 0 {
		return
	}
	for i := range s.Words {
		w := &s.Words[i]
		if w.Relation = t.Labels[i+1]; i != root {
			if w.Head = int(t.Heads[i+1]) - 1; w.Head < 0 {
				w.Head = root // a second root
			}
		}
	}
	for i := range s.Words {
		k := i
		for range s.Words {
			if k == root {
				break
			}
			k = s.Words[k].Head
		}
		if k != root { // a circle
			for j := range s.Words {
				s.Words[j].Head = -1
			}
			return
		}
	}
	s.Root = root
}

// base is the base form of an English word; of a word of another language, whose tag or ending says nothing, the word
// in lower case.
func (r *Reader) base(lower, tag string) string {
	verb, plural := IsVerb(tag), tag == "NNS" || tag == "NOUN" && strings.HasSuffix(lower, "s")
	if !verb && !plural {
		return lower
	}
	if b, ok := r.bases[[2]string{lower, tag}]; ok {
		return b
	}
	b := lower
	if plural {
		b = inflect.Singular(lower)
	} else if list := inflect.Verb(lower, nil); len(list) > 0 {
		b = list[0].Base
	}
	if r.bases == nil {
		r.bases = map[[2]string]string{}
	}
	r.bases[[2]string{lower, tag}] = b
	return b
}

// IsVerb tells by a tag whether a word is a verb, an auxiliary too.
func IsVerb(tag string) bool { return strings.HasPrefix(tag, "V") || tag == "AUX" }

// IsNoun tells by a tag whether a word is a noun or name.
func IsNoun(tag string) bool { return strings.HasPrefix(tag, "N") && tag != "NUM" || tag == "PROPN" }

// IsNumber tells by a tag whether a word is a number.
func IsNumber(tag string) bool { return tag == "CD" || tag == "NUM" }

// auxiliaries are verbs that are no content words where they help others.
var auxiliaries = []string{"be", "have", "do"}

// Content tells whether a word is a content word: a noun, verb, adjective or adverb, but for be, have and do.
func (w *Word) Content() bool {
	switch {
	case IsVerb(w.Tag):
		return w.Tag != "AUX" && !slices.Contains(auxiliaries, w.Base)
	case strings.HasPrefix(w.Tag, "JJ"), strings.HasPrefix(w.Tag, "RB"), w.Tag == "ADJ", w.Tag == "ADV", w.Tag == "AD",
		w.Tag == "JJ":
		return true
	}
	return IsNoun(w.Tag)
}

// article tells whether a word is an article.
func article(lower string) bool { return lower == "the" || lower == "a" || lower == "an" }

// modifier tells whether a word may stand in a base noun phrase before its last noun.
func modifier(w *Word) bool {
	switch w.Tag {
	case "DT", "DET", "PRP$", "PDT", "POS", "JJ", "JJR", "JJS", "ADJ", "CD", "NUM", "FW", "AFX", "HYPH", "VBN",
		"VBG", "M", "OD":
		return true
	}
	return IsNoun(w.Tag)
}

// basePhrases finds base noun phrases by tags: determiners, adjectives, numbers, participles and nouns up to the last
// noun.
func basePhrases(words []Word) (out [][2]int) {
	for i := 0; i < len(words); {
		if !modifier(&words[i]) || words[i].Tag == "POS" {
			i++
			continue
		}
		end, last := i, -1
		for ; end < len(words) && modifier(&words[end]); end++ {
			if IsNoun(words[end].Tag) {
				last = end
			}
		}
		// A participle begins no phrase: it is rather that of a verb before it.
		for i < last && (words[i].Tag == "VBN" || words[i].Tag == "VBG") {
			i++
		}
		if last >= 0 {
			out = append(out, [2]int{i, last + 1})
		}
		i = end
	}
	return out
}

// NounPhrases are the longest noun phrases: base noun phrases of which those that "of" or "for" joins are one. Pronouns
// alone are left out.
func (s *Sentence) NounPhrases() (out [][2]int) {
	for k, b := range s.Bases {
		if b[0] < 0 || b[1] > len(s.Words) || b[0] >= b[1] {
			continue
		}
		if n := len(out); n > 0 && k > 0 && b[0] == out[n-1][1]+1 {
			if w := s.Words[b[0]-1].Lower; w == "of" || w == "for" {
				out[n-1][1] = b[1]
				continue
			}
		}
		out = append(out, b)
	}
	return slices.DeleteFunc(out, func(b [2]int) bool {
		return !slices.ContainsFunc(s.Words[b[0]:b[1]], func(w Word) bool { return IsNoun(w.Tag) || w.Tag == "" })
	})
}

// Term is a phrase as a term: in lower case, without an article before it, words apart by a blank.
func (s *Sentence) Term(from, to int) string {
	from = s.Bare(from, to)
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from && (s.Words[i].Start > s.Words[i-1].End || s.Words[i].End == 0) {
			b.WriteByte(' ')
		}
		b.WriteString(s.Words[i].Lower)
	}
	return b.String()
}

// Bare is the first word of a phrase behind an article.
func (s *Sentence) Bare(from, to int) int {
	if from+1 < to && article(s.Words[from].Lower) {
		return from + 1
	}
	return from
}
