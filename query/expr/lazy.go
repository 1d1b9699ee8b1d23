package expr

import (
	"errors"
	"sync"

	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// ErrRows is that a subselect used as a value gives several rows.
var ErrRows = errors.New("a subselect used as a value gave more than one row")

// lazyState is the outcomes of the other query in one execution.
type lazyState struct {
	mu     sync.Mutex
	known  map[string]*outcome // by values of the outer row
	loaded bool                // known has all keys
	absent *outcome            // of keys that do not occur
	sought int                 // keys that were looked up
	whole  bool                // all rows are read in place of looking up more
	bytes  int                 // that the rows take
}

// keptOutcomes bounds the outcomes that are remembered.
const keptOutcomes = 1 << 16

// outcome is the rows for one combination of outer values.
type outcome struct {
	rows  [][]value.Value // without keys
	set   map[value.Value]bool
	texts map[string]struct{} // the set, if all its values are texts
	null  bool
	array value.Value // of the rows, for Collected
	err   error
}

// hold counts rows that are kept.
func (e *Lazy) hold(env *Env, rows [][]value.Value) error {
	n := RowsBytes(rows)
	if e.Mode == Member {
		n += (cellBytes + 64) * len(rows) // of the sets
	}
	e.state.bytes += n
	return env.Memory.Take(n)
}

// collect makes an array of rows of one column.
func collect(rows [][]value.Value) (value.Value, error) {
	items := make([]value.Value, len(rows))
	for i, r := range rows {
		items[i] = r[0]
	}
	return jsonfn.Array(items)
}

// Reset forgets the outcomes; an execution calls it before its first row.
func (e *Lazy) Reset() { e.state = &lazyState{known: map[string]*outcome{}} }

// seal prepares the rows for what is asked of them.
func (e *Lazy) seal(o *outcome) {
	switch {
	case o.err != nil:
	case e.Mode == Member:
		o.set = make(map[value.Value]bool, len(o.rows))
		o.texts = make(map[string]struct{}, len(o.rows))
		for _, r := range o.rows {
			if r[0].IsNull() {
				o.null = true
				continue
			}
			o.set[canonical(r[0])] = true
			if r[0].T == value.Text && o.texts != nil {
				o.texts[r[0].S] = struct{}{}
			} else {
				o.texts = nil
			}
		}
	case e.Mode == Collected:
		o.array, o.err = collect(o.rows)
	case e.Mode == Scalar && len(o.rows) > 1:
		o.err = ErrRows
	}
}

// load returns the outcome for row i of the batch.
func (e *Lazy) load(env *Env, b *value.Batch, i int) *outcome {
	st := e.state
	st.mu.Lock()
	defer st.mu.Unlock()
	if e.Keys != nil {
		return e.loadKeyed(env, b, i)
	}
	args := make([]value.Value, len(e.Outer))
	var key []byte
	for k, x := range e.Outer {
		v, err := x.At(env, b, i)
		if err != nil {
			return &outcome{err: err}
		}
		args[k] = v
		key = value.AppendRow(key, args[k:k+1])
	}
	o := st.known[string(key)]
	if o == nil {
		inner := *env
		inner.Args = args
		o = &outcome{}
		if len(st.known) >= keptOutcomes {
			clear(st.known)
			env.Memory.Give(st.bytes)
			st.bytes = 0
		}
		if o.rows, o.err = e.Rows(&inner); o.err == nil {
			o.err = e.hold(env, o.rows)
		}
		e.seal(o)
		st.known[string(key)] = o
	}
	return o
}

// loadKeyed reads all rows at first use and looks the keys of row i up.
func (e *Lazy) loadKeyed(env *Env, b *value.Batch, i int) *outcome {
	st := e.state
	if o, ok := e.seek(env, b, i, e.Keys); ok {
		return o
	}
	if !st.loaded {
		if err := e.index(env); err != nil {
			return &outcome{err: err}
		}
		st.loaded = true
	}
	key, id, err := keyAt(env, b, i, e.Keys, nil)
	if err != nil {
		return &outcome{err: err}
	}
	if o := st.known[string(id)]; key != nil && o != nil {
		return o
	}
	return st.absent
}

// index groups the rows by their keys; rows with a NULL among them equal nothing.
func (e *Lazy) index(env *Env) error {
	rows, err := e.Rows(env)
	if err == nil {
		err = e.hold(env, rows)
	}
	if err != nil {
		return err
	}
	st, n := e.state, len(e.Keys)
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
		o := st.known[string(key)]
		if o == nil {
			o = &outcome{}
			st.known[string(key)] = o
		}
		o.rows = append(o.rows, r[n:])
	}
	for _, o := range st.known {
		e.seal(o)
	}
	st.absent = e.missing(env)
	return nil
}

// missing is the outcome for keys that do not occur.
func (e *Lazy) missing(env *Env) *outcome {
	o := &outcome{}
	if e.Default != nil {
		o.rows, o.err = e.Default(env)
	}
	e.seal(o)
	return o
}

// vector tests membership of texts in a set that is the same for every row; ok is false for
// anything else.
func (e *Lazy) vector(env *Env, b *value.Batch) (v value.Vec, ok bool, err error) {
	if e.Mode != Member || e.Outer != nil || e.Keys != nil || b.N == 0 {
		return v, false, nil
	}
	if _, ok, err := e.seekMember(env, b, 0); ok || err != nil {
		return v, false, err
	}
	x, err := Eval(e.X, env, b)
	if err != nil || x.Strs == nil && x.Codes == nil || x.Type != value.Text {
		return v, false, err
	}
	o := e.load(env, b, 0)
	if o.err != nil || o.texts == nil || len(o.rows) == 0 || o.null {
		return v, false, o.err
	}
	out := booleans(b.N)
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

// canonical makes equal numbers equal as map keys.
func canonical(v value.Value) value.Value {
	if v.T == value.Integer || v.T == value.Boolean {
		return value.Real(v.Float())
	}
	return value.Unique(v)
}

// At yields the value, the membership or the existence.
func (e *Lazy) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	if v, ok, err := e.seekMember(env, b, i); ok || err != nil {
		return v, err
	}
	o := e.load(env, b, i)
	if o.err != nil {
		return value.Value{}, o.err
	}
	switch e.Mode {
	case Collected:
		return o.array, nil
	case NonEmpty:
		return value.Bool((len(o.rows) > 0) != e.Not), nil
	case Scalar:
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
	case o.set[canonical(x)]:
		return value.Bool(!e.Not), nil
	case o.null:
		return value.Value{}, nil
	}
	return value.Bool(e.Not), nil
}
