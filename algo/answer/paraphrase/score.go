package paraphrase

import (
	"context"
	"math"
	"slices"
	"strings"
)

// candidate is two phrases, the lesser text number first, with what is known of them.
type candidate struct {
	p, q     uint32 // texts
	diff     uint32 // number of the difference
	count    uint32 // pairs of definitions
	local    float64
	score    float64
	at       int32 // pair of definitions with the greatest local score
	turned   bool  // p is of its second definition
	features [featureCount]float64
}

// table is the candidates of all pairs of definitions.
type table struct {
	m     *model
	g     *gatherer
	list  []candidate
	place map[uint64]int32
	diffs words
	seen  []occurrence
}

// occurrence is a candidate in a pair of definitions.
type occurrence struct{ pair, candidate int32 }

// collect lists the candidates. The score of one is the greatest of its occurrences.
func (m *model) collect(ctx context.Context, g *gatherer, pairs []pair) (*table, error) {
	t := &table{m: m, g: g, place: map[uint64]int32{}}
	for i := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := &pairs[i]
		for k := range x.a.phrases {
			for n := range x.b.phrases {
				if g.allowed(x.a, &x.a.phrases[k], x.b, &x.b.phrases[n]) {
					t.add(int32(i), x, &x.a.phrases[k], &x.b.phrases[n])
				}
			}
		}
	}
	return t, nil
}

// allowed tells whether two phrases may be paraphrases: they differ, names of one are in the other, and neither
// contains the other, unless nested ones are wanted.
func (g *gatherer) allowed(a *definition, p *phrase, b *definition, q *phrase) bool {
	if p.text == q.text {
		return false
	}
	if !g.sameNames(a, p, b, q) {
		return false
	}
	if g.opt.nested {
		return true
	}
	x, y := " "+g.words.list[p.text]+" ", " "+g.words.list[q.text]+" "
	return !strings.Contains(x, y) && !strings.Contains(y, x)
}

func (g *gatherer) sameNames(a *definition, p *phrase, b *definition, q *phrase) bool {
	all := func(a *definition, p *phrase, b *definition, q *phrase) bool {
		for i := p.from; i < p.to; i++ {
			if a.names[i] && !slices.Contains(b.ids[surface][q.from:q.to], a.ids[surface][i]) {
				return false
			}
		}
		return true
	}
	return all(a, p, b, q) && all(b, q, a, p)
}

// add notes an occurrence.
func (t *table) add(at int32, x *pair, p, q *phrase) {
	turned := p.text > q.text
	low, high := min(p.text, q.text), max(p.text, q.text)
	key := uint64(low)<<32 | uint64(high)
	k, ok := t.place[key]
	if !ok {
		k = int32(len(t.list))
		t.place[key] = k
		c := candidate{p: low, q: high, local: math.Inf(-1), diff: t.difference(low, high)}
		t.list = append(t.list, c)
	}
	t.seen = append(t.seen, occurrence{at, k})
	c := &t.list[k]
	c.count++
	var f [featureCount]float64
	var score float64
	switch t.m.opt.method {
	case bySum, bySVM:
		f = t.g.words.features(x.a, p, x.b, q, x.cosine)
		score = sum(f)
		if t.m.weights != nil {
			score = t.m.distance(f)
		}
	default:
		score = local(x.a, p, x.b, q, x.cosine)
	}
	if score > c.local {
		c.local, c.at, c.turned, c.features = score, at, turned, f
	}
}

// difference numbers Diff(p, q), the words of each that are not in the other, as often as they are missing there, the
// lesser text first.
func (t *table) difference(p, q uint32) uint32 {
	a, b := t.g.apart(p, q)
	if a > b {
		a, b = b, a
	}
	return t.diffs.id(a + " | " + b)
}

// apart are the words of each of two texts that the other lacks, in order.
func (g *gatherer) apart(p, q uint32) (string, string) {
	x, y := strings.Fields(g.words.list[p]), strings.Fields(g.words.list[q])
	return lacking(x, y), lacking(y, x)
}

func lacking(x, y []string) string {
	left := slices.Clone(y)
	var out []string
	for _, w := range x {
		if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// global makes Score = localSim + ln globalSim of localSim, with
//
//	globalSim(p, q) = Σ localSim(p_i, q_i) / M
//
// over the pairs of definitions with a candidate of the same difference, of each the one with the greatest localSim.
// M is the number of types of functions with weight 1. Where the sum is 0 or below the score is −Inf.
func (t *table) global() {
	sums := make([]float64, len(t.diffs.list))
	best := map[uint32]float64{}
	flush := func() {
		for d, l := range best {
			sums[d] += l / positiveTypes
		}
		clear(best)
	}
	for i, o := range t.seen {
		if i > 0 && o.pair != t.seen[i-1].pair {
			flush()
		}
		c := &t.list[o.candidate]
		if l, ok := best[c.diff]; !ok || c.local > l {
			best[c.diff] = c.local
		}
	}
	flush()
	for i := range t.list {
		c := &t.list[i]
		c.score = math.Inf(-1)
		if g := sums[c.diff]; g > 0 {
			c.score = c.local + math.Log(g)
		}
	}
}
