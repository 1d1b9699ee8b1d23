package engine

import (
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/learn"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/query/score"
	"parlance/storage/format"
	"parlance/storage/value"
)

// declaredOptions are options of a statement and their declarations.
type declaredOptions struct {
	list []ast.Option
	sets []*option.Set
}

// note records the types of parameters among the values.
func (d declaredOptions) note(types *bind.Parameters) {
	for _, o := range d.list {
		for _, s := range d.sets {
			if decl := s.Lookup(o.Name); decl != nil {
				noteOption(types, o.Value, bind.Parameter{Type: optionType(decl)})
				break
			}
		}
	}
}

func noteOption(types *bind.Parameters, v ast.OptionValue, as bind.Parameter) {
	switch v := v.(type) {
	case *ast.Param:
		types.Note(v.Index, as)
	case *ast.TupleValue:
		for _, x := range v.Items {
			noteOption(types, x, as)
		}
	case *ast.RangeValue:
		for _, x := range v.Items {
			noteOption(types, x, as)
		}
	}
}

// optionType is the type of the values of an option.
func optionType(d *option.Decl) value.Type {
	switch d.Type {
	case "integer":
		return value.Integer
	case "float":
		return value.Float
	case "boolean":
		return value.Boolean
	}
	return value.Text
}

// optionsOf returns the options of a statement with their declarations.
func (r *execution) optionsOf(stmt ast.Statement) []declaredOptions {
	one := func(list []ast.Option, sets ...*option.Set) []declaredOptions {
		return []declaredOptions{{list, sets}}
	}
	switch s := stmt.(type) {
	case *ast.Train:
		return one(s.With, r.kindOptions(s.Kind)...)
	case *ast.Tune:
		return one(slices.Concat(s.With, s.Over), r.kindOptions(s.Kind)...)
	case *ast.Annotate:
		return one(s.With, append(r.usedOptions(s.Using), &change.NewAnnotateOptions().Set)...)
	case *ast.AnnotateFiles:
		return append(one(s.With, append(formatOptions(s.Format), &change.NewLoadOptions().Set)...),
			one(s.Options, formatOptions(s.As)...)...)
	case *ast.Evaluate:
		return append(r.scoredOptions(s), one(s.With, &score.NewEvaluateOptions().Set)...)
	case *ast.DiffModels:
		return one(s.With, &score.NewDiffOptions().Set)
	case *ast.Check:
		_, set := relation.NewCheckOptions()
		return one(s.With, set)
	case *ast.Create:
		return one(s.With, change.ObjectOptions(change.ObjectKind(s.Object)))
	case *ast.CreateIndex:
		return one(s.With, change.IndexOptions(&change.FulltextOptions{}))
	case *ast.Load:
		return one(s.With, append(formatOptions(s.Format), &change.NewLoadOptions().Set)...)
	case *ast.LoadModel:
		if set := change.ForeignOptions(r.Execution, s.Format); set != nil {
			return one(s.With, set)
		}
	case *ast.CopyFrom:
		return one(s.With, append(formatOptions(s.Format), &change.NewLoadOptions().Set)...)
	case *ast.CopyTo:
		return one(s.With, formatOptions(s.Format)...)
	case *ast.Set:
		name := r.ses.Settings.Canonical(s.Name)
		return one([]ast.Option{{Name: name, Value: s.Value}}, &r.ses.Settings.Set)
	case *ast.AlterSystem:
		return one([]ast.Option{{Name: s.Name, Value: s.Value}}, &r.engine.SystemSettings.Load().Set, &r.ses.Settings.Set)
	}
	return nil
}

// kindOptions are the options of trainings of a kind.
func (r *execution) kindOptions(name string) []*option.Set {
	i := slices.IndexFunc(r.Kinds, func(k kind.Kind) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	k, own := &r.Kinds[i], &option.Set{}
	k.New().Options(own)
	return []*option.Set{own, &learn.NewTrainOptions(k).Set}
}

// usedOptions are those of the kinds of models.
func (r *execution) usedOptions(using []ast.ModelRef) (out []*option.Set) {
	for _, ref := range using {
		if use, err := r.Model(ref); err == nil {
			out = append(out, r.kindOptions(use.Kind)...)
		}
	}
	return out
}

// scoredOptions are the options after the models of EVALUATE.
func (r *execution) scoredOptions(s *ast.Evaluate) (out []declaredOptions) {
	for _, m := range s.Models {
		if use, err := r.Model(m.ModelRef); err == nil && len(m.With) > 0 {
			out = append(out, declaredOptions{m.With, r.kindOptions(use.Kind)})
		}
	}
	return out
}

func formatOptions(name string) []*option.Set {
	if name == "" {
		name = change.ClientFormat
	}
	if f, ok := format.Lookup(name); ok {
		return []*option.Set{f.Options()}
	}
	return nil
}

// withNodeOptions returns a copy of the parameter types of a plan with those of the options after its tables.
func (r *execution) withNodeOptions(types bind.Parameters, n plan.Node) bind.Parameters {
	var add func(n plan.Node, types *bind.Parameters)
	add = func(n plan.Node, types *bind.Parameters) {
		for _, o := range r.nodeOptions(n) {
			o.note(types)
		}
		for _, in := range n.Inputs() {
			add(in, types)
		}
	}
	out := slices.Clone(types)
	add(n, &out)
	return out
}

// nodeOptions are the options after a table.
func (r *execution) nodeOptions(n plan.Node) []declaredOptions {
	switch n := n.(type) {
	case *plan.Layer:
		if k := len(n.Models); k > 0 && len(n.Options) > 0 {
			best := &option.Set{}
			var nbest int
			best.Int(&nbest, "nbest", 1, 1, learn.MaxCandidate, "")
			return []declaredOptions{{n.Options, append(r.kindOptions(n.Models[k-1].Kind), best)}}
		}
	case *plan.Relation:
		switch {
		case len(n.Options) == 0:
		case n.Model != nil:
			return []declaredOptions{{n.Options, r.kindOptions(n.Model.Kind)}}
		case n.Corpus != nil:
			return []declaredOptions{{n.Options, relation.CorpusFunctionOptions(n.Rel)}}
		default:
			return []declaredOptions{{n.Options, []*option.Set{&relation.NewFeatureOptions().Set}}}
		}
	case *plan.Evaluate:
		return r.optionsOf(n.Stmt)
	}
	return nil
}
