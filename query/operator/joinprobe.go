package operator

import (
	"context"

	"parlance/query/expr"
	"parlance/query/turn"
	"parlance/storage/value"
)

// probe is a batch of the left side whose matches are looked up in a right build side.
type probe struct {
	b       *value.Batch // nil between batches
	ids     []int32      // numbers of its keys, -1 for keys that the build side has not; nil for a join without keys
	row     int          // row of b whose matches come next
	next    int32        // its next match plus one, 0 for none
	started bool         // next belongs to row
	matched bool         // a match of the present row has met the condition, in filterPairs
}

// startProbe begins to look up a batch of the left side.
func (j *Join) startProbe(b *value.Batch) error {
	j.probe = probe{b: b}
	if len(j.n.LeftKeys) == 0 {
		return nil
	}
	vecs, err := EvalAll(j.n.LeftKeys, j.env, b)
	if err != nil {
		return err
	}
	j.probe.ids = j.build.Groups.lookup(vecs, b.N)
	return nil
}

// firstMatch is the first match of a row of the batch plus one, 0 for none. Without keys every row matches.
func (j *Join) firstMatch(row int) int32 {
	switch ids := j.probe.ids; {
	case ids == nil:
		return min(1, int32(j.build.n))
	case ids[row] < 0:
		return 0
	default:
		return j.build.first[ids[row]]
	}
}

// nextMatch is the match after match k, both plus one; 0 for none.
func (j *Join) nextMatch(k int32) int32 {
	switch {
	case j.probe.ids != nil:
		return j.build.next[k-1]
	case int(k) < j.build.n:
		return k + 1
	}
	return 0
}

// crossBatch is the most pairs in a batch of the output.
const crossBatch = 1 << 16

// nextProbed returns the next joined rows of the batch; nil once it has no more. In a LEFT join the matches of each row
// are followed by -1, which filterPairs turns into a row of NULLs if no match meets the condition.
func (j *Join) nextProbed(ctx context.Context) (*value.Batch, error) {
	p := &j.probe
	left := j.n.Kind == "LEFT"
	for p.b != nil {
		if err := turn.Err(ctx); err != nil {
			return nil, err
		}
		ls, rs := make([]int, 0, p.b.N), make([]int, 0, p.b.N)
		for len(ls) < crossBatch && p.row < p.b.N {
			if !p.started {
				p.next, p.started = j.firstMatch(p.row), true
			}
			for ; p.next != 0 && len(ls) < crossBatch; p.next = j.nextMatch(p.next) {
				ls, rs = append(ls, p.row), append(rs, int(p.next-1))
			}
			if p.next != 0 {
				break
			}
			if left {
				ls, rs = append(ls, p.row), append(rs, -1)
			}
			p.row, p.started = p.row+1, false
		}
		b := p.b
		if p.row == b.N {
			p.b = nil
		}
		if j.n.On == nil && !left {
			if out := j.joinedRows(b, ls, rs); out != nil {
				return out, nil
			}
			continue
		}
		if out, err := j.filterPairs(b, ls, rs); err != nil || out != nil {
			return out, err
		}
	}
	return nil, nil
}

// filterPairs returns the joined rows of the pairs that meet the rest of the condition, and for a row of a LEFT join
// without such a pair the row with NULLs.
func (j *Join) filterPairs(b *value.Batch, ls, rs []int) (*value.Batch, error) {
	var holds []bool
	if j.n.On != nil && len(ls) > 0 {
		keep, err := expr.Filter(j.n.On, j.env, j.joinedRows(b, ls, rs))
		if err != nil {
			return nil, err
		}
		holds = make([]bool, len(ls))
		for _, k := range keep {
			holds[k] = true
		}
	}
	n := 0
	for k, r := range rs {
		keep := !j.probe.matched
		if r >= 0 {
			keep = holds == nil || holds[k]
			j.probe.matched = j.probe.matched || keep
		} else {
			j.probe.matched = false
		}
		if keep {
			ls[n], rs[n] = ls[k], r
			n++
		}
	}
	return j.joinedRows(b, ls[:n], rs[:n]), nil
}

// joinedRows returns the rows of pairs, right row -1 giving NULLs; nil for no pairs.
func (j *Join) joinedRows(b *value.Batch, ls, rs []int) *value.Batch {
	if len(ls) == 0 {
		return nil
	}
	out := b.Select(ls)
	out.Cols = append(out.Cols, j.build.batch(TypesOf(j.n.Right.Columns()), rs)...)
	return out
}
