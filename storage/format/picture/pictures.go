package picture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/draw"
)

// picture names a way to draw a layer.
type picture int

const (
	asTable picture = iota
	asMarks
	asArcs
	asTree
	asRelations
	asBadges
	asLinks
)

// pictureOf returns how rows of the layer are drawn.
func pictureOf(def *text.LayerDef) picture {
	switch {
	case def == text.Labels:
		return asBadges
	case def == text.Dependencies:
		return asArcs
	case def == text.Constituents:
		return asTree
	case def == text.Alignments:
		return asLinks
	case def == text.Relations:
		return asRelations
	case def.Spans || def == text.Mentions || def == text.Roles || def == text.Edits:
		return asMarks
	}
	return asTable
}

// palettes are the colours of one file. A label has the same colour in every file; clusters are local to a document, so
// their colours go round.
type palettes struct{ labels, clusters *draw.Palette }

func newPalettes() palettes {
	return palettes{draw.NewPalette(""), draw.NewOrdered("m")}
}

const clusterColours = 24

// chooser says which layers of a document are drawn, and remembers which there were.
type chooser struct {
	names []string
	seen  map[string]bool
}

// choose returns the layers to draw, in the order of the option or else of the reference.
func (c *chooser) choose(d *text.Document, ok func(picture) bool) []*text.Layer {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	for _, l := range d.Layers {
		c.seen[l.Name] = true
	}
	var out []*text.Layer
	if len(c.names) > 0 {
		for _, n := range c.names {
			if l := d.Layer(n); l != nil {
				out = append(out, l)
			}
		}
		return out
	}
	for _, l := range d.Layers {
		if l.N > 0 && ok(pictureOf(l.Def)) {
			out = append(out, l)
		}
	}
	order := func(l *text.Layer) int {
		if i := slices.Index(text.Builtin, l.Def); i >= 0 {
			return i
		}
		return len(text.Builtin)
	}
	slices.SortStableFunc(out, func(a, b *text.Layer) int { return order(a) - order(b) })
	return out
}

// check refuses a chosen layer that neither the database nor a document knows.
func (c *chooser) check() error {
	for _, n := range c.names {
		if text.Builtins(n) == nil && !c.seen[n] {
			names := make([]string, 0, len(c.seen))
			for s := range c.seen {
				names = append(names, s)
			}
			slices.Sort(names)
			all := slices.Clone(names)
			for _, d := range text.Builtin {
				all = append(all, d.Name)
			}
			return fmt.Errorf("layers: no document has a layer %q%s; there are: %s", n, option.DidYouMean(n, all),
				strings.Join(names, ", "))
		}
	}
	return nil
}

func intAt(v []int32, i int, missing int) int {
	if i >= len(v) {
		return missing
	}
	return int(v[i])
}

func strAt(v []string, i int) string {
	if i >= len(v) {
		return ""
	}
	return v[i]
}

// stretch is a part of a document with its words: a sentence.
type stretch struct {
	sent       int
	words      []draw.Word
	start, end []int // bytes of each word
}

// sentencesOfTokens returns the words of every sentence by its number.
func sentencesOfTokens(d *text.Document) map[int]*stretch {
	out := map[int]*stretch{}
	toks := d.Layer("tokens")
	if toks == nil {
		return out
	}
	sent, start, end := toks.Ints("sent"), toks.Ints("char_start"), toks.Ints("char_end")
	forms, upos, xpos := toks.Strs("form"), toks.Strs("upos"), toks.Strs("xpos")
	for i := range toks.N {
		n := intAt(sent, i, 1)
		s := out[n]
		if s == nil {
			s = &stretch{sent: n}
			out[n] = s
		}
		a, z := intAt(start, i, 0), intAt(end, i, 0)
		w := draw.Word{Form: strAt(forms, i), Tag: strAt(upos, i)}
		if w.Form == "" && a >= 0 && a <= z && z <= len(d.Text) {
			w.Form = d.Text[a:z]
		}
		if w.Tag == "" {
			w.Tag = strAt(xpos, i)
		}
		s.words, s.start, s.end = append(s.words, w), append(s.start, a), append(s.end, z)
	}
	return out
}

// bySentence calls with the rows of a layer, those of a sentence together.
func bySentence(l *text.Layer, each func(sent int, rows []int)) {
	sents := l.Ints("sent")
	for i := 0; i < l.N; {
		rows := []int{i}
		n := intAt(sents, i, 1)
		for i++; i < l.N && intAt(sents, i, 1) == n; i++ {
			rows = append(rows, i)
		}
		each(n, rows)
	}
}

