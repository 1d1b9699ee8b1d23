package db_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/db"
	"parlance/storage/value"
)

// The tests of these files compare statements with what a naive evaluation of them gives: loops over all rows that
// follow the definitions, over tables with duplicates and NULL in every column.

// datum is a whole number or NULL, or a truth that may be unknown: 0, 1 or NULL.
type datum struct {
	n    int
	null bool
}

var unknown = datum{null: true}

func truth(b bool) datum {
	if b {
		return datum{n: 1}
	}
	return datum{}
}

func (c datum) String() string {
	if c.null {
		return "NULL"
	}
	return strconv.Itoa(c.n)
}

// same compares with NULL equal to NULL.
func (c datum) same(d datum) bool { return c == d || c.null && d.null }

// naiveRow is a row: id, a, b, c.
type naiveRow []datum

func key(cells ...datum) string { return fmt.Sprint(cells) }

// naive is a database with the tables t and u, and what is in them.
type naive struct {
	*testing.T
	*rand.Rand
	conn *db.Conn
	t, u []naiveRow
}

func newNaive(t *testing.T, seed uint64) *naive {
	n := &naive{T: t, Rand: rand.New(rand.NewPCG(seed, 7)), conn: open(t, "").Conn()}
	for i, name := range []string{"t", "u"} {
		rows := []*[]naiveRow{&n.t, &n.u}[i]
		script(t, n.conn, "CREATE LEXICON "+name+" (k TEXT, id INTEGER, a INTEGER, b INTEGER, c INTEGER)")
		if name == "u" {
			script(t, n.conn, "CREATE INDEX ON u (a)")
		}
		for id := range 9 {
			row := naiveRow{{n: id}}
			for _, most := range []int{3, 2, 12} {
				c := datum{n: n.IntN(most)}
				if n.IntN(5) == 0 {
					c = unknown
				}
				row = append(row, c)
			}
			*rows = append(*rows, row)
			script(t, n.conn, fmt.Sprintf("INSERT INTO %s VALUES ('%d', %s, %s, %s, %s)", name, id, row[0], row[1], row[2],
				row[3]))
		}
	}
	return n
}

