package learn

import (
	"errors"
	"slices"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// trainOptions are the options that TRAIN has for every kind.
type trainOptions struct {
	seed      int
	init      string
	inputs    string
	jackknife int
	Set       option.Set
}

// NewTrainOptions declares the options for a kind, or all of them for nil. Kinds that learn from tables lack the
// options about layers of documents.
func NewTrainOptions(k *kind.Kind) *trainOptions {
	t := &trainOptions{}
	t.Set.Int(&t.seed, "seed", 1, 0, 1<<53, "seed of everything random")
	if k == nil || k.Starts {
		t.Set.Model(&t.init, "init", "", "model of the same kind to start from")
	}
	if k != nil && learnsTables(k) {
		return t
	}
	t.Set.Choice(&t.inputs, "inputs", "gold", []string{"gold", "predicted"}, "whether layers that USING models write "+
		"are taken as stored or as predicted")
	t.Set.Int(&t.jackknife, "jackknife", 0, 0, maxFolds, "folds of ON: documents are annotated by the models of USING, "+
		"and by those that options name, as trained again, with their options, on the other folds; 0: by the models as "+
		"they are")
	t.Set.Check("jackknife", func() error {
		if t.jackknife == 1 {
			return errors.New("one fold leaves nothing to train on: 0, or 2 and more")
		}
		return nil
	})
	return t
}

// learnsTables reports whether a kind with default options learns from tables.
func learnsTables(k *kind.Kind) bool {
	m := k.New()
	m.Options(&option.Set{})
	return len(m.Schema().Tables) > 0
}

// options applies the options of TRAIN in WITH, and returns those of the kind.
func (t *training) options() ([]option.Arg, error) {
	args, err := optarg.Args(t.stmt.With, t.r.Env)
	if err != nil {
		return nil, err
	}
	e := NewTrainOptions(t.kind)
	if i := e.Set.Lookup("init"); i == nil && exec.Given(args, "init") {
		return nil, plan.Errorf(t.optionPlace("init"), plan.CodeFeature, "leave init out", "%s cannot start from another "+
			"model", t.kind.Name)
	}
	var common, own []option.Arg
	for _, a := range args {
		if e.Set.Lookup(a.Name) != nil {
			common = append(common, a)
		} else {
			own = append(own, a)
		}
	}
	if err := e.Set.Apply(common); err != nil {
		return nil, optarg.AtOption(err, t.stmt.With)
	}
	t.engine = *e
	return own, nil
}

// configure makes the model with its options. A layer that is not given is chosen if only one is possible.
func (t *training) configure(args []option.Arg) error {
	probe := &option.Set{}
	t.kind.New().Options(probe)
	for i, a := range args {
		d := probe.Lookup(a.Name)
		if d == nil || a.Ref == nil {
			continue
		}
		switch d.Type {
		case "features":
			x, err := t.features(a, d.Names)
			if err != nil {
				return optarg.AtOption(err, t.stmt.With)
			}
			args[i] = x
		case "model":
			if _, err := t.r.Resolve(ast.ModelRef{Pos: t.stmt.Pos, Name: a.Ref.Name, Version: a.Ref.Version}); err != nil {
				return err
			}
		}
	}
	if d := probe.Lookup("layer"); d != nil && d.Type == "layer" && !exec.Given(args, "layer") {
		layer, err := t.onlyLayer(args)
		if err != nil {
			return err
		}
		if layer != "" {
			args = append(args, option.Arg{Name: "layer", Value: value.Str(layer)})
		}
	}
	t.model, t.set = t.kind.New(), &option.Set{}
	t.model.Options(t.set)
	if err := t.set.Apply(args); err != nil {
		return optarg.AtOption(err, t.stmt.With)
	}
	return nil
}

// features replaces the name of a feature set by its templates. Names in own are sets of the kind, and stay.
func (t *training) features(a option.Arg, own []string) (option.Arg, error) {
	if o, ok := t.r.Snapshot.Object(a.Ref.Name); ok && o.Kind == catalog.FeaturesObject {
		a.Value, a.Ref = value.Str(o.Source), nil
		return a, nil
	}
	_, ofTokens := feature.Builtin(a.Ref.Name)
	_, ofPlaces := place.Builtin(a.Ref.Name)
	if ofTokens || ofPlaces || slices.Contains(own, a.Ref.Name) {
		a.Value, a.Ref = value.Str(a.Ref.Name), nil
		return a, nil
	}
	names := append(slices.Clone(own), relation.FeatureSets(t.r)...)
	return a, option.Faults{{Name: a.Name, Pos: a.Pos, Msg: "there is no feature set " + a.Ref.Name +
		option.DidYouMean(a.Ref.Name, names), Hint: "sets: " + strings.Join(names, ", ")}}
}

// optionPlace is the position of an option of the statement, or of the statement if it lacks the option.
func (t *training) optionPlace(name string) ast.Pos {
	return optarg.Position(t.stmt.With, name, t.stmt.Pos)
}
