package bind

import (
	"errors"
	"fmt"
	"strings"

	"parlance/algo/extract"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn/textfn"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// keyword completes kwic.
func (b *functionBinder) keyword() error {
	if err := b.choice("case", Cases); err != nil {
		return err
	}
	v, given, err := b.constant("column")
	if err != nil {
		return err
	}
	column := "form"
	if given {
		column = v.S
	}
	i := text.Tokens.Index(column)
	if i < 0 || text.Tokens.Columns[i].Type != value.Text {
		var names []string
		for _, c := range text.Tokens.Columns {
			if c.Type == value.Text {
				names = append(names, c.Name)
			}
		}
		return plan.Errorf(b.at("column"), plan.CodeUndefinedColumn, "columns: "+strings.Join(names, ", "),
			"tokens have no text in a column %s", column)
	}
	b.call.Reads = []kind.LayerUse{{Layer: "tokens", Columns: []string{column}}}
	return nil
}

// expression completes extract_regex: a constant is compiled, its named groups are columns.
func (b *functionBinder) expression() error {
	b.call.Reads = []kind.LayerUse{{Layer: "tokens", Columns: []string{}}}
	pattern, ok := expr.ConstantValue(b.call.Args[0])
	flags, ok2 := expr.ConstantValue(b.call.Args[2])
	if !ok || !ok2 || pattern.IsNull() {
		return nil
	}
	re, err := Expression(pattern.S, flags.S)
	if err != nil {
		if _, valid := Expression("", flags.S); valid != nil {
			return at(b.at("flags"), valid)
		}
		return at(b.at("pattern"), err)
	}
	var names []string
	for _, name := range re.SubexpNames() {
		if name != "" {
			names = append(names, name)
		}
	}
	return b.groups(names)
}

// Expression compiles a regular expression with flags.
func Expression(pattern, flags string) (*textfn.Pattern, error) {
	if i := strings.IndexFunc(flags, func(r rune) bool { return !strings.ContainsRune("imsU", r) }); i >= 0 {
		return nil, plan.Errorf(ast.Pos{}, plan.CodeInvalid, "flags: i, m, s, U", "there is no flag %s", flags[i:i+1])
	}
	if flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	re, err := textfn.Regexp(pattern)
	if err != nil {
		return nil, patternError(ast.Pos{}, err)
	}
	return re, nil
}

// groups adds the columns of named groups.
func (b *functionBinder) groups(names []string) error {
	def := b.n.Def
	def.Columns = append([]text.Column{}, def.Columns...)
	for _, name := range names {
		for _, own := range []string{name, name + "_start", name + "_end"} {
			if own == "doc" || def.Index(own) >= 0 {
				return plan.Errorf(b.at("pattern"), plan.CodeInvalid, "give the group another name",
					"the group %s would make a second column %s", name, own)
			}
		}
		def.Columns = append(def.Columns,
			text.Column{Name: name, Type: value.Text, Doc: "text of the group, NULL where it took no part"},
			text.Column{Name: name + "_start", Type: value.Integer, Role: text.Offset,
				Doc: "first code point of the group, 0-based"},
			text.Column{Name: name + "_end", Type: value.Integer, Role: text.Offset, Doc: "code point after its last"})
	}
	b.call.Groups = names
	return nil
}

// pattern completes extract_pattern: what the pattern names decides what is annotated.
func (b *functionBinder) pattern() error {
	if err := b.choice("consolidate", extract.Policies); err != nil {
		return err
	}
	v, given, err := b.constant("pattern")
	if err != nil {
		return err
	}
	if !given {
		return plan.Errorf(b.at("pattern"), plan.CodeInvalid, "", "the pattern is NULL")
	}
	p, err := extract.Compile(v.S)
	var fault *extract.SyntaxError
	if errors.As(err, &fault) {
		return plan.Errorf(b.at("pattern"), ast.CodeSyntax, fault.Hint, "%v", err)
	}
	if err != nil {
		return err
	}
	for _, l := range p.Layers() {
		if err := b.spans("pattern", l.Name, fmt.Sprintf("pattern, character %d: ", l.At)); err != nil {
			return err
		}
	}
	b.call.Pattern, b.call.Reads = p, p.Reads()
	return b.groups(p.Groups())
}

// paths completes paths.
func (b *functionBinder) paths() error {
	b.call.Reads = []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}, {Layer: "dependencies"}}
	v, given, err := b.constant("layer")
	if err != nil || !given {
		return err
	}
	b.call.Reads = append(b.call.Reads, kind.LayerUse{Layer: v.S})
	return b.spans("layer", v.S, "")
}

