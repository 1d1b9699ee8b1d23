package zeroone

import "math"

// lagrange bounds the objective: rows that are not groups move into it with multipliers λ ≥ 0.
//
//	L(λ) = Σ_r λ_r b_r + max_x Σ_j (c_j − Σ_r λ_r a_rj) x_j
//
// The maximum is over what is fixed and what the groups allow, so it is found group by group; each λ gives a bound.
// Steps against the rows that the maximising x breaks lower it (Held and Karp 1971, with Polyak's length of a step).
type lagrange struct {
	lambda, kept []float64 // the second is the best found since the search began
	reduced      []float64 // c_j − Σ_r λ_r a_rj
	x            []int8    // what maximises
	loss         []float64 // of each free variable: by how much L falls at least if it takes the other value
	excess       []float64 // Σ_j a_rj x_j − b_r
	scale        float64   // Σ |c_j|
}

func newLagrange(s *state) *lagrange {
	n, rows := len(s.x), len(s.right)
	l := &lagrange{lambda: make([]float64, rows), kept: make([]float64, rows), reduced: make([]float64, n),
		x: make([]int8, n), loss: make([]float64, n), excess: make([]float64, rows)}
	for _, c := range s.cost {
		l.scale += math.Abs(c)
	}
	return l
}

// value returns L(λ) and sets x and loss.
func (l *lagrange) value(s *state) float64 {
	copy(l.reduced, s.cost)
	sum := 0.0
	for r, m := range l.lambda {
		if m == 0 {
			continue
		}
		sum += m * float64(s.right[r])
		for k := s.start[r]; k < s.start[r+1]; k++ {
			l.reduced[s.of[k]] -= m * float64(s.coef[k])
		}
	}
	for j, x := range s.x {
		switch w := l.reduced[j]; {
		case x >= 0:
			l.x[j] = x
			sum += float64(x) * w
		case s.group[j] >= 0:
		case w > 0:
			l.x[j], l.loss[j] = 1, w
			sum += w
		default:
			l.x[j], l.loss[j] = 0, -w
		}
	}
	for g := range s.groups {
		sum += l.choose(s, g)
	}
	return sum
}

// choose returns the most that a group can add.
func (l *lagrange) choose(s *state, g int) float64 {
	best, second, at := math.Inf(-1), math.Inf(-1), int32(-1)
	for _, j := range s.groups[g] {
		if s.x[j] == 1 {
			return 0 // all are fixed: propagation has seen to it
		}
		if s.x[j] < 0 {
			if w := l.reduced[j]; w > best {
				best, second, at = w, best, j
			} else if w > second {
				second = w
			}
		}
	}
	if at < 0 {
		return 0
	}
	if s.atMost[g] {
		if best < 0 {
			best, second, at = 0, 0, -1
		}
		second = max(second, 0)
	}
	for _, j := range s.groups[g] {
		if s.x[j] < 0 {
			l.x[j], l.loss[j] = 0, best-l.reduced[j]
		}
	}
	if at >= 0 {
		l.x[at], l.loss[at] = 1, best-second
	}
	return best
}

// measure sets the excess of all rows at x, and returns the squared length of the step that may be taken against it and
// whether x obeys all rows.
func (l *lagrange) measure(s *state) (length float64, obeys bool) {
	obeys = true
	for r := range s.right {
		sum := -s.right[r]
		for k := s.start[r]; k < s.start[r+1]; k++ {
			sum += s.coef[k] * int64(l.x[s.of[k]])
		}
		l.excess[r] = float64(sum)
		obeys = obeys && sum <= 0
		if sum < 0 && l.lambda[r] == 0 {
			l.excess[r] = 0
		}
		length += l.excess[r] * l.excess[r]
	}
	return length, obeys
}

// step moves the multipliers.
func (l *lagrange) step(size float64) {
	for r, e := range l.excess {
		if e != 0 {
			l.lambda[r] = max(0, l.lambda[r]+size*e)
		}
	}
}
