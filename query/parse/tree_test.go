package parse_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"parlance/query/ast"
)

func (g generator) scored() ast.ScoredModel {
	return ast.ScoredModel{ModelRef: g.model(), With: g.options(0)}
}

func (g generator) insert() ast.Statement {
	insert := &ast.Insert{Into: g.target(), Alias: g.maybeName(), Columns: g.columns(),
		Values:   [][]ast.Expr{some(g, 1, g.expr(2))},
		Conflict: g.pick("", "REPLACE", "SKIP"), Returning: some(g, 0, g.item(1))}
	if g.flip() {
		insert.Conflict, insert.Keys = "UPDATE", []string{g.name()}
		insert.Set, insert.Where = []ast.Assignment{{Column: g.name(), Value: g.expr(2)()}}, g.maybeExpr(2)
	}
	return insert
}

// TestGeneratedTrees checks parse(print(tree)) = tree for trees that no text
// was written for.
func TestGeneratedTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		var s ast.Statement
		switch rapid.IntRange(0, 21).Draw(t, "statement") {
		case 0:
			s = &ast.Train{Kind: g.name(), As: g.maybeName(), On: some(g, 1, g.input), Validate: some(g, 0, g.input),
				Using: some(g, 0, g.model), With: g.options(0), Async: g.flip()}
		case 1:
			s = g.evaluate()
		case 2:
			s = g.insert()
		case 3:
			others := some(g, 0, func() ast.TableRef { return g.tables(1) })
			s = &ast.Update{Table: g.target(), Alias: g.maybeName(), Where: g.maybeExpr(3), From: others,
				Set: []ast.Assignment{{Column: g.name(), Value: g.expr(3)()}}, Returning: some(g, 0, g.item(1))}
			if g.flip() {
				s = &ast.Delete{From: g.target(), Alias: g.maybeName(), Using: others, Where: g.maybeExpr(3),
					Returning: some(g, 0, g.item(1))}
			}
		case 4:
			s = &ast.Create{Temporary: g.flip(), Object: g.pick(ast.ObjectCorpus, ast.ObjectKB), IfNotExists: g.flip(),
				Name: g.name(), With: g.options(0), As: g.query(2)}
		case 12:
			s = g.alter()
		case 13:
			s = &ast.CreateIndex{IfNotExists: g.flip(), On: g.target(),
				Columns: []string{"split", g.pick("year", "order")}[:rapid.IntRange(1, 2).Draw(t, "columns")]}
		case 5:
			s = &ast.Set{Local: g.flip(), Name: g.name(), Value: g.value(2)}
		case 6:
			s = &ast.Replay{Model: g.model()}
		case 7:
			s = &ast.DiffModels{A: g.model(), B: g.model(), On: some(g, 0, g.input), With: g.options(0)}
		case 8:
			s = g.promote()
		case 9:
			s = &ast.CopyModel{Model: g.model(), Path: &ast.Literal{Value: g.pick("m.model", "it's")},
				Format: g.pick("", "crfsuite")}
		case 10:
			s = &ast.LoadModel{Path: &ast.Param{Index: 1}, Name: g.name(), Format: g.pick("", "crfpp"), With: g.options(0)}
		case 11:
			s = &ast.Check{Corpus: g.name(), With: g.options(0)}
		case 18:
			s = g.user()
		case 19:
			s = g.copy()
		case 20:
			s = g.tune()
		case 21:
			s = g.annotateFiles()
		default:
			s = g.query(3)
		}
		checkRoundTrip(t, s)
	})
}

// copy draws a COPY of rows or documents.
func (g generator) copy() ast.Statement {
	format, columns, with := g.pick("", "csv", "text", "my format"), g.columns(), g.options(0)
	switch {
	case g.flip():
		return &ast.CopyFrom{Into: g.target(), Columns: columns, Path: &ast.Param{Index: 1}, Format: format, With: with}
	case g.flip():
		return &ast.CopyTo{Select: g.query(1), Format: format, With: with}
	}
	return &ast.CopyTo{From: g.target(), Columns: columns, Using: some(g, 0, g.model), Where: g.maybeExpr(1),
		OrderBy: some(g, 0, g.order(1)), Path: &ast.Literal{Value: "a.csv"}, Format: format, With: with}
}

