package count

import "context"

// merger yields the rows of several sources by rising key, equal keys as one row with the sum of their counts, in
// batches of blockRows but for the last: a tree of losers (Knuth 1998, sec. 5.4.1).
type merger[K Key] struct {
	codec  *codec[K]
	heads  []head[K]
	losers []int // 0 is the winner
	keys   []K
	counts []uint64
}

// head is where a source stands.
type head[K Key] struct {
	source[K]
	prefix uint64 // of the key at hand
	keys   []K
	counts []uint64
	at     int
	ended  bool
}

func merge[K Key](c *codec[K], sources []source[K]) (*merger[K], error) {
	m := &merger[K]{codec: c, heads: make([]head[K], len(sources)), losers: make([]int, max(1, len(sources))),
		keys: make([]K, 0, blockRows), counts: make([]uint64, 0, blockRows)}
	for i, s := range sources {
		m.heads[i].source = s
		if err := m.heads[i].fetch(c); err != nil {
			return nil, err
		}
	}
	if len(sources) > 0 {
		m.losers[0] = m.play(1)
	}
	return m, nil
}

// play returns the winner below a node and writes the losers; leaf i is node len(heads)+i.
func (m *merger[K]) play(node int) int {
	if node >= len(m.heads) {
		return node - len(m.heads)
	}
	a, b := m.play(2*node), m.play(2*node+1)
	if m.wins(b, a) {
		a, b = b, a
	}
	m.losers[node] = b
	return a
}

func (m *merger[K]) wins(a, b int) bool {
	x, y := &m.heads[a], &m.heads[b]
	switch {
	case x.ended || y.ended:
		return y.ended && !x.ended
	case x.prefix != y.prefix:
		return x.prefix < y.prefix
	}
	return m.codec.less(x.keys[x.at], y.keys[y.at])
}

// fetch makes the next batch the one at hand.
func (h *head[K]) fetch(c *codec[K]) (err error) {
	h.keys, h.counts, err = h.source.next()
	h.at = 0
	if h.ended = len(h.keys) == 0; !h.ended && err == nil {
		h.prefix = c.prefix(h.keys[0])
	}
	return err
}

func (m *merger[K]) next() ([]K, []uint64, error) {
	m.keys, m.counts = m.keys[:0], m.counts[:0]
	for len(m.heads) > 0 {
		w := m.losers[0]
		h := &m.heads[w]
		if h.ended {
			break
		}
		k, n := h.keys[h.at], len(m.keys)
		switch {
		case n > 0 && m.keys[n-1] == k:
			m.counts[n-1] += h.counts[h.at]
		case n == blockRows:
			return m.keys, m.counts, nil
		default:
			m.keys, m.counts = append(m.keys, k), append(m.counts, h.counts[h.at])
		}
		if h.at++; h.at < len(h.keys) {
			h.prefix = m.codec.prefix(h.keys[h.at])
		} else if err := h.fetch(m.codec); err != nil {
			return nil, nil, err
		}
		for node := (w + len(m.heads)) / 2; node > 0; node /= 2 {
			if m.wins(m.losers[node], w) {
				w, m.losers[node] = m.losers[node], w
			}
		}
		m.losers[0] = w
	}
	return m.keys, m.counts, nil
}

// fanIn is how many runs are merged at once: each takes a block in memory.
const fanIn = 64

// splitters are keys that cut runs into parts of about as many rows, at the beginnings of blocks.
func splitters[K Key](c *codec[K], runs []run[K], tail list[K], parts int) []K {
	var firsts []K
	for _, r := range runs {
		for _, b := range r.blocks {
			firsts = append(firsts, b.first)
		}
	}
	for i := 0; i < len(tail.keys); i += blockRows {
		firsts = append(firsts, tail.keys[i])
	}
	parts = min(parts, len(firsts)/8)
	if parts < 2 {
		return nil
	}
	firsts, _ = c.sort(firsts, make([]K, len(firsts)))
	var out []K
	for p := 1; p < parts; p++ {
		k := firsts[p*len(firsts)/parts]
		if len(out) == 0 || c.before(out[len(out)-1], k) {
			out = append(out, k)
		}
	}
	return out
}

// within is readers of runs and a tail between bounds.
func within[K Key](c *codec[K], from *spool, runs []run[K], tail list[K], b bounds[K]) (sources []source[K]) {
	for _, r := range runs {
		sources = append(sources, newReader(c, from, r, b))
	}
	if l := tail.cut(c, b); len(l.keys) > 0 {
		sources = append(sources, &listed[K]{list: l})
	}
	return sources
}

// join merges runs and a tail into one run of another spool; parts of the keys are merged side by side.
func (c *Counter[K]) join(ctx context.Context, runs []run[K], tail list[K], to *spool) (run[K], error) {
	cuts := splitters(c.codec, runs, tail, 4*c.workers)
	if c.workers == 1 {
		cuts = nil
	}
	parts := make([]run[K], len(cuts)+1)
	err := parallel(ctx, c.workers, len(parts), func(ctx context.Context, i int) error {
		var b bounds[K]
		if i > 0 {
			b.lo = &cuts[i-1]
		}
		if i < len(cuts) {
			b.hi = &cuts[i]
		}
		m, err := merge(c.codec, within(c.codec, c.spool, runs, tail, b))
		if err != nil {
			return err
		}
		parts[i], err = record(ctx, c.codec, m, to, c.progress.merged)
		return err
	})
	var out run[K]
	for _, p := range parts {
		out.blocks, out.rows = append(out.blocks, p.blocks...), out.rows+p.rows
	}
	return out, err
}
