package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage/value"
)

// Join is a hash join, or without keys a nested-loop join. It reads one side into memory, the build side, and passes
// the batches of the other, the probe side, by it. The right side is built, unless the left one is known to be much
// smaller. Rows come in the order of the left side, for each of its rows in the order of the right. A build side that
// exceeds the memory goes to files.
type Join struct {
	n           *plan.Join
	env         *expr.Env
	left, right Operator
	build       BuildSide
	ready       bool // the build side is complete, or has gone to files
	probe       probe
	// With the left side built, all matches are collected and sorted before the first row comes out.
	buildLeft  bool
	matches    []pair
	probeRows  []column // rows of the right side that have matches
	at         int      // match that comes next
	matchBytes expr.Reservation
	memory     *Budget
	level      int // how often the rows were partitioned before
	spilledJoin
	// In the step of a recursive select: build sides that are used again in the next step. nil for a side that changes.
	buildSides map[*plan.Join]*BuildSide
}

// NewJoin returns a join of two operators. With buildLeft the left side is the build side; that needs an INNER join
// with keys.
func NewJoin(n *plan.Join, env *expr.Env, left, right Operator, buildLeft bool, memory *Budget) *Join {
	return &Join{n: n, env: env, left: left, right: right, buildLeft: buildLeft, memory: memory}
}

// ReuseBuildSides lets the join of a step of a recursive select take its build side from sides, and put it there when
// it closes, so that a side that is the same in every step is built once.
func (j *Join) ReuseBuildSides(buildLeft bool, sides map[*plan.Join]*BuildSide) {
	j.buildLeft, j.buildSides = buildLeft, sides
}

// pair is a row of each side; right -1 is a row of NULLs.
type pair struct{ left, right int32 }

func (j *Join) Next(ctx context.Context) (*value.Batch, error) {
	if !j.ready {
		if err := j.prepare(ctx); err != nil {
			return nil, err
		}
		j.ready = true
	}
	switch {
	case j.partitions != nil:
		return j.nextPartition(ctx)
	case j.spilledRight != nil:
		return j.nextNestedLoop(ctx)
	case j.buildLeft:
		return j.nextMatches(ctx)
	}
	for {
		if out, err := j.nextProbed(ctx); err != nil || out != nil {
			return out, err
		}
		b, err := j.left.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		if err := j.startProbe(b); err != nil {
			return nil, err
		}
	}
}

// prepare builds the build side.
func (j *Join) prepare(ctx context.Context) error {
	side, node, keys := j.right, j.n.Right, j.n.RightKeys
	if j.buildLeft {
		side, node, keys = j.left, j.n.Left, j.n.LeftKeys
	}
	if h := j.buildSides[j.n]; h != nil {
		delete(j.buildSides, j.n) // another join of the same step would share its buffers
		j.build = *h
		if j.buildLeft {
			return j.collectMatches(ctx)
		}
		return nil
	}
	whole, err := j.build.read(ctx, side, len(node.Columns()), keys, j.env, j.memory)
	switch {
	case err != nil:
		return err
	case !whole && len(keys) == 0:
		return j.spillRight(ctx)
	case !whole:
		return j.spill(ctx)
	case j.buildLeft:
		return j.collectMatches(ctx)
	}
	return nil
}

// collectMatches probes the left build side with all rows of the right side, and sorts the matches by the left row.
func (j *Join) collectMatches(ctx context.Context) error {
	j.probeRows = make([]column, len(j.n.Right.Columns()))
	j.matchBytes.Of = j.env.Memory
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
		ids := j.build.Groups.lookup(vecs, b.N)
		var rows []int
		pairs := len(j.matches)
		for i, id := range ids {
			if id < 0 || j.build.first[id] == 0 {
				continue
			}
			if err := turn.Err(ctx); err != nil {
				return err
			}
			for k := j.build.first[id]; k != 0; k = j.build.next[k-1] {
				j.matches = append(j.matches, pair{k - 1, n + int32(len(rows))})
			}
			rows = append(rows, i)
			if err := j.matchBytes.Take(8 * (len(j.matches) - pairs)); err != nil {
				return err
			}
			pairs = len(j.matches)
		}
		if len(rows) == 0 {
			continue
		}
		n += int32(len(rows))
		matched := b.Select(rows)
		if err := j.matchBytes.Take(expr.ValuesBytes(matched.Cols, matched.N)); err != nil {
			return err
		}
		for i := range matched.Cols {
			j.probeRows[i].append(&matched.Cols[i], matched.N)
		}
	}
	return sortFunc(ctx, j.matches, func(p, q pair) int {
		if p.left != q.left {
			return int(p.left - q.left)
		}
		return int(p.right - q.right)
	})
}

// nextMatches returns the next rows of the collected matches.
func (j *Join) nextMatches(ctx context.Context) (*value.Batch, error) {
	lt, rt := TypesOf(j.n.Left.Columns()), TypesOf(j.n.Right.Columns())
	for j.at < len(j.matches) {
		if err := turn.Err(ctx); err != nil {
			return nil, err
		}
		to := min(j.at+8*value.BatchSize, len(j.matches))
		ls, rs := make([]int, to-j.at), make([]int, to-j.at)
		for i, p := range j.matches[j.at:to] {
			ls[i], rs[i] = int(p.left), int(p.right)
		}
		j.at = to
		out := &value.Batch{N: len(ls), Cols: j.build.batch(lt, ls)}
		right := BuildSide{cols: j.probeRows}
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

func (j *Join) Close() error {
	if j.ready && j.buildSides != nil && j.partitions == nil && j.spilledRight == nil {
		j.buildSides[j.n], j.buildSides = &j.build, nil
	}
	j.matchBytes.Release()
	j.memory.Release()
	return errors.Join(j.left.Close(), j.right.Close(), j.spilledJoin.close())
}
