package brown

import (
	"context"
	"slices"

	"parlance/algo/kind"
)

// clustering is the clusters of words with their places in the tree of mergers.
type clustering struct {
	cluster []int32  // of each word, by its place in bits
	bits    []string // of clusters, in the order of their least words
}

// cluster merges words into at most k clusters, most frequent words first, and these into a tree
// (Brown et al. 1992, sec. 3; Liang 2005, sec. 4.3).
func cluster(ctx context.Context, big *bigrams, k int, report func(kind.Progress)) (*clustering, error) {
	words := len(big.left)
	w := newWindow(big, min(k, words)+1)
	every := max(1, words/20)
	for v := range words {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.add(v)
		if w.n > k {
			w.refresh()
			w.merge(w.cheapest())
		}
		if (v+1)%every == 0 && v+1 < words {
			report(kind.Progress{Step: v + 1, Of: words, Objective: w.information(), Note: "words"})
		}
	}
	c := &clustering{cluster: make([]int32, words)}
	report(kind.Progress{Step: words, Of: words, Objective: w.information(), Note: "mutual information of the clusters"})
	leaves := slices.Clone(w.ids[:w.n])
	slices.Sort(leaves)
	at := make([]int32, w.n) // by slot
	for x, id := range w.ids[:w.n] {
		i, _ := slices.BinarySearch(leaves, id)
		at[x] = int32(i)
	}
	for v := range words {
		c.cluster[v] = at[w.slot(uint32(v))]
	}
	tree, err := w.agglomerate(ctx)
	if err != nil {
		return nil, err
	}
	c.bits = paths(tree, leaves)
	return c, nil
}

// merger is two clusters by their least words, left < right; the left one stands for both later.
type merger struct{ left, right int }

// agglomerate merges all clusters into one.
func (w *window) agglomerate(ctx context.Context) ([]merger, error) {
	var tree []merger
	for w.n > 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.refresh()
		x, y := w.cheapest()
		tree = append(tree, merger{min(w.ids[x], w.ids[y]), max(w.ids[x], w.ids[y])})
		w.merge(x, y)
	}
	return tree, nil
}

// paths are the ways from the root to the leaves, 0 to the left. Mergers from last to first part a
// cluster in two, which its least word and that of its right part stand for.
func paths(tree []merger, leaves []int) []string {
	path := map[int][]byte{}
	if len(leaves) > 0 {
		path[leaves[0]] = nil
	}
	for _, m := range slices.Backward(tree) {
		p := path[m.left]
		path[m.left], path[m.right] = append(slices.Clone(p), '0'), append(slices.Clone(p), '1')
	}
	out := make([]string, len(leaves))
	for i, id := range leaves {
		out[i] = string(path[id])
	}
	return out
}
