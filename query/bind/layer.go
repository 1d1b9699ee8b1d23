package bind

import (
	"sort"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// stored finds a layer stored in a corpus, or nil.
func (b *Binder) stored(o *catalog.Object, name string) *StoredLayer {
	for _, l := range b.Catalog.layers(o) {
		if l.Name == name {
			return &l
		}
	}
	return nil
}

// layerDef returns the definition of a layer: that of the corpus which stores it, else that of the last model after
// USING which declares it, else the general one. It is nil for an unknown layer.
func (b *Binder) layerDef(o *catalog.Object, name string, using ...ast.ModelRef) *text.LayerDef {
	if o != nil {
		if l := b.stored(o, name); l != nil {
			return l.Def
		}
	}
	known := b.Catalog.LayerDef(name)
	if known == nil || known == text.Builtins(name) {
		return known
	}
	for i := len(using) - 1; i >= 0; i-- {
		m, err := b.Catalog.Model(using[i])
		if err != nil {
			return known // the error is told where the models are chosen
		}
		if d := m.Schema.Def(name); d != nil {
			return d
		}
	}
	return b.defaultDef(name, known)
}

// defaultDef returns the definition that the default model declares for a layer, as kinds may define layers of the same
// name differently; known if no model is the default.
func (b *Binder) defaultDef(name string, known *text.LayerDef) *text.LayerDef {
	if list, err := b.settingModels(ast.Pos{}); err == nil { // the error is told where the models are chosen
		for i := range list {
			if d := list[i].Schema.Def(name); d != nil {
				return d
			}
		}
	}
	ws, favourite := b.Catalog.writers(name, ""), b.Catalog.Session.DefaultModel
	for i := range ws {
		if d := ws[i].Schema.Def(name); d != nil && (len(ws) == 1 || ws[i].Name == favourite) {
			return d
		}
	}
	return known
}

// layer plans a corpus (docs) or a layer of one (docs.layer).
func (b *Binder) layer(t *ast.Table, o *catalog.Object, alias string) (plan.Node, error) {
	n := &plan.Layer{Corpus: o, Name: t.Ref.Path, Alias: alias, Options: t.With}
	if n.Name == "documents" {
		n.Name = ""
	}
	if n.Name != "" {
		if n.Def = b.layerDef(o, n.Name, t.Using...); n.Def == nil {
			return nil, b.unknownLayer(t, o)
		}
	} else if len(t.Using) > 0 {
		return nil, plan.Errorf(t.Using[0].Pos, plan.CodeWrongKind, "name a layer: FROM "+o.Name+".entities USING "+
			t.Using[0].Name, "models annotate layers, %s alone is the documents", o.Name)
	}
	n.SetColumns(o)
	if n.Name == "" {
		if len(t.With) > 0 {
			return nil, plan.Errorf(t.With[0].Pos, plan.CodeInvalid,
				"name a layer and a model: FROM "+o.Name+".entities USING model "+
					"WITH (…)", "documents take no option %s", t.With[0].Name)
		}
		return n, nil
	}
	if err := b.pipeline(n, t); err != nil {
		return nil, err
	}
	return n, nil
}

func (b *Binder) unknownLayer(t *ast.Table, o *catalog.Object) error {
	var names []string
	for _, l := range b.Catalog.layers(o) {
		names = append(names, l.Name)
	}
	sort.Strings(names)
	hint := strings.TrimPrefix(option.DidYouMean(t.Ref.Path, append(names, layerNames()...)), "; ")
	if hint == "" {
		hint = "stored layers: " + strings.Join(names, ", ")
	}
	hint = b.misplacedHint(t.Ref.Path, ast.QuoteName(o.Name)+".%[2]s", hint)
	return plan.Errorf(t.Ref.Pos, plan.CodeUndefinedTable, hint, "corpus %s has no layer %s", o.Name, t.Ref.Path)
}

func layerNames() []string {
	var out []string
	for _, d := range text.Builtin {
		out = append(out, d.Name)
	}
	return out
}

// adhoc plans a layer of ad-hoc text: layer(TEXT expr) and layer((SELECT text, id …)).
func (b *Binder) adhoc(t *ast.Table, alias string) (plan.Node, error) {
	ref := t.Ref
	if len(ref.Args) > 0 {
		return nil, plan.Errorf(ref.Args[0].Pos, plan.CodeUndefinedFunction,
			"options of a model stand after it: USING model WITH (…)", "%s(TEXT …) takes no more arguments", ref.Name)
	}
	n := &plan.Layer{Name: ref.Name, Alias: alias, Options: t.With}
	if n.Def = b.layerDef(nil, ref.Name, t.Using...); n.Def == nil {
		hint := b.misplacedHint(ref.Name, "%[2]s(TEXT '…')",
			strings.TrimPrefix(option.DidYouMean(ref.Name, layerNames()), "; "))
		return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedTable, hint, "there is no layer %s", ref.Name)
	}
	if ref.Text != nil {
		x, err := b.bind(ref.Text, &scope{})
		if err != nil {
			return nil, err
		}
		if ty := x.Type(); ty != value.Text && ty != value.Null {
			return nil, plan.Errorf(ref.Text.Position(), plan.CodeType, "", "TEXT takes text, not %s", ty)
		}
		n.Text = x
	} else {
		rows, err := b.Select(ref.Rows)
		if err != nil {
			return nil, err
		}
		if c := rows.Columns(); len(c) < 1 || len(c) > 2 {
			return nil, plan.Errorf(ref.Rows.Pos, ast.CodeSyntax, "",
				"%s(select) takes text and optionally id, not %d {column|columns}", ref.Name, len(c))
		}
		n.Rows = rows
	}
	n.SetColumns(nil)
	return n, b.pipeline(n, t)
}
