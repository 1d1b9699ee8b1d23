package exec

import (
	"context"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// join holds the right side in memory, by key where there are keys, and streams the left.
type join struct {
	n           *plan.Join
	env         *expr.Env
	left, right Operator
	rows        *value.Batch     // all rows of the right side
	index       map[string][]int // rows of the right side by key
	all         []int
	ready       bool
	key         []byte
}

func (r *run) join(n *plan.Join) (Operator, error) {
	left, err := r.build(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.build(n.Right)
	if err != nil {
		left.Close()
		return nil, err
	}
	return &join{n: n, env: r.env, left: left, right: right}, nil
}

// appendKey appends the key of row i, or reports that a part is NULL.
func (j *join) appendKey(keys []expr.Expr, b *value.Batch, i int) (bool, error) {
	j.key = j.key[:0]
	for _, k := range keys {
		v, err := k.At(j.env, b, i)
		if err != nil {
			return false, err
		}
		if v.IsNull() {
			return false, nil
		}
		j.key = value.AppendKey(j.key, v)
	}
	return true, nil
}

// prepare reads the right side and indexes it.
func (j *join) prepare(ctx context.Context) error {
	cols := j.n.Right.Columns()
	types := make([]value.Type, len(cols))
	for i, c := range cols {
		types[i] = c.Type
	}
	rows, err := drain(ctx, j.right, 0)
	if err != nil {
		return err
	}
	j.rows = value.FromRows(types, rows)
	j.index = map[string][]int{}
	for i := range j.rows.N {
		if len(j.n.RightKeys) == 0 {
			j.all = append(j.all, i)
			continue
		}
		ok, err := j.appendKey(j.n.RightKeys, j.rows, i)
		if err != nil {
			return err
		}
		if ok {
			j.index[string(j.key)] = append(j.index[string(j.key)], i)
		}
	}
	j.ready = true
	return nil
}

func (j *join) Next(ctx context.Context) (*value.Batch, error) {
	if !j.ready {
		if err := j.prepare(ctx); err != nil {
			return nil, err
		}
	}
	for {
		b, err := j.left.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		if out, err := j.match(ctx, b); err != nil || out.N > 0 {
			return out, err
		}
	}
}

// match joins one batch of the left side.
func (j *join) match(ctx context.Context, b *value.Batch) (*value.Batch, error) {
	var ls, rs []int // pairs; right -1 is a row of NULLs
	for i := range b.N {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		candidates := j.all
		if len(j.n.LeftKeys) > 0 {
			ok, err := j.appendKey(j.n.LeftKeys, b, i)
			if err != nil {
				return nil, err
			}
			candidates = nil
			if ok {
				candidates = j.index[string(j.key)]
			}
		}
		candidates, err := j.residual(b, i, candidates)
		if err != nil {
			return nil, err
		}
		for _, k := range candidates {
			ls, rs = append(ls, i), append(rs, k)
		}
		if len(candidates) == 0 && j.n.Kind == "LEFT" {
			ls, rs = append(ls, i), append(rs, -1)
		}
	}
	out := b.Select(ls)
	for c := range j.rows.Cols {
		out.Cols = append(out.Cols, outer(&j.rows.Cols[c], rs))
	}
	return out, nil
}

// residual keeps the candidates for which the rest of the condition holds.
func (j *join) residual(b *value.Batch, i int, candidates []int) ([]int, error) {
	if j.n.On == nil || len(candidates) == 0 {
		return candidates, nil
	}
	left := make([]int, len(candidates))
	for k := range left {
		left[k] = i
	}
	pairs := b.Select(left)
	pairs.Cols = append(pairs.Cols, j.rows.Select(candidates).Cols...)
	keep, err := expr.Filter(j.n.On, j.env, pairs)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(keep))
	for k, p := range keep {
		out[k] = candidates[p]
	}
	return out, nil
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
	err := j.left.Close()
	if e := j.right.Close(); err == nil {
		err = e
	}
	return err
}
