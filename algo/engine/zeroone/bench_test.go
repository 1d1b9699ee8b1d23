package zeroone

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/testutil/testtime"
)

// chains is joint correction: candidates of four values, of which one is chosen, and neighbours that forbid pairs of
// values.
func chains(rng *rand.Rand, candidates int) *Problem {
	p := &Problem{}
	var vars [][]int
	for i := range candidates {
		var v []int
		for range 4 {
			v = append(v, p.Variable(rng.NormFloat64()))
		}
		p.ExactlyOne(fmt.Sprint("candidate ", i), v...)
		vars = append(vars, v)
		for range 2 {
			if i > 0 {
				other := vars[max(0, i-1-rng.IntN(3))]
				p.AtMostOne(fmt.Sprint("pair ", i), v[rng.IntN(4)], other[rng.IntN(4)])
				p.Implies(fmt.Sprint("implied ", i), v[rng.IntN(4)], other[rng.IntN(4)])
			}
		}
	}
	return p
}

// clustering is correlation clustering.
func clustering(rng *rand.Rand, n int) *Problem {
	p, _, _ := correlation(rng, n)
	return p
}

// links is coreference with strict links: mention i links to one mention before it or to none, and is together with
// those that it links to; what is together is transitive, and each is first in its cluster or linked.
func links(rng *rand.Rand, n int) *Problem {
	p, pair, _ := correlation(rng, n)
	for j := range n * (n - 1) / 2 {
		p.objective[j] *= .3
	}
	for i := range n {
		none := p.Variable(0)
		choices := []int{none}
		for j := range i {
			link := p.Variable(rng.NormFloat64())
			choices = append(choices, link)
			p.Implies("link", link, pair(j, i))
			p.AtMostOne("first", none, pair(j, i))
		}
		p.ExactlyOne("one link", choices...)
	}
	return p
}

// knapsacks has constraints with coefficients from 1 to 20.
func knapsacks(rng *rand.Rand, n int) *Problem {
	p := &Problem{}
	for range n {
		p.Variable(1 + rng.Float64())
	}
	for r := range max(1, n/5) {
		var terms []Term
		sum := 0
		for j := range n {
			if rng.IntN(2) == 0 {
				terms = append(terms, Term{j, 1 + rng.IntN(20)})
				sum += terms[len(terms)-1].Coef
			}
		}
		p.Constrain(fmt.Sprint("row ", r), terms, AtMost, sum/2)
	}
	return p
}

// BenchmarkGrowth grows three families of programs.
func BenchmarkGrowth(b *testing.B) {
	for _, family := range []struct {
		name  string
		sizes []int
		make  func(rng *rand.Rand, n int) *Problem
	}{
		{"correction/candidates", []int{10, 20, 40, 80, 160}, chains},
		{"clustering/items", []int{8, 10, 12, 14, 16, 18}, clustering},
		{"links/mentions", []int{8, 10, 12, 14, 16}, links},
		{"knapsacks/variables", []int{20, 30, 40, 50}, knapsacks},
	} {
		for _, n := range family.sizes {
			b.Run(fmt.Sprintf("%s=%d", family.name, n), func(b *testing.B) { benchSolve(b, n, family.make) })
		}
	}
}

func benchSolve(b *testing.B, n int, build func(rng *rand.Rand, n int) *Problem) {
	var problems []*Problem
	for seed := range uint64(10) {
		problems = append(problems, build(rand.New(rand.NewPCG(seed, 1)), n))
	}
	start, nodes, certified, gap := testtime.Processor(b), 0, 0, 0.0
	for b.Loop() {
		nodes, certified, gap = 0, 0, 0
		for _, p := range problems {
			s, err := p.Solve(ctx, Options{Nodes: 20_000})
			if err != nil {
				b.Fatal(err)
			}
			if nodes += s.Nodes; s.Certified {
				certified++
			}
			gap += s.Gap() / max(1e-9, s.Value, -s.Value)
		}
	}
	b.ReportMetric((testtime.Processor(b)-start)*1e3/float64(b.N)/10, "cpu-ms/solve")
	b.ReportMetric(float64(nodes)/10, "nodes")
	b.ReportMetric(float64(certified)*10, "%certified")
	b.ReportMetric(gap*10, "%gap")
}
