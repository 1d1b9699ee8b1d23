package tensor

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/numeric/parallel"
)

// group is the entities that belong to the same sets and so share a system.
type group struct {
	sets    []int32 // the largest first
	members []int32
}

// partition divides the entities of sets with a use into groups, sorted by their sets: those that
// share the first ones lie together.
func (t *tensor) partition() []group {
	order := make([]int32, len(t.sets))
	for s := range order {
		order[s] = int32(s)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(len(t.sets[b]), len(t.sets[a])), cmp.Compare(a, b))
	})
	of := make([][]int32, t.n)
	for rank, s := range order {
		if len(t.uses[s]) == 0 {
			continue
		}
		for _, e := range t.sets[s] {
			of[e] = append(of[e], int32(rank))
		}
	}
	entities := make([]int32, 0, t.n)
	for e := range of {
		if len(of[e]) > 0 {
			entities = append(entities, int32(e))
		}
	}
	slices.SortFunc(entities, func(a, b int32) int { return cmp.Or(slices.Compare(of[a], of[b]), cmp.Compare(a, b)) })
	var groups []group
	for i, e := range entities {
		if i == 0 || !slices.Equal(of[e], of[entities[i-1]]) {
			sets := make([]int32, len(of[e]))
			for x, rank := range of[e] {
				sets[x] = order[rank]
			}
			groups = append(groups, group{sets: sets})
		}
		g := &groups[len(groups)-1]
		g.members = append(g.members, e)
	}
	return groups
}

// group prepares what is done by groups: the products of vectors of the large ones, and the solution of
// those entities that have a cell. The vectors of others are 0.
func (f *fit) group() {
	if f.t.sets == nil {
		return
	}
	all := f.t.partition()
	f.keepGroups(all)
	if f.Global {
		return
	}
	for _, g := range all {
		g.members = slices.DeleteFunc(slices.Clone(g.members), func(e int32) bool { return !f.t.touched(int(e)) })
		if len(g.members) > 0 {
			f.groups = append(f.groups, g)
		}
	}
}

// touched reports whether an entity has a cell.
func (t *tensor) touched(e int) bool {
	for i := range t.batches {
		if b := &t.batches[i]; b.offsets[e+1] > b.offsets[e] {
			return true
		}
	}
	return false
}

// solveRows replaces each row of F by a_i = F_i H⁻¹, with one H = λI + Σ_k (B_k + C_k) for all, or
// exactly with the sum over those relations only whose left or right side has i in it: setting the
// gradient of a_i to 0 gives one system for each combination of sets.
func (f *fit) solveRows(ctx context.Context) error {
	if f.groups == nil {
		return f.solveAll(ctx)
	}
	return f.solveGroups(ctx)
}

// solveAll solves all rows with one inverse.
func (f *fit) solveAll(ctx context.Context) error {
	r := f.r
	total := make([]float64, r*(r+1)/2)
	for _, h := range f.h {
		if h != nil {
			add(total, 1, h)
		}
	}
	h := make([]float64, r*r)
	unpack(h, total, r, f.L2)
	if err := inverse(h, r); err != nil {
		return err
	}
	size := f.t.share()
	return parallel.For(ctx, f.workers, parallel.Blocks(f.t.n, size), func(w, b int) error {
		from, to := parallel.Block(b, f.t.n, size)
		x := f.scratch[w][:(to-from)*r]
		copy(x, f.f[from*r:to*r])
		multiply(f.f[from*r:], x, h, to-from, r, r, false, false, false)
		return nil
	})
}

// groupsPerTask divides the groups among tasks.
const groupsPerTask = 64

func (f *fit) solveGroups(ctx context.Context) error {
	return parallel.For(ctx, f.workers, parallel.Blocks(len(f.groups), groupsPerTask), func(w, b int) error {
		from, to := parallel.Block(b, len(f.groups), groupsPerTask)
		s := sums{r: f.r, h: f.h}
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			g := &f.groups[i]
			shared := 0
			if i+1 < to {
				shared = common(g.sets, f.groups[i+1].sets)
			}
			if err := f.solveGroup(g, s.of(g.sets, shared), f.scratch[w]); err != nil {
				return err
			}
		}
		return nil
	})
}

// common is how many first elements both have.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// sums adds up the matrices of one list of sets after another. The sum over the first ones that
// the next list shares is kept, so that a run over sorted lists walks a trie of them.
type sums struct {
	r     int
	h     [][]float64
	stack []partial // growing depth
	free  [][]float64
	out   []float64
}

// partial is the sum over the first depth sets.
type partial struct {
	depth int
	sum   []float64
}

// of returns the sum, which is good until the next call; the next list shares its first sets.
func (s *sums) of(sets []int32, shared int) []float64 {
	if s.out == nil {
		s.out = make([]float64, s.r*(s.r+1)/2)
	}
	depth := 0
	if n := len(s.stack); n > 0 {
		depth = s.stack[n-1].depth
		copy(s.out, s.stack[n-1].sum)
	} else {
		clear(s.out)
	}
	if shared > depth {
		s.add(sets[depth:shared])
		s.push(shared)
		depth = shared
	}
	for n := len(s.stack); n > 0 && s.stack[n-1].depth > shared; n-- {
		s.free = append(s.free, s.stack[n-1].sum)
		s.stack = s.stack[:n-1]
	}
	s.add(sets[depth:])
	return s.out
}

func (s *sums) add(sets []int32) {
	for _, x := range sets {
		if h := s.h[x]; h != nil {
			add(s.out, 1, h)
		}
	}
}

func (s *sums) push(depth int) {
	var sum []float64
	if n := len(s.free); n > 0 {
		sum, s.free = s.free[n-1], s.free[:n-1]
	} else {
		sum = make([]float64, len(s.out))
	}
	copy(sum, s.out)
	s.stack = append(s.stack, partial{depth, sum})
}

// solveGroup solves the rows of a group, by its factor or, of a singular system, its pseudo-inverse.
func (f *fit) solveGroup(g *group, sum, scratch []float64) error {
	r := f.r
	h, x := scratch[:r*r], scratch[r*r:r*r+r]
	unpack(h, sum, r, f.L2)
	if factor(h, r) {
		for _, e := range g.members {
			solve(h, f.f[int(e)*r:(int(e)+1)*r], r)
		}
		return nil
	}
	unpack(h, sum, r, f.L2)
	if err := inverse(h, r); err != nil {
		return err
	}
	for _, e := range g.members {
		row := f.f[int(e)*r : (int(e)+1)*r]
		copy(x, row)
		multiply(row, x, h, 1, r, r, false, false, false)
	}
	return nil
}
