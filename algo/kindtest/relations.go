package kindtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/numeric/parallel"
	"parlance/storage/value"
)

// Query is a relation with arguments, NULL for those left out. Fails is part of the error that is
// wanted, "" for rows.
type Query struct {
	Relation string
	Args     []value.Value
	Fails    string
}

// rowsOf reads a relation to its end as text, a line a row.
func rowsOf(ctx context.Context, c Case, m kind.Model, name string, args []value.Value) (string, int, error) {
	rel := relationOf(m, name)
	if rel == nil {
		return "", 0, fmt.Errorf("the schema has no relation %s", name)
	}
	rows, err := m.Open(ctx, name, args, c.run(false, 0))
	if err != nil {
		return "", 0, err
	}
	defer rows.Close()
	var out strings.Builder
	n, last := 0, math.Inf(1)
	for {
		b, err := rows.Next(ctx)
		if err != nil {
			return "", n, err
		}
		if b == nil {
			return out.String(), n, rows.Close()
		}
		if err := rel.Verify(b); err != nil {
			return "", n, fmt.Errorf("%s: %w", name, err)
		}
		for i := range b.N {
			row := b.Row(nil, i)
			for k, v := range row {
				if !v.IsNull() && v.T != rel.Columns[k].Type {
					return "", n, fmt.Errorf("%s.%s is %s, declared as %s", name, rel.Columns[k].Name, v.T, rel.Columns[k].Type)
				}
				if v.T == value.Float && math.IsNaN(v.Float()) {
					return "", n, fmt.Errorf("%s.%s is NaN in row %d", name, rel.Columns[k].Name, n+i+1)
				}
			}
			if last, err = falls(rel, row, last); err != nil {
				return "", n, fmt.Errorf("row %d of %s: %w", n+i+1, name, err)
			}
			fmt.Fprintln(&out, row)
		}
		n += b.N
	}
}

// falls returns the value of the column by which the rows of a relation fall, and checks that it is no more than the
// last.
func falls(rel *kind.Relation, row []value.Value, last float64) (float64, error) {
	if rel.Falling == "" {
		return last, nil
	}
	v := row[slices.Index(rel.ColumnNames(), rel.Falling)]
	if v.IsNull() || v.Float() > last {
		return last, fmt.Errorf("%s is %v after %v, and the highest come first", rel.Falling, v, last)
	}
	return v.Float(), nil
}

