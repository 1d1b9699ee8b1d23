package kindtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"parlance/algo/kind"
)

var errOnce = errors.New("it failed once")

// lostErrors lets one step after the other fail and wants its error to come back: a piece that is not
// written, a section that is not read, a checkpoint that is not kept, and a context that ends at one look after the
// other of a training, an annotation, a relation, an evaluation and an explanation. What goes on after an error gives
// half an answer.
func lostErrors(t *testing.T, c Case) {
	m := trained(t, c, 1)
	lostWrites(t, m)
	lostReads(t, c, encoded(t, m))
	if c.Resumes {
		lostCheckpoints(t, c)
	}
	stops(t, "training", func(ctx context.Context) error { return fresh(t, c).Train(ctx, training(c)) })
	if len(c.Test) > 0 {
		stops(t, "annotation", func(ctx context.Context) error {
			for _, u := range units(m, views(c.Test)) {
				if err := m.Annotate(ctx, u, c.run(true, 0)); err != nil {
					return err
				}
			}
			return nil
		})
		stops(t, "explanation", func(ctx context.Context) error {
			_, err := m.Explain(ctx, units(m, views(c.Test))[0], kind.At{}, c.run(true, 0))
			if errors.Is(err, kind.ErrNoExplain) {
				return nil
			}
			return err
		})
	}
	for _, q := range c.allQueries(m) {
		if q.Fails == "" {
			stops(t, fmt.Sprintf("%s%v", q.Relation, q.Args), func(ctx context.Context) error {
				_, _, err := rowsOf(ctx, c, m, q.Relation, q.Args)
				return err
			})
		}
	}
	if c.Gold != nil {
		stops(t, "evaluation", func(ctx context.Context) error {
			_, err := m.Evaluate(ctx, c.Gold, c.run(false, 0))
			return err
		})
	}
}

// lostWrites writes the model to where one piece after the other fails.
func lostWrites(t *testing.T, m kind.Model) {
	t.Helper()
	for at := 0; ; at++ {
		n, failed := 0, ""
		err := m.Encode(kind.NewWriter(func(name string, _ []byte) error {
			if n++; n == at+1 {
				failed = name
				return errOnce
			}
			return nil
		}))
		if failed == "" {
			return
		}
		if !errors.Is(err, errOnce) {
			t.Errorf("section %s cannot be written: Encode gives %v", failed, err)
		}
	}
}

// lostReads reads the model from where one section after the other fails, of all that Decode asks for.
func lostReads(t *testing.T, c Case, s sections) {
	t.Helper()
	whole, asked := s.reader(), []string{}
	for at := 0; at == 0 || at <= len(asked); at++ {
		failed := false
		err := fresh(t, c).Decode(kind.NewReader(func(name string) ([]byte, error) {
			if !slices.Contains(asked, name) {
				asked = append(asked, name)
			}
			if at < len(asked) && name == asked[at] {
				failed = true
				return nil, errOnce
			}
			return whole.Bytes(name)
		}))
		if failed && !errors.Is(err, errOnce) {
			t.Errorf("section %s cannot be read: Decode gives %v", asked[at], err)
		}
	}
}

// lostCheckpoints lets checkpoints fail: the first and the last one as a whole, pieces of the first, and sections of it
// when a training goes on from there.
func lostCheckpoints(t *testing.T, c Case) {
	t.Helper()
	train := func(save func(func(*kind.Writer) error) error) error {
		tr := training(c)
		tr.SaveEvery, tr.Save = 1, save
		return guarded(func() error { return fresh(t, c).Train(background, tr) })
	}
	first, pieces, n := sections{}, 0, 0
	if err := train(func(write func(*kind.Writer) error) error {
		w := sections{}.writer()
		if n++; n == 1 {
			w = kind.NewWriter(func(name string, p []byte) error {
				pieces++
				first[name] = append(first[name], p...)
				return nil
			})
		}
		return write(w)
	}); err != nil {
		t.Fatal(err)
	}
	for _, fails := range slices.Compact([]int{1, n}) {
		at := 0
		if err := train(func(write func(*kind.Writer) error) error {
			if at++; at == fails {
				return errOnce
			}
			return write(sections{}.writer())
		}); !errors.Is(err, errOnce) {
			t.Errorf("checkpoint %d of %d is not kept: training gives %v", fails, n, err)
		}
	}
	most := 8
	if testing.Short() {
		most = 2
	}
	for fails := 1; fails <= pieces; fails += max(1, pieces/most) {
		at := 0
		if err := train(func(write func(*kind.Writer) error) error {
			return write(kind.NewWriter(func(string, []byte) error {
				if at++; at == fails {
					return errOnce
				}
				return nil
			}))
		}); !errors.Is(err, errOnce) {
			t.Errorf("piece %d of %d of a checkpoint cannot be written: training gives %v", fails, pieces, err)
		}
	}
	for name := range first {
		asked, whole := false, first.reader()
		tr := training(c)
		tr.Resume = kind.NewReader(func(section string) ([]byte, error) {
			if section == name {
				asked = true
				return nil, errOnce
			}
			return whole.Bytes(section)
		})
		if err := guarded(func() error { return fresh(t, c).Train(background, tr) }); asked && !errors.Is(err, errOnce) {
			t.Errorf("section %s of a checkpoint cannot be read: training gives %v", name, err)
		}
	}
}

// stops runs a step under contexts that end at some of the looks at them: the last ones, after which nothing else would
// notice, and others in equal distances.
func stops(t *testing.T, what string, step func(context.Context) error) {
	t.Helper()
	all := &looked{Context: background}
	if err := step(all); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	n := all.looks.Load()
	last, others := int64(4), int64(6)
	if testing.Short() {
		last, others = 2, 2
	}
	var at []int64
	for i := range others {
		at = append(at, 1+i*n/others)
	}
	for i := range last {
		at = append(at, n-i)
	}
	slices.Sort(at)
	for _, k := range slices.Compact(at) {
		if k < 1 || k > n {
			continue
		}
		ctx := &looked{Context: background, end: k}
		err := guarded(func() error { return step(ctx) })
		if ctx.looks.Load() >= k && !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled at look %d of %d at its context: %v", what, k, n, err)
		}
	}
}

// looked is a context that ends when it is looked at for the time with this number, never if 0. It is for steps with
// one worker.
type looked struct {
	context.Context
	end   int64
	looks atomic.Int64
}

// Err counts the look.
func (l *looked) Err() error {
	if n := l.looks.Add(1); l.end > 0 && n >= l.end {
		return context.Canceled
	}
	return nil
}
