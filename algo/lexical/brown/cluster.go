package brown

import (
	"context"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
)

// clustering is the clusters of words with their places in the tree of mergers.
type clustering struct {
	cluster []int32  // of each word, by its place in bits
	bits    []string // of clusters, in the order of their least words
}

// growth is a clustering under way: words are added, then clusters merged into a tree.
type growth struct {
	k       int
	w       *window
	t       *kind.Training
	keep    *checkpoint.Keeper
	added   int      // words
	cluster []int32  // of each word, in the order of their least words; nil before all are added
	tree    []merger // so far
}

// cluster merges words into at most k clusters, most frequent words first, and these into a tree
// (Brown et al. 1992, sec. 3; Liang 2005, sec. 4.3).
func cluster(ctx context.Context, big *bigrams, k int, t *kind.Training) (*clustering, error) {
	g := &growth{k: k, w: newWindow(big, min(k, len(big.left))+1), t: t, keep: checkpoint.NewKeeper(t)}
	if t.Resume != nil {
		if err := g.resume(t.Resume); err != nil {
			return nil, err
		}
	}
	if g.cluster == nil {
		if err := g.words(ctx); err != nil {
			return nil, err
		}
	}
	if err := g.agglomerate(ctx); err != nil {
		return nil, err
	}
	return &clustering{g.cluster, paths(g.tree, least(g.cluster))}, nil
}

// words adds the words and keeps at most k clusters.
func (g *growth) words(ctx context.Context) error {
	words, w := len(g.w.big.left), g.w
	every := max(1, words/20)
	for g.added < words {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.add(g.added)
		if w.n > g.k {
			w.refresh()
			w.merge(w.cheapest())
		}
		if g.added++; g.added == words {
			break
		}
		if g.added%every == 0 {
			g.t.Report(kind.Progress{Step: g.added, Of: words, Objective: w.information(), Note: "words"})
		}
		if err := g.keep.Save(g.write); err != nil {
			return err
		}
	}
	g.t.Report(kind.Progress{Step: words, Of: words, Objective: w.information(),
		Note: "mutual information of the clusters"})
	leaves := slices.Clone(w.ids[:w.n])
	slices.Sort(leaves)
	at := make([]int32, w.n) // by slot
	for x, id := range w.ids[:w.n] {
		i, _ := slices.BinarySearch(leaves, id)
		at[x] = int32(i)
	}
	g.cluster = make([]int32, words)
	for v := range words {
		g.cluster[v] = at[w.slot(uint32(v))]
	}
	return nil
}

// least is the least word of each cluster.
func least(cluster []int32) (words []int) {
	for v, c := range cluster {
		if int(c) == len(words) {
			words = append(words, v)
		}
	}
	return words
}

// merger is two clusters by their least words, left < right; the left one stands for both later.
type merger struct{ left, right int }

// agglomerate merges all clusters into one.
func (g *growth) agglomerate(ctx context.Context) error {
	for w := g.w; w.n > 1; {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.refresh()
		x, y := w.cheapest()
		g.tree = append(g.tree, merger{min(w.ids[x], w.ids[y]), max(w.ids[x], w.ids[y])})
		w.merge(x, y)
		if err := g.keep.Save(g.write); err != nil {
			return err
		}
	}
	return nil
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
