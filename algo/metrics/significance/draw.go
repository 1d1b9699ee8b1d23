package significance

import (
	"context"
	"math/rand/v2"

	"parlance/algo/numeric/parallel"
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

// each calls work for 0 … n−1. It ends early when the context does.
func each(ctx context.Context, n, workers int, work func(worker, number int)) error {
	return parallel.For(ctx, workers, n, func(worker, number int) error {
		work(worker, number)
		return nil
	})
}