// same runs a query and compares its rows, in any order if it has none.
func (n *naive) same(query string, want []string, ordered bool) {
	n.Helper()
	rows, err := n.conn.Query(context.Background(), query)
	if err != nil {
		n.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var got []string
	for values, err := range rows.All() {
		if err != nil {
			n.Fatalf("%s: %v", query, err)
		}
		var cells []datum
		for _, v := range values {
			switch {
			case v.IsNull():
				cells = append(cells, unknown)
			case v.T == value.Boolean:
				cells = append(cells, truth(v.N != 0))
			default:
				cells = append(cells, datum{n: int(int64(v.N))})
			}
		}
		got = append(got, key(cells...))
	}
	if !ordered {
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
	}
	if !slices.Equal(got, want) {
		n.Fatalf("%s\ngives %v\nwant  %v\nt %v\nu %v", query, got, want, n.t, n.u)
	}
}

// condition is a text and what it is for a row of x, or for rows of x and y.
type condition struct {
	text string
	of   func(x, y naiveRow) datum
}

var columnNames = []string{"id", "a", "b", "c"}

// operand draws a column of x, or of y where there is one, or a constant.
func (n *naive) operand(two bool) condition {
	k := n.IntN(4)
	switch i := n.IntN(5); {
	case i == 0:
		c := datum{n: n.IntN(4)}
		return condition{c.String(), func(x, y naiveRow) datum { return c }}
	case i < 3 && two:
		return condition{"y." + columnNames[k], func(x, y naiveRow) datum { return y[k] }}
	}
	return condition{"x." + columnNames[k], func(x, y naiveRow) datum { return x[k] }}
}

var comparisons = map[string]func(a, b int) bool{"=": func(a, b int) bool { return a == b },
	"<>": func(a, b int) bool { return a != b }, "<": func(a, b int) bool { return a < b },
	"<=": func(a, b int) bool { return a <= b }, ">": func(a, b int) bool { return a > b },
	">=": func(a, b int) bool { return a >= b }}

func compared(op string, a, b datum) datum {
	if a.null || b.null {
		return unknown
	}
	return truth(comparisons[op](a.n, b.n))
}

func not(c datum) datum {
	if c.null {
		return c
	}
	return truth(c.n == 0)
}

func and(a, b datum) datum {
	switch {
	case !a.null && a.n == 0, !b.null && b.n == 0:
		return truth(false)
	case a.null || b.null:
		return unknown
	}
	return truth(true)
}

func or(a, b datum) datum { return not(and(not(a), not(b))) }

// condition draws a condition over rows of x, and of y where there is one.
func (n *naive) condition(depth int, two bool) condition {
	if depth > 0 && n.IntN(3) > 0 {
		p, q := n.condition(depth-1, two), n.condition(depth-1, two)
		switch n.IntN(3) {
		case 0:
			return condition{"NOT (" + p.text + ")", func(x, y naiveRow) datum { return not(p.of(x, y)) }}
		case 1:
			return condition{"(" + p.text + " OR " + q.text + ")",
				func(x, y naiveRow) datum { return or(p.of(x, y), q.of(x, y)) }}
		}
		return condition{"(" + p.text + " AND " + q.text + ")",
			func(x, y naiveRow) datum { return and(p.of(x, y), q.of(x, y)) }}
	}
	p, q, r := n.operand(two), n.operand(two), n.operand(two)
	switch n.IntN(7) {
	case 0:
		return condition{p.text + " IS NULL", func(x, y naiveRow) datum { return truth(p.of(x, y).null) }}
	case 1:
		return condition{p.text + " IS NOT NULL", func(x, y naiveRow) datum { return truth(!p.of(x, y).null) }}
	case 2:
		return condition{p.text + " IS DISTINCT FROM " + q.text,
			func(x, y naiveRow) datum { return truth(!p.of(x, y).same(q.of(x, y))) }}
	case 3:
		return condition{p.text + " BETWEEN " + q.text + " AND " + r.text, func(x, y naiveRow) datum {
			return and(compared(">=", p.of(x, y), q.of(x, y)), compared("<=", p.of(x, y), r.of(x, y)))
		}}
	case 4:
		return condition{p.text + " IN (1, " + q.text + ", 2)", func(x, y naiveRow) datum {
			c := p.of(x, y)
			return or(or(compared("=", c, datum{n: 1}), compared("=", c, q.of(x, y))), compared("=", c, datum{n: 2}))
		}}
	}
	ops := []string{"=", "<>", "<", "<=", ">", ">=", "="}
	op := ops[n.IntN(len(ops))]
	return condition{p.text + " " + op + " " + q.text,
		func(x, y naiveRow) datum { return compared(op, p.of(x, y), q.of(x, y)) }}
}

func (c condition) holds(x, y naiveRow) bool { v := c.of(x, y); return !v.null && v.n != 0 }

var nulls = naiveRow{unknown, unknown, unknown, unknown}

// TestNaiveJoins: the kinds of joins by loops, under conditions of the join and of the rows that come out.
func TestNaiveJoins(t *testing.T) {
	n := newNaive(t, 1)
	for range 70 {
		kind := []string{"INNER", "LEFT", "RIGHT", "FULL"}[n.IntN(4)]
		on, where := n.condition(1, true), n.condition(1, true)
		if n.IntN(3) > 0 { // as most joins are
			also, k := on, 1+n.IntN(2)
			on = condition{"x." + columnNames[k] + " = y." + columnNames[k],
				func(x, y naiveRow) datum { return compared("=", x[k], y[k]) }}
			if n.IntN(2) == 0 {
				equal := on
				on = condition{equal.text + " AND " + also.text,
					func(x, y naiveRow) datum { return and(equal.of(x, y), also.of(x, y)) }}
			}
		}
		var want []string
		out := func(x, y naiveRow) {
			if where.holds(x, y) {
				want = append(want, key(x[0], y[0]))
			}
		}
		matched := make([]bool, len(n.u))
		for _, x := range n.t {
			alone := true
			for j, y := range n.u {
				if on.holds(x, y) {
					alone, matched[j] = false, true
					out(x, y)
				}
			}
			if alone && (kind == "LEFT" || kind == "FULL") {
				out(x, nulls)
			}
		}
		for j, y := range n.u {
			if !matched[j] && (kind == "RIGHT" || kind == "FULL") {
				out(nulls, y)
			}
		}
		n.same("SELECT x.id, y.id FROM t x "+kind+" JOIN u y ON "+on.text+" WHERE "+where.text, want, false)
	}
}

// subselects are values over the rows of u that were found for a row of t.
var subselects = []struct {
	text string
	of   func(op string, x naiveRow, found []naiveRow) datum
}{
	{"EXISTS (SELECT 1 FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) datum {
		return truth(len(found) > 0)
	}},
	{"x.a %s ANY (SELECT y.b FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) datum {
		c := truth(false)
		for _, y := range found {
			c = or(c, compared(op, x[1], y[2]))
		}
		return c
	}},
	{"x.b %s ALL (SELECT y.a FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) datum {
		c := truth(true)
		for _, y := range found {
			c = and(c, compared(op, x[2], y[1]))
		}
		return c
	}},
	{"x.c NOT IN (SELECT y.c FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) datum {
		c := truth(true)
		for _, y := range found {
			c = and(c, compared("<>", x[3], y[3]))
		}
		return c
	}},
	{"x.a IN (SELECT y.a FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) datum {
		c := truth(false)
		for _, y := range found {
			c = or(c, compared("=", x[1], y[1]))
		}
		return c
	}},
	{"(SELECT count(y.b) FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) (c datum) {
		for _, y := range found {
			if !y[2].null {
				c.n++
			}
		}
		return c
	}},
	{"(SELECT max(y.c) FROM u y WHERE %s)", func(op string, x naiveRow, found []naiveRow) datum {
		c := unknown
		for _, y := range found {
			if !y[3].null && (c.null || y[3].n > c.n) {
				c = y[3]
			}
		}
		return c
	}},
}

