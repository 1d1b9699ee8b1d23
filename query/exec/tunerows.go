package exec

import (
	"context"
	"maps"
	"slices"

	"parlance/algo/kind"
	"parlance/query/plan"
)

// Folds of kinds that learn from tables are parts of the first table. Rows that are equal in the
// columns that every row has, the key, stay together. The keys are put in the order of a hash of them
// and the seed and dealt out, so that folds depend on neither the order of rows nor the columns
// besides.

// keyColumns are the columns of a table that make its key.
func keyColumns(use kind.TableUse) (out []int) {
	for i, c := range use.Columns {
		if !c.Optional {
			out = append(out, i)
		}
	}
	return out
}

// keyIn finds the key of a table among the columns of what a kind is scored on; ok is false where rows of the one
// are no rows of the other.
func keyIn(learned, scored kind.TableUse) (out []int, ok bool) {
	for _, i := range keyColumns(learned) {
		at := slices.IndexFunc(scored.Columns, func(c kind.Column) bool {
			return c.Name == learned.Columns[i].Name && c.Type == learned.Columns[i].Type
		})
		if at < 0 {
			return nil, false
		}
		out = append(out, at)
	}
	for _, c := range scored.Columns {
		if !c.Optional && !slices.ContainsFunc(learned.Columns, func(l kind.Column) bool { return l.Name == c.Name }) {
			return nil, false
		}
	}
	return out, learned.Name == scored.Name
}

// checkTableFolds refuses folds of tables whose rows a kind cannot be scored on.
func (t *tuning) checkTableFolds(s kind.Schema) error {
	if t.folds == 0 || len(s.Tables) == 0 {
		return nil
	}
	if len(s.Scores) == 0 {
		return plan.Errorf(t.stmt.Pos, plan.CodeFeature, "", "%s learns from tables and has no scores by which TUNE could choose", t.stmt.Kind)
	}
	if _, ok := keyIn(s.Tables[0], s.Scores[0]); !ok {
		return plan.Errorf(t.stmt.On[0].Pos, plan.CodeFeature, "VALIDATE ON a table with the columns of "+TableUse(s.Scores[0]),
			"%s learns from %s and is scored on %s, so rows that are held out cannot be scored", t.stmt.Kind, TableUse(s.Tables[0]), TableUse(s.Scores[0]))
	}
	return nil
}

// divideRows reads the keys of the rows of ON.
func (t *tuning) divideRows(ctx context.Context, tr *training) error {
	f := &rowFolds{seed: t.seed, n: t.folds}
	first := tr.schema.Tables[0]
	key, known := keyColumns(first), map[uint64]bool{}
	if table, ok := tr.on.Table(first.Name); ok {
		for row, err := range table.Rows(ctx) {
			if err != nil {
				return err
			}
			known[f.hash(row, key)] = true
		}
	}
	if len(known) < t.folds {
		return plan.Errorf(t.stmt.On[0].Pos, plan.CodeInvalid, "FOLDS takes at most as many, VALIDATE ON takes other rows",
			"%d folds need as many rows of %s that differ in %s, and there are %d", t.folds, first.Name, columnsAt(first, key), len(known))
	}
	f.hashes = slices.Sorted(maps.Keys(known))
	t.rows = f
	return nil
}

func columnsAt(use kind.TableUse, at []int) string {
	s := ""
	for i, c := range at {
		switch {
		case i > 0 && i == len(at)-1:
			s += " or "
		case i > 0:
			s += ", "
		}
		s += use.Columns[c].Name
	}
	return s
}

// holdRows takes the rows of a fold out of what is learned and leaves them alone to be scored. The
// others are known then, where the kind asks for what is.
func (t *tuning) holdRows(tr *training, fold int) {
	learned, scored := tr.schema.Tables[0], tr.schema.Scores[0]
	key, _ := keyIn(learned, scored)
	hold := func(in *input, name string, h foldedRows) {
		if table := in.tables[name]; table != nil {
			for i := range table.parts {
				table.parts[i].held = &h
			}
		}
	}
	hold(tr.on, learned.Name, foldedRows{t.rows, keyColumns(learned), fold, false})
	hold(tr.valid, scored.Name, foldedRows{t.rows, key, fold, true})
	if tr.schema.Role(kind.Known) != nil {
		tr.known = tr.on.with(tr.roles[kind.Known])
	}
}

// with is the rows of this input and those of another one, which may be nil.
func (in *input) with(other *input) *input {
	if other == nil {
		return in
	}
	out := &input{r: in.r, tables: map[string]*inputTable{}}
	for _, from := range []*input{in, other} {
		for _, t := range from.order {
			have := out.tables[t.use.Name]
			if have == nil {
				have = &inputTable{in: out, use: t.use}
				out.tables[t.use.Name], out.order = have, append(out.order, have)
			}
			have.parts = append(have.parts, t.parts...)
		}
	}
	return out
}
