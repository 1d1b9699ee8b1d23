package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Join holds one side in memory, numbered by key where there are keys, and streams the other:
// the right side is held, unless the left is known to be much smaller. Rows come in the order
// of the left side, for each of its rows in the order of the right.
type Join struct {
	n           *plan.Join
	env         *expr.Env
	left, right Operator
	held        BuildSide
	ready       bool
	from        pairing
	// with the left side held: the pairs found, in order, and where the output stands
	flip  bool
	found []pair
	other []column
	at    int
	taken expr.Reservation // by pairs and other
	// what does not fit into memory
	memory *Budget
	level  int
	divided
	// in the step of a recursive select: where the held side is kept for the next one; nil if it changes
	sides map[*plan.Join]*BuildSide
}

// NewJoin returns a join of two operators. With flip its left side is held.
func NewJoin(n *plan.Join, env *expr.Env, left, right Operator, flip bool, memory *Budget) *Join {
	return &Join{n: n, env: env, left: left, right: right, flip: flip, memory: memory}
}

// KeepSides lets the join hold its right side, or its left side with flip, from one step of a recursive select to the next.
func (j *Join) KeepSides(flip bool, sides map[*plan.Join]*BuildSide) { j.flip, j.sides = flip, sides }

// pair is a row of each side; right -1 is a row of NULLs.
type pair struct{ left, right int32 }

// BuildSide is the rows of one side, those of equal keys linked.
type BuildSide struct {
	cols   []column
	n      int
	Groups *GroupTable
	first  []int32 // of each key, its first and last row plus one
	last   []int32
	next   []int32 // of each row, the next of the same key plus one
}

// read takes rows of an operator until memory is full; whole tells whether those are all.
func (h *BuildSide) read(ctx context.Context, in Operator, width int, keys []expr.Expr, env *expr.Env, memory *Budget) (whole bool, err error) {
	h.cols, h.Groups = make([]column, width), NewGroupTable(len(keys))
	for !memory.Exceeded(h.bytes()) {
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
	if memory.forced {
		return false, memory.Err()
	}
	return false, nil
}

func (h *BuildSide) bytes() int {
	n := h.Groups.Bytes() + 4*(len(h.first)+len(h.last)+len(h.next))
	for i := range h.cols {
		n += h.cols[i].bytes()
	}
	return n
}

// link appends the rows of a batch to those of their keys; NULL equals nothing.
func (h *BuildSide) link(b *value.Batch, keys []expr.Expr, env *expr.Env) error {
	vecs, err := EvalAll(keys, env, b)
	if err != nil {
		return err
	}
	ids, _ := h.Groups.Assign(vecs, b.N)
	h.first, h.last = grown(h.first, h.Groups.Groups), grown(h.last, h.Groups.Groups)
	for i, id := range ids {
		h.next = append(h.next, 0)
		if AnyNull(vecs, i) {
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

func AnyNull(vecs []value.Vec, i int) bool {
	for k := range vecs {
		if vecs[k].IsNull(i) {
			return true
		}
	}
	return false
}

// batch returns rows of the held side; -1 stands for a row of NULLs.
func (h *BuildSide) batch(types []value.Type, rows []int) []value.Vec {
	out := make([]value.Vec, len(h.cols))
	for i := range h.cols {
		v := h.cols[i].vec(types[i], 0, h.cols[i].n)
		out[i] = outer(&v, rows)
	}
	return out
}

func (j *Join) Next(ctx context.Context) (*value.Batch, error) {
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
		return j.nextPairs(ctx)
	}
	for {
		if out, err := j.pairs(ctx); err != nil || out != nil {
			return out, err
		}
		b, err := j.left.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		if err := j.take(b); err != nil {
			return nil, err
		}
	}
}

func (j *Join) prepare(ctx context.Context) error {
	side, node, keys := j.right, j.n.Right, j.n.RightKeys
	if j.flip {
		side, node, keys = j.left, j.n.Left, j.n.LeftKeys
	}
	if h := j.sides[j.n]; h != nil {
		delete(j.sides, j.n) // another join of the same step would share its buffers
		j.held = *h
		if j.flip {
			return j.collect(ctx)
		}
		return nil
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
	return nil
}

// collect streams the right side past the held left side and keeps the pairs in order.
func (j *Join) collect(ctx context.Context) error {
	j.other = make([]column, len(j.n.Right.Columns()))
	j.taken.Of = j.env.Memory
	n := int32(0)
	for {
		b, err := j.right.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		vecs, err := EvalAll(j.n.RightKeys, j.env, b)
		if err != nil {
			return err
		}
		ids := j.held.Groups.lookup(vecs, b.N)
		var rows []int
		pairs := len(j.found)
		for i, id := range ids {
			if id < 0 || j.held.first[id] == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			for k := j.held.first[id]; k != 0; k = j.held.next[k-1] {
				j.found = append(j.found, pair{k - 1, n + int32(len(rows))})
			}
			rows = append(rows, i)
			if err := j.taken.Take(8 * (len(j.found) - pairs)); err != nil {
				return err
			}
			pairs = len(j.found)
		}
		if len(rows) == 0 {
			continue
		}
		n += int32(len(rows))
		matched := b.Select(rows)
		if err := j.taken.Take(expr.ValuesBytes(matched.Cols, matched.N)); err != nil {
			return err
		}
		for i := range matched.Cols {
			j.other[i].append(&matched.Cols[i], matched.N)
		}
	}
	return sortFunc(ctx, j.found, func(p, q pair) int {
		if p.left != q.left {
			return int(p.left - q.left)
		}
		return int(p.right - q.right)
	})
}

// nextPairs lays out the pairs that were collected.
func (j *Join) nextPairs(ctx context.Context) (*value.Batch, error) {
	lt, rt := TypesOf(j.n.Left.Columns()), TypesOf(j.n.Right.Columns())
	for j.at < len(j.found) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(j.at+8*value.BatchSize, len(j.found))
		ls, rs := make([]int, to-j.at), make([]int, to-j.at)
		for i, p := range j.found[j.at:to] {
			ls[i], rs[i] = int(p.left), int(p.right)
		}
		j.at = to
		out := &value.Batch{N: len(ls), Cols: j.held.batch(lt, ls)}
		right := BuildSide{cols: j.other}
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

func (j *Join) Close() error {
	if j.ready && j.sides != nil && j.parts == nil && j.rows == nil {
		j.sides[j.n], j.sides = &j.held, nil
	}
	j.taken.Release()
	j.memory.Release()
	return errors.Join(j.left.Close(), j.right.Close(), j.divided.close())
}
