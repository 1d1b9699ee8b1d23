package plan

import (
	"slices"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
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
func (b *Binder) layer(t *ast.Table, o *storage.Object, alias string) (Node, error) {
	n := &Layer{Corpus: o, Name: t.Ref.Path, Alias: alias, Options: t.With}
	if n.Name == "documents" {
		n.Name = ""
	}
	if n.Name != "" {
		if n.Def = b.layerDef(o, n.Name, t.Using...); n.Def == nil {
			return nil, b.unknownLayer(t, o)
		}
	} else if len(t.Using) > 0 {
		return nil, Errorf(t.Using[0].Pos, CodeWrongKind, "name a layer: FROM "+o.Name+".entities USING "+t.Using[0].Name, "models annotate layers, %s alone is the documents", o.Name)
	}
	n.columns(o)
	if n.Name == "" {
		if len(t.With) > 0 {
			return nil, Errorf(t.With[0].Pos, CodeInvalid, "name a layer and a model: FROM "+o.Name+".entities USING model "+
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
	return Errorf(t.Ref.Pos, CodeUndefinedTable, hint, "corpus %s has no layer %s", o.Name, t.Ref.Path)
}

func layerNames() []string {
	var out []string
	for _, d := range text.Builtin {
		out = append(out, d.Name)
	}
	return out
}

// columns lays out the columns of a layer node.
func (n *Layer) columns(o *storage.Object) {
	add := func(name string, t value.Type, hidden, document bool) {
		n.cols = append(n.cols, Column{Table: n.Alias, Name: name, Type: t, Hidden: hidden, Document: document})
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
	n.Need = make([]bool, len(n.cols))
}

// Column returns the index of a column by name, or -1.
func (n *Layer) Column(name string) int {
	for i, c := range n.cols {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// DocumentColumn reports whether column i depends on the document alone.
func (n *Layer) DocumentColumn(i int) bool {
	return n.Def == nil || n.cols[i].Document || i == 0
}

// IDColumn reports whether column i is the id of the document.
func (n *Layer) IDColumn(i int) bool {
	return n.Def == nil && n.cols[i].Name == "id" || n.Def != nil && (i == 0 || n.cols[i].Document && n.cols[i].Name == "id")
}

// adhoc plans layer(TEXT expr) and layer(select …).
func (b *Binder) adhoc(t *ast.Table, alias string) (Node, error) {
	ref := t.Ref
	if len(ref.Args) > 0 {
		return nil, Errorf(ref.Args[0].Pos, CodeUndefinedFunction, "options of a model stand after it: USING model WITH (…)", "%s(TEXT …) takes no more arguments", ref.Name)
	}
	n := &Layer{Name: ref.Name, Alias: alias, Options: t.With}
	if n.Def = b.layerDef(nil, ref.Name, t.Using...); n.Def == nil {
		hint := b.misplaced(ref.Name, "%[2]s(TEXT '…')", strings.TrimPrefix(option.DidYouMean(ref.Name, layerNames()), "; "))
		return nil, Errorf(ref.Pos, CodeUndefinedTable, hint, "there is no layer %s", ref.Name)
	}
	if ref.Text != nil {
		x, err := b.bind(ref.Text, &scope{})
		if err != nil {
			return nil, err
		}
		if ty := x.Type(); ty != value.Text && ty != value.Null {
			return nil, Errorf(ref.Text.Position(), CodeType, "", "TEXT takes text, not %s", ty)
		}
		n.Text = x
	} else {
		rows, err := b.Select(ref.Rows)
		if err != nil {
			return nil, err
		}
		if c := rows.Columns(); len(c) < 1 || len(c) > 2 {
			return nil, Errorf(ref.Rows.Pos, ast.CodeSyntax, "", "%s(select) takes text and optionally id, not %d columns", ref.Name, len(c))
		}
		n.Rows = rows
	}
	n.columns(nil)
	return n, b.pipeline(n, t)
}

// provider says where a layer or a token column comes from.
type provider struct {
	b        *Binder
	n        *Layer
	using    []ModelUse
	chain    []ModelUse // of the setting using
	explicit bool       // the statement names models
	stored   map[string]*StoredLayer
	skip     bool // inputs = 'predicted'
	given    bool // only what USING names or the corpus stores, as training needs it
	chosen   []ModelUse
	pending  map[string]bool
	at       ast.Pos
}

// pipeline chooses the models that annotate, in order. A layer comes from (1) a USING model
// that writes it, (2) what is stored as gold, (3) the model's recorded upstream, pinned;
// without USING and without stored layer from the only model that writes it.
func (b *Binder) pipeline(n *Layer, t *ast.Table) error {
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
		return Errorf(t.With[0].Pos, CodeInvalid, "USING names a model", "option %s is for a model, and %s is read as it "+
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
			return Errorf(o.Pos, CodeInvalid, "inputs = 'gold' or 'predicted'", "option inputs: %s is neither gold nor "+
				"predicted", v)
		}
	}
	return nil
}

// writes reports whether m writes the layer; tokens are written column by column, or with the sentences by a model that
// cuts the text. Of such a model the columns are those that it learns.
func writes(m *ModelUse, layer, column string) bool {
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

// target provides the layer that the query reads.
func (p *provider) target(t *ast.Table) error {
	found := false
	for i := range p.using {
		if writes(&p.using[i], p.n.Name, "") {
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
		return Errorf(t.Using[0].Pos, CodeWrongKind, hint, "model %s writes no %s", m.Name, p.n.Name)
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
			return Errorf(p.at, CodeState, hint, "no model writes %s", p.n.Name)
		}
		if p.b.registered(p.n.Corpus) {
			return nil
		}
		return Errorf(p.at, CodeState, "LOAD annotated text, or TRAIN a model that writes it", "corpus %s stores no %s "+
			"and no model writes them", p.n.Corpus.Name, p.n.Name)
	}
	m.From = "default"
	return p.add(m, p.n.Name)
}

// registered reports whether the corpus is empty: then every layer is empty too.
func (b *Binder) registered(o *storage.Object) bool { return len(b.Catalog.Layers(o)) == 0 }

// only returns the one model that writes the layer, by default_model if there are several.
func (p *provider) only(layer, column string) (*ModelUse, error) {
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
	return nil, Errorf(p.at, CodeAmbiguous, "write USING "+names[0]+", SET default_model = "+names[0]+", or ALTER DATABASE SET "+
		"using = (…) for a chain of models", "several models write %s: %s", layer, strings.Join(names, ", "))
}

// add appends m, of which a layer is read, after the models that supply what it reads.
func (p *provider) add(m *ModelUse, layer string) error {
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
		return Errorf(p.at, CodeState, "", "models read each other's layers: %s", key)
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
func (p *provider) reads(m *ModelUse) error {
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
func (p *provider) offered(m *ModelUse, layer, column string) (bool, error) {
	supplies := func(x ModelUse) bool { return x.String() != m.String() && writes(&x, layer, column) }
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
func (p *provider) cut(m *ModelUse) error {
	if m.Schema.CutsText() {
		return nil
	}
	list := p.using
	if !p.explicit && !p.given {
		list = p.chain
	}
	if !slices.ContainsFunc(list, func(u ModelUse) bool { return u.Schema.CutsText() }) && p.n.Corpus == nil && m.Version > 0 {
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

func (p *provider) supply(m *ModelUse, layer, column string) error {
	if layer == "sentences" || layer == "tokens" && (column == "" || column == "form") {
		return nil
	}
	for i := range p.using {
		if p.using[i].String() != m.String() && writes(&p.using[i], layer, column) {
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
		return Errorf(p.at, CodeState, "load it, or name a model that writes it with USING", "training reads %s, which "+
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
		if writes(&up[i], layer, column) {
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
		return Errorf(p.at, CodeState, "load it, name a model that writes it with USING, or train one", "%s reads %s, "+
			"which is not stored", m.Name, what)
	}
	return Errorf(p.at, CodeState, "load it, name a model that writes it with USING, or train one", "model %s reads "+
		"%s, which is not stored", m.Name, what)
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
	for i := len(n.Def.Columns) + 1; i < len(n.cols); i++ {
		if c := &n.cols[i]; !c.Document && n.Need[i] && c.Name == hidden {
			return true
		}
	}
	return false
}

// docFilter takes over the conditions that depend on the document alone and returns the
// others. A model that annotates several documents at once must see all of a unit, so below
// it only conditions on the column that makes the groups are taken.
func (n *Layer) docFilter(conds []expr.Expr) []expr.Expr {
	var rest []expr.Expr
	for _, c := range conds {
		ok := len(expr.Columns(c)) > 0
		for _, i := range expr.Columns(c) {
			ok = ok && n.DocumentColumn(i) && n.wholeUnits(n.cols[i].Name)
		}
		if ok {
			n.DocFilter = append(n.DocFilter, c)
		} else {
			rest = append(rest, c)
		}
	}
	return rest
}

// wholeUnits reports whether choosing documents by a column leaves the units of all models whole.
func (n *Layer) wholeUnits(column string) bool {
	for _, m := range n.Models {
		if m.Schema.Unit == kind.PerCorpus || m.Schema.Unit == kind.PerGroup && m.Schema.Group != column {
			return false
		}
	}
	return true
}
