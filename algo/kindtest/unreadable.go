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

// unreadable wants the error of an input that cannot be read from some place on as the error of the training, whatever
// it is read for: documents and tables to learn from, and those of roles.
func unreadable(t *testing.T, c Case) {
	for _, last := range []bool{false, true} {
		tr := training(c)
		in := &failingInput{Input: tr.On, last: last}
		tr.On = in
		wantUnreadable(t, c, tr, "what is learned from", in)
		for role, of := range c.Roles {
			tr := training(c)
			tr.Roles = maps.Clone(c.Roles)
			in := &failingInput{Input: of, last: last}
			tr.Roles[role] = in
			wantUnreadable(t, c, tr, "the role "+role, in)
		}
	}
}

func wantUnreadable(t *testing.T, c Case, tr *kind.Training, name string, in *failingInput) {
	t.Helper()
	err := fresh(t, c).Train(background, tr)
	if in.failed && !errors.Is(err, errUnreadable) {
		t.Errorf("%s, which fails at the end %t: training gives %v", name, in.last, err)
	}
}

// failingInput fails at its first document or row, or at the last one.
type failingInput struct {
	kind.Input
	last, failed bool
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
		at := 0
		for x, err := range read {
			if at++; !f.last || at >= n {
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
