package transition

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// lossWindow is how many tokens of the stack, from its top, and of the buffer are looked at, which bounds the
// cost of a table.
const lossWindow = 32

// losses is the memory of ArcStandard.Cost (Goldberg, Sartorio and Satta 2014, section 4): the tokens of the
// stack and of the buffer are the nodes of a sequence, and the best tree over it is found by a table. The
// sequence is made short first: a token that has all its gold dependents or can get them no more, and whose
// gold head stands beside it where arcs can be made, goes there without loss, whatever happens to the others.
type losses struct {
	gold    *Tree // the tree that loss is for
	loss    int   // of the present state; gold is nil where it is not known
	stack   []int32
	nodes   []int32
	place   []int32 // 1 + number of a token among nodes, 0 for none
	pending []int32 // gold dependents of a token among the nodes
	head    []int   // number of the gold head of a node, -1 for none
	table   []int32
	least   []int32
}

// after returns how many tokens of the stack and the buffer get wrong heads at least, next being the
// first token of the buffer.
func (x *losses) after(gold *Tree, stack []int32, next int32) int {
	stack = stack[max(0, len(stack)-lossWindow):]
	x.count(gold, stack, next)
	x.nodes = append(x.nodes[:0], stack...)
	depth := x.shorten(gold, len(stack))
	for t := next; int(t) <= gold.Len() && len(x.nodes) < depth+lossWindow; t++ {
		x.nodes = append(x.nodes, t)
		depth = x.shorten(gold, depth)
	}
	x.link(gold)
	return x.solve(gold, depth)
}

// count counts the gold dependents that each token still waits for.
func (x *losses) count(gold *Tree, stack []int32, next int32) {
	n := len(gold.Heads)
	x.place, x.pending = buffer.Resize(x.place, n), buffer.Resize(x.pending, n)
	clear(x.place)
	clear(x.pending)
	for _, t := range stack {
		x.place[t] = 1
	}
	for _, t := range stack {
		x.wait(gold.Heads[t], next)
	}
	for t := next; int(t) < n; t++ {
		x.wait(gold.Heads[t], next)
	}
}

func (x *losses) wait(head, next int32) {
	if head >= next || head > 0 && x.place[head] != 0 {
		x.pending[head]++
	}
}

// shorten attaches at the end of the nodes what loses nothing, and returns how many of them are those of the
// stack. Its top does not go to a token of the buffer: without it, those below could meet before.
func (x *losses) shorten(gold *Tree, depth int) int {
	for len(x.nodes) > 1 {
		end := len(x.nodes) - 1
		top, below := x.nodes[end], x.nodes[end-1]
		switch {
		case gold.Heads[below] == top && x.pending[below] == 0 && end != depth:
			x.nodes[end-1] = top
			x.pending[top]--
		case gold.Heads[top] == below && x.pending[top] == 0:
			x.pending[below]--
		default:
			return depth
		}
		x.nodes = x.nodes[:end]
		depth = min(depth, end)
	}
	return depth
}

// link finds the gold heads among the nodes.
func (x *losses) link(gold *Tree) {
	clear(x.place)
	for i, t := range x.nodes {
		x.place[t] = int32(i) + 1
	}
	x.head = x.head[:0]
	for _, t := range x.nodes {
		h := -1
		if g := gold.Heads[t]; g > 0 {
			h = int(x.place[g]) - 1
		}
		x.head = append(x.head, h)
	}
}

// solve fills the table of the least losses of trees over the nodes i to j with the head h,
//
//	L(i,j,h) = min over i ≤ s < j, d of L(i,s,h) + L(s+1,j,d) + [gold head of d ≠ h]   for h ≤ s, the like for h > s
//
// where tokens of the stack join only what holds its top: j ≥ depth − 1, or i = j.
func (x *losses) solve(gold *Tree, depth int) int {
	n := len(x.nodes)
	x.table, x.least = buffer.Resize(x.table, n*n*n), buffer.Resize(x.least, n*n)
	for i := range n {
		x.table[(i*n+i)*n+i], x.least[i*n+i] = 0, 0
	}
	for width := 2; width <= n; width++ {
		for i := max(0, depth-width); i+width <= n; i++ {
			x.span(i, i+width-1, depth)
		}
	}
	best := math.MaxInt
	for h := range n {
		v := int(x.table[(n-1)*n+h])
		if gold.Heads[x.nodes[h]] != 0 {
			v++
		}
		best = min(best, v)
	}
	return best
}

// span fills the row of the nodes i to j.
func (x *losses) span(i, j, depth int) {
	n := len(x.nodes)
	out := x.table[(i*n+j)*n : (i*n+j+1)*n]
	for h := i; h <= j; h++ {
		out[h] = math.MaxInt32
	}
	for s := i; s < j; s++ {
		if s > i && s < depth-1 {
			continue
		}
		left, right := x.table[(i*n+s)*n:(i*n+s+1)*n], x.table[((s+1)*n+j)*n:((s+1)*n+j+1)*n]
		a, b := x.least[i*n+s]+1, x.least[(s+1)*n+j]+1
		for h := i; h <= s; h++ {
			out[h] = min(out[h], left[h]+b)
			if g := x.head[h]; g > s && g <= j {
				out[g] = min(out[g], right[g]+left[h])
			}
		}
		for h := s + 1; h <= j; h++ {
			out[h] = min(out[h], right[h]+a)
			if g := x.head[h]; g >= i && g <= s {
				out[g] = min(out[g], left[g]+right[h])
			}
		}
	}
	least := out[i]
	for h := i + 1; h <= j; h++ {
		least = min(least, out[h])
	}
	x.least[i*n+j] = least
}
