package pairwise

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"parlance/algo/engine/mcmc"
	"parlance/algo/resolve/record"
)

// block is records of so many persons, all in one block.
func block(t testing.TB, n, persons int) *record.Local {
	t.Helper()
	list, err := record.ParseAttributes([]string{"first name, title words 2, who list 2"})
	if err != nil {
		t.Fatal(err)
	}
	b, r := record.NewBuilder(list), mcmc.NewRand(5)
	var items []int32
	for i := range n {
		p := i % persons
		word := func() string { return string(rune('a'+p%20)) + string(rune('a'+r.Intn(9))) }
		if err := b.Add([]string{[]string{"ann", "a"}[r.Intn(2)], word() + " " + word() + " the",
			string(rune('a'+p)) + ";" + string(rune('a'+r.Intn(20)))}); err != nil {
			t.Fatal(err)
		}
		items = append(items, int32(i))
	}
	s := b.Store(nil)
	return record.NewLocalizer(s).Local(items, s.Weigh(record.Weights(list), .2))
}

func standard() Options {
	return Options{Proposal: mcmc.ByPartner, Merge: 16, Sweeps: 10, Schedule: mcmc.Schedule{First: .3, Last: .1},
		Samples: 3, Every: 2, Temperature: .1, Seed: 4}
}

// TestSameChain: the ways of adding factors up give the same chain, and so does a sampler that draws all factors.
func TestSameChain(t *testing.T) {
	l := block(t, 300, 12)
	run := func(e Evaluation, s mcmc.Sampler) *Result {
		o := standard()
		o.Evaluation, o.Sampler = e, s
		out, err := Run(context.Background(), &Task{Local: l}, &o)
		if err != nil {
			t.Fatal(err)
		}
		out.Built = 0
		for i := range out.Sweeps {
			out.Sweeps[i].Factors = 0
		}
		return out
	}
	want := run(Pairs, mcmc.Sampler{})
	for _, e := range []Evaluation{Auto, Sums, Dense} {
		if got := run(e, mcmc.Sampler{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives another chain", Evaluations[e])
		}
	}
	if got := run(Pairs, mcmc.Sampler{Strategy: mcmc.Uniform, Proportion: 1}); !reflect.DeepEqual(got.Labels,
		want.Labels) {
		t.Error("a share of 1 gives another chain")
	}
	if n := len(want.Samples); n != 3 {
		t.Errorf("%d samples", n)
	}
}

func TestTimeAndContext(t *testing.T) {
	l := block(t, 300, 12)
	o := standard()
	out, err := Run(context.Background(), &Task{Local: l, Until: time.Now().Add(-time.Second), Labels: make([]int32,
		300)}, &o)
	if err != nil || !out.Stopped || len(out.Sweeps) > 0 || out.Labels[299] != 0 {
		t.Errorf("without time: %v, stopped %v, %d sweeps", err, out.Stopped, len(out.Sweeps))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, &Task{Local: l}, &o); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run gives %v", err)
	}
}
