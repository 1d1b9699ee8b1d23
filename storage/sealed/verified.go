package sealed

import "sync/atomic"

// verified are the pages that were found right since the file was opened: a bit each. Pages beyond its end are those
// that this process has written since.
type verified []atomic.Uint64

func newVerified(pages uint64) verified { return make(verified, pages/64+1) }

func (v verified) has(id uint64) bool {
	return id/64 >= uint64(len(v)) || v[id/64].Load()&(1<<(id%64)) != 0
}

// add adds a page and those that continue it.
func (v verified) add(id uint64, p page) {
	for end := id + p.more(); id <= end && id/64 < uint64(len(v)); id++ {
		v[id/64].Or(1 << (id % 64))
	}
}

// pageSet is a set of pages.
type pageSet []uint64

func newPageSet(n uint64) pageSet      { return make(pageSet, n/64+1) }
func (s pageSet) has(page uint64) bool { return s[page/64]&(1<<(page%64)) != 0 }
func (s pageSet) add(page uint64)      { s[page/64] |= 1 << (page % 64) }
