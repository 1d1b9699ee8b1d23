package logicembedding

import (
	"fmt"
	"testing"

	"parlance/algo/kb/logic"
	"parlance/algo/kindtest"
)

func BenchmarkSteps(b *testing.B) {
	for _, k := range []int{4, 50} {
		train, _ := synthetic(200, 5, true, 1)
		m := learn(b, train, 1, nil, kindtest.Arg("k", k), kindtest.Arg("epochs", 1))
		s := &stepper{embedding: m.emb, eta: 0.05, l2: 0.05}
		b.Run(fmt.Sprintf("fact k=%d", k), func(b *testing.B) {
			for i := range b.N {
				f := m.know.facts[i%len(m.know.facts)]
				s.fact(f.relation, f.pair, logic.True, 1)
			}
		})
		b.Run(fmt.Sprintf("rule k=%d", k), func(b *testing.B) {
			pairs := make([]int32, 2)
			for i := range b.N {
				pairs[0] = int32(i % m.know.domain.Len())
				pairs[1] = pairs[0]
				s.instance(m.know.rules[i%len(m.know.rules)].bound, pairs, 1)
			}
		})
	}
}

// BenchmarkTrain learns 200 pairs, 20 relations and 15 rules in 100 epochs.
func BenchmarkTrain(b *testing.B) {
	train, _ := synthetic(200, 5, true, 1)
	for _, k := range []int{4, 20, 50} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			for range b.N {
				learn(b, train, 1, nil, kindtest.Arg("k", k))
			}
		})
	}
}
