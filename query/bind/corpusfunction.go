package bind

import (
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/catalog"
)

// CorpusFunction is a table function whose first argument names a corpus: check(docs).
type CorpusFunction struct {
	Name    string
	Doc     string
	Args    []kind.Arg // after the corpus
	Columns []plan.Column
}

func (f CorpusFunction) usage() string {
	if len(f.Args) > 0 {
		return f.Name + "(corpus, …)"
	}
	return f.Name + "(corpus)"
}

// tableFunction plans a table function over a corpus.
func (b *Binder) tableFunction(t *ast.Table, alias string) (plan.Node, error) {
	ref := t.Ref
	var f *CorpusFunction
	var names, calls []string
	for _, x := range b.Catalog.Declared.CorpusFunctions {
		names, calls = append(names, x.Name), append(calls, x.usage())
		if x.Name == strings.ToLower(ref.Name) {
			f = &x
		}
	}
	for _, x := range TableFunctions {
		names, calls = append(names, x.Name), append(calls, x.Name+"(corpus, …)")
	}
	if f == nil {
		if o := b.corpusOf(t); o != nil {
			of := *t
			of.Ref = ast.Ref{Pos: ref.Pos, Name: o.Name, Path: ref.Name}
			return b.layer(&of, o, alias)
		}
		hint := "functions over a corpus: " + strings.Join(calls, ", ")
		if b.layerDef(nil, ref.Name, t.Using...) != nil {
			hint = ref.Name + "(TEXT '…') USING model annotates a text; " + ref.Name +
				"(corpus) lists what a corpus stores"
			return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedFunction, hint, "%s takes the word TEXT before a text",
				ref.Name)
		}
		hint = b.misplacedHint(ref.Name, "FROM %[2]s(TEXT '…')", hint)
		return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedFunction, hint, "there is no table function %s%s", ref.Name,
			option.DidYouMean(ref.Name, append(names, layerNames()...)))
	}
	if len(t.Using) > 0 {
		return nil, plan.Errorf(t.Using[0].Pos, plan.CodeWrongKind, "ANNOTATE stores what a model predicts",
			"%s reads what is stored, not what models predict", f.Name)
	}
	o, err := b.corpusArgument(ref, f)
	if err != nil {
		return nil, err
	}
	if n := len(ref.Args) - 1; n > len(f.Args) {
		return nil, plan.Errorf(ref.Args[1+len(f.Args)].Pos, plan.CodeUndefinedFunction, "options follow in WITH (…)",
			"%s takes %d {argument|arguments} with the corpus, not %d", f.Name, 1+len(f.Args), 1+n)
	}
	if f.Name == FeaturesFunction && len(ref.Args) == 1 {
		return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedFunction,
			"token_features("+o.Name+") lists those of tokens or documents, pair_features those of mentions",
			"features of a corpus needs a document and its places")
	}
	rest := ref
	rest.Path, rest.Args = f.Name, ref.Args[1:]
	args, err := b.arguments(rest, f.Args)
	if err != nil {
		return nil, err
	}
	return &plan.Relation{Pos: ref.Pos, Name: f.Name, Rel: f.Name, Function: true, Corpus: o, Args: args,
		Options: t.With,
		Cols:    named(alias, f.Columns)}, nil
}

// corpusOf is the corpus of layer(corpus), another way to write corpus.layer; nil where nothing of the kind is meant.
func (b *Binder) corpusOf(t *ast.Table) *catalog.Object {
	ref := t.Ref
	if len(ref.Args) != 1 || ref.Args[0].Name != "" || b.layerDef(nil, ref.Name, t.Using...) == nil {
		return nil
	}
	c, ok := ref.Args[0].Value.(*ast.Column)
	if !ok || len(c.Parts) != 1 {
		return nil
	}
	if o, ok := b.Catalog.Object(c.Parts[0]); ok && o.Kind == catalog.CorpusObject {
		return o
	}
	return nil
}

// corpusArgument finds the corpus that the first argument names.
func (b *Binder) corpusArgument(ref ast.Ref, f *CorpusFunction) (*catalog.Object, error) {
	if len(ref.Args) == 0 {
		return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedFunction, f.Name+"(docs)", "%s needs the name of a corpus",
			f.Name)
	}
	a := ref.Args[0]
	c, ok := a.Value.(*ast.Column)
	if !ok || len(c.Parts) != 1 || a.Name != "" {
		return nil, plan.Errorf(a.Pos, plan.CodeWrongKind, f.Name+"(docs)",
			"the first argument of %s is the name of a corpus, not a value", f.Name)
	}
	o, ok := b.Catalog.Object(c.Parts[0])
	switch {
	case !ok:
		return nil, plan.Errorf(a.Pos, plan.CodeUndefinedTable, b.Catalog.hint(c.Parts[0]),
			"there is no corpus %s", c.Parts[0])
	case o.Kind != catalog.CorpusObject:
		return nil, plan.Errorf(a.Pos, plan.CodeWrongKind, "", "%s is a %s, not a corpus", o.Name, o.Kind)
	}
	return o, nil
}

// CorpusRelation plans such a function for a statement that names the corpus itself.
func CorpusRelation(f CorpusFunction, o *catalog.Object, with []ast.Option) *plan.Relation {
	return &plan.Relation{Name: f.Name, Rel: f.Name, Function: true, Corpus: o, Options: with, Cols: f.Columns}
}
