package paraphrase

import (
	"math"
	"slices"
	"strings"

	"parlance/algo/answer/sentences"
)

// Representations of a word.
const (
	surface = iota // in lower case
	base           // base form
	tag
	reps
)

// words are numbers of words; equal words have equal numbers in all representations.
type words struct {
	ids  map[string]uint32
	list []string
}

func (w *words) id(s string) uint32 {
	if id, ok := w.ids[s]; ok {
		return id
	}
	if w.ids == nil {
		w.ids = map[string]uint32{}
	}
	id := uint32(len(w.list))
	w.ids[s] = id
	w.list = append(w.list, s)
	return id
}

// definition is a sentence that defines a term.
type definition struct {
	doc    string
	number int
	text   string

	ids      [reps][]uint32
	keys     []uint32 // spellings in which variants are one
	heads    []int16  // -1 for the root
	content  []bool   // nouns, verbs, adjectives, adverbs
	names    []bool   // proper nouns, numbers, and what the layer entities has
	root     int
	vector   []weighted // content words by base form, rising
	norm     float64
	phrases  []phrase
	children [][]int16
}

// weighted is a word with how often it occurs.
type weighted struct {
	id uint32
	n  float64
}

// phrase is words [from, to) of a definition that are one piece of its tree.
type phrase struct {
	from, to, root int
	text           uint32 // number of its text
	context        surroundings
}

// demonstratives end no phrase and stand in none.
var demonstratives = map[string]bool{"this": true, "that": true, "these": true, "those": true}

// define makes a definition of a sentence of which words [from, to) are the term; nil without a tree.
func (g *gatherer) define(s *sentences.Sentence, from, to int, doc, text string, entities [][2]int32) *definition {
	if s.Root < 0 {
		return nil
	}
	n := len(s.Words)
	d := &definition{doc: doc, number: s.Number, text: text, keys: make([]uint32, n), heads: make([]int16, n),
		content: make([]bool, n), names: make([]bool, n), root: s.Root, children: make([][]int16, n)}
	counts := map[uint32]float64{}
	for r := range d.ids {
		d.ids[r] = make([]uint32, n)
	}
	for i := range s.Words {
		w := &s.Words[i]
		d.ids[surface][i], d.ids[base][i], d.ids[tag][i] = g.words.id(w.Lower), g.words.id(w.Base), g.words.id(w.Tag)
		d.keys[i], d.heads[i] = g.words.id(spelling(w.Lower)), int16(w.Head)
		if w.Head >= 0 {
			d.children[w.Head] = append(d.children[w.Head], int16(i))
		}
		if d.content[i] = w.Content(); d.content[i] {
			counts[d.ids[base][i]]++
		}
		d.names[i] = strings.HasPrefix(w.Tag, "NNP") || w.Tag == "PROPN" || w.Tag == "NR" ||
			sentences.IsNumber(w.Tag) ||
			strings.ContainsAny(w.Form, "0123456789")
		for _, e := range entities {
			d.names[i] = d.names[i] || w.Start >= e[0] && w.End <= e[1]
		}
	}
	for id, c := range counts {
		d.vector = append(d.vector, weighted{id, c})
		d.norm += c * c
	}
	d.norm = math.Sqrt(d.norm)
	slices.SortFunc(d.vector, func(a, b weighted) int { return int(a.id) - int(b.id) })
	d.find(g, s, from, to)
	return d
}

// spelling is a word without hyphens, and in American spelling by rules for endings.
func spelling(lower string) string {
	s := strings.NewReplacer("-", "", "‐", "", "'", "", "’", "").Replace(lower)
	if len(s) < 5 {
		return s
	}
	for _, x := range [][2]string{{"isation", "ization"}, {"ising", "izing"}, {"ised", "ized"}, {"ise", "ize"},
		{"yse", "yze"}, {"ours", "ors"}, {"oured", "ored"}, {"our", "or"}, {"tre", "ter"}, {"ogue", "og"}} {
		if b, ok := strings.CutSuffix(s, x[0]); ok && len(b) > 1 {
			return b + x[1]
		}
	}
	return s
}

