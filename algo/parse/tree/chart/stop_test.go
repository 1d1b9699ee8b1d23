package chart

import (
	"context"
	"testing"
	"time"

	"parlance/algo/parse/tree"
	"parlance/algo/testutil/testtime"
)

// TestStops: searches over all arcs of long sentences end within 100 ms of their context.
func TestStops(t *testing.T) {
	limit := testtime.Allow(100 * time.Millisecond)
	for _, x := range []struct {
		f tree.Factorization
		n int
	}{{tree.Sibling, 200}, {tree.Carreras, 200}, {tree.Model0, 150}, {tree.Model1, 80}, {tree.Model2, 80}} {
		var p tree.Parts
		p.Full(x.n)
		p.Reset(x.f.Types())
		score, mu, heads := make([]float64, p.Len()), make([]float64, p.Len()), make([]int32, x.n+1)
		d := New(x.f, true)
		for name, search := range map[string]func() bool{
			"Best":      func() bool { _, ok := d.Best(&p, score, heads); return ok },
			"Marginals": func() bool { _, ok := d.Marginals(&p, score, mu); return ok },
			"KBest":     func() bool { return len(d.KBest(&p, score, 2, nil)) > 0 },
		} {
			late := time.Hour
			for range 10 { // the machine may be busy
				took, found := stopped(&p, search)
				if found {
					late = 0 // it was done before
				}
				if late = min(late, took); late < limit {
					break
				}
			}
			if late >= limit {
				t.Errorf("%v, %s: ended %v after its context", x.f, name, late)
			}
		}
	}
}

// stopped runs a search whose context ends after some milliseconds, and returns how long it went on.
func stopped(p *tree.Parts, search func() bool) (time.Duration, bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.Within(ctx)
	var watch testtime.Watch
	timer := time.AfterFunc(15*time.Millisecond, func() { watch = testtime.Start(); cancel() })
	found := search()
	if timer.Stop() {
		return 0, found
	}
	<-ctx.Done()
	return watch.Took(), found
}

// TestStopped: under a context that has ended nothing is found.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for f := tree.Sibling; f <= tree.Model2; f++ {
		var p tree.Parts
		p.Full(9)
		p.Reset(f.Types())
		p.Within(ctx)
		score, heads := make([]float64, p.Len()), make([]int32, 10)
		d := New(f, true)
		if _, ok := d.Best(&p, score, heads); ok {
			t.Errorf("%v: Best found a tree", f)
		}
		if _, ok := d.Marginals(&p, score, make([]float64, p.Len())); ok {
			t.Errorf("%v: Marginals", f)
		}
		if got := d.KBest(&p, score, 3, nil); len(got) > 0 {
			t.Errorf("%v: KBest found %d trees", f, len(got))
		}
		p.Within(context.Background())
		if _, ok := d.Best(&p, score, heads); !ok {
			t.Errorf("%v: no tree without an end", f)
		}
	}
}
