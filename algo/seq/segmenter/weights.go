package segmenter

import (
	"math"

	"parlance/algo/engine/online"
)

// Positions of a character in its word. B and S begin a word, so that their codes lie side by side.
const (
	posB = iota // first of several
	posS        // single
	posI        // inside
	posE        // last of several
	positions
)

var positionNames = [positions]string{"B", "S", "I", "E"}

// groups are the features that are used, by the names of Kruengkrai et al. (2009), tables 2 to 4.
type groups struct {
	C, CT, W, A, T, B, TB bool
}

// weights score nodes and edges. Features are pairs of a context, which has a row, and an outcome, a column:
//
//	of characters   contexts of the place × position and tag
//	of words        contexts of the word × any tag or its tag
//	of two words    contexts of one of them × tag of the other; both words × tags of none, one or both
//
// Pairs of tags where a character is among the two nodes, and types of characters where two words meet, are dense.
type weights struct {
	groups
	dict  *dictionary
	tags  []string
	plain int // number of tags
	all   int // with those of the beginning and the end of a sentence
	codes int // of nodes in pairs: tags of words, then positions and tags of characters

	contexts *table
	rows     online.Rows
	dense    *online.Weights // pairs of codes, then of types
	rowMax   []float64       // greatest weight of a code with any after it
	caches   *caches         // of weights that change no more, else nil
}

// The words and tags of the ends of a sentence follow the last ones.
func (w *weights) begin() node {
	return node{-1, 0, int32(len(w.dict.entries)), int32(len(w.dict.words)), uint16(w.plain), 0}
}

func (w *weights) end(n int) node {
	x := w.begin()
	return node{int32(n), int32(n) + 1, x.entry + 1, x.word + 1, x.tag + 1, 0}
}

// maxTags is the greatest number of tags: pairs of them must fit into a column.
const maxTags = 250

func newWeights(dict *dictionary, tags []string, g groups) *weights {
	w := &weights{groups: g, dict: dict, tags: tags, plain: len(tags), all: len(tags) + 2}
	w.codes = w.all + positions*w.plain
	w.contexts = newTable(0)
	w.rows = *online.NewRows(0, max(positions*w.plain, w.pairColumn(w.all, 0)))
	w.rows.Sums = []float64{}
	w.dense = online.NewWeights(w.codes*w.codes+w.typeSize(), true)
	w.rowMax = make([]float64, w.codes)
	return w
}

// charCode is the code of a character with position and tag c = position·plain + tag.
func (w *weights) charCode(c int) int { return w.all + c }

// transition returns the weights of pairs whose first code is given.
func (w *weights) transition(from int) []float64 {
	return w.dense.W[from*w.codes : (from+1)*w.codes]
}

// Columns of contexts of words: 0 for any tag, then the tags. Those of two words: any, the tag after, the tag before,
// both.
func tagColumn(tag uint16) uint16 { return tag + 1 }

func (w *weights) beforeColumn(tag uint16) uint16 { return uint16(1+w.all) + tag }

func (w *weights) pairColumn(before, after int) int { return 1 + 2*w.all + before*w.all + after }

// typeSize is the number of weights of types where two words meet.
func (w *weights) typeSize() int { return int(types) * int(types) * (1 + w.all) * (1 + w.all) }

// typeAt is the place of the weight of the last type of a word and the first of the next, with the tags that are not
// negative.
func (w *weights) typeAt(last, first uint8, before, after int) int {
	at := int(last)*int(types) + int(first)
	return w.codes*w.codes + (at*(1+w.all)+before+1)*(1+w.all) + after + 1
}

// Templates of contexts.
const (
	ctxChar       = 1  // C0, five offsets
	ctxBigram     = 6  // C1, four offsets
	ctxAround     = 10 // C2
	ctxType       = 11 // C3, five offsets
	ctxTypeBigram = 16 // C4, four offsets
	ctxTypeAround = 20 // C5
	ctxWord       = 21 // W0, W2
	ctxTag        = 22 // W1
	ctxLength     = 23 // W3
	ctxOnly       = 24 // A0, A1
	ctxFirst      = 25 // A2, A3
	ctxLast       = 26 // A4, A5
	ctxBoth       = 27 // A6, A7
	ctxOnlyType   = 28 // T0, T1
	ctxFirstType  = 29 // T2, T3
	ctxLastType   = 30 // T4, T5
	ctxBothTypes  = 31 // T6, T7
	ctxPrevTag    = 32 // B1
	ctxPrevWord   = 33 // B2
	ctxPrevEntry  = 34 // B7
	ctxPrevLength = 35 // B9
	ctxPrevType   = 36 // TB0, TB1
	ctxPrevTypes  = 37 // TB2
	ctxNextWord   = 38 // B3
	ctxNextEntry  = 39 // B5
	ctxTwoWords   = 40 // B0, B4, B6, B8
	templates     = 41
)

// key is that of a context: its template and two numbers below 2²⁸.
func key(template int, a, b uint64) uint64 { return uint64(template)<<56 | a<<28 | b }

