package relation

import "parlance/storage/recent"

// Cache keeps blocks that look-ups have read.
type Cache struct {
	kept *recent.Shared[cacheKey, cached]
}

type cacheKey struct {
	rel, gen uint32
	part     uint16
	number   int
}

type cached struct {
	col  *points
	ids  []uint64
	size int
}

// NewCache returns a cache of about that many bytes.
func NewCache(bytes int) *Cache {
	return &Cache{recent.NewShared[cacheKey](bytes, func(x cached) int { return x.size })}
}

// get returns what is kept under a key, or what make makes and keeps it.
func (c *Cache) get(k cacheKey, make func() (cached, error)) (cached, error) {
	if x, ok := c.kept.Get(k); ok {
		return x, nil
	}
	x, err := make()
	if err == nil {
		x.size += 256
		c.kept.Put(k, x)
	}
	return x, err
}

// points returns a column of a segment, of which single rows are read.
func (c *Cache) points(r Reader, g *Generation, segment, slot, n int) (*points, error) {
	x, err := c.get(cacheKey{g.Rel, g.ID, uint16(slot), segment}, func() (cached, error) {
		p, err := g.points(r, segment, slot, n)
		if err != nil {
			return cached{}, err
		}
		return cached{col: p, size: p.size()}, nil
	})
	return x.col, err
}

func (c *Cache) numbers(r Reader, g *Generation, part uint16, list []extent, i int) ([]uint64, error) {
	x, err := c.get(cacheKey{g.Rel, g.ID, part, i}, func() (cached, error) {
		ids, err := g.numbersOf(r, part, list, i, nil)
		return cached{ids: ids, size: 8 * len(ids)}, err
	})
	return x.ids, err
}

// Drop forgets the blocks of a generation.
func (c *Cache) Drop(rel, gen uint32) {
	c.kept.Drop(func(k cacheKey) bool { return k.rel == rel && k.gen == gen })
}
