package exec

import (
	"context"
	"errors"
	"slices"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// join holds one side in memory, numbered by key where there are keys, and streams the other:
// the right side is held, unless the left is known to be much smaller. Rows come in the order
// of the left side, for each of its rows in the order of the right.
type join struct {
	n           *plan.Join
	env         *expr.Env
	left, right Operator
	held        heldRows
	ready       bool
	all         []int
	// with the left side held: the pairs found, in order, and where the output stands
	flip  bool
	pairs []pair
	other []column
	at    int
	// what does not fit into memory
	memory int
	level  int
	divided
}

// pair is a row of each side; right -1 is a row of NULLs.
type pair struct{ left, right int32 }

// heldRows is the rows of one side, those of equal keys linked.
type heldRows struct {
	cols   []column
	n      int
	groups *grouper
	first  []int32 // of each key, its first and last row plus one
	last   []int32
	next   []int32 // of each row, the next of the same key plus one
}

func (r *run) join(n *plan.Join) (Operator, error) {
	if n.Semi != nil {
		return &semijoin{r: r, n: n}, nil
	}
	left, err := r.build(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.build(n.Right)
	if err != nil {
		left.Close()
		return nil, err
	}
	flip := len(n.LeftKeys) > 0 && n.Kind != "LEFT" && 4*r.estimate(n.Left) < r.estimate(n.Right)
	return &join{n: n, env: r.env, left: left, right: right, flip: flip, memory: r.memory()}, nil
}

// read takes rows of an operator until memory is full; whole tells whether those are all.
func (h *heldRows) read(ctx context.Context, in Operator, width int, keys []expr.Expr, env *expr.Env, memory int) (whole bool, err error) {
	h.cols, h.groups = make([]column, width), newGrouper(len(keys))
	for h.bytes() <= memory {
		b, err := in.Next(ctx)
		if err != nil || b == nil {
			return true, err
		}
		for i := range b.Cols {
			h.cols[i].append(&b.Cols[i], b.N)
		}
		if len(keys) > 0 {
			if err := h.link(b, keys, env); err != nil {
				return false, err
			}
		}
		h.n += b.N
	}
	return false, nil
}

func (h *heldRows) bytes() int {
	n := h.groups.bytes() + 4*(len(h.first)+len(h.last)+len(h.next))
	for i := range h.cols {
		n += h.cols[i].bytes()
	}
	return n
}

// link appends the rows of a batch to those of their keys; NULL equals nothing.
func (h *heldRows) link(b *value.Batch, keys []expr.Expr, env *expr.Env) error {
	vecs, err := evalAll(keys, env, b)
	if err != nil {
		return err
	}
	ids, _ := h.groups.assign(vecs, b.N)
	h.first, h.last = grown(h.first, h.groups.n), grown(h.last, h.groups.n)
	for i, id := range ids {
		h.next = append(h.next, 0)
		if anyNull(vecs, i) {
			continue
		}
		row := int32(h.n + i + 1)
		if h.first[id] == 0 {
			h.first[id] = row
		} else {
			h.next[h.last[id]-1] = row
		}
		h.last[id] = row
	}
	return nil
}

func anyNull(vecs []value.Vec, i int) bool {
	for k := range vecs {
		if vecs[k].IsNull(i) {
			return true
		}
	}
	return false
}

// batch returns rows of the held side; -1 stands for a row of NULLs.
func (h *heldRows) batch(types []value.Type, rows []int) []value.Vec {
	out := make([]value.Vec, len(h.cols))
	for i := range h.cols {
		v := h.cols[i].vec(types[i], 0, h.cols[i].n)
		out[i] = outer(&v, rows)
	}
	return out
}

func (j *join) Next(ctx context.Context) (*value.Batch, error) {
	if !j.ready {
		if err := j.prepare(ctx); err != nil {
			return nil, err
		}
		j.ready = true
	}
	switch {
	case j.parts != nil:
		return j.nextPart(ctx)
	case j.rows != nil:
		return j.nextLoop(ctx)
	case j.flip:
		return j.nextPairs()
	}
	for {
		b, err := j.left.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		if out, err := j.match(ctx, b); err != nil || out != nil {
			return out, err
		}
	}
}

func (j *join) prepare(ctx context.Context) error {
	side, node, keys := j.right, j.n.Right, j.n.RightKeys
	if j.flip {
		side, node, keys = j.left, j.n.Left, j.n.LeftKeys
	}
	whole, err := j.held.read(ctx, side, len(node.Columns()), keys, j.env, j.memory)
	switch {
	case err != nil:
		return err
	case !whole && len(keys) == 0:
		return j.keepRows(ctx)
	case !whole:
		return j.divide(ctx)
	case j.flip:
		return j.collect(ctx)
	}
	if len(j.n.RightKeys) == 0 {
		for i := range j.held.n {
			j.all = append(j.all, i)
		}
	}
	return nil
}

// crossBatch bounds the pairs that are laid out at once.
const crossBatch = 1 << 16

// match joins one batch of the left side with the held right side; nil if no row comes out.
func (j *join) match(ctx context.Context, b *value.Batch) (*value.Batch, error) {
	var ids []int32
	if len(j.n.LeftKeys) > 0 {
		vecs, err := evalAll(j.n.LeftKeys, j.env, b)
		if err != nil {
			return nil, err
		}
		ids = j.held.groups.lookup(vecs, b.N)
	}
	var ls, rs []int
	for i := range b.N {
		if i&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from := len(ls)
		if ids == nil {
			for _, k := range j.all {
				ls, rs = append(ls, i), append(rs, k)
			}
		} else if ids[i] >= 0 {
			for k := j.held.first[ids[i]]; k != 0; k = j.held.next[k-1] {
				ls, rs = append(ls, i), append(rs, int(k-1))
			}
		}
		if j.n.Kind == "LEFT" && len(ls) == from {
			ls, rs = append(ls, i), append(rs, -1)
		}
	}
	if j.n.On == nil {
		return j.lay(b, ls, rs), nil
	}
	return j.residual(b, ls, rs)
}

// lay builds the rows of pairs; nil for none.
func (j *join) lay(b *value.Batch, ls, rs []int) *value.Batch {
	if len(ls) == 0 {
		return nil
	}
	out := b.Select(ls)
	out.Cols = append(out.Cols, j.held.batch(typesOf(j.n.Right.Columns()), rs)...)
	return out
}

// residual keeps the pairs for which the rest of the condition holds. A row of the left side
// that loses all its pairs in a LEFT join gets a row of NULLs.
func (j *join) residual(b *value.Batch, ls, rs []int) (*value.Batch, error) {
	holds := make([]bool, len(ls))
	for from := 0; from < len(ls); from += crossBatch {
		to := min(from+crossBatch, len(ls))
		pairs := j.lay(b, ls[from:to], rs[from:to])
		keep, err := expr.Filter(j.n.On, j.env, pairs)
		if err != nil {
			return nil, err
		}
		for _, k := range keep {
			holds[from+k] = rs[from+k] >= 0
		}
	}
	var l2, r2 []int
	for from := 0; from < len(ls); {
		to, kept := from, len(l2)
		for ; to < len(ls) && ls[to] == ls[from]; to++ {
			if holds[to] {
				l2, r2 = append(l2, ls[to]), append(r2, rs[to])
			}
		}
		if j.n.Kind == "LEFT" && len(l2) == kept {
			l2, r2 = append(l2, ls[from]), append(r2, -1)
		}
		from = to
	}
	return j.lay(b, l2, r2), nil
}

// collect streams the right side past the held left side and keeps the pairs in order.
func (j *join) collect(ctx context.Context) error {
	j.other = make([]column, len(j.n.Right.Columns()))
	n := int32(0)
	for {
		b, err := j.right.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		vecs, err := evalAll(j.n.RightKeys, j.env, b)
		if err != nil {
			return err
		}
		ids := j.held.groups.lookup(vecs, b.N)
		var rows []int
		for i, id := range ids {
			if id < 0 || j.held.first[id] == 0 {
				continue
			}
			for k := j.held.first[id]; k != 0; k = j.held.next[k-1] {
				j.pairs = append(j.pairs, pair{k - 1, n + int32(len(rows))})
			}
			rows = append(rows, i)
		}
		if len(rows) == 0 {
			continue
		}
		n += int32(len(rows))
		matched := b.Select(rows)
		for i := range matched.Cols {
			j.other[i].append(&matched.Cols[i], matched.N)
		}
	}
	slices.SortFunc(j.pairs, func(p, q pair) int {
		if p.left != q.left {
			return int(p.left - q.left)
		}
		return int(p.right - q.right)
	})
	return nil
}

// nextPairs lays out the pairs that were collected.
func (j *join) nextPairs() (*value.Batch, error) {
	lt, rt := typesOf(j.n.Left.Columns()), typesOf(j.n.Right.Columns())
	for j.at < len(j.pairs) {
		to := min(j.at+8*value.BatchSize, len(j.pairs))
		ls, rs := make([]int, to-j.at), make([]int, to-j.at)
		for i, p := range j.pairs[j.at:to] {
			ls[i], rs[i] = int(p.left), int(p.right)
		}
		j.at = to
		out := &value.Batch{N: len(ls), Cols: j.held.batch(lt, ls)}
		right := heldRows{cols: j.other}
		out.Cols = append(out.Cols, right.batch(rt, rs)...)
		if j.n.On == nil {
			return out, nil
		}
		keep, err := expr.Filter(j.n.On, j.env, out)
		if err != nil {
			return nil, err
		}
		if len(keep) > 0 {
			return out.Select(keep), nil
		}
	}
	return nil, nil
}

// outer selects rows, -1 giving NULL.
func outer(v *value.Vec, rows []int) value.Vec {
	null := false
	for _, r := range rows {
		null = null || r < 0
	}
	if !null {
		return v.Select(rows)
	}
	out := make([]value.Value, len(rows))
	for i, r := range rows {
		if r >= 0 {
			out[i] = v.At(r)
		}
	}
	return value.FromValues(v.Type, out)
}

func (j *join) Close() error {
	return errors.Join(j.left.Close(), j.right.Close(), j.divided.close())
}
