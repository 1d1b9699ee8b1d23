package tree

// Fault is what keeps heads from being a projective tree.
type Fault uint8

// The faults, in the order in which they are looked for.
const (
	Sound         Fault = iota
	BadHead             // a head is no token
	ManyRoots           // not one token has the head 0, where one must
	Cyclic              // heads run in a circle
	NonProjective       // a token between a head and its dependent depends on neither
)

func (f Fault) String() string {
	return [...]string{"sound", "a head is no token", "not one root", "heads run in a circle", "not projective"}[f]
}

// Check looks for what is wrong with the heads, in O(n); single asks for one token with the head 0.
func Check(heads []int32, single bool) Fault {
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
	if single && roots != 1 {
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

// Projective tells whether the heads are a tree without crossing arcs, the root before all tokens.
func Projective(heads []int32) bool { return Check(heads, false) == Sound }
