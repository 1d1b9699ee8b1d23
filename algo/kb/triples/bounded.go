package triples

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/numeric/parallel"
)

// Bounded is a Scorer that knows how high its scores can be, so that the best of many triples are found without
// scoring all of them.
type Bounded interface {
	Scorer
	// Bounds sets out[i] to no less than the score of any triple that has the relation and given[i], whatever stands
	// at the open side.
	Bounds(open Side, relation int32, given []int32, out []float64)
	// Above calls each with the triples whose scores are no less than least, by their place in given and the entity at
	// the open side, and returns how many it scored. At most BlockRows are given. Scores are those of Scores, to the bit.
	Above(open Side, relation int32, given []int32, least float64,
		each func(i int, entity int32, score float64)) (scored int64)
}

// strip is what a pattern leaves open of one relation.
type strip struct {
	side     Side // that is open
	relation int32
	given    []int32
	bound    float64 // of the score of any triple of it
}

// strips lists what a pattern with several open arguments stands for.
func (c *completion) strips(t Triple) []strip {
	from, to := int32(0), int32(c.Graph.Relations.Len())
	if t.Relation != open {
		from, to = t.Relation, t.Relation+1
	}
	var out []strip
	for r := from; r < to; r++ {
		switch {
		case t.Subject != open:
			out = append(out, strip{side: Object, relation: r, given: []int32{t.Subject}})
		case t.Object != open:
			out = append(out, strip{side: Subject, relation: r, given: []int32{t.Object}})
		default:
			out = append(out, strip{side: Object, relation: r, given: c.givens(r)})
		}
	}
	return out
}

// search finds the best triples of a pattern: relations by falling bound, and the rows of each by falling bound, until
// no bound reaches the last of the best so far.
type search struct {
	*completion
	by     Bounded
	kept   queue
	scored int64
	all    int64 // triples that the pattern stands for
}

// bounded keeps the best of a pattern with several open arguments by bounds of the scores.
func (c *completion) bounded(ctx context.Context, t Triple, by Bounded) (*search, error) {
	s := &search{completion: c, by: by, kept: queue{last: true}}
	strips := c.strips(t)
	err := parallel.For(ctx, c.workers, len(strips), func(_, i int) error {
		p := &strips[i]
		p.bound = math.Inf(-1)
		for _, b := range s.bounds(p) {
			p.bound = max(p.bound, b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(strips, func(a, b strip) int { return cmp.Compare(b.bound, a.bound) })
	for _, p := range strips {
		s.all += int64(len(p.given)) * int64(c.Graph.Entities.Len())
	}
	tell := c.reporter(s.all)
	for i := range strips {
		if err := s.strip(ctx, &strips[i]); err != nil {
			return nil, err
		}
		tell(int64(len(strips[i].given)) * int64(c.Graph.Entities.Len()))
	}
	return s, nil
}

func (s *search) bounds(p *strip) []float64 {
	out := make([]float64, len(p.given))
	s.by.Bounds(p.side, p.relation, p.given, out)
	return out
}

// least is the score that a triple needs to be among the best.
func (s *search) least() float64 {
	if len(s.kept.list) < s.top {
		return math.Inf(-1)
	}
	return s.kept.list[0].score
}

// roundBlocks is how many blocks are searched at most before the score that is needed rises. It does not depend on the
// number of workers, so that neither does what is scored.
const roundBlocks = 16

// strip searches a relation.
func (s *search) strip(ctx context.Context, p *strip) error {
	if p.bound < s.least() {
		return nil
	}
	bounds, order := s.bounds(p), make([]int, 0, len(p.given))
	for i, b := range bounds {
		if b >= s.least() && s.check.side(p.side.Other(), p.relation, p.given[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(bounds[b], bounds[a]), cmp.Compare(a, b)) })
	rows := blockRows(s.Graph.Entities.Len())
	for round := 1; ; round = min(2*round, roundBlocks) {
		least := s.least()
		n := 0 // rows of the round
		for n < min(len(order), round*rows) && bounds[order[n]] >= least {
			n++
		}
		if n == 0 {
			return nil
		}
		given := make([]int32, n)
		for i, at := range order[:n] {
			given[i] = p.given[at]
		}
		order = order[n:]
		if err := s.round(ctx, p, given, least, rows); err != nil {
			return err
		}
	}
}

// round searches some rows of a relation, in blocks.
func (s *search) round(ctx context.Context, p *strip, given []int32, least float64, rows int) error {
	blocks := slices.Collect(slices.Chunk(given, rows))
	kept, counts := make([]queue, len(blocks)), make([]int64, len(blocks))
	err := parallel.For(ctx, s.workers, len(blocks), func(_, i int) error {
		k := &kept[i]
		k.last = true
		counts[i] = s.by.Above(p.side, p.relation, blocks[i], least, func(at int, e int32, score float64) {
			x := scored{Of(p.relation, p.side, e, blocks[i][at]), score}
			if (len(k.list) < s.top || x.before(k.list[0])) && s.wants(x.Triple) {
				k.keep(x, s.top)
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	for i := range blocks {
		s.scored += counts[i]
		for _, x := range kept[i].list {
			s.kept.keep(x, s.top)
		}
	}
	if s.scored > int64(s.opt.maxScored) {
		return fmt.Errorf("complete has scored %s of %s triples, more than max_scored, %s, and is not done; name a "+
			"subject, a relation or an object, or fewer rows by LIMIT, or WITH (max_scored = %d)",
			grouped(s.scored), grouped(s.all), grouped(int64(s.opt.maxScored)), s.all)
	}
	return nil
}
