package relation

import (
	"context"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// placeFunction is features(corpus, doc, places), the features of a set over places of a document.
var placeFunction = corpusFunction{
	bind.CorpusFunction{Name: "features",
		Doc: "what a feature set over places makes of places of a document, by the layers that are stored",
		Args: []kind.Arg{{Name: "document", Type: value.Text, Doc: "its id"},
			{Name: "places", Type: value.Text,
				Doc: "the places of the set: p = 1.2 is token 2 of sentence 1, 1.2-4 a span, 1.3 the node 3 of " +
					"sentence 1, 4 the mention 4"}},
		Columns: exec.Columns("template value")},
	func() *option.Set { return &NewPlaceOptions().Set },
	func(r *exec.Execution, n *plan.Relation, args []value.Value) (operator.Operator, error) {
		return placeFeatures(r, n, args)
	},
}

// placeOptions are the options of features(corpus, …).
type placeOptions struct {
	sets string
	Set  option.Set
}

func NewPlaceOptions() *placeOptions {
	o := &placeOptions{}
	o.Set.Features(&o.sets, "set", "role_pairs", "feature set over places, or templates")
	return o
}

// featureNotation is the notation of the feature set of that name, stored or built in, else the text itself.
func featureNotation(r *exec.Execution, name string) string {
	if o, ok := r.Snapshot.Object(name); ok && o.Kind == catalog.FeaturesObject {
		return o.Source
	}
	if s, ok := place.Builtin(name); ok {
		return s
	}
	return name
}

// SetResources checks the notation of a feature set of any kind and lists the resources that it names.
func SetResources(notation string) ([]kind.Resource, error) {
	if place.Is(notation) {
		s, err := place.Parse(notation)
		if err != nil {
			return nil, err
		}
		return s.Resources(), nil
	}
	s, err := feature.Parse(notation)
	if err != nil {
		return nil, err
	}
	return s.Resources(), nil
}

// placeFeatures opens features(corpus, document, places).
func placeFeatures(r *exec.Execution, n *plan.Relation, values []value.Value) (operator.Operator, error) {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	o := NewPlaceOptions()
	if err := o.Set.Apply(args); err != nil {
		return nil, optarg.AtOption(err, n.Options)
	}
	set, err := placeSet(r, o.sets)
	if err != nil {
		return nil, fault.At(optarg.Position(n.Options, "set", ast.Pos{}), err)
	}
	if values[0].IsNull() || values[1].IsNull() {
		return operator.NewRows(n.Columns(), nil), nil
	}
	return &lazyRows{columns: n.Columns(), rows: func(ctx context.Context) ([][]value.Value, error) {
		d, err := documentOf(r, ctx, n.Corpus, values[0].S, set)
		if err != nil {
			return nil, fault.At(n.Pos, err)
		}
		templates, texts, err := atPlaces(r, set, d, values[1].S)
		if err != nil {
			return nil, fault.At(n.Pos, err)
		}
		var rows [][]value.Value
		for i := range templates {
			rows = append(rows, []value.Value{value.Str(templates[i]), value.Str(texts[i])})
		}
		return rows, nil
	}}, nil
}

// placeSet compiles a feature set over places.
func placeSet(r *exec.Execution, name string) (*place.Set, error) {
	notation := featureNotation(r, name)
	if !place.Is(notation) {
		var names []string
		for _, b := range place.Builtins() {
			names = append(names, b.Name)
		}
		for _, o := range r.Snapshot.Objects(catalog.FeaturesObject) {
			if place.Is(o.Source) {
				names = append(names, o.Name)
			}
		}
		e := fault.Invalid("%s is no feature set over places%s", name, option.DidYouMean(name, names)).(*ast.Error)
		e.Hint = "sets: " + strings.Join(names, ", ") + "; templates begin over (p token, a token)"
		return nil, e
	}
	set, err := place.Parse(notation)
	if err != nil {
		return nil, fault.Invalid("set: %v", err)
	}
	return set, nil
}

// documentOf reads a document with the layers of a set.
func documentOf(r *exec.Execution, ctx context.Context, corpus *catalog.Object, id string, set *place.Set,
) (*text.Document, error) {
	seq, ok, err := r.Snapshot.Find(corpus, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New("02000", "%s has no document %s", corpus.Name, id)
	}
	want := documents.Want{IDs: true, Text: true, Layers: []documents.LayerWant{{Name: "sentences"}, {Name: "tokens"}}}
	for _, u := range set.Layers() {
		if u.Layer == "tokens" {
			continue
		}
		if r.StoredLayer(corpus, u.Layer) == nil {
			return nil, fault.Invalid("the features read the layer %s, which %s does not store", u.Layer, corpus.Name)
		}
		want.Layers = append(want.Layers, documents.LayerWant{Name: u.Layer})
	}
	return r.Snapshot.Document(ctx, corpus, seq, want)
}

// atPlaces extracts the features of places of a document, as templates and values.
func atPlaces(r *exec.Execution, set *place.Set, d *text.Document,
	places string) (templates, values []string, err error) {
	refs, err := place.Locate(set, d, places)
	if err != nil {
		return nil, nil, fault.Invalid("%v", err)
	}
	x, err := place.NewExtractor(set, r.Resources())
	if err != nil {
		return nil, nil, fault.Invalid("%v", err)
	}
	if err := x.Bind(r.Context(), d); err != nil {
		return nil, nil, err
	}
	var found place.Found
	if err := x.Extract(refs, &found); err != nil {
		return nil, nil, fault.Invalid("%v", err)
	}
	templates, values = x.Names(&found)
	return templates, values, nil
}

// textAtPlaces lists the features of a set over places for a text, whose only layer is tokens.
func textAtPlaces(r *exec.Execution, n *plan.Relation, o *featureOptions, d *text.Document) (operator.Operator, error) {
	set, err := placeSet(r, o.sets)
	if err != nil {
		return nil, fault.At(optarg.Position(n.Options, "set", ast.Pos{}), err)
	}
	templates, values, err := atPlaces(r, set, d, o.places)
	if err != nil {
		return nil, fault.At(optarg.Position(n.Options, "places", optarg.Position(n.Options, "set", ast.Pos{})), err)
	}
	var rows [][]value.Value
	for i := range templates {
		rows = append(rows, []value.Value{{}, {}, {}, value.Str(templates[i] + "=" + values[i]), value.Real(1)})
	}
	return operator.NewRows(n.Columns(), rows), nil
}
