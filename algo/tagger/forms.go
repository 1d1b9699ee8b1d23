package tagger

import (
	"slices"

	"parlance/algo/chain"
	"parlance/algo/feature"
)

// formBytes bounds the scores that FormScores keeps, of one worker, but for those of a block.
const formBytes = 16 << 20

// formBlock is how many tokens are given scores together.
const formBlock = 256

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
	slots      []uint32    // by local number of the form: 1 + its place in rows, 0 for none
	rows       []float64   // by place, offset and label
	once       []float64   // the same of forms given without a place
	size       int         // of a place: offsets × labels
	given      [][]float64 // scores of the forms of a block and those around it
	near       [][]float64 // what they give a token
	attrs      []uint32    // of a form
	ends       []uint32    // of them: those of offset i are attrs[ends[i]:ends[i+1]]
	most       int         // bytes of rows
	block      int         // tokens that are given scores together
}

// NewFormScores makes the extractor leave out attributes of single forms and returns what adds
// their weights; nil, and the extractor as it is, where the templates have few of them.
func NewFormScores(weights *chain.Model, e *feature.Extractor) *FormScores {
	offsets := e.Split()
	if offsets == nil {
		return nil
	}
	return &FormScores{weights: weights, extract: e, offsets: offsets, size: len(offsets) * weights.Labels(), most: formBytes, block: formBlock}
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
	before, after := min(0, f.offsets[0]), max(0, f.offsets[len(f.offsets)-1])
	for lo := 0; lo < len(forms); lo += f.block {
		hi := min(lo+f.block, len(forms))
		first := max(0, lo+before)
		f.gather(forms[first:min(hi+after, len(forms))])
		for t := lo; t < hi; t++ {
			f.add(t-first, scores[t*labels:][:labels])
		}
	}
}

// gather sets given to the scores of forms.
func (f *FormScores) gather(forms []uint32) {
	if 8*len(f.rows) > f.most {
		f.forget()
	}
	f.once, f.given = f.once[:0], f.given[:0]
	for _, form := range forms {
		f.given = append(f.given, f.of(form))
	}
}

// add adds to the scores of token t of given what the forms around it give.
func (f *FormScores) add(t int, row []float64) {
	at := f.near[:0]
	for i, o := range f.offsets {
		if uint(t+o) < uint(len(f.given)) {
			at = append(at, f.given[t+o][i*len(row):][:len(row)])
		}
	}
	f.near = at
	for ; len(at) >= 4; at = at[4:] {
		a, b, c, d := at[0], at[1], at[2], at[3]
		a, b, c, d = a[:len(row)], b[:len(row)], c[:len(row)], d[:len(row)]
		for y, s := range row {
			row[y] = s + a[y] + b[y] + c[y] + d[y]
		}
	}
	for _, a := range at {
		a = a[:len(row)]
		for y, s := range row {
			row[y] = s + a[y]
		}
	}
}

// of returns the scores of a form by offset and label, which hold until the next gather.
func (f *FormScores) of(form uint32) []float64 {
	if !f.extract.Remembered(form) {
		return f.sum(&f.once, form)
	}
	if int(form) >= len(f.slots) {
		f.slots = append(f.slots, make([]uint32, int(form)+1-len(f.slots))...)
	}
	if k := int(f.slots[form]); k > 0 {
		return f.rows[(k-1)*f.size:][:f.size]
	}
	f.slots[form] = uint32(len(f.rows)/f.size + 1)
	return f.sum(&f.rows, form)
}

// sum appends the scores of a form by offset and label to rows and returns them.
func (f *FormScores) sum(rows *[]float64, form uint32) []float64 {
	f.attrs, f.ends = f.extract.Lexical(f.attrs[:0], append(f.ends[:0], 0), form)
	at := len(*rows)
	*rows = slices.Grow(*rows, f.size)[:at+f.size]
	row := (*rows)[at:]
	clear(row)
	f.weights.AddScores(chain.Sequence{AttrOffsets: f.ends, Attrs: f.attrs}, row)
	return row
}

func (f *FormScores) forget() { f.slots, f.rows = f.slots[:0], f.rows[:0] }
