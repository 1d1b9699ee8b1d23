package exec

import (
	"fmt"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// featureOptions are the options of features(TEXT …).
type featureOptions struct {
	sets, tokenizer string
	set             option.Set
}

func newFeatureOptions() *featureOptions {
	f := &featureOptions{}
	f.set.Features(&f.sets, "set", "ner", "feature set or templates")
	f.set.Text(&f.tokenizer, "tokenizer", DefaultTokenizer, "how the text is cut into sentences and tokens")
	return f
}

// features lists what a feature set extracts from a text, a row an attribute.
func (r *run) features(n *plan.Relation, content value.Value) (Operator, error) {
	args, err := options(n.Options, r.env)
	if err != nil {
		return nil, err
	}
	o := newFeatureOptions()
	if err := o.set.Apply(args); err != nil {
		return nil, optionError(err, n.Options)
	}
	if content.IsNull() {
		return newRows(n.Columns(), nil), nil
	}
	set, err := r.featureSet(o.sets)
	if err != nil {
		return nil, at(optionPlace(n.Options, "set", ast.Pos{}), err)
	}
	d, err := r.cut("", content.S, o.tokenizer)
	if err != nil {
		return nil, err
	}
	alphabet := feature.NewAlphabet(set)
	e, err := feature.NewExtractor(alphabet, r.resources())
	if err != nil {
		return nil, invalid("%v", err)
	}
	var found feature.Rows
	e.Grow(d, &found)
	e.Finish(&found)
	toks := d.Layer("tokens")
	var rows [][]value.Value
	for i := range found.Len() {
		if i%256 == 0 && r.env.Ctx.Err() != nil {
			return nil, r.env.Ctx.Err()
		}
		head := []value.Value{{}, {}, {}}
		if !set.Document() {
			head = []value.Value{value.Int(int64(toks.Cols[0].Ints[i])), value.Int(int64(toks.Cols[1].Ints[i])), value.Str(toks.Cols[4].Strs[i])}
		}
		for k := found.Offsets[i]; k < found.Offsets[i+1]; k++ {
			v := 1.0
			if len(found.Values) > 0 {
				v = float64(found.Values[k])
			}
			rows = append(rows, append(append([]value.Value{}, head...), value.Str(alphabet.Name(found.Attrs[k])), value.Real(v)))
		}
	}
	return newRows(n.Columns(), rows), nil
}

// featureSets lists the names of all feature sets, built-in ones first.
func (r *run) featureSets() []string {
	var names []string
	for _, b := range feature.Builtins() {
		names = append(names, b.Name)
	}
	for _, o := range r.Store.Objects(storage.FeaturesObject) {
		names = append(names, o.Name)
	}
	return names
}

// featureSet finds a feature set by the name of an object or a built-in one, or compiles templates.
func (r *run) featureSet(name string) (*feature.Set, error) {
	if o, ok := r.Store.Object(name); ok && o.Kind == storage.FeaturesObject {
		name = o.Source
	}
	set, err := feature.Resolve(name)
	if err != nil && !strings.ContainsAny(name, "[(") {
		names := r.featureSets()
		return nil, plan.Errorf(ast.Pos{}, plan.CodeUndefinedObject, "sets: "+strings.Join(names, ", "), "there is no feature set %s%s", name, option.DidYouMean(name, names))
	}
	if err != nil {
		return nil, invalid("%v", fmt.Errorf("set: %w", err))
	}
	return set, nil
}
