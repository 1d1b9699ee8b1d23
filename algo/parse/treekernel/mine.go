package treekernel

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
)

// Mining are the settings of Mine. None of them changes a kernel.
type Mining struct {
	Size     int     // nodes, or productions, of a subtree that is too large
	Ratio    float64 // places of a subtree for each tree that has it, above which the search ends there
	Searches int     // subtrees that are looked at, at most; where there are more, no vectors are made
	// searches twice, the second time not where all pairs are direct: fewer groups, in about twice the time
	Lean bool
	All  bool // subtrees up to Size are all listed, wherever they are; products are no kernels then
}

// Group is the subtrees that occur in the same trees equally often. Vectors have one coordinate for all of them.
type Group struct {
	Weight   float64 // Σ W(S)
	Subtrees int
	pattern  []uint32 // one of the smallest of them, see Mined.Text
	size     int
}

// Mined is vectors of trees: for all pairs outside of Direct,
//
//	K(i, j) = Σ_g Weight(g)·#g(i)·#g(j).
//
// Groups are listed by tree, and trees by group. It never changes.
type Mined struct {
	Kernel
	Direct  *Pairs // pairs with too many subtrees in common, whose kernels are found from the trees
	Groups  []Group
	Whole   bool // the search ended before Searches; else all pairs are direct
	ofGroup lists
	ofTree  lists
	names   *Alphabet
}

// lists are rows of numbers with counts.
type lists struct {
	offsets []int
	items   []int32
	counts  []float64
}

func (l *lists) row(i int) ([]int32, []float64) {
	from, to := l.offsets[i], l.offsets[i+1]
	return l.items[from:to], l.counts[from:to]
}

func (l *lists) end() { l.offsets = append(l.offsets, len(l.items)) }

// transpose lists rows by item.
func (l *lists) transpose(n int) lists {
	t := lists{offsets: make([]int, n+1), items: make([]int32, len(l.items)), counts: make([]float64, len(l.items))}
	for _, i := range l.items {
		t.offsets[i+1]++
	}
	for i := range n {
		t.offsets[i+1] += t.offsets[i]
	}
	at := slices.Clone(t.offsets)
	for row := 0; row+1 < len(l.offsets); row++ {
		items, counts := l.row(row)
		for k, i := range items {
			t.items[at[i]], t.counts[at[i]] = int32(row), counts[k]
			at[i]++
		}
	}
	return t
}

// errMany ends a search with too many subtrees.
var errMany = errors.New("too many subtrees")

// miner searches for subtrees. A search goes from a subtree to the larger ones that it is part of; it ends at a subtree
// that is too large, or in too many places, and then all pairs of the trees that have it are direct.
type miner struct {
	Kernel
	Mining
	ctx      context.Context
	trees    []*Tree
	pairs    *Pairs
	searches int
	groups   map[[2]uint64]int
	passes   []bool // whether subtrees are registered
	out      *Mined
	gamma    []float64 // by label: the weight of its mark; nil where all are 1
	list     []int32   // of register
	counts   []float64
}

// Mine finds the subtrees that at least two trees share. The trees are of one alphabet.
func Mine(ctx context.Context, k Kernel, o Mining, trees []*Tree, names *Alphabet) (*Mined, error) {
	m := &miner{Kernel: k, Mining: o, ctx: ctx, trees: trees, pairs: NewPairs(len(trees)),
		groups: map[[2]uint64]int{}}
	m.out = &Mined{Kernel: k, Direct: m.pairs, Whole: true, names: names, ofGroup: lists{offsets: []int{0}}}
	m.gamma = k.ofLabels(names)
	if m.passes = []bool{true}; o.Lean { // a pass that only finds the direct pairs comes first
		m.passes = []bool{false, true}
	}
	if o.All {
		m.Ratio = math.Inf(1)
	}
	var err error
	switch k.Family {
	case Partial:
		err = m.partial()
	case SubsetTree:
		err = m.subset()
	default:
		err = m.subtrees()
	}
	if errors.Is(err, errMany) {
		m.out.Whole, m.out.Groups, m.out.ofGroup = false, nil, lists{offsets: []int{0}}
		m.pairs.fill()
		err = nil
	}
	m.out.ofTree = m.out.ofGroup.transpose(len(trees))
	return m.out, err
}

