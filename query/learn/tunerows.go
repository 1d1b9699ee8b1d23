package learn

import (
	"context"
	"maps"
	"slices"

	"parlance/algo/kind"
	"parlance/query/input"
	"parlance/query/plan"
)

// For kinds that learn from tables, folds divide the rows of the first table. The key of a row is its mandatory
// columns; rows with equal keys are in one fold. The keys are sorted by a hash of key and seed and dealt out, so that
// folds do not depend on the order of rows or on optional columns.

// keyColumns are the columns of the key of a table.
func keyColumns(use kind.TableUse) (out []int) {
	for i, c := range use.Columns {
		if !c.Optional {
			out = append(out, i)
		}
	}
	return out
}

// keyIn finds the key of the learned table among the columns of the table that a kind is scored on. ok is false if it
// lacks one of them.
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
		return plan.Errorf(t.stmt.Pos, plan.CodeFeature, "",
			"%s learns from tables and has no scores by which TUNE could choose", t.stmt.Kind)
	}
	if _, ok := keyIn(s.Tables[0], s.Scores[0]); !ok {
		return plan.Errorf(t.stmt.On[0].Pos, plan.CodeFeature,
			"VALIDATE ON a table with the columns of "+input.TableUse(s.Scores[0]),
			"%s learns from %s and is scored on %s, so rows that are held out cannot be scored", t.stmt.Kind,
			input.TableUse(s.Tables[0]), input.TableUse(s.Scores[0]))
	}
	return nil
}

// divideRows reads the keys of the rows of ON.
func (t *tuning) divideRows(ctx context.Context, tr *training) error {
	f := &input.RowFolds{Seed: t.seed, N: t.folds}
	first := tr.schema.Tables[0]
	key, known := keyColumns(first), map[uint64]bool{}
	if table, ok := tr.on.Table(first.Name); ok {
		for row, err := range table.Rows(ctx) {
			if err != nil {
				return err
			}
			known[f.Hash(row, key)] = true
		}
	}
	if len(known) < t.folds {
		return plan.Errorf(t.stmt.On[0].Pos, plan.CodeInvalid, "FOLDS takes at most as many, VALIDATE ON takes other rows",
			"%d folds need as many rows of %s that differ in %s, and there are %d", t.folds, first.Name,
			columnsAt(first, key), len(known))
	}
	f.Hashes = slices.Sorted(maps.Keys(known))
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

// holdOutRows makes a training learn from the rows outside a fold, and validate on those of the fold. If the kind has
// an input of known rows, these are the rows outside the fold.
func (t *tuning) holdOutRows(tr *training, fold int) {
	learned, scored := tr.schema.Tables[0], tr.schema.Scores[0]
	key, _ := keyIn(learned, scored)
	hold := func(in *input.Input, name string, h input.FoldedRows) {
		if table := in.Tables[name]; table != nil {
			for i := range table.Parts {
				table.Parts[i].Folds = &h
			}
		}
	}
	hold(tr.on, learned.Name, input.FoldedRows{Folds: t.rows, Key: keyColumns(learned), Fold: fold, In: false})
	hold(tr.valid, scored.Name, input.FoldedRows{Folds: t.rows, Key: key, Fold: fold, In: true})
	if tr.schema.Role(kind.Known) != nil {
		tr.knownInput = joinInputs(tr.on, tr.roles[kind.Known])
	}
}

// joinInputs is the rows of in followed by those of other, which may be nil.
func joinInputs(in *input.Input, other *input.Input) *input.Input {
	if other == nil {
		return in
	}
	out := &input.Input{R: in.R, Tables: map[string]*input.InputTable{}}
	for _, from := range []*input.Input{in, other} {
		for _, t := range from.Order {
			have := out.Tables[t.Use.Name]
			if have == nil {
				have = &input.InputTable{In: out, Use: t.Use}
				out.Tables[t.Use.Name], out.Order = have, append(out.Order, have)
			}
			have.Parts = append(have.Parts, t.Parts...)
		}
	}
	return out
}
