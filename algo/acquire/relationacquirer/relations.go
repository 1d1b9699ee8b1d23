package relationacquirer

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/storage/value"
)

var (
	colSource = column("source", value.Text, "what causes, for patterns of causes")
	colTarget = column("target", value.Text, "what is caused")
	colScore  = column("score", value.Float, "decision of the machine on the best candidate, above 0 for the relation")
	colDoc    = column("doc", value.Text, "document of the sentence")
	colSent   = column("sent", value.Integer, "number of the sentence in it")
	colPath   = column("path", value.Text,
		"path between the nouns as the store has it, X is the one that stands first; NULL where "+
			"it is longer than max_path")
	colReversed = column("reversed", value.Boolean, "the target stands first: it is X of the path")
	argPair     = []kind.Arg{{Name: "source", Type: value.Text, Doc: "source"},
		{Name: "target", Type: value.Text, Doc: "target"}}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "instances", Doc: "pairs of nouns, the best first, each with the sentence that speaks most for it",
		Args: []kind.Arg{{Name: "noun", Type: value.Text, Optional: true, Doc: "source or target; any if left out"}},
		Columns: []kind.Column{colSource, colTarget, colScore, colDoc, colSent, colPath, colReversed,
			column("candidates", value.Integer,
				"sentences with the pair that are candidates, counted by pairs of places"),
			column("known", value.Boolean,
				"the pair is among the first of the first stage, which training data are made of"),
			column("rank", value.Integer, "place in the list, from 1")}},
	{Name: "score", Doc: "the score of a pair of the list, with its sentence", Args: argPair,
		Columns: []kind.Column{colScore, colDoc, colSent, colPath, colReversed}},
	{Name: "examples", Doc: "what the machine has learned from",
		Columns: []kind.Column{colSource, colTarget,
			column("positive", value.Boolean,
				"the pair is among the first of the first stage; else a noun was exchanged"), colDoc, colSent}},
	{Name: "partials", Doc: "partial patterns that candidates match", Columns: []kind.Column{
		column("role", value.Text, "X or Y"), column("partial", value.Text, "path")}},
	{Name: "classes", Doc: "pairs of classes of candidates; both are empty texts where all words are of one class",
		Columns: []kind.Column{
			column("source_class", value.Text, "class of the source"),
			column("target_class", value.Text, "class of the target")}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	var rows iter.Seq[[]value.Value]
	switch name {
	case "instances":
		noun := ""
		if len(args) > 0 && !args[0].IsNull() {
			if noun = args[0].S; !slices.ContainsFunc(m.instances,
				func(i instance) bool { return i.source == noun || i.target == noun }) {
				return nil, m.unknown(noun)
			}
		}
		rows = m.instanceRows(noun)
	case "score":
		i, err := m.find(args)
		if err != nil {
			return nil, err
		}
		rows = func(yield func([]value.Value) bool) {
			if i != nil {
				yield(append([]value.Value{value.Real(i.score)}, i.place()...))
			}
		}
	case "examples":
		rows = func(yield func([]value.Value) bool) {
			for _, e := range m.examples {
				if !yield([]value.Value{value.Str(e.source), value.Str(e.target), value.Bool(e.positive),
					value.Str(e.doc),
					value.Int(int64(e.sent))}) {
					return
				}
			}
		}
	case "partials":
		rows = func(yield func([]value.Value) bool) {
			for role, name := range [2]string{"X", "Y"} {
				for _, p := range m.partialList(role) {
					if !yield([]value.Value{value.Str(name), value.Str(p)}) {
						return
					}
				}
			}
		}
	case "classes":
		rows = func(yield func([]value.Value) bool) {
			for _, p := range m.betweenList() {
				if !yield([]value.Value{value.Str(p.source), value.Str(p.target)}) {
					return
				}
			}
		}
	}
	return kind.RowsOf(relations[at], rows), nil
}

// place is document, sentence and path of an instance.
func (i *instance) place() []value.Value {
	path := value.Value{}
	if i.path != "" {
		path = value.Str(i.path)
	}
	return []value.Value{value.Str(i.doc), value.Int(int64(i.sent)), path, value.Bool(i.reversed)}
}

func (m *model) instanceRows(noun string) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for k := range m.instances {
			i := &m.instances[k]
			if noun != "" && i.source != noun && i.target != noun {
				continue
			}
			row := append([]value.Value{value.Str(i.source), value.Str(i.target), value.Real(i.score)}, i.place()...)
			if !yield(append(row, value.Int(int64(i.count)), value.Bool(i.known), value.Int(int64(k+1)))) {
				return
			}
		}
	}
}

// unknown is the error for a noun that no pair has.
func (m *model) unknown(noun string) error {
	var known []string
	for _, i := range m.instances {
		known = append(known, i.source, i.target)
	}
	slices.Sort(known)
	return &kind.Unknown{What: "noun", Name: noun, Known: slices.Compact(known)}
}

// find is a pair of the list, nil where both nouns are known and not the pair.
func (m *model) find(args []value.Value) (*instance, error) {
	want := pair{args[0].S, args[1].S}
	known := [2]bool{}
	for k := range m.instances {
		i := &m.instances[k]
		if i.pair == want {
			return i, nil
		}
		for n, noun := range [2]string{want.source, want.target} {
			known[n] = known[n] || i.source == noun || i.target == noun
		}
	}
	for n, noun := range [2]string{want.source, want.target} {
		if !known[n] {
			return nil, m.unknown(noun)
		}
	}
	return nil, nil
}

// Explain tells what a pair has its score from: score(source, target). The contribution of a feature is what the score
// loses without it; as the machine sees features together, contributions do not add up to the margin.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "score" || len(docs) > 0 || len(at.Args) != 2 {
		return kind.Explanation{}, fmt.Errorf("%w: score(source, target) is explained", kind.ErrNoExplain)
	}
	i, err := m.find(at.Args)
	if err != nil {
		return kind.Explanation{}, err
	}
	if i == nil {
		return kind.Explanation{}, fmt.Errorf("the pair '%s', '%s' is not among the %d instances", at.Args[0].S,
			at.Args[1].S, len(m.instances))
	}
	d := kind.Decision{Doc: i.doc, Sent: i.sent, Place: i.source + " → " + i.target, Form: i.source,
		Outcome: m.opt.label, Prob: math.NaN(), Margin: i.score}
	var q solver.Query
	for k, f := range i.features {
		without := slices.Delete(slices.Clone(i.features), k, k+1)
		d.Contributions = append(d.Contributions,
			kind.Contribution{Feature: m.features[f], Value: 1, Weight: i.score - m.score(&q, without)})
	}
	d.Sort()
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}

// Evaluate scores the list on known pairs; the engine scores documents.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	if m.opt.task != "pairs" {
		return nil, kind.ErrByLayers
	}
	return template.ScorePairs(ctx, in, len(m.instances), func(i int) (string, string) {
		return m.instances[i].source, m.instances[i].target
	})
}