// annotateFiles draws an ANNOTATE of files, or of standard input, whose format is named.
func (g generator) annotateFiles() *ast.AnnotateFiles {
	s := &ast.AnnotateFiles{Using: some(g, 0, g.model), As: g.pick("jsonl", "conllu"), Options: g.options(0)}
	if s.Format = g.pick("", "csv", "my format"); s.Format == "" || g.flip() {
		s.Paths = []ast.Expr{&ast.Param{Index: 1}, &ast.Literal{Value: "a.csv"}}
	}
	if g.flip() {
		s.To = &ast.Literal{Value: "out"}
	}
	s.With = g.options(0)
	return s
}

// promote draws a PROMOTE, with and without a condition.
func (g generator) promote() *ast.Promote {
	s := &ast.Promote{Model: g.model(), Alias: g.name()}
	if g.flip() {
		s.If = &ast.PromoteIf{Metric: g.pick("f1", "f1.PER", "f1.B-PER x", "hits@3.object", "hits@+3", "f1@"),
			Than: g.name(), On: some(g, 1, g.input)}
		if g.flip() {
			s.If.By = &ast.Literal{Value: 0.002}
		}
	}
	return s
}

func (g generator) tune() *ast.Tune {
	s := &ast.Tune{Kind: g.name(), As: g.maybeName(), On: some(g, 1, g.input), Using: some(g, 0, g.model),
		Over: g.options(1), Metric: g.pick("f1", "f1.PER", "f1.B-PER x", "hits@3.object", "hits@+3", "f1@"),
		With: g.options(0), Async: g.flip()}
	if g.flip() {
		s.Folds = &ast.Literal{Value: int64(5)}
	} else {
		s.Validate = some(g, 0, g.input)
	}
	if g.flip() {
		s.Sample = &ast.Param{Index: 1}
	}
	return s
}

// generator draws trees that the grammar can express. Depths bound the nesting.
type generator struct{ *rapid.T }

func (g generator) alter() ast.Statement {
	object, name := g.pick(ast.ObjectCorpus, ast.ObjectLexicon, ast.ObjectGazetteer), g.name()
	switch rapid.IntRange(0, 3).Draw(g.T, "alter") {
	case 0:
		return &ast.AlterRename{Object: object, Name: name, To: g.name()}
	case 1:
		return &ast.AlterAddColumn{Object: object, Name: name,
			Column: ast.ColumnDef{Name: g.name(), Type: ast.Type{Name: "text"}}}
	case 2:
		return &ast.AlterDropColumn{Object: object, Name: name, Column: g.name()}
	}
	return &ast.AlterRenameColumn{Object: object, Name: name, Column: g.name(), To: g.name()}
}

func (g generator) user() ast.Statement {
	password := rapid.SampledFrom([]ast.Expr{&ast.Literal{Value: "it's"}, &ast.Literal{Value: ""},
		&ast.Param{Index: 1}}).Draw(g.T, "password")
	if g.flip() {
		return &ast.CreateUser{IfNotExists: g.flip(), Name: g.name(), Password: password,
			Role: g.pick("", "reader", "writer", "admin")}
	}
	if g.flip() {
		return &ast.AlterUser{Name: g.name(), Role: g.pick("reader", "writer", "admin")}
	}
	return &ast.AlterUser{Name: g.name(), Password: password, Role: g.pick("", "admin")}
}

func (g generator) flip() bool { return rapid.Bool().Draw(g.T, "flip") }

func (g generator) pick(from ...string) string { return rapid.SampledFrom(from).Draw(g.T, "pick") }

func (g generator) name() string {
	return g.pick("a", "B", "text", "TEXT", "model", "order", "left", "é", "my name", `q"q`, "values", "conflict",
		"set", "cast", "if", "_", "format", "all", "a.b", "nulls", "right", "session", "evaluate", "to", "array", "any",
		"operator", "collate")
}

func (g generator) maybeName() string {
	if g.flip() {
		return ""
	}
	return g.name()
}

func (g generator) version() string { return g.pick("", "", "3", "production", "odd alias", "end") }

// some draws from least to least+2 items; nil for none.
func some[T any](g generator, least int, draw func() T) (out []T) {
	for range rapid.IntRange(least, least+2).Draw(g.T, "length") {
		out = append(out, draw())
	}
	return out
}