// spans checks that a layer that an argument names has spans of tokens; where begins the error.
func (b *functionBinder) spans(arg, layer, where string) error {
	def := b.Catalog.LayerDef(layer)
	if b.n.Corpus != nil {
		def = b.layerDef(b.n.Corpus, layer)
	}
	if def == nil {
		return plan.Errorf(b.at(arg), plan.CodeUndefinedTable,
			strings.TrimPrefix(option.DidYouMean(layer, layerNames()), "; "), "%sthere is no layer %s", where, layer)
	}
	if def.Index("sent") < 0 || def.Index("tok_start") < 0 || def.Index("tok_end") < 0 {
		return plan.Errorf(b.at(arg), plan.CodeWrongKind, "such as entities, chunks, mentions",
			"%sthe rows of %s are no spans of tokens", where, layer)
	}
	return nil
}

// dictionary completes extract_dictionary.
func (b *functionBinder) dictionary() error {
	if err := b.choice("consolidate", extract.Policies); err != nil {
		return err
	}
	if err := b.choice("case", Cases); err != nil {
		return err
	}
	b.call.Reads = []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}}
	v, given, err := b.constant("dictionary")
	if err != nil || !given {
		return err
	}
	name, rel, relation := strings.Cut(v.S, ".")
	ref := ast.ModelRef{Pos: b.at("dictionary"), Name: name}
	ref.Name, ref.Version, _ = strings.Cut(name, "@")
	o, ok := b.Catalog.Object(ref.Name)
	switch {
	case !ok:
		return plan.Errorf(ref.Pos, plan.CodeUndefinedTable, b.Catalog.hint(ref.Name),
			"there is no gazetteer, lexicon or model %s", ref.Name)
	case o.Kind == catalog.ModelObject && relation:
		return b.relationPhrases(ref, rel, v.S)
	case o.Kind == catalog.ModelObject:
		return plan.Errorf(ref.Pos, plan.CodeWrongKind, "name one of its relations: "+ref.Name+".relation",
			"%s is a model", ref.Name)
	case o.Kind != catalog.GazetteerObject && o.Kind != catalog.LexiconObject || relation:
		return plan.Errorf(ref.Pos, plan.CodeWrongKind, "CREATE GAZETTEER or CREATE LEXICON makes one",
			"%s is a %s, not a gazetteer or a lexicon", v.S, o.Kind)
	}
	b.call.Phrases = &plan.Phrases{Object: o, Name: v.S}
	return nil
}

// relationPhrases takes the phrases from a relation without arguments.
func (b *functionBinder) relationPhrases(ref ast.ModelRef, rel, name string) error {
	m, err := b.Catalog.Model(ref)
	if err != nil {
		return err
	}
	for _, r := range b.Catalog.Relations(m) {
		if r.Name != rel {
			continue
		}
		for _, a := range r.Args {
			if !a.Optional {
				return plan.Errorf(ref.Pos, plan.CodeWrongKind, "CREATE GAZETTEER … AS SELECT keeps its rows",
					"%s takes arguments and is no dictionary", name)
			}
		}
		if len(r.Columns) == 0 || r.Columns[0].Type != value.Text {
			return plan.Errorf(ref.Pos, plan.CodeType, "", "the first column of %s is no text", name)
		}
		b.call.Phrases = &plan.Phrases{Model: m, Rel: rel, Name: name}
		return nil
	}
	return plan.Errorf(ref.Pos, plan.CodeUndefinedTable, "DESCRIBE "+ref.Name+" lists its relations",
		"model %s has no relation %s", ref.Name, rel)
}

