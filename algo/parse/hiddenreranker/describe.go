package hiddenreranker

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// description is a feature that speaks for a hidden value.
type description struct {
	Member, Value, Feature string
	Weight                 float64 // less the mean of those of all values of the class
}

// perValue is how many features are told of a value.
const perValue = 8

// describe finds the features of words that tell the values of a class apart. Names of features are found by reading
// the trees once more.
func (d *training) describe(ctx context.Context, m *member, learn []*kept) ([]description, error) {
	in := newReader(d.m.table)
	in.naming = true
	byValue := map[string][]description{}
	done := make([]bool, len(m.singles))
	for i, k := range learn {
		if i%16 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := k.sentence(&d.labels)
		for _, c := range s.List[k.tally.Target() : k.tally.Target()+1] {
			m.features(m.read(in, c.Tree, s), func(key uint64, f piece, up *piece, class piece) {
				id, ok := m.singles[key]
				if up != nil || !ok || done[id] {
					return
				}
				done[id] = true
				m.tell(byValue, id, f.name, class.name)
			})
		}
	}
	var out []description
	for _, list := range byValue {
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b description) int {
		return cmp.Or(strings.Compare(a.Value, b.Value), cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Feature,
			b.Feature))
	})
	return out, nil
}

// tell adds a feature to the values that it speaks for.
func (m *member) tell(byValue map[string][]description, id int32, feature, class string) {
	w := m.theta[int(id)*m.k : (int(id)+1)*m.k]
	mean := 0.0
	for _, x := range w {
		mean += x / float64(len(w))
	}
	for k, x := range w {
		if x <= mean {
			continue
		}
		name := valueName(class, k)
		list := append(byValue[name], description{m.name, name, feature, x - mean})
		if len(list) > 2*perValue {
			list = heaviest(list)
		}
		byValue[name] = list
	}
}

// heaviest are the first n.
func heaviest(list []description) []description {
	slices.SortFunc(list, func(a, b description) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Feature, b.Feature))
	})
	return list[:min(perValue, len(list))]
}

var valueRelation = kind.Relation{Name: "value_features",
	Doc: "what speaks for hidden values, the heaviest features of each first",
	Columns: []kind.Column{
		{Name: "member", Type: value.Text, Doc: "hidden-variable model"},
		{Name: "value", Type: value.Text, Doc: "hidden value: what it is a value of, and a number"},
		{Name: "feature", Type: value.Text, Doc: "of a word"},
		{Name: "weight", Type: value.Float, Doc: "for this value, less the mean of those for all values of the same class"}}}

var mixtureRelation = kind.Relation{Name: "mixture", Doc: "shares of the scorers in the mixtures that were fitted",
	Columns: []kind.Column{
		{Name: "scorers", Type: value.Text, Doc: "those that are mixed, as the option use names them"},
		{Name: "scorer", Type: value.Text, Doc: "one of them"},
		{Name: "share", Type: value.Float, Doc: "by which its score is multiplied"},
		{Name: "f1", Type: value.Float, Doc: "of held-out sentences, of the mixture"}}}

// Open opens the values or the mixtures.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case valueRelation.Name:
		return kind.RowsOf(valueRelation, func(yield func([]value.Value) bool) {
			for _, d := range m.likes {
				if !yield([]value.Value{value.Str(d.Member), value.Str(d.Value), value.Str(d.Feature), value.Real(d.Weight)}) {
					return
				}
			}
		}), nil
	case mixtureRelation.Name:
		return kind.RowsOf(mixtureRelation, func(yield func([]value.Value) bool) {
			for _, x := range m.mixtures {
				for k, name := range m.scorers() {
					if slices.Contains(x.Names, name) && !yield([]value.Value{value.Str(strings.Join(x.Names, ", ")),
						value.Str(name),
						value.Real(x.Shares[k]), value.Real(x.F1)}) {
						return
					}
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}
