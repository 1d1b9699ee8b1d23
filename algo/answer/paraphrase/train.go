package paraphrase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Train finds the pairs of phrases and ranks them.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	began := time.Now()
	g, err := m.gather(ctx, t.On)
	if err != nil {
		return err
	}
	pairs, err := g.pairs(ctx, t.Seed)
	if err != nil {
		return err
	}
	if err := g.tell(t, len(pairs)); err != nil {
		return err
	}
	m.source(g, pairs)
	found, err := m.rank(ctx, t, g, pairs)
	if err != nil {
		return err
	}
	m.store(g, pairs, found)
	if len(m.rows) == 0 {
		t.Notice("no two definitions have phrases that may be paraphrases")
	}
	t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN(),
		Seconds: time.Since(began).Seconds(),
		Note: text.Countf("%d {definition|definitions} of %d {term|terms}, %d {pair|pairs} of definitions, %d {pair|pairs} "+
			"of phrases", g.met-g.flat,
			len(g.terms), len(pairs), len(found.list))})
	return ctx.Err()
}

// rank collects and scores the candidates by the method.
func (m *model) rank(ctx context.Context, t *kind.Training, g *gatherer, pairs []pair) (*table, error) {
	if m.opt.method == byTable {
		return m.align(ctx, g, pairs, t.Resources)
	}
	found, err := m.collect(ctx, g, pairs)
	if err != nil {
		return nil, err
	}
	if m.opt.method == bySVM {
		if err := m.learn(ctx, t, found); err != nil {
			return nil, err
		}
		if found, err = m.collect(ctx, g, pairs); err != nil {
			return nil, err
		}
	}
	if m.opt.method == byScore {
		found.global()
	} else {
		for i := range found.list {
			found.list[i].score = found.list[i].local
		}
	}
	return found, nil
}

// verdicts are judged pairs, the lesser phrase first: how many say yes, and no.
func verdicts(ctx context.Context, in kind.Input) (keys [][2]string, votes map[[2]string]int, err error) {
	rows, ok := in.Table(roleJudged)
	if !ok {
		return nil, nil, fmt.Errorf("%w: there is no table of judged pairs", kind.ErrNoData)
	}
	votes = map[[2]string]int{}
	for r, err := range rows.Rows(ctx) {
		if err != nil {
			return nil, nil, err
		}
		if r[0].IsNull() || r[1].IsNull() || r[2].IsNull() {
			continue
		}
		k := ordered(normal(r[0].S), normal(r[1].S))
		if _, ok := votes[k]; !ok {
			keys = append(keys, k)
			votes[k] = 0
		}
		if r[2].Int() > 0 {
			votes[k]++
		} else {
			votes[k]--
		}
	}
	return keys, votes, ctx.Err()
}

