package change

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/models"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/documents"
)

// annotateOptions are the options of ANNOTATE; others are those of its models.
type annotateOptions struct {
	nbest  int
	prob   bool
	layers []string
	inputs string
	Set    option.Set
	model  []option.Arg // of the models
}

func NewAnnotateOptions() *annotateOptions {
	o := &annotateOptions{}
	o.Set.Int(&o.nbest, "nbest", 1, 1, 1000, "best outputs that are stored; above 1 with rank and prob")
	o.Set.Bool(&o.prob, "prob", false, "whether prob is stored")
	o.Set.List(&o.layers, "layers", nil, "layers of the models that are stored; empty: all that they write")
	o.Set.Choice(&o.inputs, "inputs", "gold", []string{"gold", "predicted"},
		"whether layers that a model reads are taken as stored or as predicted by its upstream")
	return o
}

func parseAnnotateOptions(r *exec.Execution, s *ast.Annotate) (*annotateOptions, error) {
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return nil, err
	}
	o := NewAnnotateOptions()
	own := make([]option.Arg, 0, len(args))
	for _, a := range args {
		if o.Set.Lookup(a.Name) != nil {
			own = append(own, a)
		} else {
			o.model = append(o.model, a)
		}
	}
	if err := o.Set.Apply(own); err != nil {
		return nil, optarg.AtOption(err, s.With)
	}
	for _, name := range o.layers {
		writes := func(ref ast.ModelRef) bool {
			m, err := r.Model(ref)
			return err != nil || slices.ContainsFunc(m.Schema.Writes,
				func(w kind.LayerUse) bool { return w.Layer == name })
		}
		if !slices.ContainsFunc(s.Using, writes) {
			return nil, plan.Errorf(optarg.Position(s.With, "layers", s.Pos), plan.CodeInvalid, "",
				"none of the models writes %s", name)
		}
	}
	return o, nil
}

// request is what a model is asked for; layers are those that are stored.
func (o *annotateOptions) request(layers []string) models.Request {
	var others []string
	for _, d := range o.Set.Decls() {
		others = append(others, d.Name)
	}
	return models.Request{Options: o.model, Others: others, Layers: layers, Prob: o.prob || o.nbest > 1, Nbest: o.nbest}
}

// ranked refuses the option for n-best outputs with a model that gives only the best one of every layer.
func (o *annotateOptions) ranked(s *ast.Annotate, m *plan.ModelUse, layers []string) error {
	if o.nbest == 1 || slices.ContainsFunc(layers, func(name string) bool {
		return slices.Contains(m.Schema.Ranked,
			name)
	}) {
		return nil
	}
	return plan.Errorf(optarg.Position(s.With, "nbest", s.Pos), plan.CodeFeature, "leave nbest out",
		"%s, a model of kind %s, gives the best %s only, not the n best", m, m.Kind, strings.Join(layers, ", "))
}

// namedLayer is a layer that a model writes and the name under which ANNOTATE stores it.
type namedLayer struct {
	def  *text.LayerDef
	name string
}

// layersToStore are the layers that a model writes as a whole. The first is stored under the name of the model, the
// others under that name followed by their own.
func layersToStore(r *exec.Execution, m *plan.ModelUse, only []string) (out []namedLayer) {
	first := true
	for _, w := range m.Schema.Writes {
		if w.Layer == text.Tokens.Name {
			continue
		}
		name := m.Name
		if !first {
			name += "_" + w.Layer
		}
		first = false
		def := m.Schema.Def(w.Layer)
		if def == nil {
			def = r.LayerDef(w.Layer)
		}
		if len(only) == 0 || slices.Contains(only, w.Layer) {
			out = append(out, namedLayer{def, name})
		}
	}
	return out
}

// checkNames returns an error if a layer to be stored has the name of one that another model has predicted.
func (a *annotation) checkNames(stored []documents.LayerInfo) error {
	for _, l := range stored {
		by, _, _ := strings.Cut(l.Model, "@")
		for i := range a.layers {
			if l.Model != "" && l.Name == a.layers[i].name && by != a.use.Name {
				return plan.Errorf(a.s.Pos, "42710", "RENAME one of the models",
					"%s.%s holds what %s predicts, and would hold the %s of %s", a.s.Corpus, l.Name, l.Model,
					a.layers[i].def.Name, a.use.Name)
			}
		}
	}
	return nil
}

// staleLayers are the stored layers of the model that this run does not predict again.
func (a *annotation) staleLayers(stored []documents.LayerInfo) (names []string) {
	for _, l := range stored {
		by, _, _ := strings.Cut(l.Model, "@")
		if by == a.use.Name && !slices.ContainsFunc(a.layers, func(x namedLayer) bool { return x.name == l.Name }) {
			names = append(names, l.Name)
		}
	}
	return names
}

// unstored gives a notice of the columns of tokens that a model predicts and that are not stored.
func unstored(r *exec.Execution, m *plan.ModelUse) {
	for _, w := range m.Schema.Writes {
		if w.Layer == text.Tokens.Name && !w.CutsText() {
			r.Session.Notice(fmt.Sprintf("%s: its %s of tokens are not stored beside gold", m, strings.Join(w.Columns,
				", ")))
		}
	}
}
