package classpatterns

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/kind"
)

// ranked is a pattern or an instance with its reliability.
type ranked struct {
	id    uint32
	score float64
}

// reliability sums the associations of each column with given rows, weighted by their own reliability, and divides by
// the number of rows:
//
//	r(b) = 1/|A| Σ_{a∈A} pmi(a,b)/max_pmi · r(a)
//
// cells yields the columns of a row with their associations.
func reliability(rows []ranked, cells func(id uint32, yield func(other uint32, assoc float64))) []ranked {
	sums := map[uint32]float64{}
	for _, r := range rows {
		cells(r.id, func(other uint32, a float64) { sums[other] += a * r.score })
	}
	out := make([]ranked, 0, len(sums))
	for id, s := range sums {
		out = append(out, ranked{id, s / float64(len(rows))})
	}
	slices.SortFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
	})
	return out
}

func cutTo(list []ranked, n int) []ranked { return list[:min(len(list), n)] }

// espresso ranks patterns and instances by turns, from the most frequent instances of the seed patterns. Patterns are
// ranked by the most reliable instances of the round before alone, which keeps generic patterns out longer.
func (m *model) espresso(ctx context.Context, t *kind.Training, x *index, seeds []int) ([]classed, []found, error) {
	assoc := x.associations()
	columns, at := x.transposed()
	ofPattern := func(p uint32, yield func(uint32, float64)) {
		for k := x.rows.Start[p]; k < x.rows.Start[p+1]; k++ {
			yield(x.rows.IDs[k], assoc[k])
		}
	}
	ofInstance := func(i uint32, yield func(uint32, float64)) {
		for k := columns.Start[i]; k < columns.Start[i+1]; k++ {
			yield(columns.IDs[k], assoc[at[k]])
		}
	}
	current := m.firstInstances(x, seeds)
	size, before := max(len(seeds), 10), 0.0
	var patterns, instances []ranked
	for round := 1; round <= m.opt.rounds; round++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		next := cutTo(reliability(current, ofInstance), size+round-1)
		mean := 0.0
		for _, p := range next {
			mean += p.score / float64(len(next))
		}
		if round > 1 && mean < before/2 {
			break
		}
		patterns, before = next, mean
		instances = reliability(patterns, ofPattern)
		current = cutTo(instances, m.opt.reliable)
		t.Report(kind.Progress{Step: round, Of: m.opt.rounds, Objective: mean})
	}
	out := make([]classed, len(patterns))
	place := map[uint32]uint32{}
	for k, p := range patterns {
		out[k] = classed{pattern: p.id, pairs: x.rows.Width(int(p.id)), para: p.score, cscore: 1}
		place[p.id] = uint32(k)
	}
	best := map[uint32]found{}
	for _, i := range instances {
		if n := x.instances[i.id]; n.source == n.target || i.score <= 0 {
			continue
		}
		f := found{instance: i.id, score: i.score, assoc: -1}
		for k := columns.Start[i.id]; k < columns.Start[i.id+1]; k++ {
			if p, ok := place[columns.IDs[k]]; ok && assoc[at[k]] > f.assoc {
				f.by, f.assoc, f.count, f.at = p, assoc[at[k]], x.rows.Counts[at[k]], x.where[at[k]]
			}
		}
		best[i.id] = f
	}
	return out, m.sorted(x, best), nil
}

// firstInstances are the most frequent instances of the seed patterns, each with reliability 1.
func (m *model) firstInstances(x *index, seeds []int) []ranked {
	counts := map[uint32]float64{}
	for _, p := range seeds {
		ids, n := x.rows.Row(p)
		for k, i := range ids {
			counts[i] += n[k]
		}
	}
	var out []ranked
	for i, n := range counts {
		out = append(out, ranked{i, n})
	}
	slices.SortFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
	})
	out = cutTo(out, m.opt.reliable)
	for i := range out {
		out[i].score = 1
	}
	return out
}

// transposed is the patterns of each instance, and beside the cells their places in the rows.
func (x *index) transposed() (columns transpose, at []int) {
	columns.Start = make([]int, len(x.instances)+1)
	for _, i := range x.rows.IDs {
		columns.Start[i+1]++
	}
	for i := range x.instances {
		columns.Start[i+1] += columns.Start[i]
	}
	columns.IDs, at = make([]uint32, len(x.rows.IDs)), make([]int, len(x.rows.IDs))
	next := slices.Clone(columns.Start)
	for p := range x.ofPattern {
		for k := x.rows.Start[p]; k < x.rows.Start[p+1]; k++ {
			i := x.rows.IDs[k]
			columns.IDs[next[i]], at[next[i]] = uint32(p), k
			next[i]++
		}
	}
	return columns, at
}

type transpose struct {
	Start []int
	IDs   []uint32
}
