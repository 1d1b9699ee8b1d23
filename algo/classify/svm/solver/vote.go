package solver

// Winner finds the class with the most votes of duels between pairs, the smaller one of equals. It
// holds duels only until the answer is settled: a class that wins all of its own ends the search,
// as does one that the others cannot reach. It belongs to one goroutine.
type Winner struct {
	classes     int
	label       []uint16
	together    []int  // by class: others of its label
	known       []bool // by pair i·K + j: no duel is held
	total       int    // duels there are
	votes, left []int
	done        []bool // by pair
}

// NewWinner returns one for n classes. Classes that share a label, by class, hold no duel with
// each other: each has a vote as if it had won, and the winner has the label of the winner by all
// votes. Labels are nil where each class has its own.
func NewWinner(classes int, label []uint16) *Winner {
	w := &Winner{classes: classes, label: label, together: make([]int, classes), known: make([]bool, classes*classes),
		total: classes * (classes - 1) / 2,
		votes: make([]int, classes), left: make([]int, classes), done: make([]bool, classes*classes)}
	for i := range label {
		for j := range i {
			if label[i] == label[j] {
				w.known[j*classes+i] = true
				w.together[i]++
				w.together[j]++
				w.total--
			}
		}
	}
	return w
}

// Find returns the winner and the number of duels that were held. beats(i, j) is asked with i < j
// and tells that i wins.
func (w *Winner) Find(beats func(i, j int) bool) (winner, duels int) {
	copy(w.votes, w.together)
	copy(w.done, w.known)
	for i, n := range w.together {
		w.left[i] = w.classes - 1 - n
	}
	for duels < w.total {
		c, d := w.pair()
		i, j := min(c, d), max(c, d)
		duels++
		won := j
		if beats(i, j) {
			won = i
		}
		w.done[i*w.classes+j] = true
		w.votes[won]++
		w.left[i]--
		w.left[j]--
		if w.votes[won] == w.classes-1 {
			return won, duels
		}
		if top := w.best(); w.losses(top) > 0 && w.settled(top) {
			return top, duels
		}
	}
	return w.best(), duels
}

func (w *Winner) losses(c int) int { return w.classes - 1 - w.left[c] - w.votes[c] }

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

// settled reports whether no class of another label can get ahead of c.
func (w *Winner) settled(c int) bool {
	for d, v := range w.votes {
		reach := v + w.left[d]
		if d != c && (w.label == nil || w.label[d] != w.label[c]) && (reach > w.votes[c] || reach == w.votes[c] && d < c) {
			return false
		}
	}
	return true
}

// pair is the next duel: the class with duels left and the fewest losses, of equals the one with
// the most votes, against the one of fewest losses that it has not met.
func (w *Winner) pair() (c, d int) {
	c, d = -1, -1
	for x := range w.votes {
		if w.left[x] == 0 {
			continue
		}
		if c < 0 || w.losses(x) < w.losses(c) || w.losses(x) == w.losses(c) && w.votes[x] > w.votes[c] {
			c = x
		}
	}
	for x := range w.votes {
		if x == c || w.done[min(c, x)*w.classes+max(c, x)] {
			continue
		}
		if d < 0 || w.losses(x) < w.losses(d) {
			d = x
		}
	}
	return c, d
}
