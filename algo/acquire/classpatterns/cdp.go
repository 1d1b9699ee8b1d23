package classpatterns

import (
	"cmp"
	"context"
	"slices"
)

// classed is a pattern between two classes.
type classed struct {
	pattern        uint32
	source, target uint32 // classes
	pairs, support int    // |I(p;c,c')|, and how many of them are pairs of seeds
	para, cscore   float64
}

// found is an instance with what speaks for it most.
type found struct {
	instance uint32
	by       uint32 // of the classed patterns
	score    float64
	assoc    float64
	count    float64 // with the pattern
	at       place
}

// between is a pair of classes as a key.
func between(c, d uint32) uint64 { return uint64(c)<<32 | uint64(d) }

// each yields the pairs of classes of an instance.
func (c *classes) each(x *index, i uint32, yield func(uint64)) {
	for _, a := range c.of[x.instances[i].source] {
		for _, b := range c.of[x.instances[i].target] {
			yield(between(a, b))
		}
	}
}

// seeded tells which instances seed patterns have.
func (x *index) seeded(seeds []int) []bool {
	out := make([]bool, len(x.instances))
	for _, p := range seeds {
		ids, _ := x.rows.Row(p)
		for _, i := range ids {
			out[i] = true
		}
	}
	return out
}

// rankPatterns scores all patterns that share pairs with the seeds, for each pair of classes by itself.
func (m *model) rankPatterns(ctx context.Context, x *index, c *classes, seeds []int) ([]classed, error) {
	seeded := x.seeded(seeds)
	ofSeeds := map[uint64]int{} // |I(S;c,c')|
	most := 0
	for i, is := range seeded {
		if is {
			c.each(x, uint32(i), func(k uint64) {
				ofSeeds[k]++
				most = max(most, ofSeeds[k])
			})
		}
	}
	var out []classed
	for p := range x.ofPattern {
		if p&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ids, _ := x.rows.Row(p)
		if !slices.ContainsFunc(ids, func(i uint32) bool { return seeded[i] }) {
			continue
		}
		pairs, support := map[uint64]int{}, map[uint64]int{}
		for _, i := range ids {
			c.each(x, i, func(k uint64) {
				pairs[k]++
				if seeded[i] {
					support[k]++
				}
			})
		}
		for k, s := range support {
			f := classed{pattern: uint32(p), source: uint32(k >> 32), target: uint32(k), pairs: pairs[k], support: s,
				cscore: 1}
			if f.para = m.similarity(s, pairs[k], ofSeeds[k]); s < m.opt.minSupport || f.para == 0 {
				continue
			}
			if m.opt.cscore {
				f.cscore = float64(ofSeeds[k]) / float64(most)
			}
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b classed) int {
		return cmp.Or(cmp.Compare(b.para*b.cscore, a.para*a.cscore), cmp.Compare(b.support, a.support),
			cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.source, b.source), cmp.Compare(a.target, b.target))
	})
	return slices.Clone(out[:min(len(out), m.opt.patterns)]), nil
}

// similarity is Para of numbers of pairs: common ones, those of the pattern, those of the seeds.
func (m *model) similarity(both, pattern, seeds int) float64 {
	if m.opt.similarity == "ratio" {
		return float64(both) / (float64(pattern) + m.opt.smooth)
	}
	return float64(both) / float64(pattern+seeds-both)
}

// extract ranks the instances of patterns by the one that speaks most for them.
func (m *model) extract(x *index, c *classes, patterns []classed) []found {
	var assoc []float64
	if m.opt.assoc {
		assoc = x.associations()
	}
	best := map[uint32]found{}
	for k, f := range patterns {
		for j := x.rows.Start[f.pattern]; j < x.rows.Start[f.pattern+1]; j++ {
			i := x.rows.IDs[j]
			n := x.instances[i]
			if n.source == n.target || !slices.Contains(c.of[n.source], f.source) || !slices.Contains(c.of[n.target],
				f.target) {
				continue
			}
			a := 1.0
			if assoc != nil {
				a = max(assoc[j], 0)
			}
			g := found{i, uint32(k), f.cscore * f.para * a, a, x.rows.Counts[j], x.where[j]}
			if old, ok := best[i]; g.score > 0 && (!ok || g.score > old.score) {
				best[i] = g
			}
		}
	}
	return m.sorted(x, best)
}

// sorted is the best instances, the best first; of equal ones the more frequent.
func (m *model) sorted(x *index, best map[uint32]found) []found {
	out := make([]found, 0, len(best))
	for _, f := range best {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.count, a.count), cmp.Compare(a.instance, b.instance))
	})
	return slices.Clone(out[:min(len(out), m.opt.nbest)])
}
