package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// divided is what a join has written to files because one side did not fit into memory: both
// sides divided by key, which are joined part by part; or, where there are no keys, the rows
// of the right side, which are read again for each batch of the left.
type divided struct {
	parts *[2]parted // left and right
	pair  [2]*spillFile
	inner *Join
	rows  *spillFile
	batch *value.Batch // of the left side
	loop  *spillReader
	seen  []bool // rows of the batch that have found a partner
}

func (d *divided) close() error {
	var err error
	if d.inner != nil {
		err = d.inner.Close()
	}
	if d.parts != nil {
		err = errors.Join(err, d.parts[0].close(), d.parts[1].close())
	}
	return errors.Join(err, d.pair[0].close(), d.pair[1].close(), d.rows.close())
}

// divide writes both sides to files by their keys.
func (j *Join) divide(ctx context.Context) error {
	j.parts = &[2]parted{{level: j.level}, {level: j.level}}
	held, keys, rest := 1, j.n.RightKeys, j.right
	node := j.n.Right
	if j.flip {
		held, keys, rest, node = 0, j.n.LeftKeys, j.left, j.n.Left
	}
	if err := j.parts[held].held(&j.held, node, keys, j.env); err != nil {
		return err
	}
	j.held = BuildSide{}
	j.memory.Release()
	if err := j.parts[held].all(ctx, rest, keys, j.env); err != nil {
		return err
	}
	if j.flip {
		return j.parts[1].all(ctx, j.right, j.n.RightKeys, j.env)
	}
	return j.parts[0].all(ctx, j.left, j.n.LeftKeys, j.env)
}

// held writes rows that are in memory.
func (p *parted) held(h *BuildSide, node plan.Node, keys []expr.Expr, env *expr.Env) error {
	types := TypesOf(node.Columns())
	for from := 0; from < h.n; from += value.BatchSize {
		to := min(from+value.BatchSize, h.n)
		b := &value.Batch{N: to - from}
		for i := range h.cols {
			b.Cols = append(b.Cols, h.cols[i].vec(types[i], from, to))
		}
		vecs, err := EvalAll(keys, env, b)
		if err != nil {
			return err
		}
		if err := p.add(b, vecs, nil); err != nil {
			return err
		}
	}
	return nil
}

// maxLevel is how often rows are divided; rows with equal keys cannot be divided at all.
const maxLevel = 6

// nextPart joins part after part.
func (j *Join) nextPart(ctx context.Context) (*value.Batch, error) {
	for at := 0; ; {
		if j.inner != nil {
			b, err := j.inner.Next(ctx)
			if b != nil || err != nil {
				return b, err
			}
			if err := errors.Join(j.inner.Close(), j.pair[0].close(), j.pair[1].close()); err != nil {
				return nil, err
			}
			j.inner, j.pair = nil, [2]*spillFile{}
		}
		for at < spillParts && j.parts[0].files[at] == nil && j.parts[1].files[at] == nil {
			at++
		}
		if at == spillParts {
			return nil, nil
		}
		j.pair = [2]*spillFile{j.parts[0].files[at], j.parts[1].files[at]}
		j.parts[0].files[at], j.parts[1].files[at] = nil, nil
		var in [2]Operator
		for i := range in {
			in[i] = &union{} // no rows
			if j.pair[i] == nil {
				continue
			}
			r, err := j.pair[i].reader()
			if err != nil {
				return nil, err
			}
			in[i] = r
		}
		j.inner = &Join{n: j.n, env: j.env, left: in[0], right: in[1], flip: j.flip, memory: j.memory.again(), level: j.level + 1}
		if j.level+1 >= maxLevel {
			j.inner.memory.forced = true
		}
	}
}

// keepRows writes the right side of a join without keys to a file.
func (j *Join) keepRows(ctx context.Context) (err error) {
	if j.rows, err = newSpill(); err != nil {
		return err
	}
	types := TypesOf(j.n.Right.Columns())
	for from := 0; from < j.held.n; from += value.BatchSize {
		to := min(from+value.BatchSize, j.held.n)
		b := &value.Batch{N: to - from}
		for i := range j.held.cols {
			b.Cols = append(b.Cols, j.held.cols[i].vec(types[i], from, to))
		}
		if err := j.rows.add(b); err != nil {
			return err
		}
	}
	j.held = BuildSide{}
	for {
		b, err := j.right.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		if err := j.rows.add(b); err != nil {
			return err
		}
	}
}

// nextLoop pairs each batch of the left side with the rows of the file.
func (j *Join) nextLoop(ctx context.Context) (*value.Batch, error) {
	for {
		if j.batch == nil {
			b, err := j.left.Next(ctx)
			if err != nil || b == nil {
				return nil, err
			}
			if j.loop, err = j.rows.reader(); err != nil {
				return nil, err
			}
			j.batch, j.seen = b, make([]bool, b.N)
		}
		right, err := j.loop.Next(ctx)
		if err != nil {
			return nil, err
		}
		if right == nil {
			out := j.lonely()
			j.batch = nil
			if out != nil {
				return out, nil
			}
			continue
		}
		out, err := j.cross(ctx, right)
		if err != nil || out != nil {
			return out, err
		}
	}
}

// cross pairs the batch of the left side with rows of the right; nil for none.
func (j *Join) cross(ctx context.Context, right *value.Batch) (*value.Batch, error) {
	var parts []*value.Batch
	for i := range j.batch.N {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ls := make([]int, right.N)
		for k := range ls {
			ls[k] = i
		}
		pairs := j.batch.Select(ls)
		pairs.Cols = append(pairs.Cols, right.Cols...)
		if j.n.On != nil {
			keep, err := expr.Filter(j.n.On, j.env, pairs)
			if err != nil {
				return nil, err
			}
			pairs = pairs.Select(keep)
		}
		if pairs.N > 0 {
			j.seen[i] = true
			parts = append(parts, pairs)
		}
	}
	return appended(parts), nil
}

// appended joins batches of equal columns; nil for none.
func appended(parts []*value.Batch) *value.Batch {
	if len(parts) == 0 {
		return nil
	}
	cols := make([]column, len(parts[0].Cols))
	n := 0
	for _, p := range parts {
		for i := range p.Cols {
			cols[i].append(&p.Cols[i], p.N)
		}
		n += p.N
	}
	out := &value.Batch{N: n}
	for i := range cols {
		out.Cols = append(out.Cols, cols[i].vec(parts[0].Cols[i].Type, 0, n))
	}
	return out
}

// lonely is the rows of a LEFT join without a partner, with NULLs; nil for none.
func (j *Join) lonely() *value.Batch {
	if j.n.Kind != "LEFT" {
		return nil
	}
	var rows []int
	for i, seen := range j.seen {
		if !seen {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	out := j.batch.Select(rows)
	for _, c := range j.n.Right.Columns() {
		out.Cols = append(out.Cols, value.Vec{Type: c.Type})
	}
	return out
}
