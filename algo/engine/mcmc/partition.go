package mcmc

import (
	"math"

	"parlance/algo/engine/partition"
)

// Unit is the number that stands for a log factor of 1: factors of pairs are integers, so that sums of them are exact
// in any order.
const Unit = 1 << 36

// Affinity gives the log factors of pairs of items, in units of 1/Unit.
type Affinity interface {
	// Select makes an item the one whose factors are asked for.
	Select(item int32)
	// Pair is the factor of the selected item and another.
	Pair(other int32) int64
}

// Sums is an affinity that knows the sums over clusters without a look at their members.
type Sums interface {
	Affinity
	// Sum is the sum of the factors of the selected item with the other members of a cluster; has tells whether it is
	// a member itself.
	Sum(cluster int, has bool) int64
	// Moved tells that an item has moved; members are those of the clusters after that.
	Moved(item int32, from, to int, state *partition.Partition)
}

// Proposal says how a change of a partition is drawn. An item is drawn uniformly in both.
type Proposal uint8

// The proposals.
const (
	// ByCluster moves the item to a cluster drawn from all others and, unless it is alone, an empty one. It is
	// symmetric.
	ByCluster Proposal = iota
	// ByPartner draws a second item. From the same cluster, the first one goes into a cluster of its own, else it goes
	// to the cluster of the second.
	ByPartner
)

// Proposals are their names.
var Proposals = []string{"cluster", "partner"}

// Partition is the world of clusterings under factors of pairs (Singh, Wick and McCallum 2012; Singh et al. 2011):
//
//	Ψ(y) = Σ over clusters of Σ over pairs in the cluster of f(i, j)
//
// Items that must be together move together; items that must not be are never brought together.
type Partition struct {
	State *partition.Partition

	affinity Affinity
	sums     Sums // nil where the affinity has none
	proposal Proposal
	partners Partners
	merge    int // whole clusters of at most this many items join others too

	group  []int32   // the first item that an item must be with; nil: itself
	bound  [][]int32 // members of groups of several items, by their first
	cannot map[int32][]int32

	moved    []int32 // the items of the proposal
	one      [1]int32
	from, to int // to = −1 stands for an empty cluster
	draws    draws

	targets []int32 // of a Gibbs step: the clusters that the item can be drawn into
	scores  []float64
	met     []int64 // of each cluster the last meeting that it was in
	meeting int64
}

// Partners are lists of items from which ByPartner draws the second one; nil is one list of all. Lists tells for
// each item the lists that it is in.
type Partners struct {
	Items [][]int32
	Lists [][]int32
}

// PartitionOptions are how a partition is changed.
type PartitionOptions struct {
	Proposal Proposal
	Partners Partners
	Merge    int        // of ByPartner: up to how many items clusters are moved whole too, 0 for never; not to sample
	Must     []int32    // for each item the first item of those that it must be with; nil for none
	Cannot   [][2]int32 // items that must not be together
}

// NewPartition returns the world of a state, which must keep to what must and must not be together.
func NewPartition(state *partition.Partition, affinity Affinity, o PartitionOptions) *Partition {
	w := &Partition{State: state, affinity: affinity, proposal: o.Proposal, partners: o.Partners, merge: o.Merge}
	w.sums, _ = affinity.(Sums)
	if o.Must != nil {
		w.group, w.bound = o.Must, make([][]int32, len(o.Must))
		for i, first := range o.Must {
			w.bound[first] = append(w.bound[first], int32(i))
		}
	}
	if len(o.Cannot) > 0 {
		w.cannot = map[int32][]int32{}
		for _, c := range o.Cannot {
			a, b := w.first(c[0]), w.first(c[1])
			w.cannot[a] = append(w.cannot[a], b)
			w.cannot[b] = append(w.cannot[b], a)
		}
	}
	return w
}

// first is the first item of those that an item must be with.
func (w *Partition) first(item int32) int32 {
	if w.group == nil {
		return item
	}
	return w.group[item]
}

// together are the items that move with an item.
func (w *Partition) together(item int32) []int32 {
	if w.group != nil {
		if g := w.bound[w.group[item]]; len(g) > 1 {
			return g
		}
	}
	w.one[0] = item
	return w.one[:]
}

// Propose draws a move of an item, with those that it must be with.
func (w *Partition) Propose(r *Rand) bool {
	m := int32(r.Intn(w.State.Len()))
	w.moved = w.together(m)
	w.from = w.State.Cluster(int(m))
	if w.proposal == ByCluster {
		return w.byCluster(r)
	}
	x := w.partner(m, r)
	if x < 0 || w.first(x) == w.first(m) {
		return false
	}
	w.to = w.State.Cluster(int(x))
	if w.to == w.from {
		w.to = -1
		return true
	}
	if size := w.State.Size(w.from); w.merge > 1 && size > len(w.moved) && size <= w.merge && r.Uint64()>>63 == 0 {
		w.moved = w.State.Members(w.from)
	}
	return w.allowed()
}

// byCluster draws another cluster: all have the same chance, and so has an empty one unless the item is alone.
func (w *Partition) byCluster(r *Rand) bool {
	ids := w.State.Clusters()
	n := len(ids) - 1
	if w.State.Size(w.from) > len(w.moved) {
		n++
	}
	if n == 0 {
		return false
	}
	k := r.Intn(n)
	if k == len(ids)-1 {
		w.to = -1
		return true
	}
	if w.to = int(ids[k]); w.to == w.from {
		w.to = int(ids[len(ids)-1])
	}
	return w.allowed()
}

