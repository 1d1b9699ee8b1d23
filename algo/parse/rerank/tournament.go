package rerank

// tournament keeps the greatest of many values: each node of a binary tree knows the better of its two players.
type tournament struct {
	gain   []float64
	leaves int     // a power of two
	winner []int32 // node 1 is the final; the players of node v are those of 2v and 2v+1
	dirty  []int32
	queued []bool
}

func newTournament(n int) *tournament {
	t := &tournament{gain: make([]float64, n), leaves: 1}
	for t.leaves < n {
		t.leaves *= 2
	}
	t.winner, t.queued = make([]int32, 2*t.leaves), make([]bool, 2*t.leaves)
	for i := range t.leaves {
		t.winner[t.leaves+i] = int32(i)
	}
	for v := t.leaves - 1; v > 0; v-- {
		t.winner[v] = t.winner[2*v]
	}
	return t
}

// set gives a player a value; repair makes the tree know it.
func (t *tournament) set(k int32, gain float64) {
	t.gain[k] = gain
	t.queue((t.leaves + int(k)) / 2)
}

func (t *tournament) queue(v int) {
	if v > 0 && !t.queued[v] {
		t.queued[v] = true
		t.dirty = append(t.dirty, int32(v))
	}
}

// repair plays again, level by level, the games of those whose values are new.
func (t *tournament) repair() {
	for i := 0; i < len(t.dirty); i++ {
		v := int(t.dirty[i])
		t.queued[v] = false
		t.winner[v] = t.better(t.winner[2*v], t.winner[2*v+1])
		t.queue(v / 2)
	}
	t.dirty = t.dirty[:0]
}

// better is the player of the greater value, the lower one of equals.
func (t *tournament) better(a, b int32) int32 {
	if int(b) < len(t.gain) && t.gain[b] > t.gain[a] {
		return b
	}
	return a
}

// best is the player of the greatest value, the lowest of equals.
func (t *tournament) best() int32 { return t.winner[1] }
