package sealed

import (
	"bytes"
	"context"
	"fmt"
)

// walk verifies how the pages of a state lead to each other: each is part of one tree, or of the list of free pages,
// or free.
type walk struct {
	pages
	ctx     context.Context
	leaves  bool // leaves are read as well
	good    verified
	reached pageSet
	isFree  pageSet
	ends    pageSet // leaves that were not read
	names   map[string]Sum
	sums    map[string]Sum
	say     func(*Damage)
}

func (w *walk) tell(id uint64, bucket string, key []byte, format string, args ...any) {
	w.say(&Damage{id, bucket, bytes.Clone(key), fmt.Sprintf(format, args...)})
}

// run walks the state that a meta page describes.
func (w *walk) run(root, free uint64) error {
	n := w.end()
	w.reached, w.isFree, w.ends = newPageSet(n), newPageSet(n), newPageSet(n)
	w.names, w.sums = map[string]Sum{}, map[string]Sum{}
	w.reached.add(0)
	w.reached.add(1)
	w.free(free)
	if err := w.list(root, nil, nil, 0); err != nil {
		return err
	}
	w.continued()
	if w.leaves {
		w.lost()
	}
	w.compare()
	return nil
}

// free reads the list of free pages, which ascend.
func (w *walk) free(id uint64) {
	list, p, ok := w.pages.free(id)
	if !ok {
		w.tell(id, "", nil, "it is no list of free pages")
		return
	}
	if !w.reach(id, p, "") {
		return
	}
	last := uint64(1)
	for ; len(list) > 0; list = list[8:] {
		free := word64(list, 0)
		switch {
		case free >= w.end():
			w.tell(id, "", nil, "page %d is free, but there are only %d", free, w.end())
			return
		case free <= last:
			w.tell(id, "", nil, "page %d is out of order in the list of free pages", free)
			return
		case w.reached.has(free):
			w.tell(free, "", nil, "it is in the list of free pages, which it holds")
			return
		}
		w.isFree.add(free)
		last = free
	}
}

// reach marks a page and those that continue it; it returns false if one is reached twice or free.
func (w *walk) reach(id uint64, p page, bucket string) bool {
	for i, end := id, id+p.more(); i <= end; i++ {
		if w.reached.has(i) || w.isFree.has(i) {
			what := "it is reached twice"
			if w.isFree.has(i) {
				what = "it is in use, but free"
			}
			w.tell(i, bucket, nil, "%s", what)
			return false
		}
		w.reached.add(i)
	}
	return true
}

// page reads a page of a tree; ok is false if it is damaged, which is told.
func (w *walk) page(id uint64, bucket string, low, high []byte) (p page, ok bool) {
	if p, ok = w.tight(id); !ok {
		w.tell(id, bucket, low, "its elements are not what was written, or it is another page")
		return nil, false
	}
	if !w.reach(id, p, bucket) {
		return nil, false
	}
	n := p.count()
	if n > 0 && (low != nil && !bytes.Equal(low, p.key(0)) || high != nil && bytes.Compare(p.key(n-1), high) >= 0) {
		w.tell(id, bucket, low, "its keys are not those of the branch above")
		return nil, false
	}
	return p, true
}

// list walks a page of the list of buckets, whose leaves are always read.
func (w *walk) list(id uint64, low, high []byte, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth == deepest {
		w.tell(id, "", nil, "it is too deep")
		return nil
	}
	p, ok := w.page(id, "", low, high)
	if !ok {
		return nil
	}
	for i := range p.count() {
		var err error
		if p.kind() == branchKind {
			key, child := p.branch(i)
			err = w.list(child, key, w.next(p, i, high), depth+1)
		} else {
			err = w.bucket(p, i)
		}
		if err != nil {
			return err
		}
	}
	w.good.add(id, p)
	return nil
}

// next is the key behind an element of a branch.
func (w *walk) next(p page, i int, high []byte) []byte {
	if i+1 < p.count() {
		return p.key(i + 1)
	}
	return high
}

// bucket walks a bucket: its root, or its only page, which lies within the list.
func (w *walk) bucket(p page, i int) error {
	name, head := p.leaf(i)
	if word32(p, headerSize+i*elementSize) != bucketFlag || len(head) < bucketSize || word64(head, 8) != 0 {
		w.tell(p.id(), string(name), nil, "it is no bucket")
		return nil
	}
	w.names[string(name)] = Sum{}
	if root := word64(head, 0); root > 0 {
		return w.tree(root, string(name))
	}
	inline := page(head[bucketSize:])
	if len(inline) < headerSize || inline.id() != 0 || inline.kind() != leafKind || inline.more() != 0 {
		w.tell(p.id(), string(name), nil, "its page is not what was written")
		return nil
	}
	if end, ok := inline.extent(); !ok || end != len(inline) || !sealedEntries(inline, seed(name)) {
		w.tell(p.id(), string(name), nil, "an entry is not what was written")
		return nil
	}
	w.entries(inline, string(name))
	return nil
}

