package db

import "parlance/query/parse"

// Foresee has statements of the shapes of a script parsed without their literals from the first time on.
func (d *DB) Foresee(script string) {
	list, _ := parse.Script(script)
	for _, st := range list {
		if l, ok := parse.LiftCompared(st.Text); ok {
			d.shapes.parse(&l, true)
			d.shapes.parse(&l, true)
		}
	}
}
