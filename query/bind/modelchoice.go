package bind

import (
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/catalog"
)

// modelChooser chooses the models that annotate the documents of a layer: those that write the layer, and before them
// those that write what they read, and so on.
type modelChooser struct {
	b         *Binder
	n         *plan.Layer
	using     []plan.ModelUse         // models that the statement names after USING
	setting   []plan.ModelUse         // models of the setting using
	explicit  bool                    // the statement names models
	stored    map[string]*StoredLayer // layers that the corpus stores, by name
	skipGold  bool                    // inputs = 'predicted': stored gold layers are not used
	namedOnly bool                    // only models after USING and stored layers are used, as in training
	chosen    []plan.ModelUse         // the result, in the order in which the models annotate
	visiting  map[string]bool         // models whose inputs are being chosen, to find circles
	at        ast.Pos
}

// pipeline chooses the models that annotate a layer of FROM. What a model reads comes from (1) a model after USING that
// writes it, (2) the corpus, where it is stored as gold, (3) the models whose output the model was trained on, in the
// recorded versions. Without USING, a layer that is not stored comes from the only model that writes it.
func (b *Binder) pipeline(n *plan.Layer, t *ast.Table) error {
	p := &modelChooser{b: b, n: n, stored: map[string]*StoredLayer{}, visiting: map[string]bool{}, at: t.Ref.Pos}
	if n.Corpus != nil {
		for _, l := range b.Catalog.layers(n.Corpus) {
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
	if err := p.useSetting(len(t.Using) > 0); err != nil {
		return err
	}
	if err := p.addTarget(t); err != nil {
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

// inputOptions reads the option inputs of WITH.
func (p *modelChooser) inputOptions(with []ast.Option) error {
	for _, o := range with {
		if o.Name != "inputs" {
			continue
		}
		switch v := strings.Trim(o.Value.String(), "'"); v {
		case "predicted":
			p.skipGold = true
		case "gold":
		default:
			return plan.Errorf(o.Pos, plan.CodeInvalid, "inputs = 'gold' or 'predicted'",
				"option inputs: %s is neither gold nor "+
					"predicted", v)
		}
	}
	return nil
}

// addTarget chooses the models that write the layer itself.
func (p *modelChooser) addTarget(t *ast.Table) error {
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
	if found, err := p.addTargetOfSetting(); found || err != nil {
		return err
	}
	if p.n.Name == "tokens" || p.n.Name == "sentences" || p.stored[p.n.Name] != nil {
		return nil
	}
	m, err := p.soleWriter(p.n.Name, "")
	if err != nil {
		return err
	}
	if m == nil {
		if p.n.Corpus == nil {
			hint := "TRAIN a model that writes it, or name one: USING model"
			if len(p.setting) > 0 {
				hint += "; the setting using names " + strings.Join(p.b.Catalog.Session.Using, ", ")
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

// registered reports whether a corpus stores no layer, which is so while it has no documents.
func (b *Binder) registered(o *catalog.Object) bool { return len(b.Catalog.layers(o)) == 0 }

// soleWriter returns the only model that writes a layer, or of several the one that the setting default_model names;
// nil if none writes it.
func (p *modelChooser) soleWriter(layer, column string) (*plan.ModelUse, error) {
	ws := p.b.Catalog.writers(layer, column)
	if len(ws) <= 1 {
		if len(ws) == 1 {
			return &ws[0], nil
		}
		return nil, nil
	}
	def := p.b.Catalog.Session.DefaultModel
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

// add appends m, of whose output a layer is read, after the models that write what m reads.
func (p *modelChooser) add(m *plan.ModelUse, layer string) error {
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
	if p.visiting[key] {
		return plan.Errorf(p.at, plan.CodeState, "", "models read each other's layers: %s", key)
	}
	p.visiting[key] = true
	if err := p.addInputs(m); err != nil {
		return err
	}
	chosen := *m
	chosen.Wanted = []string{layer}
	p.chosen = append(p.chosen, chosen)
	return nil
}

// addInputs appends the models that write what m reads, first the one that tokenises.
func (p *modelChooser) addInputs(m *plan.ModelUse) error {
	if err := p.addTokenizer(m); err != nil {
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
				offered, err = p.optionalAvailable(m, r.Layer, c)
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

// optionalAvailable reports whether an optional input of m is to be had: from a model after USING, from the corpus,
// from the setting using, or from a model that m was trained with.
func (p *modelChooser) optionalAvailable(m *plan.ModelUse, layer, column string) (bool, error) {
	supplies := func(x plan.ModelUse) bool { return x.String() != m.String() && x.Writes(layer, column) }
	if slices.ContainsFunc(p.using, supplies) || p.storesInput(layer, column) ||
		slices.ContainsFunc(p.setting, supplies) {
		return true, nil
	}
	if p.namedOnly {
		return false, nil
	}
	up, err := p.b.Catalog.upstream(m)
	return slices.ContainsFunc(up, supplies), err
}

// storesInput reports whether the corpus stores a layer or column in a form that models may read.
func (p *modelChooser) storesInput(layer, column string) bool {
	s := p.stored[layer]
	return s != nil && (s.Model == "" && !p.skipGold && (column == "" || s.Columns[column]) || p.readByName(s))
}

// addTokenizer appends the model that tokenises for m: one after USING, or for text without tokens the one that m was
// trained with. If there is none, the tokens are those of the corpus or of the built-in tokeniser.
func (p *modelChooser) addTokenizer(m *plan.ModelUse) error {
	if m.Schema.CutsText() {
		return nil
	}
	list := p.using
	if !p.explicit && !p.namedOnly {
		list = p.setting
	}
	if !slices.ContainsFunc(list, func(u plan.ModelUse) bool { return u.Schema.CutsText() }) && p.n.Corpus == nil &&
		m.Version > 0 && p.stored[text.Tokens.Name] == nil {
		up, err := p.b.Catalog.upstream(m)
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

// readByName reports whether a stored layer is a prediction under a name of its own, so that whoever reads it means it.
func (p *modelChooser) readByName(s *StoredLayer) bool {
	return s.Model != "" && p.b.Catalog.LayerDef(s.Name) == nil
}

// supply appends the model that writes a layer or column that m reads, if the corpus does not store it.
func (p *modelChooser) supply(m *plan.ModelUse, layer, column string) error {
	if layer == "sentences" || layer == "tokens" && (column == "" || column == "form") {
		return nil
	}
	for i := range p.using {
		if p.using[i].String() != m.String() && p.using[i].Writes(layer, column) {
			return p.add(&p.using[i], layer)
		}
	}
	if p.storesInput(layer, column) {
		return nil
	}
	what := layer
	if column != "" {
		what = layer + "." + column
	}
	if p.namedOnly {
		return plan.Errorf(p.at, plan.CodeState, "load it, or name a model that writes it with USING",
			"training reads %s, which "+
				"corpus %s does not store", what, p.n.Corpus.Name)
	}
	if c := p.fromSetting(m, layer, column); c != nil && !p.explicit {
		return p.add(c, layer)
	}
	up, err := p.b.Catalog.upstream(m)
	if err != nil {
		return err
	}
	for i := range up {
		if up[i].Writes(layer, column) {
			up[i].From = "upstream"
			return p.add(&up[i], layer)
		}
	}
	if c := p.fromSetting(m, layer, column); c != nil {
		return p.add(c, layer)
	}
	w, err := p.soleWriter(layer, column)
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
