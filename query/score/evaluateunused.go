package score

import (
	"context"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// layerOptions are the options of EVALUATE that say how one layer is scored.
var layerOptions = []struct {
	name, does string
	layer      *text.LayerDef
}{
	{"ignore", "leaves tokens out of the scores of dependencies", text.Dependencies},
	{"brackets", "chooses the brackets of constituents", text.Constituents},
	{"oracle", "looks for the best of the n best constituents", text.Constituents},
	{"tag", "names the column of tags of words, the layer tokens", text.Tokens},
	{"known", "tells known words from others, in the layer tokens", text.Tokens},
}

// checkUnusedOptions refuses options that have no effect on any score.
func (e *evaluation) checkUnusedOptions() error {
	given := func(name string) bool { return optarg.Position(e.stmt.With, name, e.stmt.Pos) != e.stmt.Pos }
	if given("inputs") && e.stmt.Against != nil {
		return plan.Errorf(optarg.Position(e.stmt.With, "inputs", e.stmt.Pos), plan.CodeInvalid, "leave it out",
			"option inputs is for models: stored layers read nothing")
	}
	if name := e.opt.known; name != "" {
		if o, ok := e.r.Snapshot.Object(name); !ok || !slices.Contains(vocabularies, o.Kind) {
			return plan.Errorf(optarg.Position(e.stmt.With, "known", e.stmt.Pos), plan.CodeUndefinedObject, "",
				"option known: there is no corpus, lexicon or gazetteer %s%s", name, e.r.Suggest(name))
		}
	}
	if given("taxonomy") && !e.opt.tokens {
		return plan.Errorf(optarg.Position(e.stmt.With, "taxonomy", e.stmt.Pos), plan.CodeInvalid,
			"WITH (tokens = true, taxonomy = "+e.opt.taxonomy+")", "option taxonomy weighs the scores that the option tokens "+
				"adds")
	}
	for _, o := range []string{"group", "columns"} {
		if given(o) && e.stmt.Against == nil {
			return plan.Errorf(optarg.Position(e.stmt.With, o, e.stmt.Pos), plan.CodeInvalid,
				"EVALUATE LAYER corpus.layer AGAINST corpus.layer WITH ("+o+" = …)",
				"option %s belongs to EVALUATE LAYER: a model says itself what it writes", o)
		}
	}
	for i := range e.models {
		s := &e.models[i]
		if given("tokens") && !s.scoresSpans() {
			return plan.Errorf(optarg.Position(e.stmt.With, "tokens", e.stmt.Pos), plan.CodeInvalid,
				"leave it out", "option tokens is for layers of spans, and %s writes none", s.label)
		}
		for _, o := range layerOptions {
			if given(o.name) && !s.scores(o.layer) && (s.layer != nil || len(s.model.Schema.Scores) == 0) {
				return plan.Errorf(optarg.Position(e.stmt.With, o.name, e.stmt.Pos), plan.CodeInvalid,
					"leave it out, or use WHERE to choose documents",
					"option %s %s, which %s does not write", o.name, o.does, s.label)
			}
		}
	}
	return nil
}

// scores reports whether a layer is scored; tokens stands for segmentation into words.
func (s *scoredItem) scores(def *text.LayerDef) bool {
	if s.layer != nil {
		return s.layer.def == def && len(s.layer.columns) == 0
	}
	for _, w := range s.model.Schema.Writes {
		if w.Layer == def.Name && (def != text.Tokens || len(w.Columns) == 0) {
			return true
		}
	}
	return false
}

// scoresSpans reports whether a layer of spans is scored.
func (s *scoredItem) scoresSpans() bool {
	if s.layer != nil {
		return s.layer.def.Spans
	}
	return slices.ContainsFunc(s.model.Schema.Writes, func(w kind.LayerUse) bool {
		def := text.Builtins(w.Layer)
		return def != nil && def.Spans
	})
}

// vocabularies are the kinds of object that the option known may name.
var vocabularies = []catalog.ObjectKind{catalog.CorpusObject, catalog.LexiconObject, catalog.GazetteerObject}

// vocabulary reads the words of a corpus, with their tags in a column, or the words of a lexicon or gazetteer.
func vocabulary(r *exec.Execution, ctx context.Context, name, tag string) (*metrics.Vocabulary, error) {
	o, ok := r.Snapshot.Object(name)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no corpus, lexicon or gazetteer %s", name)
	}
	out := &metrics.Vocabulary{Words: map[string]bool{}}
	if o.Kind != catalog.CorpusObject {
		return out, r.Resources().Rows(o, func(row []value.Value) { out.Words[row[0].S] = true })
	}
	l := r.StoredLayer(o, text.Tokens.Name)
	if tag == "" {
		tag = metrics.TagColumn(l != nil && l.Has("upos"), l != nil && l.Has("xpos"))
	}
	if l != nil && l.Has(tag) {
		out.Tagged = map[[2]string]bool{}
	}
	want := documents.Want{IDs: true, Text: true, Layers: []documents.LayerWant{{Name: text.Tokens.Name}}}
	p := input.Part{Node: bind.Documents(o, name)}
	return out, input.EachStored(r, ctx, p, want, func(d *text.Document) error {
		out.Learn(d.Layer(text.Tokens.Name), tag)
		return nil
	})
}

// idsOf are the ids of documents.
func idsOf(docs []*text.Document) []value.Value {
	out := make([]value.Value, len(docs))
	for i, d := range docs {
		out[i] = value.Str(d.ID)
	}
	return out
}

// readKnown reads the objects that the options known and taxonomy name.
func (e *evaluation) readKnown(ctx context.Context) (err error) {
	if e.opt.known != "" && slices.ContainsFunc(e.models, func(s scoredItem) bool { return s.scores(text.Tokens) }) {
		if e.opt.vocabulary, err = vocabulary(e.r, ctx, e.opt.known, e.opt.tag); err != nil {
			return err
		}
	}
	if e.opt.taxonomy != "" {
		e.opt.parents, err = parents(e.r, ctx, e.opt.taxonomy)
	}
	return err
}

// parents reads a taxonomy: the parent of each word of a lexicon that has one.
func parents(r *exec.Execution, ctx context.Context, name string) (map[string]string, error) {
	l, err := r.Resources().Lexicon(name)
	if err != nil {
		return nil, err
	}
	column := slices.Index(l.Columns(), "parent")
	if column < 1 {
		return nil, fault.New(plan.CodeUndefinedColumn, "option taxonomy: lexicon %s has no column parent after the label",
			name)
	}
	out := map[string]string{}
	for row, err := range l.All(ctx) {
		if err != nil {
			return nil, err
		}
		if row[column] != "" {
			out[row[0]] = row[column]
		}
	}
	return out, nil
}
