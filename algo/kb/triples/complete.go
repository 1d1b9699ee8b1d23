package triples

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/storage/value"
)

// scored is a triple with its score.
type scored struct {
	Triple
	score float64
}

// before orders by falling score, then by relation, subject and object, a total order.
func (a scored) before(b scored) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return compare(a.Triple, b.Triple) < 0
}

// queue is a heap with the first on top, or with last set the last one.
type queue struct {
	list []scored
	last bool
}

func (r *queue) Len() int           { return len(r.list) }
func (r *queue) Less(i, j int) bool { return r.list[i].before(r.list[j]) != r.last }
func (r *queue) Swap(i, j int)      { r.list[i], r.list[j] = r.list[j], r.list[i] }
func (r *queue) Push(x any)         { r.list = append(r.list, x.(scored)) }
func (r *queue) Pop() any {
	x := r.list[len(r.list)-1]
	r.list = r.list[:len(r.list)-1]
	return x
}

// keep adds to a heap with the last on top, which holds at most top; 0 stands for all, in no order.
func (r *queue) keep(x scored, top int) {
	switch {
	case top == 0:
		r.list = append(r.list, x)
	case len(r.list) < top:
		heap.Push(r, x)
	case x.before(r.list[0]):
		r.list[0] = x
		heap.Fix(r, 0)
	}
}

// complete answers a pattern: all candidates where one argument is open, the best where more are.
func (a *Answers) complete(ctx context.Context, args []value.Value, run *kind.Run) (kind.Rows, error) {
	t, err := a.pattern(args)
	if err != nil {
		return nil, err
	}
	r, err := a.ranked(ctx, t, run, run.Limit)
	if err != nil {
		return nil, err
	}
	return kind.RowsOf(completeRelation, func(yield func([]value.Value) bool) {
		for r.Len() > 0 {
			x := heap.Pop(r).(scored)
			if !yield(a.row(x.Triple, x.score)) {
				return
			}
		}
	}), nil
}

// ranked is a heap of the answers of a pattern with the first on top, or of the first limit of them where that is not
// 0.
func (a *Answers) ranked(ctx context.Context, t Triple, run *kind.Run, limit int) (*queue, error) {
	c := &completion{Answers: a, workers: max(1, run.Workers), report: run.Report, top: limit}
	var err error
	if c.check, err = a.checks(true); err != nil {
		return nil, err
	}
	if why := a.refusal(c.check, t); why != "" {
		run.Tell(why + "; type_check = false answers without them")
		return &queue{}, nil
	}
	list, err := c.candidates(ctx, t)
	if err != nil {
		return nil, err
	}
	r := &queue{list: list}
	heap.Init(r)
	return r, nil
}

// completion is a query of complete.
type completion struct {
	*Answers
	check   check
	top     int // rows wanted, 0 for all
	workers int
	report  func(kind.Progress) // nil where nobody listens
}

// candidates lists what a pattern stands for, in no order.
func (c *completion) candidates(ctx context.Context, t Triple) ([]scored, error) {
	switch {
	case t.Subject != open && t.Object != open:
		return c.pair(ctx, t)
	case t.Relation != open && t.Object == open && t.Subject != open:
		return c.one(Object, t.Relation, t.Subject), nil
	case t.Relation != open && t.Subject == open && t.Object != open:
		return c.one(Subject, t.Relation, t.Object), nil
	}
	if c.top == 0 || c.opt.top < c.top {
		c.top = c.opt.top
	}
	if by, ok := c.Scorer.(Bounded); ok {
		s, err := c.bounded(ctx, t, by)
		if err != nil {
			return nil, err
		}
		return s.kept.list, nil
	}
	return c.best(ctx, t)
}

// pair scores the relations of a pair, or the one that is given.
func (c *completion) pair(ctx context.Context, t Triple) ([]scored, error) {
	from, to := int32(0), int32(c.Graph.Relations.Len())
	if t.Relation != open {
		from, to = t.Relation, t.Relation+1
	}
	out := queue{last: true}
	for t.Relation = from; t.Relation < to; t.Relation++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if c.wants(t) {
			out.keep(scored{t, c.Scorer.Score(t)}, c.top)
		}
	}
	return out.list, nil
}

// wants reports whether a triple may be answered.
func (c *completion) wants(t Triple) bool {
	if c.Graph.denied != nil && c.Graph.denied.Has(t) {
		return false
	}
	return c.check.triple(t) && (c.opt.known || !c.Graph.Index.Has(t))
}

// one scores all entities at a side of a relation and a given entity.
func (c *completion) one(side Side, relation, given int32) []scored {
	scores := make([]float64, c.Graph.Entities.Len())
	c.Scorer.Scores(side, relation, []int32{given}, scores)
	out := queue{last: true}
	c.filter(side, relation, given, scores, func(x scored) { out.keep(x, c.top) })
	return out.list
}