// sentenceFigure is a picture of a sentence.
type sentenceFigure struct {
	sent int
	draw.Figure
}

// arcFigures draws dependencies, a figure a sentence.
func arcFigures(d *text.Document, l *text.Layer) (out []sentenceFigure, err error) {
	err = eachArcs(d, l, func(sent int, words []draw.Word, list []draw.Arc) {
		out = append(out, sentenceFigure{sent, draw.Arcs(words, list)})
	})
	return out, err
}

// eachArcs calls with the words and arcs of each sentence. Words without tokens are their numbers.
func eachArcs(d *text.Document, l *text.Layer, each func(sent int, words []draw.Word, list []draw.Arc)) (err error) {
	sentences := sentencesOfTokens(d)
	tok, head, rel := l.Ints("tok"), l.Ints("head"), l.Strs("deprel")
	bySentence(l, func(sent int, rows []int) {
		var words []draw.Word
		if s := sentences[sent]; s != nil {
			words = s.words
		} else {
			for i := range rows {
				words = append(words, draw.Word{Form: strconv.Itoa(i + 1)})
			}
		}
		var list []draw.Arc
		for _, i := range rows {
			t := intAt(tok, i, 0)
			if t < 1 || t > len(words) {
				err = fmt.Errorf("document %s: row %d of %s names no token of sentence %d", d.ID, i+1, l.Name, sent)
				return
			}
			if h := intAt(head, i, -1); h >= 0 {
				list = append(list, draw.Arc{Head: h - 1, Dep: t - 1, Label: strAt(rel, i)})
			}
		}
		each(sent, words, list)
	})
	return err
}

// treeFigures draws constituents, a figure a sentence.
func treeFigures(d *text.Document, l *text.Layer) (out []sentenceFigure) {
	eachTree(d, l, func(sent int, words []draw.Word, nodes []draw.Node) {
		out = append(out, sentenceFigure{sent, draw.Tree(words, nodes)})
	})
	return out
}

// eachTree calls with the words and phrases of each sentence.
func eachTree(d *text.Document, l *text.Layer, each func(sent int, words []draw.Word, nodes []draw.Node)) {
	sentences := sentencesOfTokens(d)
	bySentence(l, func(sent int, rows []int) {
		s := sentences[sent]
		if s == nil {
			s = wordsOf(d, l, rows)
		}
		number := map[int]int{}
		nodes := make([]draw.Node, len(rows))
		for k, i := range rows {
			number[intAt(l.Ints("node"), i, 0)] = k
			parent, ok := number[intAt(l.Ints("parent"), i, 0)]
			if !ok || parent == k {
				parent = -1
			}
			nodes[k] = draw.Node{Parent: parent, Label: strAt(l.Strs("label"), i)}
			nodes[k].First, nodes[k].Last = s.cover(l, i)
		}
		each(sent, s.words, nodes)
	})
}

// cover returns the words that a row covers, by tokens or else by offsets.
func (s *stretch) cover(l *text.Layer, i int) (first, last int) {
	a, z := intAt(l.Ints("tok_start"), i, 0), intAt(l.Ints("tok_end"), i, 0)
	if a >= 1 && z >= a && z <= len(s.words) {
		return a - 1, z - 1
	}
	from, to := intAt(l.Ints("char_start"), i, 0), intAt(l.Ints("char_end"), i, 0)
	for first < len(s.words) && s.start[first] < from {
		first++
	}
	last = first - 1
	for last+1 < len(s.words) && s.end[last+1] <= to && from < to {
		last++
	}
	return first, last
}

// wordsOf cuts the text under rows into words, at blanks and at the ends of rows.
func wordsOf(d *text.Document, l *text.Layer, rows []int) *stretch {
	s := &stretch{}
	cut := map[int]bool{}
	low, high := len(d.Text), 0
	for _, i := range rows {
		a, z := intAt(l.Ints("char_start"), i, 0), intAt(l.Ints("char_end"), i, 0)
		if a >= 0 && a <= z && z <= len(d.Text) {
			cut[a], cut[z] = true, true
			low, high = min(low, a), max(high, z)
		}
	}
	start := low
	add := func(end int) {
		if end > start {
			s.words = append(s.words, draw.Word{Form: d.Text[start:end]})
			s.start, s.end = append(s.start, start), append(s.end, end)
		}
		start = end
	}
	for i := low; i < high; {
		r, size := utf8.DecodeRuneInString(d.Text[i:])
		if cut[i] || unicode.IsSpace(r) {
			add(i)
		}
		if unicode.IsSpace(r) {
			start = i + size
		}
		i += size
	}
	add(max(low, high))
	return s
}
