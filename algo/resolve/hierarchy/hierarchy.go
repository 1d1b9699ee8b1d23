package hierarchy

import (
	"context"
	"time"

	"parlance/algo/engine/mcmc"
	"parlance/algo/resolve/record"
)

// Options are the factors beside the weights, and how trees are sampled.
type Options struct {
	RootCost, NodeCost, Ideal float64
	ExcludeSelf               bool
	Exact                     bool // all factors that a proposal changes count, in time linear in the trees
	MaxDepth                  int
	Sweeps                    int // each with as many proposals as there are records
	Schedule                  mcmc.Schedule
	Seed                      uint64
	Watch                     func(sweep int, labels func() []int32, total mcmc.Trace) // may be nil: after each sweep
}

// Task is a block: records that may be of one entity. Numbers are places in Items.
type Task struct {
	Store    *record.Store
	BagOf    []uint8 // of the store
	Items    []int32
	Partners mcmc.Partners
	Labels   []int32    // entities to begin with, nil for one each
	Must     []int32    // for each item the first of those that it must be with, nil for none
	Cannot   [][2]int32 // items that must not be together
	Stream   uint64     // number of the block, for its random numbers
	Until    time.Time  // when to stop, if not zero
}

// Result is what became of a block.
type Result struct {
	Labels  []int32 // entity of each item
	Parent  []int32 // of each item, then of inner nodes; itself for a root
	Sweeps  []mcmc.Trace
	Score   float64 // of the forest, from all factors
	Stopped bool    // time ran out
}

// chain samples a forest.
type chain struct {
	f      *forest
	m      *model
	o      *Options
	r      *mcmc.Rand
	leaf   []int32   // of each item
	items  [][]int32 // of each leaf
	lists  mcmc.Partners
	cannot [][2]int32 // leaves
	height int        // of j above the leaf that it was drawn from
	trace  mcmc.Trace

	moves  []move
	scores []float64
	path   []int32
	drawn  []record.Value
	one    [1]record.Value
}

// MostBags is how many attributes with vectors a tree takes.
const MostBags = maxBags

// Run samples the trees of a block.
func Run(ctx context.Context, t *Task, weights []float64, o *Options) (*Result, error) {
	c := newChain(t, weights, o)
	out := &Result{}
	for sweep := range o.Sweeps {
		if !t.Until.IsZero() && time.Now().After(t.Until) {
			out.Stopped = true
			break
		}
		before := c.trace
		if err := c.sweep(ctx, o.Schedule.At(sweep, o.Sweeps)); err != nil {
			return nil, err
		}
		d := c.trace
		out.Sweeps = append(out.Sweeps, mcmc.Trace{Proposals: d.Proposals - before.Proposals,
			Accepted: d.Accepted - before.Accepted,
			Factors:  d.Factors - before.Factors, Gain: d.Gain - before.Gain})
		if o.Watch != nil {
			o.Watch(sweep, c.labels, c.trace)
		}
	}
	out.Labels, out.Parent, out.Score = c.labels(), c.parents(), c.m.score(c.f)
	return out, nil
}

// newChain makes leaves and the trees to begin with: each entity is a node with its records.
func newChain(t *Task, weights []float64, o *Options) *chain {
	c := &chain{m: newModel(t.Store, weights, o), o: o, r: mcmc.NewRand(o.Seed, t.Stream), lists: t.Partners,
		leaf: make([]int32, len(t.Items))}
	var groups [][]int32
	for i := range t.Items {
		first := i
		if t.Must != nil {
			first = int(t.Must[i])
		}
		if first == i {
			c.leaf[i] = int32(len(groups))
			groups, c.items = append(groups, nil), append(c.items, nil)
		}
	}
	for i, item := range t.Items {
		if t.Must != nil {
			c.leaf[i] = c.leaf[t.Must[i]]
		}
		l := c.leaf[i]
		groups[l], c.items[l] = append(groups[l], item), append(c.items[l], int32(i))
	}
	for _, p := range t.Cannot {
		c.cannot = append(c.cannot, [2]int32{c.leaf[p[0]], c.leaf[p[1]]})
	}
	c.f = newForest(t.Store, t.BagOf, groups)
	if t.Labels != nil {
		c.begin(t.Labels)
	}
	return c
}

