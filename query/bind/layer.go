package bind

import (
	"slices"
	"sort"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// stored finds a layer stored in a corpus, or nil.
func (b *Binder) stored(o *storage.Object, name string) *StoredLayer {
	for _, l := range b.Catalog.Layers(o) {
		if l.Name == name {
			return &l
		}
	}
	return nil
}

// layerDef returns the definition of a layer: as a corpus stores it, else as the last of the models
// after USING declares it, else as it is known. It is nil where none of them knows it.
func (b *Binder) layerDef(o *storage.Object, name string, using ...ast.ModelRef) *text.LayerDef {
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

// defaultDef is the definition of a layer by the model that writes it where none is named: kinds
// may give one name to different layers.
func (b *Binder) defaultDef(name string, known *text.LayerDef) *text.LayerDef {
	if list, err := b.chain(ast.Pos{}); err == nil { // the error is told where the models are chosen
		for i := range list {
			if d := list[i].Schema.Def(name); d != nil {
				return d
			}
		}
	}
	ws, favourite := b.Catalog.Writers(name, ""), b.Catalog.Setting("default_model")
	for i := range ws {
		if d := ws[i].Schema.Def(name); d != nil && (len(ws) == 1 || ws[i].Name == favourite) {
			return d
		}
	}
	return known
}

// layer plans docs or docs.layer.
func (b *Binder) layer(t *ast.Table, o *storage.Object, alias string) (plan.Node, error) {
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

func (b *Binder) unknownLayer(t *ast.Table, o *storage.Object) error {
	var names []string
	for _, l := range b.Catalog.Layers(o) {
		names = append(names, l.Name)
	}
	sort.Strings(names)
	hint := strings.TrimPrefix(option.DidYouMean(t.Ref.Path, append(names, layerNames()...)), "; ")
	if hint == "" {
		hint = "stored layers: " + strings.Join(names, ", ")
	}
	hint = b.misplaced(t.Ref.Path, ast.QuoteName(o.Name)+".%[2]s", hint)
	return plan.Errorf(t.Ref.Pos, plan.CodeUndefinedTable, hint, "corpus %s has no layer %s", o.Name, t.Ref.Path)
}

func layerNames() []string {
	var out []string
	for _, d := range text.Builtin {
		out = append(out, d.Name)
	}
	return out
}

// adhoc plans layer(TEXT expr) and layer(select …).
func (b *Binder) adhoc(t *ast.Table, alias string) (plan.Node, error) {
	ref := t.Ref
	if len(ref.Args) > 0 {
		return nil, plan.Errorf(ref.Args[0].Pos, plan.CodeUndefinedFunction,
			"options of a model stand after it: USING model WITH (…)", "%s(TEXT …) takes no more arguments", ref.Name)
	}
	n := &plan.Layer{Name: ref.Name, Alias: alias, Options: t.With}
	if n.Def = b.layerDef(nil, ref.Name, t.Using...); n.Def == nil {
		hint := b.misplaced(ref.Name, "%[2]s(TEXT '…')",
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
				"%s(select) takes text and optionally id, not %d columns", ref.Name, len(c))
		}
		n.Rows = rows
	}
	n.SetColumns(nil)
	return n, b.pipeline(n, t)
}

// provider says where a layer or a token column comes from.
type provider struct {
	b        *Binder
	n        *plan.Layer
	using    []plan.ModelUse
	chain    []plan.ModelUse // of the setting using
	explicit bool            // the statement names models
	stored   map[string]*StoredLayer
	skip     bool // inputs = 'predicted'
	given    bool // only what USING names or the corpus stores, as training needs it
	chosen   []plan.ModelUse
	pending  map[string]bool
	at       ast.Pos
}

// pipeline chooses the models that annotate, in order. A layer comes from (1) a USING model
// that writes it, (2) what is stored as gold, (3) the model's recorded upstream, pinned;
// without USING and without stored layer from the only model that writes it.
func (b *Binder) pipeline(n *plan.Layer, t *ast.Table) error {
	p := &provider{b: b, n: n, stored: map[string]*StoredLayer{}, pending: map[string]bool{}, at: t.Ref.Pos}
	if n.Corpus != nil {
		for _, l := range b.Catalog.Layers(n.Corpus) {
			p.stored[l.Name] = &l
		}
	}
	if err := p.inputOptions(t.With); err != nil {
		return err
	}
	for _, r := range t.Using {
		m, err := b.Catalog.Model(r)
		if err != nil {
			return err
		}
		m.From = "using"
		p.using = append(p.using, *m)
	}
	if err := p.standing(len(t.Using) > 0); err != nil {
		return err
	}
	if err := p.target(t); err != nil {
		return err
	}
	n.Models = p.chosen
	if len(n.Models) == 0 && len(t.With) > 0 {
		return plan.Errorf(t.With[0].Pos, plan.CodeInvalid, "USING names a model",
			"option %s is for a model, and %s is read as it "+
				"is stored", t.With[0].Name, n.Name)
	}
	n.Tokenizer = b.Catalog.Tokenizer(nil)
	if len(n.Models) > 0 {
		n.Tokenizer = b.Catalog.Tokenizer(&n.Models[0])
	}
	return nil
}

// inputOptions takes the option inputs.
func (p *provider) inputOptions(with []ast.Option) error {
	for _, o := range with {
		if o.Name != "inputs" {
			continue
		}
		switch v := strings.Trim(o.Value.String(), "'"); v {
		case "predicted":
			p.skip = true
		case "gold":
		default:
			return plan.Errorf(o.Pos, plan.CodeInvalid, "inputs = 'gold' or 'predicted'",
				"option inputs: %s is neither gold nor "+
					"predicted", v)
		}
	}
	return nil
}

// target provides the layer that the query reads.
func (p *provider) target(t *ast.Table) error {
	found := false
	for i := range p.using {
		if p.using[i].Writes(p.n.Name, "") {
			found = true
			if err := p.add(&p.using[i], p.n.Name); err != nil {
				return err
			}
		}
	}
	if found {
		return nil
	}
	if len(p.using) > 0 {
		m := p.using[0]
		var w []string
		for _, u := range m.Schema.Writes {
			w = append(w, u.Layer)
		}
		hint := "it writes " + strings.Join(w, ", ")
		if len(w) == 0 {
			hint = "it writes no layer; DESCRIBE " + m.Name + " lists its relations"
		}
		return plan.Errorf(t.Using[0].Pos, plan.CodeWrongKind, hint, "model %s writes no %s", m.Name, p.n.Name)
	}
	if found, err := p.targetOfChain(); found || err != nil {
		return err
	}
	if p.n.Name == "tokens" || p.n.Name == "sentences" || p.stored[p.n.Name] != nil {
		return nil
	}
	m, err := p.only(p.n.Name, "")
	if err != nil {
		return err
	}
	if m == nil {
		if p.n.Corpus == nil {
			hint := "TRAIN a model that writes it, or name one: USING model"
			if len(p.chain) > 0 {
				hint += "; the setting using names " + p.b.Catalog.Setting(UsingSetting)
			}
			return plan.Errorf(p.at, plan.CodeState, hint, "no model writes %s", p.n.Name)
		}
		if p.b.registered(p.n.Corpus) {
			return nil
		}
		return plan.Errorf(p.at, plan.CodeState, "LOAD annotated text, or TRAIN a model that writes it",
			"corpus %s stores no %s "+
				"and no model writes them", p.n.Corpus.Name, p.n.Name)
	}
	m.From = "default"
	return p.add(m, p.n.Name)
}

// registered reports whether the corpus is empty: then every layer is empty too.
func (b *Binder) registered(o *storage.Object) bool { return len(b.Catalog.Layers(o)) == 0 }

// only returns the one model that writes the layer, by default_model if there are several.
func (p *provider) only(layer, column string) (*plan.ModelUse, error) {
	ws := p.b.Catalog.Writers(layer, column)
	if len(ws) <= 1 {
		if len(ws) == 1 {
			return &ws[0], nil
		}
		return nil, nil
	}
	def := p.b.Catalog.Setting("default_model")
	var names []string
	for i := range ws {
		if ws[i].Name == def {
			return &ws[i], nil
		}
		names = append(names, ws[i].Name)
	}
	return nil, plan.Errorf(p.at, plan.CodeAmbiguous,
		"write USING "+names[0]+", SET default_model = "+names[0]+", or ALTER DATABASE SET "+
			"using = (…) for a chain of models", "several models write %s: %s", layer, strings.Join(names, ", "))
}

// add appends m, of which a layer is read, after the models that supply what it reads.
func (p *provider) add(m *plan.ModelUse, layer string) error {
	if layer == "sentences" && m.Schema.CutsText() {
		layer = "tokens" // which sentences follow from
	}
	key := m.String()
	for i := range p.chosen {
		if c := &p.chosen[i]; c.String() == key {
			if !slices.Contains(c.Wanted, layer) {
				c.Wanted = append(c.Wanted, layer)
			}
			return nil
		}
	}
	if p.pending[key] {
		return plan.Errorf(p.at, plan.CodeState, "", "models read each other's layers: %s", key)
	}
	p.pending[key] = true
	if err := p.reads(m); err != nil {
		return err
	}
	chosen := *m
	chosen.Wanted = []string{layer}
	p.chosen = append(p.chosen, chosen)
	return nil
}

// reads appends the models that supply what m reads, first the one that cuts the text.
func (p *provider) reads(m *plan.ModelUse) error {
	if err := p.cut(m); err != nil {
		return err
	}
	for _, r := range m.Schema.Reads {
		cols := r.Columns
		if r.Layer != "tokens" || cols == nil {
			cols = []string{""}
		}
		for _, c := range cols {
			offered, err := true, error(nil)
			if r.Optional {
				offered, err = p.offered(m, r.Layer, c)
			}
			if err == nil && offered {
				err = p.supply(m, r.Layer, c)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// offered tells whether what is optional is there: in a model of USING, in the corpus, or in a model that m was trained
// with.
func (p *provider) offered(m *plan.ModelUse, layer, column string) (bool, error) {
	supplies := func(x plan.ModelUse) bool { return x.String() != m.String() && x.Writes(layer, column) }
	if slices.ContainsFunc(p.using, supplies) || p.has(layer, column) || slices.ContainsFunc(p.chain, supplies) {
		return true, nil
	}
	if p.given {
		return false, nil
	}
	up, err := p.b.Catalog.Upstream(m)
	return slices.ContainsFunc(up, supplies), err
}

// has tells whether the corpus stores what is read.
func (p *provider) has(layer, column string) bool {
	s := p.stored[layer]
	return s != nil && (s.Model == "" && !p.skip && (column == "" || s.Columns[column]) || p.named(s))
}

// cut appends the model that cuts the text for m, if there is one: a USING model, or for text that no corpus holds the
// one that m was trained with. Else tokens are those of the corpus, or of the tokeniser.
func (p *provider) cut(m *plan.ModelUse) error {
	if m.Schema.CutsText() {
		return nil
	}
	list := p.using
	if !p.explicit && !p.given {
		list = p.chain
	}
	if !slices.ContainsFunc(list, func(u plan.ModelUse) bool { return u.Schema.CutsText() }) && p.n.Corpus == nil &&
		m.Version > 0 {
		up, err := p.b.Catalog.Upstream(m)
		if err != nil {
			return err
		}
		list = up
	}
	for i := range list {
		if list[i].Schema.CutsText() {
			if list[i].From == "" {
				list[i].From = "upstream"
			}
			return p.add(&list[i], "tokens")
		}
	}
	return nil
}

// named reports whether stored predictions are read by their own name, which is that of no layer.
func (p *provider) named(s *StoredLayer) bool {
	return s.Model != "" && p.b.Catalog.LayerDef(s.Name) == nil
}

func (p *provider) supply(m *plan.ModelUse, layer, column string) error {
	if layer == "sentences" || layer == "tokens" && (column == "" || column == "form") {
		return nil
	}
	for i := range p.using {
		if p.using[i].String() != m.String() && p.using[i].Writes(layer, column) {
			return p.add(&p.using[i], layer)
		}
	}
	if p.has(layer, column) {
		return nil
	}
	what := layer
	if column != "" {
		what = layer + "." + column
	}
	if p.given {
		return plan.Errorf(p.at, plan.CodeState, "load it, or name a model that writes it with USING",
			"training reads %s, which "+
				"corpus %s does not store", what, p.n.Corpus.Name)
	}
	if c := p.fromChain(m, layer, column); c != nil && !p.explicit {
		return p.add(c, layer)
	}
	up, err := p.b.Catalog.Upstream(m)
	if err != nil {
		return err
	}
	for i := range up {
		if up[i].Writes(layer, column) {
			up[i].From = "upstream"
			return p.add(&up[i], layer)
		}
	}
	if c := p.fromChain(m, layer, column); c != nil {
		return p.add(c, layer)
	}
	w, err := p.only(layer, column)
	if err != nil {
		return err
	}
	if w != nil && w.Name != m.Name {
		w.From = "default"
		return p.add(w, layer)
	}
	if m.Version == 0 { // no model, but what reads as one
		return plan.Errorf(p.at, plan.CodeState, "load it, name a model that writes it with USING, or train one",
			"%s reads %s, "+
				"which is not stored", m.Name, what)
	}
	return plan.Errorf(p.at, plan.CodeState, "load it, name a model that writes it with USING, or train one",
		"model %s reads "+
			"%s, which is not stored", m.Name, what)
}
