package solver

// Winner is the class with the most votes of duels between all pairs, the smaller one of equals.
// It holds duels only until the answer is settled: a class that wins all of its own ends the
// search, as does one that the others cannot reach. beats(i, j) is asked with i < j and tells that
// i wins; duels is how often it was asked.
type Winner struct {
	votes, left []int
	done        []bool // by pair i·K + j
}

// Find returns the winner among the classes and the number of duels that were held.
func (w *Winner) Find(classes int, beats func(i, j int) bool) (winner, duels int) {
	if classes < 2 {
		return 0, 0
	}
	w.reset(classes)
	total := classes * (classes - 1) / 2
	for duels < total {
		c, d := w.pair(classes)
		i, j := min(c, d), max(c, d)
		duels++
		won := j
		if beats(i, j) {
			won = i
		}
		w.done[i*classes+j] = true
		w.votes[won]++
		w.left[i]--
		w.left[j]--
		if w.votes[won] == classes-1 {
			return won, duels
		}
		if top := w.best(); w.losses(top, classes) > 0 && w.settled(top) {
			return top, duels
		}
	}
	return w.best(), duels
}

func (w *Winner) reset(classes int) {
	if len(w.votes) != classes {
		w.votes, w.left, w.done = make([]int, classes), make([]int, classes), make([]bool, classes*classes)
	}
	clear(w.votes)
	clear(w.done)
	for i := range w.left {
		w.left[i] = classes - 1
	}
}

func (w *Winner) losses(c, classes int) int { return classes - 1 - w.left[c] - w.votes[c] }

// best is the class with the most votes so far.
func (w *Winner) best() int {
	top := 0
	for c, v := range w.votes {
		if v > w.votes[top] {
			top = c
		}
	}
	return top
}

// settled reports whether no other class can get ahead of c.
func (w *Winner) settled(c int) bool {
	for d, v := range w.votes {
		reach := v + w.left[d]
		if d != c && (reach > w.votes[c] || reach == w.votes[c] && d < c) {
			return false
		}
	}
	return true
}

// pair is the next duel: the class with duels left and the fewest losses, of equals the one with
// the most votes, against the one of fewest losses that it has not met.
func (w *Winner) pair(classes int) (c, d int) {
	c, d = -1, -1
	for x := range w.votes {
		if w.left[x] == 0 {
			continue
		}
		if c < 0 || w.losses(x, classes) < w.losses(c, classes) || w.losses(x, classes) == w.losses(c, classes) && w.votes[x] > w.votes[c] {
			c = x
		}
	}
	for x := range w.votes {
		if x == c || w.done[min(c, x)*classes+max(c, x)] {
			continue
		}
		if d < 0 || w.losses(x, classes) < w.losses(d, classes) {
			d = x
		}
	}
	return c, d
}
