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
	slots      []uint32  // by local number of the form: 1 + its place in rows, 0 for none
	rows       []float64 // by place, offset and label
	once       []float64 // the same of a form without a place
	attrs      []uint32  // of a form, by offset
	ends       []int
	most       int // bytes of rows
}

// NewFormScores makes the extractor leave out attributes of single forms and returns what adds
// their weights; nil, and the extractor as it is, where the templates have few of them.
func NewFormScores(weights *chain.Model, e *feature.Extractor) *FormScores {
	offsets := e.Split()
	if offsets == nil {
		return nil
	}
	return &FormScores{weights: weights, extract: e, offsets: offsets, most: formBytes, once: make([]float64, len(offsets)*weights.Labels())}
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
		rows := f.of(form)
		for i, o := range f.offsets {
			at := t - o // the token whose attributes the form gives at this offset
			if uint(at) >= uint(len(forms)) {
				continue
			}
			row := scores[at*labels:][:labels]
			for y, s := range rows[i*labels:][:len(row)] {
				row[y] += s
			}
		}
	}
}

// of returns the scores of a form by offset and label. Those of a form that the extractor does not
// remember hold until the next call.
func (f *FormScores) of(form uint32) []float64 {
	if !f.extract.Remembered(form) {
		return f.sum(f.once, form)
	}
	if int(form) >= len(f.slots) {
		f.slots = append(f.slots, make([]uint32, int(form)+1-len(f.slots))...)
	}
	size := len(f.once)
	if k := int(f.slots[form]); k > 0 {
		return f.rows[(k-1)*size:][:size]
	}
	if 8*len(f.rows) > f.most {
		f.forget()
		return f.of(form)
	}
	at := len(f.rows)
	f.rows = append(f.rows, f.once...)
	f.slots[form] = uint32(at/size + 1)
	return f.sum(f.rows[at:], form)
}

// sum sets rows to the scores of a form by offset and label.
func (f *FormScores) sum(rows []float64, form uint32) []float64 {
	clear(rows)
	f.attrs, f.ends = f.attrs[:0], f.ends[:0]
	for i := range f.offsets {
		f.attrs = f.extract.Lexical(f.attrs, form, i)
		f.ends = append(f.ends, len(f.attrs))
	}
	f.weights.AddGroups(f.attrs, f.ends, rows)
	return rows
}

func (f *FormScores) forget() { f.slots, f.rows = f.slots[:0], f.rows[:0] }