// columns draws a list of different names.
func (g generator) columns() []string {
	return rapid.SampledFrom([][]string{nil, {"text"}, {"a", "order", "is it"}}).Draw(g.T, "columns")
}

func (g generator) target() ast.Target {
	return ast.Target{Database: g.maybeName(), Name: g.name(), Layer: g.maybeName()}
}

func (g generator) model() ast.ModelRef { return ast.ModelRef{Name: g.name(), Version: g.version()} }

func (g generator) input() ast.Input {
	return ast.Input{Name: g.name(), Version: g.version(), Path: g.maybeName(), Role: g.maybeName(),
		Where: g.maybeExpr(2)}
}

func (g generator) evaluate() *ast.Evaluate {
	evaluate := &ast.Evaluate{By: some(g, 0, g.expr(2)), With: g.options(0)}
	if g.flip() {
		gold := g.layer()
		gold.Where = g.maybeExpr(2)
		evaluate.Layers, evaluate.Against = some(g, 1, g.layer), &gold
	} else {
		evaluate.Models, evaluate.On, evaluate.Using = some(g, 1, g.scored), some(g, 1, g.input), some(g, 0, g.model)
	}
	return evaluate
}

func (g generator) layer() ast.Input { return ast.Input{Name: g.name(), Path: g.name()} }

func (g generator) options(least int) (out []ast.Option) {
	for _, name := range []string{"l2", "group", "odd option"}[:rapid.IntRange(least, 3).Draw(g.T, "options")] {
		out = append(out, ast.Option{Name: name, Value: g.value(2)})
	}
	return out
}

func (g generator) value(depth int) ast.OptionValue {
	switch rapid.IntRange(0, 3).Draw(g.T, "value") {
	case 0:
		return &ast.Param{Index: rapid.IntRange(1, 65535).Draw(g.T, "parameter")}
	case 1:
		return &ast.NameValue{Name: g.name(), Version: g.version(), Relation: g.maybeName()}
	case 2:
		if depth > 0 && g.flip() {
			return &ast.RangeValue{Name: g.name(), Items: some(g, 1,
				func() ast.OptionValue { return g.value(depth - 1) })}
		}
		if depth > 0 {
			return &ast.TupleValue{Items: some(g, 1, func() ast.OptionValue { return g.value(depth - 1) })}
		}
	}
	return g.literal()
}

func (g generator) literal() *ast.Literal {
	values := []any{nil, true, false, "", "it's", "x;--é\n", int64(0), int64(-7), int64(math.MinInt64),
		int64(math.MaxInt64), 0.5, -1e300, 5e-324, 1e6, math.Copysign(0, -1)}
	return &ast.Literal{Value: rapid.SampledFrom(values).Draw(g.T, "literal")}
}

func (g generator) maybeExpr(depth int) ast.Expr {
	if g.flip() {
		return nil
	}
	return g.expr(depth)()
}

func (g generator) leaf() ast.Expr {
	switch rapid.IntRange(0, 2).Draw(g.T, "leaf") {
	case 0:
		return g.literal()
	case 1:
		return &ast.Param{Index: 2}
	}
	return &ast.Column{Parts: append(some(g, 0, g.name), g.name())}
}

var binary = []string{"OR", "AND", "=", "<>", "<", ">=", "LIKE", "NOT ILIKE", "!~*", "IS NOT DISTINCT FROM", "||",
	"->>", "#>", "<@", "AT TIME ZONE", "^", "&", ">>",
	"+", "-", "*", "%"}

