package expr

import (
	"errors"
	"sync"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// ErrRows is returned if a subquery that is used as a value gives several rows.
var ErrRows = errors.New("a subselect used as a value gave more than one row")

// subqueryCache has the results of a subquery in one execution.
type subqueryCache struct {
	mu       sync.Mutex
	results  map[string]*subqueryResult // by values of the outer row
	loaded   bool                       // known has all keys
	missing  *subqueryResult            // of keys that do not occur
	lookedUp int                        // keys that were looked up
	scanAll  bool                       // all rows are read in place of looking up more
	bytes    int                        // that the rows take
}

// maxCachedResults bounds the results that are cached.
const maxCachedResults = 1 << 16

// subqueryResult is the rows for one combination of outer values or for one key.
type subqueryResult struct {
	rows  [][]value.Value // without keys
	set   map[value.Value]bool
	texts map[string]struct{} // the set, if all its values are texts
	null  bool
	array value.Value // of the rows, for Collected
	err   error
}

// account counts rows that are kept against the memory of the statement.
func (e *Subquery) account(env *Env, rows [][]value.Value) error {
	n := RowsBytes(rows)
	if e.Mode == InSubquery {
		n += (valueOverhead + 64) * len(rows) // of the sets
	}
	n += fn.Grown(rowOverhead*len(rows)) - rowOverhead*len(rows)
	if e.Mode == ArraySubquery { // its members, and its text as that grows
		for _, r := range rows {
			n += valueOverhead + fn.Grown(len(r[0].S)+4)
		}
	}
	e.cache.bytes += n
	return env.Memory.Take(n)
}

// arrayOf makes an array of rows of one column.
func arrayOf(rows [][]value.Value) (value.Value, error) {
	items := make([]value.Value, len(rows))
	for i, r := range rows {
		items[i] = r[0]
	}
	return jsonfn.Array(items)
}

// Reset empties the cache. An execution calls it before its first row.
func (e *Subquery) Reset() { e.cache = &subqueryCache{results: map[string]*subqueryResult{}} }

// finish computes the set or array that the mode needs from the rows.
func (e *Subquery) finish(o *subqueryResult) {
	switch {
	case o.err != nil:
	case e.Mode == InSubquery:
		o.set = make(map[value.Value]bool, len(o.rows))
		o.texts = make(map[string]struct{}, len(o.rows))
		for _, r := range o.rows {
			if r[0].IsNull() {
				o.null = true
				continue
			}
			o.set[value.Unique(r[0])] = true
			if r[0].T == value.Text && o.texts != nil {
				o.texts[r[0].S] = struct{}{}
			} else {
				o.texts = nil
			}
		}
	case e.Mode == ArraySubquery:
		o.array, o.err = arrayOf(o.rows)
		o.rows = nil
	case e.Mode == ScalarSubquery && len(o.rows) > 1:
		o.err = ErrRows
	}
}

// result returns the result for row i of the batch.
func (e *Subquery) result(env *Env, b *value.Batch, i int) *subqueryResult {
	st := e.cache
	st.mu.Lock()
	defer st.mu.Unlock()
	if e.Keys != nil {
		return e.resultByKey(env, b, i)
	}
	args := make([]value.Value, len(e.Outer))
	var key []byte
	for k, x := range e.Outer {
		v, err := x.At(env, b, i)
		if err != nil {
			return &subqueryResult{err: err}
		}
		args[k] = v
		key = value.AppendRow(key, args[k:k+1])
	}
	o := st.results[string(key)]
	if o == nil {
		inner := *env
		inner.Args = args
		o = &subqueryResult{}
		if len(st.results) >= maxCachedResults {
			clear(st.results)
			env.Memory.Release(st.bytes)
			st.bytes = 0
		}
		if o.rows, o.err = env.Runner.SelectRows(&inner, e.Plan, e.Limit); o.err == nil {
			o.err = e.account(env, o.rows)
		}
		e.finish(o)
		st.results[string(key)] = o
	}
	return o
}

// resultByKey returns the result for the keys of row i. All rows are read at first use, unless an index finds those of
// the key.
func (e *Subquery) resultByKey(env *Env, b *value.Batch, i int) *subqueryResult {
	st := e.cache
	if o, ok := e.lookup(env, b, i, e.Keys); ok {
		return o
	}
	if !st.loaded {
		if err := e.loadAll(env); err != nil {
			return &subqueryResult{err: err}
		}
		st.loaded = true
	}
	key, id, err := keyAt(env, b, i, e.Keys, nil)
	if err != nil {
		return &subqueryResult{err: err}
	}
	if o := st.results[string(id)]; key != nil && o != nil {
		return o
	}
	return st.missing
}

// loadAll reads all rows and groups them by their keys. Rows with a NULL key equal nothing and are left out.
func (e *Subquery) loadAll(env *Env) error {
	rows, err := env.Runner.SelectRows(env, e.Plan, e.Limit)
	if err == nil {
		err = e.account(env, rows)
	}
	if err != nil {
		return err
	}
	st, n := e.cache, len(e.Keys)
	var key []byte
rows:
	for _, r := range rows {
		key = key[:0]
		for _, v := range r[:n] {
			if v.IsNull() {
				continue rows
			}
			key = value.AppendKey(key, v)
		}
		o := st.results[string(key)]
		if o == nil {
			o = &subqueryResult{}
			st.results[string(key)] = o
		}
		o.rows = append(o.rows, r[n:])
	}
	for _, o := range st.results {
		e.finish(o)
	}
	st.missing = e.resultOfMissingKey(env)
	return nil
}

// resultOfMissingKey returns the result for keys that no row has.
func (e *Subquery) resultOfMissingKey(env *Env) *subqueryResult {
	o := &subqueryResult{}
	if e.Default != nil {
		o.rows, o.err = env.Runner.SelectRows(env, e.Default, 1)
	}
	e.finish(o)
	return o
}

// vector tests texts for membership in a set that is the same for all rows; ok is false for anything else.
func (e *Subquery) vector(env *Env, b *value.Batch) (v value.Vec, ok bool, err error) {
	if e.Mode != InSubquery || e.Outer != nil || e.Keys != nil || b.N == 0 {
		return v, false, nil
	}
	if _, ok, err := e.lookupMember(env, b, 0); ok || err != nil {
		return v, false, err
	}
	x, err := Eval(e.X, env, b)
	if err != nil || x.Strs == nil && x.Codes == nil || x.Type != value.Text {
		return v, false, err
	}
	o := e.result(env, b, 0)
	if o.err != nil || o.texts == nil || len(o.rows) == 0 || o.null {
		return v, false, o.err
	}
	out := newBooleans(b.N)
	out.Null = x.Null
	if x.Codes != nil {
		words := make([]int64, len(x.Dict.Words))
		for w, s := range x.Dict.Words {
			_, has := o.texts[s]
			words[w] = bit(has != e.Not)
		}
		for i, c := range x.Codes[:b.N] {
			out.Ints[i] = words[c]
		}
		return out, true, nil
	}
	for i, s := range x.Strs[:b.N] {
		_, has := o.texts[s]
		out.Ints[i] = bit(has != e.Not)
	}
	return out, true, nil
}

// At returns the value, the array, whether X is a member, or whether there are rows.
func (e *Subquery) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	if v, ok, err := e.lookupMember(env, b, i); ok || err != nil {
		return v, err
	}
	o := e.result(env, b, i)
	if o.err != nil {
		return value.Value{}, o.err
	}
	switch e.Mode {
	case ArraySubquery:
		return o.array, nil
	case ExistsSubquery:
		return value.Bool((len(o.rows) > 0) != e.Not), nil
	case ScalarSubquery:
		if len(o.rows) == 0 {
			return value.Value{}, nil
		}
		return o.rows[0][0], nil
	}
	x, err := e.X.At(env, b, i)
	if err != nil {
		return x, err
	}
	switch {
	case len(o.rows) == 0:
		return value.Bool(e.Not), nil
	case x.IsNull():
		return value.Value{}, nil
	case o.set[value.Unique(x)]:
		return value.Bool(!e.Not), nil
	case o.null:
		return value.Value{}, nil
	}
	return value.Bool(e.Not), nil
}
