package aligner

// longestJump is the longest jump with a weight of its own; longer ones share one on each side.
const longestJump = 10

// jumps are numbers for jumps of −longestJump to longestJump, the ends standing for longer ones too.
type jumps [2*longestJump + 1]float64

func bucket(d int) int { return min(max(d, -longestJump), longestJump) + longestJump }

// hmm is the alignment model of Vogel, Ney and Tillmann (1996) with the null states of Och and Ney (2003). Words of one
// sentence, the observations, come from positions 1 to n of the other one, or from none: a state is a position, and
// whether its word or none is meant. Position 0 is before the first word.
//
//	p(a_j = i | a_{j−1} = i') = (1 − p0) w(i − i') / Σ_k w(k − i')     p(none, at i' | i') = p0
type hmm struct {
	Weight jumps
	Null   float64 // p0
}

// statistics are what weights of jumps are estimated from.
type statistics struct {
	taken  jumps // expected number
	chance jumps // Σ over the expected jumps from i' of n_d(i') / Σ_k w(k − i'), n_d being positions at distance d
}

func (s *statistics) add(t *statistics) {
	for d := range s.taken {
		s.taken[d] += t.taken[d]
		s.chance[d] += t.chance[d]
	}
}

// maximise raises the likelihood of the expected jumps: log Σ_k w is bounded by its tangent, which gives
//
//	w(d) = taken(d) / chance(d)
func (h *hmm) maximise(s *statistics) {
	total := 0.0
	for d := range h.Weight {
		if s.chance[d] > 0 {
			h.Weight[d] = s.taken[d] / s.chance[d]
		}
		h.Weight[d] = max(h.Weight[d], 1e-9)
		total += h.Weight[d]
	}
	for d := range h.Weight {
		h.Weight[d] /= total
	}
}

// room is the memory of one sentence, used again.
type room struct {
	emit, post         []float64 // [observation][position from 0]
	none, nullPost     []float64 // of observations: probability of a word from none; that it is so
	alpha, alphaNull   []float64 // [observation][position from 0, 0 being none]: scaled forward probabilities
	scale              []float64
	from, sums, beta   []float64
	ahead, norm, total []float64
	ended              func() bool // whether the work is to end, nil where sentences are short
}

// over tells whether the work is to end: what is being filled is not used then.
func (r *room) over() bool { return r.ended != nil && r.ended() }

func grow(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n+n/4)
	}
	*s = (*s)[:n]
	return *s
}

// positions makes room for n positions and m observations.
func (r *room) positions(n, m int) {
	grow(&r.emit, n*m)
	grow(&r.post, n*m)
	grow(&r.none, m)
	grow(&r.nullPost, m)
}

// normalise is Σ_k w(k − i') for positions i' from 0 to n.
func (h *hmm) normalise(norm []float64, n int) {
	for i := range norm {
		s := 0.0
		for d := max(1-i, 1-longestJump); d <= min(n-i, longestJump-1); d++ {
			s += h.Weight[d+longestJump]
		}
		s += h.Weight[0] * float64(max(0, i-longestJump))
		s += h.Weight[2*longestJump] * float64(max(0, n-i-longestJump+1))
		norm[i] = s
	}
}

// step spreads what stands at positions 0 to n over 1 to n: to_i = Σ_i' from_i' w(i − i'). Jumps beyond the longest
// have one weight, so their part is a sum of a beginning or an end of from.
func (h *hmm) step(from, to, total []float64) {
	n := len(from) - 1
	total[0] = 0
	for i, x := range from {
		total[i+1] = total[i] + x
	}
	for i := 1; i <= n; i++ {
		low, high := max(0, i-longestJump+1), min(n, i+longestJump-1)
		w := h.Weight[i-high+longestJump : i-low+longestJump+1] // of low backwards
		s := 0.0
		last := len(w) - 1
		for k, x := range from[low : high+1] {
			s += x * w[last-k]
		}
		s += h.Weight[2*longestJump]*total[low] + h.Weight[0]*(total[n+1]-total[high+1])
		to[i] = s
	}
}

// posteriors fills r.post and r.nullPost from r.emit and r.none by the forward-backward algorithm, adds to the
// statistics unless they are nil, and returns the product of the scales, whose logarithm is that of the likelihood, in
// parts: log.
func (h *hmm) posteriors(r *room, n, m int, st *statistics) []float64 {
	h.forward(r, n, m)
	beta, ahead := grow(&r.beta, n+1), grow(&r.ahead, n+1)
	for i := range beta {
		beta[i] = 1
	}
	for j := m - 1; j >= 0 && !r.over(); j-- {
		row := j * (n + 1)
		alpha, null := r.alpha[row:row+n+1], r.alphaNull[row:row+n+1]
		s := 0.0
		for i, b := range beta {
			s += null[i] * b
		}
		r.nullPost[j] = s
		emit, post := r.emit[j*n:(j+1)*n], r.post[j*n:(j+1)*n]
		c := (1 - h.Null) / r.scale[j]
		ahead[0] = 0
		for i := 1; i <= n; i++ {
			post[i-1] = alpha[i] * beta[i]
			ahead[i] = c * emit[i-1] * beta[i]
		}
		h.backward(r, n, j, st)
	}
	return r.scale[:m]
}

