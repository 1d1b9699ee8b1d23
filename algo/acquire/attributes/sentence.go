package attributes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/text"
)

// word is a token as the patterns see it.
type word struct {
	noun string // lemma, or the form without one, in lower case
	form string // in lower case
	tag  string // universal part of speech
	sent int32
	head int32  // place of the head in the document, -1 for none
	rel  string // relation to it, "" without a tree
}

// words reads the tokens of a document, with their trees where there are some. Where a token has no lemma, lemma makes
// one; nil takes the form.
func words(d *text.Document, lemma func(form, upos, xpos string) string) ([]word, bool) {
	l := d.Layer(text.Tokens.Name)
	if l == nil || l.N == 0 {
		return nil, false
	}
	forms, lemmas, tags, sents, toks := l.Strs("form"), l.Strs("lemma"), l.Strs("upos"), l.Ints("sent"), l.Ints("tok")
	out := make([]word, l.N)
	at := map[[2]int32]int32{}
	for i := range out {
		w := word{form: strings.ToLower(forms[i]), sent: sents[i], head: -1}
		if tags != nil {
			w.tag = tags[i]
		}
		switch w.noun = w.form; {
		case lemmas != nil && lemmas[i] != "":
			w.noun = strings.ToLower(lemmas[i])
		case lemma != nil:
			w.noun = strings.ToLower(lemma(w.form, w.tag, ""))
		}
		out[i], at[[2]int32{sents[i], toks[i]}] = w, int32(i)
	}
	trees := d.Layer(text.Dependencies.Name)
	if trees == nil || trees.N == 0 {
		return out, false
	}
	s, k, h, rel := trees.Ints("sent"), trees.Ints("tok"), trees.Ints("head"), trees.Strs("deprel")
	for i := range trees.N {
		if w, ok := at[[2]int32{s[i], k[i]}]; ok {
			if rel != nil {
				out[w].rel = rel[i]
			}
			if p, ok := at[[2]int32{s[i], h[i]}]; ok {
				out[w].head = p
			}
		}
	}
	return out, true
}

// isNoun reports whether a token may be a candidate or the word of a class: common, proper and unknown nouns.
func (w *word) isNoun() bool {
	if w.tag != "NOUN" && w.tag != "PROPN" && w.tag != "X" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(w.noun)
	return unicode.IsLetter(r)
}

// ends reports whether a noun phrase can end before a token: no noun, possessive mark or hyphen goes on with it.
func ends(ws []word, i int, sent int32) bool {
	if i >= len(ws) || ws[i].sent != sent {
		return true
	}
	w := &ws[i]
	return w.tag != "NOUN" && w.tag != "PROPN" && w.tag != "X" && !possessive(w) && w.form != "-" && w.form != "–"
}

func possessive(w *word) bool {
	return w.form == "'s" || w.form == "’s" || w.form == "'" || w.form == "’"
}

// genitive is a pair A of C, by the places of their tokens; C has n words.
type genitive struct {
	attribute int
	class     int // of the first word
	compound  bool
}

// surface finds, without a tree, "A of [determiner] adjective* C" and "C's adjective* A", and with the option the
// compound "C A", where A and the phrase end. length tells how many words the name of a class at a place has, 0 for
// none.
func surface(ws []word, length func(i int) int, compound bool, yield func(genitive)) {
	for i := range ws {
		n := length(i)
		if n == 0 {
			continue
		}
		sent, end := ws[i].sent, i+n
		if ends(ws, end, sent) {
			k := i - 1
			for k >= 0 && ws[k].sent == sent && ws[k].tag == "ADJ" {
				k--
			}
			if k >= 0 && ws[k].sent == sent && (ws[k].tag == "DET" || ws[k].tag == "PRON") {
				k--
			}
			if k >= 1 && ws[k].sent == sent && ws[k].form == "of" && ws[k-1].sent == sent && ws[k-1].isNoun() {
				yield(genitive{attribute: k - 1, class: i})
			}
		}
		owned := end < len(ws) && ws[end].sent == sent && possessive(&ws[end])
		if !owned && !compound {
			continue
		}
		k := end
		if owned {
			for k++; k < len(ws) && ws[k].sent == sent && ws[k].tag == "ADJ"; k++ {
			}
		}
		if k < len(ws) && ws[k].sent == sent && ws[k].isNoun() && ends(ws, k+1, sent) {
			yield(genitive{attribute: k, class: i, compound: !owned})
		}
	}
}

// relations of trees that make C a genitive of A.
func governs(ws []word, ofCase map[int32]bool, i int) bool {
	switch ws[i].rel {
	case "nmod:poss", "nmod:of":
		return true
	case "nmod":
		return ofCase[int32(i)]
	}
	return false
}

// trees finds the pairs by dependencies: C is a possessive of A, or a modifier of it with "of".
func trees(ws []word, length func(i int) int, compound bool, yield func(genitive)) {
	ofCase := map[int32]bool{}
	for i := range ws {
		if ws[i].rel == "case" && ws[i].form == "of" && ws[i].head >= 0 {
			ofCase[ws[i].head] = true
		}
	}
	for i := range ws {
		n := length(i)
		if n == 0 {
			continue
		}
		for c := i; c < i+n; c++ { // the head of the name is the word whose head lies outside
			a := ws[c].head
			if a < 0 || int(a) >= i && int(a) < i+n || !ws[a].isNoun() {
				continue
			}
			if together := ws[c].rel == "compound"; governs(ws, ofCase, c) || compound && together {
				yield(genitive{attribute: int(a), class: i, compound: together})
			}
		}
	}
}

// between is the texts that stand alone between two tags, of at most n characters, as nouns: a text of one token
// counts by its lemma. A colon behind it, as names of fields have, is no part of it.
func between(d *text.Document, ws []word, longest int) []string {
	l := d.Layer(text.Segments.Name)
	if l == nil || l.N == 0 {
		return nil
	}
	toks := d.Layer(text.Tokens.Name)
	start, end := toks.Ints("char_start"), toks.Ints("char_end")
	first := map[int32]int{}
	for i, s := range start {
		first[s] = i
	}
	var out []string
	from, to := l.Ints("char_start"), l.Ints("char_end")
	for i := range from {
		shown := strings.TrimRight(d.Text[from[i]:to[i]], ": \n")
		s := strings.ToLower(strings.Join(strings.Fields(shown), " "))
		if s == "" || utf8.RuneCountInString(s) > longest {
			continue
		}
		if k, ok := first[from[i]]; ok && end[k] == from[i]+int32(len(shown)) {
			s = ws[k].noun
		}
		out = append(out, s)
	}
	return out
}
