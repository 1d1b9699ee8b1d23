package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// ByItem is an item of BY: an expression over documents, or a breakdown that the scorers of all models have.
type ByItem struct {
	Expr      expr.Expr          // nil for a breakdown
	Breakdown *metrics.Breakdown // nil for an expression
}

// Type is the type of the column of an item.
func (b ByItem) Type() value.Type {
	if b.Breakdown != nil {
		return value.Text
	}
	return b.Expr.Type()
}

func byItemName(e ast.Expr, b ByItem) string {
	if c, ok := e.(*ast.Column); ok {
		return c.Parts[len(c.Parts)-1]
	}
	return b.Expr.String()
}

// BreakdownGroups is the number of groups into which the breakdowns divide the documents of one key.
func BreakdownGroups(list []ByItem) int {
	n := 1
	for _, b := range list {
		if b.Breakdown != nil {
			n *= len(b.Breakdown.Values)
		}
	}
	return n
}

// firstBy binds BY over the documents of the first input.
func (b *Binder) firstBy(s *ast.Evaluate) ([]ByItem, error) {
	first := s.First()
	n, err := b.Input(ast.Input{Pos: first.Pos, Name: first.Name}, nil, &plan.ModelUse{}, nil, false)
	if err != nil {
		return nil, err
	}
	return b.By(s, n)
}

// By binds BY over the documents of an input. A column takes precedence over a breakdown of the same name.
func (b *Binder) By(s *ast.Evaluate, n *plan.Layer) ([]ByItem, error) {
	out := make([]ByItem, len(s.By))
	for i, e := range s.By {
		x, err := b.Over(e, n)
		if err == nil {
			out[i].Expr = x
			continue
		}
		if out[i].Breakdown, err = b.Catalog.breakdown(s, e, err); err != nil {
			return nil, err
		}
		for _, other := range out[:i] {
			if other.Breakdown == out[i].Breakdown {
				return nil, plan.Errorf(e.Position(), ast.CodeSyntax, "", "BY names %s twice", other.Breakdown.Name)
			}
		}
	}
	return out, nil
}

// breakdown finds the breakdown that BY names. unknown is the error of the column that was looked for first.
func (c *Catalog) breakdown(s *ast.Evaluate, x ast.Expr, unknown error) (*metrics.Breakdown, error) {
	var e *ast.Error
	col, ok := x.(*ast.Column)
	if !ok || len(col.Parts) != 1 || !errors.As(unknown, &e) || e.Code != plan.CodeUndefinedColumn {
		return nil, unknown
	}
	name := col.Parts[0]
	common, scored, err := c.breakdownsOfAll(s)
	if err != nil {
		return nil, err
	}
	for i := range common {
		if common[i].Name == name {
			return breakdownNamed(name), nil
		}
	}
	out := *e
	out.Hint = byHint(e.Hint, common)
	switch {
	case breakdownNamed(name) != nil:
		out.Msg = fmt.Sprintf("scores of %s cannot be told apart by %s", scored, name)
	case strings.EqualFold(name, "label"):
		out.Hint = "each label has rows of its own: SELECT … FROM (EVALUATE …) e ORDER BY label; BY takes " + out.Hint
	}
	return nil, &out
}

// breakdownsOfAll are the breakdowns that all scored models and layers have; name is that of the first of these.
func (c *Catalog) breakdownsOfAll(s *ast.Evaluate) (common []metrics.Breakdown, name string, err error) {
	if s.Against != nil {
		scored := slices.ContainsFunc(s.Layers, func(l ast.Input) bool { return c.Stores(l) })
		o, info, err := c.StoredLayerOf(*s.Against, scored)
		if err != nil {
			return nil, "", err
		}
		return metrics.Breakdowns(info.Def, nil), o.Name + "." + info.Name, nil
	}
	for i, ref := range s.Models {
		m, err := c.Model(ref.ModelRef)
		if err != nil {
			return nil, "", err
		}
		own := c.breakdowns(m.Schema)
		if i == 0 {
			common = own
		}
		common = commonBreakdowns(common, own)
	}
	return common, s.Models[0].ModelRef.String(), nil
}

// breakdownNamed returns the breakdown of a name, always the same pointer, or nil.
func breakdownNamed(name string) *metrics.Breakdown {
	for i := range allBreakdowns {
		if allBreakdowns[i].Name == name {
			return &allBreakdowns[i]
		}
	}
	return nil
}

var allBreakdowns = metrics.AllBreakdowns()

func byHint(columns string, list []metrics.Breakdown) string {
	var names []string
	for _, b := range list {
		names = append(names, b.Name+" ("+b.Doc+")")
	}
	if len(names) == 0 {
		return columns
	}
	return columns + "; or " + strings.Join(names, ", ")
}

// breakdowns lists the breakdowns that all scored layers of a model have.
func (c *Catalog) breakdowns(s kind.Schema) []metrics.Breakdown {
	var out []metrics.Breakdown
	first := true
	for _, w := range s.Writes {
		def := c.LayerDef(w.Layer)
		if def == nil || s.Def(w.Layer) != nil {
			continue
		}
		own := metrics.Breakdowns(def, w.Columns)
		if first {
			out, first = own, false
		}
		out = commonBreakdowns(out, own)
	}
	return out
}

// commonBreakdowns returns the elements of a that b has too.
func commonBreakdowns(a, b []metrics.Breakdown) []metrics.Breakdown {
	var out []metrics.Breakdown
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name {
				out = append(out, x)
			}
		}
	}
	return out
}
