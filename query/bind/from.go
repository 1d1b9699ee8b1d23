package bind

import (
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// from plans the FROM list.
func (b *Binder) from(refs []ast.TableRef) (n plan.Node, err error) {
	for _, r := range refs {
		if n, err = b.tableRef(r, n); err != nil {
			return nil, err
		}
	}
	if n == nil {
		return plan.OneRow{}, nil
	}
	return n, nil
}

// tableRef joins r to what stands left of it; a, b JOIN c ON … is the same as (a CROSS JOIN b) JOIN c ON ….
func (b *Binder) tableRef(r ast.TableRef, left plan.Node) (plan.Node, error) {
	switch r := r.(type) {
	case *ast.Join:
		if left != nil && standsAlone(r) {
			return b.lateral(left, &ast.Join{Pos: r.Pos, Kind: "CROSS"}, r.Pos,
				func() (plan.Node, error) { return b.tableRef(r, nil) })
		}
		left, err := b.tableRef(r.Left, left)
		if err != nil {
			return nil, err
		}
		if t, ok := r.Right.(*ast.Table); ok {
			return b.joinTable(r, left, t)
		}
		right, err := b.tableRef(r.Right, nil)
		if err != nil {
			return nil, err
		}
		return b.join(r, left, right, nil)
	case *ast.Table:
		if left == nil {
			return b.table(r)
		}
		return b.joinTable(&ast.Join{Pos: r.Pos, Kind: "CROSS"}, left, r)
	}
	return nil, plan.Errorf(r.Position(), plan.CodeFeature, "", "this cannot stand in FROM")
}

// joinTable joins a table, which may read columns of the tables before it where it takes
// arguments or a text, or is LATERAL.
func (b *Binder) joinTable(r *ast.Join, left plan.Node, t *ast.Table) (plan.Node, error) {
	if !t.Ref.HasArgs && t.Ref.Text == nil && t.Ref.Rows == nil && !t.Ref.Lateral {
		right, err := b.table(t)
		if err != nil {
			return nil, err
		}
		return b.join(r, left, right, nil)
	}
	return b.lateral(left, r, t.Pos, func() (plan.Node, error) { return b.table(t) })
}

// standsAlone reports whether a tree of joins must be planned by itself before it is joined to the tables before it.
// Those cannot become a part of its leftmost side where a join keeps rows of its right side or finds columns by name.
func standsAlone(r ast.TableRef) bool {
	j, ok := r.(*ast.Join)
	return ok && (j.Kind == "RIGHT" || j.Kind == "FULL" || j.Natural || len(j.Using) > 0 || standsAlone(j.Left))
}

// lateral joins left with the node that bind returns, which may read columns of left.
func (b *Binder) lateral(left plan.Node, r *ast.Join, pos ast.Pos, bind func() (plan.Node, error)) (plan.Node, error) {
	f := &outerQuery{parent: b.outer, scope: &scope{cols: left.Columns(), mark: plan.ReadMarker(left)}}
	b.outer = f
	right, err := bind()
	b.outer = f.parent
	if err != nil {
		return nil, err
	}
	if len(f.args) > 0 && (r.Kind == "RIGHT" || r.Kind == "FULL") {
		return nil, plan.Errorf(pos, plan.CodeWrongKind, "write LEFT JOIN",
			"a table of %s JOIN cannot read the tables before it", r.Kind)
	}
	return b.join(r, left, right, f.args)
}

// TableColumns returns the columns of a table of FROM.
func (b *Binder) TableColumns(t *ast.Table) ([]plan.Column, error) {
	n, err := b.table(t)
	if err != nil {
		return nil, err
	}
	return n.Columns(), nil
}

// SameDatabase refuses the name of another database before that of a table; an empty one is fine.
func (c *Catalog) SameDatabase(pos ast.Pos, name string) error {
	if name == "" || name == c.Session.Database {
		return nil
	}
	return plan.Errorf(pos, plan.CodeFeature, "the database is "+c.Session.Database, "%s is another database", name)
}

// table plans one table of FROM, with the names that it gives the columns.
func (b *Binder) table(t *ast.Table) (plan.Node, error) {
	alias := t.Alias
	if alias == "" {
		if alias = t.Ref.Name; t.Ref.Path != "" {
			alias = t.Ref.Path
		}
	}
	if err := b.Catalog.SameDatabase(t.Ref.Pos, t.Ref.Database); err != nil {
		return nil, err
	}
	n, err := b.tableAs(t, alias)
	if err != nil {
		return nil, err
	}
	if r, ok := n.(*plan.Relation); t.Ref.Ordinality && !(ok && r.Rows) {
		return nil, plan.Errorf(t.Ref.Pos, plan.CodeFeature,
			"WITH ORDINALITY follows a function that gives rows: unnest(…)", "the rows of %s have no numbers", alias)
	}
	if len(t.Columns) == 0 {
		return n, nil
	}
	return aliasColumns(n, t, alias)
}

func (b *Binder) tableAs(t *ast.Table, alias string) (plan.Node, error) {
	ref := t.Ref
	switch {
	case ref.Select != nil:
		n, err := b.Select(ref.Select)
		if err != nil {
			return nil, err
		}
		return rename(n, alias), noModels(t)
	case ref.Evaluate != nil:
		cols, err := b.EvaluateColumns(ref.Evaluate)
		if err != nil {
			return nil, err
		}
		return &plan.Evaluate{Stmt: ref.Evaluate, Cols: named(alias, cols)}, noModels(t)
	case ref.File != nil:
		return b.file(t)
	case ref.Summarize != nil:
		return b.summarize(t, alias)
	case (ref.Text != nil || ref.HasArgs && ref.Path == "") && tableFunction(ref.Name) != nil:
		return b.function(t, tableFunction(ref.Name), alias)
	case ref.Text != nil && ref.Name == FeaturesFunction && len(ref.Args) == 0:
		return b.features(t, alias)
	case ref.Text != nil || ref.Rows != nil:
		return b.adhoc(t, alias)
	}
	if c, ok := b.ctes[ref.Name]; ok && ref.Path == "" && !ref.HasArgs {
		return b.withTable(t, c, alias)
	}
	return b.named(t, alias)
}

// withTable plans a table that names a select of a WITH clause.
func (b *Binder) withTable(t *ast.Table, c *cte, alias string) (plan.Node, error) {
	if err := noModels(t); err != nil {
		return nil, err
	}
	if c.plan != nil {
		if err := c.plan(); err != nil {
			return nil, err
		}
	}
	if c.recursion != nil {
		return b.workTable(t.Ref, c.recursion, alias)
	}
	if c.correlated && c.outerQuery != b.outer {
		return nil, plan.Errorf(t.Ref.Pos, plan.CodeFeature, "repeat the select there",
			"%s reads a row of an outer query and cannot be named further inside", t.Ref.Name)
	}
	if b.expanded += c.node.Size; b.expanded > maxExpanded {
		return nil, plan.Errorf(t.Ref.Pos, ast.CodeTooComplex,
			"keep what is in between in a table: CREATE LEXICON … AS SELECT …",
			"the selects of the WITH clause read each other in more than %d ways", maxExpanded)
	}
	c.node.Uses++
	return rename(c.node, alias), nil
}

// noModels refuses USING and WITH after a table that is no layer.
func noModels(t *ast.Table) error {
	if err := noUsing(t); err != nil {
		return err
	}
	if len(t.With) > 0 {
		return plan.Errorf(t.With[0].Pos, plan.CodeWrongKind, "", "%s takes no options", tableName(t.Ref))
	}
	return nil
}

func noUsing(t *ast.Table) error {
	if len(t.Using) > 0 {
		return plan.Errorf(t.Using[0].Pos, plan.CodeWrongKind, "USING follows a layer of a corpus, or layer(TEXT …)",
			"no model can annotate %s", tableName(t.Ref))
	}
	return nil
}

// tableName is what errors call a table.
func tableName(ref ast.Ref) string {
	switch {
	case ref.File != nil:
		return ref.File.String()
	case ref.Name == "":
		return "a subselect"
	case ref.Path != "":
		return ref.Name + "." + ref.Path
	}
	return ref.Name
}

func rename(n plan.Node, alias string) plan.Node {
	r := &plan.Rename{Input: n}
	for _, c := range n.Columns() {
		r.Cols = append(r.Cols, plan.Column{Table: alias, Name: c.Name, Type: c.Type, Hidden: c.Hidden,
			Catalog: c.Catalog, Members: c.Members})
	}
	return r
}

func named(alias string, cols []plan.Column) []plan.Column {
	out := make([]plan.Column, len(cols))
	for i, c := range cols {
		c.Table = alias
		out[i] = c
	}
	return out
}

// named plans a table that the catalog knows.
func (b *Binder) named(t *ast.Table, alias string) (plan.Node, error) {
	ref := t.Ref
	switch {
	case !ref.HasArgs:
	case ref.Path == "" && rowFunction("", ref.Name) != nil:
		return b.rowsOf(t, rowFunction("", ref.Name), alias)
	case ref.Path != "" && rowFunction(ref.Name, ref.Path) != nil:
		return b.rowsOf(t, rowFunction(ref.Name, ref.Path), alias)
	case ref.Path == "" && b.Catalog.Declared.Functions.Scalar(ref.Name) != nil:
		return b.valueOf(t, "", ref.Name, alias)
	case ref.Path != "" && plainSchema(ref.Name) && b.Catalog.Declared.Functions.Scalar(ref.Path) != nil:
		return b.valueOf(t, ref.Name, ref.Path, alias)
	}
	schema := strings.ToLower(ref.Name)
	if _, taken := b.Catalog.Object(ref.Name); taken {
		schema = ref.Name
	}
	switch schema {
	case "system", "pg_catalog", "information_schema":
		in := *t
		in.Ref.Name = schema
		return b.system(&in, alias)
	case "public":
		if ref.Path != "" {
			t2 := *t
			t2.Ref.Name, t2.Ref.Path = ref.Path, ""
			return b.named(&t2, alias)
		}
	}
	if ref.HasArgs && ref.Path == "" {
		return b.tableFunction(t, alias)
	}
	o, ok := b.Catalog.Object(ref.Name)
	if !ok {
		if n, err := b.onPath(t, alias); n != nil || err != nil {
			return n, err
		}
		return nil, b.unknownTable(t)
	}
	return b.object(t, o, alias)
}

// object plans a table of an object of the database: a corpus or layer, a relation of a model, a typed table.
func (b *Binder) object(t *ast.Table, o *catalog.Object, alias string) (plan.Node, error) {
	ref := t.Ref
	switch o.Kind {
	case "corpus":
		if ref.HasArgs {
			return nil, plan.Errorf(ref.Pos, plan.CodeWrongKind, "", "%s is a corpus and takes no arguments", ref.Name)
		}
		return b.layer(t, o, alias)
	case "model":
		return b.relation(t, alias)
	case "features":
		return nil, plan.Errorf(ref.Pos, plan.CodeWrongKind, "DESCRIBE "+ref.Name, "%s is a feature set, not a table",
			ref.Name)
	}
	if o.Kind == catalog.KBObject && !ref.HasArgs {
		if c := o.Table(ref.Path); c != nil {
			return TableNode(c, alias), noModels(t)
		}
		return nil, NoKBTable(ref.Pos, o, ref.Path)
	}
	if ref.Path != "" || ref.HasArgs {
		return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedTable, "", "%s %s has no table %s", o.Kind, o.Name, ref.Path)
	}
	return TableNode(o, alias), noModels(t)
}