// filter gives the candidates among the scores of one row.
func (c *completion) filter(side Side, relation, given int32, scores []float64, each func(scored)) {
	if !c.check.side(side.Other(), relation, given) {
		return
	}
	var known []int32
	if !c.opt.known {
		known = c.Graph.Index.Known(side, relation, given)
	}
	if d := c.Graph.denied; d != nil {
		known = union(known, d.Known(side, relation, given))
	}
	for e, s := range scores {
		e := int32(e)
		if len(known) > 0 && known[0] == e {
			known = known[1:]
			continue
		}
		if math.IsNaN(s) || !c.check.side(side, relation, e) {
			continue
		}
		each(scored{Of(relation, side, e, given), s})
	}
}

// block is some rows of one relation.
type block struct {
	side     Side // that is open
	relation int32
	given    []int32
}

// tooMany refuses a pattern that stands for more triples than max_scored.
func (c *completion) tooMany(blocks []block) error {
	n := c.scores(blocks)
	if n <= int64(c.opt.maxScored) {
		return nil
	}
	return fmt.Errorf("complete would score %s triples, more than max_scored, %s; name a subject, a relation or an "+
		"object, or more of them, or WITH (max_scored = %d)", grouped(n), grouped(int64(c.opt.maxScored)), n)
}

// scores is how many triples are scored in blocks.
func (c *completion) scores(blocks []block) (n int64) {
	for _, b := range blocks {
		n += int64(len(b.given)) * int64(c.Graph.Entities.Len())
	}
	return n
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Estimate is how many triples complete scores where more than one argument is open.
func (a *Answers) Estimate(relation string, args []value.Value) (n int64, what string) {
	t, err := a.pattern(args)
	if relation != completeRelation.Name || err != nil || !several(t) {
		return 0, ""
	}
	c := &completion{Answers: a}
	if c.check, err = a.checks(true); err != nil || a.refusal(c.check, t) != "" {
		return 0, ""
	}
	return c.scores(c.blocks(t)), "triples"
}

// several reports whether a pattern leaves more than one argument open.
func several(t Triple) bool {
	n := 0
	for _, x := range []int32{t.Subject, t.Relation, t.Object} {
		if x == open {
			n++
		}
	}
	return n > 1
}

// reporter tells how many triples of all are scored or ruled out, once a second.
func (c *completion) reporter(of int64) func(n int64) {
	var mu sync.Mutex
	began, last, done := time.Now(), time.Now(), int64(0)
	return func(n int64) {
		mu.Lock()
		defer mu.Unlock()
		if done += n; c.report == nil || time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		c.report(kind.Progress{Step: int(done), Of: int(of), Objective: math.NaN(), HeldOut: math.NaN(), Aside: true,
			Seconds: last.Sub(began).Seconds(), Note: "triples scored"})
	}
}

// best keeps the best of all rows that a pattern with several open arguments stands for. Each worker
// keeps its own; the order being total, what is left does not depend on who saw what.
func (c *completion) best(ctx context.Context, t Triple) ([]scored, error) {
	blocks := c.blocks(t)
	if err := c.tooMany(blocks); err != nil {
		return nil, err
	}
	tell := c.reporter(c.scores(blocks))
	workers := max(1, min(c.workers, len(blocks)))
	kept := make([]queue, workers)
	scores := make([][]float64, workers)
	n := c.Graph.Entities.Len()
	err := parallel.For(ctx, workers, len(blocks), func(w, i int) error {
		b := blocks[i]
		if scores[w] == nil {
			scores[w], kept[w].last = make([]float64, n*blockRows(n)), true
		}
		out := scores[w][:n*len(b.given)]
		c.Scorer.Scores(b.side, b.relation, b.given, out)
		for k, g := range b.given {
			c.filter(b.side, b.relation, g, out[k*n:(k+1)*n], func(x scored) { kept[w].keep(x, c.opt.top) })
		}
		tell(c.scores([]block{b}))
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := queue{last: true}
	for _, k := range kept {
		for _, x := range k.list {
			all.keep(x, c.top)
		}
	}
	return all.list, nil
}

// blocks lists the rows of a pattern with several open arguments.
func (c *completion) blocks(t Triple) []block {
	var out []block
	for _, p := range c.strips(t) {
		for given := range slices.Chunk(p.given, blockRows(c.Graph.Entities.Len())) {
			out = append(out, block{p.side, p.relation, given})
		}
	}
	return out
}

// givens lists the subjects that a relation may have.
func (c *completion) givens(relation int32) []int32 {
	if c.check.sets != nil {
		return c.check.sets.Allowed(Subject, relation)
	}
	all := make([]int32, c.Graph.Entities.Len())
	for e := range all {
		all[e] = int32(e)
	}
	return all
}
