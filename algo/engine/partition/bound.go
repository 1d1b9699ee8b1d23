package partition

import "context"

// triangleBound returns what no partition of a graph exceeds: the sum of the positive weights, less what triangles
// lose in any case. Of a triangle with weights p, q > 0 and r < 0 every partition loses at least min(p, q, −r): it
// parts a positive pair or joins the negative one. Triangles share the weights of their pairs, so their losses add up.
func triangleBound(ctx context.Context, g *graph) (float64, error) {
	near, rest := g.positive()
	bound := 0.0
	for _, w := range rest {
		bound += w
	}
	for v, list := range g.near {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for _, a := range list {
			if int(a.to) > v && a.weight < 0 {
				bound -= pack(near[v], near[a.to], rest, -a.weight)
			}
		}
	}
	return bound, nil
}

// link is a positive pair by its other item and its number.
type link struct{ to, pair int32 }

// positive returns the positive pairs of each item, by rising neighbours, and the weights of the pairs.
func (g *graph) positive() (near [][]link, weights []float64) {
	near, next := make([][]link, g.n), make([]int32, g.n) // number of the next pair with a later item
	for v, list := range g.near {
		for _, a := range list {
			if a.weight > 0 && int(a.to) < v {
				near[v] = append(near[v], link{a.to, next[a.to]})
				next[a.to]++
			}
		}
		next[v] = int32(len(weights))
		for _, a := range list {
			if a.weight > 0 && int(a.to) > v {
				near[v] = append(near[v], link{a.to, int32(len(weights))})
				weights = append(weights, a.weight)
			}
		}
	}
	return near, weights
}

// pack gives the weight of a negative pair to the triangles over it, whose other pairs are in the lists of its items,
// and returns how much of it they lose.
func pack(a, b []link, rest []float64, weight float64) (lost float64) {
	for i, j := 0, 0; i < len(a) && j < len(b) && lost < weight; {
		switch x, y := a[i], b[j]; {
		case x.to < y.to:
			i++
		case x.to > y.to:
			j++
		default:
			loss := min(weight-lost, rest[x.pair], rest[y.pair])
			lost += loss
			rest[x.pair] -= loss
			rest[y.pair] -= loss
			i++
			j++
		}
	}
	return lost
}
