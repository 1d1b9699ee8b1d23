package sealed

import (
	"bytes"
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

// near returns the way to the leaf where a key belongs; each page on it is verified.
func (t *tree) near(key []byte) []step {
	return t.down(make([]step, 0, 8), t.root, nil, nil, func(p page) int { return p.within(key) })
}

// atEdge returns the way to the first or the last leaf.
func (t *tree) atEdge(e edge) []step {
	return t.down(make([]step, 0, 8), t.root, nil, nil, e.of)
}

func (e edge) of(p page) int {
	if e == firstLeaf {
		return 0
	}
	return p.count() - 1
}

// down appends the way from a page, whose keys should be in [low, high) as far as these are not nil, to a leaf.
func (t *tree) down(way []step, id uint64, low, high []byte, choose func(page) int) []step {
	for {
		p := t.verify(id, low, high)
		if p.kind() == leafKind {
			return append(way, step{p, 0})
		}
		if len(way) == deepest {
			t.damaged(id, low, "it is too deep")
		}
		i := choose(p)
		way = append(way, step{p, i})
		low, id = p.branch(i)
		if i+1 < p.count() {
			high = p.key(i + 1)
		}
	}
}

// beside verifies the leaf before (by -1) or behind (by 1) the one that a way leads to, if there is one, and returns it.
func (t *tree) beside(way []step, by int) page {
	for i := len(way) - 2; i >= 0; i-- {
		p, next := way[i].p, way[i].next+by
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
		way = t.down(append(make([]step, 0, 8), way[:i+1]...), id, low, high, e.of)
		return way[len(way)-1].p
	}
	return nil
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
		if k, v := p.leaf(i); !isSealed(seed, k, v) {
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
	return uint64(at) / f.size
}

// landed verifies the leaf of an entry of the file that bbolt has found. by is -1, 0 or 1: also that bbolt has passed
// over no leaf before or behind it, as it does with leaves that have no elements.
func (t *tree) landed(key []byte, by int) {
	if t.root == 0 {
		return
	}
	way := t.near(key)
	if p := way[len(way)-1].p; bytes.Compare(key, p.key(0)) < 0 || bytes.Compare(key, p.key(p.count()-1)) > 0 {
		t.damaged(p.id(), key, "the branches above lead elsewhere")
	}
	if by != 0 {
		t.beside(way, by)
	}
}

// missed verifies that a key is not there: the leaf where it belongs and, behind its last key, the next one.
func (t *tree) missed(key []byte) {
	if t.root == 0 {
		return
	}
	way := t.near(key)
	if p := way[len(way)-1].p; bytes.Compare(key, p.key(p.count()-1)) > 0 {
		t.beside(way, 1)
	}
}

// ended verifies the first or the last leaf.
func (t *tree) ended(e edge) {
	if t.root != 0 {
		t.atEdge(e)
	}
}
