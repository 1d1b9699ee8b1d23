package frame

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/text"
)

// Argument is neighbouring tokens of a sentence with their role; tokens are numbered from 1.
type Argument struct {
	Label       string
	First, Last int
	Prob        float64
}

// Frame is a predicate with its arguments, without a row for itself.
type Frame struct {
	Predicate int // token, from 1
	Sense     string
	Prob      float64 // of predicate and sense
	Args      []Argument
}

// Self is the label of the row of a predicate itself.
const Self = "V"

// Read returns the frames of each sentence: those of sentence s are at s, from 1. Rows of tokens that a sentence does
// not have are left out, and counted.
func Read(d *text.Document) (frames [][]Frame, faults int) {
	bounds := d.SentenceTokens()
	frames = make([][]Frame, len(bounds))
	l := d.Layer(text.Roles.Name)
	if l == nil {
		return frames, 0
	}
	sent, predicate := l.Ints("sent"), l.Ints("predicate")
	if sent == nil || predicate == nil {
		return frames, l.N
	}
	first, last := l.Ints("tok_start"), l.Ints("tok_end")
	label, sense := l.Strs("label"), l.Strs("sense")
	for i := range l.N {
		s, p := int(sent[i]), int(predicate[i])
		if s < 1 || s >= len(bounds) || p < 1 || p > int(bounds[s]-bounds[s-1]) {
			faults++
			continue
		}
		k := slices.IndexFunc(frames[s], func(f Frame) bool { return f.Predicate == p })
		if k < 0 {
			k = len(frames[s])
			frames[s] = append(frames[s], Frame{Predicate: p})
		}
		f := &frames[s][k]
		if sense != nil && f.Sense == "" {
			f.Sense = sense[i]
		}
		if label == nil || first == nil || last == nil || label[i] == Self || label[i] == "C-V" || label[i] == "" {
			continue
		}
		if first[i] < 1 || last[i] < first[i] || int(last[i]) > int(bounds[s]-bounds[s-1]) {
			faults++
			continue
		}
		f.Args = append(f.Args, Argument{Label: label[i], First: int(first[i]), Last: int(last[i])})
	}
	for _, list := range frames {
		slices.SortStableFunc(list, func(a, b Frame) int { return cmp.Compare(a.Predicate, b.Predicate) })
	}
	return frames, faults
}

// Writer gathers frames for the layer roles.
type Writer struct {
	d            *text.Document
	prob         bool
	sent, pred   []int32
	first, last  []int32
	label, sense []string
	probs        []float64
}

// NewWriter returns one for a document; prob tells whether rows have one.
func NewWriter(d *text.Document, prob bool) *Writer { return &Writer{d: d, prob: prob} }

// Add adds a frame of a sentence: the predicate, then its arguments by their places.
func (w *Writer) Add(sent int, f Frame) {
	row := func(a Argument) {
		w.sent, w.pred = append(w.sent, int32(sent)), append(w.pred, int32(f.Predicate))
		w.first, w.last = append(w.first, int32(a.First)), append(w.last, int32(a.Last))
		w.label, w.sense = append(w.label, a.Label), append(w.sense, f.Sense)
		w.probs = append(w.probs, a.Prob)
	}
	row(Argument{Self, f.Predicate, f.Predicate, f.Prob})
	args := slices.Clone(f.Args)
	slices.SortStableFunc(args, func(a, b Argument) int { return cmp.Or(a.First-b.First, a.Last-b.Last) })
	for _, a := range args {
		row(a)
	}
}

// Layer is the layer roles with what was added.
func (w *Writer) Layer() *text.Layer {
	l := text.NewLayer(text.Roles)
	l.N = len(w.sent)
	toks, bounds := w.d.Layer(text.Tokens.Name), w.d.SentenceTokens()
	start, end := make([]int32, l.N), make([]int32, l.N)
	for i := range start {
		from := bounds[w.sent[i]-1]
		start[i], end[i] = toks.Ints("char_start")[from+w.first[i]-1], toks.Ints("char_end")[from+w.last[i]-1]
	}
	for name, v := range map[string][]int32{"sent": w.sent, "predicate": w.pred, "char_start": start, "char_end": end,
		"tok_start": w.first, "tok_end": w.last} {
		l.SetInts(name, v)
	}
	l.SetStrs("label", w.label)
	l.SetStrs("sense", w.sense)
	if w.prob {
		l.Prob = append([]float64{}, w.probs...)
	}
	return l
}

// Core tells whether a label is that of a numbered role, such as A0 or ARG1, which a predicate has once.
func Core(label string) bool {
	n, ok := strings.CutPrefix(label, "ARG")
	if !ok {
		n, ok = strings.CutPrefix(label, "A")
	}
	return ok && len(n) == 1 && (n[0] >= '0' && n[0] <= '9' || n == "A")
}

// Head is the token of [first, last] whose head is outside, the first one of several; heads[0] is unused.
func Head(heads []int32, first, last int) int {
	for t := first; t <= last; t++ {
		if t < len(heads) && (int(heads[t]) < first || int(heads[t]) > last) {
			return t
		}
	}
	return first
}
