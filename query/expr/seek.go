package expr

import (
	"parlance/storage/value"
)

// Seek runs the other query for rows whose first columns equal one of the keys; total is how many keys
// the execution has asked for with these. ok is false where reading all rows is as quick.
type Seek func(env *Env, keys [][]value.Value, total int) (rows [][]value.Value, ok bool, err error)

// seek returns the outcome for row i, looking its key up together with those of the rows behind it; ok is
// false where all rows are to be read instead. The state is locked.
func (e *Lazy) seek(env *Env, b *value.Batch, i int, on []Expr) (o *outcome, ok bool) {
	st := e.state
	if e.Seek == nil || st.loaded || st.whole {
		return nil, false
	}
	if st.absent == nil {
		st.absent = e.missing(env)
	}
	key, id, err := keyAt(env, b, i, on, nil)
	switch {
	case err != nil:
		return &outcome{err: err}, true
	case key == nil:
		return st.absent, true
	case st.known[string(id)] != nil:
		return st.known[string(id)], true
	}
	found, err := e.find(env, b, i, on)
	if err != nil {
		return &outcome{err: err}, true
	}
	if !found {
		st.whole = true
		clear(st.known)
		return nil, false
	}
	return st.known[string(id)], true
}

// find looks up the keys of row i and of the rows behind it that are not known.
func (e *Lazy) find(env *Env, b *value.Batch, i int, on []Expr) (bool, error) {
	st, asked := e.state, map[string]*outcome{}
	var keys [][]value.Value
	var id []byte
	for ; i < b.N; i++ {
		key, next, err := keyAt(env, b, i, on, id[:0])
		id = next
		if err != nil || key == nil || st.known[string(id)] != nil || asked[string(id)] != nil {
			continue // what is wrong with a later row shows when it is its turn
		}
		asked[string(id)] = &outcome{}
		keys = append(keys, key)
	}
	rows, ok, err := e.Seek(env, keys, st.sought+len(keys))
	if err != nil || !ok {
		return false, err
	}
	st.sought += len(keys)
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
			o = st.absent
		} else if e.Keys != nil {
			e.seal(o)
		}
		st.known[id] = o
	}
	return true, nil
}

// keyAt returns the values of a key and their bytes; nil if one of them is NULL, which equals nothing.
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

// seekMember answers x IN (select) for a row by looking x up. Only membership is told from its absence,
// not from NULL: Seek of an IN is set where that does not matter.
func (e *Lazy) seekMember(env *Env, b *value.Batch, i int) (v value.Value, ok bool, err error) {
	if e.Mode != Member || e.Keys != nil || e.Seek == nil {
		return v, false, nil
	}
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	o, ok := e.seek(env, b, i, []Expr{e.X})
	if !ok || o.err != nil {
		return v, ok, o.error()
	}
	return value.Bool(len(o.rows) > 0), true, nil
}

func (o *outcome) error() error {
	if o == nil {
		return nil
	}
	return o.err
}

// Alone reports whether e is x IN (select) whose select does not depend on the outer row.
func (e *Lazy) Alone() bool {
	return e.Mode == Member && !e.Not && e.Keys == nil && len(e.Outer) == 0
}

// Members returns the values of x IN (select) without NULL.
func (e *Lazy) Members(env *Env) ([]value.Value, error) {
	e.state.mu.Lock()
	if e.Seek != nil && !e.state.whole {
		e.state.whole = true
		clear(e.state.known)
	}
	e.state.mu.Unlock()
	o := e.load(env, &value.Batch{N: 1}, 0)
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
