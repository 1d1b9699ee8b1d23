package paraphrase

import "slices"

// surroundings are what stands around a phrase.
type surroundings struct {
	parents  [reps][]uint64     // chains of 1 and 2 words up from the head of the root
	below    [reps][]uint64     // chains of 1 and 2 words down from what hangs on the phrase
	around   [reps][2][3]uint64 // n-grams of 1 to 3 tokens on both sides
	above    []int16            // words on the way up from the root
	hanging  []int16            // words that hang on the phrase, directly or not, and are outside, in order
	adjacent []bool             // of these: stands next to the phrase
}

// depth is the length of chains, and grams that of n-grams around a phrase.
const (
	depth = 2
	grams = 3
)

// Numbers that stand for the start and the end of the sentence in n-grams.
const (
	startWord = 1<<32 - 2
	endWord   = 1<<32 - 1
)

func mix(h uint64, x uint32) uint64 {
	h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// contextOf gathers the context of a phrase.
func (d *definition) contextOf(p *phrase) (c surroundings) {
	for h := d.heads[p.root]; h >= 0; h = d.heads[h] {
		c.above = append(c.above, h)
	}
	for i := p.from; i < p.to; i++ {
		for _, k := range d.children[i] {
			if int(k) < p.from || int(k) >= p.to {
				d.descend(&c, k)
			}
		}
	}
	slices.Sort(c.hanging)
	for _, k := range c.hanging {
		c.adjacent = append(c.adjacent, int(k) == p.from-1 || int(k) == p.to)
	}
	for r := range reps {
		var h uint64
		for n, k := range c.above[:min(depth, len(c.above))] {
			h = mix(h+uint64(n), d.ids[r][k])
			c.parents[r] = append(c.parents[r], h)
		}
		for i := p.from; i < p.to; i++ {
			for _, k := range d.children[i] {
				if int(k) < p.from || int(k) >= p.to {
					d.chains(&c, r, k, 0, 0)
				}
			}
		}
		var left, right uint64
		for n := range grams {
			left, right = mix(left, d.word(r, p.from-1-n)), mix(right, d.word(r, p.to+n))
			c.around[r][0][n], c.around[r][1][n] = left, right
		}
	}
	return c
}

// descend adds a word and all below it. What is below a word outside of the phrase is outside.
func (d *definition) descend(c *surroundings, k int16) {
	c.hanging = append(c.hanging, k)
	for _, x := range d.children[k] {
		d.descend(c, x)
	}
}

// chains adds the chains down from a word.
func (d *definition) chains(c *surroundings, r int, k int16, n int, h uint64) {
	if n == depth {
		return
	}
	h = mix(h+uint64(n), d.ids[r][k])
	c.below[r] = append(c.below[r], h)
	for _, x := range d.children[k] {
		d.chains(c, r, x, n+1, h)
	}
}

// word is that at a place, or what stands for the start and the end.
func (d *definition) word(r, at int) uint32 {
	switch {
	case at < 0:
		return startWord
	case at >= len(d.ids[r]):
		return endWord
	}
	return d.ids[r][at]
}

// ratio is R(A, B) = ( |{a ∈ A: a ∈ B}| + |{b ∈ B: b ∈ A}| ) / ( |A| + |B| ), 1 where both are empty.
func ratio[T comparable](a, b []T) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	for _, x := range b {
		if slices.Contains(a, x) {
			n++
		}
	}
	return float64(n) / float64(len(a)+len(b))
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// extra is the share of the words of a phrase that are in the other sentence, but not in the other phrase.
func extra(p []uint32, other []uint32, q *phrase) float64 {
	n := 0
	for _, x := range p {
		if !slices.Contains(other[q.from:q.to], x) && (slices.Contains(other[:q.from], x) ||
			slices.Contains(other[q.to:], x)) {
			n++
		}
	}
	return float64(n) / float64(len(p))
}

// Types of the local similarity with the numbers of their functions, 37 in all (Yan et al. 2013, table 2).
const types = 10

// localTypes are f1 to f10 of two phrases, each the mean of its functions.
func localTypes(a *definition, p *phrase, b *definition, q *phrase, cosine float64) (f [types]float64) {
	for r := range reps {
		x, y := a.ids[r][p.from:p.to], b.ids[r][q.from:q.to]
		f[0] += ratio(x, y) / reps
		f[1] += one(x[0] == y[0]) / reps
		f[2] += one(x[len(x)-1] == y[len(y)-1]) / reps
		f[7] += ratio(p.context.parents[r], q.context.parents[r]) / reps
		f[8] += ratio(p.context.below[r], q.context.below[r]) / reps
		for side := range 2 {
			for n := range grams {
				f[9] += one(p.context.around[r][side][n] == q.context.around[r][side][n]) / (reps * 2 * grams)
			}
		}
	}
	f[3] = extra(a.ids[base][p.from:p.to], b.ids[base], q)
	f[4] = extra(b.ids[base][q.from:q.to], a.ids[base], p)
	x, y := float64(p.to-p.from), float64(q.to-q.from)
	f[5], f[6] = min(x, y)/max(x, y), cosine
	return f
}

// signs of the types.
var signs = [types]float64{1, 1, 1, -1, -1, 1, 1, 1, 1, 1}

// positiveTypes is M, the number of types with weight 1.
const positiveTypes = 8

// local is ls(p, q, d, d′) = Σ_i Σ_j w_ij·f_ij / k_i.
func local(a *definition, p *phrase, b *definition, q *phrase, cosine float64) (sum float64) {
	for i, x := range localTypes(a, p, b, q, cosine) {
		sum += signs[i] * x
	}
	return sum
}