// forward fills the scaled forward probabilities.
func (h *hmm) forward(r *room, n, m int) {
	alphas, nulls := grow(&r.alpha, (n+1)*m), grow(&r.alphaNull, (n+1)*m)
	from, sums, scale := grow(&r.from, n+1), grow(&r.sums, n+1), grow(&r.scale, m)
	norm, total := grow(&r.norm, n+1), grow(&r.total, n+2)
	h.normalise(norm, n)
	for j := range m {
		if r.over() {
			return
		}
		alpha, null := alphas[j*(n+1):(j+1)*(n+1)], nulls[j*(n+1):(j+1)*(n+1)]
		if j == 0 {
			clear(from)
			clear(null)
			from[0] = 1 / norm[0]
			null[0] = 1
		} else {
			a, z := alphas[(j-1)*(n+1):j*(n+1)], nulls[(j-1)*(n+1):j*(n+1)]
			for i := range from {
				null[i] = a[i] + z[i]
				from[i] = null[i] / norm[i]
			}
		}
		h.step(from, sums, total)
		emit, none := r.emit[j*n:(j+1)*n], h.Null*r.none[j]
		alpha[0] = 0
		s := 0.0
		for i := 1; i <= n; i++ {
			alpha[i] = (1 - h.Null) * emit[i-1] * sums[i]
			s += alpha[i]
		}
		for i := range null {
			null[i] *= none
			s += null[i]
		}
		scale[j] = s
		for i := range alpha {
			alpha[i] /= s
			null[i] /= s
		}
	}
}

// backward moves beta from observation j to the one before. With ahead_i = (1 − p0) e_j(i) β_j(i) / c_j,
//
//	β_{j−1}(i') = Σ_i w(i − i') ahead_i / Σ_k w(k − i') + p0 e_j(none) β_j(i') / c_j
func (h *hmm) backward(r *room, n, j int, st *statistics) {
	beta, ahead, norm, total := r.beta, r.ahead, r.norm, r.total
	total[0] = 0
	for i, x := range ahead {
		total[i+1] = total[i] + x
	}
	none := h.Null * r.none[j] / r.scale[j]
	for i := range beta {
		here := 0.0 // forward probability of position i at the observation before, over the norm
		switch {
		case j > 0:
			k := (j-1)*(n+1) + i
			here = (r.alpha[k] + r.alphaNull[k]) / norm[i]
		case i == 0:
			here = 1 / norm[0]
		}
		low, high := max(0, i-longestJump+1), min(n, i+longestJump-1)
		w := h.Weight[low-i+longestJump : high-i+longestJump+1]
		b := ahead[low : high+1]
		s := 0.0
		if st == nil || here == 0 {
			for k, x := range b {
				s += w[k] * x
			}
		} else {
			taken := st.taken[low-i+longestJump : high-i+longestJump+1]
			for k, x := range b {
				x *= w[k]
				s += x
				taken[k] += here * x
			}
		}
		down, up := h.Weight[0]*total[low], h.Weight[2*longestJump]*(total[n+1]-total[high+1])
		if s += down + up; st != nil && here > 0 {
			st.taken[0] += here * down
			st.taken[2*longestJump] += here * up
			st.opportunities(i, n, here*s/norm[i])
		}
		beta[i] = s/norm[i] + none*beta[i]
	}
}

// opportunities adds jumps from position i, as many as there are over the norm, to the chances of the jumps that were
// possible.
func (s *statistics) opportunities(i, n int, x float64) {
	for d := max(1-i, 1-longestJump); d <= min(n-i, longestJump-1); d++ {
		s.chance[d+longestJump] += x
	}
	s.chance[0] += x * float64(max(0, i-longestJump))
	s.chance[2*longestJump] += x * float64(max(0, n-i-longestJump+1))
}

// best fills path with the likeliest state of each observation: a position from 0, or −1 for none (Viterbi).
func (h *hmm) best(r *room, n, m int, path []int) {
	norm := grow(&r.norm, n+1)
	h.normalise(norm, n)
	score, next := make([]float64, 2*(n+1)), make([]float64, 2*(n+1)) // positions, then these with none
	back := make([]int32, 2*(n+1)*m)
	score[n+1] = 1
	for j := range m {
		if r.over() {
			return
		}
		top := 0.0
		for i := 0; i <= n; i++ {
			// Staying with none keeps the position, whether its word or none was meant.
			k := i
			if score[n+1+i] > score[i] {
				k = n + 1 + i
			}
			next[n+1+i], back[j*2*(n+1)+n+1+i] = score[k]*h.Null*r.none[j], int32(k)
			next[i] = 0
			if i > 0 {
				most, at := h.into(score, norm, n, i)
				next[i], back[j*2*(n+1)+i] = most*(1-h.Null)*r.emit[j*n+i-1], int32(at)
			}
			top = max(top, next[i], next[n+1+i])
		}
		for i := range next {
			next[i] /= top
		}
		score, next = next, score
	}
	at := 0
	for i, s := range score {
		if s > score[at] {
			at = i
		}
	}
	for j := m - 1; j >= 0; j-- {
		path[j] = -1
		if at <= n {
			path[j] = at - 1
		}
		at = int(back[j*2*(n+1)+at])
	}
}

// into is the best way to position i: its score without what is emitted there, and the state it comes from.
func (h *hmm) into(score, norm []float64, n, i int) (most float64, at int) {
	for from := 0; from <= n; from++ {
		k := from
		if score[n+1+from] > score[from] {
			k = n + 1 + from
		}
		if s := score[k] / norm[from] * h.Weight[bucket(i-from)]; s > most {
			most, at = s, k
		}
	}
	return most, at
}