// NoKBTable is the error about a table that a knowledge base lacks, or that is not named.
func NoKBTable(pos ast.Pos, kb *catalog.Object, name string) error {
	var names []string
	for _, c := range kb.Tables {
		names = append(names, c.Name)
	}
	hint := "tables: " + strings.Join(names, ", ")
	if name == "" {
		return plan.Errorf(pos, plan.CodeWrongKind, hint, "%s is a knowledge base, name one of its tables", kb.Name)
	}
	return plan.Errorf(pos, plan.CodeUndefinedTable, hint, "kb %s has no table %s%s", kb.Name, name,
		option.DidYouMean(name, catalog.KBTables()))
}

// onPath looks a table up in the schemas of search_path, and then in pg_catalog.
func (b *Binder) onPath(t *ast.Table, alias string) (plan.Node, error) {
	if t.Ref.Path != "" || t.Ref.HasArgs || t.Ref.Version != "" {
		return nil, nil
	}
	for _, schema := range append(b.Catalog.SearchPath(), "pg_catalog") {
		for _, name := range []string{t.Ref.Name, strings.ToLower(t.Ref.Name)} {
			if b.Catalog.hasTable(schema, name) {
				in := *t
				in.Ref.Name, in.Ref.Path = schema, name
				return b.named(&in, alias)
			}
		}
	}
	return nil, nil
}

