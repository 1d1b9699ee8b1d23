package documents

// TailGenerations is the number of generations of similar size at the end of a corpus that are merged. Tests set a
// smaller one.
var TailGenerations = 64

// tiers is the number of tiers whose generations are merged.
const tiers = 3

// Counts returns the numbers of live and of dead documents.
func (g *Generation) Counts() (live, dead int) {
	for _, s := range g.Segments {
		n := s.LiveDocuments()
		live += n
		dead += s.Docs - n
	}
	return live, dead
}

// tier is the size class of a generation: 0 for less than a quarter of a segment, 1 for fewer than 8
// segments, 2 for fewer than 64, 3 beyond.
func (g *Generation) tier() int {
	switch n := len(g.Segments); {
	case n == 1 && g.Segments[0].Tokens < SegmentTokens/4 && g.Segments[0].Text < SegmentText/4:
		return 0
	case n < 8:
		return 1
	case n < 64:
		return 2
	}
	return tiers
}

// GenerationsToMerge returns the range of generations to merge; from == to if there is none.
func (c *Corpus) GenerationsToMerge() (from, to int) {
	for i, g := range c.Gens {
		if live, dead := g.Counts(); dead > live || g.shuffled() {
			return i, i + 1
		}
	}
	for tier := range tiers {
		first := len(c.Gens)
		for first > 0 && c.Gens[first-1].tier() <= tier {
			first--
		}
		if len(c.Gens)-first >= TailGenerations {
			return c.alike(first), len(c.Gens)
		}
	}
	return 0, 0
}

// alike returns where, from first on, the generations at the end begin that are each at most twice as large as all
// after them together. A large generation is not rewritten for a few small ones, so each of n documents that are added
// one by one is rewritten log n times.
func (c *Corpus) alike(first int) int {
	from, behind := len(c.Gens), 0
	for from > first {
		n := c.Gens[from-1].amount()
		if len(c.Gens)-from >= 2 && n > 2*behind {
			break
		}
		from, behind = from-1, behind+n
	}
	return from
}

// amount is the size of a generation: documents and tokens.
func (g *Generation) amount() (n int) {
	for _, s := range g.Segments {
		n += s.Docs + s.Tokens
	}
	return n
}

// shuffledReads is how many times a reader in order may take each segment of a generation, on average, before the
// generation is rewritten in order.
const shuffledReads = 3

// shuffled reports whether documents of a generation stand far from their order, as after a load that replaces them in
// an order of its own.
func (g *Generation) shuffled() bool {
	if !g.Overlaps {
		return false
	}
	parts := WholeSegments([]*Generation{g})
	reads := 0
	for _, w := range Windows(parts) {
		reads += len(w.Parts)
	}
	return reads > shuffledReads*len(parts)
}
