// Package window scores edits of a sentence by a language model, and counts n-grams around a slot.
package window

import (
	"math"
	"strings"

	"parlance/algo/correct"
	"parlance/algo/correct/confusion"
)

// Windows is a sentence as a model of n-grams sees it. It belongs to one goroutine.
type Windows struct {
	Model    correct.Ngrams
	sentence *confusion.Sentence
	ids      []uint32 // of the words, then of </s>
	states   []correct.State
	logs     []float64
	diffs    map[confusion.Edit]float64
	words    map[string]uint32 // numbers of words, as far as they were asked for
	gram     []uint32
	begin    uint32
}

// New returns the windows of a model, at first of no sentence.
func New(m correct.Ngrams) *Windows {
	return &Windows{Model: m, words: map[string]uint32{}, begin: m.ID("<s>")}
}

// maxWords bounds the words whose numbers are kept.
const maxWords = 1 << 16

// id is the number of a word. A digit of a word that is unknown counts as 0.
func (w *Windows) id(word string) uint32 {
	id, ok := w.words[word]
	if ok {
		return id
	}
	id = w.Model.ID(word)
	if strings.ContainsAny(word, "123456789") && id == w.Model.ID("<unk>") {
		id = w.Model.ID(strings.Map(func(r rune) rune {
			if r >= '1' && r <= '9' {
				return '0'
			}
			return r
		}, word))
	}
	if len(w.words) >= maxWords {
		clear(w.words)
	}
	w.words[strings.Clone(word)] = id
	return id
}

// Set goes to a sentence.
func (w *Windows) Set(s *confusion.Sentence) {
	if w.sentence == s {
		return
	}
	w.sentence, w.diffs = s, map[confusion.Edit]float64{}
	w.ids, w.states, w.logs = w.ids[:0], w.states[:0], w.logs[:0]
	st := w.Model.Start()
	for _, f := range append(s.Forms[:len(s.Forms):len(s.Forms)], "</s>") {
		id := w.id(f)
		w.ids, w.states = append(w.ids, id), append(w.states, st)
		w.logs = append(w.logs, w.Model.Next(&st, id))
	}
	w.states = append(w.states, st)
}

// Diff is the log10 of the probability of the sentence with an edit, less that without. Words further behind the edit
// than the model sees, or that it sees in the same state, count for neither.
func (w *Windows) Diff(e confusion.Edit) float64 {
	if d, ok := w.diffs[e]; ok {
		return d
	}
	sum, st := 0.0, w.states[e.Start]
	for rest := e.Words; rest != ""; {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		sum += w.Model.Next(&st, w.id(word))
	}
	for i := e.Start; i < e.End; i++ {
		sum -= w.logs[i]
	}
	for i := e.End; i < len(w.ids) && i < e.End+w.Model.Order()-1 && st != w.states[i]; i++ {
		sum += w.Model.Next(&st, w.ids[i]) - w.logs[i]
	}
	w.diffs[e] = sum
	return sum
}

// Count is how often a word occurs.
func (w *Windows) Count(word string) float64 {
	w.gram = append(w.gram[:0], w.id(word))
	return float64(w.Model.CountIDs(w.gram))
}

// Mean is the mean log10 of the probabilities of the words at places [from, to) as they were written, 0 for none.
func (w *Windows) Mean(from, to int) float64 {
	from, to = max(from, 0), min(to, len(w.logs))
	sum := 0.0
	for i := from; i < to; i++ {
		sum += w.logs[i]
	}
	return sum / float64(max(to-from, 1))
}

// at is the number of the word at a place; there are order−1 beginnings and one end.
func (w *Windows) at(i int) (uint32, bool) {
	switch {
	case i < -1 || i >= len(w.ids):
		return 0, false
	case i == -1:
		return w.begin, true
	}
	return w.ids[i], true
}

// Gram is the n-gram of n words around a slot [from, to), of which left stand before it, with something in the slot, ""
// for nothing, which makes it one word shorter; and how often it occurs. It is false where it would reach beyond the
// sentence and its ends.
func (w *Windows) Gram(from, to, left, n int, fill string) (float64, bool) {
	g := w.gram[:0]
	for i := from - left; i < from; i++ {
		id, ok := w.at(i)
		if !ok {
			return 0, false
		}
		g = append(g, id)
	}
	if fill != "" {
		g = append(g, w.id(fill))
	}
	for i := to; i < to+n-1-left; i++ {
		id, ok := w.at(i)
		if !ok {
			return 0, false
		}
		g = append(g, id)
	}
	w.gram = g
	return float64(w.Model.CountIDs(g)), true
}

// Orders of the n-grams of naive Bayes.
const (
	MinOrder = 3
	MaxOrder = 5
)

// Bayes are the options of naive Bayes on counts.
type Bayes struct {
	Smoothing float64 // added to each count
	Skip      bool    // n-grams that occur with no filler are left out
}

// contexts stand for the number of distinct contexts that a filler has, in the smoothing of a feature.
const contexts = 1e4

// Scores are Σ_f log P(f|c) of what could stand in a slot [from, to), over all windows f of 3 to 5 words that have the
// slot (Rozovskaya et al. 2013, section 3):
//
//	P(f|c) = (C(f, c) + d) / (C(c) + d·V)
//
// For nothing in the slot C(f, c) counts the window without it, and C(c) all places between words.
func (w *Windows) Scores(b Bayes, from, to int, fills []string, out []float64) []float64 {
	out = out[:0]
	for range fills {
		out = append(out, 0)
	}
	w.Each(b, from, to, fills, func(_, _ int, _, logs []float64) {
		for i, v := range logs {
			out[i] += v
		}
	})
	return out
}

// Each yields the windows that count, by the words left of the slot and their length, with the counts and the
// log-probabilities log P(f|c) of the fillers.
func (w *Windows) Each(b Bayes, from, to int, fills []string, yield func(left, n int, counts, logs []float64)) {
	totals, counts, logs := make([]float64, len(fills)), make([]float64, len(fills)), make([]float64, len(fills))
	for i, f := range fills {
		totals[i] = w.Total(f)
	}
	for n := MinOrder; n <= MaxOrder && n <= w.Model.Order(); n++ {
		for left := range n {
			seen, ok := 0.0, true
			for i, f := range fills {
				if counts[i], ok = w.Gram(from, to, left, n, f); !ok {
					break
				}
				seen += counts[i]
			}
			if !ok || seen == 0 && b.Skip {
				continue
			}
			for i := range fills {
				logs[i] = Feature(counts[i], totals[i], b.Smoothing, contexts)
			}
			yield(left, n, counts, logs)
		}
	}
}

// Feature is log P(f|c) of a count with add-d smoothing over v contexts.
func Feature(count, total, d, v float64) float64 {
	return math.Log((count + d) / (total + d*v))
}

// gaps is about how many places between words there are.
func (w *Windows) gaps() float64 {
	w.gram = append(w.gram[:0], w.begin)
	return 20 * max(1, float64(w.Model.CountIDs(w.gram)))
}

// Total is how often a filler occurs; for nothing, how many places there are between words.
func (w *Windows) Total(fill string) float64 {
	if fill == "" {
		return w.gaps()
	}
	return w.Count(fill)
}

// Text is the words of Gram.
func Text(s *confusion.Sentence, from, to, left, n int, fill string) string {
	var words []string
	for i := from - left; i < from; i++ {
		words = append(words, s.Word(i))
	}
	if fill != "" {
		words = append(words, fill)
	}
	for i := to; i < to+n-1-left; i++ {
		words = append(words, s.Word(i))
	}
	return strings.Join(words, " ")
}
