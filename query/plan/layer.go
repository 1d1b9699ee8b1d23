package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// ModelUse is a model version that annotates.
type ModelUse struct {
	Name    string
	Version int
	Kind    string
	Schema  kind.Schema
	From    string   // where the choice comes from: using, upstream, default
	Wanted  []string // layers that are read of what it writes; nil for all
}

func (m ModelUse) String() string { return m.Name + "@" + strconv.Itoa(m.Version) }

// Layer yields the rows of a layer, or the documents themselves (Def nil), of a corpus or
// of ad-hoc text, stored or predicted.
type Layer struct {
	Corpus       *catalog.Object // nil for ad-hoc text
	Name         string          // layer; "" for documents
	Def          *text.LayerDef
	Alias        string
	Need         []bool // columns that are read
	DocFilter    []expr.Expr
	Models       []ModelUse // in the order in which they annotate
	Options      []ast.Option
	Call         *Call        // computes the rows from the documents; nil for a layer
	Text         expr.Expr    // ad-hoc text
	Rows         Node         // ad-hoc texts: column 0 text, column 1 id
	Tokenizer    string       // of ad-hoc text
	Limit        int          // most rows that are read, 0 for all: few documents are annotated at once
	FilterColumn string       // column of the dynamic filter of a join above, "" for none
	RowSearch    *expr.Search // a search among conditions on rows, which a filter above checks; nil for none
	Top          int          // how many hits of the search are read, those with the highest scores; 0 for all
	Cols         []Column
}

// Columns returns doc, the layer's columns, hidden prob and rank, and the document's columns.
func (n *Layer) Columns() []Column { return n.Cols }

// Inputs returns the select of ad-hoc texts.
func (n *Layer) Inputs() []Node {
	if n.Rows != nil {
		return []Node{n.Rows}
	}
	return nil
}

// Line prints corpus, layer, columns, index, pushed filters and models.
func (n *Layer) Line() string {
	by := ""
	if u := n.IndexFor(n.DocFilter); u != nil {
		by = fmt.Sprintf(" by index (%s)", u)
	}
	if n.Corpus != nil && slices.ContainsFunc(n.DocFilter, func(c expr.Expr) bool { return n.NamedIDs(c).Known() }) {
		by = " by id"
	}
	return n.line(by)
}

// Source is the line without the index that is used. The lineage of a model has a hash of it, which must not change
// when an index is made.
func (n *Layer) Source() string { return n.line("") }

func (n *Layer) line(by string) string {
	var b strings.Builder
	name := n.Name
	if name == "" {
		name = "documents"
	}
	switch {
	case n.Call != nil:
		b.WriteString(n.Call.line(n))
	case n.Corpus == nil:
		fmt.Fprintf(&b, "text %s", name)
	case n.Search() != nil:
		b.WriteString("search " + n.Corpus.Name)
		if n.Name != "" {
			b.WriteString("." + n.Name)
		}
		fmt.Fprintf(&b, " by match %s", n.Search().Query)
	default:
		fmt.Fprintf(&b, "scan %s.%s", n.Corpus.Name, name)
	}
	var cols []string
	for i, c := range n.Cols {
		if n.Need[i] && !c.Number {
			if c.Document {
				cols = append(cols, "document."+c.Name)
			} else {
				cols = append(cols, c.Name)
			}
		}
	}
	fmt.Fprintf(&b, " (%s)", strings.Join(cols, ", "))
	b.WriteString(by)
	if rest := n.OtherConditions(); len(rest) > 0 {
		fmt.Fprintf(&b, " where %s", expr.And(rest))
	}
	if n.FilterColumn != "" {
		fmt.Fprintf(&b, " with %s in the other side of the join", n.FilterColumn)
	}
	for _, m := range n.Models {
		fmt.Fprintf(&b, " annotate %s (%s)", m, m.From)
		if len(m.Schema.Writes) > 1 {
			fmt.Fprintf(&b, " for %s", strings.Join(m.Wanted, ", "))
		}
	}
	if n.Top > 0 {
		fmt.Fprintf(&b, " top %d", n.Top)
	}
	if n.Limit > 0 {
		fmt.Fprintf(&b, " limit %d", n.Limit)
	}
	return b.String()
}

// SetColumns makes the columns of a layer, of a corpus or (o nil) of ad-hoc text.
func (n *Layer) SetColumns(o *catalog.Object) {
	add := func(name string, t value.Type, hidden, document bool) {
		n.Cols = append(n.Cols, Column{Table: n.Alias, Name: name, Type: t, Hidden: hidden, Document: document})
	}
	hidden := n.Def != nil
	if hidden {
		add("doc", value.Text, false, false)
		for _, c := range n.Def.Columns {
			add(c.Name, c.Type, n.Call != nil && n.Call.hiddenGroup(c.Name), false)
		}
		if n.Call == nil && n.Def.Index("prob") < 0 {
			add("prob", value.Float, true, false)
		}
		if n.Call == nil && n.Def.Index("rank") < 0 {
			add("rank", value.Integer, true, false)
		}
	}
	add("id", value.Text, hidden, hidden)
	add("text", value.Text, hidden, hidden)
	if o != nil {
		for _, c := range o.Columns {
			add(c.Name, c.Type, hidden, hidden)
		}
	}
	n.numbers()
	n.Need = make([]bool, len(n.Cols))
}