// RelationNode plans a relation of a model whose arguments are left out.
func RelationNode(m *plan.ModelUse, r kind.Relation) *plan.Relation {
	n := &plan.Relation{Name: m.String() + "." + r.Name, Model: m, Rel: r.Name}
	for range r.Args {
		n.Args = append(n.Args, &expr.Const{})
	}
	for _, c := range r.Columns {
		n.Cols = append(n.Cols, plan.Column{Name: c.Name, Type: c.Type})
	}
	return n
}

// inputs chooses the models that write what the function reads, and what documents can be
// left out before they annotate.
func (b *functionBinder) inputs() error {
	n := b.n
	p := &modelChooser{b: b.Binder, n: n, stored: map[string]*StoredLayer{}, visiting: map[string]bool{},
		at: b.t.Ref.Pos}
	if n.Corpus != nil {
		for _, l := range b.Catalog.layers(n.Corpus) {
			p.stored[l.Name] = &l
		}
	}
	for _, r := range b.t.Using {
		m, err := b.Catalog.Model(r)
		if err != nil {
			return err
		}
		m.From = "using"
		p.using = append(p.using, *m)
	}
	if err := p.inputOptions(b.t.With); err != nil {
		return err
	}
	if err := p.useSetting(len(b.t.Using) > 0); err != nil {
		return err
	}
	if n.Corpus == nil || !b.registered(n.Corpus) {
		for _, r := range b.call.Reads {
			if err := p.read(n.Name, r); err != nil {
				return err
			}
		}
	}
	n.Models = p.chosen
	if err := b.allUsed(p); err != nil {
		return err
	}
	n.Tokenizer = b.Catalog.Tokenizer(nil)
	if len(n.Models) == 0 {
		return nil
	}
	n.Tokenizer = b.Catalog.Tokenizer(&n.Models[0])
	if b.call.Pattern != nil && n.WholeUnits("") {
		b.call.Likely = b.call.Pattern.Relax(n.Predicts)
	}
	return nil
}

// read supplies one layer that a function reads. A stored layer may be a prediction, too,
// since it is named.
func (p *modelChooser) read(function string, r kind.LayerUse) error {
	self := &plan.ModelUse{Name: function}
	cols := r.Columns
	if r.Layer != "tokens" {
		cols = []string{""}
	}
	for _, c := range cols {
		if p.written(r.Layer, c) == nil && c == "" && p.stored[r.Layer] != nil && !p.skipGold {
			continue
		}
		if err := p.supply(self, r.Layer, c); err != nil {
			return err
		}
	}
	return nil
}

// written returns the model after USING that writes a layer column, or nil.
func (p *modelChooser) written(layer, column string) *plan.ModelUse {
	for i := range p.using {
		if p.using[i].Writes(layer, column) {
			return &p.using[i]
		}
	}
	return nil
}

// allUsed refuses models and options that nothing would take.
func (b *functionBinder) allUsed(p *modelChooser) error {
	used := map[string]bool{}
	for _, m := range p.chosen {
		used[m.String()] = true
	}
	for i, m := range p.using {
		if !used[m.String()] {
			return plan.Errorf(b.t.Using[i].Pos, plan.CodeWrongKind, "", "model %s writes nothing that %s reads",
				m.Name, b.n.Name)
		}
	}
	if len(p.chosen) == 0 && len(b.t.With) > 0 {
		return plan.Errorf(b.t.With[0].Pos, plan.CodeInvalid, "arguments stand in the parentheses, as in "+
			b.call.Function.Signature(), "option %s is for a model, and no model annotates here", b.t.With[0].Name)
	}
	return nil
}
