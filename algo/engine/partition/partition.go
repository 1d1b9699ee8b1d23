package partition

import (
	"errors"
	"fmt"
)

// ErrInvalid tells that numbers given to the package make no sense.
var ErrInvalid = errors.New("invalid partition")

// Partition is a clustering of items from 0 on. Clusters have ids below the number of items, which they keep while
// they have members; ids of clusters that became empty are used again. A partition belongs to one goroutine.
type Partition struct {
	cluster []int32 // of each item
	at      []int32 // place of each item among the members of its cluster

	blocks []block
	arena  []int32
	free   [32][]int32 // starts of unused blocks by the logarithm of their capacity

	ids   []int32 // those in use first
	place []int32 // of each id in ids
	used  int

	recording bool
	changes   []change
}

// block is the members of a cluster: arena[start:start+size], with room for 1<<log.
type block struct {
	start, size int32
	log         int8 // −1 for none
}

// change is what takes a move back.
type change struct {
	item, from, at int32
	opened, closed int32 // places of ids that came into use and went out of it, −1 for none
}

// New returns n clusters of one item each; the id of each is its item.
func New(n int) *Partition {
	p := &Partition{cluster: make([]int32, n), at: make([]int32, n), blocks: make([]block, n), arena: make([]int32, n),
		ids: make([]int32, n), place: make([]int32, n), used: n}
	for i := range int32(n) {
		p.cluster[i], p.blocks[i], p.arena[i], p.ids[i], p.place[i] = i, block{start: i, size: 1}, i, i, i
	}
	return p
}

// FromLabels returns the clusters of items with equal labels. Their ids rise with their first items, from 0 on.
func FromLabels(labels []int32) *Partition {
	n := len(labels)
	p := New(n)
	first := make(map[int32]int32, n)
	for i, y := range labels {
		if f, ok := first[y]; ok {
			p.Move(i, int(p.cluster[f]))
			continue
		}
		first[y] = int32(i)
		if c := len(first) - 1; c != i {
			p.Move(i, c) // its id is free: the item c has joined a cluster before
		}
	}
	return p
}

// Len returns the number of items.
func (p *Partition) Len() int { return len(p.cluster) }

// Cluster returns the id of the cluster of an item.
func (p *Partition) Cluster(item int) int { return int(p.cluster[item]) }

// Size returns the number of members of a cluster, 0 for an id that is not in use.
func (p *Partition) Size(cluster int) int { return int(p.blocks[cluster].size) }

// Members returns the members of a cluster in no order that means anything. They must not be changed, and hold until
// the next change of the partition.
func (p *Partition) Members(cluster int) []int32 {
	b := p.blocks[cluster]
	return p.arena[b.start : b.start+b.size]
}

// Clusters returns the ids in use in no order that means anything: a random one is a random cluster. They must not be
// changed, and hold until the next change of the partition.
func (p *Partition) Clusters() []int32 { return p.ids[:p.used] }

// Move puts an item into a cluster, which may be an id that is not in use. It costs O(1) amortised.
func (p *Partition) Move(item, cluster int) {
	from, to := p.cluster[item], int32(cluster)
	if from == to {
		return
	}
	c := change{item: int32(item), from: from, at: p.at[item], opened: -1, closed: -1}
	if p.blocks[to].size == 0 {
		c.opened = p.open(to)
	}
	b := &p.blocks[from]
	members := p.arena[b.start : b.start+b.size]
	last := members[b.size-1]
	members[c.at], p.at[last] = last, c.at
	if b.size--; b.size == 0 {
		c.closed = p.close(from)
	}
	p.push(int32(item), to)
	if p.recording {
		p.changes = append(p.changes, c)
	}
}

// Isolate puts an item into a cluster of its own and returns the id of that.
func (p *Partition) Isolate(item int) int {
	if c := p.cluster[item]; p.blocks[c].size == 1 {
		return int(c)
	}
	c := int(p.ids[p.used]) // there are as many ids as items, and two items share one
	p.Move(item, c)
	return c
}

// Merge moves all members of a cluster into another. It costs O(members moved).
func (p *Partition) Merge(into, from int) {
	if into == from {
		return
	}
	for p.blocks[from].size > 0 {
		b := p.blocks[from]
		p.Move(int(p.arena[b.start+b.size-1]), into)
	}
}

// Begin starts to record changes.
func (p *Partition) Begin() { p.recording, p.changes = true, p.changes[:0] }

