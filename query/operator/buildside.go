package operator

import (
	"context"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// BuildSide is the side of a join that is held in memory. Rows with equal keys form a linked list.
type BuildSide struct {
	cols   []column
	n      int         // rows
	Groups *GroupTable // numbers the keys
	first  []int32     // of each key, its first row plus one, 0 for none
	last   []int32     // of each key, its last row plus one
	next   []int32     // of each row, the next row with the same key plus one, 0 for none
}

// read takes rows of an operator until the memory is full; whole tells whether it took all.
func (h *BuildSide) read(ctx context.Context, in Operator, width int, keys []expr.Expr, env *expr.Env,
	memory *Budget) (whole bool, err error) {
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
	if memory.noSpill {
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

// link appends the rows of a batch to the lists of their keys. NULL equals nothing, so rows with a NULL among the keys
// are in no list.
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

// AnyNull reports whether a column is NULL in row i.
func AnyNull(vecs []value.Vec, i int) bool {
	for k := range vecs {
		if vecs[k].IsNull(i) {
			return true
		}
	}
	return false
}

// batch returns rows by their numbers; -1 stands for a row of NULLs.
func (h *BuildSide) batch(types []value.Type, rows []int) []value.Vec {
	out := make([]value.Vec, len(h.cols))
	for i := range h.cols {
		v := h.cols[i].vec(types[i], 0, h.cols[i].n)
		out[i] = selectOrNull(&v, rows)
	}
	return out
}

// selectOrNull selects rows of a vector; -1 gives NULL.
func selectOrNull(v *value.Vec, rows []int) value.Vec {
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

// Keys returns the distinct keys of a right build side that hold no NULL. at chooses which columns of the keys, by
// their places among those of the join.
func (h *BuildSide) Keys(j *plan.Join, at []int, env *expr.Env) ([][]value.Value, error) {
	var rows []int
	for _, first := range h.first {
		if first > 0 {
			rows = append(rows, int(first)-1)
		}
	}
	b := &value.Batch{N: len(rows), Cols: h.batch(TypesOf(j.Right.Columns()), rows)}
	vecs, err := EvalAll(j.RightKeys, env, b)
	if err != nil {
		return nil, err
	}
	keys := make([][]value.Value, len(rows))
	for i := range rows {
		for _, k := range at {
			keys[i] = append(keys[i], vecs[k].At(i))
		}
	}
	return keys, nil
}
