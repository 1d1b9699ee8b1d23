package transition

// Tree is heads and labels by token; entry 0 is unused. It must not be changed once an oracle has
// seen it.
type Tree struct {
	Heads  []int32
	Labels []uint16
	count  []int32 // dependents
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
