package linking

import (
	"context"
	"math"
)

// Options say how mentions are linked.
type Options struct {
	Temperature float64 // γ of the sums of probabilities; 0 takes the best antecedent
	Rules       *Rules  // nil for none
	Nearest     bool    // takes the nearest antecedent above 0 in place of the best one, at temperature 0
	// Before is called before mention i is linked, with the antecedents of the earlier ones; it may change row i of the
	// table. nil for none.
	Before func(i int, antecedents []int32)
}

// Links are the decisions of a decoder, by mention.
type Links struct {
	Antecedents []int32   // None for those linked to nothing
	Clusters    []int32   // numbered from 0 by their first mentions
	Scores      []float64 // of the links; 0 for nothing
	Prob        []float64 // of the cluster that was chosen, or of nothing; nil at temperature 0
}

// smallest is the least temperature that is told from 0.
const smallest = 1e-3

// hard is what an infinite weight of a rule counts here: more than any scores.
const hard = 1e9

// Link goes through the mentions in their order. At temperature 0 a mention i is linked to the antecedent j with the
// greatest
//
//	w_ji + Σ_{k in the cluster of j} ρ(k, i)
//
// above 0, of equal ones to the nearest. At temperature γ it joins the cluster c with the greatest
//
//	log Σ_{j in c} exp(w_ji/γ) + Σ_{k in c} ρ(k, i)/γ
//
// above that of nothing, which is 0, and its antecedent is the member with the greatest score. Without rules the
// first is exact: no clustering has a greater Value. It costs O(pairs), and fails only when the context has ended.
func Link(ctx context.Context, t *Table, o Options) (Links, error) {
	n := t.Len()
	l := Links{Antecedents: make([]int32, n), Clusters: make([]int32, n), Scores: make([]float64, n)}
	if o.Temperature >= smallest {
		l.Prob = make([]float64, n)
	}
	d := linker{t: t, o: o, Links: &l, pull: make([]float64, n), sum: make([]float64, n), top: make([]int32, n)}
	for i := range n {
		if ctx.Err() != nil {
			return l, ctx.Err()
		}
		d.mention(i)
	}
	return l, nil
}

type linker struct {
	t *Table
	o Options
	*Links
	clusters int

	pull []float64 // by cluster: what rules add
	sum  []float64 // by cluster: Σ exp
	top  []int32   // by cluster: the best member, 1-based; 0 where the cluster has no candidate
}

func (d *linker) mention(i int) {
	if d.o.Before != nil {
		d.o.Before(i, d.Antecedents[:i])
	}
	rules := d.o.Rules.before(i)
	for _, r := range rules {
		d.pull[d.Clusters[r.A]] += max(-hard, min(hard, r.Weight))
	}
	a := int32(None)
	if d.Prob == nil {
		a = d.best(i)
	} else {
		a = d.likeliest(i)
	}
	for _, r := range rules {
		d.pull[d.Clusters[r.A]] = 0
	}
	d.Antecedents[i] = a
	if a == None {
		d.Clusters[i] = int32(d.clusters)
		d.clusters++
		return
	}
	d.Clusters[i] = d.Clusters[a]
	d.Scores[i] = d.t.At(int(a), i)
}

// best is the antecedent with the greatest score above 0, or the nearest one.
func (d *linker) best(i int) int32 {
	a, high := int32(None), 0.0
	row, first := d.t.Row(i), d.t.First(i)
	if d.o.Nearest {
		for k := len(row) - 1; k >= 0; k-- {
			if row[k]+d.pull[d.Clusters[first+k]] > 0 {
				return int32(first + k)
			}
		}
		return None
	}
	if len(d.o.Rules.before(i)) == 0 {
		for k, w := range row {
			if w > 0 && w >= high {
				a, high = int32(first+k), w
			}
		}
		return a
	}
	for k, w := range row {
		if w += d.pull[d.Clusters[first+k]]; w > 0 && w >= high {
			a, high = int32(first+k), w
		}
	}
	return a
}

// likeliest is the best member of the likeliest cluster.
func (d *linker) likeliest(i int) int32 {
	row, first, g := d.t.Row(i), d.t.First(i), d.o.Temperature
	high := 0.0 // of all scores, so that no power is too large
	for k, w := range row {
		if w += d.pull[d.Clusters[first+k]]; w > high {
			high = w
		}
	}
	for k, w := range row {
		c := d.Clusters[first+k]
		d.sum[c] += math.Exp((w + d.pull[c] - high) / g)
		if d.top[c] == 0 || w >= row[int(d.top[c])-1-first] {
			d.top[c] = int32(first+k) + 1
		}
	}
	none := math.Exp(-high / g)
	best, most, all := None, none, none
	for k := len(row) - 1; k >= 0; k-- {
		c := d.Clusters[first+k]
		if d.top[c] == 0 {
			continue // counted
		}
		if all += d.sum[c]; d.sum[c] > most {
			best, most = int(d.top[c])-1, d.sum[c]
		}
		d.sum[c], d.top[c] = 0, 0
	}
	d.Prob[i] = most / all
	return int32(best)
}

// Value is the score of clusters in the latent left-linking model, the sum over mentions of the best link that stays
// inside the cluster; of the first mention of a cluster 0. Mentions whose cluster has no candidate among their own
// score −Inf. It is eq. 2 of Chang, Samdani and Roth (2013).
func Value(t *Table, labels []int32) float64 {
	t.check(labels)
	seen, sum := map[int32]bool{}, 0.0
	for i := range t.Len() {
		if !seen[labels[i]] {
			seen[labels[i]] = true
			continue
		}
		best := math.Inf(-1)
		for k, w := range t.Row(i) {
			if labels[t.First(i)+k] == labels[i] {
				best = max(best, w)
			}
		}
		sum += best
	}
	return sum
}

// LogProb is the logarithm of the probability of clusters where each mention draws its antecedent with probability
// proportional to exp(w_ji/γ), and nothing with 1: Σ_i log Z_i(C)/Z_i. Over all clusterings it sums to 1.
func LogProb(t *Table, labels []int32, temperature float64) float64 {
	t.check(labels)
	seen, sum := map[int32]bool{}, 0.0
	for i := range t.Len() {
		high := 0.0
		for _, w := range t.Row(i) {
			high = max(high, w)
		}
		none := math.Exp(-high / temperature)
		all, inside := none, 0.0
		if !seen[labels[i]] {
			seen[labels[i]], inside = true, none
		}
		first := inside > 0
		for k, w := range t.Row(i) {
			p := math.Exp((w - high) / temperature)
			all += p
			if !first && labels[t.First(i)+k] == labels[i] {
				inside += p
			}
		}
		sum += math.Log(inside / all)
	}
	return sum
}

// Inside are the links that clusters imply: of each mention to its best candidate in the cluster, None for those
// without one. It fails only when the context has ended.
func Inside(ctx context.Context, t *Table, clusters []int32) (Links, error) {
	t.check(clusters)
	n := t.Len()
	l := Links{Antecedents: make([]int32, n), Clusters: clusters, Scores: make([]float64, n)}
	for i := range n {
		if i&15 == 0 && ctx.Err() != nil {
			return l, ctx.Err()
		}
		l.Antecedents[i] = None
		for k, w := range t.Row(i) {
			if j := t.First(i) + k; clusters[j] == clusters[i] && (l.Antecedents[i] == None || w >= l.Scores[i]) {
				l.Antecedents[i], l.Scores[i] = int32(j), w
			}
		}
	}
	return l, nil
}
