package expr

import (
	"parlance/storage/value"
)

// lookup returns the result for row i. It looks up its key together with the keys of the rows behind it, so that the
// index is asked once for a batch. ok is false if all rows are to be read instead. The cache is locked.
func (e *Subquery) lookup(env *Env, b *value.Batch, i int, on []Expr) (o *subqueryResult, ok bool) {
	st := e.cache
	if e.Lookup == nil || st.loaded || st.scanAll {
		return nil, false
	}
	if st.missing == nil {
		st.missing = e.resultOfMissingKey(env)
	}
	key, id, err := keyAt(env, b, i, on, nil)
	switch {
	case err != nil:
		return &subqueryResult{err: err}, true
	case key == nil:
		return st.missing, true
	case st.results[string(id)] != nil:
		return st.results[string(id)], true
	}
	found, err := e.lookupKeys(env, b, i, on)
	if err != nil {
		return &subqueryResult{err: err}, true
	}
	if !found {
		st.scanAll = true
		clear(st.results)
		return nil, false
	}
	return st.results[string(id)], true
}

// lookupKeys looks up the keys of row i and of the rows behind it that are not in the cache.
func (e *Subquery) lookupKeys(env *Env, b *value.Batch, i int, on []Expr) (bool, error) {
	st, asked := e.cache, map[string]*subqueryResult{}
	var keys [][]value.Value
	var id []byte
	for ; i < b.N; i++ {
		key, next, err := keyAt(env, b, i, on, id[:0])
		id = next
		if err != nil || key == nil || st.results[string(id)] != nil || asked[string(id)] != nil {
			continue // what is wrong with a later row shows when it is its turn
		}
		asked[string(id)] = &subqueryResult{}
		keys = append(keys, key)
	}
	rows, ok, err := env.Runner.LookUp(env, e.Lookup, keys, st.lookedUp+len(keys))
	if err != nil || !ok {
		return false, err
	}
	st.lookedUp += len(keys)
	for _, r := range rows {
		id = id[:0]
		for _, v := range r[:len(on)] {
			id = value.AppendKey(id, v)
		}
		if o := asked[string(id)]; o != nil {
			o.rows = append(o.rows, r[len(on):])
		}
	}
	for id, o := range asked {
		if len(o.rows) == 0 {
			o = st.missing
		} else if e.Keys != nil {
			e.finish(o)
		}
		st.results[id] = o
	}
	return true, nil
}

// keyAt returns the values of a key and their encoding; nil if one of them is NULL, which equals nothing.
func keyAt(env *Env, b *value.Batch, i int, on []Expr, id []byte) ([]value.Value, []byte, error) {
	key := make([]value.Value, len(on))
	for k, x := range on {
		v, err := x.At(env, b, i)
		if err != nil || v.IsNull() {
			return nil, id, err
		}
		key[k] = v
		id = value.AppendKey(id, v)
	}
	return key, id, nil
}

// lookupMember evaluates x IN (select) for a row by looking x up in an index. It cannot tell NULL from false: Lookup is
// set only where that makes no difference.
func (e *Subquery) lookupMember(env *Env, b *value.Batch, i int) (v value.Value, ok bool, err error) {
	if e.Mode != InSubquery || e.Keys != nil || e.Lookup == nil {
		return v, false, nil
	}
	e.cache.mu.Lock()
	defer e.cache.mu.Unlock()
	o, ok := e.lookup(env, b, i, []Expr{e.X})
	if !ok || o.err != nil {
		return v, ok, o.error()
	}
	return value.Bool(len(o.rows) > 0), true, nil
}

func (o *subqueryResult) error() error {
	if o == nil {
		return nil
	}
	return o.err
}

// Uncorrelated reports whether e is x IN (select) with a select that does not depend on the outer row.
func (e *Subquery) Uncorrelated() bool {
	return e.Mode == InSubquery && !e.Not && e.Keys == nil && len(e.Outer) == 0
}

// Values returns the values of the select of x IN (select), without NULL.
func (e *Subquery) Values(env *Env) ([]value.Value, error) {
	e.cache.mu.Lock()
	if e.Lookup != nil && !e.cache.scanAll {
		e.cache.scanAll = true
		clear(e.cache.results)
	}
	e.cache.mu.Unlock()
	o := e.result(env, &value.Batch{N: 1}, 0)
	if o.err != nil {
		return nil, o.err
	}
	var out []value.Value
	for _, r := range o.rows {
		if !r[0].IsNull() {
			out = append(out, r[0])
		}
	}
	return out, nil
}
