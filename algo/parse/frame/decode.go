package frame

import (
	"context"
	"math"
)

// MostCore is the number of core roles that Decode tells apart at most.
const MostCore = 12

// Cores numbers the core roles among labels from 0, MostCore at most; others have −1. It is nil if no label is another
// one than core, for then there may be more candidates than labels.
func Cores(labels []string) []int {
	out := make([]int, len(labels))
	n := 0
	for y, l := range labels {
		if out[y] = -1; Core(l) && n < MostCore {
			out[y] = n
			n++
		}
	}
	if n == len(labels) {
		return nil
	}
	return out
}

// Decode gives each candidate the label that makes the product of probabilities the largest, where no core label comes
// twice. logs are log-probabilities, a row a candidate; core[y] is the number of a core label from 0, −1 for others. It
// looks at every set of core labels in use (2^k of them for k core labels): best(S) of the first candidates is
//
//	max( best′(S) + max of labels that are not core,  max_{c ∈ S} best′(S∖c) + log P(c) ).
//
// Ties go to the label that comes first. One label at least is not core.
func Decode(ctx context.Context, logs [][]float64, core []int) ([]int, error) {
	k := 0
	for _, c := range core {
		k = max(k, c+1)
	}
	label := make([]int, k)
	for y, c := range core {
		if c >= 0 {
			label[c] = y
		}
	}
	best := make([]float64, 1<<k)
	for s := 1; s < len(best); s++ {
		best[s] = math.Inf(-1)
	}
	back := make([]int16, len(logs)<<k)
	next := make([]float64, 1<<k)
	for i, row := range logs {
		if i&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		free := -1
		for y, v := range row {
			if core[y] < 0 && (free < 0 || v > row[free]) {
				free = y
			}
		}
		for s := range next {
			next[s] = best[s] + row[free]
			choice := free
			for c := range k {
				if s>>c&1 == 1 {
					if v := best[s&^(1<<c)] + row[label[c]]; v > next[s] {
						next[s], choice = v, label[c]
					}
				}
			}
			back[i<<k+s] = int16(choice)
		}
		best, next = next, best
	}
	state := 0
	for s, v := range best {
		if v > best[state] {
			state = s
		}
	}
	out := make([]int, len(logs))
	for i := len(logs) - 1; i >= 0; i-- {
		out[i] = int(back[i<<k+state])
		if c := core[out[i]]; c >= 0 {
			state &^= 1 << c
		}
	}
	return out, nil
}
