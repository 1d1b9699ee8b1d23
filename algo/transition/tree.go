package transition

import "slices"

// Tree is heads and labels by token; entry 0 is unused. It must not be changed once an oracle has
// seen it.
type Tree struct {
	Heads  []int32
	Labels []uint16
	count  []int32 // dependents
	first  []int32 // place in below of the dependents of a token; rising
	below  []int32 // dependents, by head
}

// Len returns the number of tokens.
func (t *Tree) Len() int { return max(0, len(t.Heads)-1) }

func (t *Tree) children(token int32) int32 {
	if t.count == nil {
		t.count = make([]int32, len(t.Heads))
		for _, h := range t.Heads[1:] {
			t.count[h]++
		}
	}
	return t.count[token]
}

// Dependents returns the dependents of a token, rising; of 0 the roots.
func (t *Tree) Dependents(token int32) []int32 {
	if t.first == nil {
		t.first = make([]int32, len(t.Heads)+1)
		t.below = make([]int32, t.Len())
		for _, h := range t.Heads[1:] {
			t.first[h+1]++
		}
		for h := 1; h < len(t.first); h++ {
			t.first[h] += t.first[h-1]
		}
		at := slices.Clone(t.first)
		for d, h := range t.Heads {
			if d > 0 {
				t.below[at[h]] = int32(d)
				at[h]++
			}
		}
	}
	return t.below[t.first[token]:t.first[token+1]]
}

// Fault is what keeps heads from being a tree that actions can build.
type Fault uint8

// The faults, in the order in which they are looked for.
const (
	Sound         Fault = iota
	BadHead             // a head is no token
	ManyRoots           // not exactly one token has the head 0
	Cyclic              // heads run in a circle
	NonProjective       // a token between a head and its dependent depends on neither
)

func (f Fault) String() string {
	return [...]string{"sound", "a head is no token", "not one root", "heads run in a circle", "not projective"}[f]
}

// Check looks for what is wrong with the heads, in O(n).
func Check(heads []int32) Fault {
	n := len(heads) - 1
	roots := 0
	pending := make([]int32, n+1) // dependents whose subtrees are not finished
	for t := 1; t <= n; t++ {
		h := heads[t]
		if h < 0 || int(h) > n || int(h) == t {
			return BadHead
		}
		if h == 0 {
			roots++
		}
		pending[h]++
	}
	if roots != 1 {
		return ManyRoots
	}
	low, high, size := make([]int32, n+1), make([]int32, n+1), make([]int32, n+1)
	var ready []int32
	for t := range low {
		low[t], high[t], size[t] = int32(t), int32(t), 1
		if t > 0 && pending[t] == 0 {
			ready = append(ready, int32(t))
		}
	}
	done, whole := 0, true
	for ; len(ready) > 0; done++ {
		t := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		whole = whole && high[t]-low[t]+1 == size[t]
		h := heads[t]
		if h == 0 {
			continue
		}
		low[h], high[h], size[h] = min(low[h], low[t]), max(high[h], high[t]), size[h]+size[t]
		if pending[h]--; pending[h] == 0 {
			ready = append(ready, h)
		}
	}
	switch {
	case done < n:
		return Cyclic
	case !whole: // the tokens of some subtree are not neighbours
		return NonProjective
	}
	return Sound
}
