package partition

import (
	"context"
	"slices"
)

// triangleBound returns what no partition of a graph exceeds: the sum of the positive weights, less what triangles
// lose in any case. Of a triangle with weights p, q > 0 and r < 0 every partition loses at least min(p, q, −r): it
// parts a positive pair or joins the negative one. Triangles share the weights of their pairs, so their losses add
// up.
func triangleBound(ctx context.Context, g *graph) (float64, error) {
	rest := make([][]float64, g.n) // absolute weights not yet given to a triangle
	bound := 0.0
	for v, list := range g.near {
		rest[v] = make([]float64, len(list))
		for i, a := range list {
			rest[v][i] = max(a.weight, -a.weight)
			if int(a.to) > v && a.weight > 0 {
				bound += a.weight
			}
		}
	}
	for v, list := range g.near {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for i, a := range list {
			if int(a.to) > v && a.weight < 0 {
				bound -= g.packTriangles(rest, v, int(a.to), rest[v][i])
			}
		}
	}
	return bound, nil
}

// packTriangles gives the weight of a negative pair to the triangles over it and returns how much of it they lose.
// The pair itself is not looked at again.
func (g *graph) packTriangles(rest [][]float64, v, u int, weight float64) (lost float64) {
	a, b := g.near[v], g.near[u]
	for i, j := 0, 0; i < len(a) && j < len(b) && lost < weight; {
		switch {
		case a[i].to < b[j].to:
			i++
		case a[i].to > b[j].to:
			j++
		default:
			if a[i].weight > 0 && b[j].weight > 0 {
				loss := min(weight-lost, rest[v][i], rest[u][j])
				lost += loss
				g.take(rest, v, i, loss)
				g.take(rest, u, j, loss)
			}
			i++
			j++
		}
	}
	return lost
}

// take lowers the rest of a pair, which both its items hold.
func (g *graph) take(rest [][]float64, v, i int, loss float64) {
	rest[v][i] -= loss
	u := g.near[v][i].to
	j, _ := slices.BinarySearchFunc(g.near[u], int32(v), func(a arc, v int32) int { return int(a.to) - int(v) })
	rest[u][j] -= loss
}
