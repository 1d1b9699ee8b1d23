package bind

import (
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

var (
	argLabel  = kind.Arg{Name: "label", Type: value.Text, Optional: true, Doc: "label of the rows"}
	argPolicy = kind.Arg{Name: "consolidate", Type: value.Text, Optional: true,
		Doc: "what becomes of overlaps: 'longest' and 'leftmost' keep spans that do not overlap, the longest or " +
			"the first ones before others; 'exact' one row for each span; 'none' all rows"}
	argCase = kind.Arg{Name: "case", Type: value.Text, Optional: true, Doc: "'exact' or 'lower'"}

	columnSent  = text.Sentences.Columns[0]
	columnTok   = text.Tokens.Columns[1]
	spanColumns = func() []text.Column {
		cols := append([]text.Column{}, text.Entities.Columns...)
		cols[6] = text.Constituents.Columns[8] // the text is a slice, not stored
		return cols
	}()
)

// computed is a text column that is never NULL.
func computed(name, doc string) text.Column {
	return text.Column{Name: name, Type: value.Text, Role: text.Form, Doc: doc}
}

// TableFunctions lists the table functions in the order in which they are documented.
var TableFunctions = []plan.TableFunction{
	{Name: "kwic", Doc: "key words in context: where a word, or words that follow each other in a sentence, stand",
		Args: []kind.Arg{{Name: "keyword", Type: value.Text, Doc: "words, cut as text is, or at white space"},
			{Name: "width", Type: value.Integer, Optional: true,
				Doc: "tokens on each side, 5 by default, within the document"},
			{Name: "regex", Type: value.Boolean, Optional: true,
				Doc: "each word, up to white space, is a regular expression for a whole token"},
			argCase, {Name: "column", Type: value.Text, Optional: true,
				Doc: "column of tokens to compare, form by default; a constant"}},
		Columns: []text.Column{columnSent, columnTok, computed("left", "the text before"),
			computed("keyword", "the text found"), computed("right", "the text behind")}},
	{Name: "extract_regex",
		Doc: "matches of a regular expression (RE2), which never overlap; tok_start and tok_end are the tokens " +
			"that they touch, 0 for none",
		Args: []kind.Arg{{Name: "pattern", Type: value.Text,
			Doc: "regular expression; the groups of a constant that have names are columns: name, and hidden " +
				"name_start and name_end"},
			argLabel, {Name: "flags", Type: value.Text, Optional: true,
				Doc: "letters: i ignores case, m lets ^ and $ match at lines, s lets . match line ends, U prefers " +
					"short matches"}},
		Columns: spanColumns},
	{Name: "extract_dictionary",
		Doc: "phrases of a gazetteer, a lexicon or a relation of a model that stand in a sentence; a row for each " +
			"label, the second column",
		Args: []kind.Arg{{Name: "dictionary", Type: value.Text,
			Doc: "name of the table; its first column is the phrase, cut as text is, or at white space"}, argCase,
			argPolicy},
		Columns: spanColumns},
	{Name: "extract_pattern",
		Doc: "spans of tokens in a sentence that a pattern over tokens and layers matches; models after USING " +
			"write the layers that it names",
		Args: []kind.Arg{{Name: "pattern", Type: value.Text,
			Doc: "a constant; its named groups are columns: name, and hidden name_start and name_end"}, argLabel,
			argPolicy},
		Columns: spanColumns},
	{Name: "paths", Doc: "ways between two different tokens of a sentence through the dependency tree; up = 0 " +
		"where the first token governs the second",
		Args: []kind.Arg{{Name: "max", Type: value.Integer, Optional: true, Doc: "arcs at most, 4 by default"},
			{Name: "layer", Type: value.Text, Optional: true,
				Doc: "only between the heads of the spans of this layer: in each the first token whose head lies " +
					"outside; a constant"}},
		Columns: []text.Column{columnSent,
			{Name: "from_tok", Type: value.Integer, Doc: "first token, 1-based within the sentence"},
			{Name: "to_tok", Type: value.Integer, Doc: "second token"},
			computed("path",
				"arcs and the lemmas (or forms) between them, < after an arc to a head, > before an arc to a "+
					"dependent: nsubj<work>obl"),
			{Name: "up", Type: value.Integer, Doc: "arcs to heads, which come first"},
			{Name: "down", Type: value.Integer, Doc: "arcs to dependents"}}},
}

// completions finish the binding of a call, by the name of the function.
var completions = map[string]func(*functionBinder) error{
	"kwic":               (*functionBinder).keyword,
	"extract_regex":      (*functionBinder).expression,
	"extract_dictionary": (*functionBinder).dictionary,
	"extract_pattern":    (*functionBinder).pattern,
	"paths":              (*functionBinder).paths,
}

// tableFunction returns the function of the name, or nil.
func tableFunction(name string) *plan.TableFunction {
	for i := range TableFunctions {
		if TableFunctions[i].Name == strings.ToLower(name) {
			return &TableFunctions[i]
		}
	}
	return nil
}

// functionBinder binds a call of a table function.
type functionBinder struct {
	*Binder
	t    *ast.Table
	n    *plan.Layer
	call *plan.Call
	refs map[string]ast.Expr // arguments as written, by name
}

// function plans a call of a table function: a layer that is computed from the documents.
func (b *Binder) function(t *ast.Table, f *plan.TableFunction, alias string) (plan.Node, error) {
	ref := t.Ref
	n := &plan.Layer{Name: f.Name, Alias: alias, Options: t.With, Call: &plan.Call{Pos: ref.Pos, Function: f}}
	fb := &functionBinder{Binder: b, t: t, n: n, call: n.Call, refs: map[string]ast.Expr{}}
	rest := ref.Args
	if ref.Text == nil {
		if len(ref.Args) == 0 || ref.Args[0].Name != "" {
			return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedFunction, f.Signature(),
				"%s takes a corpus, TEXT or (SELECT …) first", f.Name)
		}
		rest = ref.Args[1:]
	}
	if err := fb.documents(); err != nil {
		return nil, err
	}
	if err := fb.arguments(rest); err != nil {
		return nil, err
	}
	n.Def = &text.LayerDef{Name: f.Name, Doc: f.Doc, Columns: f.Columns}
	if err := completions[f.Name](fb); err != nil {
		return nil, err
	}
	n.SetColumns(n.Corpus)
	return n, fb.inputs()
}

