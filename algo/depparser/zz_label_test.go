package depparser

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
)

func TestLabelScratch(t *testing.T) {
	if os.Getenv("LB") == "" {
		t.Skip()
	}
	c, _ := strconv.ParseFloat(os.Getenv("LB"), 64)
	train, dev := readConllu("/work/shared/data/ud/en_ewt.train.conllu"), readConllu("/work/shared/data/ud/en_ewt.dev.conllu")
	m := &model{}
	s := &option.Set{}
	m.Options(s)
	s.Apply(nil)
	b, err := m.read(context.Background(), kind.Documents(train))
	if err != nil {
		t.Fatal(err)
	}
	b2, _ := m.read(context.Background(), kind.Documents(dev))
	l := newLabeler(b.labels, standard, labelBits)
	for _, it := range b.items {
		l.observe(it)
	}
	x, steps := labelling{l: l}, 0.0
	rng := rand.New(rand.NewPCG(1, 3))
	conf := map[string]int{}
	defer func() {
		type kv struct {
			k string
			v int
		}
		var l []kv
		for k, v := range conf {
			l = append(l, kv{k, v})
		}
		slices.SortFunc(l, func(a, b kv) int { return b.v - a.v })
		fmt.Println(l[:40])
	}()
	for e := 1; e <= 4; e++ {
		wrong, _ := x.learn(context.Background(), b.items, c, rng, &steps)
		av := *l
		av.table = l.table.averaged(steps)
		y := labelling{l: &av}
		hit, n, cand := 0, 0, 0
		out := make([]uint16, 1000)
		for _, it := range b2.items {
			y.label(&it.sentence, it.gold, out)
			for k := 1; k <= it.n; k++ {
				n++
				if l.labels[out[k]] == b2.labels[it.labels[k]] {
					hit++
				} else if e == 4 {
					conf[b2.labels[it.labels[k]]+">"+l.labels[out[k]]]++
				}
				for _, ch := range l.choices(&it.sentence, int(it.gold[k]), k) {
					if l.labels[ch] == b2.labels[it.labels[k]] {
						cand++
					}
				}
			}
		}
		fmt.Printf("epoch %d wrong %d  dev %.3f  candidates %.3f\n", e, wrong, 100*float64(hit)/float64(n), 100*float64(cand)/float64(n))
	}
}
