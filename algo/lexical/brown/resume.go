package brown

import (
	"fmt"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// state is what a clustering goes on from. All else in the window follows from the slots of the words, and losses
// would too, but in far more time.
type state struct {
	slots   []int32 // of the words that are added
	loss    []int64 // rows below the diagonal
	cluster []int32
	tree    []int32 // left and right in turn
}

func (s *state) parts() checkpoint.State {
	return checkpoint.State{}.With("slots", checkpoint.Integers(&s.slots)).With("loss", checkpoint.Integers(&s.loss)).
		With("clusters", checkpoint.Integers(&s.cluster)).With("tree", checkpoint.Integers(&s.tree))
}

// write writes the state.
func (g *growth) write(to *kind.Writer) error {
	w := g.w
	s := &state{slots: make([]int32, g.added), cluster: g.cluster}
	for v := range s.slots {
		s.slots[v] = int32(w.slot(uint32(v)))
	}
	for x := range w.n {
		s.loss = append(s.loss, w.loss[x*w.stride:][:x]...)
	}
	for _, m := range g.tree {
		s.tree = append(s.tree, int32(m.left), int32(m.right))
	}
	return s.parts().Write(to)
}

// resume reads what write wrote.
func (g *growth) resume(r *kind.Reader) error {
	s := &state{}
	if err := s.parts().Read(r); err != nil {
		return err
	}
	words := len(g.w.big.left)
	if len(s.slots) > words || len(s.cluster) > 0 && (len(s.cluster) != words || len(s.slots) != words) {
		return kind.Corrupt("slots", text.Countf("is of another training: %d {word is|words are} wanted", words))
	}
	if err := g.w.restore(s.slots, s.loss); err != nil {
		return err
	}
	g.added = len(s.slots)
	if len(s.cluster) == 0 {
		return nil
	}
	g.cluster = s.cluster
	leaves := least(s.cluster)
	for _, c := range s.cluster {
		if c < 0 || int(c) >= len(leaves) {
			return kind.Corrupt("clusters", "are not numbered by their words")
		}
	}
	if len(s.tree) != 2*(len(leaves)-g.w.n) {
		return kind.Corrupt("tree", "and clusters differ in number")
	}
	for p := range slices.Chunk(s.tree, 2) {
		g.tree = append(g.tree, merger{int(p[0]), int(p[1])})
	}
	return nil
}

// restore fills an empty window from the slots of words and the losses.
func (w *window) restore(slots []int32, loss []int64) error {
	for s := range w.ids {
		w.ids[s] = -1
	}
	for v, s := range slots {
		if s < 0 || int(s) >= w.stride {
			return kind.Corrupt("slots", fmt.Sprintf("has %d, want one below %d", s, w.stride))
		}
		if w.ids[s] < 0 {
			w.ids[s], w.root[s], w.slots[v] = v, v, s
			w.n = max(w.n, int(s)+1)
		}
		w.forest[v] = int32(w.root[s])
		w.left[s] += w.big.left[v]
		w.right[s] += w.big.right[v]
	}
	if slices.Contains(w.ids[:w.n], -1) || len(loss) != w.n*(w.n-1)/2 {
		return kind.Corrupt("loss", text.Countf("is of another training: that of %d {cluster|clusters} is wanted", w.n))
	}
	for v, s := range slots {
		words, counts := w.big.next.of(v)
		for i, u := range words {
			if int(u) < len(slots) {
				w.out[int(s)*w.stride+int(slots[u])] += counts[i]
				w.in[int(slots[u])*w.stride+int(s)] += counts[i]
			}
		}
	}
	for x := range w.n {
		w.margin(x)
		loss = loss[copy(w.loss[x*w.stride:][:x], loss):]
	}
	return nil
}

// margin computes what follows from the counts of a slot and those before it.
func (w *window) margin(x int) {
	w.lnL[x], w.lnR[x] = w.logs.of(w.left[x]), w.logs.of(w.right[x])
	for y := range x {
		at := x*w.stride + y
		w.pairL[at], w.pairR[at] = w.logs.of(w.left[x]+w.left[y]), w.logs.of(w.right[x]+w.right[y])
	}
	for y, n := range w.outs(x) {
		w.a[x] += int64(n)
		w.b[x] += int64(w.ins(x)[y])
	}
	w.touch(x)
}