// tree walks the tree of a bucket. All leaves are at the same depth, that of the first one.
func (w *walk) tree(root uint64, bucket string) error {
	levels, id := 0, root
	for p, ok := w.at(id); ok && p.kind() == branchKind && levels < deepest; p, ok = w.at(id) {
		if p, ok = w.tight(id); !ok || p.count() == 0 {
			w.tell(id, bucket, nil, "its elements are not what was written")
			return nil
		}
		_, id = p.branch(0)
		levels++
	}
	return w.below(root, bucket, levels, nil, nil)
}

// below walks the subtree of a page that many levels above the leaves.
func (w *walk) below(id uint64, bucket string, levels int, low, high []byte) error {
	if levels == 0 && !w.leaves {
		return w.leafUnread(id, bucket, low)
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	p, ok := w.page(id, bucket, low, high)
	if !ok {
		return nil
	}
	if p.count() == 0 || (p.kind() == leafKind) != (levels == 0) {
		w.tell(id, bucket, low, "it is no page of its level")
		return nil
	}
	if levels == 0 {
		if !sealedEntries(p, seed([]byte(bucket))) {
			w.tell(id, bucket, low, "an entry is not what was written")
		}
		w.entries(p, bucket)
		return nil
	}
	for i := range p.count() {
		key, child := p.branch(i)
		if err := w.below(child, bucket, levels-1, key, w.next(p, i, high)); err != nil {
			return err
		}
	}
	w.good.add(id, p)
	return nil
}

// leafUnread marks a leaf by its number alone.
func (w *walk) leafUnread(id uint64, bucket string, low []byte) error {
	switch {
	case id < 2 || id >= w.end():
		w.tell(id, bucket, low, "it is out of bounds, there are %d", w.end())
	case w.reached.has(id):
		w.tell(id, bucket, low, "it is reached twice")
	case w.isFree.has(id):
		w.tell(id, bucket, low, "it is in use, but free")
	default:
		w.reached.add(id)
		w.ends.add(id)
	}
	return nil
}

// entries adds those of a leaf to the sum of its bucket.
func (w *walk) entries(p page, bucket string) {
	sum := w.names[bucket]
	for i := range p.count() {
		k, v := p.leaf(i)
		if len(v) < sealSize {
			continue // was told
		}
		if bucket == string(sums) && len(v) == sumSize+sealSize {
			w.sums[string(k)] = decodeSum(v)
		}
		sum.add(k, v)
	}
	w.names[bucket] = sum
}

// continued reads the heads of unread leaves that may have further pages: those before a page that is free or was not
// reached. The pages of a leaf are in use, so none may be free.
func (w *walk) continued() {
	for id := uint64(2); id < w.end(); id++ {
		if w.ends[id/64]>>(id%64) == 0 {
			id |= 63
			continue
		}
		if !w.ends.has(id) || id+1 < w.end() && w.reached.has(id+1) {
			continue
		}
		p, ok := w.at(id)
		if !ok {
			w.tell(id, "", nil, "it is another page, or out of bounds")
			continue
		}
		for i := id + 1; i <= id+p.more(); i++ {
			if w.reached.has(i) || w.isFree.has(i) {
				w.tell(i, "", nil, "it continues page %d, but is free or another one", id)
				break
			}
			w.reached.add(i)
		}
	}
}

// lost tells of pages that nothing leads to.
func (w *walk) lost() {
	for id := uint64(2); id < w.end(); id++ {
		if !w.reached.has(id) && !w.isFree.has(id) {
			w.tell(id, "", nil, "it is in no tree and not free")
		}
	}
}

// compare finds buckets without a sum, sums without a bucket and, where leaves were read, entries that are missing or
// of another state.
func (w *walk) compare() {
	for name, got := range w.names {
		want, ok := w.sums[name]
		switch {
		case name == string(sums):
		case !ok:
			w.tell(0, name, nil, "nothing tells how many entries it has")
		case w.leaves && got.Count != want.Count:
			w.tell(0, name, nil, "it has %d entries, %d are expected", got.Count, want.Count)
		case w.leaves && got != want:
			w.tell(0, name, nil, "entries are of another state")
		}
	}
	for name := range w.sums {
		if _, ok := w.names[name]; !ok {
			w.tell(0, name, nil, "it is missing")
		}
	}
}
