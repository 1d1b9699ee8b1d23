package parallel_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"parlance/algo/numeric/parallel"
	"parlance/algo/numeric/pool"
)

// turn computes for about n nanoseconds, the same code whoever calls it.
//
//go:noinline
func turn(steps int) (x uint64) {
	x = uint64(steps)
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

var sink [64]uint64

// BenchmarkLoops does 1024 shards of some steps by each way of doing them.
func BenchmarkLoops(b *testing.B) {
	const shards = 1024
	for _, steps := range []int{10, 1000} {
		for _, workers := range []int{1, 2} {
			name := fmt.Sprintf("steps=%d/workers=%d/", steps, workers)
			b.Run(name+"For", func(b *testing.B) {
				ctx := context.Background()
				for b.Loop() {
					if err := parallel.For(ctx, workers, shards,
						func(w, _ int) error { sink[w*8] += turn(steps); return nil }); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"Each", func(b *testing.B) {
				for b.Loop() {
					parallel.Each(workers, shards, func(w, _ int) { sink[w*8] += turn(steps) })
				}
			})
			b.Run(name+"pool", func(b *testing.B) {
				p := pool.New(workers)
				defer p.Close()
				for b.Loop() {
					p.Each(shards, func(w, _ int) { sink[w*8] += turn(steps) })
				}
			})
			b.Run(name+"WaitGroup", func(b *testing.B) {
				for b.Loop() {
					var wait sync.WaitGroup
					for w := range workers {
						from, to := parallel.Shard(w, shards, workers)
						wait.Go(func() {
							for range to - from {
								sink[w*8] += turn(steps)
							}
						})
					}
					wait.Wait()
				}
			})
		}
	}
}

// BenchmarkUneven has one shard of a hundred that is as long as ten others: who is free takes the next.
func BenchmarkUneven(b *testing.B) {
	for b.Loop() {
		parallel.Each(2, 100, func(w, i int) {
			steps := 10_000
			if i == 99 {
				steps *= 10
			}
			sink[w*8] += turn(steps)
		})
	}
}
