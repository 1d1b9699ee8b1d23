package relation

import (
	"sync"

	"parlance/storage/recent"
	"parlance/storage/value"
)

// Cache keeps decoded blocks that lookups have read. Scans use it and add nothing.
type Cache struct {
	mu   sync.Mutex
	kept recent.Map[cacheKey, cached]
}

type cacheKey struct {
	rel, gen, index uint32
	part            uint16
	number          int
}

type cached struct {
	col  *value.Vec
	ids  []uint64
	run  *runBlock
	size int
}

// NewCache returns a cache of about that many bytes.
func NewCache(bytes int) *Cache {
	c := &Cache{}
	c.kept.Limit, c.kept.Cost = bytes, func(x cached) int { return x.size }
	return c
}

// get returns what is kept under a key, or what make makes and keeps it.
func (c *Cache) get(k cacheKey, keep bool, make func() (cached, error)) (cached, error) {
	c.mu.Lock()
	x, ok := c.kept.Get(k)
	c.mu.Unlock()
	if ok {
		return x, nil
	}
	x, err := make()
	if err == nil && keep {
		x.size += 256
		c.mu.Lock()
		c.kept.Put(k, x)
		c.mu.Unlock()
	}
	return x, err
}

func (c *Cache) column(r Reader, g *Generation, d *directory, segment, slot int, t value.Type,
	keep bool) (*value.Vec, error) {
	k := cacheKey{g.Rel, g.ID, 0, uint16(slot), segment}
	x, err := c.get(k, keep, func() (cached, error) {
		v, err := g.columnOf(r, d, segment, slot, t)
		if err != nil {
			return cached{}, err
		}
		size := v.Bytes()
		if v.Dict != nil {
			for _, w := range v.Dict.Words {
				size += 16 + len(w)
			}
		}
		return cached{col: v, size: size}, nil
	})
	return x.col, err
}

func (c *Cache) numbers(r Reader, g *Generation, part uint16, list []extent, i int) ([]uint64, error) {
	x, err := c.get(cacheKey{g.Rel, g.ID, 0, part, i}, true, func() (cached, error) {
		ids, err := g.numbersOf(r, part, list, i)
		return cached{ids: ids, size: 8 * len(ids)}, err
	})
	return x.ids, err
}

func (c *Cache) block(r Reader, g *Generation, index uint32, run int, b *runExtent, number int) (*runBlock, error) {
	k := cacheKey{g.Rel, g.ID, index, partIndex + uint16(run), number}
	x, err := c.get(k, true, func() (cached, error) {
		e, err := readRunBlock(r, g, index, run, b, number)
		if err != nil {
			return cached{}, err
		}
		return cached{run: e, size: len(e.keys) + 12*len(e.ids)}, nil
	})
	return x.run, err
}

// Drop forgets the blocks of a generation.
func (c *Cache) Drop(rel, gen uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.DeleteFunc(func(k cacheKey, _ cached) bool { return k.rel == rel && k.gen == gen })
}
