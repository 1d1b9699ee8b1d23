package chain

import (
	"context"
	"errors"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
)

// TestLongSequencesEnd searches in a long sequence, with many labels, and cancels at each step of that.
func TestLongSequencesEnd(t *testing.T) {
	tokens := 50_000
	if testing.Short() || testtime.Race {
		tokens = 10_000
	}
	const labels = 150
	p := Parts{Labels: labels, Attributes: 1, AttrStart: []uint32{0, labels}, Weights: make([]float64, labels)}
	for y := range uint16(labels) {
		p.PairLabel = append(p.PairLabel, y)
		for to := range uint16(labels) {
			p.TransFrom, p.TransTo = append(p.TransFrom, y), append(p.TransTo, to)
			p.TransWeights = append(p.TransWeights, float64(to%3))
		}
	}
	m, err := NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	s := Sequence{AttrOffsets: make([]uint32, tokens+1), Attrs: make([]uint32, tokens)}
	for i := range s.AttrOffsets {
		s.AttrOffsets[i] = uint32(i)
	}
	d, err := m.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, step := range map[string]func() error{
		"scores":    func() error { d.Load(s); return d.lattice.err() },
		"best":      func() error { d.viterbi.done = false; _, _, err := d.Viterbi(); return err },
		"marginals": func() error { d.summed = false; d.Marginal(0, 0); return d.lattice.err() },
	} {
		d.Within(context.Background())
		d.Load(s)
		ctx, cancel := context.WithCancel(t.Context())
		d.Within(ctx)
		cancel()
		watch := testtime.Start()
		if err := step(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if took := watch.Took(); took > testtime.Allow(time.Second) {
			t.Errorf("%s took %s after the end of the context", name, took)
		}
	}
	d.Within(t.Context())
	d.Load(s)
	if best, _, err := d.Viterbi(); err != nil || len(best) != tokens {
		t.Errorf("after that the decoder gives %d labels, %v", len(best), err)
	}
}