// find lists the phrases: contiguous words of one piece of the tree with one relation or more, whose root is a
// predicate, without the term, marks and demonstratives (Yan et al. 2013, section 2.2; Hashimoto et al. 2011, section
// 2.2). They do not begin with a conjunction or a relative pronoun, and have no second, coordinated predicate.
func (d *definition) find(g *gatherer, s *sentences.Sentence, from, to int) {
	for i := range s.Words {
		if opening(&s.Words[i]) {
			continue
		}
		for end := i + 1; end <= min(len(s.Words), i+g.opt.longest); end++ {
			w := &s.Words[end-1]
			if end > from && i < to && to > from || mark(w) || demonstratives[w.Lower] && w.Tag != "IN" &&
				w.Tag != "WDT" {
				break
			}
			if end-i < 2 || w.Tag == "CC" || w.Tag == "CCONJ" {
				continue
			}
			if root, ok := piece(s, i, end); ok && predicate(s, root, i, end) && (!g.opt.leaves || nominal(s, i, end)) {
				d.phrases = append(d.phrases, phrase{from: i, to: end, root: root, text: g.words.id(join(s, i, end))})
			}
		}
	}
	for k := range d.phrases {
		d.phrases[k].context = d.contextOf(&d.phrases[k])
	}
}

// opening tells whether a word opens a clause: a conjunction or a relative pronoun.
func opening(w *sentences.Word) bool {
	switch w.Tag {
	case "CC", "CCONJ", "SCONJ", "WDT", "WP", "WP$", "WRB":
		return true
	}
	return w.Relation == "mark" && w.Lower != "to"
}

func mark(w *sentences.Word) bool {
	return !strings.ContainsFunc(w.Form, func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' ||
			r >= 'a' && r <= 'z' || r > 127
	})
}

// piece tells whether words [from, to) are connected without coordinated verbs, and which one the others hang on.
func piece(s *sentences.Sentence, from, to int) (root int, ok bool) {
	root = -1
	for i := from; i < to; i++ {
		if h := s.Words[i].Head; h < from || h >= to {
			if root >= 0 {
				return 0, false
			}
			root = i
		} else if s.Words[i].Relation == "conj" && sentences.IsVerb(s.Words[i].Tag) {
			return 0, false
		}
	}
	return root, root >= 0
}

// predicate tells whether a root is a verb, or has a copula inside the phrase.
func predicate(s *sentences.Sentence, root, from, to int) bool {
	if sentences.IsVerb(s.Words[root].Tag) {
		return true
	}
	for i := from; i < to; i++ {
		if s.Words[i].Head == root && s.Words[i].Relation == "cop" {
			return true
		}
	}
	return false
}

// nominal tells whether content words among words [from, to) on which no other content word hangs are nouns, adjectives
// or numbers.
func nominal(s *sentences.Sentence, from, to int) bool {
	for i := from; i < to; i++ {
		w := &s.Words[i]
		if !sentences.IsVerb(w.Tag) && !strings.HasPrefix(w.Tag, "RB") && w.Tag != "ADV" || !w.Content() {
			continue
		}
		leaf := true
		for k := from; k < to; k++ {
			leaf = leaf && (s.Words[k].Head != i || !s.Words[k].Content())
		}
		if leaf {
			return false
		}
	}
	return true
}

func join(s *sentences.Sentence, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		b.WriteString(s.Words[i].Lower)
	}
	return b.String()
}

// cosine is that of the content words of two definitions by base form.
func (d *definition) cosine(o *definition) float64 {
	sum, a, b := 0.0, d.vector, o.vector
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].id < b[0].id:
			a = a[1:]
		case a[0].id > b[0].id:
			b = b[1:]
		default:
			sum += a[0].n * b[0].n
			a, b = a[1:], b[1:]
		}
	}
	if sum == 0 {
		return 0
	}
	return sum / (d.norm * o.norm)
}
