package exec

import (
	"math"
	"math/rand/v2"

	"parlance/storage/value"
)

// Random gives the next random number of the statement. Each statement that asks for one has a sequence of its own,
// the next since SET seed, so that its numbers do not depend on how many rows earlier statements read.
func Random(r *Execution, _ []value.Value) (value.Value, error) {
	if r.Random == nil {
		r.Random = rand.NewPCG(math.Float64bits(r.Session.Settings.Seed), r.Session.RandomSequences)
		r.Session.RandomSequences++
	}
	return value.Real(float64(r.Random.Uint64()>>11) / (1 << 53)), nil
}
