package bbolt

import (
	"sync/atomic"
	"unsafe"

	"parlance/storage/bbolt/errors"
	"parlance/storage/bbolt/internal/common"
)

// verified are the pages whose checksums were found right since they were written or mapped: a bit each, in chunks that
// are made when they are needed, for maps are larger than files.
type verified []atomic.Pointer[verifiedChunk]

const verifiedPages = 1 << 15 // of a chunk

type verifiedChunk [verifiedPages / 64]atomic.Uint64

func newVerified(pages int) verified { return make(verified, pages/verifiedPages+1) }

func (v verified) has(id common.Pgid) bool {
	c := v[id/verifiedPages].Load()
	return c != nil && c[id%verifiedPages/64].Load()&(1<<(id%64)) != 0
}

func (v verified) add(id common.Pgid) {
	at := &v[id/verifiedPages]
	c := at.Load()
	if c == nil {
		at.CompareAndSwap(nil, new(verifiedChunk))
		c = at.Load()
	}
	c[id%verifiedPages/64].Or(1 << (id % 64))
}

func (v verified) remove(id common.Pgid) {
	if c := v[id/verifiedPages].Load(); c != nil {
		c[id%verifiedPages/64].And(^uint64(1 << (id % 64)))
	}
}

// verify panics with a *errors.PageError if a mapped page is not what was written.
func (db *DB) verify(id common.Pgid) {
	size, end := common.Pgid(db.pageSize), common.Pgid(db.datasz)
	if id >= end/size {
		panic(&errors.PageError{Page: uint64(id)})
	}
	if db.verified.has(id) {
		return
	}
	p := db.mapped(id)
	whole := (common.Pgid(p.Overflow()) + 1) * size
	if p.Id() != id || id*size+whole > end || !p.Sound(int(whole)) {
		panic(&errors.PageError{Page: uint64(id)})
	}
	db.verified.add(id)
}

// Sound reports whether a page, with those that continue it, has the checksum of what was written, or was written
// without one.
func Sound(page []byte) bool { return (*common.Page)(unsafe.Pointer(&page[0])).Sound(len(page)) }
