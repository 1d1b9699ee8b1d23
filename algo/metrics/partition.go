package metrics

import (
	"context"
	"slices"

	"parlance/algo/numeric/assignment"
)

// partition compares two clusterings, of the mentions of the key and of the response. Mentions of both have
// a place in each; twinless ones, which only one side has, are in its sizes alone.
type partition struct {
	key, response []int  // sizes of the clusters, twinless mentions among them
	common        []cell // by key cluster, then by response cluster
}

// cell is how many mentions a cluster of the key and one of the response share, at least one.
type cell struct{ key, response, n int }

// compare makes a partition of the cluster numbers of mentions in the key and in the response.
func compare[M comparable](key, response map[M]int, order []M) partition {
	var p partition
	counts := map[[2]int]int{}
	for _, m := range order {
		k, inKey := key[m]
		r, inResponse := response[m]
		if inKey {
			p.key = counted(p.key, k)
		}
		if inResponse {
			p.response = counted(p.response, r)
		}
		if inKey && inResponse {
			counts[[2]int{k, r}]++
		}
	}
	for at, n := range counts {
		p.common = append(p.common, cell{at[0], at[1], n})
	}
	slices.SortFunc(p.common, func(a, b cell) int {
		return slices.Compare([]int{a.key, a.response}, []int{b.key, b.response})
	})
	return p
}

// counted adds one to a number of a list.
func counted(list []int, at int) []int {
	for len(list) <= at {
		list = append(list, 0)
	}
	list[at]++
	return list
}

// swapped exchanges key and response.
func (p partition) swapped() partition {
	out := partition{key: p.response, response: p.key}
	for _, c := range p.common {
		out.common = append(out.common, cell{c.response, c.key, c.n})
	}
	return out
}

func total(sizes []int) float64 {
	n := 0
	for _, s := range sizes {
		n += s
	}
	return float64(n)
}

// links is the number of pairs among n.
func links(n int) float64 { return float64(n) * float64(n-1) / 2 }

func allLinks(sizes []int) float64 {
	sum := 0.0
	for _, n := range sizes {
		sum += links(n)
	}
	return sum
}

// muc is the recall of the links that hold clusters together (Vilain et al. 1995), a key cluster k being cut into
// parts by the response, each twinless mention one:
//
//	Σ |k| − parts(k)  /  Σ |k| − 1
func (p partition) muc() (num, den float64) {
	for _, n := range p.key {
		den += float64(n - 1)
	}
	for _, c := range p.common {
		num += float64(c.n - 1)
	}
	return num, den
}

// b3 is the recall of mentions (Bagga and Baldwin 1998): the mean over key mentions of |K ∩ R| / |K|, 0 for
// twinless ones.
func (p partition) b3() (num, den float64) {
	for _, c := range p.common {
		num += float64(c.n) * float64(c.n) / float64(p.key[c.key])
	}
	return num, total(p.key)
}

// lea weighs the share of resolved links of each key cluster by its size (Moosavi and Strube 2016). A cluster of
// one has one link, to itself, which only a cluster of one resolves.
func (p partition) lea() (num, den float64) {
	for _, c := range p.common {
		k := p.key[c.key]
		switch {
		case k > 1:
			num += float64(k) * links(c.n) / links(k)
		case p.response[c.response] == 1:
			num++
		}
	}
	return num, total(p.key)
}

// ceaf is the similarity of the best one-to-one assignment of clusters (Luo 2005).
func (p partition) ceaf(ctx context.Context, similarity func(cell) float64) (float64, error) {
	pairs := make([]assignment.Pair, len(p.common))
	for i, c := range p.common {
		pairs[i] = assignment.Pair{Left: c.key, Right: c.response, Weight: similarity(c)}
	}
	_, sum, err := assignment.Max(ctx, len(p.key), len(p.response), pairs)
	return sum, err
}

// mentionSimilarity is φ₃ = |K ∩ R|.
func mentionSimilarity(c cell) float64 { return float64(c.n) }

// entitySimilarity is φ₄ = 2|K ∩ R| / (|K| + |R|).
func (p partition) entitySimilarity(c cell) float64 {
	return 2 * float64(c.n) / float64(p.key[c.key]+p.response[c.response])
}

// pairCounts are links of one kind: of both sides, of the key and of the response.
type pairCounts struct{ both, key, response float64 }

// pairs counts the coreference links and the others, twinless mentions among them (Luo et al. 2014).
func (p partition) pairs() (same, apart pairCounts) {
	shared, sharedKey, sharedResponse := 0, make([]int, len(p.key)), make([]int, len(p.response))
	for _, c := range p.common {
		same.both += links(c.n)
		shared += c.n
		sharedKey[c.key] += c.n
		sharedResponse[c.response] += c.n
	}
	same.key, same.response = allLinks(p.key), allLinks(p.response)
	apart.key, apart.response = links(int(total(p.key)))-same.key, links(int(total(p.response)))-same.response
	apart.both = links(shared) - allLinks(sharedKey) - allLinks(sharedResponse) + same.both
	return same, apart
}