// partner draws another item from a list of the item, −1 where there is none.
func (w *Partition) partner(m int32, r *Rand) int32 {
	if w.partners.Items == nil {
		n := w.State.Len()
		if n < 2 {
			return -1
		}
		x := int32(r.Intn(n - 1))
		if x >= m {
			x++
		}
		return x
	}
	lists := w.partners.Lists[m]
	if len(lists) == 0 {
		return -1
	}
	list := w.partners.Items[lists[r.Intn(len(lists))]]
	x := list[r.Intn(len(list))]
	if x == m {
		return -1
	}
	return x
}

// allowed tells whether nothing in the target must not be with what is moved.
func (w *Partition) allowed() bool {
	if w.cannot == nil {
		return true
	}
	for _, m := range w.moved {
		for _, c := range w.cannot[w.first(m)] {
			if w.State.Cluster(int(c)) == w.to {
				return false
			}
		}
	}
	return true
}

// LogRatio is 0 for ByCluster, which is symmetric. ByPartner reaches a cluster B with a probability ∝ |B|, and the
// way back to A without the moved items with one ∝ |A| − |moved|; splits and their inverses have the same. Where
// items are in several lists, moves from one cluster to another are left out: a split and a join do the same.
func (w *Partition) LogRatio() float64 {
	if w.proposal == ByCluster || w.to < 0 {
		return 0
	}
	stay := w.State.Size(w.from) - len(w.moved)
	if stay == 0 {
		return 0
	}
	if len(w.partners.Items) > 1 {
		return math.Inf(-1)
	}
	return math.Log(float64(stay) / float64(w.State.Size(w.to)))
}

// Delta is the sum of the factors with the items of the target less those with the items that stay.
func (w *Partition) Delta(s *Sampler, r *Rand) (float64, int) {
	if s.Strategy != Exact {
		return w.estimate(s, r)
	}
	add, n := int64(0), 0
	for _, m := range w.moved {
		w.affinity.Select(m)
		if w.to >= 0 {
			x, k := w.with(m, w.to, false)
			add, n = add+x, n+k
		}
		if w.State.Size(w.from) > len(w.moved) {
			x, k := w.with(m, w.from, true)
			add, n = add-x, n+k
			for _, o := range w.moved { // they stay together
				if o != m {
					add += w.affinity.Pair(o)
					n++
				}
			}
		}
	}
	return float64(add) / Unit, n
}

// with is the sum of the factors of the selected item with the other members of a cluster.
func (w *Partition) with(m int32, cluster int, has bool) (int64, int) {
	if w.sums != nil {
		return w.sums.Sum(cluster, has), 1
	}
	sum, n := int64(0), 0
	for _, x := range w.State.Members(cluster) {
		if x != m {
			sum += w.affinity.Pair(x)
			n++
		}
	}
	return sum, n
}

// estimate is Delta from a part of the factors: each side of each moved item has draws of its own.
func (w *Partition) estimate(s *Sampler, r *Rand) (float64, int) {
	sum, n := 0.0, 0
	for _, m := range w.moved {
		w.affinity.Select(m)
		if w.to >= 0 {
			x, k := w.side(s, r, w.to)
			sum, n = sum+x, n+k
		}
		if w.State.Size(w.from) > len(w.moved) {
			x, k := w.side(s, r, w.from)
			sum, n = sum-x, n+k
		}
	}
	return sum, n
}

// side estimates the sum of the factors of the selected item with the members of a cluster that are not moved.
func (w *Partition) side(s *Sampler, r *Rand, cluster int) (float64, int) {
	members := w.State.Members(cluster)
	others := len(members)
	if cluster == w.from {
		others -= len(w.moved)
	}
	v, n := s.Sum(others, func() float64 {
		for {
			x := members[w.draws.next(len(members), r)]
			if cluster != w.from || !w.moves(x) {
				return float64(w.affinity.Pair(x)) / Unit
			}
		}
	})
	w.draws.reset()
	return v, n
}

// moves tells whether an item is among the moved.
func (w *Partition) moves(x int32) bool {
	if len(w.moved) == 1 {
		return w.moved[0] == x
	}
	return w.first(w.moved[0]) == w.first(x) // whole clusters have no side that stays
}

// Accept makes the move.
func (w *Partition) Accept() {
	if len(w.moved) > 1 && w.State.Size(w.from) == len(w.moved) {
		w.moved = append([]int32(nil), w.moved...) // the members of a cluster change with it
	}
	to := w.to
	for i, m := range w.moved {
		if i == 0 && to < 0 {
			to = w.State.Isolate(int(m))
		} else {
			w.State.Move(int(m), to)
		}
		if w.sums != nil {
			w.sums.Moved(m, w.from, to, w.State)
		}
	}
}

// Score is Ψ of the state from all pairs: O(Σ |cluster|²).
func (w *Partition) Score() float64 {
	total := 0.0
	for _, c := range w.State.Clusters() {
		sum := int64(0)
		members := w.State.Members(int(c))
		for i, a := range members {
			w.affinity.Select(a)
			for _, b := range members[:i] {
				sum += w.affinity.Pair(b)
			}
		}
		total += float64(sum) / Unit
	}
	return total
}