func (b *Binder) unknownTable(t *ast.Table) error {
	name := t.Ref.Name
	if name == b.defining && t.Ref.Path == "" {
		return plan.Errorf(t.Ref.Pos, plan.CodeUndefinedTable, "write WITH RECURSIVE "+name, "%s names itself", name)
	}
	hint := b.Catalog.hint(name)
	if hint == "" {
		hint = "SHOW CORPORA lists the corpora, SHOW MODELS the models"
	}
	return plan.Errorf(t.Ref.Pos, plan.CodeUndefinedTable, hint, "there is no table %s", name)
}

// relation plans a relation of a model with its arguments.
func (b *Binder) relation(t *ast.Table, alias string) (plan.Node, error) {
	ref := t.Ref
	m, err := b.Catalog.Model(ast.ModelRef{Pos: ref.Pos, Name: ref.Name, Version: ref.Version})
	if err != nil {
		return nil, err
	}
	rel, err := b.relationOf(ref, m)
	if err != nil {
		return nil, err
	}
	if err := noUsing(t); err != nil {
		return nil, err
	}
	args, err := b.arguments(ref, rel.Args)
	if err != nil {
		return nil, err
	}
	n := &plan.Relation{Pos: ref.Pos, Name: m.String() + "." + ref.Path, Model: m, Rel: ref.Path, Args: args,
		Options:      t.With,
		PrefixColumn: rel.Prefix, Falling: rel.Falling}
	for _, c := range rel.Columns {
		n.Cols = append(n.Cols, plan.Column{Table: alias, Name: c.Name, Type: c.Type})
	}
	return n, nil
}

