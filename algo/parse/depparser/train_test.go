package depparser

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/tree"
)

// faults decodes each sentence by itself and adds up the wrong heads and Σ score(best) − score(gold).
func faults(t *testing.T, p *parser, items []*item) (wrong int, loss float64) {
	t.Helper()
	w := p.worker()
	for _, it := range items {
		w.load(context.Background(), &it.sentence, it.keep)
		heads := make([]int32, w.parts.N+1)
		best, ok := w.decoder.Best(&w.parts, w.score, heads)
		if !ok {
			t.Fatal("a sentence has no tree")
		}
		loss += best - tree.Score(p.factorization, &w.parts, w.score, it.heads)
		for k := 1; k < len(heads); k++ {
			if heads[k] != it.heads[k] {
				wrong++
			}
		}
	}
	return wrong, loss
}

// TestEpochCounts: the loss and the wrong heads of an epoch are those of all sentences, of full batches and of the
// last, with any number of workers.
func TestEpochCounts(t *testing.T) {
	for _, x := range []struct {
		args  []option.Arg
		batch int
	}{
		{[]option.Arg{arg("factorization", "arc")}, maxBatch / 2},
		{[]option.Arg{arg("factorization", "model1"), arg("prune", 0.0)}, maxBatch},
	} {
		m := configured(t, append(x.args, arg("objective", "perceptron"), arg("labels", "none"))...)
		b, err := m.read(context.Background(), kind.Documents(treed(kindtest.Sample(30))), &knowledge{})
		if err != nil {
			t.Fatal(err)
		}
		p := m.empty()
		p.scorer = newScorer(lean, p.factorization.Types(), 14)
		random(p.scorer)
		if len(b.items) < 2*x.batch+1 || len(b.items)%x.batch == 0 || p.batch() != x.batch {
			t.Fatalf("%d sentences in batches of %d, not %d", len(b.items), p.batch(), x.batch)
		}
		wrong, loss := faults(t, p, b.items)
		for workers := 1; workers <= 3; workers++ {
			ws := make([]*worker, workers)
			for i := range ws {
				ws[i] = p.worker()
			}
			still := func(*gradient, float64) float64 { return 0 }
			l, k, err := p.epoch(context.Background(), b.items, m.objective(),
				newLearner(p.scorer), still, rand.New(rand.NewPCG(1, 2)), ws)
			if err != nil || k != wrong || math.Abs(l-loss) > 1e-6*loss {
				t.Errorf("%v, %d workers: %d heads wrong, loss %v; want %d and %v; error %v",
					p.factorization, workers, k, l, wrong, loss, err)
			}
		}
	}
}

// random draws the weights.
func random(s *scorer) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, tab := range s.tables() {
		if tab != nil {
			for i := range tab.w {
				tab.w[i] = float32(rng.NormFloat64())
			}
		}
	}
}

// TestProgressTellsHeads: the progress of the first epoch, one batch with weights of 0, tells how many heads are wrong.
func TestProgressTellsHeads(t *testing.T) {
	m := configured(t, arg("factorization", "arc"), arg("objective", "perceptron"), arg("epochs", 2),
		arg("labels", "none"))
	docs := kind.Documents(treed(kindtest.Sample(3)))
	b, err := m.read(context.Background(), docs, &knowledge{})
	if err != nil {
		t.Fatal(err)
	}
	p := m.empty()
	p.scorer = newScorer(lean, p.factorization.Types(), 10)
	wrong, _ := faults(t, p, b.items)
	var notes []string
	tr := &kind.Training{On: docs, Seed: 1, Workers: 1, Notice: func(string) {},
		Report: func(p kind.Progress) { notes = append(notes, p.Note) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	if len(b.items) > maxBatch/2 {
		t.Fatalf("%d sentences, of which not all are parsed with weights of 0", len(b.items))
	}
	if want := fmt.Sprintf("%d heads wrong", wrong); wrong == 0 || len(notes) != 2 || notes[0] != want {
		t.Errorf("progress %q, want %q first", notes, want)
	}
}

// TestEpochEnds: once the context has ended, an epoch makes no update and tells nothing.
func TestEpochEnds(t *testing.T) {
	m := configured(t, arg("factorization", "arc"), arg("objective", "perceptron"))
	b, err := m.read(context.Background(), kind.Documents(treed(kindtest.Sample(10))), &knowledge{})
	if err != nil {
		t.Fatal(err)
	}
	p := m.empty()
	p.scorer = newScorer(lean, p.factorization.Types(), 10)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l := newLearner(p.scorer)
	one := func(*gradient, float64) float64 { return 1 }
	loss, wrong, err := p.epoch(ctx, b.items, m.objective(), l, one, rand.New(rand.NewPCG(1, 2)), []*worker{p.worker()})
	if err != context.Canceled || loss != 0 || wrong != 0 || l.steps != 0 {
		t.Errorf("loss %v, %d heads wrong, %v steps, error %v", loss, wrong, l.steps, err)
	}
}
