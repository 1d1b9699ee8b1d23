package db_test

import (
	"context"
	"slices"
	"testing"

	doctext "parlance/algo/text"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/db"
)

// steps is a kind whose training takes four steps, keeps a checkpoint after each, and stands still after one.
type steps struct {
	kind.Base
	log *stepLog
}

type stepLog struct {
	taken []int
	stop  int // the step after which the training waits to be cancelled
	there chan struct{}
}

func (s *steps) Schema() kind.Schema {
	return kind.Schema{Unit: kind.PerDocument, Learns: []kind.LayerUse{{Layer: "labels"}},
		Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (s *steps) Options(*option.Set) {}

func (s *steps) Train(ctx context.Context, t *kind.Training) error {
	step := 0
	if t.Resume != nil {
		if err := t.Resume.JSON("step", &step); err != nil {
			return err
		}
	}
	for step < 4 {
		step++
		s.log.taken = append(s.log.taken, step)
		if err := t.Save(func(w *kind.Writer) error { return w.JSON("step", step) }); err != nil {
			return err
		}
		if step == s.log.stop {
			close(s.log.there)
			<-ctx.Done()
			return ctx.Err()
		}
	}
	return nil
}

func (s *steps) Annotate(context.Context, []*doctext.Document, *kind.Run) error { return nil }
func (s *steps) Encode(w *kind.Writer) error                                    { return w.JSON("nothing", 0) }
func (s *steps) Decode(*kind.Reader) error                                      { return nil }

// TestResumeStartsAnewWithOtherDocuments goes on from a checkpoint only with the documents of then.
func TestResumeStartsAnewWithOtherDocuments(t *testing.T) {
	for _, x := range []struct {
		change string
		want   []int
	}{{"INSERT INTO other (id, text) VALUES ('2', 'y')", []int{1, 2, 3, 4}},
		{"DELETE FROM docs WHERE id = '2'", []int{1, 2, 1, 2, 3, 4}}} {
		log := &stepLog{stop: 2, there: make(chan struct{})}
		d, err := db.Open("",
			db.Options{Kinds: []kind.Kind{{Name: "steps", Doc: "takes steps", Revision: 1,
				New: func() kind.Model { return &steps{log: log} }}}})
		if err != nil {
			t.Fatal(err)
		}
		c := d.Conn()
		script(t, c, `CREATE CORPUS docs; CREATE CORPUS other;
INSERT INTO docs (id, text) VALUES ('1', 'a'), ('2', 'b');
INSERT INTO docs.labels (doc, label) VALUES ('1', 'x'), ('2', 'y');
TRAIN steps ON docs ASYNC;`)
		<-log.there
		script(t, c, "CANCEL JOB 1")
		log.stop = 0
		script(t, c, x.change)
		script(t, c, "RESUME JOB 1")
		ended(t, c)
		if !slices.Equal(log.taken, x.want) {
			t.Errorf("after %s the steps are %v, want %v", x.change, log.taken, x.want)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