// relationOf finds the relation of a model that a table names by its path.
func (b *Binder) relationOf(ref ast.Ref, m *plan.ModelUse) (*kind.Relation, error) {
	var names []string
	for _, rel := range b.Catalog.Relations(m) {
		if rel.Name == ref.Path {
			return &rel, nil
		}
		names = append(names, ref.Name+"."+rel.Name)
	}
	hint := "relations: " + strings.Join(names, ", ")
	if ref.Path == "" {
		return nil, plan.Errorf(ref.Pos, plan.CodeWrongKind, hint, "%s is a model, name one of its relations", ref.Name)
	}
	return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedTable, hint, "model %s has no relation %s", ref.Name, ref.Path)
}

// RelationArguments binds the arguments of a relation of a model that stands alone: relation(arg, …).
func (b *Binder) RelationArguments(ref ast.Ref, m *plan.ModelUse) ([]expr.Expr, error) {
	ref.Name, ref.Path = m.Name, ref.Name
	rel, err := b.relationOf(ref, m)
	if err != nil {
		return nil, err
	}
	return b.arguments(ref, rel.Args)
}

func (b *Binder) system(t *ast.Table, alias string) (plan.Node, error) {
	path := strings.ToLower(t.Ref.Path)
	cols, ok := b.Catalog.Declared.System[t.Ref.Name+"."+path]
	if !ok {
		return nil, plan.Errorf(t.Ref.Pos, plan.CodeUndefinedTable, b.Catalog.hint(t.Ref.Name+"."+
			t.Ref.Path), "there is no table %s.%s", t.Ref.Name, t.Ref.Path)
	}
	cols = named(alias, cols)
	for i := range cols {
		cols[i].Catalog = t.Ref.Name != "system"
	}
	return &plan.Relation{Name: t.Ref.Name + "." + path, Schema: t.Ref.Name, Rel: path, Cols: cols,
		Need: make([]bool, len(cols))}, noModels(t)
}

// FeaturesFunction is the table function that shows what a feature set extracts.
const FeaturesFunction = "features"

// features plans features(TEXT '…') WITH (set = f).
func (b *Binder) features(t *ast.Table, alias string) (plan.Node, error) {
	if len(t.Using) > 0 {
		return nil, plan.Errorf(t.Using[0].Pos, plan.CodeWrongKind, "WITH (set = name)",
			"features are extracted by a feature set, not by a model")
	}
	x, err := b.bind(t.Ref.Text, &scope{})
	if err != nil {
		return nil, err
	}
	if ty := x.Type(); ty != value.Text && ty != value.Null {
		return nil, plan.Errorf(t.Ref.Text.Position(), plan.CodeType, "", "TEXT takes text, not %s", ty)
	}
	cols := []plan.Column{{Name: "sent", Type: value.Integer}, {Name: "tok", Type: value.Integer},
		{Name: "form", Type: value.Text}, {Name: "feature", Type: value.Text}, {Name: "value", Type: value.Float}}
	return &plan.Relation{Name: FeaturesFunction, Rel: FeaturesFunction, Function: true, Args: []expr.Expr{x},
		Options: t.With, Cols: named(alias, cols)}, nil
}
