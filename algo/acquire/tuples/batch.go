package tuples

import (
	"strings"

	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// The tables of the store, each of rows (pattern, noun1, noun2, sentence).
const (
	ofTuples  = iota // pattern: template; noun2 is not used
	ofClauses        // pattern: two templates and a connective
	ofPaths          // pattern: path
	ofSurface        // pattern: words between
	tables
)

// row is one occurrence.
type row struct{ pattern, noun1, noun2, sentence uint32 }

// clauseForm is two templates and a connective, by their numbers.
type clauseForm struct{ first, second, conn uint32 }

// document is a document with its number of sentences.
type document struct {
	id        string
	sentences int
}

// words numbers what rows name.
type words struct {
	nouns     *cooccurrence.Texts
	templates *cooccurrence.Texts
	conns     *cooccurrence.Texts
	paths     *cooccurrence.Texts
	surface   *cooccurrence.Texts
	forms     []clauseForm
	formOf    map[clauseForm]uint32
	freq      []uint32 // occurrences of nouns in the text
}

func newWords() *words {
	return &words{nouns: cooccurrence.NewTexts(), templates: cooccurrence.NewTexts(), conns: cooccurrence.NewTexts(),
		paths: cooccurrence.NewTexts(), surface: cooccurrence.NewTexts(), formOf: map[clauseForm]uint32{}}
}

func (w *words) form(f clauseForm) uint32 {
	n, ok := w.formOf[f]
	if !ok {
		n = uint32(len(w.forms))
		w.formOf[f] = n
		w.forms = append(w.forms, f)
	}
	return n
}

func (w *words) noun(key string, times uint32) uint32 {
	n := w.nouns.Number(key)
	if int(n) == len(w.freq) {
		w.freq = append(w.freq, 0)
	}
	w.freq[n] += times
	return n
}

// batch is what some documents have, with numbers of its own.
type batch struct {
	*words
	rows   [tables][]row
	docs   []document
	tokens int
	odd    int // sentences whose dependencies are no tree
	bare   int // sentences without dependencies
}

// extract reads documents.
func (m *model) extract(docs []*text.Document) *batch {
	b := &batch{words: newWords()}
	s := &sentence{o: &m.opt.settings, g: grammars[m.opt.language]}
	first := 0
	for _, d := range docs {
		sentences := 0
		c, ok := columnsOf(d)
		for t := range treebank.Sentences(d) {
			sentences = t.Number
			if !ok || t.Len() == 0 {
				continue
			}
			b.tokens += t.Len()
			if d.Layer(text.Dependencies.Name) == nil || t.Bare() {
				b.bare++
			} else if !s.read(c, t) {
				b.odd++
			} else {
				b.take(s, uint32(first+t.Number-1))
			}
		}
		b.docs = append(b.docs, document{d.ID, sentences})
		first += sentences
	}
	return b
}

// take adds what a sentence has.
func (b *batch) take(s *sentence, at uint32) {
	s.findNouns()
	s.findPredicates()
	number := make([]uint32, len(s.nouns))
	for i, n := range s.nouns {
		if n != "" {
			number[i] = b.noun(n, 1)
		}
	}
	templates := make([][]uint32, len(s.preds))
	for k := range s.preds {
		p := &s.preds[k]
		for _, a := range p.args {
			t := b.templates.Number(templateKey(p.name, a.slot, p.negated, p.passive))
			templates[k] = append(templates[k], t)
			if s.o.names != "none" || s.wanted(a.at) {
				b.rows[ofTuples] = append(b.rows[ofTuples], row{t, number[a.at], 0, at})
			}
		}
	}
	if s.o.clauses {
		s.clausePairs(func(c clausePair) { b.clauses(s, c, templates, number, at) })
	}
	if s.o.maxPath > 1 {
		s.nounPairs(func(x, y int, path string) {
			b.rows[ofPaths] = append(b.rows[ofPaths], row{b.paths.Number(path), number[x], number[y], at})
		})
	}
	if s.o.surface != "none" {
		s.surfacePairs(func(x, y int, p string) {
			b.rows[ofSurface] = append(b.rows[ofSurface], row{b.surface.Number(p), number[x], number[y], at})
		})
	}
}

// clauses adds the pairs of arguments of two clauses.
func (b *batch) clauses(s *sentence, c clausePair, templates [][]uint32, number []uint32, at uint32) {
	conn := b.conns.Number(c.conn.word + "\t" + c.conn.kind())
	one, two := s.predAt[c.first.at]-1, s.predAt[c.second.at]-1
	for i, x := range c.first.args {
		for j, y := range c.second.args {
			if s.o.names == "none" && !(s.wanted(x.at) && s.wanted(y.at)) {
				continue
			}
			f := b.form(clauseForm{templates[one][i], templates[two][j], conn})
			b.rows[ofClauses] = append(b.rows[ofClauses], row{f, number[x.at], number[y.at], at})
		}
	}
}

// kind is what is stored of a connective besides its word.
func (c *connective) kind() string {
	s := "and"
	if c.but {
		s = "but"
	}
	if c.causal {
		s += "\tcausal"
	}
	return s
}

// templateKey is a template as a text that sorts by predicate, then slot.
func templateKey(predicate, slot string, negated, passive bool) string {
	flags := [2]byte{'0', '0'}
	if negated {
		flags[0] = '1'
	}
	if passive {
		flags[1] = '1'
	}
	return predicate + "\t" + slot + "\t" + string(flags[:])
}

// templateParts is the parts of such a text.
func templateParts(key string) (predicate, slot string, negated, passive bool) {
	f := strings.Split(key, "\t")
	return f[0], f[1], f[2][0] == '1', f[2][1] == '1'
}
