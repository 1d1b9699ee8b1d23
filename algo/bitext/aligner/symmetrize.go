package aligner

import "context"

// The ways to join the links of both directions.
const (
	byAverage      = "average"
	byProduct      = "product"
	byIntersection = "intersection"
	byUnion        = "union"
	byGrow         = "grow_diag"
	byFinal        = "grow_diag_final"
	byFinalAnd     = "grow_diag_final_and"
	byForward      = "forward"
	byBackward     = "backward"
)

var ways = []string{byAverage, byProduct, byIntersection, byUnion, byGrow, byFinal, byFinalAnd, byForward, byBackward}

// grid is links between n source words and m target words, by i·m + j.
type grid struct {
	n, m int
	on   []bool
}

func newGrid(n, m int) grid { return grid{n, m, make([]bool, n*m)} }

// neighbours are steps to the eight points around one.
var neighbours = [8][2]int{{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}

// symmetrize joins the links of both directions: those of both, those of either, or those of both and what grows from
// them (Koehn, Och and Marcu 2003, sec. 4.5). Growing takes neighbours of links that are in the union and whose source
// or target word has no link, until there are none; final steps take further links of the forward and then of the
// backward direction, of which a word (final) or both words (final_and) have no link. It ends with the context.
func symmetrize(ctx context.Context, way string, forward, backward grid) grid {
	n, m := forward.n, forward.m
	both, either := newGrid(n, m), newGrid(n, m)
	for i := range both.on {
		both.on[i] = forward.on[i] && backward.on[i]
		either.on[i] = forward.on[i] || backward.on[i]
	}
	switch way {
	case byForward:
		return forward
	case byBackward:
		return backward
	case byIntersection:
		return both
	case byUnion:
		return either
	}
	sources, targets := make([]bool, n), make([]bool, m)
	for i, on := range both.on {
		if on {
			sources[i/m], targets[i%m] = true, true
		}
	}
	for grown := true; grown; {
		grown = false
		for i := range n {
			if ctx.Err() != nil {
				return both
			}
			for j := range m {
				if both.on[i*m+j] && grow1(&both, either, i, j, sources, targets) {
					grown = true
				}
			}
		}
	}
	if way == byGrow {
		return both
	}
	for _, of := range []grid{forward, backward} {
		for i, on := range of.on {
			s, t := sources[i/m], targets[i%m]
			if on && (!s && !t || way == byFinal && (!s || !t)) {
				both.on[i], sources[i/m], targets[i%m] = true, true, true
			}
		}
	}
	return both
}

// grow1 takes the neighbours of a link.
func grow1(links *grid, either grid, i, j int, sources, targets []bool) (grown bool) {
	for _, step := range neighbours {
		a, b := i+step[0], j+step[1]
		if a < 0 || b < 0 || a >= links.n || b >= links.m {
			continue
		}
		at := a*links.m + b
		if !links.on[at] && either.on[at] && !(sources[a] && targets[b]) {
			links.on[at], sources[a], targets[b] = true, true, true
			grown = true
		}
	}
	return grown
}
