package lookahead

import (
	"context"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/seq/tagger"
)

// trainTags learns to label tokens.
func (m *model) trainTags(ctx context.Context, t *kind.Training) error {
	target, err := m.opt.Target()
	if err != nil {
		return err
	}
	data, err := m.opt.Read(ctx, t)
	if err != nil {
		return err
	}
	if err := checkLabels(data.Labels, m.opt.order); err != nil {
		return err
	}
	var r *rules
	if target.Spans() && m.opt.constrained {
		r = newRules(target.Scheme.Constraints(data.Names), m.opt.direction == "rtl")
	}
	l := newTagLearner(m, &data.Data, r)
	l.trained = func(c *chain.Model, triple []float64) (*model, error) {
		return m.labelled(ctx, data, target, c, triple)
	}
	best, err := m.fit(ctx, t, l)
	if err != nil {
		return err
	}
	*m = *best
	return nil
}

// labelled makes a model of what was learned.
func (m *model) labelled(ctx context.Context, data *tagger.Data, target tagger.Target, c *chain.Model,
	triple []float64) (*model, error) {
	now := *m
	now.tags = &labels{target: target, reverse: m.opt.direction == "rtl", triple: triple}
	if err := now.tags.Keep(ctx, data, c); err != nil {
		return nil, err
	}
	now.tags.prepare()
	return &now, nil
}

// tagLearner is the margin perceptron over labels of tokens (Tsuruoka, Miyao and Kazama 2011,
// figure 3). At each token of the gold labelling it compares the best leaf S*_c below the right
// label, less the margin C, with the best leaf S* of all:
//
//	if w·φ(S*_c) − C < w·φ(S*):  w += φ(S*_c) − φ(S*)
type tagLearner struct {
	data      *chain.Data
	reverse   bool
	rules     *rules
	depth     int
	margin    float64
	w         *weights
	pair      *dense
	triple    *dense // nil for order 1
	decisions float64
	window    window
	naive     *searcher // nil to search by dynamic programming
	problem   *labelling
	gold      []uint16
	values    []float64
	right     []uint16
	seen      []int // updates before the scores of a token were computed
	updates   int
	trained   func(*chain.Model, []float64) (*model, error)
}

func newTagLearner(m *model, data *chain.Data, r *rules) *tagLearner {
	n := data.Labels
	l := &tagLearner{data: data, reverse: m.opt.direction == "rtl", rules: r, depth: m.opt.depth, margin: m.opt.margin,
		w: newWeights(data.Attributes, n), pair: newDense(n*n, n), values: make([]float64, n)}
	if r != nil {
		forbid(l.pair.W, r.pair)
		copy(l.pair.maxima, rowMaxima(n, l.pair.W))
	}
	l.window.pair, l.window.maxima.pair = l.pair.W, l.pair.maxima
	if m.opt.order == 2 {
		l.triple = newDense(n*n*n, n)
		l.window.triple, l.window.maxima.triple = l.triple.W, l.triple.maxima
	}
	if m.opt.search == "naive" {
		l.problem = newLabelling(&l.window)
		l.naive = &searcher{p: l.problem}
	}
	return l
}

func (l *tagLearner) sentences() int { return l.data.Sequences() }

// attrs returns the attributes of the token that is decided as the t-th of sentence i.
func (l *tagLearner) attrs(i, t int) []uint32 {
	k := l.token(i, t)
	return l.data.Attrs[l.data.AttrOffsets[k]:l.data.AttrOffsets[k+1]]
}

func (l *tagLearner) token(i, t int) uint32 {
	if l.reverse {
		return l.data.Offsets[i+1] - 1 - uint32(t)
	}
	return l.data.Offsets[i] + uint32(t)
}

func (l *tagLearner) learn(ctx context.Context, i int) (updates int, err error) {
	l.begin(i)
	for t := range l.gold {
		if t&63 == 63 && ctx.Err() != nil {
			return updates, ctx.Err()
		}
		if l.step(i, t) {
			updates++
		}
	}
	return updates, nil
}