// TestNaiveSubselects: EXISTS, IN, comparisons with ANY and ALL, values and lateral joins, by loops.
func TestNaiveSubselects(t *testing.T) {
	n := newNaive(t, 2)
	for range 70 {
		inner, op := n.condition(1, true), []string{"=", "<", ">=", "<>"}[n.IntN(4)]
		test := subselects[n.IntN(len(subselects))]
		expr := fmt.Sprintf(strings.Replace(test.text, " %s A", " "+op+" A", 1), inner.text)
		var values, rows, lateral []string
		for _, x := range n.t {
			var found []naiveRow
			for _, y := range n.u {
				if inner.holds(x, y) {
					found = append(found, y)
				}
			}
			c := test.of(op, x, found)
			values = append(values, key(x[0], c))
			if c = not(c); !c.null && c.n != 0 {
				rows = append(rows, key(x[0]))
			}
			for _, y := range found {
				lateral = append(lateral, key(x[0], y[0]))
			}
			if len(found) == 0 {
				lateral = append(lateral, key(x[0], unknown))
			}
		}
		n.same("SELECT x.id, "+expr+" FROM t x", values, false)
		if !strings.HasPrefix(test.text, "(") {
			n.same("SELECT x.id FROM t x WHERE NOT "+expr, rows, false)
		}
		n.same("SELECT x.id, z.id FROM t x LEFT JOIN LATERAL (SELECT y.id FROM u y WHERE "+inner.text+") z ON true", lateral,
			false)
	}
}

// orderTerm is a term of ORDER BY.
type orderTerm struct {
	column          int
	desc, nullFirst bool
}

// order draws a term: NULL counts as the greatest value unless it is said where it stands.
func (n *naive) order() (orderTerm, string) {
	o := orderTerm{column: 1 + n.IntN(3), desc: n.IntN(2) == 0}
	text := "x." + columnNames[o.column]
	if o.nullFirst = o.desc; o.desc {
		text += " DESC"
	}
	switch n.IntN(3) {
	case 0:
		o.nullFirst, text = true, text+" NULLS FIRST"
	case 1:
		o.nullFirst, text = false, text+" NULLS LAST"
	}
	return o, text
}

