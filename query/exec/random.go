package exec

import (
	"math"
	"math/rand/v2"

	"parlance/storage/value"
)

// Random gives the next number of the statement: sequences are numbered from SET seed on, and a statement takes the
// next one when it first asks, so that how many rows one reads changes nothing for those behind it.
func Random(r *Execution, _ []value.Value) (value.Value, error) {
	if r.Random == nil {
		r.Random = rand.NewPCG(math.Float64bits(r.Session.Settings.Seed), r.Session.RandomSequences)
		r.Session.RandomSequences++
	}
	return value.Real(float64(r.Random.Uint64()>>11) / (1 << 53)), nil
}
