package plan

import (
	"strings"

	"parlance/algo/extract"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/catalog"
)

// TableFunction makes rows of each document of a corpus or of a text: name(corpus, …),
// name(TEXT '…', …) or name((SELECT text, id …), …). Its rows have the columns of the document
// in scope, as those of a layer have.
type TableFunction struct {
	Name, Doc string
	Args      []kind.Arg // after the corpus
	Columns   []text.Column
}

// Call is a call of a table function.
type Call struct {
	Pos      ast.Pos
	Function *TableFunction
	Args     []expr.Expr // by place; those left out are NULL
	Reads    []kind.LayerUse
	Pattern  *extract.Pattern // of extract_pattern
	Likely   *extract.Pattern // what every match needs before annotation; nil to annotate all documents
	Groups   []string         // named groups, in the columns after those of the function
	Phrases  *Phrases         // of extract_dictionary
}

// Phrases is a table that extract_dictionary looks up.
type Phrases struct {
	Object *catalog.Object // a gazetteer or a lexicon
	Model  *ModelUse       // or the relation Rel of a model
	Rel    string
	Name   string
}

// Signature prints name and arguments.
func (f *TableFunction) Signature() string {
	s := f.Name + "(corpus"
	for _, a := range f.Args {
		if a.Optional {
			s += " [, " + a.Name + " => " + a.Type.String() + "]"
		} else {
			s += ", " + a.Name + " " + a.Type.String()
		}
	}
	return s + ")"
}

// hiddenGroup reports whether a column is an offset of a named group, which * leaves out.
func (c *Call) hiddenGroup(column string) bool {
	for _, name := range c.Groups {
		if column == name+"_start" || column == name+"_end" {
			return true
		}
	}
	return false
}

// line prints a call without the arguments that are left out.
func (c *Call) line(n *Layer) string {
	first := "text"
	if n.Corpus != nil {
		first = n.Corpus.Name
	}
	parts := []string{first}
	for i, x := range c.Args {
		if v, ok := expr.ConstantValue(x); !ok || !v.IsNull() {
			parts = append(parts, c.Function.Args[i].Name+" => "+x.String())
		}
	}
	return c.Function.Name + "(" + strings.Join(parts, ", ") + ")"
}
