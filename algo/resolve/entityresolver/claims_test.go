package entityresolver

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"parlance/algo/engine/mcmc"
	"parlance/algo/engine/partition"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/resolve/layers"
	"parlance/algo/resolve/pairwise"
	"parlance/algo/resolve/record"
	"parlance/algo/resolve/resolvetest"
	"parlance/algo/testutil/testtime"
)

// oneName is generated records of persons who share a name, all in one block, and their entities.
func oneName(t testing.TB, n, most int, seed uint64, attributes string) (*record.Store, []int32, []float64, []int32) {
	t.Helper()
	list, err := record.ParseAttributes([]string{attributes})
	if err != nil {
		t.Fatal(err)
	}
	b := record.NewBuilder(list)
	var items, gold []int32
	for i, a := range resolvetest.Generate(n, most, seed) {
		if err := b.Add([]string{a.Coauthors, a.Title, a.Venue}); err != nil {
			t.Fatal(err)
		}
		items, gold = append(items, int32(i)), append(gold, int32(a.Entity))
	}
	return b.Store(nil), items, record.Weights(list), gold
}

const oneNameAttributes = "coauthors list 2, title words 2, venue string .3 0"

func b3(gold, labels []int32) float64 {
	list := metrics.Clusters(gold, labels, 1)
	return list[0].Value()
}

// learned are weights and bias of pairs of generated records, by logistic regression.
func learned(t testing.TB) ([]float64, float64) {
	list := resolvetest.Generate(2000, 300, 9)
	for i := range list {
		list[i].Block, list[i].First = "all", ""
	}
	m, _ := trained(t, authors{list: list}, 1, 1, authorOptions(authorAttributes, kindtest.Arg("weights", "logistic"),
		kindtest.Arg("sweeps", 1), kindtest.Arg("samples", 0)))
	return m.weights[3:], m.Info.Bias // the first names have none
}

// point is a state of a run: its score, and what it took.
type point struct {
	b3                float64
	factors, proposal int64
	seconds           float64
}

// reaches is the first point with a score.
func reaches(list []point, b3 float64) (point, bool) {
	for _, p := range list {
		if p.b3 >= b3 {
			return p, true
		}
	}
	return point{}, false
}

// TestSampledFactors has the table of Singh, Wick and McCallum (2012): factors to 90 % of the final B3 of all factors.
func TestSampledFactors(t *testing.T) {
	slow(t)
	s, items, _, gold := oneName(t, 4000, 800, 3, oneNameAttributes)
	w, bias := learned(t)
	local := record.NewLocalizer(s).Local(items, s.Weigh(w, bias))
	run := func(sampler mcmc.Sampler) []point {
		var out []point
		began, spent := time.Now(), time.Duration(0)
		o := pairwise.Options{Evaluation: pairwise.Pairs, Sampler: sampler, Proposal: mcmc.ByPartner, Sweeps: 60,
			Schedule: mcmc.Schedule{First: 1, Last: .1}, Seed: 1}
		o.Watch = func(_ int, state *partition.Partition, total mcmc.Trace) {
			spent += time.Since(began)
			out = append(out, point{b3(gold, state.Labels(nil)), total.Factors, total.Proposals, spent.Seconds()})
			began = time.Now()
		}
		if _, err := pairwise.Run(context.Background(), &pairwise.Task{Local: local}, &o); err != nil {
			t.Fatal(err)
		}
		return out
	}
	exact := run(mcmc.Sampler{})
	final := exact[len(exact)-1].b3
	base, _ := reaches(exact, .9*final)
	show := func(name string, list []point) {
		last := list[len(list)-1]
		p, ok := reaches(list, .9*final)
		if !ok {
			fmt.Printf("| %s | never | | | %.3f |\n", name, last.b3)
			return
		}
		fmt.Printf("| %s | %.2f M | %.1f | %.2f | %.3f |\n", name, float64(p.factors)/1e6,
			float64(base.factors)/float64(p.factors), p.seconds, last.b3)
	}
	show("exact", exact)
	for _, least := range []int{2, 20} {
		for _, p := range []float64{.75, .5, .3, .2, .1, .05, .02, .01} {
			show(fmt.Sprintf("p = %v, least %d", p, least), run(mcmc.Sampler{Strategy: mcmc.Uniform, Proportion: p,
				Least: least}))
		}
		for _, i := range []float64{.1, .2, .5, 1, 2, 5, 10} {
			show(fmt.Sprintf("i = %v, least %d", i, least), run(mcmc.Sampler{Strategy: mcmc.Confidence, Width: i,
				Z: 1.96, Least: least}))
		}
	}
}

// manyOfFew are 60 records each of 50 persons who share a name.
func manyOfFew(t testing.TB, seed uint64) (*record.Store, []int32, []int32) {
	t.Helper()
	list, err := record.ParseAttributes([]string{oneNameAttributes})
	if err != nil {
		t.Fatal(err)
	}
	b := record.NewBuilder(list)
	var items, gold []int32
	for p := range int32(50) {
		for _, a := range resolvetest.Generate(60, 60, seed+uint64(p)) {
			if err := b.Add([]string{a.Coauthors, a.Title, a.Venue}); err != nil {
				t.Fatal(err)
			}
			items, gold = append(items, int32(len(items))), append(gold, p)
		}
	}
	return b.Store(nil), items, gold
}

