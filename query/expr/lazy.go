package expr

import (
	"fmt"
	"sync"

	"parlance/storage/value"
)

// lazyState is the outcome of the other query, computed once per execution.
type lazyState struct {
	once sync.Once
	rows [][]value.Value
	set  map[value.Value]bool
	null bool
	err  error
}

// Reset forgets the outcome; an execution calls it before its first row.
func (e *Lazy) Reset() { e.state = &lazyState{} }

func (e *Lazy) load(env *Env) *lazyState {
	st := e.state
	st.once.Do(func() {
		if st.rows, st.err = e.Rows(env); st.err != nil {
			return
		}
		if e.Mode == Member {
			st.set = make(map[value.Value]bool, len(st.rows))
			for _, r := range st.rows {
				if r[0].IsNull() {
					st.null = true
				} else {
					st.set[canonical(r[0])] = true
				}
			}
		}
		if e.Mode == Scalar && len(st.rows) > 1 {
			st.err = fmt.Errorf("a subselect used as a value gave %d rows, at most one is allowed", len(st.rows))
		}
	})
	return st
}

// canonical makes equal numbers equal as map keys.
func canonical(v value.Value) value.Value {
	if v.T == value.Integer || v.T == value.Boolean {
		return value.Real(v.Float())
	}
	return v
}

// At yields the value, the membership or the existence.
func (e *Lazy) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	st := e.load(env)
	if st.err != nil {
		return value.Value{}, st.err
	}
	switch e.Mode {
	case NonEmpty:
		return value.Bool((len(st.rows) > 0) != e.Not), nil
	case Scalar:
		if len(st.rows) == 0 {
			return value.Value{}, nil
		}
		return st.rows[0][0], nil
	}
	x, err := e.X.At(env, b, i)
	if err != nil {
		return x, err
	}
	if len(st.rows) == 0 {
		return value.Bool(e.Not), nil
	}
	if x.IsNull() {
		return value.Value{}, nil
	}
	if st.set[canonical(x)] {
		return value.Bool(!e.Not), nil
	}
	if st.null {
		return value.Value{}, nil
	}
	return value.Bool(e.Not), nil
}
