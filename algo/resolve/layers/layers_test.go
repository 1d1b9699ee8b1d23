package layers

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"parlance/algo/engine/mcmc"
	"parlance/algo/resolve/pairwise"
	"parlance/algo/resolve/record"
)

// people are records of n persons with words of their own and common ones, in one block.
func people(t *testing.T, persons, each int) (*record.Store, []int32, []float64) {
	t.Helper()
	list, err := record.ParseAttributes([]string{"context words 2"})
	if err != nil {
		t.Fatal(err)
	}
	b, r := record.NewBuilder(list), mcmc.NewRand(4)
	var items []int32
	for i := range persons * each {
		s := ""
		for range 6 {
			k := r.Intn(persons)
			if r.Intn(3) > 0 {
				k = i % persons
			}
			s += string(rune('a'+k)) + string(rune('a'+r.Intn(5))) + " "
		}
		if err := b.Add([]string{s}); err != nil {
			t.Fatal(err)
		}
		items = append(items, int32(i))
	}
	return b.Store(nil), items, record.Weights(list)
}

func options(weights []float64) Options {
	return Options{Weights: weights, Bias: .3, SubBias: .5, SuperBias: .1, Sub: true, Super: true, Shards: 3, Rounds: 5,
		Sweeps:   4,
		Schedule: mcmc.Schedule{First: .3, Last: .05}, Proposal: mcmc.ByPartner, Seed: 1}
}

// TestOneShard: a round of one shard without layers is the plain chain.
func TestOneShard(t *testing.T) {
	s, items, w := people(t, 6, 12)
	o := options(w)
	o.Sub, o.Super, o.Shards, o.Rounds = false, false, 1, 1
	got, err := Run(context.Background(), &Task{Store: s, Items: items}, 1, &o)
	if err != nil {
		t.Fatal(err)
	}
	l := level{store: s, bias: o.Bias, labels: items}
	if _, err := l.run(context.Background(), &o, o.Schedule.Last, 1, []uint64{2, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	number(l.labels)
	if !slices.Equal(l.labels, got.Entity) {
		t.Errorf("one shard gives %v, the chain %v", got.Entity, l.labels)
	}
	id := uint64(0)
	for _, x := range []uint64{2, 0, 0, 0} {
		id = mcmc.NewRand(id, x).Uint64()
	}
	local := record.NewLocalizer(s).Local(items, s.Weigh(w, o.Bias))
	x, err := pairwise.Run(context.Background(), &pairwise.Task{Local: local, Stream: id},
		&pairwise.Options{Proposal: o.Proposal, Sweeps: o.Sweeps,
			Schedule: mcmc.Schedule{First: .05, Last: .05}, Seed: 1, Evaluation: pairwise.Pairs})
	if err != nil {
		t.Fatal(err)
	}
	number(x.Labels)
	if !slices.Equal(x.Labels, got.Entity) {
		t.Errorf("one shard gives %v, pair by pair %v", got.Entity, x.Labels)
	}
}

// TestRounds: workers change nothing, layers lie in each other, what must be together is.
func TestRounds(t *testing.T) {
	s, items, w := people(t, 8, 15)
	must := slices.Clone(items)
	must[50], must[70] = 3, 3
	for _, layers := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		o := options(w)
		o.Sub, o.Super = layers[0], layers[1]
		run := func(workers int) *Result {
			out, err := Run(context.Background(), &Task{Store: s, Items: items, Must: must, Cannot: [][2]int32{{3, 1},
				{0, 8}}}, workers, &o)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		one, two := run(1), run(2)
		if !slices.Equal(one.Entity, two.Entity) || !slices.Equal(one.Sub, two.Sub) || !slices.Equal(one.Super,
			two.Super) {
			t.Errorf("%v: two workers give another result", layers)
		}
		inside(t, "sub-entities", one.Sub, one.Entity)
		if o.Super {
			inside(t, "entities", one.Entity, one.Super)
		}
		e := one.Entity
		if e[50] != e[3] || e[70] != e[3] || e[1] == e[50] || e[0] == e[8] {
			t.Errorf("%v: links are not obeyed", layers)
		}
		members, _ := groups(e)
		if n := len(members); n < 6 || n > 40 {
			t.Errorf("%v: %d entities", layers, n)
		}
	}
}

// inside tells whether each group of one layer lies in one of the next.
func inside(t *testing.T, what string, lower, upper []int32) {
	t.Helper()
	of := map[int32]int32{}
	for i, l := range lower {
		if u, ok := of[l]; ok && u != upper[i] {
			t.Fatalf("%s lie in several groups above", what)
		}
		of[l] = upper[i]
	}
}

// TestShardFiles: a shard that was written and read gives the same; nothing is lost in dealing.
func TestShardFiles(t *testing.T) {
	s, items, w := people(t, 8, 15)
	o := options(w)
	st := start(&Task{Store: s, Items: items}, &o)
	seen := map[int32]bool{}
	for _, f := range st.cut(0) {
		for _, i := range f.Items {
			if seen[i] {
				t.Fatalf("record %d is in two shards", i)
			}
			seen[i] = true
		}
		p, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		g, err := ReadShard(s.Attributes, p)
		if err != nil {
			t.Fatal(err)
		}
		if q, _ := g.MarshalBinary(); !bytes.Equal(p, q) {
			t.Error("what was read is written otherwise")
		}
		for _, x := range []*Shard{f, g} {
			if err := x.Map(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(f.Entity, g.Entity) || !slices.Equal(f.Sub, g.Sub) || f.Trace != g.Trace {
			t.Error("a shard from a file gives another result")
		}
		for cut := range len(p) {
			if _, err := ReadShard(s.Attributes, p[:cut]); err == nil {
				t.Fatalf("the first %d of %d bytes are read", cut, len(p))
			}
		}
	}
	if len(seen) != len(items) {
		t.Errorf("%d of %d records are in shards", len(seen), len(items))
	}
}
