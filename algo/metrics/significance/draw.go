package significance

import (
	"context"
	"math/rand/v2"
	"sync"
)

// Draws says how much is drawn.
type Draws struct {
	N       int    // resamples or shuffles
	Seed    uint64 // of all draws; the draw of a number is the same with any N
	Workers int    // goroutines, at least 1; the result does not depend on it
}

// source returns the random numbers of a draw: equal for equal seed and number, unrelated for
// neighbours.
func source(seed, stream uint64, number int) *rand.PCG {
	return rand.NewPCG(scramble(seed+scramble(stream)), scramble(uint64(number)))
}

// scramble is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// each calls work for consecutive parts of 0 … n−1, one after the other within each of at most
// the given number of goroutines. It ends early when the context does.
func each(ctx context.Context, n, workers int, work func(worker, number int)) error {
	workers = max(1, min(workers, n))
	var wait sync.WaitGroup
	for w := range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for k := n * w / workers; k < n*(w+1)/workers; k++ {
				if ctx.Err() != nil {
					return
				}
				work(w, k)
			}
		}()
	}
	wait.Wait()
	return ctx.Err()
}
