package partition

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// snapshot is all that a caller can see of a partition.
func snapshot(p *Partition) (s [][]int32) {
	s = append(s, slices.Clone(p.cluster), slices.Clone(p.ids), slices.Clone(p.Clusters()))
	for c := range p.Len() {
		s = append(s, slices.Clone(p.Members(c)))
	}
	return s
}

// TestPartitionAgainstLabels runs random changes beside a plain list of labels.
func TestPartitionAgainstLabels(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(r, "n")
		p, labels := New(n), make([]int32, n)
		for i := range labels {
			labels[i] = int32(i)
		}
		var before [][]int32
		var labelsBefore []int32
		item, id := rapid.IntRange(0, n-1), rapid.IntRange(0, n-1)
		for range rapid.IntRange(0, 60).Draw(r, "steps") {
			switch rapid.IntRange(0, 5).Draw(r, "step") {
			case 0, 1:
				i, c := item.Draw(r, "item"), id.Draw(r, "to")
				p.Move(i, c)
				labels[i] = int32(c)
			case 2:
				i := item.Draw(r, "item")
				alone, was := p.Size(int(labels[i])) == 1, labels[i]
				labels[i] = int32(p.Isolate(i))
				if alone != (labels[i] == was) {
					r.Fatalf("item %d of %d went to %d", i, was, labels[i])
				}
			case 3:
				a, b := id.Draw(r, "into"), id.Draw(r, "from")
				p.Merge(a, b)
				for i, c := range labels {
					if int(c) == b {
						labels[i] = int32(a)
					}
				}
			case 4:
				p.Begin()
				before, labelsBefore = snapshot(p), slices.Clone(labels)
			case 5:
				if before == nil {
					continue
				}
				p.Rollback()
				if now := snapshot(p); !slices.EqualFunc(now, before, slices.Equal) {
					r.Fatalf("rolled back to %v, not %v", now, before)
				}
				before, labels = nil, labelsBefore
			}
			checkAgainst(r, p, labels)
		}
	})
}

func checkAgainst(r *rapid.T, p *Partition, labels []int32) {
	if err := p.Check(); err != nil {
		r.Fatal(err)
	}
	if !slices.Equal(p.Labels(nil), appendLabels(nil, labels)) {
		r.Fatalf("labels %v, want %v", p.Labels(nil), labels)
	}
	used := 0
	for c := range p.Len() {
		var want []int32
		for i, y := range labels {
			if int(y) == c {
				want = append(want, int32(i))
			}
		}
		got := slices.Sorted(slices.Values(p.Members(c)))
		if !slices.Equal(got, want) || p.Size(c) != len(want) {
			r.Fatalf("cluster %d has %v, want %v", c, got, want)
		}
		if slices.Contains(p.Clusters(), int32(c)) != (len(want) > 0) {
			r.Fatalf("cluster %d of %d members among %v", c, len(want), p.Clusters())
		}
		if len(want) > 0 {
			used++
		}
	}
	if used != len(p.Clusters()) {
		r.Fatalf("%d clusters in use, want %d", len(p.Clusters()), used)
	}
}

func TestRollback(t *testing.T) {
	const n = 8
	p, rng := New(n), rand.New(rand.NewPCG(4, 5))
	for range 2000 {
		before := snapshot(p)
		p.Begin()
		for range 1 + rng.IntN(6) {
			p.Move(rng.IntN(n), rng.IntN(n))
		}
		if rng.IntN(2) == 0 {
			p.Commit()
			continue
		}
		p.Rollback()
		if now := snapshot(p); !slices.EqualFunc(now, before, slices.Equal) {
			t.Fatalf("rolled back to %v, not %v", now, before)
		}
	}
}

func TestFromLabels(t *testing.T) {
	for _, c := range []struct{ labels, want []int32 }{
		{nil, nil}, {[]int32{7}, []int32{0}}, {[]int32{-1, 5, -1, 5, 9}, []int32{0, 1, 0, 1, 2}},
		{[]int32{3, 3, 3}, []int32{0, 0, 0}},
	} {
		p := FromLabels(c.labels)
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		for i, y := range c.want {
			if p.Cluster(i) != int(y) {
				t.Errorf("%v: item %d in %d, want %d", c.labels, i, p.Cluster(i), y)
			}
		}
	}
}

// TestMovesDoNotAllocate: a partition that has had its sizes needs no more memory.
func TestMovesDoNotAllocate(t *testing.T) {
	p, rng := New(1000), rand.New(rand.NewPCG(1, 1))
	run := func() {
		p.Begin()
		for range 1000 {
			p.Move(rng.IntN(1000), rng.IntN(30))
		}
		p.Rollback()
	}
	for range 50 {
		run()
	}
	if n := testing.AllocsPerRun(20, run); n > 1 {
		t.Errorf("%v allocations", n)
	}
	if size := len(p.arena); size > 32*1000 {
		t.Errorf("room for %d members of 1000 items", size)
	}
}

