package db_test

import (
	"fmt"
	"slices"
	"testing"
)

// TestNaiveIndexes: conditions on one table with indexes over one column and over two, read, counted, changed and
// deleted, by loops over all rows.
func TestNaiveIndexes(t *testing.T) {
	n := newNaive(t, 8)
	script(t, n.conn, "CREATE INDEX ON u (b, c); CREATE INDEX ON u (c)")
	where := func() condition {
		if n.IntN(3) == 0 {
			return n.condition(2, false)
		}
		// an equality of the first column, and a range of the second
		k, low, high := n.IntN(2), n.IntN(6), 4+n.IntN(8)
		text := fmt.Sprintf("x.b = %d", k)
		c := condition{of: func(x, y naiveRow) datum { return compared("=", x[2], datum{n: k}) }}
		if n.IntN(3) == 0 {
			text, c.of = "true", func(x, y naiveRow) datum { return truth(true) }
		}
		for op, v := range map[string]int{[]string{">", ">="}[n.IntN(2)]: low, []string{"<", "<="}[n.IntN(2)]: high} {
			if n.IntN(4) == 0 {
				continue
			}
			of := c.of
			text += fmt.Sprintf(" AND x.c %s %d", op, v)
			c.of = func(x, y naiveRow) datum { return and(of(x, y), compared(op, x[3], datum{n: v})) }
		}
		c.text = text
		return c
	}
	for i := range 120 {
		c := where()
		var want, ids []string
		found := 0
		for _, x := range n.u {
			if c.holds(x, nil) {
				want, ids, found = append(want, key(x...)), append(ids, key(x[0])), found+1
			}
		}
		n.same("SELECT x.id, x.a, x.b, x.c FROM u x WHERE "+c.text, want, false)
		n.same("SELECT count(*) FROM u x WHERE "+c.text, []string{key(datum{n: found})}, true)
		switch i % 10 {
		case 3:
			n.same("UPDATE u AS x SET a = 1, c = x.c + 1 WHERE "+c.text+" RETURNING x.id", ids, false)
			for _, x := range n.u {
				if c.holds(x, nil) {
					x[1], x[3].n = datum{n: 1}, x[3].n+1
				}
			}
		case 7:
			n.same("DELETE FROM u AS x WHERE "+c.text+" RETURNING x.id", ids, false)
			n.u = slices.DeleteFunc(n.u, func(x naiveRow) bool { return c.holds(x, nil) })
		case 9:
			n.u = append(n.u, naiveRow{{n: 100 + i}, {n: i % 3}, {n: i % 2}, {n: n.IntN(12)}})
			x := n.u[len(n.u)-1]
			script(t, n.conn, fmt.Sprintf("INSERT INTO u VALUES ('%d', %s, %s, %s, %s)", i, x[0], x[1], x[2], x[3]))
		}
	}
}
