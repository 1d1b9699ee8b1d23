package tagger

import (
	"parlance/algo/chain"
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
	weights    *chain.Model
	extract    *feature.Extractor
	offsets    []int
	generation int
	slots      []uint32 // by local number of the form: 1 + its place in rows, 0 for none
	rows       []float64
	known      []bool // by place and offset
	attrs      []uint32
	once       []float64 // row of a form without a place
	most       int       // bytes of rows
}

// NewFormScores makes the extractor leave out attributes of single forms and returns what adds
// their weights; nil, and the extractor as it is, where the templates have few of them.
func NewFormScores(weights *chain.Model, e *feature.Extractor) *FormScores {
	offsets := e.Split()
	if offsets == nil {
		return nil
	}
	return &FormScores{weights: weights, extract: e, offsets: offsets, most: formBytes, once: make([]float64, weights.Labels())}
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
	for t, form := range forms {
		k := f.place(form)
		for i, o := range f.offsets {
			at := t - o // the token whose attributes the form gives at this offset
			if uint(at) >= uint(len(forms)) {
				continue
			}
			row := scores[at*labels:][:labels]
			for y, s := range f.row(k, form, i)[:len(row)] {
				row[y] += s
			}
		}
	}
}

// place returns the place of a form in rows, −1 for one that the extractor does not remember.
func (f *FormScores) place(form uint32) int {
	if !f.extract.Remembered(form) {
		return -1
	}
	if int(form) >= len(f.slots) {
		f.slots = append(f.slots, make([]uint32, int(form)+1-len(f.slots))...)
	}
	if f.slots[form] == 0 {
		if 8*len(f.rows) > f.most {
			f.forget()
			return f.place(form)
		}
		f.rows = append(f.rows, make([]float64, len(f.offsets)*f.weights.Labels())...)
		f.known = append(f.known, make([]bool, len(f.offsets))...)
		f.slots[form] = uint32(len(f.known) / len(f.offsets))
	}
	return int(f.slots[form]) - 1
}

// row is the scores of a form with a place, or -1, at the offset at place i.
func (f *FormScores) row(k int, form uint32, i int) []float64 {
	labels := f.weights.Labels()
	if k < 0 {
		return f.sum(f.once, form, i)
	}
	k = k*len(f.offsets) + i
	row := f.rows[k*labels:][:labels]
	if !f.known[k] {
		f.known[k] = true
		f.sum(row, form, i)
	}
	return row
}

// sum sets a row to the scores of a form at an offset.
func (f *FormScores) sum(row []float64, form uint32, i int) []float64 {
	clear(row)
	f.attrs = f.extract.Lexical(f.attrs[:0], form, i)
	f.weights.AddScores(f.attrs, row)
	return row
}

func (f *FormScores) forget() { f.slots, f.rows, f.known = f.slots[:0], f.rows[:0], f.known[:0] }
