package tuples

import (
	"iter"
	"strings"

	"parlance/algo/acquire/template"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// Reader reads parsed sentences as a store does, for kinds that look for its nouns and paths in text. It belongs to one
// goroutine.
type Reader struct {
	o settings
	s Sentence
}

// ReaderOptions are the options of a store that say what a noun and a path is.
type ReaderOptions struct {
	Language, Noun string
	Names          bool // names are nouns too
	MaxPath        int  // words of the longest path, with both nouns
}

// Declare declares the options with their defaults.
func (o *ReaderOptions) Declare(s *option.Set) {
	s.Choice(&o.Language, "language", "en", languages, "tables of slots, as of the store")
	s.Choice(&o.Noun, "noun", "head", []string{"head", "np"},
		"what a noun is, as of the store: the lemma of the head, or with the words that are compounded with it")
	s.Bool(&o.Names, "names", false, "names are nouns too; a store counts their paths with names = all")
	s.Int(&o.MaxPath, "max_path", 6, 2, 15, "words of the longest path, with both nouns, as of the store")
}

// NewReader returns a reader.
func NewReader(o ReaderOptions) *Reader {
	names := "none"
	if o.Names {
		names = "all"
	}
	r := &Reader{o: settings{language: o.Language, noun: o.Noun, names: names, maxPath: o.MaxPath}}
	r.s.s = sentence{o: &r.o, g: grammars[o.Language]}
	return r
}

// Sentence is a parsed sentence; tokens are counted from 1. It is valid until the next one is read.
type Sentence struct {
	s      sentence
	Number int   // in the document, from 1
	From   int   // row of its first token in the layer of tokens
	Nouns  []int // tokens that are nouns, by the options, rising
}

// Sentences yields the sentences of a document that have a tree.
func (r *Reader) Sentences(d *text.Document) iter.Seq[*Sentence] {
	return func(yield func(*Sentence) bool) {
		c, ok := columnsOf(d)
		if !ok || d.Layer(text.Dependencies.Name) == nil {
			return
		}
		for t := range treebank.Sentences(d) {
			s := &r.s.s
			if t.Len() == 0 || t.Bare() || !s.read(c, t) {
				continue
			}
			s.findNouns()
			s.findPredicates()
			r.s.Number, r.s.From, r.s.Nouns = t.Number, t.From, r.s.Nouns[:0]
			for i, n := range s.nouns {
				if n != "" && s.wanted(i) && (r.o.noun == "head" || s.tok[i].rel != "compound") {
					r.s.Nouns = append(r.s.Nouns, i)
				}
			}
			if !yield(&r.s) {
				return
			}
		}
	}
}

// Len is the number of tokens.
func (p *Sentence) Len() int { return len(p.s.tok) - 1 }

// Noun is a noun as the store writes it.
func (p *Sentence) Noun(i int) string { return strings.TrimSuffix(p.s.nouns[i], name) }

// Lemma is the lemma of a token.
func (p *Sentence) Lemma(i int) string { return p.s.tok[i].lemma }

// Tags are the universal and the finer part of speech of a token.
func (p *Sentence) Tags(i int) (upos, xpos string) { return p.s.tok[i].upos, p.s.tok[i].xpos }

// Path is the path from a token up and down to another one, "" where it is too long.
func (p *Sentence) Path(x, y int) string {
	if x > y {
		if back := p.Path(y, x); back != "" {
			return template.Mirror(back)
		}
		return ""
	}
	return p.s.path(x, y, p.s.chain(x), p.s.chain(y))
}

// Branch yields the partial paths from a noun up to words above it, nearer ones first: as X, "X <nsubj cause", or
// else as Y, "cause >obj Y". heads says which words may be the end, nil for all.
func (p *Sentence) Branch(i int, asX bool, heads map[string]bool, yield func(string)) {
	s := &p.s
	chain := s.chain(i)
	var b strings.Builder
	for k := 1; k < len(chain); k++ {
		b.Reset()
		s.node(&b, chain[k], 0)
		if head := b.String(); heads != nil && !heads[head] {
			continue
		}
		b.Reset()
		if asX {
			b.WriteByte('X')
			for j := 1; j <= k; j++ {
				b.WriteString(s.edge(chain[j-1], chain[j], true))
				s.node(&b, chain[j], 0)
			}
		} else {
			s.node(&b, chain[k], 0)
			for j := k - 1; j >= 0; j-- {
				b.WriteString(s.edge(chain[j], chain[j+1], false))
				if j == 0 {
					b.WriteByte('Y')
				} else {
					s.node(&b, chain[j], 0)
				}
			}
		}
		yield(b.String())
	}
}
