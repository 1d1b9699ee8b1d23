package pairwise

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"parlance/algo/engine/mcmc"
	"parlance/algo/engine/partition"
	"parlance/algo/resolve/record"
)

// block is records of n persons, all in one block.
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

// TestChains: the first of several chains is that of one alone, the state kept is the best, and scores are those
// of the states, of Gibbs steps too.
func TestChains(t *testing.T) {
	l := block(t, 300, 12)
	run := func(change func(*Options)) *Result {
		o := standard()
		change(&o)
		out, err := Run(context.Background(), &Task{Local: l}, &o)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	gain := func(r *Result) (sum float64) {
		for _, s := range r.Sweeps {
			sum += s.Gain
		}
		return sum
	}
	one := run(func(*Options) {})
	many := run(func(o *Options) { o.Chains = 4 })
	if len(many.Samples) != 12 || len(many.Scores) != 12 || !reflect.DeepEqual(many.Samples[:3], one.Samples) ||
		!reflect.DeepEqual(many.Scores[:3], one.Scores) || reflect.DeepEqual(many.Samples[6:9], one.Samples) {
		t.Errorf("%d samples, %d scores", len(many.Samples), len(many.Scores))
	}
	if many.Sweeps[0].Proposals < 3*one.Sweeps[0].Proposals {
		t.Errorf("%d proposals of four chains, %d of one", many.Sweeps[0].Proposals, one.Sweeps[0].Proposals)
	}
	score := func(labels []int32) float64 {
		return mcmc.NewPartition(partition.FromLabels(labels), record.NewPairs(l), mcmc.PartitionOptions{}).Score()
	}
	for _, r := range []*Result{one, many, run(func(o *Options) { o.Gibbs, o.Chains = 300, 3 })} {
		if got := score(r.Labels); math.Abs(got-gain(r)) > 1e-6 {
			t.Errorf("the trace gains %v, the state scores %v", gain(r), got)
		}
		for k, s := range r.Samples {
			if got := score(s); math.Abs(got-r.Scores[k]) > 1e-6 {
				t.Errorf("sample %d scores %v, told is %v", k, got, r.Scores[k])
			}
		}
	}
	worst := run(func(o *Options) { o.Chains, o.Seed = 3, 7 })
	if first := run(func(o *Options) { o.Seed = 7 }); gain(worst) <= gain(first) {
		t.Errorf("three chains end at %v, the first alone at %v", gain(worst), gain(first))
	}
}
