package exec

import (
	"math"
	"math/rand/v2"

	"parlance/storage/value"
)

// random gives the next number of the statement: sequences are numbered from SET seed on, and a statement takes the
// next one when it first asks, so that how many rows one reads changes nothing for those behind it.
func random(r *run, _ []value.Value) (value.Value, error) {
	if r.random == nil {
		r.random = rand.NewPCG(math.Float64bits(r.ses.Settings.Seed), r.ses.sequences)
		r.ses.sequences++
	}
	return value.Real(float64(r.random.Uint64()>>11) / (1 << 53)), nil
}
