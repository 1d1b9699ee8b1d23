package kindtest

import (
	"context"
	"errors"
	"iter"
	"maps"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

var errUnreadable = errors.New("it cannot be read")

// unreadable wants the error of an input that cannot be read from some place on as that of the training or evaluation,
// whatever it is read for: documents and tables to learn from, those of roles, and gold.
func unreadable(t *testing.T, c Case) {
	train := func(in string, with func(*kind.Training, *failingInput)) {
		eachReading(t, in, "training", func(f *failingInput) error {
			tr := training(c)
			tr.Roles = maps.Clone(c.Roles)
			with(tr, f)
			return fresh(t, c).Train(background, tr)
		})
	}
	train("what is learned from", func(tr *kind.Training, f *failingInput) {
		f.Input = tr.On
		tr.On = f
	})
	for role, of := range c.Roles {
		train("the role "+role, func(tr *kind.Training, f *failingInput) {
			f.Input = of
			tr.Roles[role] = f
		})
	}
	if c.Gold != nil {
		m := trained(t, c, 1)
		eachReading(t, "gold", "evaluation", func(f *failingInput) error {
			f.Input = c.Gold
			_, err := m.Evaluate(background, f, c.run(false, 0))
			return err
		})
	}
}

// eachReading lets one reading of an input after the other fail, of its documents or of a table, at the beginning and
// at the end: a kind may read several tables, or one several times.
func eachReading(t *testing.T, name, what string, step func(*failingInput) error) {
	t.Helper()
	most := 8
	if testing.Short() {
		most = 3
	}
	for _, last := range []bool{false, true} {
		for reading := 1; reading <= most; reading++ {
			in := &failingInput{last: last, reading: reading}
			err := guarded(func() error { return step(in) })
			if !in.failed {
				break
			}
			if !errors.Is(err, errUnreadable) {
				t.Errorf("%s, of which reading %d fails, at the end %t: %s gives %v", name, reading, last, what, err)
			}
		}
	}
}

// failingInput fails in the reading with a number, at its first document or row, or at the last one.
type failingInput struct {
	kind.Input
	last, failed  bool
	reading, read int
}

func (f *failingInput) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return failing(f, f.Input.Documents(ctx), f.Input.Count())
}

func (f *failingInput) Table(name string) (kind.Table, bool) {
	x, ok := f.Input.Table(name)
	if !ok {
		return nil, false
	}
	return &failingTable{x, f}, true
}

type failingTable struct {
	kind.Table
	in *failingInput
}

func (f *failingTable) Rows(ctx context.Context) iter.Seq2[[]value.Value, error] {
	return failing(f.in, f.Table.Rows(ctx), f.Table.Count())
}

// failing passes on what is read up to the place where it fails.
func failing[T any](f *failingInput, read iter.Seq2[T, error], n int) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		f.read++
		at, fails := 0, f.read == f.reading
		for x, err := range read {
			if at++; fails && (!f.last || at >= n) {
				f.failed = true
				var none T
				yield(none, errUnreadable)
				return
			}
			if !yield(x, err) {
				return
			}
		}
	}
}
