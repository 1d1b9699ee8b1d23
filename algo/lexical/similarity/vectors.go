package similarity

import "math"

// vectors is the words as sparse vectors of one measure. The similarity of two words is a function of
// numbers of each word and of
//
//	acc = Σ over common contexts of x·y, or of sum(x+y) − a(x) − a(y)
//
// so that an inverted index gives it for all words at once.
type vectors struct {
	measure string
	start   []int
	ids     []uint32 // contexts, rising within a word
	x       []float64
	aux     []float64                         // a(x) of each cell; nil where cells are multiplied
	sum     func(f uint32, s float64) float64 // of context f; nil where cells are multiplied
	k       float64                           // number of contexts, also of those that no word has
	p, t    []float64                         // of each word, by measure
	mass    []float64                         // a₀', the parameters of the posterior of each word added up; of dirichlet
	q       float64
}

// settings are the options that profiles depend on.
type settings struct {
	measure         string
	prior           string
	alpha, d, delta float64
	logs, positive  bool
}

func (v *vectors) words() int { return len(v.start) - 1 }

// has tells of words that can be compared.
func (v *vectors) has(i int) bool { return v.start[i+1] > v.start[i] }

func (v *vectors) row(i int) ([]uint32, []float64) {
	return v.ids[v.start[i]:v.start[i+1]], v.x[v.start[i]:v.start[i+1]]
}

// score is the similarity of words i and j, given what they have in common. It is symmetric to the bit.
func (v *vectors) score(i, j int, acc float64) float64 { return v.scorer(i)(j, acc) }

// scorer is the score of word i with any other.
func (v *vectors) scorer(i int) func(j int, acc float64) float64 {
	switch v.measure {
	case bcb: // eq. 8: N₁ N₂ (Q + t₁ + t₂ + ⟨u₁, u₂⟩)
		p, t, q := v.p[i], v.t[i], v.q
		return func(j int, acc float64) float64 { return p * v.p[j] * (q + (t + v.t[j]) + acc) }
	case bca: // (K − n₁ − n₂) √(z₁z₂) + √z₂ Σ√p₁ + √z₁ Σ√p₂ + Σ_I (√p₁ − √z₁)(√p₂ − √z₂)
		width := v.start[i+1] - v.start[i]
		return func(j int, acc float64) float64 {
			n := width + v.start[j+1] - v.start[j]
			return (v.k-float64(n))*(v.p[i]*v.p[j]) + (v.p[j]*v.t[i] + v.p[i]*v.t[j]) + acc
		}
	case js, classes:
		return func(_ int, acc float64) float64 { return acc * (0.5 / math.Ln2) }
	case dirichlet: // eq. 9; p = ln Γ(a₀')/2, t = Σ over the word's contexts
		return func(j int, acc float64) float64 {
			return math.Exp((v.p[i] + v.p[j]) + (v.t[i] + v.t[j]) + acc - lgamma((v.mass[i]+v.mass[j])/2))
		}
	}
	return func(_ int, acc float64) float64 { return acc }
}

// common adds up what two words have in common, by rising context.
func (v *vectors) common(i, j int) float64 {
	a, b, acc := v.start[i], v.start[j], 0.0
	for a < v.start[i+1] && b < v.start[j+1] {
		switch f, g := v.ids[a], v.ids[b]; {
		case f < g:
			a++
		case g < f:
			b++
		default:
			acc += v.cell(a, b)
			a++
			b++
		}
	}
	return acc
}

// cell is what two cells of one context have in common. The conversion keeps multiplication and
// addition apart on every machine.
func (v *vectors) cell(a, b int) float64 {
	if v.sum == nil {
		return float64(v.x[a] * v.x[b])
	}
	return v.sum(v.ids[a], v.x[a]+v.x[b]) - (v.aux[a] + v.aux[b])
}

// similarity is that of two words; a word is as similar to itself as can be.
func (v *vectors) similarity(i, j int) float64 {
	if i == j {
		return 1
	}
	return v.score(i, j, v.common(i, j))
}

// transformed is a count as the measures see it (sec. 5.3): ln c + 1. Weights below 1 stay, as the
// function then goes on smoothly to 0.
func (s *settings) transformed(c float64) float64 {
	if !s.logs || c < 1 {
		return c
	}
	return math.Log(c) + 1
}
