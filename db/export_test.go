package db

import "parlance/query/parse"

// Foresee has statements of the forms of a script parameterised from the first time on.
func (d *DB) Foresee(script string) {
	list, _ := parse.Script(script)
	for _, st := range list {
		for range 2 {
			_ = d.parsed.once(&Stmt{text: st.Text})
		}
	}
}