// charKeys appends the contexts of a place, those of typeKeys first.
func (w *weights) charKeys(dst []uint64, c *characters, i int) []uint64 {
	return w.windowKeys(w.typeKeys(dst, c, i), c, i)
}

// windowKeys appends the contexts of the characters around a place: C0 to C2.
func (w *weights) windowKeys(dst []uint64, c *characters, i int) []uint64 {
	if w.C {
		r := c.runes[i : i+2*margin+1]
		for j, x := range r {
			dst = append(dst, key(ctxChar+j, uint64(x), 0))
		}
		for j := range 2 * margin {
			dst = append(dst, key(ctxBigram+j, uint64(r[j]), uint64(r[j+1])))
		}
		dst = append(dst, key(ctxAround, uint64(r[1]), uint64(r[3])))
	}
	return dst
}

// typeKeys appends those of their types: C3 to C5.
func (w *weights) typeKeys(dst []uint64, c *characters, i int) []uint64 {
	if w.CT {
		t := c.types[i : i+2*margin+1]
		for j, x := range t {
			dst = append(dst, key(ctxType+j, uint64(x), 0))
		}
		for j := range 2 * margin {
			dst = append(dst, key(ctxTypeBigram+j, uint64(t[j]), uint64(t[j+1])))
		}
		dst = append(dst, key(ctxTypeAround, uint64(t[1]), uint64(t[3])))
	}
	return dst
}

// unigram calls use for the contexts of an entry and the columns of each: any tag, where it has one, and its tag.
func (w *weights) unigram(n *node, use func(key uint64, column uint16)) {
	x, tag := &w.dict.words[n.word], tagColumn(n.tag)
	both := func(key uint64) { use(key, 0); use(key, tag) }
	if w.W {
		both(key(ctxWord, uint64(n.word), 0))
		use(key(ctxTag, 0, 0), tag)
		use(key(ctxLength, uint64(len(x.runes)), 0), tag)
	}
	first, last := uint64(x.runes[0]), uint64(x.runes[len(x.runes)-1])
	if len(x.runes) == 1 {
		if w.A {
			both(key(ctxOnly, first, 0))
		}
		if w.T {
			both(key(ctxOnlyType, uint64(x.first), 0))
		}
		return
	}
	if w.A {
		both(key(ctxFirst, first, 0))
		both(key(ctxLast, last, 0))
		both(key(ctxBoth, first, last))
	}
	if w.T {
		both(key(ctxFirstType, uint64(x.first), 0))
		both(key(ctxLastType, uint64(x.last), 0))
		both(key(ctxBothTypes, uint64(x.first), uint64(x.last)))
	}
}

// shape returns what features see of a word of a node; the ends of a sentence have border.
func (w *weights) shape(n *node) (length int, first, last uint8) {
	if int(n.word) >= len(w.dict.words) {
		return 0, typeBorder, typeBorder
	}
	x := &w.dict.words[n.word]
	return len(x.runes), x.first, x.last
}

// afterKeys appends the contexts of a word whose outcome is the tag of the next one: B1, B2, B7, B9, TB0 to TB2.
func (w *weights) afterKeys(dst []uint64, n *node) []uint64 {
	length, _, last := w.shape(n)
	if w.B {
		dst = append(dst, key(ctxPrevTag, uint64(n.tag), 0), key(ctxPrevWord, uint64(n.word), 0),
			key(ctxPrevEntry, uint64(n.entry), 0), key(ctxPrevLength, uint64(length), 0))
	}
	if w.TB {
		dst = append(dst, key(ctxPrevType, uint64(last), 0), key(ctxPrevTypes, uint64(last), uint64(n.tag)))
	}
	return dst
}

// beforeKeys appends those whose outcome is the tag of the word before: B3, B5.
func (w *weights) beforeKeys(dst []uint64, n *node) []uint64 {
	if w.B {
		dst = append(dst, key(ctxNextWord, uint64(n.word), 0), key(ctxNextEntry, uint64(n.entry), 0))
	}
	return dst
}

// row returns the row of a context, which it makes where there is none.
func (w *weights) row(key uint64) uint32 {
	r, added := w.contexts.add(key)
	if added {
		w.rows.Spans = append(w.rows.Spans, online.RowSpan{})
	}
	return r
}

// denseTerm marks places of dense weights among those of vectors; the others are row·2¹⁶ + column.
const denseTerm = 1 << 62

// move adds factor·v to the weights in the present step.
func (w *weights) move(v online.Vector, factor float64) {
	for _, t := range v {
		if t.At < denseTerm {
			w.rows.Move(uint32(t.At>>16), uint16(t.At), factor*t.Value, w.dense.Steps)
			continue
		}
		at := int(t.At - denseTerm)
		w.dense.Add(at, factor*t.Value)
		if at < w.codes*w.codes {
			w.bound(at / w.codes)
		}
	}
}

// bound sets the greatest weight of a code with any after it.
func (w *weights) bound(from int) {
	top := math.Inf(-1)
	for _, x := range w.transition(from) {
		top = max(top, x)
	}
	w.rowMax[from] = top
}
