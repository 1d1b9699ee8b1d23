package paraphrase

import "slices"

// featureCount is that of the features of Hashimoto et al. 2011, table 1.
const featureCount = 17

var featureNames = [featureCount]string{"words (f1)", "words within one edit (f2)", "spellings (f3)", "length (f4)",
	"form of the head (f5)", "class of the head (f6)", "tag of the head (f7)", "extra words (f8)",
	"extra words of the other (f9)",
	"spellings above (f10)", "base forms above (f11)", "tags above (f12)", "spellings below (f13)",
	"base forms below (f14)",
	"base forms below next to both (f15)", "trigrams below (f16)", "sentences (f17)"}

// featureSigns are those of the sum without labels.
var featureSigns = [featureCount]float64{1, 1, 1, 1, 1, 1, 1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1}

// shortest is the least length of words that count as equal within one edit.
const shortest = 4

// features are f1 to f17 of two phrases.
func (w *words) features(a *definition, p *phrase, b *definition, q *phrase, cosine float64) (f [featureCount]float64) {
	x, y := a.ids[surface][p.from:p.to], b.ids[surface][q.from:q.to]
	f[0], f[1] = ratio(x, y), w.edited(x, y)
	f[2] = ratio(a.keys[p.from:p.to], b.keys[q.from:q.to])
	n, m := float64(len(x)), float64(len(y))
	f[3] = min(n, m) / max(n, m)
	f[4] = one(a.ids[surface][p.root] == b.ids[surface][q.root])
	s, t := w.list[a.ids[tag][p.root]], w.list[b.ids[tag][q.root]]
	f[5], f[6] = one(s[:min(2, len(s))] == t[:min(2, len(t))]), one(s == t)
	f[7] = extra(x, b.ids[surface], q)
	f[8] = extra(y, a.ids[surface], p)
	c, d := &p.context, &q.context
	f[9] = ratio(at(a.keys, c.above), at(b.keys, d.above))
	f[10] = ratio(at(a.ids[base], c.above), at(b.ids[base], d.above))
	f[11] = ratio(at(a.ids[tag], c.above), at(b.ids[tag], d.above))
	f[12] = ratio(at(a.keys, c.hanging), at(b.keys, d.hanging))
	f[13] = ratio(at(a.ids[base], c.hanging), at(b.ids[base], d.hanging))
	f[14] = nextTo(at(a.ids[base], c.hanging), c.adjacent, at(b.ids[base], d.hanging), d.adjacent)
	f[15] = trigrams(at(a.keys, c.hanging), at(b.keys, d.hanging))
	f[16] = cosine
	return f
}

// at are the words at some places.
func at(list []uint32, places []int16) []uint32 {
	out := make([]uint32, len(places))
	for i, k := range places {
		out[i] = list[k]
	}
	return out
}

// edited is R where words of four letters and more are equal within one edit.
func (w *words) edited(a, b []uint32) float64 {
	like := func(x uint32, list []uint32) bool {
		return slices.ContainsFunc(list, func(y uint32) bool {
			if x == y {
				return true
			}
			s, t := w.list[x], w.list[y]
			return min(len(s), len(t)) >= shortest && oneEdit(s, t)
		})
	}
	n := 0
	for _, x := range a {
		n += int(one(like(x, b)))
	}
	for _, x := range b {
		n += int(one(like(x, a)))
	}
	return float64(n) / float64(len(a)+len(b))
}

// oneEdit tells whether two words differ by one letter at most.
func oneEdit(s, t string) bool {
	a, b := []rune(s), []rune(t)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1
}

// nextTo is R of which only words that stand next to their phrases count above.
func nextTo(a []uint32, nextA []bool, b []uint32, nextB []bool) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	near := func(list []uint32, next []bool) (out []uint32) {
		for i, x := range list {
			if next[i] {
				out = append(out, x)
			}
		}
		return out
	}
	x, y := near(a, nextA), near(b, nextB)
	if len(x)+len(y) == 0 {
		return 0
	}
	return ratio(x, y) * float64(len(x)+len(y)) / float64(len(a)+len(b))
}

// trigrams is the number of trigrams of each list that the other has too, by the number of words of both; 1 where both
// are empty.
func trigrams(a, b []uint32) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	of := func(list []uint32) (out [][3]uint32) {
		for i := 0; i+3 <= len(list); i++ {
			out = append(out, [3]uint32(list[i:]))
		}
		return out
	}
	x, y := of(a), of(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	return ratio(x, y) * float64(len(x)+len(y)) / float64(len(a)+len(b))
}

// sum is Σ sign·f, the score without labels.
func sum(f [featureCount]float64) (s float64) {
	for i, x := range f {
		s += featureSigns[i] * x
	}
	return s
}
