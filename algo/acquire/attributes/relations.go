package attributes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/storage/value"
)

func column(name string, t value.Type, doc string) kind.Column {
	return kind.Column{Name: name, Type: t, Doc: doc}
}

var argClass = kind.Arg{Name: "class", Type: value.Text, Doc: "class"}

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "attributes", Doc: "attributes of a class, the best first",
		Args: []kind.Arg{{Name: "class", Type: value.Text, Optional: true, Doc: "class; all of them if left out"}},
		Columns: []kind.Column{column("class", value.Text, "class"), column("attribute", value.Text, "noun"),
			column("score", value.Float, "product of the factors; above 0"),
			column("n", value.Float, "occurrences of A of C and C's A in the documents of the class"),
			column("f", value.Float, "the same by trees, in parsed text"),
			column("t", value.Float, "places between two tags in the documents of the class"),
			column("df", value.Integer, "documents of the class with the noun"),
			column("idf", value.Float, "ln of all documents by those with the noun"),
			column("rank", value.Integer, "place in the list of the class, from 1")}},
	{Name: "classes", Doc: "what was counted for each class",
		Columns: []kind.Column{column("class", value.Text, "class"),
			column("documents", value.Integer, "documents of the class"),
			column("candidates", value.Integer, "nouns with n, f or t"),
			column("attributes", value.Integer, "nouns with a score above 0")}},
	{Name: "questions",
		Doc: "questions by which a person judges whether a noun is an attribute of a class: it is where " +
			"one of them is natural and can be answered for an instance",
		Args:    []kind.Arg{argClass, {Name: "attribute", Type: value.Text, Doc: "noun"}},
		Columns: []kind.Column{column("question", value.Text, "question")}},
}

var goldTable = kind.TableUse{Name: "gold", Doc: "attributes that are right", Columns: []kind.Column{
	{Name: "class", Type: value.Text, Doc: "class"}, {Name: "attribute", Type: value.Text, Doc: "attribute"}}}

// Open opens a relation.
func (m *model) Open(_ context.Context, rel string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == rel })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	r := relations[at]
	switch rel {
	case "classes":
		return kind.RowsOf(r, m.classRows), nil
	case "questions":
		return kind.RowsOf(r, func(yield func([]value.Value) bool) { questions(args[0].S, args[1].S, yield) }), nil
	}
	list := m.Classes
	if !args[0].IsNull() {
		i, ok := m.find(args[0].S)
		if !ok {
			return nil, m.unknown(args[0].S)
		}
		list = m.Classes[i : i+1]
	}
	return kind.RowsOf(r, func(yield func([]value.Value) bool) {
		for i := range list {
			if !m.attributeRows(&list[i], yield) {
				return
			}
		}
	}), nil
}

func (m *model) find(name string) (int, bool) {
	return slices.BinarySearchFunc(m.Classes, strings.ToLower(name),
		func(c class, n string) int { return strings.Compare(c.Name, n) })
}

func (m *model) unknown(name string) error {
	var known []string
	for _, c := range m.Classes {
		known = append(known, c.Name)
	}
	return &kind.Unknown{What: "class", Name: name, Known: known}
}

func (m *model) attributeRows(x *class, yield func([]value.Value) bool) bool {
	for k, c := range m.ranked(x) {
		if !yield([]value.Value{value.Str(x.Name), value.Str(c.Noun), value.Real(c.score), value.Real(c.N),
			value.Real(c.F),
			value.Real(c.T), value.Int(int64(c.DF)), value.Real(m.idf(c.candidate)), value.Int(int64(k + 1))}) {
			return false
		}
	}
	return true
}

func (m *model) classRows(yield func([]value.Value) bool) {
	for i := range m.Classes {
		x := &m.Classes[i]
		if !yield([]value.Value{value.Str(x.Name), value.Int(int64(x.Documents)), value.Int(int64(len(x.Candidates))),
			value.Int(int64(len(m.ranked(x))))}) {
			return
		}
	}
}

// frames are the questions of section 3: the seven, then those whose noun has a word added.
var frames = []string{"What is the A of this C?", "Who is the A of this C?", "When is the A of this C?",
	"Where is the A of this C?", "Which is the A of this C?", "How many is the A of this C?",
	"How is the A of this C?", "What is the number of A of this C?", "What is the method for A of this C?",
	"What is the name of the A of this C?", "What is the time of A of this C?", "What is the period of A of this C?",
	"What is the location of A of this C?", "What is the amount of money for A of this C?",
	"What is the degree of A of this C?", "What is the state of A of this C?"}

func questions(class, attribute string, yield func([]value.Value) bool) {
	for _, f := range frames {
		q := strings.Replace(strings.Replace(f, "this C", "this "+class, 1), " A ", " "+attribute+" ", 1)
		if !yield([]value.Value{value.Str(q)}) {
			return
		}
	}
}

// Evaluate scores the lists of the classes that a table has attributes of: precision of the first ones, averaged over
// the classes. A list that is shorter counts as if wrong ones followed.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	gold, err := m.gold(ctx, in)
	if err != nil {
		return nil, err
	}
	depths := []int{5, 10, 20, 50}
	out := make([]metrics.Metric, len(depths)+1)
	for i, d := range depths {
		out[i] = metrics.Metric{Name: fmt.Sprintf("precision_at_%d", d), Label: metrics.All, Combine: metrics.Ratio,
			Main: d == 20}
	}
	out[len(depths)] = metrics.Metric{Name: "average_precision", Label: metrics.All, Combine: metrics.Ratio}
	for i := range m.Classes {
		right := gold[m.Classes[i].Name]
		if len(right) == 0 {
			continue
		}
		var hits []bool
		for _, c := range m.ranked(&m.Classes[i]) {
			hits = append(hits, right[c.Noun])
		}
		for k, d := range depths {
			n := 0
			for _, h := range hits[:min(d, len(hits))] {
				if h {
					n++
				}
			}
			out[k].Units.Add(float32(n)/float32(d), 1)
			out[k].Support++
		}
		last := &out[len(depths)]
		last.Units.Add(float32(ranking.AveragePrecision(hits, len(right))), 1)
		last.Support++
	}
	return out, ctx.Err()
}

// gold reads the right attributes by class.
func (m *model) gold(ctx context.Context, in kind.Input) (map[string]map[string]bool, error) {
	table, ok := in.Table(goldTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", goldTable.Name)
	}
	gold, known := map[string]map[string]bool{}, 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() {
			continue
		}
		c := strings.ToLower(row[0].S)
		if _, ok := m.find(c); ok {
			known++
		}
		if gold[c] == nil {
			gold[c] = map[string]bool{}
		}
		gold[c][strings.ToLower(row[1].S)] = true
	}
	if known == 0 {
		return nil, fmt.Errorf("%w: the table %s has no attribute of a class of the model", kind.ErrNoData,
			goldTable.Name)
	}
	return gold, nil
}