func TestUnionFind(t *testing.T) {
	ties := NewUnionFind(4)
	if ties.Union(3, 1); ties.Find(3) != 1 {
		t.Errorf("of two items %d stands for both", ties.Find(3))
	}
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(r, "n")
		u, p := NewUnionFind(n), New(n)
		item := rapid.Int32Range(0, int32(n)-1)
		for range rapid.IntRange(0, 40).Draw(r, "steps") {
			a, b := item.Draw(r, "a"), item.Draw(r, "b")
			apart := p.Cluster(int(a)) != p.Cluster(int(b))
			if u.Union(a, b) != apart {
				r.Fatalf("union of %d and %d, apart %v", a, b, apart)
			}
			p.Merge(p.Cluster(int(a)), p.Cluster(int(b)))
			if u.Sets() != len(p.Clusters()) || u.Size(a) != p.Size(p.Cluster(int(a))) {
				r.Fatalf("%d sets, want %d, that of %d has %d items", u.Sets(), len(p.Clusters()), a, u.Size(a))
			}
		}
		if !slices.Equal(u.Labels(nil), p.Labels(nil)) {
			r.Fatalf("%v, want %v", u.Labels(nil), p.Labels(nil))
		}
	})
}

// TestSpanningForest compares with all sets of edges.
func TestSpanningForest(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 400 {
		n := 1 + rng.IntN(5)
		edges := randomEdges(rng, n, .7, func() float64 { return float64(rng.IntN(9) - 4) })
		threshold := float64(rng.IntN(7)-4) + .5
		if rng.IntN(4) == 0 {
			threshold = math.Inf(-1)
		}
		f, err := SpanningForest(context.Background(), n, edges, threshold)
		if err != nil {
			t.Fatal(err)
		}
		best, most := math.Inf(-1), 0
		for set := range 1 << len(edges) {
			sets, sum, size, ok := NewUnionFind(n), 0.0, 0, true
			for i, e := range edges {
				if set>>i&1 == 1 {
					ok = ok && e.Weight > threshold && sets.Union(e.A, e.B)
					sum += e.Weight
					size++
				}
			}
			if ok && (size > most || size == most && sum > best) {
				best, most = sum, size
			}
		}
		sets, sum := NewUnionFind(n), 0.0
		for _, i := range f.Edges {
			sets.Union(edges[i].A, edges[i].B)
			sum += edges[i].Weight
		}
		if len(f.Edges) != most || f.Weight != best || sum != best || !slices.Equal(f.Labels, sets.Labels(nil)) {
			t.Fatalf("%+v of %v above %v, want weight %v of %d edges", f, edges, threshold, best, most)
		}
	}
	f, err := SpanningForest(context.Background(), 3, []Edge{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}}, 0)
	if err != nil || !slices.Equal(f.Edges, []int32{0, 1}) {
		t.Errorf("ties: %+v %v", f, err)
	}
	if _, err := SpanningForest(context.Background(), 2, []Edge{{0, 2, 1}}, 0); !errors.Is(err, ErrInvalid) {
		t.Errorf("item out of range: %v", err)
	}
}

func TestClosure(t *testing.T) {
	must := [][2]int32{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {5, 4}, {1, 0}}
	labels, err := Closure(ctx, 7, must, [][2]int32{{0, 4}, {6, 1}})
	if err != nil || !slices.Equal(labels, []int32{0, 0, 0, 0, 1, 1, 2}) {
		t.Errorf("%v %v", labels, err)
	}
	_, err = Closure(ctx, 7, must, [][2]int32{{2, 0}, {0, 4}, {4, 5}})
	var c *Contradiction
	if !errors.As(err, &c) || len(c.Conflicts) != 2 {
		t.Fatalf("%v", err)
	}
	for i, want := range []Conflict{
		{[2]int32{2, 0}, [][2]int32{{2, 1}, {1, 0}}},
		{[2]int32{4, 5}, [][2]int32{{4, 5}}},
	} {
		if got := c.Conflicts[i]; got.Cannot != want.Cannot || !slices.Equal(got.Chain, want.Chain) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	const joined = " must not be together, but are joined by "
	if s := err.Error(); s != "items 2 and 0"+joined+"(2, 1) (1, 0); 2 such pairs in all" {
		t.Error(s)
	}
	long := [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}
	if _, err := Closure(ctx, 7, long, [][2]int32{{0, 6}}); err == nil ||
		err.Error() != "items 0 and 6"+joined+"(0, 1) (1, 2) (2, 3) (3, 4) and 2 more pairs" {
		t.Error(err)
	}
	for _, bad := range [][2]int32{{0, 7}, {3, 3}, {-1, 2}} {
		if _, err := Closure(ctx, 7, nil, [][2]int32{bad}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Closure(done, 7, long, [][2]int32{{0, 6}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
