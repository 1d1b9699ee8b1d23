package sealed

import (
	"bytes"
	"math/bits"
	"slices"
	"unsafe"
)

// tree is the tree of a bucket in the state that a transaction found. It verifies pages before bbolt uses them, which
// trusts what it reads.
type tree struct {
	pages
	good   verified
	bucket string
	seed   uint32
	root   uint64 // 0 if the bucket lies in the list of buckets, which was verified when the file was opened
}

// step is a page on the way from the root to a leaf, and which child the way takes.
type step struct {
	p    page
	next int
}

// edge is the key of which leaf is looked for: the first, or the last one.
type edge int

const (
	firstLeaf edge = iota
	lastLeaf
)

// way is the way from the root to a leaf, which is its last step.
type way []step

func (w way) leaf() page { return w[len(w)-1].p }

// near appends the way to the leaf where a key belongs; each page on it is verified.
func (t *tree) near(w way, key []byte) way {
	return t.down(w, t.root, nil, nil, func(p page) int { return p.within(key) })
}

// atEdge returns the way to the first or the last leaf.
func (t *tree) atEdge(e edge) way { return t.down(nil, t.root, nil, nil, e.of) }

func (e edge) of(p page) int {
	if e == firstLeaf {
		return 0
	}
	return p.count() - 1
}

// down appends the way from a page, whose keys should be in [low, high) as far as these are not nil, to a leaf.
func (t *tree) down(w way, id uint64, low, high []byte, choose func(page) int) way {
	for {
		p := t.verify(id, low, high)
		if p.kind() == leafKind {
			return append(w, step{p, 0})
		}
		if len(w) == deepest {
			t.damaged(id, low, "it is too deep")
		}
		i := choose(p)
		w = append(w, step{p, i})
		low, id = p.branch(i)
		if i+1 < p.count() {
			high = p.key(i + 1)
		}
	}
}

// move changes a way to lead to the leaf before (by -1) or behind (by 1), and verifies it; nil if there is none.
func (t *tree) move(w way, by int) way {
	for i := len(w) - 2; i >= 0; i-- {
		p, next := w[i].p, w[i].next+by
		if next < 0 || next >= p.count() {
			continue
		}
		low, id := p.branch(next)
		var high []byte
		if next+1 < p.count() {
			high = p.key(next + 1)
		}
		e := firstLeaf
		if by < 0 {
			e = lastLeaf
		}
		w[i].next = next
		return t.down(w[:i+1], id, low, high, e.of)
	}
	return nil
}

// beside verifies the leaf before or behind the one that a way leads to, if there is one, and returns it.
func (t *tree) beside(w way, by int) page {
	if w = t.move(slices.Clone(w), by); w == nil {
		return nil
	}
	return w.leaf()
}

// verify returns a page of the tree, and panics if it is not what was written.
func (t *tree) verify(id uint64, low, high []byte) page {
	p, ok := t.at(id)
	if !ok {
		t.damaged(id, low, "it is another page, or out of bounds")
	}
	if t.good.has(id) {
		return p
	}
	if p, ok = t.tight(id); !ok {
		t.damaged(id, low, "its elements are not what was written")
	}
	if what := t.content(p, low, high); what != "" {
		t.damaged(id, low, what)
	}
	t.good.add(id, p)
	return p
}

// content compares a page with the keys of the branch above it, and the entries of a leaf with their checksums; it
// returns "" or what is wrong.
func (t *tree) content(p page, low, high []byte) string {
	n := p.count()
	switch {
	case n == 0:
		return "it has no elements"
	case low != nil && !bytes.Equal(low, p.key(0)), high != nil && bytes.Compare(p.key(n-1), high) >= 0:
		return "its keys are not those of the branch above"
	case p.kind() == leafKind && !sealedEntries(p, t.seed):
		return "an entry is not what was written"
	}
	return ""
}

// sealedEntries reports whether all entries of a leaf have their checksums.
func sealedEntries(p page, seed uint32) bool {
	for i := range p.count() {
		if word32(p, headerSize+i*elementSize) != 0 { // flags
			return false
		}
		if !isSealed(seed, p, i) {
			return false
		}
	}
	return true
}

func (t *tree) damaged(id uint64, key []byte, what string) {
	panic(&Damage{id, t.bucket, bytes.Clone(key), what})
}

// pageOf returns the page where a slice of the file begins, 0 for one that is not of the file.
func (f pages) pageOf(b []byte) uint64 {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b))) - uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
	if at >= uintptr(len(f.data)) { // what lies before is a large number, too
		return 0
	}
	return uint64(at) >> (bits.TrailingZeros64(f.size) & 63) // the size of a page is a power of 2
}

// landed verifies the leaf of an entry of the file that bbolt has found, and appends the way to it.
func (t *tree) landed(w way, key []byte) way {
	if t.root == 0 {
		return nil
	}
	w = t.near(w, key)
	if p := w.leaf(); !p.spans(key) {
		t.damaged(p.id(), key, "the branches above lead elsewhere")
	}
	return w
}

// passed verifies that bbolt, which passes over leaves without elements, has moved by 1 or -1 to an entry in the leaf
// where it was, to which the way leads, or in the one behind or before it. It returns the way to the entry.
func (t *tree) passed(w way, key []byte, by int) way {
	if len(w) > 0 {
		if w.leaf().spans(key) {
			return w
		}
		if next := t.move(w, by); next != nil && next.leaf().spans(key) {
			return next
		}
	}
	// The way was not known, or this transaction has emptied leaves between.
	if w = t.landed(w[:0], key); w != nil {
		t.beside(w, -by)
	}
	return w
}

// before verifies the leaf before the one that a way leads to or, if it is empty, that of a key. It returns an empty
// way.
func (t *tree) before(w way, key []byte) way {
	if len(w) == 0 && key != nil && t.root != 0 {
		w = t.near(w, key)
	}
	if len(w) > 0 {
		t.move(w, -1)
	}
	return w[:0]
}

// missed verifies that a key is not there: the leaf where it belongs and, behind its last key, the next one.
func (t *tree) missed(key []byte) {
	if t.root == 0 {
		return
	}
	var steps [8]step
	w := t.near(steps[:0], key)
	if p := w.leaf(); bytes.Compare(key, p.key(p.count()-1)) > 0 {
		t.move(w, 1)
	}
}

// ended verifies the first or the last leaf.
func (t *tree) ended(e edge) {
	if t.root != 0 {
		t.atEdge(e)
	}
}