func relationOf(m kind.Model, name string) *kind.Relation {
	list := m.Schema().Relations
	if i := slices.IndexFunc(list, func(r kind.Relation) bool { return r.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

func wantsArgument(r kind.Relation) bool {
	return slices.ContainsFunc(r.Args, func(a kind.Arg) bool { return !a.Optional })
}

// answers prints all relations that need no arguments, and those of the queries.
func (c Case) answers(t testing.TB, m kind.Model) string {
	t.Helper()
	var out strings.Builder
	add := func(name string, args []value.Value) {
		s, _, err := rowsOf(background, c, m, name, args)
		fmt.Fprintf(&out, "%s %v\n%s%v\n", name, args, s, err)
	}
	for _, r := range m.Schema().Relations {
		if !wantsArgument(r) {
			add(r.Name, make([]value.Value, len(r.Args)))
		}
	}
	for _, q := range c.Queries {
		add(q.Relation, q.Args)
	}
	return out.String()
}

// limited compares the first rows of a relation with those that it gives where no more are read.
func limited(t *testing.T, c Case, m kind.Model, r kind.Relation) {
	t.Helper()
	first := func(limit int) (out string) {
		run := c.run(false, 0)
		run.Limit = limit
		rows, err := m.Open(background, r.Name, make([]value.Value, len(r.Args)), run)
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		defer rows.Close()
		b, err := rows.Next(background)
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		for i := 0; b != nil && i < min(b.N, 2); i++ {
			out += fmt.Sprintln(b.Row(nil, i))
		}
		return out
	}
	if all, two := first(0), first(2); all != two {
		t.Errorf("the first rows of %s\n%swhere two are read\n%s", r.Name, all, two)
	}
}

// relations reads those that need no arguments to their end.
func relations(t *testing.T, c Case) {
	m := trained(t, c, 1)
	for _, r := range m.Schema().Relations {
		if wantsArgument(r) {
			if !slices.ContainsFunc(c.Queries, func(q Query) bool { return q.Relation == r.Name && q.Fails == "" }) {
				t.Errorf("relation %s needs arguments and the case has no query of it", r.Name)
			}
			continue
		}
		if _, n, err := rowsOf(background, c, m, r.Name, make([]value.Value, len(r.Args))); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		} else if limited(t, c, m, r); n == 0 {
			t.Errorf("relation %s is empty", r.Name)
		}
	}
	if _, err := m.Open(background, "no_such_relation", nil, c.run(false, 0)); !errors.Is(err, kind.ErrNoRelation) {
		t.Errorf("an unknown relation gives %v", err)
	}
}

// queries asks relations with arguments, by several at once too.
func queries(t *testing.T, c Case) {
	m := trained(t, c, 2)
	for _, q := range c.Queries {
		_, n, err := rowsOf(background, c, m, q.Relation, q.Args)
		switch {
		case q.Fails != "":
			if err == nil || !strings.Contains(err.Error(), q.Fails) {
				t.Errorf("%s%v gives %v, want an error with %q", q.Relation, q.Args, err, q.Fails)
			}
			var unknown *kind.Unknown
			if strings.HasPrefix(q.Fails, "unknown ") && !errors.As(err, &unknown) {
				t.Errorf("%s%v gives %T, want *kind.Unknown", q.Relation, q.Args, err)
			}
		case err != nil:
			t.Errorf("%s%v: %v", q.Relation, q.Args, err)
		case n == 0:
			t.Errorf("%s%v is empty", q.Relation, q.Args)
		}
	}
	want := c.answers(t, m)
	got := make([]string, 4)
	parallel.Each(len(got), len(got), func(_, i int) { got[i] = c.answers(t, m) })
	for _, g := range got {
		if g != want {
			t.Fatal("relations asked by several at once give other rows")
		}
	}
}

// evaluated scores the model: the first metric is over all, and workers change nothing.
func evaluated(t *testing.T, c Case) {
	m := trained(t, c, 1)
	score := func(workers int) []metrics.Metric {
		r := c.run(false, 0)
		r.Workers = workers
		list, err := m.Evaluate(background, c.Gold, r)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	one, two := score(1), score(2)
	if len(one) == 0 || one[0].Label != "ALL" {
		t.Fatalf("the main metric comes first, over all: %+v", one)
	}
	if len(one) != len(two) {
		t.Fatalf("%d metrics with one worker, %d with two", len(one), len(two))
	}
	for i := range one {
		if one[i].Name != two[i].Name || one[i].Label != two[i].Label || one[i].Value() != two[i].Value() {
			t.Errorf("%s %s: %v with one worker, %v with two", one[i].Name, one[i].Label, one[i].Value(), two[i].Value())
		}
		if v := one[i].Value(); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s %s is %v", one[i].Name, one[i].Label, v)
		}
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := m.Evaluate(ctx, c.Gold, c.run(false, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled evaluation gives %v", err)
	}
}

// noRows checks that empty tables are nothing to train on, and that one row does no harm.
func noRows(t *testing.T, c Case) {
	empty, one := kind.Tables{}, kind.Tables{}
	for name, rows := range c.Tables {
		empty[name], one[name] = nil, rows[:min(1, len(rows))]
	}
	tr := training(c)
	tr.On = empty
	if err := fresh(t, c).Train(background, tr); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without rows: %v, want ErrNoData", err)
	}
	tr = training(c)
	tr.On = one
	if err := fresh(t, c).Train(background, tr); err != nil && !errors.Is(err, kind.ErrNoData) {
		t.Errorf("with one row: %v", err)
	}
}
