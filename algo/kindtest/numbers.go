package kindtest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// place is where an input of a training holds numbers: a column of a table, or of the metadata of documents.
type place struct {
	input  string // role of the input, "" for the plain one
	table  string // "" for documents
	column string
	at     int // of the column in rows
	typ    value.Type
}

func (p place) String() string {
	if p.table == "" {
		return "metadata column " + p.column
	}
	return strings.TrimPrefix(p.input+".", ".") + p.table + "." + p.column
}

// numberPlaces lists where the case gives numbers to a training.
func numberPlaces(c Case, s kind.Schema) (out []place) {
	add := func(role string, in kind.Input, uses []kind.TableUse) {
		tables, _ := in.(kind.Tables)
		for _, u := range uses {
			for i, col := range u.Columns {
				if len(tables[u.Name]) > 0 && (col.Type == value.Float || col.Type == value.Integer) {
					out = append(out, place{role, u.Name, col.Name, i, col.Type})
				}
			}
		}
	}
	add("", c.input(), s.Tables)
	for _, r := range s.Roles {
		if r.Train {
			add(r.Name, c.Roles[r.Name], r.Tables)
		}
	}
	for _, f := range s.Fields {
		for _, d := range c.Train {
			if v := d.Field(f); v.T == value.Float || v.T == value.Integer {
				out = append(out, place{column: f, typ: v.T})
				break
			}
		}
	}
	return out
}

// oddNumbers are numbers that a table can hold and that sums, quotients, logarithms and narrower types do not bear. The
// first ones are not finite.
func oddNumbers(of value.Type) (list []value.Value, infinite int) {
	if of == value.Integer {
		return []value.Value{value.Int(math.MinInt64), value.Int(math.MaxInt64)}, 0
	}
	return []value.Value{value.Real(math.Inf(1)), value.Real(math.Inf(-1)), value.Real(math.NaN()),
		value.Real(math.MaxFloat64), value.Real(-math.MaxFloat64), value.Real(math.SmallestNonzeroFloat64),
		value.Real(1e15), value.Real(1e-30)}, 3
}

// numbers trains with odd numbers wherever a training reads numbers, in one row and in all. A kind refuses them, with
// the row of one that is not finite, or learns a model that is the same when it was saved and loaded.
func numbers(t *testing.T, c Case) {
	for _, p := range numberPlaces(c, fresh(t, c).Schema()) {
		odd, infinite := oddNumbers(p.typ)
		for i, v := range odd {
			for _, all := range []bool{false, true} {
				if all && testing.Short() {
					continue
				}
				if err := oddTraining(t, c.with(p, v, all), p, i < infinite); err != nil {
					t.Errorf("%s is %v, in all rows %v: %v", p, v, all, err)
				}
			}
		}
	}
}

// oddTraining trains on odd numbers, and says what is wrong with what comes of it.
func oddTraining(t *testing.T, c Case, p place, infinite bool) error {
	m := fresh(t, c)
	err := guarded(func() error { return m.Train(background, training(c)) })
	switch {
	case err == nil:
		return guarded(func() error { return survives(t, c, m) })
	case strings.HasPrefix(err.Error(), "panic: ") || errors.Is(err, kind.ErrCorrupt):
		return err
	case infinite && p.table != "" && !strings.Contains(err.Error(), "row 1"):
		return fmt.Errorf("the error does not name row 1: %w", err)
	}
	return nil
}

// survives saves and loads a model, and compares the answers.
func survives(t *testing.T, c Case, m kind.Model) error {
	s := sections{}
	if err := m.Encode(s.writer()); err != nil {
		return fmt.Errorf("it was trained and cannot be saved: %w", err)
	}
	again := fresh(t, c)
	if err := again.Decode(s.reader()); err != nil {
		return fmt.Errorf("it was trained and cannot be loaded: %w", err)
	}
	for _, r := range m.Schema().Relations {
		if wantsArgument(r) {
			continue
		}
		if _, _, err := rowsOf(background, c, m, r.Name, make([]value.Value, len(r.Args))); err != nil {
			return err
		}
	}
	if x, y := c.answers(t, m), c.answers(t, again); x != y {
		return fmt.Errorf("the loaded model answers otherwise:\n%s\n%s", x, y)
	}
	if x, y := written(m, annotate(t, m, c.Test, c.run(true, 0))), written(m, annotate(t, again, c.Test,
		c.run(true, 0))); x != y {
		return fmt.Errorf("the loaded model annotates otherwise:\n%s\n%s", x, y)
	}
	return nil
}

// with is the case with a number in the first row, or in all.
func (c Case) with(p place, v value.Value, all bool) Case {
	c.models = map[int]kind.Model{}
	if p.table == "" {
		c.Train = withField(c.Train, p.column, v, all)
		return c
	}
	old := c.Tables
	if p.input != "" {
		old = c.Roles[p.input].(kind.Tables)
	}
	tables := maps.Clone(old)
	tables[p.table] = slices.Clone(old[p.table])
	for i, row := range tables[p.table] {
		if i == 0 || all {
			row = slices.Clone(row)
			row[p.at] = v
			tables[p.table][i] = row
		}
	}
	if p.input == "" {
		c.Tables = tables
		return c
	}
	c.Roles = maps.Clone(c.Roles)
	c.Roles[p.input] = tables
	return c
}

func withField(docs []*text.Document, name string, v value.Value, all bool) []*text.Document {
	out := views(docs)
	for i, d := range out {
		if i > 0 && !all {
			break
		}
		d.Fields = slices.Clone(d.Fields)
		for k := range d.Fields {
			if d.Fields[k].Name == name {
				d.Fields[k].Value = v
			}
		}
	}
	return out
}
