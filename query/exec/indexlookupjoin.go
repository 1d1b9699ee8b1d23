package exec

import (
	"context"
	"errors"
	"maps"
	"slices"

	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// indexLookupJoin is a join of which one side is a table with an index that begins with columns of the join. It reads
// the other side first. If that has few different keys, the table is read by the index for these keys only, else as a
// whole.
type indexLookupJoin struct {
	r  *Execution
	n  *plan.Join
	op operator.Operator // nil before the first row
}

// MaxLookupKeys bounds the keys that are looked up in place of reading a table.
const MaxLookupKeys = 4096

func (k *indexLookupJoin) Next(ctx context.Context) (*value.Batch, error) {
	if k.op == nil {
		op, err := k.open(ctx)
		if err != nil {
			return nil, err
		}
		k.op = op
	}
	return k.op.Next(ctx)
}

func (k *indexLookupJoin) Close() error {
	if k.op == nil {
		return nil
	}
	return k.op.Close()
}

func (k *indexLookupJoin) open(ctx context.Context) (operator.Operator, error) {
	n, at := k.n, k.n.Lookup
	first, second := n.Left, n.Right
	if at.RightFirst {
		first, second = second, first
	}
	if k.r.BuildSides[n] != nil {
		return k.r.HashJoin(n)
	}
	in, err := k.r.Build(first)
	if err != nil {
		return nil, err
	}
	rows := operator.NewLookahead(in)
	keys, err := k.read(ctx, rows)
	inner := *k.r
	if err == nil && keys != nil && k.r.LookupIsCheaper(ctx, at.Table, len(keys)) {
		inner.SetLookupKeys(at.Table, keys)
	}
	var other operator.Operator
	if err == nil {
		other, err = inner.Build(second)
	}
	if err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	if keys := inner.lookupKeys[at.Table]; keys != nil {
		k.r.countLookupKeys(at.Table, len(keys))
		left, right := operator.Operator(rows), other
		if at.RightFirst {
			left, right = right, left
		}
		return operator.NewJoin(n, k.r.Env, left, right, false, k.r.budget()), nil
	}
	if at.RightFirst {
		return k.r.newHashJoin(n, other, rows), nil
	}
	return k.r.newHashJoin(n, rows, other), nil
}

// read reads the first side and returns its different keys without NULL, nil if there are too many of them or memory
// is full.
func (k *indexLookupJoin) read(ctx context.Context, rows *operator.Lookahead) ([][]value.Value, error) {
	var on []expr.Expr
	for _, i := range k.n.Lookup.Keys {
		if k.n.Lookup.RightFirst {
			on = append(on, k.n.RightKeys[i])
		} else {
			on = append(on, k.n.LeftKeys[i])
		}
	}
	found, seen := [][]value.Value{}, map[string]bool{}
	for bytes := 0; bytes <= k.r.memory() && len(found) <= MaxLookupKeys; {
		b, err := rows.ReadAhead(ctx)
		if err != nil || b == nil {
			return found, err
		}
		bytes += b.Bytes()
		vecs, err := operator.EvalAll(on, k.r.Env, b)
		if err != nil {
			return nil, err
		}
		var id []byte
		for i := range b.N {
			if operator.AnyNull(vecs, i) {
				continue
			}
			key := make([]value.Value, len(vecs))
			id = id[:0]
			for c := range vecs {
				key[c] = vecs[c].At(i)
				id = value.AppendKey(id, key[c])
			}
			if !seen[string(id)] {
				seen[string(id)] = true
				found = append(found, key)
			}
		}
	}
	return nil, nil
}

// SetLookupKeys makes the execution read a table for keys only, by its index.
func (r *Execution) SetLookupKeys(t *plan.Table, keys [][]value.Value) {
	if r.lookupKeys = maps.Clone(r.lookupKeys); r.lookupKeys == nil {
		r.lookupKeys = map[*plan.Table][][]value.Value{}
	}
	r.lookupKeys[t] = keys
}

// LookupIsCheaper reports whether looking n keys up is quicker than reading a table, or what conditions on
// indexed columns leave of it: a lookup is thought to cost as much as reading four rows.
func (r *Execution) LookupIsCheaper(ctx context.Context, t *plan.Table, keys int) bool {
	least := 4 * keys
	if keys > MaxLookupKeys || r.Snapshot.TableCount(t.Object) < least {
		return false
	}
	u := t.Index()
	if u == nil {
		return true
	}
	ranges, ok, err := r.keyRanges(t.Object, u)
	if err != nil || !ok {
		return true
	}
	n, ok, err := r.Snapshot.CountEntries(ctx, t.Object, u.Columns, ranges, least)
	return err != nil || !ok || n >= least
}

// countLookupKeys counts the keys for EXPLAIN ANALYZE.
func (r *Execution) countLookupKeys(t *plan.Table, n int) {
	if st := r.Stats.Of(t); st != nil {
		st.Keys += n
	}
}

// emitLookupRows emits the rows of a table that have the keys; ok is false if no index finds them.
func (r *Execution) emitLookupRows(
	ctx context.Context, n *plan.Table, keys [][]value.Value, emit func([]uint64, *value.Batch) error,
) (ok bool, err error) {
	u, from := n.LookupIndex()
	if u == nil {
		return false, nil
	}
	one := *u
	one.Equal = slices.Clone(u.Equal)
	ranges := []catalog.KeyRange{}
	for _, key := range keys {
		for i, c := range from {
			if c >= 0 {
				one.Equal[i].List = []expr.Expr{&expr.Const{V: key[c]}}
			}
		}
		list, ok, err := r.keyRanges(n.Object, &one)
		if err != nil || !ok {
			return false, err
		}
		ranges = append(ranges, list...)
	}
	return r.Snapshot.LookupRows(ctx, n.Object, u.Columns, ranges, n.Need, emit)
}
