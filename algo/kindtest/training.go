package kindtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// checkpointPause is longer than kinds wait between two checkpoints.
const checkpointPause = time.Minute

func checkNoData(ctx context.Context, s *subject) error {
	m, _, err := s.untrained()
	if err != nil {
		return err
	}
	schema := m.Schema()
	if err := m.Train(ctx, s.training(schema, nil, 1)); !errors.Is(err, kind.ErrNoData) {
		return fmt.Errorf("training on no documents gives %v, want kind.ErrNoData", err)
	}
	if len(schema.Learns) == 0 {
		return nil
	}
	tr := s.training(schema, nil, 1)
	tr.On = kind.Documents(without(views(s.Train, schema.Reads, schema.Learns), schema.Learns))
	if m, _, err = s.untrained(); err != nil {
		return err
	}
	if err := m.Train(ctx, tr); !errors.Is(err, kind.ErrNoData) {
		return fmt.Errorf("training on documents without %v gives %v, want kind.ErrNoData", schema.Learns, err)
	}
	return nil
}

// without removes the layers or columns of uses from views.
func without(docs []*text.Document, uses []kind.LayerUse) []*text.Document {
	for _, d := range docs {
		for _, u := range uses {
			l := d.Layer(u.Layer)
			if l == nil {
				continue
			}
			if u.Columns == nil {
				d.DropLayer(u.Layer)
				continue
			}
			c := *l
			c.Cols = append([]text.Col{}, l.Cols...)
			for _, name := range u.Columns {
				c.Cols[l.Def.Index(name)] = text.Col{}
			}
			d.SetLayer(&c)
		}
	}
	return docs
}

// checkSameBytes trains with one worker and with two, and with other pauses.
func checkSameBytes(ctx context.Context, s *subject) error {
	var want *sections
	for _, workers := range []int{1, 2, 1} {
		m, err := s.train(ctx, workers, func(t *kind.Training) {
			t.Report = func(kind.Progress) { time.Sleep(time.Duration(workers) * time.Second) }
		})
		if err != nil {
			return fmt.Errorf("train with %d workers: %w", workers, err)
		}
		got, err := encode(m)
		if err != nil {
			return err
		}
		if want == nil {
			want = got
		} else if d := got.differs(want); d != "" {
			return fmt.Errorf("another training with %d workers: %s", workers, d)
		}
	}
	return nil
}

func checkTrainingKeepsInputs(ctx context.Context, s *subject) error {
	m, _, err := s.untrained()
	if err != nil {
		return err
	}
	docs := views(s.Train, m.Schema().Reads, m.Schema().Learns)
	before := dumpAll(docs)
	tr := s.training(m.Schema(), nil, 2)
	tr.On = kind.Documents(docs)
	steps := 0
	tr.Report = func(kind.Progress) { steps++ }
	if err := m.Train(ctx, tr); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if after := dumpAll(docs); after != before {
		return fmt.Errorf("training changed its inputs, %s", difference(after, before))
	}
	if steps == 0 {
		return errors.New("training reported no progress")
	}
	return nil
}

// checkCancelTraining cancels before the training and at its first report.
func checkCancelTraining(ctx context.Context, s *subject) error {
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.train(gone, 2, nil); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("training under a cancelled context gives %v", err)
	}
	ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	reports := 0
	_, err := s.train(ctx, 2, func(t *kind.Training) {
		t.Report = func(kind.Progress) {
			reports++
			cancel()
		}
	})
	if reports > 1 && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("training cancelled at its first of %d reports gives %v", reports, err)
	}
	return nil
}

// checkResume keeps every checkpoint of a training and goes on from the first, one in the
// middle and the last: the bytes must be those of the training that was never interrupted.
func checkResume(ctx context.Context, s *subject) error {
	var kept []*sections
	m, err := s.train(ctx, 1, saving(&kept))
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if s.lacks(Checkpoints) {
		if len(kept) > 0 {
			return errors.New("a kind without checkpoints saved one")
		}
		return nil
	}
	if len(kept) == 0 {
		return fmt.Errorf("no checkpoint, though %s passed between reports", checkpointPause)
	}
	want, err := encode(m)
	if err != nil {
		return err
	}
	for _, i := range []int{0, len(kept) / 2, len(kept) - 1} {
		m, err := s.train(ctx, 2, func(t *kind.Training) { t.Resume = kept[i].reader() })
		if err != nil {
			return fmt.Errorf("resume from checkpoint %d of %d: %w", i+1, len(kept), err)
		}
		got, err := encode(m)
		if err != nil {
			return err
		}
		if d := got.differs(want); d != "" {
			return fmt.Errorf("resumed from checkpoint %d of %d: %s", i+1, len(kept), d)
		}
	}
	if kept[0].differs(kept[len(kept)-1]) == "" && len(kept) > 1 {
		return errors.New("all checkpoints are the same")
	}
	var again []*sections
	if _, err := s.train(ctx, 2, saving(&again)); err != nil {
		return err
	}
	if len(again) != len(kept) {
		return fmt.Errorf("%d checkpoints, and %d of the same training", len(kept), len(again))
	}
	for i := range kept {
		if d := again[i].differs(kept[i]); d != "" {
			return fmt.Errorf("checkpoint %d of the same training: %s", i+1, d)
		}
	}
	return s.damagedCheckpoint(ctx, kept[0])
}

// saving makes a training keep every checkpoint.
func saving(kept *[]*sections) func(*kind.Training) {
	return func(t *kind.Training) {
		t.Report = func(kind.Progress) { time.Sleep(checkpointPause) }
		t.Save = func(write func(*kind.Writer) error) error {
			c, err := collect(write)
			*kept = append(*kept, c)
			return err
		}
	}
}

// damagedCheckpoint resumes from a checkpoint with half of each section gone.
func (s *subject) damagedCheckpoint(ctx context.Context, c *sections) error {
	for _, name := range c.names {
		bad := c.with(name, c.bytes[name][:len(c.bytes[name])/2])
		_, err := s.train(ctx, 1, func(t *kind.Training) { t.Resume = bad.reader() })
		if err == nil && len(c.bytes[name]) > 0 {
			return fmt.Errorf("a checkpoint with half of section %s is taken", name)
		}
	}
	return nil
}

// checkInit starts from a model trained before, and refuses what is no model of the kind.
func checkInit(ctx context.Context, s *subject) error {
	old, err := s.train(ctx, 1, nil)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	before, err := encode(old)
	if err != nil {
		return err
	}
	m, err := s.train(ctx, 2, func(t *kind.Training) { t.Init = old })
	switch {
	case s.lacks(Init):
		if err == nil {
			return errors.New("a kind that starts from no model takes one")
		}
		return nil
	case err != nil:
		return fmt.Errorf("train from a model: %w", err)
	}
	if _, err := s.annotate(ctx, m, s.Test, s.run()); err != nil {
		return fmt.Errorf("annotate with the model: %w", err)
	}
	after, err := encode(old)
	if err != nil {
		return err
	}
	if d := after.differs(before); d != "" {
		return fmt.Errorf("training from a model changed it: %s", d)
	}
	if _, err := s.train(ctx, 1, func(t *kind.Training) { t.Init = stranger{} }); err == nil {
		return errors.New("a model of another kind is taken to start from")
	}
	return nil
}

// stranger is a model of no kind.
type stranger struct{ kind.Model }
