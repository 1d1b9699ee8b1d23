package documents

import (
	"container/list"
	"sync"

	"parlance/storage/block"
	"parlance/storage/dbfile"
	"parlance/storage/value"
)

// segmentCacheBytes is the memory for decoded segments, approximately.
const segmentCacheBytes = 256 << 20

// emptySegment is the memory of an empty entry.
const emptySegment = 1 << 10

// Cache is an LRU cache of decoded segments.
type Cache struct {
	file   *dbfile.File
	mu     sync.Mutex
	parts  map[segmentKey]*list.Element
	order  list.List // of *cachedSegment, the newest first
	size   int
	hits   uint64
	misses uint64
}

type segmentKey struct{ corpus, gen, number uint32 }

type cachedSegment struct {
	key  segmentKey
	p    *Parts
	size int
}

// NewCache is an empty cache of the segments of a file.
func NewCache(f *dbfile.File) *Cache {
	return &Cache{file: f, parts: map[segmentKey]*list.Element{}}
}

func (c *Cache) newPartSet(corpus uint32, state *SegmentState) *Parts {
	return &Parts{cache: c, corpus: corpus, state: state, blocks: map[uint16]*block.Block{},
		fields: map[string][]value.Value{}, layers: map[uint16]*layerPart{}}
}

// segment returns the decoded parts of a segment. Tombstones and layers of the snapshot may be newer than those of
// the cached state; the blocks are the same.
func (c *Cache) segment(corpus uint32, state *SegmentState) *Parts {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := segmentKey{corpus, state.Gen, state.Number}
	if e, ok := c.parts[key]; ok {
		c.order.MoveToFront(e)
		c.hits++
		return e.Value.(*cachedSegment).p
	}
	c.misses++
	p := c.newPartSet(corpus, state)
	c.parts[key] = c.order.PushFront(&cachedSegment{key: key, p: p, size: emptySegment})
	c.size += emptySegment
	return p
}

// grown records that a segment takes more memory, and evicts others until all fit.
func (c *Cache) grown(p *Parts, by int) {
	if by == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := segmentKey{p.corpus, p.state.Gen, p.state.Number}
	if e, ok := c.parts[key]; ok && e.Value.(*cachedSegment).p == p {
		e.Value.(*cachedSegment).size += by
		c.size += by
	}
	for c.size > segmentCacheBytes && c.order.Len() > 1 {
		c.remove(c.order.Back())
	}
}

func (c *Cache) remove(e *list.Element) {
	x := c.order.Remove(e).(*cachedSegment)
	c.size -= x.size
	delete(c.parts, x.key)
}

// Drop evicts the segments for which a function holds.
func (c *Cache) Drop(gone func(corpus, gen uint32) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, e := range c.parts {
		if gone(k.corpus, k.gen) {
			c.remove(e)
		}
	}
}

// Figures are the numbers of hits and misses, and the approximate size in bytes.
func (c *Cache) Figures() (hits, misses uint64, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses, c.size
}

// Documents returns the parts of a segment with its ids, sequence numbers and hashes decoded.
func (c *Cache) Documents(corpus uint32, sg *SegmentState) (*Parts, error) {
	p := c.segment(corpus, sg)
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.size
	err := p.documents()
	c.grown(p, p.size-before)
	return p, err
}
