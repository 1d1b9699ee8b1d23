package record

import "parlance/algo/engine/partition"

// Dense is the affinity of a Local by the matrix of all pairs and a table of sums, a row a cluster: a sum is one
// number, a move adds a row to another. It takes 16 n² bytes.
type Dense struct {
	n     int
	item  int
	pair  []int64 // n × n, 0 on the diagonal
	sum   []int64 // of each cluster with each item
	pairs int64   // factors evaluated to build the matrix
}

// NewDense returns the affinity of a state. It takes the room of the one before it of the same Localizer.
func NewDense(l *Local, state *partition.Partition) *Dense {
	n := l.N
	room := l.room.take(2 * n * n)
	d := &Dense{n: n, pair: room[:n*n], sum: room[n*n:], pairs: int64(n) * int64(n-1) / 2}
	clear(d.sum)
	d.fill(l)
	for i := range n {
		d.add(state.Cluster(i), i, 1)
	}
	return d
}

// fill adds, for each key, the products of the items that have it.
func (d *Dense) fill(l *Local) {
	for i := range d.pair {
		d.pair[i] = -l.Bias
	}
	ends := make([]int32, l.keys+1)
	for _, e := range l.entries {
		ends[e.key+1]++
	}
	for k := range l.keys {
		ends[k+1] += ends[k]
	}
	type posting struct{ item, value, weighted int32 }
	list := make([]posting, len(l.entries))
	at := append([]int32(nil), ends[:l.keys]...)
	for i := range l.N {
		for _, e := range l.of(int32(i)) {
			list[at[e.key]] = posting{int32(i), e.value, e.weighted}
			at[e.key]++
		}
	}
	for k := range l.keys {
		with := list[ends[k]:ends[k+1]]
		for _, a := range with {
			row, w := d.pair[int(a.item)*d.n:int(a.item+1)*d.n], int64(a.weighted)
			for _, b := range with {
				row[b.item] += w * int64(b.value)
			}
		}
	}
	for i := range d.n {
		d.pair[i*d.n+i] = 0
	}
}

// add adds the factors of an item to the sums of a cluster, or takes them away.
func (d *Dense) add(cluster, item int, sign int64) {
	row, from := d.sum[cluster*d.n:(cluster+1)*d.n], d.pair[item*d.n:(item+1)*d.n]
	from = from[:len(row)]
	if sign > 0 {
		for i := range row {
			row[i] += from[i]
		}
		return
	}
	for i := range row {
		row[i] -= from[i]
	}
}

// Built is how many factors the matrix took.
func (d *Dense) Built() int64 { return d.pairs }

// Select makes an item the one whose factors are asked for.
func (d *Dense) Select(item int32) { d.item = int(item) }

// Pair is the factor with another item.
func (d *Dense) Pair(other int32) int64 { return d.pair[d.item*d.n+int(other)] }

// Sum is the sum of the factors with the other members of a cluster.
func (d *Dense) Sum(cluster int, _ bool) int64 { return d.sum[cluster*d.n+d.item] }

// Moved takes the factors of the item from one cluster to the other.
func (d *Dense) Moved(item int32, from, to int, _ *partition.Partition) {
	d.add(from, int(item), -1)
	d.add(to, int(item), 1)
}

// Bags is the affinity of a Local by the sum of the vectors of each cluster: the factor is a product of vectors, so
// that
//
//	Σ_{x ∈ B} f(m, x) = w·v_m · Σ_{x ∈ B} v_x − |B| · bias
//
// and costs as much as one factor. Small clusters have no sums.
type Bags struct {
	*Pairs
	state *partition.Partition
	sums  []Bag // of each cluster, empty for small ones
	self  []int64
}

// Clusters get a sum when they reach the upper number of members, and lose it when they fall to the lower one.
const (
	bagFrom = 8
	bagTo   = 4
)

// NewBags returns the affinity of a state.
func NewBags(l *Local, state *partition.Partition) *Bags {
	b := &Bags{Pairs: NewPairs(l), state: state, sums: make([]Bag, l.N), self: make([]int64, l.N)}
	for i := range l.N {
		for _, e := range l.of(int32(i)) {
			b.self[i] += int64(e.weighted) * int64(e.value)
		}
	}
	for _, c := range state.Clusters() {
		if state.Size(int(c)) >= bagFrom {
			b.build(int(c))
		}
	}
	return b
}

// build makes the sum of a cluster.
func (b *Bags) build(cluster int) {
	s := &b.sums[cluster]
	for _, x := range b.state.Members(cluster) {
		s.row(b.l.of(x), 1)
	}
}

// Sum is the sum of the factors with the other members of a cluster.
func (b *Bags) Sum(cluster int, has bool) int64 {
	s := &b.sums[cluster]
	members := b.state.Members(cluster)
	if s.slots == nil {
		sum := int64(0)
		for _, x := range members {
			if x != b.item {
				sum += b.Pair(x)
			}
		}
		return sum
	}
	sum, others := int64(0), int64(len(members))
	if has {
		sum, others = -b.self[b.item], others-1
	}
	for _, e := range b.l.of(b.item) {
		sum += int64(e.weighted) * s.Of(e.key)
	}
	return sum - others*b.l.Bias
}

// Moved changes the sums of both clusters.
func (b *Bags) Moved(item int32, from, to int, state *partition.Partition) {
	if s := &b.sums[from]; s.slots != nil {
		if state.Size(from) <= bagTo {
			*s = Bag{}
		} else {
			s.row(b.l.of(item), -1)
		}
	}
	if s := &b.sums[to]; s.slots != nil {
		s.row(b.l.of(item), 1)
	} else if state.Size(to) >= bagFrom {
		b.build(to)
	}
}

// row adds a vector to a sum, or takes it away.
func (s *Bag) row(row []component, sign int64) {
	for _, e := range row {
		s.Add(e.key, sign*int64(e.value))
	}
}
