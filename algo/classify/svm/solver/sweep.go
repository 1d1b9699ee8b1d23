package solver

import (
	"context"
	"math/rand/v2"
)

// block is how many neighbouring samples are visited together: their rows and the weights that
// they share are at hand, and the order is still random.
const block = 64

// gone marks samples that a sweep leaves out.
const gone = 1 << 31

// sweep visits samples once in random order, block by block, and returns those for which visit
// says that they stay, in the memory of the list.
func sweep(ctx context.Context, rng *rand.Rand, list []uint32, visit func(i int) bool) ([]uint32, error) {
	for n, b := range rng.Perm((len(list) + block - 1) / block) {
		if n&15 == 0 && ctx.Err() != nil {
			return list, ctx.Err()
		}
		part := list[b*block : min((b+1)*block, len(list))]
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		for k, i := range part {
			if !visit(int(i)) {
				part[k] |= gone
			}
		}
	}
	left := list[:0]
	for _, i := range list {
		if i&gone == 0 {
			left = append(left, i)
		}
	}
	return left, nil
}
