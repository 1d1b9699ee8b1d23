package coreference

import "parlance/algo/coref/linking"

// history knows the latest mention of each cluster so far: with features merged, a link to an earlier one has what the
// latest one and the mention have in common as well (Zheng et al. 2013, section 2.2),
//
//	φ'(a, i) = φ(a, i) ∪ {f ∈ φ(q, i) : f is of both mentions},  q = the latest mention before i of a's cluster
//
// where a feature counts once.
type history struct {
	cluster []int32 // of the mentions so far
	latest  map[int32]int32
}

// next adds the next mention with its cluster.
func (h *history) next(cluster int32) {
	if h.latest == nil {
		h.latest = map[int32]int32{}
	}
	h.latest[cluster] = int32(len(h.cluster))
	h.cluster = append(h.cluster, cluster)
}

// later is the latest mention of the cluster of a mention, if it is another one.
func (h *history) later(j int) (int, bool) {
	q := int(h.latest[h.cluster[j]])
	return q, q != j
}

// merged appends the features of the latest mention of a cluster and mention i that candidate k of n has not. Templates
// are compared one by one, as each gives one feature.
func (h *history) merged(d *document, v *vectors, part, i, k, n int, out []uint32) []uint32 {
	first := d.table.First(i)
	q, ok := h.later(first + k)
	if !ok {
		return out
	}
	at := len(out)
	out = append(out, v.one(part, i, q-first, n)...)
	for t, p := range v.one(part, i, k, n) {
		if out[at+t] == p {
			out[at+t] = 0 // it is there already
		}
	}
	return out
}

// merging adds the weights of merged features to the scores of a mention before it is linked.
func (t *trained) merging(d *document) func(i int, antecedents []int32) {
	h, places := &history{}, []uint32(nil)
	return func(i int, antecedents []int32) {
		for m := len(h.cluster); m < i; m++ {
			c := int32(m)
			if a := antecedents[m]; a != linking.None {
				c = h.cluster[a]
			}
			h.next(c)
		}
		part, row := d.part(i), d.table.Row(i)
		w := t.part(part)
		for k := range row {
			places = h.merged(d, d.vectors, part, i, k, len(row), places[:0])
			row[k] += plainSum(w, places)
		}
	}
}
