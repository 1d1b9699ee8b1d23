package classpatterns

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

func column(name string, t value.Type, doc string) kind.Column {
	return kind.Column{Name: name, Type: t, Doc: doc}
}

var (
	colPattern = column("pattern", value.Text, "path between the nouns, X is the source and Y the target")
	colClass1  = column("source_class", value.Text, "class of the source; empty without classes")
	colClass2  = column("target_class", value.Text, "class of the target")
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "instances",
		Doc: "pairs of nouns, the best first, each with the pattern that speaks most for it and a sentence",
		Args: []kind.Arg{
			{Name: "noun", Type: value.Text, Optional: true, Doc: "source or target; any if left out"}},
		Columns: []kind.Column{
			column("source", value.Text, "what causes, for patterns of causes"),
			column("target", value.Text, "what is caused"),
			column("score", value.Float, "cscore·para·assoc; of espresso the reliability"),
			colPattern, colClass1, colClass2, column("cscore", value.Float, "how typical the classes are"),
			column("para", value.Float, "how like the seeds the pattern is"),
			column("assoc", value.Float, "association of pair and pattern"),
			column("count", value.Float, "occurrences of the pair with the pattern"),
			column("doc", value.Text, "document of such a sentence"), column("sent", value.Integer, "its number in it"),
			column("rank", value.Integer, "place in the list, from 1")}},
	{Name: "patterns", Doc: "patterns between classes, the best first",
		Columns: []kind.Column{colPattern, colClass1, colClass2,
			column("score", value.Float, "cscore·para; of espresso the reliability"),
			column("pairs", value.Integer, "different pairs of nouns of these classes"),
			column("support", value.Integer, "those that seed patterns have too; 0 of espresso"),
			column("rank", value.Integer, "place in the list, from 1")}},
	{Name: "partials",
		Doc: "partial patterns: paths from one noun up to the verb or adjective that both hang on, of the patterns " +
			"that gave the first instances",
		Columns: []kind.Column{
			column("role", value.Text, "X or Y"), column("partial", value.Text, "path")}},
	{Name: "score", Doc: "what a pair of the list has its score from",
		Args: []kind.Arg{{Name: "source", Type: value.Text, Doc: "source"},
			{Name: "target", Type: value.Text, Doc: "target"}},
		Columns: []kind.Column{column("score", value.Float, "cscore·para·assoc; of espresso the reliability"),
			colPattern, colClass1, colClass2, column("cscore", value.Float, "how typical the classes are"),
			column("para", value.Float, "how like the seeds the pattern is"),
			column("assoc", value.Float, "association of pair and pattern")}},
	{Name: "seeds", Doc: "seed patterns that occur", Columns: []kind.Column{colPattern}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	if name == "score" {
		return m.scoreRow(relations[at], args[0].S, args[1].S)
	}
	noun := -1
	if len(args) > 0 && !args[0].IsNull() {
		if noun = slices.Index(m.nouns, args[0].S); noun < 0 {
			return nil, &kind.Unknown{What: "noun", Name: args[0].S, Known: m.nouns}
		}
	}
	rows := map[string]func(func([]value.Value) bool){"patterns": m.patternRows,
		"partials": func(yield func([]value.Value) bool) {
			for _, p := range m.partials() {
				if !yield([]value.Value{value.Str(p.role), value.Str(p.text)}) {
					return
				}
			}
		}, "seeds": func(yield func([]value.Value) bool) {
			for _, s := range m.seeds {
				if !yield([]value.Value{value.Str(s)}) {
					return
				}
			}
		}, "instances": func(yield func([]value.Value) bool) { m.instanceRows(noun, yield) }}[name]
	return kind.RowsOf(relations[at], rows), nil
}

func (m *model) patternRows(yield func([]value.Value) bool) {
	for k, p := range m.patterns {
		if !yield([]value.Value{value.Str(p.text), value.Str(m.classes[p.source]), value.Str(m.classes[p.target]),
			value.Real(p.para * p.cscore),
			value.Int(int64(p.pairs)), value.Int(int64(p.support)), value.Int(int64(k + 1))}) {
			return
		}
	}
}

func (m *model) instanceRows(noun int, yield func([]value.Value) bool) {
	for k, f := range m.instances {
		if noun >= 0 && int(f.source) != noun && int(f.target) != noun {
			continue
		}
		p := m.patterns[f.by]
		row := []value.Value{value.Str(m.nouns[f.source]), value.Str(m.nouns[f.target]), value.Real(f.score),
			value.Str(p.text), value.Str(m.classes[p.source]), value.Str(m.classes[p.target]), value.Real(p.cscore),
			value.Real(p.para), value.Real(f.assoc), value.Real(f.count), {}, {}, value.Int(int64(k + 1))}
		if f.at.doc > 0 {
			row[10], row[11] = value.Str(m.docs[f.at.doc-1]), value.Int(int64(f.at.sent))
		}
		if !yield(row) {
			return
		}
	}
}

// find is the place of a pair, with an error where a noun is unknown.
func (m *model) find(source, target string) (int, error) {
	for _, n := range []string{source, target} {
		if !slices.Contains(m.nouns, n) {
			return -1, &kind.Unknown{What: "noun", Name: n, Known: m.nouns}
		}
	}
	return slices.IndexFunc(m.instances, func(f fact) bool {
		return m.nouns[f.source] == source && m.nouns[f.target] == target
	}), nil
}

// scoreRow is the parts of a score, no row for pairs that are not in the list.
func (m *model) scoreRow(rel kind.Relation, source, target string) (kind.Rows, error) {
	k, err := m.find(source, target)
	if err != nil {
		return nil, err
	}
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		if k < 0 {
			return
		}
		f := m.instances[k]
		p := m.patterns[f.by]
		yield([]value.Value{value.Real(f.score), value.Str(p.text), value.Str(m.classes[p.source]),
			value.Str(m.classes[p.target]), value.Real(p.cscore), value.Real(p.para), value.Real(f.assoc)})
	}), nil
}

// Explain tells what an instance has its score from: score(source, target). The contributions are the logarithms of
// the factors, and add up to that of the score.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "score" || len(docs) > 0 || len(at.Args) != 2 {
		return kind.Explanation{}, fmt.Errorf("%w: score(source, target) is explained", kind.ErrNoExplain)
	}
	k, err := m.find(at.Args[0].S, at.Args[1].S)
	if err != nil {
		return kind.Explanation{}, err
	}
	if k < 0 {
		return kind.Explanation{}, fmt.Errorf("the pair '%s', '%s' is not among the %d instances", at.Args[0].S,
			at.Args[1].S, len(m.instances))
	}
	f := m.instances[k]
	p := m.patterns[f.by]
	d := kind.Decision{Place: m.nouns[f.source] + " → " + m.nouns[f.target], Form: m.nouns[f.source], Outcome: p.text,
		Prob: math.NaN(), Margin: math.Log(f.score)}
	if m.opt.method == "espresso" {
		d.Contributions = []kind.Contribution{{Feature: "ln reliability", Value: 1, Weight: math.Log(f.score)}}
	} else {
		d.Contributions = []kind.Contribution{{Feature: "ln cscore", Value: 1, Weight: math.Log(p.cscore)},
			{Feature: "ln para", Value: 1, Weight: math.Log(p.para)},
			{Feature: "ln assoc", Value: 1, Weight: math.Log(f.assoc)}}
		d.Sort()
	}
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}
