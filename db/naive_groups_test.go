package db_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// aggregates are what aggregates give for the values of the column c of x.
var aggregates = map[string]func(values []datum) datum{
	"count(*)":            func(v []datum) datum { return datum{n: len(v)} },
	"count(x.c)":          func(v []datum) datum { return datum{n: len(known(v))} },
	"count(DISTINCT x.c)": func(v []datum) datum { return datum{n: len(slices.Compact(sorted(v)))} },
	"sum(x.c)": func(v []datum) datum {
		return folded(v, func(a, b int) int { return a + b })
	},
	"min(x.c)": func(v []datum) datum { return folded(v, func(a, b int) int { return min(a, b) }) },
	"max(x.c)": func(v []datum) datum { return folded(v, func(a, b int) int { return max(a, b) }) },
	"sum(DISTINCT x.c)": func(v []datum) datum {
		return folded(slices.Compact(sorted(v)), func(a, b int) int { return a + b })
	},
}

// known are the values that are not NULL.
func known(values []datum) []datum {
	return slices.DeleteFunc(slices.Clone(values), func(d datum) bool { return d.null })
}

func sorted(values []datum) []datum {
	out := known(values)
	slices.SortFunc(out, func(a, b datum) int { return a.n - b.n })
	return out
}

func folded(values []datum, f func(a, b int) int) datum {
	out := unknown
	for _, d := range known(values) {
		if out.null {
			out = d
		} else {
			out.n = f(out.n, d.n)
		}
	}
	return out
}

func (n *naive) aggregate() (string, func([]datum) datum) {
	name := slices.Sorted(maps.Keys(aggregates))[n.IntN(len(aggregates))]
	return name, aggregates[name]
}

// TestNaiveGroups: GROUP BY no, one and two keys, with FILTER and HAVING.
func TestNaiveGroups(t *testing.T) {
	n := newNaive(t, 5)
	for range 100 {
		keys := n.IntN(3)
		where, filter, least := n.condition(1, false), n.condition(1, false), n.IntN(4)
		f, fold := n.aggregate()
		g, also := n.aggregate()
		groups := map[string][]naiveRow{}
		if keys == 0 {
			groups[key()] = nil
		}
		for _, x := range n.t {
			if k := key(x[1 : 1+keys]...); where.holds(x, nil) {
				groups[k] = append(groups[k], x)
			}
		}
		var want []string
		for _, rows := range groups {
			var all, some, out []datum
			for _, x := range rows {
				all, out = append(all, x[3]), slices.Clone(x[1:1+keys])
				if filter.holds(x, nil) {
					some = append(some, x[3])
				}
			}
			if len(rows) >= least {
				want = append(want, key(append(out, fold(all), also(some))...))
			}
		}
		n.same(fmt.Sprintf("SELECT %s%s, %s FILTER (WHERE %s) FROM t x WHERE %s GROUP BY %s HAVING count(*) >= %d",
			[]string{"", "x.a, ", "x.a, x.b, "}[keys], f, g, filter.text, where.text, []string{"()", "x.a", "x.a, x.b"}[keys],
			least), want, false)
	}
}

// window is a partition, sorted, with the row that is the current one.
type window struct {
	rows  []naiveRow
	order orderTerm
	ids   bool // orders those of equal values by id
	at    int
}

func (w window) compare(x, y naiveRow) int {
	if c := w.order.compare(x, y); c != 0 || !w.ids {
		return c
	}
	return x[0].n - y[0].n
}

func (w window) peers(i, j int) bool { return w.compare(w.rows[i], w.rows[j]) == 0 }

// group numbers the groups of peers.
func (w window) group(i int) (g int) {
	for k := 1; k <= i; k++ {
		if !w.peers(k-1, k) {
			g++
		}
	}
	return g
}

// bound is an end of a frame: its distance, negative before the current row; far is UNBOUNDED.
type bound struct {
	far bool
	by  int
}

func (n *naive) bound(start bool) bound {
	return bound{far: n.IntN(4) == 0, by: n.IntN(4) - map[bool]int{true: 2, false: 1}[start]}
}

func (b bound) text(start bool) string {
	switch {
	case b.far && start:
		return "UNBOUNDED PRECEDING"
	case b.far:
		return "UNBOUNDED FOLLOWING"
	case b.by == 0:
		return "CURRENT ROW"
	case b.by < 0:
		return fmt.Sprint(-b.by, " PRECEDING")
	}
	return fmt.Sprint(b.by, " FOLLOWING")
}