// begin joins the leaves of each entity, except where two must not be together.
func (c *chain) begin(labels []int32) {
	apart := map[int32]bool{}
	for _, p := range c.cannot {
		apart[max(p[0], p[1])] = true
	}
	members := map[int32][]int32{}
	var order []int32
	for l, items := range c.items {
		e := labels[items[0]]
		if apart[int32(l)] {
			continue
		}
		if members[e] == nil {
			order = append(order, e)
		}
		members[e] = append(members[e], int32(l))
	}
	for _, e := range order {
		list := members[e]
		if len(list) < 2 {
			continue
		}
		p := c.f.create()
		for k := range c.f.names {
			c.f.set(p, k, c.f.usual(list, k))
		}
		for _, l := range list {
			c.f.link(l, p)
		}
	}
}

// usual is the most frequent value of some nodes, of several the first.
func (f *forest) usual(list []int32, name int) record.Value {
	n := map[record.Value]int{}
	best := record.Value{Whole: -1}
	for _, x := range list {
		if v := f.value(x)[name]; v.Whole >= 0 {
			if n[v]++; n[v] > n[best] {
				best = v
			}
		}
	}
	return best
}

// sweep makes a proposal for each item.
func (c *chain) sweep(ctx context.Context, temperature float64) error {
	spent := c.trace.Factors
	for n := range len(c.leaf) {
		if n%64 == 0 || c.trace.Factors-spent > 10000 {
			spent = c.trace.Factors
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		a := int32(c.r.Intn(len(c.leaf)))
		b := c.partner(a)
		if b < 0 || c.leaf[a] == c.leaf[b] {
			continue
		}
		i := c.above(c.leaf[a])
		j := c.above(c.leaf[b])
		c.height = len(c.path) - c.f.depth(j)
		if i == j {
			continue
		}
		c.propose(i, j)
		c.choose(temperature)
	}
	return nil
}

// above draws a node from a leaf and those above it.
func (c *chain) above(x int32) int32 {
	c.path = c.path[:0]
	for ; x != none; x = c.f.parent[x] {
		c.path = append(c.path, x)
	}
	return c.path[c.r.Intn(len(c.path))]
}

// partner draws another item that shares a key, −1 for none.
func (c *chain) partner(a int32) int32 {
	if c.lists.Items == nil {
		if len(c.leaf) < 2 {
			return -1
		}
		b := int32(c.r.Intn(len(c.leaf) - 1))
		if b >= a {
			b++
		}
		return b
	}
	lists := c.lists.Lists[a]
	if len(lists) == 0 {
		return -1
	}
	list := c.lists.Items[lists[c.r.Intn(len(lists))]]
	if b := list[c.r.Intn(len(list))]; b != a {
		return b
	}
	return -1
}

// labels are the roots of the items.
func (c *chain) labels() []int32 {
	out := make([]int32, len(c.leaf))
	for i, l := range c.leaf {
		out[i] = c.f.root(l)
	}
	return out
}

// parents are those of items, then of inner nodes. Items of a group are children of the same node.
func (c *chain) parents() []int32 {
	n := int32(len(c.leaf))
	number := make([]int32, len(c.f.parent))
	out := make([]int32, n)
	for l, items := range c.items {
		number[l] = items[0]
		for _, i := range items {
			out[i] = i
		}
		if len(items) > 1 {
			number[l] = int32(len(out))
			out = append(out, number[l])
			for _, i := range items {
				out[i] = number[l]
			}
		}
	}
	for x := c.f.leaves; x < len(c.f.parent); x++ {
		if c.f.children[x] > 0 {
			number[x] = int32(len(out))
			out = append(out, number[x])
		}
	}
	for x, p := range c.f.parent {
		if p != none {
			out[number[x]] = number[p]
		}
	}
	return out
}
