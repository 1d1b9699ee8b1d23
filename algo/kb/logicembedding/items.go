package logicembedding

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"parlance/algo/kb/logic"
)

// maxInstances bounds the instances of one rule; of more, as many are drawn.
const maxInstances = 1 << 20

// instances are those of one rule, one pair an atom each.
type instances struct {
	pairs []int32
	width int
	seen  int // instances there are
}

func (i *instances) count() int         { return len(i.pairs) / i.width }
func (i *instances) at(n int32) []int32 { return i.pairs[int(n)*i.width:][:i.width] }

// sample lists instances, of more than the bound a sample (reservoir sampling).
func sample(list iter.Seq[[]int32], width, bound int, rng *rand.Rand) *instances {
	out := &instances{width: width}
	for inst := range list {
		out.seen++
		if out.seen <= bound {
			out.pairs = append(out.pairs, inst...)
		} else if at := rng.IntN(out.seen); at < bound {
			copy(out.pairs[at*width:], inst)
		}
	}
	return out
}

// item is a step of an epoch: of a fact (rule −1), of a cell that is false (rule −2), or of an
// instance of a rule.
type item struct{ rule, at int32 }

const (
	ofFact     = -1
	ofNegative = -2
)

// stream makes the items of each epoch.
type stream struct {
	know      *knowledge
	opt       *options
	learned   []*instances // by rule, nil for those that are not learned
	instances []*instances // those that every epoch has; others are replayed
	facts     []int32      // facts that are learned
	cells     *cells
	spared    map[cell]bool // derived cells that are not taken as false
	drawn     []cell        // negatives of the epoch
	items     []item
	old       []item // what a first model knew, for replay
}

// epoch lists the items of an epoch in random order.
func (s *stream) epoch(rng *rand.Rand) []item {
	s.items, s.drawn = s.items[:0], s.drawn[:0]
	for _, f := range s.facts {
		if s.usable(f) {
			s.items = append(s.items, item{ofFact, f})
		}
	}
	for r, list := range s.instances {
		if list == nil {
			continue
		}
		if n := s.opt.ruleSamples; n > 0 && n < list.count() {
			for range n {
				s.items = append(s.items, item{int32(r), int32(rng.IntN(list.count()))})
			}
			continue
		}
		for i := range list.count() {
			s.items = append(s.items, item{int32(r), int32(i)})
		}
	}
	if len(s.old) > 0 {
		for range s.opt.replay * len(s.items) {
			s.items = append(s.items, s.old[rng.IntN(len(s.old))])
		}
	}
	s.negatives(rng)
	rng.Shuffle(len(s.items), func(i, j int) { s.items[i], s.items[j] = s.items[j], s.items[i] })
	return s.items
}

// usable leaves facts without weight out, and false ones where there are to be no negatives.
func (s *stream) usable(f int32) bool {
	x := &s.know.facts[f]
	return x.weight > 0 && !(x.false && s.opt.negatives == "none")
}

// negatives adds cells without a true fact that count as false in this epoch, of replayed facts too.
func (s *stream) negatives(rng *rand.Rand) {
	add := func(c cell) {
		s.items = append(s.items, item{ofNegative, int32(len(s.drawn))})
		s.drawn = append(s.drawn, c)
	}
	switch s.opt.negatives {
	case "all":
		s.cells.each(func(c cell) {
			if _, ok := s.know.stated[c]; !ok && !s.spared[c] {
				add(c)
			}
		})
	case "sampled":
		for _, it := range s.items { // those that add appends are no facts
			if it.rule != ofFact || s.know.facts[it.at].false {
				continue
			}
			if c, ok := s.cells.draw(rng, func(c cell) bool { return s.know.holds(c) || s.spared[c] }); ok {
				add(c)
			}
		}
	}
}

// cells are the pairs and relations that a fact may have: entities alone only for relations of
// entities, pairs for those of pairs.
type cells struct {
	all      []int32 // all pairs, entities alone first
	alone    int     // how many of them are entities alone
	from, to []int   // part of all, by relation
	ends     []int   // sums of to − from
}

func newCells(k *knowledge) *cells {
	c := &cells{}
	for want := range 2 {
		for p := range int32(k.domain.Len()) {
			if (k.domain.Pair(p).Object != logic.None) == (want == 1) {
				c.all = append(c.all, p)
			}
		}
		if want == 0 {
			c.alone = len(c.all)
		}
	}
	sum := 0
	for _, a := range k.arities {
		from, to := 0, len(c.all)
		switch a {
		case logic.OfEntities:
			to = c.alone
		case logic.OfPairs:
			from = c.alone
		}
		sum += to - from
		c.from, c.to, c.ends = append(c.from, from), append(c.to, to), append(c.ends, sum)
	}
	return c
}

func (c *cells) count() int {
	if len(c.ends) == 0 {
		return 0
	}
	return c.ends[len(c.ends)-1]
}

func (c *cells) each(visit func(cell)) {
	for r := range c.from {
		for _, p := range c.all[c.from[r]:c.to[r]] {
			visit(cell{int32(r), p})
		}
	}
}

// draw finds a cell that is not taken, all alike; false if 100 draws find none.
func (c *cells) draw(rng *rand.Rand, taken func(cell) bool) (cell, bool) {
	for range 100 {
		n := rng.IntN(c.count())
		r := search(c.ends, n)
		p := c.all[c.to[r]-(c.ends[r]-n)]
		if x := (cell{int32(r), p}); !taken(x) {
			return x, true
		}
	}
	return cell{}, false
}

// search returns the first index whose end is beyond n.
func search(ends []int, n int) int {
	lo, hi := 0, len(ends)
	for lo < hi {
		if mid := (lo + hi) / 2; ends[mid] > n {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// maxCells bounds negatives = all.
const maxCells = 20_000_000

func (c *cells) check(o *options) error {
	if o.negatives == "all" && c.count() > maxCells {
		return fmt.Errorf("negatives = all would take %d pairs and relations an epoch, more than %d; negatives = sampled "+
			"takes one for each fact", c.count(), maxCells)
	}
	return nil
}