// begin prepares for sentence i.
func (l *tagLearner) begin(i int) {
	n := int(l.data.Offsets[i+1] - l.data.Offsets[i])
	l.window.resize(l.data.Labels, l.depth, n)
	l.gold, l.seen = buffer.Resize(l.gold, n), buffer.Resize(l.seen, n)
	for t := range n {
		l.gold[t] = l.data.Gold[l.token(i, t)]
		l.seen[t] = -1
	}
}

// step decides token t of sentence i after gold labels.
func (l *tagLearner) step(i, t int) bool {
	last, second := start, start
	if t > 0 {
		last = int(l.gold[t-1])
	}
	if t > 1 {
		second = int(l.gold[t-2])
	}
	l.score(i, t)
	return l.decide(i, t, last, second, int(l.gold[t]))
}

// score brings the scores of the tokens of the window up to date.
func (l *tagLearner) score(i, t int) {
	for k := t; k <= t+l.depth && k < l.window.n; k++ {
		if l.seen[k] == l.updates {
			continue
		}
		l.seen[k] = l.updates
		row := l.window.row(k)
		clear(row)
		l.w.score(l.attrs(i, k), row)
		l.rules.ends(row, k, l.window.n)
	}
}

// decide compares the leaves below token t and updates the weights where the right label is not
// ahead by the margin.
func (l *tagLearner) decide(i, t, last, second, gold int) bool {
	follow := func(y int) []uint16 { return l.window.follow(t, last, y) }
	var top int
	if l.naive == nil {
		top = l.window.choose(t, last, second, gold, l.margin)
	} else {
		follow = l.search(t, last, second)
		l.values[gold] -= l.margin
		top = chain.Argmax(l.values)
	}
	if top != gold {
		l.right = append(l.right[:0], follow(gold)...)
		l.update(i, t, last, second, l.right, follow(top))
		l.updates++
	}
	l.decisions++
	return top != gold
}

// update adds 1 to the weights of the features of the right labels from token t on and −1 to those
// of the wrong ones. Features of both stay as they are.
func (l *tagLearner) update(i, t, last, second int, right, wrong []uint16) {
	for k, y := range right {
		if z := wrong[k]; y != z {
			attrs := l.attrs(i, t+k)
			l.w.add(attrs, int(y), 1, l.decisions)
			l.w.add(attrs, int(z), -1, l.decisions)
		}
	}
	l.histories(last, second, right, 1)
	l.histories(last, second, wrong, -1)
}

// histories adds delta to the weights of the histories of labels.
func (l *tagLearner) histories(last, second int, path []uint16, delta float64) {
	n := l.data.Labels
	for _, y := range path {
		if last != start {
			l.pair.add(last*n+int(y), delta, l.decisions)
		}
		if second != start && l.triple != nil {
			l.triple.add((second*n+last)*n+int(y), delta, l.decisions)
		}
		last, second = int(y), last
	}
}

// search sets the values of labels by trying every sequence, and returns what window.follow does.
func (l *tagLearner) search(t, last, second int) func(y int) []uint16 {
	l.problem.at(t, last, second)
	roots := l.naive.search(l.depth)
	for _, r := range roots {
		l.values[r.action] = r.score + r.tail
	}
	return func(y int) []uint16 {
		l.window.path = append(l.window.path[:0], uint16(y))
		for _, a := range roots[y].path {
			l.window.path = append(l.window.path, uint16(a))
		}
		return l.window.path
	}
}

// model returns the average of the weights so far.
func (l *tagLearner) model() (*model, error) {
	var p chain.Parts
	decisions := math.Max(1, l.decisions)
	l.w.average(&p, decisions)
	n := l.data.Labels
	for k, x := range l.pair.average(decisions) {
		if x != 0 {
			p.TransFrom, p.TransTo, p.TransWeights = append(p.TransFrom, uint16(k/n)), append(p.TransTo, uint16(k%n)),
				append(p.TransWeights, x)
		}
	}
	c, err := chain.NewModel(p)
	if err != nil {
		return nil, err
	}
	var triple []float64
	if l.triple != nil {
		triple = l.triple.average(decisions)
	}
	return l.trained(c, triple)
}