func (g generator) expr(depth int) func() ast.Expr {
	return func() ast.Expr {
		if depth == 0 {
			return g.leaf()
		}
		x, next := g.expr(depth-1), depth-1
		switch rapid.IntRange(0, 14).Draw(g.T, "expression") {
		case 0, 1, 2:
			return &ast.Binary{Op: g.pick(binary...), X: x(), Y: x()}
		case 3:
			return &ast.Unary{Op: g.pick("-", "NOT"), X: x()}
		case 4:
			return &ast.Between{X: x(), Low: x(), High: x(), Not: g.flip()}
		case 5:
			in := &ast.In{X: x(), List: some(g, 1, x), Not: g.flip()}
			if s, ok := in.List[0].(*ast.Subselect); ok && len(in.List) == 1 { // IN ((SELECT …)) is IN (SELECT …)
				in.List, in.Select = nil, s.Select
			}
			return in
		case 6:
			return &ast.In{X: x(), Select: g.query(next), Not: g.flip()}
		case 7:
			return &ast.IsNull{X: x(), Not: g.flip()}
		case 8:
			return &ast.IsBool{X: x(), Value: g.flip(), Not: g.flip()}
		case 9:
			return &ast.Case{Operand: g.maybeExpr(next), Else: g.maybeExpr(next),
				Whens: some(g, 1, func() ast.When { return ast.When{When: x(), Then: x()} })}
		case 10:
			return &ast.Cast{X: x(), Type: ast.Type{Schema: g.pick("", "pg_catalog"), Name: g.pick("text", "order"),
				Size: rapid.Int64Range(0, 9).Draw(g.T, "size"), Array: g.flip()}}
		case 11:
			c := &ast.Call{Schema: g.maybeName(), Name: g.name(), Distinct: g.flip(),
				Args:    some(g, 1, g.argument(next)),
				OrderBy: some(g, 0, g.order(next)), Filter: g.maybeExpr(next), Over: g.window(next)}
			c.Within = c.OrderBy != nil && g.flip()
			return c
		case 12:
			return &ast.Call{Name: g.name(), Star: true}
		case 13:
			return &ast.Tuple{Items: some(g, 2, x)}
		}
		return g.subselect(x, next)
	}
}

// subselect draws what holds a select, and what concerns arrays.
func (g generator) subselect(x func() ast.Expr, depth int) ast.Expr {
	switch rapid.IntRange(0, 8).Draw(g.T, "subselect") {
	case 0:
		return &ast.Exists{Select: g.query(depth)}
	case 1:
		q := &ast.Quantified{Op: g.pick("=", "<>", "~", "<"), X: x(), All: g.flip(), Array: x()}
		if s, ok := q.Array.(*ast.Subselect); ok {
			q.Array, q.Select = nil, s.Select
		}
		return q
	case 2:
		return &ast.Quantified{Op: "=", X: x(), All: g.flip(), Select: g.query(depth)}
	case 3:
		return &ast.Array{Items: some(g, 0, x)}
	case 4:
		return &ast.Array{Select: g.query(depth)}
	case 5:
		s := &ast.Subscript{X: x(), Index: x(), Slice: g.flip()}
		if s.Slice && g.flip() {
			s.To = x()
		}
		return s
	case 6:
		return &ast.Field{X: x(), Name: g.name()}
	case 7:
		return &ast.Collate{X: x(), Schema: g.pick("", "pg_catalog"), Name: g.pick("default", "C", "odd name")}
	}
	return &ast.Subselect{Select: g.query(depth)}
}

func (g generator) window(depth int) *ast.Window {
	if g.flip() {
		return nil
	}
	w := &ast.Window{PartitionBy: some(g, 0, g.expr(depth)), OrderBy: some(g, 0, g.order(depth))}
	if g.flip() {
		w.Frame = &ast.Frame{Unit: g.pick("ROWS", "RANGE"), From: g.bound(), To: g.bound()}
	}
	return w
}

func (g generator) bound() ast.Bound {
	b := ast.Bound{Kind: g.pick("PRECEDING", "CURRENT ROW", "FOLLOWING")}
	if b.Kind != "CURRENT ROW" && g.flip() {
		b.N = g.leaf()
	}
	return b
}

func (g generator) argument(depth int) func() ast.Argument {
	return func() ast.Argument { return ast.Argument{Name: g.maybeName(), Value: g.expr(depth)()} }
}

func (g generator) order(depth int) func() ast.Order {
	return func() ast.Order {
		return ast.Order{Expr: g.expr(depth)(), Desc: g.flip(), Nulls: g.pick("", "FIRST", "LAST")}
	}
}

// core draws a select without what stands around a UNION.
func (g generator) core(depth int) *ast.Select {
	s := &ast.Select{Distinct: g.flip(), Where: g.maybeExpr(depth), GroupBy: some(g, 0, g.grouping(depth)),
		Having: g.maybeExpr(depth)}
	if !s.Distinct {
		s.On = some(g, 0, g.expr(depth))
	}
	s.Items = some(g, 1, g.item(depth))
	if g.flip() {
		s.Items = append(s.Items, ast.Item{Expr: &ast.Star{Qualifier: some(g, 0, g.name)}})
	}
	s.From = some(g, 0, func() ast.TableRef { return g.tables(depth) })
	return s
}

