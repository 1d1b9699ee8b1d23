package ngrams

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

// Gram is an n-gram of a back-off model.
type Gram struct {
	Words      string  // apart by spaces
	Prob, Back float64 // log10; Back is 0 where there is none
}

// RowError is a fault in an n-gram of a model that is read.
type RowError struct {
	Row int // from 1
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

func (e *RowError) Unwrap() error { return e.Err }

// gramRows are n-grams as a table.
type gramRows struct {
	grams iter.Seq2[Gram, error]
	n     int
}

func (g gramRows) Count() int { return g.n }

func (g gramRows) Rows(context.Context) iter.Seq2[[]value.Value, error] {
	return func(yield func([]value.Value, error) bool) {
		for x, err := range g.grams {
			if !yield([]value.Value{value.Str(x.Words), value.Real(x.Prob), value.Real(x.Back)}, err) {
				return
			}
		}
	}
}

// FromBackoff makes a model of the n-grams of a back-off model, of at most n words, each after those that it
// begins with; n is about how many there are. It returns options of the kind and what writes the model. Faults of an
// n-gram are of type *RowError.
func FromBackoff(ctx context.Context, orders, n int, grams iter.Seq2[Gram, error]) (options []option.Arg,
	encode func(*kind.Writer) error, err error) {
	m := &model{}
	set := &option.Set{}
	m.Options(set)
	options = []option.Arg{{Name: "source", Value: value.Str(byModel)},
		{Name: "orders", Value: value.Int(int64(orders))}}
	if err := set.Apply(options); err != nil {
		return nil, nil, err
	}
	if err := m.readModel(ctx, gramRows{grams, n}); err != nil {
		return nil, nil, err
	}
	return options, m.Encode, nil
}

// Backoff is the n-grams of the model as a back-off model, each before those that it begins; an error says why there is
// none.
func (m *model) Backoff() (orders int, grams iter.Seq[Gram], err error) {
	switch {
	case m.opt.smoothing != byKneserNey:
		return 0, nil, errors.New("it has counts and no probabilities (smoothing = stupid_backoff)")
	case m.opt.lower:
		return 0, nil, errors.New("it takes words in lower case (lower = true)")
	}
	return m.opt.orders, func(yield func(Gram) bool) {
		m.beginning("", func(gram []uint32, node int) bool {
			k := len(gram) - 1
			x := Gram{Words: m.vocabulary.text(gram), Prob: m.trie.levels[k].prob.get(node)}
			if k+1 < m.opt.orders {
				x.Back = m.trie.levels[k].back.get(node)
			}
			return yield(x)
		})
	}, nil
}