func normal(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

func ordered(a, b string) [2]string {
	if a > b {
		return [2]string{b, a}
	}
	return [2]string{a, b}
}

// learn fits the machine to judged pairs that are candidates. Features are those of the occurrence with the greatest
// sum.
func (m *model) learn(ctx context.Context, t *kind.Training, found *table) error {
	in := t.Roles[roleJudged]
	if in == nil {
		return fmt.Errorf("%w: svm learns from judged pairs: TRAIN paraphrase ON docs, table AS judged", kind.ErrNoData)
	}
	keys, votes, err := verdicts(ctx, in)
	if err != nil {
		return err
	}
	place := map[[2]string]*candidate{}
	words := found.g.words.list
	for i := range found.list {
		c := &found.list[i]
		place[ordered(words[c.p], words[c.q])] = c
	}
	x, y := &solver.Rows{Width: featureCount, Offsets: []uint32{0}, Values: []float32{}}, []int8{}
	unknown, undecided := 0, 0
	for _, k := range keys {
		c := place[k]
		switch {
		case c == nil:
			unknown++
			continue
		case votes[k] == 0:
			undecided++
			continue
		}
		for f, v := range c.features {
			if v != 0 {
				x.Columns, x.Values = append(x.Columns, uint32(f)), append(x.Values, float32(v))
			}
		}
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
		y = append(y, int8(1))
		if votes[k] < 0 {
			y[len(y)-1] = -1
		}
	}
	for _, left := range []struct {
		n    int
		what string
	}{{unknown, "are no candidates"}, {undecided, "have as many judgements for as against"}} {
		if left.n > 0 {
			t.Notice(fmt.Sprintf("%d judged pairs %s, and are not learned from", left.n, left.what))
		}
	}
	if !slices.Contains(y, 1) || !slices.Contains(y, -1) {
		return fmt.Errorf("%w: of %d judged pairs no right one, or no wrong one, is a candidate", kind.ErrNoData,
			len(keys))
	}
	o := solver.Linear{C: m.opt.c, Bias: 1, Epsilon: 1e-3, Iterations: 10_000, Shrinking: true, Seed: t.Seed}
	r, err := o.Binary(ctx, x, y, solver.NewColumnMap(x.Width))
	if err != nil {
		return err
	}
	m.weights, m.bias = r.Weights[:featureCount:featureCount], r.Weights[featureCount]
	return nil
}

// distance is g(x)/‖w‖, the signed distance from the border.
func (m *model) distance(f [featureCount]float64) float64 {
	g, square := m.bias, 0.0
	for i, w := range m.weights {
		g += w * f[i]
		square += w * w
	}
	if square == 0 {
		return g
	}
	return g / math.Sqrt(square)
}

// source keeps the definitions that stand in pairs.
func (m *model) source(g *gatherer, pairs []pair) {
	at := map[*definition]uint32{}
	keep := func(term string, d *definition) uint32 {
		k, ok := at[d]
		if !ok {
			k = uint32(len(m.definitions))
			at[d] = k
			m.definitions = append(m.definitions, source{term, d.doc, d.text, d.number})
		}
		return k
	}
	for _, x := range pairs {
		m.pairs = append(m.pairs, sourcePair{keep(x.term, x.a), keep(x.term, x.b), x.cosine})
	}
}

// store keeps the best candidates, of equal ones those of more pairs of definitions, then by text.
func (m *model) store(g *gatherer, pairs []pair, t *table) {
	words := g.words.list
	list := slices.DeleteFunc(t.list, func(c candidate) bool { return math.IsInf(c.score, 0) })
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.count, a.count), cmp.Compare(words[a.p], words[b.p]),
			cmp.Compare(words[a.q], words[b.q]))
	})
	for _, c := range list[:min(len(list), m.opt.keep)] {
		x := pairs[c.at]
		p, q := words[c.p], words[c.q]
		if c.turned {
			p, q = q, p
		}
		r := row{p: p, q: q, score: c.score, local: c.local, count: c.count, pair: uint32(c.at),
			diff: t.diffs.list[c.diff]}
		r.trivial, r.variation = g.kinds(x, p, q)
		m.rows = append(m.rows, r)
	}
}

// kinds tells whether two phrases are trivial paraphrases, with the same content words by base form or with the same
// spelling, and whether a content word is in one of them alone.
func (g *gatherer) kinds(x pair, p, q string) (trivial, variation bool) {
	a, forms := g.bases(x.a, p)
	b, others := g.bases(x.b, q)
	variation = !slices.Equal(forms, others)
	same := func(p, q string) bool {
		x, y := strings.Fields(p), strings.Fields(q)
		for _, l := range [][]string{x, y} {
			for i := range l {
				l[i] = spelling(l[i])
			}
		}
		return strings.Join(x, "") == strings.Join(y, "")
	}
	return slices.Equal(a, b) || same(p, q), variation
}

// bases are the content words of a phrase of a definition: base forms, and forms, both rising.
func (g *gatherer) bases(d *definition, p string) (bases, forms []string) {
	want := strings.Fields(p)
	for i := 0; i+len(want) <= len(d.content); i++ {
		if !slices.EqualFunc(d.ids[surface][i:i+len(want)], want, func(id uint32, w string) bool {
			return g.words.list[id] == w
		}) {
			continue
		}
		for k := i; k < i+len(want); k++ {
			if d.content[k] {
				bases = append(bases, g.words.list[d.ids[base][k]])
				forms = append(forms, g.words.list[d.ids[surface][k]])
			}
		}
		break
	}
	slices.Sort(bases)
	slices.Sort(forms)
	return bases, forms
}

func joined(words []string) string { return strings.Join(words, " ") }

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}