func (o orderTerm) compare(x, y naiveRow) int {
	a, b := x[o.column], y[o.column]
	switch {
	case a.null && b.null:
		return 0
	case a.null || b.null:
		if a.null == o.nullFirst {
			return -1
		}
		return 1
	case o.desc:
		return cmp.Compare(b.n, a.n)
	}
	return cmp.Compare(a.n, b.n)
}

// TestNaiveOrders: ORDER BY with NULLS FIRST and LAST, LIMIT and OFFSET, WITH TIES, DISTINCT and DISTINCT ON.
func TestNaiveOrders(t *testing.T) {
	n := newNaive(t, 3)
	for range 70 {
		o, text := n.order()
		p, also := n.order()
		where := n.condition(1, false)
		var rows []naiveRow
		for _, x := range n.t {
			if where.holds(x, nil) {
				rows = append(rows, x)
			}
		}
		slices.SortFunc(rows, func(x, y naiveRow) int {
			return cmp.Or(o.compare(x, y), p.compare(x, y), x[0].n-y[0].n)
		})
		from := " FROM t x WHERE " + where.text
		limit, offset := n.IntN(5), n.IntN(4)
		part := rows[min(offset, len(rows)):]
		var some, on []string
		for _, x := range part[:min(limit, len(part))] {
			some = append(some, key(x[0]))
		}
		n.same(fmt.Sprintf("SELECT x.id%s ORDER BY %s, %s, x.id LIMIT %d OFFSET %d", from, text, also, limit, offset),
			some, true)
		var ties []string
		for i, x := range part {
			if i < limit || limit > 0 && i >= limit && o.compare(part[limit-1], x) == 0 {
				ties = append(ties, key(x[o.column]))
			}
		}
		n.same(fmt.Sprintf("SELECT x.%s%s ORDER BY %s OFFSET %d FETCH FIRST %d ROWS WITH TIES", columnNames[o.column], from,
			text, offset, limit), ties, true)
		for i, x := range rows {
			if i == 0 || o.compare(rows[i-1], x) != 0 {
				on = append(on, key(x[0]))
			}
		}
		n.same(fmt.Sprintf("SELECT DISTINCT ON (x.%s) x.id%s ORDER BY %s, %s, x.id", columnNames[o.column], from, text,
			also), on, true)
		var distinct []string
		for _, x := range rows {
			if k := key(x[1], x[2]); !slices.Contains(distinct, k) {
				distinct = append(distinct, k)
			}
		}
		n.same("SELECT DISTINCT x.a, x.b"+from, distinct, false)
	}
}

// TestNaiveSets: UNION, INTERSECT and EXCEPT, with ALL and without.
func TestNaiveSets(t *testing.T) {
	n := newNaive(t, 4)
	for range 60 {
		p, q := n.condition(1, false), n.condition(1, false)
		count := map[string][2]int{}
		for i, rows := range [][]naiveRow{n.t, n.u} {
			for _, x := range rows {
				if []condition{p, q}[i].holds(x, nil) {
					c := count[key(x[1], x[2])]
					c[i]++
					count[key(x[1], x[2])] = c
				}
			}
		}
		op, all := []string{"UNION", "INTERSECT", "EXCEPT"}[n.IntN(3)], n.IntN(2) == 0
		text, want := op, []string(nil)
		if all {
			text += " ALL"
		}
		for k, c := range count {
			times := map[string]int{"UNION": c[0] + c[1], "INTERSECT": min(c[0], c[1]), "EXCEPT": max(0, c[0]-c[1])}[op]
			if !all {
				times = map[string]int{"UNION": 1, "INTERSECT": min(1, c[0]*c[1]),
					"EXCEPT": min(1, c[0]) * max(0, 1-c[1])}[op]
			}
			want = append(want, slices.Repeat([]string{k}, times)...)
		}
		n.same("SELECT x.a, x.b FROM t x WHERE "+p.text+" "+text+" SELECT x.a, x.b FROM u x WHERE "+q.text, want,
			false)
	}
}