// ofLabels are the weights of the marks of labels, nil where all are 1.
func (k Kernel) ofLabels(names *Alphabet) []float64 {
	if len(k.Weights) == 0 {
		return nil
	}
	out := make([]float64, names.Len())
	for i, name := range names.names {
		out[i] = 1
		if names.marked[i] {
			_, mark, _ := strings.Cut(name, markSign)
			out[i] = k.weight(mark)
		}
	}
	return out
}

// weigh multiplies the weights of the marks of labels.
func (m *miner) weigh(product float64, labels []uint32) float64 {
	if m.gamma != nil {
		for _, l := range labels {
			product *= m.gamma[l]
		}
	}
	return product
}

// look counts a step of the search.
func (m *miner) look() error {
	if m.searches++; m.searches&15 == 1 && m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	if m.searches > m.Searches {
		return errMany
	}
	return nil
}

// register adds a subtree with the product of the weights of its marks and the trees of its places, in order; write
// tells what it looks like.
func (m *miner) register(size int, gamma float64, places func(yield func(tree int32) bool), write func() []uint32) {
	m.list, m.counts = m.list[:0], m.counts[:0]
	for t := range places {
		if n := len(m.list); n > 0 && m.list[n-1] == t {
			m.counts[n-1]++
		} else {
			m.list, m.counts = append(m.list, t), append(m.counts, 1)
		}
	}
	h := [2]uint64{uint64(len(m.list)), 1}
	for i, t := range m.list {
		x := scramble(uint64(t) ^ scramble(math.Float64bits(m.counts[i])))
		h[0] = scramble(h[0] ^ x)
		h[1] = scramble(h[1] + 0x9e3779b97f4a7c15*x)
	}
	out := m.out
	g, known := m.groups[h]
	if !known {
		g = len(out.Groups)
		m.groups[h], out.Groups = g, append(out.Groups, Group{size: math.MaxInt})
		out.ofGroup.items, out.ofGroup.counts = append(out.ofGroup.items, m.list...), append(out.ofGroup.counts,
			m.counts...)
		out.ofGroup.end()
	}
	group := &out.Groups[g]
	group.Weight += math.Pow(m.Decay, float64(size)) * gamma
	group.Subtrees++
	if size < group.size {
		group.size, group.pattern = size, write()
	}
}

// scramble is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// reaches tells whether a node of [from, to) has a mark.
func (t *Tree) reaches(from, to int32) bool {
	i, _ := slices.BinarySearch(t.marks, from)
	return i < len(t.marks) && t.marks[i] < to
}

// Support is the number of trees that have the subtrees of a group.
func (m *Mined) Support(group int) int {
	return m.ofGroup.offsets[group+1] - m.ofGroup.offsets[group]
}

// Each calls do with the groups of a tree, and how often they occur in it.
func (m *Mined) Each(tree int, do func(group int, count float64)) {
	groups, counts := m.ofTree.row(tree)
	for k, g := range groups {
		do(int(g), counts[k])
	}
}

// Text writes one of the smallest subtrees of a group in brackets. A pattern is depth and label of each node.
func (m *Mined) Text(group int) string {
	var b strings.Builder
	depth := -1
	p := m.Groups[group].pattern
	for i := 0; i < len(p); i += 2 {
		for ; depth >= int(p[i]); depth-- {
			b.WriteByte(')')
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("(" + strings.Replace(m.names.names[p[i+1]], markSign, "*", 1))
		depth = int(p[i])
	}
	return b.String() + strings.Repeat(")", depth+1)
}
