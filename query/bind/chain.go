package bind

import (
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/plan"
)

// UsingSetting is the setting that lists the models which annotate where a statement names none.
const UsingSetting = "using"

// NamedModel is a model as a setting names it: name or name@version.
func NamedModel(pos ast.Pos, s string) ast.ModelRef {
	name, version, _ := strings.Cut(strings.TrimSpace(s), "@")
	return ast.ModelRef{Pos: pos, Name: name, Version: version}
}

// chain is the models of the setting using, in order.
func (b *Binder) chain(at ast.Pos) ([]plan.ModelUse, error) {
	value := b.Catalog.Setting(UsingSetting)
	if value == "" {
		return nil, nil
	}
	var out []plan.ModelUse
	for name := range strings.SplitSeq(value, ",") {
		m, err := b.Catalog.Model(NamedModel(at, name))
		if err != nil {
			return nil, plan.Errorf(at, plan.CodeState,
				"ALTER DATABASE SET using = … names others, USING those of a statement",
				"the setting using names %s, and there is no such model", strings.TrimSpace(name))
		}
		m.From = "setting using"
		out = append(out, *m)
	}
	return out, nil
}

// standing takes the chain, that of a corpus without those that cut text, for its tokens stay as they are. It comes
// first where the statement names no model; where it does (named), the chain is taken only for what several models
// could give. Trainings read what they name alone.
func (p *provider) standing(named bool) error {
	if p.given {
		return nil
	}
	p.explicit = named
	list, err := p.b.chain(p.at)
	if err != nil {
		return err
	}
	if p.n.Corpus != nil {
		list = slices.DeleteFunc(list, func(m plan.ModelUse) bool { return m.Schema.CutsText() })
	}
	p.chain = list
	return nil
}

// fromChain returns the model of the chain that writes a layer or a column for m, or nil.
func (p *provider) fromChain(m *plan.ModelUse, layer, column string) *plan.ModelUse {
	for i := range p.chain {
		if p.chain[i].String() != m.String() && p.chain[i].Writes(layer, column) {
			return &p.chain[i]
		}
	}
	return nil
}

// targetOfChain adds the models of the chain that write the layer that is read, and tells whether there are any. Of a
// corpus tokens, sentences and what it stores are not annotated anew.
func (p *provider) targetOfChain() (bool, error) {
	name := p.n.Name
	if p.explicit {
		return false, nil
	}
	if p.n.Corpus != nil &&
		(name == "tokens" || name == "sentences" || p.stored[name] != nil || p.b.registered(p.n.Corpus)) {
		return false, nil
	}
	found := false
	for i := range p.chain {
		if p.chain[i].Writes(name, "") {
			found = true
			if err := p.add(&p.chain[i], name); err != nil {
				return true, err
			}
		}
	}
	return found, nil
}
