package bind

import (
	"cmp"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// EvaluateColumns returns the result columns: model, those of BY, metric, label, value, low, high, support.
func (b *Binder) EvaluateColumns(s *ast.Evaluate) ([]plan.Column, error) {
	cols := []plan.Column{{Name: "model", Type: value.Text}}
	var by []ByItem
	if len(s.By) > 0 {
		if o, ok := b.Catalog.Object(s.First().Name); ok && o.Kind != catalog.CorpusObject {
			return nil, plan.Errorf(s.By[0].Position(), plan.CodeFeature, "EVALUATE … ON … WHERE …, once a group",
				"BY groups documents, and %s is a %s", o.Name, o.Kind)
		}
		var err error
		if by, err = b.firstBy(s); err != nil {
			return nil, err
		}
	}
	for i, x := range by {
		cols = append(cols, plan.Column{Name: byItemName(s.By[i], x), Type: x.Type()})
	}
	for _, n := range []string{"metric", "label"} {
		cols = append(cols, plan.Column{Name: n, Type: value.Text})
	}
	for _, n := range []string{"value", "low", "high", "support"} {
		cols = append(cols, plan.Column{Name: n, Type: value.Float})
	}
	cols[len(cols)-1].Type = value.Integer
	return cols, nil
}

// StoredLayerOf resolves corpus.layer. other reports that it is compared with a layer that is stored: then a built-in
// layer that the corpus does not store is one without rows, for a system may have found nothing.
func (c *Catalog) StoredLayerOf(ref ast.Input, other bool) (*catalog.Object, *documents.LayerInfo, error) {
	o, ok := c.Snapshot.Object(ref.Name)
	switch {
	case !ok:
		return nil, nil, plan.Errorf(ref.Pos, plan.CodeUndefinedTable, "SHOW CORPORA lists them", "there is no corpus %s%s",
			ref.Name, c.Suggest(ref.Name))
	case o.Kind != catalog.CorpusObject:
		return nil, nil, plan.Errorf(ref.Pos, plan.CodeWrongKind, "SHOW CORPORA lists what has layers",
			"%s is a %s, not a corpus", ref.Name, o.Kind)
	}
	if l := c.StoredLayer(o, ref.Path); l != nil {
		return o, l, nil
	}
	if def := text.Builtins(ref.Path); def != nil && other {
		return o, &documents.LayerInfo{Name: def.Name, Def: def}, nil
	}
	var names []string
	for _, l := range c.Snapshot.LayerDefs(o) {
		names = append(names, l.Name)
	}
	return nil, nil, plan.Errorf(ref.Pos, plan.CodeUndefinedTable,
		"it stores "+cmp.Or(strings.Join(names, ", "), "none"),
		"corpus %s stores no layer %s%s", o.Name, ref.Path, option.DidYouMean(ref.Path, names))
}

// Stores reports whether there is such a corpus, and it stores the layer.
func (c *Catalog) Stores(ref ast.Input) bool {
	o, ok := c.Snapshot.Object(ref.Name)
	return ok && o.Kind == catalog.CorpusObject && c.StoredLayer(o, ref.Path) != nil
}
