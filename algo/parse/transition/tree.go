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