// grouping draws an entry of GROUP BY.
func (g generator) grouping(depth int) func() ast.Expr {
	return func() ast.Expr {
		switch rapid.IntRange(0, 5).Draw(g.T, "grouping") {
		case 0:
			return &ast.Tuple{}
		}
		return g.expr(depth)()
	}
}

func (g generator) item(depth int) func() ast.Item {
	return func() ast.Item { return ast.Item{Expr: g.expr(depth)(), Alias: g.maybeName()} }
}

func (g generator) query(depth int) *ast.Select {
	if depth == 0 {
		return &ast.Select{Items: []ast.Item{{Expr: g.leaf()}}}
	}
	next := depth - 1
	s := g.core(next)
	if g.flip() {
		return s
	}
	s.With = some(g, 0, func() ast.CTE { return ast.CTE{Name: g.name(), Columns: g.columns(), Select: g.query(next)} })
	s.Recursive = len(s.With) > 0 && g.flip()
	s.Unions = some(g, 0, func() ast.Union { return g.union(next) })
	s.OrderBy = some(g, 0, g.order(next))
	s.Limit, s.Offset = g.maybeExpr(0), g.maybeExpr(0)
	switch {
	case g.flip():
		s.Limit, s.Ties = &ast.Literal{Value: int64(2)}, true
	case s.Limit != nil:
		s.Per = some(g, 0, g.expr(0))
	}
	return s
}

func (g generator) union(depth int) ast.Union {
	u := ast.Union{Op: g.pick("UNION", "INTERSECT", "EXCEPT"), Select: g.core(depth)}
	u.All = g.flip()
	return u
}

// tables draws a table or a join. A comma after USING would continue the list
// of models, so WITH follows it.
func (g generator) tables(depth int) ast.TableRef {
	var out ast.TableRef = g.table(depth)
	for range rapid.IntRange(0, 2).Draw(g.T, "joins") {
		join := &ast.Join{Kind: g.pick("INNER", "LEFT", "RIGHT", "FULL", "CROSS"), Left: out, Right: g.table(depth)}
		if depth > 0 && g.flip() {
			join.Right = &ast.Join{Kind: "INNER", Left: g.table(0), Right: g.table(0), Using: g.columns()}
		}
		if join.Natural = join.Kind != "CROSS" && g.flip(); join.Natural {
		} else if join.Kind != "CROSS" && g.flip() {
			join.On = g.expr(depth)()
		} else if join.Kind != "CROSS" {
			join.Using = g.columns()
		}
		out = join
	}
	return out
}

func (g generator) table(depth int) *ast.Table {
	out := &ast.Table{Ref: g.reference(depth), Alias: g.maybeName(), Using: some(g, 0, g.model)}
	if out.Alias != "" {
		out.Columns = g.columns()
	}
	if len(out.Using) > 0 || g.flip() {
		out.With = g.options(1)
	}
	return out
}

func (g generator) reference(depth int) ast.Ref {
	kind := rapid.IntRange(0, 7).Draw(g.T, "reference")
	switch kind {
	case 0:
		return ast.Ref{Select: g.query(depth), Lateral: g.flip()}
	case 1:
		return ast.Ref{Evaluate: &ast.Evaluate{Models: some(g, 1, g.scored), On: some(g, 1, g.input)}}
	case 7:
		return ast.Ref{File: &ast.Literal{Value: g.pick("x.parquet", "it's.csv")}}
	case 6:
		return ast.Ref{Summarize: &ast.Table{Ref: ast.Ref{Name: g.name(), Path: g.maybeName()}, Alias: g.maybeName()}}
	}
	out := ast.Ref{Name: g.name(), Version: g.version(), Path: g.maybeName(), Ordinality: g.flip()}
	if out.Version == "" && out.Path != "" && g.flip() {
		out.Database = g.name()
	}
	switch kind {
	case 2:
		out.HasArgs = true
		out.Args = some(g, 0, g.argument(depth))
	case 3:
		out.Text = g.expr(depth)()
		out.Args = some(g, 0, g.argument(depth))
	case 4:
		out.Rows = g.query(depth)
	}
	return out
}
