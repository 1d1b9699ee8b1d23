package tree

import (
	"math"

	"parlance/algo/numeric/fastexp"
)

// sums are the weights of the arcs of a sentence, exp(score) over the sum of their column: with that
// no sum over trees exceeds 1, and none of its parts matters that a float64 cannot hold, as long as
// Z is not tiny.
type sums struct {
	weight []float64 // at h·(n+1)+m
	out    []float64 // adjoints of C by head and end
	outT   []float64 // by end and head
	outInc []float64
	logs   int // how often sums ran over logarithms
}

// tiny is the least scaled Z for which a lost weight below 1e-308 changes no probability by 1e-100.
const tiny = 1e-200

// scale writes the weights at h·(n+1)+m, 0 where there is no arc, and returns the logarithm of what
// they were divided by. Each column, the heads of a modifier, adds up to 1; with a single root its
// root is left out, and the row of the root adds up to 1. False if a modifier has no head.
func scale(p *Parts, score []float64, single bool, weight []float64) (float64, bool) {
	w := p.N + 1
	weight = weight[:w*w]
	clear(weight)
	offset := 0.0
	for m := 1; m < w; m++ {
		arcs := p.In(m)
		root := len(arcs) > 0 && p.Head[arcs[0]] == 0
		if single && root {
			if weight[m] = score[arcs[0]]; len(arcs) == 1 {
				continue
			}
			arcs = arcs[1:]
		} else if single {
			weight[m] = math.Inf(-1)
		}
		top, ok := normalize(p, score, arcs, weight, m)
		switch {
		case ok:
			offset += top
			if single {
				weight[m] -= top // the trees in which it is the root do not have its column
			}
		case !single || math.IsInf(weight[m], -1):
			return 0, false
		}
	}
	if !single {
		return offset, true
	}
	top := math.Inf(-1)
	for m := 1; m < w; m++ {
		top = max(top, weight[m])
	}
	if math.IsInf(top, -1) {
		return 0, w == 1
	}
	z := 0.0
	for m := 1; m < w; m++ {
		weight[m] = math.Exp(weight[m] - top)
		z += weight[m]
	}
	for m := 1; m < w; m++ {
		weight[m] /= z
	}
	return offset + top + math.Log(z), true
}

// normalize writes the weights of the arcs to a modifier and returns the logarithm of their sum.
func normalize(p *Parts, score []float64, arcs []int32, weight []float64, m int) (float64, bool) {
	top := math.Inf(-1)
	for _, a := range arcs {
		top = max(top, score[a])
	}
	if math.IsInf(top, -1) {
		return 0, false
	}
	w, z := p.N+1, 0.0
	for _, a := range arcs {
		if d := score[a] - top; d > -700 {
			x := fastexp.Exp(d)
			weight[int(p.Head[a])*w+m] = x
			z += x
		}
	}
	for f, i := 1/z, int(p.Head[arcs[0]])*w+m; i < len(weight); i += w {
		weight[i] *= f
	}
	return top + math.Log(z), true
}
