package tuples

import (
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// columns are the token columns of a document; what it lacks is nil.
type columns struct{ form, lemma, upos, xpos, feats []string }

func columnsOf(d *text.Document) (c columns, ok bool) {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.Strs("form") == nil || toks.Strs("upos") == nil {
		return c, false
	}
	return columns{toks.Strs("form"), toks.Strs("lemma"), toks.Strs("upos"), toks.Strs("xpos"), toks.Strs("feats")},
		true
}

// token is a token of a sentence.
type token struct {
	form, lemma, upos, xpos, feats string
	rel                            string
	head                           int
	children                       []int
}

// predicate is a verb with its arguments.
type predicate struct {
	at               int
	name             string
	negated, passive bool
	args             []argument
}

// argument is a noun in a slot.
type argument struct {
	at   int // token
	slot string
}

// sentence is a tree, tokens from 1, with what is read from it.
type sentence struct {
	o      *settings
	g      *grammar
	tok    []token
	nouns  []string // of each token its noun as a key of the vocabulary, "" for others
	preds  []predicate
	predAt []int // of each token its predicate + 1
}

// read takes the tokens of a sentence, false where some hang on nothing or in a circle.
func (s *sentence) read(c columns, t *treebank.Sentence) bool {
	n := t.Len()
	if n == 0 || n > maxTokens {
		return false
	}
	for len(s.tok) <= n {
		s.tok = append(s.tok, token{})
	}
	s.tok = s.tok[:n+1]
	for i := range s.tok {
		s.tok[i].children = s.tok[i].children[:0]
	}
	for i := 1; i <= n; i++ {
		k, w := t.From+i-1, &s.tok[i]
		w.form, w.upos, w.xpos, w.feats, w.lemma = c.form[k], c.upos[k], "", "", ""
		if c.xpos != nil {
			w.xpos = c.xpos[k]
		}
		if c.feats != nil {
			w.feats = c.feats[k]
		}
		if c.lemma != nil {
			w.lemma = c.lemma[k]
		}
		w.head, w.rel = int(t.Heads[i]), t.Labels[i]
		if w.head < 0 || w.head > n || w.head == i {
			return false
		}
		w.lemma = s.lemma(w)
		s.tok[w.head].children = append(s.tok[w.head].children, i)
	}
	return s.sound()
}

// maxTokens bounds sentences, whose pairs grow with the square.
const maxTokens = 250

// sound tells whether every token leads to the root.
func (s *sentence) sound() bool {
	for i := 1; i < len(s.tok); i++ {
		k, steps := i, 0
		for k != 0 {
			if k = s.tok[k].head; steps > len(s.tok) {
				return false
			}
			steps++
		}
	}
	return true
}

func (s *sentence) lemma(w *token) string {
	switch {
	case w.lemma != "" && w.lemma != "_" && w.upos == "PROPN":
		return w.lemma
	case w.lemma != "" && w.lemma != "_":
		return strings.ToLower(w.lemma)
	case s.o.language == "en":
		return englishLemma(w.form, w.upos, w.xpos)
	}
	return strings.ToLower(w.form)
}

// child returns the first child with a relation, subtypes too, 0 if there is none.
func (s *sentence) child(i int, relations ...string) int {
	for _, c := range s.tok[i].children {
		rel := s.tok[c].rel
		main, _, _ := strings.Cut(rel, ":")
		if slices.Contains(relations, rel) || slices.Contains(relations, main) {
			return c
		}
	}
	return 0
}

// marker joins the words of the case markers of a token, "" where it has none.
func (s *sentence) marker(i int, relation string) string {
	var b strings.Builder
	for _, c := range s.tok[i].children {
		if main, _, _ := strings.Cut(s.tok[c].rel, ":"); main != relation {
			continue
		}
		if s.g == grammars["ja"] && b.Len() > 0 {
			b.WriteString(s.tok[c].form)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(s.tok[c].form))
		for _, f := range s.tok[c].children { // because of, in order to
			if s.tok[f].rel == "fixed" {
				b.WriteString("_" + strings.ToLower(s.tok[f].form))
			}
		}
	}
	return b.String()
}

// name is what is put after the key of a name, so that it is another word than a common noun that is spelt alike.
const name = "\x00"

// findNouns names the nouns of the sentence.
func (s *sentence) findNouns() {
	s.nouns = s.nouns[:0]
	for i := range s.tok {
		s.nouns = append(s.nouns, "")
		w := &s.tok[i]
		if i == 0 || w.upos != "NOUN" && w.upos != "PROPN" || !letters(w.form) || w.rel == "flat" ||
			w.rel == "goeswith" {
			continue
		}
		mark := ""
		if w.upos == "PROPN" {
			mark = name
		}
		s.nouns[i] = s.phrase(i) + mark
	}
}

func letters(form string) bool {
	n := 0
	for _, r := range form {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 {
			n++
		}
	}
	return n > 1 || n == 1 && len(form) > 1 && form[0] > 127
}

// phrase is the lemma of a noun, with noun = np after those of the words that are compounded with it and stand before
// it without a gap; of a name also with the words that follow.
func (s *sentence) phrase(i int) string {
	from, to := i, i
	inside := func(k int, relations ...string) bool {
		return s.tok[k].head == i && slices.Contains(relations, s.tok[k].rel)
	}
	if s.o.noun == "np" {
		for from > 1 && inside(from-1, "compound", "nn") {
			from--
		}
	}
	if s.o.noun == "np" || s.tok[i].upos == "PROPN" {
		for to+1 < len(s.tok) && inside(to+1, "flat", "flat:name", "goeswith") {
			to++
		}
	}
	if from == to {
		return s.tok[i].lemma
	}
	words := make([]string, 0, to-from+1)
	for k := from; k <= to; k++ {
		words = append(words, s.tok[k].lemma)
	}
	return strings.Join(words, " ")
}
