package evidence

import (
	"context"
	"math"
	"slices"
)

// Trees are boosted regression trees on the log-odds of a regression (Friedman 2001, sec. 4.4), with second
// derivatives:
//
//	log p/(1−p) = base(x) + Σ_t tree_t(x)
//
// A leaf of tree t has the value rate·Σ g / (Σ h + l2) over its rows, g = y − p, h = p(1−p) by the trees before. A
// node is parted where Σ_sides (Σ g)²/(Σ h + l2) grows most. Inputs are cut into bins of about as many rows.
type Trees struct {
	Roots []int32
	Nodes []TreeNode
}

// TreeNode is a leaf, or goes to the left child where the input is at most At, else to the one behind it.
type TreeNode struct {
	Input int32 `json:",omitempty"`
	Left  int32 `json:",omitempty"` // 0 for a leaf
	At    float32
	Value float64 `json:",omitempty"`
}

// Table is the inputs of rows, a column an input, with what is right and the log-odds that trees begin with.
type Table struct {
	Columns [][]float32
	Gold    []bool
	Base    []float64
}

// Growth says how trees grow.
type Growth struct {
	Trees, Depth int
	Rate, L2     float64
	Least        float64 // Σ h of the smallest leaf
}

// bins are the most different values of an input that are told apart.
const bins = 64

// booster is a training of trees.
type booster struct {
	*Table
	Growth
	edges [][]float32 // of inputs: the largest value of each bin but the last
	codes [][]uint8   // of inputs and rows: the bin
	score []float64
	g, h  []float64
	out   *Trees
}

// Grow learns trees of the rows that use wants, nil for all.
func (t *Table) Grow(ctx context.Context, how Growth, use func(i int) bool) (*Trees, error) {
	n := len(t.Gold)
	b := &booster{Table: t, Growth: how, score: slices.Clone(t.Base), g: make([]float64, n), h: make([]float64, n),
		out: &Trees{}}
	for _, column := range t.Columns {
		edges, codes := binned(column)
		b.edges, b.codes = append(b.edges, edges), append(b.codes, codes)
	}
	rows := make([]int32, 0, n)
	for i := range n {
		if use == nil || use(i) {
			rows = append(rows, int32(i))
		}
	}
	for range how.Trees {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, i := range rows {
			p := Sigmoid(b.score[i])
			b.g[i], b.h[i] = -p, p*(1-p)
			if t.Gold[i] {
				b.g[i] = 1 - p
			}
		}
		root := int32(len(b.out.Nodes))
		b.out.Roots, b.out.Nodes = append(b.out.Roots, root), append(b.out.Nodes, TreeNode{})
		b.grow(root, slices.Clone(rows), how.Depth)
	}
	return b.out, ctx.Err()
}

// binned cuts a column where about as many rows lie in each bin.
func binned(column []float32) (edges []float32, codes []uint8) {
	sorted := slices.Clone(column)
	slices.Sort(sorted)
	for k := 1; k < bins; k++ {
		if v := sorted[k*len(sorted)/bins]; v < sorted[len(sorted)-1] && (len(edges) == 0 || v > edges[len(edges)-1]) {
			edges = append(edges, v)
		}
	}
	codes = make([]uint8, len(column))
	for i, v := range column {
		k, _ := slices.BinarySearch(edges, v)
		codes[i] = uint8(k)
	}
	return edges, codes
}

// grow makes a node of rows a leaf, or parts it.
func (b *booster) grow(node int32, rows []int32, depth int) {
	g, h := 0.0, 0.0
	for _, i := range rows {
		g += b.g[i]
		h += b.h[i]
	}
	input, bin := -1, 0
	if depth > 0 {
		input, bin = b.part(rows, g, h)
	}
	if input < 0 {
		value := b.Rate * g / (h + b.L2)
		b.out.Nodes[node].Value = value
		for _, i := range rows {
			b.score[i] += value
		}
		return
	}
	left := int32(len(b.out.Nodes))
	b.out.Nodes = append(b.out.Nodes, TreeNode{}, TreeNode{})
	b.out.Nodes[node] = TreeNode{Input: int32(input), Left: left, At: b.edges[input][bin]}
	code := b.codes[input]
	var below, above []int32
	for _, i := range rows {
		if int(code[i]) <= bin {
			below = append(below, i)
		} else {
			above = append(above, i)
		}
	}
	b.grow(left, below, depth-1)
	b.grow(left+1, above, depth-1)
}

// part finds the input and the last bin of the left side with the greatest gain, −1 for none.
func (b *booster) part(rows []int32, g, h float64) (input, bin int) {
	input = -1
	best := 1e-3
	for f, code := range b.codes {
		var sums [bins][2]float64
		for _, i := range rows {
			s := &sums[code[i]]
			s[0] += b.g[i]
			s[1] += b.h[i]
		}
		left, weight := 0.0, 0.0
		for k := range b.edges[f] {
			left += sums[k][0]
			weight += sums[k][1]
			if weight < b.Least || h-weight < b.Least {
				continue
			}
			if gain := left*left/(weight+b.L2) + (g-left)*(g-left)/(h-weight+b.L2) - g*g/(h+b.L2); gain > best {
				best, input, bin = gain, f, k
			}
		}
	}
	return input, bin
}

// Score is what the trees add to the log-odds of a row.
func (t *Trees) Score(x []float32) (sum float64) {
	for _, root := range t.Roots {
		n := &t.Nodes[root]
		for n.Left > 0 {
			if x[n.Input] <= n.At {
				n = &t.Nodes[n.Left]
			} else {
				n = &t.Nodes[n.Left+1]
			}
		}
		sum += n.Value
	}
	return sum
}

// Fits tells whether the nodes are trees of inputs below a number.
func (t *Trees) Fits(inputs int) bool {
	for i, n := range t.Nodes {
		if math.IsNaN(n.Value) {
			return false
		}
		if n.Left != 0 && (int(n.Left) <= i || int(n.Left)+1 >= len(t.Nodes) || n.Input < 0 || int(n.Input) >= inputs) {
			return false
		}
	}
	return !slices.ContainsFunc(t.Roots, func(r int32) bool { return r < 0 || int(r) >= len(t.Nodes) })
}