// within reports whether row i is in the frame of the current one.
func (w window) within(mode string, from, to bound, i int) bool {
	var d int
	switch mode {
	case "ROWS":
		d = i - w.at
	default:
		a, b := w.rows[i][w.order.column], w.rows[w.at][w.order.column]
		switch {
		case a.null && b.null:
			d = 0
		case a.null || b.null:
			return i < w.at && from.far || i > w.at && to.far
		default:
			if d = a.n - b.n; w.order.desc {
				d = -d
			}
		}
		if b.null { // every distance from NULL leads to its peers
			return (i >= w.at || from.far || w.peers(i, w.at)) && (i <= w.at || to.far || w.peers(i, w.at))
		}
	}
	return (from.far || d >= from.by) && (to.far || d <= to.by)
}

// numberings are window functions that look at the partition.
var numberings = map[string]func(w window) datum{
	"row_number()": func(w window) datum { return datum{n: w.at + 1} },
	"rank()": func(w window) datum {
		return datum{n: 1 + slices.IndexFunc(w.rows, func(x naiveRow) bool { return w.compare(x, w.rows[w.at]) == 0 })}
	},
	"dense_rank()": func(w window) datum { return datum{n: w.group(w.at) + 1} },
	"ntile(3)": func(w window) datum {
		size, more := len(w.rows)/3, len(w.rows)%3
		if w.at < more*(size+1) {
			return datum{n: 1 + w.at/(size+1)}
		}
		return datum{n: 1 + more + (w.at-more*(size+1))/max(size, 1)}
	},
	"lag(x.c)":      func(w window) datum { return w.column(w.at - 1) },
	"lead(x.c)":     func(w window) datum { return w.column(w.at + 1) },
	"lag(x.c, 2)":   func(w window) datum { return w.column(w.at - 2) },
	"lead(x.c, -1)": func(w window) datum { return w.column(w.at - 1) },
	"lag(x.c, 0)":   func(w window) datum { return w.column(w.at) },
	"lead(x.c, 1, 77)": func(w window) datum {
		if w.at+1 == len(w.rows) {
			return datum{n: 77}
		}
		return w.column(w.at + 1)
	},
}

func (w window) column(i int) datum {
	if i < 0 || i >= len(w.rows) {
		return unknown
	}
	return w.rows[i][3]
}

// TestNaiveWindows: partitions, orders, frames by ROWS and RANGE, and functions of windows.
func TestNaiveWindows(t *testing.T) {
	n := newNaive(t, 6)
	for range 120 {
		o, text := n.order()
		partition := []string{"", "PARTITION BY x.a ", "PARTITION BY x.a, x.b "}[n.IntN(3)]
		mode := []string{"ROWS", "RANGE"}[n.IntN(2)]
		from, to := n.bound(true), n.bound(false)
		if !from.far && !to.far && from.by > to.by {
			from, to = to, from
		}
		ids := mode == "ROWS"
		if ids {
			text += ", x.id"
		}
		f, fold := n.aggregate()
		f, fold = plainAggregate(f, fold)
		parts := map[string][]naiveRow{}
		for _, x := range n.t {
			k := key(x[1 : 1+strings.Count(partition, "x.")]...)
			parts[k] = append(parts[k], x)
		}
		var want []string
		for _, rows := range parts {
			w := window{rows: rows, order: o, ids: ids}
			slices.SortFunc(rows, w.compare)
			for w.at = range rows {
				var values []datum
				for i, x := range rows {
					if w.within(mode, from, to, i) {
						values = append(values, x[3])
					}
				}
				want = append(want, key(rows[w.at][0], fold(values)))
			}
		}
		n.same(fmt.Sprintf("SELECT x.id, %s OVER (%sORDER BY %s %s BETWEEN %s AND %s) FROM t x", f, partition, text, mode,
			from.text(true), to.text(false)), want, false)
	}
}

// TestNaiveNumberings: functions of windows that look at the partition.
func TestNaiveNumberings(t *testing.T) {
	n := newNaive(t, 7)
	for range 80 {
		o, text := n.order()
		name := slices.Sorted(maps.Keys(numberings))[n.IntN(len(numberings))]
		parts := map[string][]naiveRow{}
		for _, x := range n.t {
			parts[key(x[2])] = append(parts[key(x[2])], x)
		}
		ids := n.IntN(2) == 0 || name != "rank()" && name != "dense_rank()"
		if ids {
			text += ", x.id"
		}
		var want []string
		for _, rows := range parts {
			w := window{rows: rows, order: o, ids: ids}
			slices.SortStableFunc(rows, w.compare)
			for w.at = range rows {
				want = append(want, key(rows[w.at][0], numberings[name](w)))
			}
		}
		n.same(fmt.Sprintf("SELECT x.id, %s OVER (PARTITION BY x.b ORDER BY %s) FROM t x", name, text), want, false)
	}
}

// plainAggregate replaces aggregates with DISTINCT, which windows have not.
func plainAggregate(f string, fold func([]datum) datum) (string, func([]datum) datum) {
	if strings.Contains(f, "DISTINCT") {
		return "count(x.c)", aggregates["count(x.c)"]
	}
	return f, fold
}