// TestLayersAgainstPairs has B3 after n million proposals, by layers and shards (Singh et al. 2011), with moves
// to a cluster drawn from all, as in the paper.
func TestLayersAgainstPairs(t *testing.T) {
	slow(t)
	s, items, gold := manyOfFew(t, 200)
	w, bias := learned(t)
	layersAgainstPairs(t, s, items, gold, w, bias)
}

// TestLayersOfMentions has the same of mentions of persons in real texts, all of one made-up name.
func TestLayersOfMentions(t *testing.T) {
	slow(t)
	all := pseudoNames(t)
	m, _ := trained(t, all, 1, 1, []option.Arg{kindtest.Arg("attributes", all.attributes),
		kindtest.Arg("blocking", "name"), kindtest.Arg("weights", "logistic"), kindtest.Arg("samples", 0)})
	list, err := record.ParseAttributes([]string{all.attributes})
	if err != nil {
		t.Fatal(err)
	}
	count := map[int]int{}
	for _, r := range all.list {
		count[r.entity]++
	}
	b := record.NewBuilder(list)
	var items, gold []int32
	for _, r := range all.list {
		if r.learned || count[r.entity] < 20 {
			continue
		}
		if err := b.Add(r.values[:1]); err != nil {
			t.Fatal(err)
		}
		items, gold = append(items, int32(len(items))), append(gold, int32(r.entity))
	}
	fmt.Printf("%d mentions of %d persons\n", len(items), len(partition.FromLabels(gold).Clusters()))
	layersAgainstPairs(t, b.Store(nil), items, gold, m.weights, m.Info.Bias)
}

func layersAgainstPairs(t *testing.T, s *record.Store, items, gold []int32, w []float64, bias float64) {
	marks := []float64{.2, .4, .8, 1.6, 3.2, 6.4}
	run := func(name string, up float64, o layers.Options) {
		o.Weights, o.Bias, o.SubBias, o.SuperBias, o.Seed = w, bias+up, bias+up+1, bias-1, 1
		o.Proposal, o.Evaluation, o.Schedule = mcmc.ByCluster, pairwise.Sums, mcmc.Schedule{First: 1, Last: .1}
		o.Rounds, o.Sweeps = 400, 6
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		fmt.Printf("| %s | %d |", name, o.Shards)
		k, watch := 0, testtime.Start()
		o.Watch = func(_ int, labels []int32, total mcmc.Trace) {
			for ; k < len(marks) && float64(total.Proposals) >= marks[k]*1e6; k++ {
				fmt.Printf(" %.3f, %.1f s |", b3(gold, partition.FromLabels(labels).Labels(nil)),
					watch.Took().Seconds())
			}
			if k == len(marks) {
				stop()
			}
		}
		if _, err := layers.Run(ctx, &layers.Task{Store: s, Items: items}, 1, &o); err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		fmt.Println()
	}
	for _, shards := range []int{1, 4} {
		run("entities", 0, layers.Options{Shards: shards})
		run("sub", 1, layers.Options{Sub: true, Shards: shards})
	}
	run("super", 0, layers.Options{Super: true, Shards: 4})
	run("combined", 1, layers.Options{Sub: true, Super: true, Shards: 4})
	run("combined", 1, layers.Options{Sub: true, Super: true, Shards: 16})
}

// twoPersons are the records of two persons, size records each.
func twoPersons(b *testing.B, size int) (*record.Store, []int32, []float64) {
	list, err := record.ParseAttributes([]string{oneNameAttributes})
	if err != nil {
		b.Fatal(err)
	}
	z := record.NewBuilder(list)
	var items []int32
	for seed := range uint64(2) {
		for _, a := range resolvetest.Generate(size, size, seed) {
			if err := z.Add([]string{a.Coauthors, a.Title, a.Venue}); err != nil {
				b.Fatal(err)
			}
			items = append(items, int32(len(items)))
		}
	}
	return z.Store(nil), items, record.Weights(list)
}

// BenchmarkProposal is a proposal in entities of several sizes, that is rejected or taken.
func BenchmarkProposal(b *testing.B) {
	for _, size := range []int{10, 100, 1000, 10000, 100000} {
		for _, e := range []pairwise.Evaluation{pairwise.Sums, pairwise.Pairs} {
			if e == pairwise.Pairs && size > 10000 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", pairwise.Evaluations[e], size), func(b *testing.B) {
				s, items, w := twoPersons(b, size)
				gold := make([]int32, len(items))
				for i := range gold {
					gold[i] = int32(i / size)
				}
				local := record.NewLocalizer(s).Local(items, s.Weigh(w, .1))
				state := partition.FromLabels(gold)
				var a mcmc.Affinity = record.NewPairs(local)
				if e == pairwise.Sums {
					a = record.NewBags(local, state)
				}
				c := mcmc.NewChain(mcmc.NewPartition(state, a, mcmc.PartitionOptions{Proposal: mcmc.ByCluster}), 1)
				c.Temperature = 1e-3 // hardly any is accepted, so that the sizes stay
				runtime.GC()
				b.ResetTimer()
				watch := testtime.Start()
				for b.Loop() {
					c.Step()
				}
				b.ReportMetric(float64(watch.Took().Nanoseconds())/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
