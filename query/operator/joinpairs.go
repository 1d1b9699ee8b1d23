package operator

import (
	"context"

	"parlance/query/expr"
	"parlance/storage/value"
)

// pairing is a batch of the left side on its way past the held right side.
type pairing struct {
	b     *value.Batch // nil between batches
	ids   []int32      // of its keys, nil without keys
	row   int          // of b, whose partners come next
	next  int32        // its next partner plus one, 0 for none
	begun bool         // whether next belongs to row
	found bool         // whether the row of the pairs kept last has a partner
}

// take begins to pair a batch of the left side.
func (j *Join) take(b *value.Batch) error {
	j.from = pairing{b: b}
	if len(j.n.LeftKeys) == 0 {
		return nil
	}
	vecs, err := EvalAll(j.n.LeftKeys, j.env, b)
	if err != nil {
		return err
	}
	j.from.ids = j.held.Groups.lookup(vecs, b.N)
	return nil
}

// partner is the first row of the right side for a row of the left, plus one; 0 for none.
func (j *Join) partner(row int) int32 {
	switch ids := j.from.ids; {
	case ids == nil:
		return min(1, int32(j.held.n))
	case ids[row] < 0:
		return 0
	default:
		return j.held.first[ids[row]]
	}
}

// after is the partner after one.
func (j *Join) after(k int32) int32 {
	switch {
	case j.from.ids != nil:
		return j.held.next[k-1]
	case int(k) < j.held.n:
		return k + 1
	}
	return 0
}

// crossBatch bounds the pairs that are laid out at once.
const crossBatch = 1 << 16

// pairs returns the next rows of the batch at hand; nil once it has no more. In a LEFT join -1 stands
// behind the partners of each row, for a row of NULLs if it has none.
func (j *Join) pairs(ctx context.Context) (*value.Batch, error) {
	p := &j.from
	left := j.n.Kind == "LEFT"
	for p.b != nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ls, rs := make([]int, 0, p.b.N), make([]int, 0, p.b.N)
		for len(ls) < crossBatch && p.row < p.b.N {
			if !p.begun {
				p.next, p.begun = j.partner(p.row), true
			}
			for ; p.next != 0 && len(ls) < crossBatch; p.next = j.after(p.next) {
				ls, rs = append(ls, p.row), append(rs, int(p.next-1))
			}
			if p.next != 0 {
				break
			}
			if left {
				ls, rs = append(ls, p.row), append(rs, -1)
			}
			p.row, p.begun = p.row+1, false
		}
		b := p.b
		if p.row == b.N {
			p.b = nil
		}
		if j.n.On == nil && !left {
			if out := j.lay(b, ls, rs); out != nil {
				return out, nil
			}
			continue
		}
		if out, err := j.residual(b, ls, rs); err != nil || out != nil {
			return out, err
		}
	}
	return nil, nil
}

// residual keeps the pairs for which the rest of the condition holds, and rows of NULLs where none does.
func (j *Join) residual(b *value.Batch, ls, rs []int) (*value.Batch, error) {
	var holds []bool
	if j.n.On != nil && len(ls) > 0 {
		keep, err := expr.Filter(j.n.On, j.env, j.lay(b, ls, rs))
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
		keep := !j.from.found
		if r >= 0 {
			keep = holds == nil || holds[k]
			j.from.found = j.from.found || keep
		} else {
			j.from.found = false
		}
		if keep {
			ls[n], rs[n] = ls[k], r
			n++
		}
	}
	return j.lay(b, ls[:n], rs[:n]), nil
}

// lay builds the rows of pairs; nil for none.
func (j *Join) lay(b *value.Batch, ls, rs []int) *value.Batch {
	if len(ls) == 0 {
		return nil
	}
	out := b.Select(ls)
	out.Cols = append(out.Cols, j.held.batch(TypesOf(j.n.Right.Columns()), rs)...)
	return out
}
