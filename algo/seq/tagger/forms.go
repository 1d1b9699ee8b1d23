package tagger

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
)

// formBytes bounds the scores that FormScores keeps, of one worker.
const formBytes = 16 << 20

// FormScores keeps, for the forms met, the sums of the weights of all attributes that depend on one
// form alone, so that the scores of a token are a sum of few rows:
//
//	s_t[y] = Σ_o S_o[form_{t+o}, y] + Σ_{other attributes a at t} w[a, y]
//
// It belongs to one goroutine.
type FormScores struct {
	weights     *chain.Model
	extract     *feature.Extractor
	offsets     []int
	first, last int // of them
	generation  int
	slots       []uint32  // by local number of the form: 1 + its place in rows, 0 for none
	rows        []float64 // by place, token around the form from −last to −first, and label
	once        []float64 // the same of a form given without a place
	size        int       // of a place
	attrs       []uint32  // of a form
	ends        []uint32  // of them: those of offset i are attrs[ends[i]:ends[i+1]]
	sums        []float64 // of them, by offset and label
	most        int       // bytes of rows
}

// NewFormScores makes the extractor leave out attributes of single forms and returns what adds
// their weights; nil, and the extractor as it is, where the templates have few of them.
func NewFormScores(weights *chain.Model, e *feature.Extractor) *FormScores {
	offsets := e.Split()
	if offsets == nil {
		return nil
	}
	first, last := offsets[0], offsets[len(offsets)-1]
	return &FormScores{weights: weights, extract: e, offsets: offsets, first: first, last: last, most: formBytes,
		size: (last - first + 1) * weights.Labels(), sums: make([]float64, len(offsets)*weights.Labels())}
}

// Add adds the scores of the items [from, to), a sentence of the document that was extracted last,
// to scores, by token and label. A nil receiver adds nothing.
func (f *FormScores) Add(from, to int, scores []float64) {
	if f == nil {
		return
	}
	if g := f.extract.Generation(); g != f.generation {
		f.generation = g
		f.forget()
	}
	labels, forms := f.weights.Labels(), f.extract.Tokens()[from:to]
	// Forms in their order: what a token gets comes by ascending offset.
	for i, form := range forms {
		row, start := f.of(form), i-f.last // the token that row starts with
		lo, hi := max(0, start), min(len(forms), i-f.first+1)
		if lo < hi {
			floats.Add(scores[lo*labels:hi*labels], row[(lo-start)*labels:(hi-start)*labels])
		}
	}
}

// of returns the scores that a form gives the tokens around it, which hold until the next call.
func (f *FormScores) of(form uint32) []float64 {
	if !f.extract.Remembered(form) {
		f.once = slices.Grow(f.once[:0], f.size)[:f.size]
		f.sum(f.once, form)
		return f.once
	}
	if int(form) >= len(f.slots) {
		f.slots = append(f.slots, make([]uint32, int(form)+1-len(f.slots))...)
	}
	k := int(f.slots[form])
	if k == 0 {
		k = f.keep(form)
	}
	return f.rows[(k-1)*f.size:][:f.size]
}

// keep gives a form a place and returns 1 + its number.
func (f *FormScores) keep(form uint32) int {
	if 8*len(f.rows) > f.most {
		f.forget()
		f.slots = append(f.slots, make([]uint32, int(form)+1)...)
	}
	at := len(f.rows)
	f.rows = slices.Grow(f.rows, f.size)[:at+f.size]
	f.sum(f.rows[at:], form)
	f.slots[form] = uint32(at/f.size + 1)
	return at/f.size + 1
}

// sum sets row to the scores that a form gives the tokens around it.
func (f *FormScores) sum(row []float64, form uint32) {
	f.attrs, f.ends = f.extract.Lexical(f.attrs[:0], append(f.ends[:0], 0), form)
	clear(f.sums)
	f.weights.AddScores(chain.Sequence{AttrOffsets: f.ends, Attrs: f.attrs}, f.sums)
	clear(row)
	labels := f.weights.Labels()
	for i, o := range f.offsets {
		copy(row[(f.last-o)*labels:][:labels], f.sums[i*labels:])
	}
}

func (f *FormScores) forget() { f.slots, f.rows = f.slots[:0], f.rows[:0] }
