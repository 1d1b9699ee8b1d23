package annotate

import (
	"sync"

	"parlance/query/plan"
)

// Shared keeps results for the nodes of a plan that annotate with the same model: what one computes, the others take.
// It stands in for the cache of predictions where that is off.
type Shared struct {
	mu    sync.Mutex
	m     map[sharedKey][]byte
	bytes int
}

// NewShared returns one without results.
func NewShared() *Shared { return &Shared{m: map[sharedKey][]byte{}} }

type sharedKey struct {
	model [8]byte
	seq   uint64
	hash  [16]byte
}

// sharedBytes bounds the results; documents beyond it are annotated again.
const sharedBytes = 64 << 20

// Repeats reports whether several nodes annotate with one model.
func Repeats(n plan.Node) bool {
	models := map[string]int{}
	var walk func(plan.Node)
	walk = func(n plan.Node) {
		if l, ok := n.(*plan.Layer); ok {
			for _, m := range l.Models {
				models[m.String()]++
			}
		}
		for _, c := range n.Inputs() {
			walk(c)
		}
	}
	walk(n)
	for _, k := range models {
		if k > 1 {
			return true
		}
	}
	return false
}

func (s *Shared) getMany(model [8]byte, seqs []uint64, hashes [][16]byte) [][]byte {
	out := make([][]byte, len(seqs))
	if s == nil {
		return out
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range seqs {
		out[i] = s.m[sharedKey{model, seqs[i], hashes[i]}]
	}
	return out
}

func (s *Shared) put(model [8]byte, seq uint64, hash [16]byte, result []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes < sharedBytes {
		s.m[sharedKey{model, seq, hash}] = result
		s.bytes += len(result) + 64
	}
}