// Commit keeps the changes since Begin.
func (p *Partition) Commit() { p.recording, p.changes = false, p.changes[:0] }

// Rollback takes back all changes since Begin: clusters, ids and all orders are what they were.
func (p *Partition) Rollback() {
	for i := len(p.changes) - 1; i >= 0; i-- {
		p.revert(p.changes[i])
	}
	p.Commit()
}

func (p *Partition) revert(c change) {
	to := p.cluster[c.item]
	b := &p.blocks[to]
	b.size-- // the item is the last member
	if c.closed >= 0 {
		p.swap(c.closed, int32(p.used))
		p.used++
	}
	if b.size == 0 {
		p.release(to)
	}
	if c.opened >= 0 {
		p.used--
		p.swap(c.opened, int32(p.used))
	}
	p.push(c.item, c.from)
	f := p.blocks[c.from]
	members := p.arena[f.start : f.start+f.size]
	last, other := f.size-1, members[c.at]
	members[c.at], members[last] = c.item, other
	p.at[other], p.at[c.item] = last, c.at
}

// push appends a member.
func (p *Partition) push(item, to int32) {
	b := &p.blocks[to]
	if b.log < 0 || b.size == 1<<b.log {
		p.grow(b)
	}
	p.arena[b.start+b.size] = item
	p.cluster[item], p.at[item] = to, b.size
	b.size++
}

// grow gives a block twice the room.
func (p *Partition) grow(b *block) {
	log := b.log + 1
	var start int32
	if list := p.free[log]; len(list) > 0 {
		start, p.free[log] = list[len(list)-1], list[:len(list)-1]
	} else {
		start = int32(len(p.arena))
		p.arena = append(p.arena, make([]int32, 1<<log)...)
	}
	copy(p.arena[start:], p.arena[b.start:b.start+b.size])
	if b.log >= 0 {
		p.free[b.log] = append(p.free[b.log], b.start)
	}
	b.start, b.log = start, log
}

// open brings an id into use, and returns its place before.
func (p *Partition) open(c int32) int32 {
	i := p.place[c]
	p.swap(i, int32(p.used))
	p.used++
	return i
}

// close takes an id out of use, and returns its place before.
func (p *Partition) close(c int32) int32 {
	p.release(c)
	i := p.place[c]
	p.used--
	p.swap(i, int32(p.used))
	return i
}

// release gives the room of an empty cluster back.
func (p *Partition) release(c int32) {
	b := &p.blocks[c]
	p.free[b.log] = append(p.free[b.log], b.start)
	b.start, b.log = 0, -1
}

func (p *Partition) swap(i, j int32) {
	a, b := p.ids[i], p.ids[j]
	p.ids[i], p.ids[j] = b, a
	p.place[a], p.place[b] = j, i
}

// Labels appends the clusters of all items to dst, numbered from 0 by their first items.
func (p *Partition) Labels(dst []int32) []int32 { return appendLabels(dst, p.cluster) }

// appendLabels numbers the clusters by their first items; ids are below the number of items.
func appendLabels(dst, cluster []int32) []int32 {
	number, next := make([]int32, len(cluster)), int32(0)
	for _, c := range cluster {
		if number[c] == 0 {
			next++
			number[c] = next
		}
		dst = append(dst, number[c]-1)
	}
	return dst
}

// Check looks for what is wrong in the state of the partition: nothing, unless memory was changed that must not be.
func (p *Partition) Check() error {
	members, taken := 0, 0
	for c, b := range p.blocks {
		used := int(p.place[c]) < p.used
		if (b.size > 0) != used || p.ids[p.place[c]] != int32(c) || used && b.size > 1<<b.log {
			return fmt.Errorf("%w: cluster %d", ErrInvalid, c)
		}
		for i, item := range p.Members(c) {
			if p.cluster[item] != int32(c) || p.at[item] != int32(i) {
				return fmt.Errorf("%w: item %d", ErrInvalid, item)
			}
		}
		members += int(b.size)
		if b.log >= 0 {
			taken += 1 << b.log
		}
	}
	for log, list := range p.free {
		taken += len(list) << log
	}
	if members != len(p.cluster) || taken != len(p.arena) {
		return fmt.Errorf("%w: %d members of %d items, %d places of %d", ErrInvalid, members, len(p.cluster),
			taken, len(p.arena))
	}
	return nil
}
