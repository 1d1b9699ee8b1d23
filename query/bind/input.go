package bind

import (
	"cmp"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// Input plans the documents that a model is trained or evaluated on: a corpus under a filter, annotated by the models
// that write the layers of reads.
//
// With self, a model under evaluation, its inputs are chosen as for a query. Without, in training, only models after
// USING and stored gold layers are used. predicted leaves stored gold layers aside.
func (b *Binder) Input(in ast.Input, using []ast.ModelRef, self *plan.ModelUse, reads []kind.LayerUse,
	predicted bool) (*plan.Layer, error) {
	p, err := b.chooserFor(in, using)
	if err != nil {
		return nil, err
	}
	p.skipGold, p.namedOnly = predicted, self == nil
	if err := p.useSetting(true); err != nil {
		return nil, err
	}
	if self == nil {
		self = &plan.ModelUse{Schema: kind.Schema{Reads: reads}}
	}
	if err := p.addInputs(self); err != nil {
		return nil, err
	}
	p.n.Models = p.chosen
	return p.n, nil
}

// Annotated plans the documents of an input with the layers that the models write.
func (b *Binder) Annotated(in ast.Input, using []ast.ModelRef) (*plan.Layer, error) {
	p, err := b.chooserFor(in, using)
	if err != nil {
		return nil, err
	}
	return p.n, p.addAll(using)
}

// AnnotatedTexts plans documents that no corpus has, with the layers that the models after USING write, or without
// these those of the setting using. given are the layers and columns that the documents have already.
func (b *Binder) AnnotatedTexts(pos ast.Pos, using []ast.ModelRef, given []StoredLayer) (*plan.Layer, error) {
	p := &modelChooser{b: b, n: &plan.Layer{}, stored: map[string]*StoredLayer{}, visiting: map[string]bool{}, at: pos,
		explicit: true}
	for i := range given {
		p.stored[given[i].Name] = &given[i]
	}
	if err := p.use(using); err != nil {
		return nil, err
	}
	if len(using) == 0 {
		var err error
		if p.using, err = b.settingModels(pos); err != nil {
			return nil, err
		}
	}
	if len(p.using) == 0 {
		return nil, plan.Errorf(pos, plan.CodeState, "USING model, … ; or ALTER DATABASE SET using = (…) for all statements",
			"no model is named, and the setting using is empty")
	}
	if p.stored[text.Tokens.Name] != nil && len(using) == 0 {
		p.using = slices.DeleteFunc(p.using, func(m plan.ModelUse) bool { return m.Schema.CutsText() })
	}
	if err := p.addAll(using); err != nil {
		return nil, err
	}
	p.n.Tokenizer = b.Catalog.Tokenizer(nil)
	if len(p.n.Models) > 0 {
		p.n.Tokenizer = b.Catalog.Tokenizer(&p.n.Models[0])
	}
	return p.n, nil
}

// addAll chooses the models that are used, those of USING if it names some, for all that they write. A layer that only
// one model defines is left out where that writes others before it.
func (p *modelChooser) addAll(using []ast.ModelRef) error {
	for i := range p.using {
		m, at := &p.using[i], p.at
		if len(using) > 0 {
			at = using[i].Pos
		}
		if len(m.Schema.Writes) == 0 {
			return plan.Errorf(at, plan.CodeWrongKind, "it has relations; DESCRIBE "+m.Name+" lists them",
				"%s, a model of kind %s, annotates no documents", m, m.Kind)
		}
		for k, w := range m.Schema.Writes {
			if k > 0 && m.Schema.Def(w.Layer) != nil {
				continue
			}
			if err := p.add(m, w.Layer); err != nil {
				return err
			}
		}
	}
	p.n.Models = p.chosen
	return nil
}

// use looks up the models after USING.
func (p *modelChooser) use(using []ast.ModelRef) error {
	for _, r := range using {
		m, err := p.b.Catalog.Model(r)
		if err != nil {
			return err
		}
		m.From = "using"
		p.using = append(p.using, *m)
	}
	return nil
}

// chooserFor returns the chooser of an input, with the models after USING.
func (b *Binder) chooserFor(in ast.Input, using []ast.ModelRef) (*modelChooser, error) {
	o, err := b.corpus(in)
	if err != nil {
		return nil, err
	}
	n := &plan.Layer{Corpus: o, Alias: in.Name}
	n.SetColumns(o)
	if in.Where != nil {
		cond, err := b.Condition(in.Where, n)
		if err != nil {
			return nil, err
		}
		n.DocFilter = expr.Conjuncts(cond)
	}
	p := &modelChooser{b: b, n: n, stored: map[string]*StoredLayer{}, visiting: map[string]bool{}, at: in.Pos}
	for _, l := range b.Catalog.layers(o) {
		p.stored[l.Name] = &l
	}
	return p, p.use(using)
}

// corpus resolves the corpus that an input names.
func (b *Binder) corpus(in ast.Input) (*catalog.Object, error) {
	o, ok := b.Catalog.Object(in.Name)
	if !ok {
		hint := cmp.Or(b.Catalog.hint(in.Name), "SHOW CORPORA lists them")
		return nil, plan.Errorf(in.Pos, plan.CodeUndefinedTable, hint, "there is no corpus %s", in.Name)
	}
	if o.Kind != catalog.CorpusObject {
		return nil, plan.Errorf(in.Pos, plan.CodeWrongKind, "SHOW CORPORA lists what documents are read from",
			"%s is a %s, not a corpus", in.Name, o.Kind)
	}
	if in.Path != "" {
		return nil, plan.Errorf(in.Pos, plan.CodeWrongKind, "write ON "+in.Name,
			"a whole corpus is wanted, not its layer %s", in.Path)
	}
	return o, nil
}

// Condition binds a condition over the columns of a node and marks them as read.
func (b *Binder) Condition(e ast.Expr, n plan.Node) (expr.Expr, error) {
	x, err := b.Over(e, n)
	if err != nil {
		return nil, err
	}
	return x, checkCondition(e, x)
}

// Over binds an expression over the columns of a node and marks them as read.
func (b *Binder) Over(e ast.Expr, n plan.Node) (expr.Expr, error) {
	return b.bind(e, &scope{cols: n.Columns(), mark: plan.ReadMarker(n)})
}

// Constant binds an expression that may read no column.
func (b *Binder) Constant(e ast.Expr) (expr.Expr, error) { return b.bind(e, &scope{}) }

// Documents plans the documents of a corpus.
func Documents(o *catalog.Object, alias string) *plan.Layer {
	n := &plan.Layer{Corpus: o, Alias: alias}
	n.SetColumns(o)
	return n
}

// Stored plans the stored rows of a layer of a corpus, never predictions.
func (b *Binder) Stored(o *catalog.Object, layer, alias string) (*plan.Layer, bool) {
	def := b.layerDef(o, layer)
	if def == nil {
		return nil, false
	}
	n := &plan.Layer{Corpus: o, Name: layer, Def: def, Alias: alias}
	n.SetColumns(o)
	return n, true
}

// TableNode plans the rows of a typed table.
func TableNode(o *catalog.Object, alias string) *plan.Table {
	n := &plan.Table{Object: o, Alias: alias, Need: make([]bool, len(o.Columns))}
	for _, c := range o.Columns {
		n.Cols = append(n.Cols, plan.Column{Table: alias, Name: c.Name, Type: c.Type})
	}
	return n
}

// Convert casts an expression to the type of the column that it is assigned to.
func Convert(x expr.Expr, t value.Type, at ast.Pos, column string) (expr.Expr, error) {
	if c, ok := expr.ConstantValue(x); ok {
		v, err := value.Cast(c, t)
		if err != nil {
			return nil, plan.Errorf(at, plan.CodeType, "", "column %s: %v", column, err)
		}
		return &expr.Const{V: v}, nil
	}
	if x.Type() == t {
		return x, nil
	}
	return &expr.Cast{X: x, T: t}, nil
}

// Supply chooses the models that write what m reads of ad-hoc text.
func (b *Binder) Supply(pos ast.Pos, m *plan.ModelUse) ([]plan.ModelUse, error) {
	n := &plan.Layer{}
	p := &modelChooser{b: b, n: n, stored: map[string]*StoredLayer{}, visiting: map[string]bool{}, at: pos}
	if err := p.useSetting(true); err != nil {
		return nil, err
	}
	err := p.addInputs(m)
	return p.chosen, err
}
