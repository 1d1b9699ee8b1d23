package bind

import (
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/plan"
)

// UsingSetting is the setting that lists the models that annotate where a statement has no USING.
const UsingSetting = "using"

// NamedModel parses the name of a model in a setting: name or name@version.
func NamedModel(pos ast.Pos, s string) ast.ModelRef {
	name, version, _ := strings.Cut(strings.TrimSpace(s), "@")
	return ast.ModelRef{Pos: pos, Name: name, Version: version}
}

// settingModels returns the models of the setting using, in order.
func (b *Binder) settingModels(at ast.Pos) ([]plan.ModelUse, error) {
	var out []plan.ModelUse
	for _, name := range b.Catalog.Session.Using {
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

// useSetting reads the setting using. Its models come first where the statement names no model; where it does (named),
// they serve only inputs that several models could write. Training does not use them. The tokens of a corpus stay as
// they are, so models that tokenise are left out for a corpus.
func (p *modelChooser) useSetting(named bool) error {
	if p.namedOnly {
		return nil
	}
	p.explicit = named
	list, err := p.b.settingModels(p.at)
	if err != nil {
		return err
	}
	if p.n.Corpus != nil {
		list = slices.DeleteFunc(list, func(m plan.ModelUse) bool { return m.Schema.CutsText() })
	}
	p.setting = list
	return nil
}

// fromSetting returns the first model of the setting, other than m, that writes a layer or column; nil for none.
func (p *modelChooser) fromSetting(m *plan.ModelUse, layer, column string) *plan.ModelUse {
	for i := range p.setting {
		if p.setting[i].String() != m.String() && p.setting[i].Writes(layer, column) {
			return &p.setting[i]
		}
	}
	return nil
}

// addTargetOfSetting chooses the models of the setting that write the layer itself, and reports whether there are any.
// Tokens, sentences and stored layers of a corpus are read as they are.
func (p *modelChooser) addTargetOfSetting() (bool, error) {
	name := p.n.Name
	if p.explicit {
		return false, nil
	}
	if p.n.Corpus != nil &&
		(name == "tokens" || name == "sentences" || p.stored[name] != nil || p.b.registered(p.n.Corpus)) {
		return false, nil
	}
	found := false
	for i := range p.setting {
		if p.setting[i].Writes(name, "") {
			found = true
			if err := p.add(&p.setting[i], name); err != nil {
				return true, err
			}
		}
	}
	return found, nil
}
