package kindtest

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"testing"

	"parlance/algo/kind"
)

// interrupted is a training that is cancelled once it has kept n checkpoints.
type interrupted struct {
	checkpoint sections // the last one, nil if there were fewer
	reports    int      // up to it
}

// resume interrupts trainings after some checkpoints and goes on, without and with scores of what is held
// out. The bytes are those of a training without an interruption, and what was reported before the
// checkpoint is not done again: a kind that ignores it reports every step once more.
func resume(t *testing.T, c Case) {
	saves, told := 0, false
	for _, scored := range []bool{false, true} {
		m, whole := reported(t, c, scored, nil)
		want := encoded(t, m)
		for stop := 1; stop <= 3; stop++ {
			if scored && stop != 2 || testing.Short() && stop == 3 {
				continue
			}
			cut := interrupt(t, c, scored, stop)
			if cut.checkpoint == nil {
				break
			}
			saves++
			m, again := reported(t, c, scored, cut.checkpoint)
			if !maps.EqualFunc(want, encoded(t, m), bytes.Equal) {
				t.Errorf("resumed after checkpoint %d, the bytes differ", stop)
			}
			if again > whole-cut.reports {
				t.Errorf("checkpoint %d came after %d of %d reports of progress, and %d follow: it is not gone on from",
					stop, cut.reports, whole, again)
			}
			told = told || cut.reports > 0
		}
	}
	switch {
	case saves == 0:
		t.Error("the training keeps no checkpoint")
	case !told:
		t.Error("no checkpoint comes after a report of progress")
	}
}

// reported trains a model, from a checkpoint if there is one, and counts the reports of progress.
func reported(t *testing.T, c Case, scored bool, from sections) (kind.Model, int) {
	t.Helper()
	m, tr, reports := fresh(t, c), training(c), 0
	tr.Report = func(kind.Progress) { reports++ }
	if from != nil {
		tr.Resume = from.reader()
	}
	if scored {
		tr.Score = arbitrary
	}
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	return m, reports
}

func interrupt(t *testing.T, c Case, scored bool, stop int) (out interrupted) {
	t.Helper()
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	tr, reports, n := training(c), 0, 0
	tr.Report = func(kind.Progress) { reports++ }
	if scored {
		tr.Score = arbitrary
	}
	tr.SaveEvery = 1
	tr.Save = func(write func(*kind.Writer) error) error {
		s := sections{}
		if err := write(s.writer()); err != nil {
			return err
		}
		if n++; n == stop {
			out = interrupted{s, reports}
			cancel()
		}
		return nil
	}
	if err := fresh(t, c).Train(ctx, tr); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return out
}

// manyResumes bounds the trainings of ResumeEach.
const manyResumes = 40

// ResumeEach goes on from each checkpoint of a training, or from many of them, the last one included, where there
// are more than that. It finds what only later parts of a training keep.
func ResumeEach(t *testing.T, c Case) {
	m, tr, all := fresh(t, c), training(c), []interrupted(nil)
	reports := 0
	tr.Report = func(kind.Progress) { reports++ }
	tr.SaveEvery = 1
	tr.Save = func(write func(*kind.Writer) error) error {
		s := sections{}
		all = append(all, interrupted{s, reports})
		return write(s.writer())
	}
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("the training keeps no checkpoint")
	}
	want, every := encoded(t, m), (len(all)+manyResumes-1)/manyResumes
	for i := len(all) - 1; i >= 0; i -= every {
		m, again := reported(t, c, false, all[i].checkpoint)
		if !maps.EqualFunc(want, encoded(t, m), bytes.Equal) {
			t.Errorf("resumed after checkpoint %d of %d, the bytes differ", i+1, len(all))
		}
		if again > reports-all[i].reports {
			t.Errorf("checkpoint %d came after %d of %d reports of progress, and %d follow: it is not gone on from",
				i+1, all[i].reports, reports, again)
		}
	}
}

// arbitrary scores a model by a hash of its bytes, so that any step of a training may be the best one.
func arbitrary(_ context.Context, m kind.Model) (float64, string, error) {
	s := sections{}
	if err := m.Encode(s.writer()); err != nil {
		return 0, "", err
	}
	h := fnv.New32a()
	for _, name := range slices.Sorted(maps.Keys(s)) {
		h.Write(s[name])
	}
	return float64(h.Sum32()) / (1 << 32), "hash", nil
}

// starts trains from a trained model twice: the model that it starts from stays as it is, and both give the same.
func starts(t *testing.T, c Case) {
	first := trained(t, c, 1)
	before := encoded(t, first)
	again := func() map[string][]byte {
		m, tr := fresh(t, c), training(c)
		tr.Init = first
		if err := m.Train(background, tr); err != nil {
			t.Fatalf("it does not start from a model: %v", err)
		}
		return encoded(t, m)
	}
	one, two := again(), again()
	if !maps.EqualFunc(before, encoded(t, first), bytes.Equal) {
		t.Error("training changes the model that it starts from")
	}
	if !maps.EqualFunc(one, two, bytes.Equal) {
		t.Error("two trainings from one model give different bytes")
	}
}
