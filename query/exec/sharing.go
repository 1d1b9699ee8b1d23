package exec

import (
	"sync"

	"parlance/query/plan"
)

// sharing lets the nodes of a plan that annotate with the same model annotate each document
// once: what one computes, the others take. With the prediction cache on, the cache does that.
type sharing struct {
	mu    sync.Mutex
	m     map[shareKey][]byte
	bytes int
}

type shareKey struct {
	model [8]byte
	seq   uint64
	hash  [16]byte
}

// sharingBytes bounds what is kept; beyond it documents are annotated again.
const sharingBytes = 64 << 20

// AnnotatesTwice reports whether several nodes annotate with one model.
func AnnotatesTwice(n plan.Node) bool {
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

// Share prepares sharing where several nodes annotate with one model.
func (r *Execution) Share(twice bool) {
	if twice && !r.cached() {
		r.shared = &sharing{m: map[shareKey][]byte{}}
	}
}

func (s *sharing) getMany(model [8]byte, seqs []uint64, hashes [][16]byte) [][]byte {
	out := make([][]byte, len(seqs))
	if s == nil {
		return out
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range seqs {
		out[i] = s.m[shareKey{model, seqs[i], hashes[i]}]
	}
	return out
}

func (s *sharing) put(model [8]byte, seq uint64, hash [16]byte, result []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes < sharingBytes {
		s.m[shareKey{model, seq, hash}] = result
		s.bytes += len(result) + 64
	}
}
