package bind

import (
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn/textfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// RowFunction is a function that gives rows: unnest(array). It stands in FROM, where it may read
// the tables before it, or in a select list, where the row is repeated for each of its rows.
type RowFunction struct {
	Name, Doc string
	Args      []kind.Arg
	Columns   []plan.Column
	Scalar    int  // arguments with which it is another function outside of FROM, one of a value; 0 for none
	Keeps     bool // its one column has its name under an alias, too, which also names it
}

// rows reports whether a call outside of FROM gives rows.
func (f *RowFunction) rows(c *ast.Call) bool {
	return f != nil && (f.Scalar == 0 || len(c.Args) > f.Scalar)
}

func rowColumns(names ...string) []plan.Column {
	out := make([]plan.Column, len(names))
	for i, name := range names {
		out[i] = plan.Column{Name: name, Type: value.Integer}
	}
	return out
}

var (
	regexpArgs = []kind.Arg{{Name: "text", Type: value.Text}, {Name: "pattern", Type: value.Text},
		{Name: "flags", Type: value.Text, Optional: true}}
	jsonArgs = []kind.Arg{{Name: "json"}}
	jsonPair = []plan.Column{{Name: "key", Type: value.Text}, {Name: "value", Type: value.JSON}}
	textPair = []plan.Column{{Name: "key", Type: value.Text}, {Name: "value", Type: value.Text}}
)

// RowFunctions lists them in the order in which they are documented.
var RowFunctions = slices.Concat([]RowFunction{
	{Name: "unnest", Doc: "a row for each member of an array; in FROM also of several arrays side by side",
		Args: []kind.Arg{{Name: "array"}}, Columns: []plan.Column{{Name: "unnest"}}},
	{Name: "generate_series",
		Doc: "whole numbers from start to stop; from one timestamp to another where step, then needed, is an interval",
		Args: []kind.Arg{{Name: "start", Type: value.Integer}, {Name: "stop", Type: value.Integer},
			{Name: "step", Type: value.Integer, Optional: true}}, Columns: rowColumns("generate_series")},
	{Name: "generate_subscripts", Doc: "numbers of the members of an array along a dimension, of which there is one",
		Args:    []kind.Arg{{Name: "array"}, {Name: "dimension", Type: value.Integer}},
		Columns: rowColumns("generate_subscripts")},
	{Name: "_pg_expandarray", Doc: "members x of an array and their numbers n", Args: []kind.Arg{{Name: "array"}},
		Columns: []plan.Column{{Name: "x"}, {Name: "n", Type: value.Integer}}},
	{Name: "pg_partition_ancestors", Doc: "no rows: tables are not partitioned", Args: []kind.Arg{{Name: "relation"}},
		Columns: rowColumns("relid")},
	{Name: "pg_partition_tree", Doc: "the table itself: tables are not partitioned",
		Args: []kind.Arg{{Name: "relation", Type: value.Integer}}, Columns: append(rowColumns("relid", "parentrelid"),
			plan.Column{Name: "isleaf", Type: value.Boolean}, plan.Column{Name: "level", Type: value.Integer})},
	{Name: "pg_options_to_table", Doc: "name = value options of an array as rows", Args: []kind.Arg{{Name: "options"}},
		Columns: []plan.Column{{Name: "option_name", Type: value.Text}, {Name: "option_value", Type: value.Text}}},
	{Name: "aclexplode", Doc: "no rows: privileges come with the role of a user", Args: []kind.Arg{{Name: "acl"}},
		Columns: append(rowColumns("grantor", "grantee"), plan.Column{Name: "privilege_type", Type: value.Text},
			plan.Column{Name: "is_grantable", Type: value.Boolean})},
	{Name: "pg_show_all_settings", Doc: "settings with their values", Args: nil, Columns: []plan.Column{{Name: "name",
		Type: value.Text}, {Name: "setting", Type: value.Text}, {Name: "short_desc", Type: value.Text}}},
	{Name: "pg_get_keywords", Doc: "reserved words of the language", Args: nil,
		Columns: []plan.Column{{Name: "word", Type: value.Text}, {Name: "catcode", Type: value.Text},
			{Name: "barelabel", Type: value.Boolean}, {Name: "catdesc", Type: value.Text},
			{Name: "baredesc", Type: value.Text}}},
	{Name: textfn.RegexpMatches,
		Doc: "arrays of the groups of the first match of a regular expression, or of the match if it has none; " +
			"with the flag g among those of regexp_like of every match. Outside of FROM it needs flags, and is " +
			"else a condition", Args: regexpArgs,
		Columns: []plan.Column{{Name: textfn.RegexpMatches, Type: value.JSON}}, Scalar: 2},
	{Name: "string_to_table", Doc: "the parts of a text as string_to_array cuts it",
		Args: []kind.Arg{{Name: "text", Type: value.Text}, {Name: "separator", Type: value.Text}, {Name: "null",
			Type: value.Text, Optional: true}}, Columns: []plan.Column{{Name: "string_to_table", Type: value.Text}}},
	{Name: "regexp_split_to_table", Doc: "what stands between the matches of a regular expression", Args: regexpArgs,
		Columns: []plan.Column{{Name: "regexp_split_to_table", Type: value.Text}}},
}, jsonFunctions("json", "members of an object as they are written", "keys of an object as they are written"),
	jsonFunctions("jsonb", "members of an object, shorter keys first, of equal keys the last",
		"keys of an object, shorter ones first"))

// jsonFunctions are the functions over the members of JSON whose names begin with prefix.
func jsonFunctions(prefix, each, keys string) []RowFunction {
	elements := func(t value.Type) []plan.Column { return []plan.Column{{Name: "value", Type: t}} }
	return []RowFunction{
		{Name: prefix + "_each", Doc: each, Args: jsonArgs, Columns: jsonPair},
		{Name: prefix + "_each_text", Doc: each + ", as text: strings without quotes, null as NULL", Args: jsonArgs,
			Columns: textPair},
		{Name: prefix + "_object_keys", Doc: keys, Args: jsonArgs,
			Columns: []plan.Column{{Name: prefix + "_object_keys", Type: value.Text}}},
		{Name: prefix + "_array_elements", Doc: "members of an array", Args: jsonArgs, Columns: elements(value.JSON),
			Keeps: true},
		{Name: prefix + "_array_elements_text",
			Doc: "members of an array as text: strings without quotes, null as NULL", Args: jsonArgs,
			Columns: elements(value.Text), Keeps: true},
	}
}

// rowFunction returns the function of the name, or nil.
func rowFunction(schema, name string) *RowFunction {
	if !systemSchema(schema) {
		return nil
	}
	for i := range RowFunctions {
		if strings.EqualFold(RowFunctions[i].Name, name) {
			return &RowFunctions[i]
		}
	}
	return nil
}

// Signature prints name and arguments.
func (f *RowFunction) Signature() string {
	parts := make([]string, len(f.Args))
	for i, a := range f.Args {
		parts[i] = a.Name
		if a.Type != value.Null {
			parts[i] += " " + a.Type.String()
		}
		if a.Optional {
			parts[i] = "[" + parts[i] + "]"
		}
	}
	return f.Name + "(" + strings.Join(parts, ", ") + ")"
}

// rowsOf plans a call of such a function in FROM. A function of one column gives it the name of
// its alias.
func (b *Binder) rowsOf(t *ast.Table, f *RowFunction, alias string) (plan.Node, error) {
	if f.Name == "unnest" && len(t.Ref.Args) > 1 {
		return b.unnest(t, alias)
	}
	f, err := b.overload(f, t.Ref.Args)
	if err != nil {
		return nil, err
	}
	n, err := b.rowCall(f, t.Ref.Pos, t.Ref.Args)
	if err != nil {
		return nil, err
	}
	n.Cols = named(alias, f.Columns)
	switch {
	case len(f.Columns) != 1 || t.Alias == "" || t.Alias == n.Cols[0].Name:
	case f.Keeps:
		n.SecondName = true
		n.Cols = append(n.Cols, plan.Column{Table: alias, Name: t.Alias, Type: n.Cols[0].Type, Hidden: true})
	default:
		n.Cols[0].Name = t.Alias
	}
	return numbered(n, t, alias), noModels(t)
}

// numbered adds the column of WITH ORDINALITY.
func numbered(n *plan.Relation, t *ast.Table, alias string) *plan.Relation {
	if t.Ref.Ordinality {
		n.Cols = append(n.Cols, plan.Column{Table: alias, Name: "ordinality", Type: value.Integer})
	}
	return n
}

// unnest plans unnest(a, b, …): the members of several arrays side by side.
func (b *Binder) unnest(t *ast.Table, alias string) (plan.Node, error) {
	calls := make([]*ast.Call, len(t.Ref.Args))
	for i, a := range t.Ref.Args {
		calls[i] = &ast.Call{Pos: a.Pos, Name: "unnest", Args: []ast.Argument{a}}
	}
	n, err := b.sideBySide(calls)
	if err != nil {
		return nil, err
	}
	for i := range n.Cols {
		n.Cols[i].Table, n.Cols[i].Name, n.Cols[i].Hidden = alias, "unnest", false
	}
	return numbered(n, t, alias), noModels(t)
}

// ValueFunction is what Rel is where a function that gives one value stands in FROM.
const ValueFunction = "value"

// valueOf plans such a function: a row of one column, which has the name of the alias.
func (b *Binder) valueOf(t *ast.Table, schema, name, alias string) (plan.Node, error) {
	x, err := b.bind(&ast.Call{Pos: t.Ref.Pos, Schema: schema, Name: name, Args: t.Ref.Args}, &scope{})
	if err != nil {
		return nil, err
	}
	n := &plan.Relation{Name: name, Rel: ValueFunction, Function: true, Rows: true, Args: []expr.Expr{x},
		Cols: []plan.Column{{Table: alias, Name: alias, Type: x.Type()}}}
	return numbered(n, t, alias), noModels(t)
}

// timeSeries is generate_series of times.
var timeSeries = RowFunction{Name: "generate_series", Args: []kind.Arg{{Name: "start", Type: value.Timestamp},
	{Name: "stop", Type: value.Timestamp}, {Name: "step", Type: value.Interval}},
	Columns: []plan.Column{{Name: "generate_series", Type: value.Timestamp}}}

// overload is the form of a function that fits its arguments: generate_series has one for times.
func (b *Binder) overload(f *RowFunction, args []ast.Argument) (*RowFunction, error) {
	if f.Name != timeSeries.Name || len(args) == 0 || args[0].Name != "" && args[0].Name != "start" {
		return f, nil
	}
	x, err := b.bind(args[0].Value, &scope{})
	if err != nil || x.Type() != value.Timestamp {
		return f, err
	}
	return &timeSeries, nil
}

func (b *Binder) rowCall(f *RowFunction, pos ast.Pos, args []ast.Argument) (*plan.Relation, error) {
	bound, err := b.arguments(ast.Ref{Pos: pos, Path: f.Name, Args: args}, f.Args)
	return &plan.Relation{Pos: pos, Name: f.Name, Rel: f.Name, Function: true, Rows: true, Times: f == &timeSeries,
		Args: bound}, err
}

// aliasColumns gives the columns of a table new names, from the first on.
func aliasColumns(n plan.Node, t *ast.Table, alias string) (plan.Node, error) {
	r := rename(n, alias).(*plan.Rename)
	k := 0
	for i := range r.Cols {
		if r.Cols[i].Hidden {
			continue
		}
		if k < len(t.Columns) {
			r.Cols[i].Name = t.Columns[k]
		}
		k++
	}
	if t.Exact && k != len(t.Columns) {
		return nil, plan.Errorf(t.Pos, ast.CodeSyntax, "",
			"a row of %d fields is compared with a select whose rows have %d", len(t.Columns), k)
	}
	if k < len(t.Columns) {
		return nil, plan.Errorf(t.Pos, ast.CodeSyntax, "", "%s has %d {column|columns}, %d {name is|names are} given",
			alias, k,
			len(t.Columns))
	}
	return r, nil
}