// Column returns the index of a column by name, or -1.
func (n *Layer) Column(name string) int {
	for i, c := range n.Cols {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// DocumentColumn reports whether column i depends on the document alone.
func (n *Layer) DocumentColumn(i int) bool {
	return n.Def == nil || n.Cols[i].Document || i == 0
}

// IDColumn reports whether column i is the id of the document.
func (n *Layer) IDColumn(i int) bool {
	return n.Def == nil && n.Cols[i].Name == "id" ||
		n.Def != nil && (i == 0 || n.Cols[i].Document && n.Cols[i].Name == "id")
}

// Prob reports whether the hidden prob or rank is read.
func (n *Layer) Prob() bool { return n.reads("prob") || n.reads("rank") }

// ReadsProb reports whether the hidden prob is read.
func (n *Layer) ReadsProb() bool { return n.reads("prob") }

// reads reports whether a hidden column is read.
func (n *Layer) reads(hidden string) bool {
	if n.Def == nil || n.Call != nil {
		return false
	}
	for i := len(n.Def.Columns) + 1; i < len(n.Cols); i++ {
		if c := &n.Cols[i]; !c.Document && n.Need[i] && c.Name == hidden {
			return true
		}
	}
	return false
}

// WholeUnits reports whether a condition on a column of documents can be applied before the models annotate. Models
// that annotate several documents as one unit must see the whole unit.
func (n *Layer) WholeUnits(column string) bool {
	for _, m := range n.Models {
		if m.Schema.Unit == kind.PerCorpus || m.Schema.Unit == kind.PerGroup && m.Schema.Group != column {
			return false
		}
	}
	return true
}

// numbers adds hidden columns that identify rows: the number of the document, and of the row within it.
func (n *Layer) numbers() {
	for i := range n.Cols {
		n.Cols[i].Origin = n
	}
	if n.Corpus == nil {
		return
	}
	n.Cols = append(n.Cols,
		Column{Table: n.Alias, Type: value.Integer, Hidden: true, Document: true, Origin: n, Number: true})
	if n.Def != nil {
		n.Cols = append(n.Cols, Column{Table: n.Alias, Type: value.Integer, Hidden: true, Origin: n, Number: true})
	}
}

// Number reports whether column i is the number of the document, or of the row within it.
func (n *Layer) Number(i int) bool { return n.Cols[i].Number }

// Search returns the condition whose full-text index finds the documents or rows to read; nil for none.
func (n *Layer) Search() *expr.Search {
	for _, c := range n.DocFilter {
		if s, ok := c.(*expr.Search); ok && s.Indexed {
			return s
		}
	}
	return n.RowSearch
}

// OtherConditions returns the conditions on documents besides the search.
func (n *Layer) OtherConditions() []expr.Expr {
	s := n.Search()
	var out []expr.Expr
	for _, c := range n.DocFilter {
		if c != expr.Expr(s) {
			out = append(out, c)
		}
	}
	return out
}

// conditions returns the expressions of a layer node.
func (n *Layer) conditions() []expr.Expr {
	var out []expr.Expr
	if n.Text != nil {
		out = append(out, n.Text)
	}
	if n.Call != nil {
		out = append(out, n.Call.Args...)
	}
	return append(out, n.DocFilter...)
}

// Predicts reports whether a model of the node writes a layer, or a column of tokens.
func (n *Layer) Predicts(layer, column string) bool {
	for i := range n.Models {
		if n.Models[i].Writes(layer, column) {
			return true
		}
	}
	return false
}

// Writes reports whether m writes a layer, or a column of it. Of the layer tokens a model writes some columns; a model
// that tokenises writes tokens and sentences, with the columns that it learns.
func (m *ModelUse) Writes(layer, column string) bool {
	for _, w := range m.Schema.Writes {
		if w.Layer != layer && !(layer == "sentences" && w.CutsText()) {
			continue
		}
		if column == "" || w.Columns == nil && !w.CutsText() || slices.Contains(w.Columns, column) {
			return true
		}
		if w.CutsText() && slices.ContainsFunc(m.Schema.Learns, func(l kind.LayerUse) bool {
			return l.Layer == layer && slices.Contains(l.Columns, column)
		}) {
			return true
		}
	}
	return false
}
