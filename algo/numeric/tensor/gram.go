package tensor

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/numeric/parallel"
)

// shared is a group whose A_g'A_g is found once for all sets that hold it.
type shared struct {
	members []int32
	gram    []float64 // packed upper triangle
}

// members of a set: whole groups, and what is left of it.
type composition struct {
	groups []int32 // numbers in shared
	rest   []int32
}

// leastShared is how many entities a group has at least whose product is kept: adding a product costs
// about as long as that of this many rows.
const leastShared = 8

// keepGroups chooses the groups whose products are kept, the largest first, at most 64 MB of them, and
// divides the sets.
func (f *fit) keepGroups(groups []group) {
	size := f.r * (f.r + 1) / 2
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(groups[b].members), len(groups[a].members)) })
	f.parts = make([]composition, len(f.t.sets))
	kept := make([]bool, f.t.n)
	for _, i := range order {
		g := groups[i]
		if len(g.members) < leastShared || (len(f.shared)+1)*size > maxBuffer {
			break
		}
		for _, s := range g.sets {
			f.parts[s].groups = append(f.parts[s].groups, int32(len(f.shared)))
		}
		for _, e := range g.members {
			kept[e] = true
		}
		f.shared = append(f.shared, shared{members: g.members})
	}
	for s, set := range f.t.sets {
		for _, e := range set {
			if !kept[e] {
				f.parts[s].rest = append(f.parts[s].rest, e)
			}
		}
	}
}

// shareGrams finds the products of the groups.
func (f *fit) shareGrams(ctx context.Context) error {
	return parallel.For(ctx, f.workers, len(f.shared), func(w, i int) error {
		g := f.scratch[w][:f.r*f.r]
		clear(g)
		err := f.addGram(ctx, g, f.shared[i].members)
		f.shared[i].gram = pack(g, f.r)
		return err
	})
}

// gram is A_s'A_s, the upper triangle.
func (f *fit) gram(ctx context.Context, s int) ([]float64, error) {
	sum := make([]float64, f.r*(f.r+1)/2)
	for _, i := range f.parts[s].groups {
		add(sum, 1, f.shared[i].gram)
	}
	g := make([]float64, f.r*f.r)
	unpack(g, sum, f.r, 0)
	return g, f.addGram(ctx, g, f.parts[s].rest)
}

// addGram adds the products of rows of A.
func (f *fit) addGram(ctx context.Context, g []float64, set []int32) error {
	rows := make([]float64, min(len(set), rowBlock)*f.r)
	for b := range parallel.Blocks(len(set), rowBlock) {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, to := parallel.Block(b, len(set), rowBlock)
		f.gather(rows, set[from:to])
		outer(g, rows, f.r, to-from, true)
	}
	return nil
}
