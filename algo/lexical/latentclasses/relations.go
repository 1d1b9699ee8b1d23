package latentclasses

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var (
	colWord  = kind.Column{Name: "word", Type: value.Text, Doc: "word"}
	colClass = kind.Column{Name: "class", Type: value.Integer, Doc: "class, from 1, the most probable first"}
	argClass = []kind.Arg{{Name: "class", Type: value.Integer, Doc: "class, from 1"}}
)

func probability(of string) kind.Column {
	return kind.Column{Name: "prob", Type: value.Float, Doc: "probability of " + of}
}

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "words", Doc: "words with their most probable classes, in the order of the input; can be used as a lexicon",
		Columns: []kind.Column{
			colWord, colClass, probability("the class, given the word")}},
	{Name: "classes", Doc: "classes of a word, the most probable first",
		Columns: []kind.Column{colClass, probability("the class, given the word")},
		Args:    []kind.Arg{{Name: "word", Type: value.Text, Doc: "word"}}},
	{Name: "members", Doc: "words of a class, the most probable first",
		Columns: []kind.Column{colWord, probability("the word, given the class"),
			{Name: "class_prob", Type: value.Float, Doc: "probability of the class, given the word"}}, Args: argClass},
	{Name: "contexts", Doc: "contexts of a class, the most probable first", Columns: []kind.Column{
		{Name: "context", Type: value.Text, Doc: "context"}, probability("the context, given the class")}, Args: argClass},
	{Name: "memberships", Doc: "all classes of all words, those of a word by number", Columns: []kind.Column{
		colWord, colClass, probability("the class, given the word")}},
	{Name: "clusters", Doc: "the classes", Columns: []kind.Column{colClass, probability("the class"),
		{Name: "words", Type: value.Text, Doc: "its most probable words, at most 10"},
		{Name: "contexts", Type: value.Text, Doc: "its most probable contexts, at most 5"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	rel := relations[at]
	switch name {
	case "words", "memberships":
		return m.memberships(rel, name == "words"), nil
	case "classes":
		return m.classes(rel, args[0].S)
	case "clusters":
		return m.clusters(rel), nil
	}
	class := args[0].Int()
	if class < 1 || class > int64(len(m.prior)) {
		return nil, &kind.Unknown{What: "class", Name: args[0].String(), Note: fmt.Sprintf("there are 1 to %d", len(m.prior))}
	}
	if name == "members" {
		return m.members(rel, int(class-1)), nil
	}
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, x := range m.contexts.members(int(class-1), m.prior) {
			if !yield([]value.Value{value.Str(m.contexts.names[x.name]), value.Real(x.prob)}) {
				return
			}
		}
	}), nil
}

func (m *model) memberships(rel kind.Relation, best bool) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		row := func(w string, class int, prob float64) bool {
			return yield([]value.Value{value.Str(w), value.Int(int64(class + 1)), value.Real(prob)})
		}
		for i, w := range m.words.names {
			if best {
				if class, prob := m.words.best(i); !row(w, class, prob) {
					return
				}
				continue
			}
			ids, probs := m.words.row(i)
			for k, class := range ids {
				if !row(w, int(class), probs[k]) {
					return
				}
			}
		}
	})
}

func (m *model) classes(rel kind.Relation, word string) (kind.Rows, error) {
	i, ok := m.words.index[word]
	if !ok {
		return nil, &kind.Unknown{What: "word", Name: word, Known: m.words.names}
	}
	ids, probs := m.words.row(int(i))
	order := make([]int, len(ids))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(probs[b], probs[a]), cmp.Compare(a, b)) })
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, k := range order {
			if !yield([]value.Value{value.Int(int64(ids[k]) + 1), value.Real(probs[k])}) {
				return
			}
		}
	}), nil
}

// member is a name in a class.
type member struct {
	name        int
	prob, class float64 // p(name|a), p(a|name)
}

// members returns the names of a class by falling p(w|a) = p(a|w) p(w) / p(a), equal ones by number.
func (s *side) members(class int, prior []float64) []member {
	var out []member
	for i := range s.names {
		ids, probs := s.row(i)
		if k, ok := slices.BinarySearch(ids, uint32(class)); ok && prior[class] > 0 {
			out = append(out, member{i, min(1, probs[k]*s.share[i]/prior[class]), probs[k]})
		}
	}
	slices.SortFunc(out, byProb)
	return out
}

func byProb(a, b member) int {
	return cmp.Or(cmp.Compare(b.prob, a.prob), cmp.Compare(a.name, b.name))
}

func (m *model) members(rel kind.Relation, class int) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, x := range m.words.members(class, m.prior) {
			if !yield([]value.Value{value.Str(m.words.names[x.name]), value.Real(x.prob), value.Real(x.class)}) {
				return
			}
		}
	})
}

func (m *model) clusters(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		words, contexts := m.words.mostProbable(len(m.prior), 10), m.contexts.mostProbable(len(m.prior), 5)
		for a, p := range m.prior {
			if !yield([]value.Value{value.Int(int64(a + 1)), value.Real(p), value.Str(words[a]), value.Str(contexts[a])}) {
				return
			}
		}
	})
}

// mostProbable lists the n most probable names of every class in one pass.
func (s *side) mostProbable(classes, n int) []string {
	lists := make([][]member, classes)
	for i := range s.names {
		ids, probs := s.row(i)
		for k, a := range ids {
			x := member{i, probs[k] * s.share[i], probs[k]}
			if list := lists[a]; len(list) < n || byProb(x, list[n-1]) < 0 {
				at, _ := slices.BinarySearchFunc(list, x, byProb)
				lists[a] = slices.Insert(list, at, x)[:min(n, len(list)+1)]
			}
		}
	}
	out := make([]string, classes)
	for a, list := range lists {
		var names []string
		for _, x := range list {
			names = append(names, s.names[x.name])
		}
		out[a] = strings.Join(names, " ")
	}
	return out
}
