package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// spilledJoin is the state of a join whose build side does not fit into memory. With keys both sides are partitioned
// into files by a hash of their keys, and joined partition by partition. Without keys the right side is written to one
// file, which is read again for each batch of the left side.
type spilledJoin struct {
	partitions *[2]spillPartitions // of the left and right side; nil without partitions
	files      [2]*spillFile       // the present partition
	inner      *Join               // joins it
	// without keys
	spilledRight *spillFile
	leftBatch    *value.Batch
	rightReader  *spillReader // rows of the right side that leftBatch has not met yet
	matched      []bool       // rows of leftBatch that have a match
}

func (d *spilledJoin) close() error {
	var err error
	if d.inner != nil {
		err = d.inner.Close()
	}
	if d.partitions != nil {
		err = errors.Join(err, d.partitions[0].close(), d.partitions[1].close())
	}
	return errors.Join(err, d.files[0].close(), d.files[1].close(), d.spilledRight.close())
}

// spill partitions both sides into files.
func (j *Join) spill(ctx context.Context) error {
	j.partitions = &[2]spillPartitions{{level: j.level}, {level: j.level}}
	held, keys, rest := 1, j.n.RightKeys, j.right
	node := j.n.Right
	if j.buildLeft {
		held, keys, rest, node = 0, j.n.LeftKeys, j.left, j.n.Left
	}
	if err := j.partitions[held].addBuildSide(&j.build, node, keys, j.env); err != nil {
		return err
	}
	j.build = BuildSide{}
	j.memory.Release()
	if err := j.partitions[held].addAll(ctx, rest, keys, j.env); err != nil {
		return err
	}
	if j.buildLeft {
		return j.partitions[1].addAll(ctx, j.right, j.n.RightKeys, j.env)
	}
	return j.partitions[0].addAll(ctx, j.left, j.n.LeftKeys, j.env)
}

// addBuildSide writes the rows of a build side.
func (p *spillPartitions) addBuildSide(h *BuildSide, node plan.Node, keys []expr.Expr, env *expr.Env) error {
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

// maxSpillLevel is how often a partition that does not fit is partitioned again. Rows with equal keys always stay in
// one partition, so there is an end.
const maxSpillLevel = 6

// nextPartition returns the next rows of the present partition, or of the next one that has any.
func (j *Join) nextPartition(ctx context.Context) (*value.Batch, error) {
	for at := 0; ; {
		if j.inner != nil {
			b, err := j.inner.Next(ctx)
			if b != nil || err != nil {
				return b, err
			}
			if err := errors.Join(j.inner.Close(), j.files[0].close(), j.files[1].close()); err != nil {
				return nil, err
			}
			j.inner, j.files = nil, [2]*spillFile{}
		}
		for at < spillFanOut && j.partitions[0].files[at] == nil && j.partitions[1].files[at] == nil {
			at++
		}
		if at == spillFanOut {
			return nil, nil
		}
		j.files = [2]*spillFile{j.partitions[0].files[at], j.partitions[1].files[at]}
		j.partitions[0].files[at], j.partitions[1].files[at] = nil, nil
		var in [2]Operator
		for i := range in {
			in[i] = &union{} // no rows
			if j.files[i] == nil {
				continue
			}
			r, err := j.files[i].reader()
			if err != nil {
				return nil, err
			}
			in[i] = r
		}
		j.inner = &Join{n: j.n, env: j.env, left: in[0], right: in[1], buildLeft: j.buildLeft, memory: j.memory.fresh(),
			level: j.level + 1}
		if j.level+1 >= maxSpillLevel {
			j.inner.memory.noSpill = true
		}
	}
}

// spillRight writes the right side to a file.
func (j *Join) spillRight(ctx context.Context) (err error) {
	if j.spilledRight, err = newSpill(); err != nil {
		return err
	}
	types := TypesOf(j.n.Right.Columns())
	for from := 0; from < j.build.n; from += value.BatchSize {
		to := min(from+value.BatchSize, j.build.n)
		b := &value.Batch{N: to - from}
		for i := range j.build.cols {
			b.Cols = append(b.Cols, j.build.cols[i].vec(types[i], from, to))
		}
		if err := j.spilledRight.add(b); err != nil {
			return err
		}
	}
	j.build = BuildSide{}
	for {
		b, err := j.right.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		if err := j.spilledRight.add(b); err != nil {
			return err
		}
	}
}

// nextNestedLoop joins each batch of the left side with the rows of the file.
func (j *Join) nextNestedLoop(ctx context.Context) (*value.Batch, error) {
	for {
		if j.leftBatch == nil {
			b, err := j.left.Next(ctx)
			if err != nil || b == nil {
				return nil, err
			}
			if j.rightReader, err = j.spilledRight.reader(); err != nil {
				return nil, err
			}
			j.leftBatch, j.matched = b, make([]bool, b.N)
		}
		right, err := j.rightReader.Next(ctx)
		if err != nil {
			return nil, err
		}
		if right == nil {
			out := j.unmatched()
			j.leftBatch = nil
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

// cross joins the batch of the left side with rows of the right; nil for no joined rows.
func (j *Join) cross(ctx context.Context, right *value.Batch) (*value.Batch, error) {
	var parts []*value.Batch
	for i := range j.leftBatch.N {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ls := make([]int, right.N)
		for k := range ls {
			ls[k] = i
		}
		pairs := j.leftBatch.Select(ls)
		pairs.Cols = append(pairs.Cols, right.Cols...)
		if j.n.On != nil {
			keep, err := expr.Filter(j.n.On, j.env, pairs)
			if err != nil {
				return nil, err
			}
			pairs = pairs.Select(keep)
		}
		if pairs.N > 0 {
			j.matched[i] = true
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

// unmatched returns the rows of the left batch of a LEFT join that have no match, with NULLs; nil for none.
func (j *Join) unmatched() *value.Batch {
	if j.n.Kind != "LEFT" {
		return nil
	}
	var rows []int
	for i, seen := range j.matched {
		if !seen {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	out := j.leftBatch.Select(rows)
	for _, c := range j.n.Right.Columns() {
		out.Cols = append(out.Cols, value.Vec{Type: c.Type})
	}
	return out
}
