package db

import (
	"runtime"

	"parlance/query/lex"
	"parlance/query/operator"
)

// Foresee has statements of the forms of a script parameterised from the first time on.
func (d *DB) Foresee(script string) {
	list, _ := lex.Script(script)
	for _, st := range list {
		for range 2 {
			_ = d.parsed.once(&Stmt{text: st.Text})
		}
	}
}

// WhenFileIsCollected calls f when nothing refers to the engine of the present file any more.
func (d *DB) WhenFileIsCollected(f func()) {
	runtime.AddCleanup(d.file.Load().engine, func(f func()) { f() }, f)
}

// The plans of tests check the types of what their operators hand on.
func init() { operator.CheckTypes() }
