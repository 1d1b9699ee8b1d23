package calibrate

import "math"

// Temperatures that are tried lie between e^-span and e^span.
const span = 6

// logLoss is −Σ t·ln p + (1−t)·ln(1−p). Of n₊ right and n₋ wrong rows the right ones have the target
// t = (n₊+1)/(n₊+2), the wrong ones 1/(n₋+2), so that nothing is certain because of a few rows (Platt 2000).
// Logarithms end at ln 1e-12, or a single row might decide all.
func logLoss(rows []row, at func(float64) float64) float64 {
	const least = 1e-12
	right := 0.0
	for _, r := range rows {
		if r.right {
			right++
		}
	}
	high, low := (right+1)/(right+2), 1/(float64(len(rows))-right+2)
	sum := 0.0
	for _, r := range rows {
		p, t := at(r.prob), low
		if r.right {
			t = high
		}
		sum -= t*math.Log(max(p, least)) + (1-t)*math.Log(max(1-p, least))
	}
	return sum
}

// soften divides the log odds of p by t:
//
//	ln q/(1−q) = 1/t · ln p/(1−p)
func soften(p, t float64) float64 {
	if p <= 0 || p >= 1 || t == 1 {
		return max(0, min(1, p))
	}
	return 1 / (1 + math.Exp((math.Log1p(-p)-math.Log(p))/t))
}

// lowest returns the ln t of the least loss: it goes down from 0 in steps of 1, then halves the steps.
func lowest(loss func(lnT float64) (float64, error)) (float64, error) {
	at := 0.0
	best, err := loss(at)
	for step := 1.0; err == nil && step >= 1.0/64; {
		moved := false
		for _, x := range []float64{at - step, at + step} {
			if math.Abs(x) > span {
				continue
			}
			var now float64
			if now, err = loss(x); err != nil {
				return 0, err
			}
			if now < best {
				at, best, moved = x, now, true
				break
			}
		}
		if !moved {
			step /= 2
		}
	}
	return at, err
}
