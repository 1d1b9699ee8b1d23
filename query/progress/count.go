package progress

import (
	"math"
	"time"

	"parlance/algo/kind"
)

// Count returns a function that counts how many more documents or rows, as what says, have been read, and tells the
// number once a second, with the share of the work that is done, 0 where nobody knows.
func Count(tell func(kind.Progress), what string, share func() float64) func(more int) {
	total, began, last := 0, time.Now(), time.Now()
	return func(more int) {
		if total += more; time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		tell(kind.Progress{Step: total, Objective: math.NaN(), Aside: true, Share: share(),
			Seconds: last.Sub(began).Seconds(),
			Note:    what + " read"})
	}
}