// documents binds what comes first: a corpus, a text or a select.
func (b *functionBinder) documents() error {
	n, ref := b.n, b.t.Ref
	if ref.Text != nil {
		x, err := b.bind(ref.Text, &scope{})
		if err != nil {
			return err
		}
		if ty := x.Type(); ty != value.Text && ty != value.Null {
			return plan.Errorf(ref.Text.Position(), plan.CodeType, "", "TEXT takes text, not %s", ty)
		}
		n.Text = x
		return nil
	}
	switch e := ref.Args[0].Value.(type) {
	case *ast.Subselect:
		rows, err := b.Select(e.Select)
		if err != nil {
			return err
		}
		if c := rows.Columns(); len(c) < 1 || len(c) > 2 {
			return plan.Errorf(e.Select.Pos, ast.CodeSyntax, "",
				"%s takes a select of text and optionally id, not of %d {column|columns}", n.Name, len(c))
		}
		n.Rows = rows
		return nil
	case *ast.Column:
		if len(e.Parts) == 1 {
			var err error
			n.Corpus, err = b.corpus(ast.Input{Pos: e.Pos, Name: e.Parts[0]})
			return err
		}
		return plan.Errorf(e.Pos, plan.CodeWrongKind, n.Call.Function.Signature(),
			"%s reads a whole corpus, not the layer %s", n.Name, e)
	}
	return plan.Errorf(ref.Args[0].Pos, plan.CodeUndefinedFunction, n.Call.Function.Signature(),
		"%s takes a corpus, TEXT or (SELECT …) first", n.Name)
}

// arguments binds what follows. The name of a table is kept as it is written.
func (b *functionBinder) arguments(args []ast.Argument) error {
	f := b.call.Function
	ref := ast.Ref{Pos: b.t.Ref.Pos, Path: f.Name + "(corpus, …)"}
	for i, a := range args {
		name := a.Name
		if name == "" && i < len(f.Args) {
			name = f.Args[i].Name
		}
		b.refs[name] = a.Value
		if c, ok := a.Value.(*ast.Column); ok && name == "dictionary" {
			a.Value = &ast.Literal{Pos: c.Pos, Value: strings.Join(c.Parts, ".")}
		}
		ref.Args = append(ref.Args, a)
	}
	var err error
	b.call.Args, err = b.Binder.arguments(ref, f.Args)
	return err
}

// at is the place of an argument.
func (b *functionBinder) at(name string) ast.Pos {
	if e := b.refs[name]; e != nil {
		return e.Position()
	}
	return b.t.Ref.Pos
}

// constant returns an argument that binding must know; given is false where it is left out.
func (b *functionBinder) constant(name string) (v value.Value, given bool, err error) {
	x := b.call.Args[argIndex(b.call.Function.Args, name)]
	v, ok := expr.ConstantValue(x)
	if !ok {
		return v, false, plan.Errorf(b.at(name), plan.CodeInvalid, "write the text itself, not a parameter or a column",
			"%s of %s must be a constant", name, b.n.Name)
	}
	return v, !v.IsNull(), nil
}

// choice checks an argument, if it is a constant, against the values that it may have.
func (b *functionBinder) choice(name string, values []string) error {
	v, ok := expr.ConstantValue(b.call.Args[argIndex(b.call.Function.Args, name)])
	if !ok || v.IsNull() {
		return nil
	}
	return at(b.at(name), Choice(name, v.S, values))
}

// Choice refuses a value of an argument that is none of values.
func Choice(name, v string, values []string) error {
	for _, x := range values {
		if x == v {
			return nil
		}
	}
	return plan.Errorf(ast.Pos{}, plan.CodeInvalid, strings.TrimPrefix(option.DidYouMean(v, values), "; "),
		"%s is '%s', not '%s'", name, strings.Join(values, "', '"), v)
}

// at gives an error of a plan its place.
func at(pos ast.Pos, err error) error {
	if e, ok := err.(*ast.Error); ok && e.Pos == (ast.Pos{}) {
		e.Pos = pos
	}
	return err
}

// Cases are the values of case.
var Cases = []string{"exact", "lower"}
