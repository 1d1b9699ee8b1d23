package aligner

import (
	"context"
	"math"
	"slices"
	"strings"

	"parlance/algo/bitext"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// strange is the probability of a word given one that it never occurred with.
const strange = 1e-7

// Annotate links the tokens of a pair of documents, in the layer alignments of the source.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	pair, err := m.sides().PairOf(docs)
	var links []bitext.Link
	if err == nil && pair.Source != nil && pair.Target != nil && bitext.Forms(pair.Source) != nil &&
		bitext.Forms(pair.Target) != nil {
		for _, s := range pair.Sentences() {
			if err := ctx.Err(); err != nil {
				return err
			}
			a, b := s[0], s[1]
			for _, k := range m.Align(ctx, bitext.Forms(pair.Source)[a.From:a.To], bitext.Forms(pair.Target)[b.From:b.To]) {
				k.Source += a.From
				k.Target += b.From
				links = append(links, k)
			}
		}
	}
	for _, d := range docs {
		one := bitext.Pair{Source: d}
		if d == pair.Source && err == nil {
			one.Target = pair.Target
			d.SetLayer(one.Layer(links, run.Prob))
			continue
		}
		d.SetLayer(one.Layer(nil, run.Prob))
	}
	return ctx.Err()
}

// Align links the tokens of two sentences.
func (m *model) Align(ctx context.Context, sources, targets []string) []bitext.Link {
	if len(sources) == 0 || len(targets) == 0 {
		return nil
	}
	u := m.units()
	parts, number := [2][]string{}, [2][]int{}
	parts[0], number[0] = u.cut(source, sources, nil, nil)
	parts[1], number[1] = u.cut(target, targets, nil, nil)
	ids := [2][]uint32{}
	for side := range parts {
		for _, w := range parts[side] {
			ids[side] = append(ids[side], m.vocabulary[side].Find(w))
		}
	}
	on, prob := m.links(ctx, ids)
	if ctx.Err() != nil {
		return nil
	}
	return m.whole(sources, targets, number, on, prob)
}

// whole turns links between units into those between tokens: two tokens are linked if units of them are, with the
// highest probability of these.
func (m *model) whole(sources, targets []string, number [2][]int, on grid, prob []float64) (out []bitext.Link) {
	best := map[[2]int]float64{}
	for i := range on.n {
		for j := range on.m {
			if on.on[i*on.m+j] {
				k := [2]int{number[0][i], number[1][j]}
				best[k] = max(best[k], prob[i*on.m+j])
			}
		}
	}
	for k, p := range best {
		if !m.drop[strings.ToLower(sources[k[0]])+"|"+strings.ToLower(targets[k[1]])] {
			out = append(out, bitext.Link{Source: k[0], Target: k[1], Prob: min(p, 1)})
		}
	}
	slices.SortFunc(out, func(a, b bitext.Link) int {
		if a.Source != b.Source {
			return a.Source - b.Source
		}
		return a.Target - b.Target
	})
	return out
}

// links finds the links of two sentences of ids, and the probability of each two words to be linked: the average of
// both directions, by "product" their geometric mean, by "forward" and "backward" that of this direction.
func (m *model) links(ctx context.Context, ids [2][]uint32) (grid, []float64) {
	n, k := len(ids[0]), len(ids[1])
	var rooms [2]room
	var found [2]grid
	for d := range rooms {
		r := &rooms[d]
		r.ended = func() bool { return ctx.Err() != nil }
		of, by := len(ids[d]), len(ids[1-d])
		r.positions(of, by)
		if m.emissions(d, r, ids); r.over() {
			return grid{}, nil
		}
		var distances float64
		m.p.posteriors(d, r, of, by, nil, &distances)
		found[d] = newGrid(n, k)
		if m.opt.way == byAverage || m.opt.way == byProduct {
			continue
		}
		path := make([]int, by)
		if m.p.best(d, r, of, by, path); r.over() {
			return grid{}, nil
		}
		for at, pos := range path {
			switch {
			case pos < 0:
			case d == 0:
				found[d].on[pos*k+at] = true
			default:
				found[d].on[at*k+pos] = true
			}
		}
	}
	prob := make([]float64, n*k)
	for i := range n {
		if ctx.Err() != nil {
			return grid{}, nil
		}
		for j := range k {
			prob[i*k+j] = m.together(rooms[0].post[j*n+i], rooms[1].post[i*k+j])
		}
	}
	if m.opt.way != byAverage && m.opt.way != byProduct {
		return symmetrize(ctx, m.opt.way, found[0], found[1]), prob
	}
	on := newGrid(n, k)
	for i, p := range prob {
		on.on[i] = p > m.opt.threshold
	}
	return on, prob
}

func (m *model) together(forward, backward float64) float64 {
	switch m.opt.way {
	case byForward:
		return forward
	case byBackward:
		return backward
	case byProduct:
		return math.Sqrt(forward * backward)
	}
	return (forward + backward) / 2
}

// emissions fills the probabilities of the words of a sentence.
func (m *model) emissions(d int, r *room, ids [2][]uint32) {
	n, k := len(ids[0]), len(ids[1])
	for i, s := range ids[0] {
		if r.over() {
			return
		}
		for j, f := range ids[1] {
			p := strange
			if e := m.table.find(s, f); e >= 0 {
				p = max(float64(m.table.prob[d][e]), least)
			}
			if d == 0 {
				r.emit[j*n+i] = p
			} else {
				r.emit[i*k+j] = p
			}
		}
	}
	for i, w := range ids[1-d] {
		r.none[i] = strange
		if w != bitext.Unseen {
			r.none[i] = max(float64(m.table.null[d][w]), least)
		}
	}
}

// Translation is t(target|source) and t(source|target); an empty word is none.
func (m *model) Translation(s, f string) (forward, backward float64) {
	u := m.units()
	if u.lower {
		s, f = strings.ToLower(s), strings.ToLower(f)
	}
	a, b := m.vocabulary[source].Find(s), m.vocabulary[target].Find(f)
	if s == "" || f == "" {
		if s == "" && b != bitext.Unseen {
			forward = float64(m.table.null[0][b])
		}
		if f == "" && a != bitext.Unseen {
			backward = float64(m.table.null[1][a])
		}
		return forward, backward
	}
	if e := m.table.find(a, b); e >= 0 {
		return float64(m.table.prob[0][e]), float64(m.table.prob[1][e])
	}
	return 0, 0
}
