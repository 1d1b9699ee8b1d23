package coreference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/coref/linking"
	"parlance/algo/coref/mention"
	"parlance/algo/engine/online"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
)

// trained is the weights with what decoding needs besides.
type trained struct {
	features   [2]*features // of links of others, of pronouns
	bits       int
	weights    []float32  // of others, then of pronouns if they are apart
	thresholds [3]float64 // added to scores, by type: names, nominals, pronouns
	singletons bool       // the training has clusters of one mention
	phrases    []phrasePair
}

// Train learns the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	phrases, err := readConstraints(ctx, t.Roles[constraintTable.Name])
	if err != nil {
		return err
	}
	l, err := newLearner(ctx, m, t)
	if err != nil {
		return err
	}
	fit := l.fit
	switch {
	case m.opt.withoutScores():
		fit = func(ctx context.Context, _ *kind.Training) error { return ctx.Err() }
	case m.opt.train == "slt":
		fit = l.slt
	case m.opt.optimizer == "cccp":
		fit = l.cccp
	}
	if err := fit(ctx, t); err != nil {
		return err
	}
	m.trained = l.model(l.mean())
	m.trained.phrases = phrases
	if t.Validate == nil || !m.opt.tune || m.opt.withoutScores() {
		return nil
	}
	best, err := m.tune(ctx, t)
	if err != nil {
		return err
	}
	h := m.trained.thresholds
	t.Report(kind.Progress{Step: m.opt.passes, Of: m.opt.passes, Objective: math.NaN(), HeldOut: best,
		Metric: "conll", Aside: true,
		Note: fmt.Sprintf("thresholds of names %.3f, nominals %.3f, pronouns %.3f", h[0], h[1], h[2])})
	return nil
}

// learner is the state of a training.
type learner struct {
	opt      *options
	features [2]*features
	docs     []*document
	kept     []*vectors // by document, nil for those that are computed anew
	room     int        // bytes left for vectors
	fresh    int        // bytes of those that were kept since garbage was last collected
	readers  [][2]*reader
	weights  *online.Shrinking
	from     []float32 // where each run begins, nil for 0
	run      int
	sum      []float32 // of the weights of the runs before
	pass     int
	seed     uint64
	single   bool

	fixed     [][]int // by document: gold antecedents that the concave-convex procedure has fixed, nil without it
	row, coef []float64
	right     []bool
	kb        kbLearner
	history   history  // of the document that is learned from, where features are merged
	joint     []uint32 // merged features
}

func newLearner(ctx context.Context, m *model, t *kind.Training) (*learner, error) {
	l := &learner{opt: &m.opt, seed: t.Seed, room: m.opt.cache << 20}
	var err error
	if l.features, err = m.opt.sets(); err != nil {
		return nil, err
	}
	find, err := m.newDetector(t.Resources)
	if err != nil {
		return nil, err
	}
	if err := l.readDocuments(ctx, t, find); err != nil {
		return nil, err
	}
	for range max(1, t.Workers) {
		r, err := newReaders(l.features, t.Resources)
		if err != nil {
			return nil, err
		}
		l.readers = append(l.readers, r)
	}
	l.weights = online.NewShrinking(m.opt.tableSize(), m.opt.averaged && m.opt.optimizer != "cccp")
	l.sum = make([]float32, len(l.weights.V))
	if t.Init == nil {
		return l, nil
	}
	from, ok := t.Init.(*model)
	if !ok || len(from.trained.weights) != len(l.weights.V) ||
		from.trained.features[0].notation != l.features[0].notation ||
		from.trained.features[1].notation != l.features[1].notation {
		return nil, fmt.Errorf("option init: the model has other features, bits or parts of the weights")
	}
	l.from = from.trained.weights
	copy(l.weights.V, l.from)
	return l, nil
}

func (l *learner) readDocuments(ctx context.Context, t *kind.Training, find *detector) error {
	single, clusters := 0, 0
	base, err := l.opt.newBase(t.Resources)
	if err != nil {
		return err
	}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		gold, err := newDocument(ctx, d, mention.Lexicons{}, 1, false)
		if err != nil {
			return err
		}
		gold.learn()
		a, b := gold.alone()
		single, clusters = single+a, clusters+b
		if l.opt.mentions != "gold" {
			if d, err = find.training(ctx, d, l.opt.mentions == "both", l.opt.match == "relaxed"); err != nil {
				return err
			}
		}
		x, err := newDocument(ctx, d, mention.Lexicons{}, l.opt.limit, l.opt.separate)
		if err != nil {
			return err
		}
		x.learn()
		if len(x.mentions) < 2 {
			continue
		}
		l.docs = append(l.docs, x)
		if l.opt.weighsKB() {
			if err := l.readKB(ctx, base, x); err != nil {
				return err
			}
		}
	}
	if clusters == single {
		return fmt.Errorf("%w: no cluster has two mentions", kind.ErrNoData)
	}
	l.kept = make([]*vectors, len(l.docs))
	l.single = single*10 > clusters
	return ctx.Err()
}

// fit runs the passes, each over the documents in an order drawn from the seed and the pass.
func (l *learner) fit(ctx context.Context, t *kind.Training) error {
	state, keep := l.state(), checkpoint.NewKeeper(t)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
	}
	started := time.Now()
	for l.run < l.opt.runs {
		loss, err := l.over(ctx)
		if err != nil {
			return err
		}
		l.pass++
		t.Report(kind.Progress{Step: l.run*l.opt.passes + l.pass, Of: l.opt.runs * l.opt.passes, Objective: loss,
			HeldOut: math.NaN(),
			Seconds: time.Since(started).Seconds(), Note: "pass"})
		if l.pass == l.opt.passes {
			l.finish()
		}
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	return nil
}

// finish adds the weights of a run to the sum, and begins the next one.
func (l *learner) finish() {
	for i, w := range l.weights.Mean() {
		l.sum[i] += w
	}
	l.run++
	l.pass = 0
	w := l.weights
	copy(w.V, l.from)
	if l.from == nil {
		clear(w.V)
	}
	clear(w.U)
	w.Scale, w.Sum, w.Steps = 1, 0, 0
}

// mean is the mean of the weights of the runs.
func (l *learner) mean() []float32 {
	if l.run == 0 { // of methods without runs
		return l.weights.Mean()
	}
	out := make([]float32, len(l.sum))
	for i, w := range l.sum {
		out[i] = w / float32(l.run)
	}
	return out
}

func (l *learner) state() checkpoint.State {
	w := l.weights
	s := checkpoint.State{}.With("run", checkpoint.Value(&l.run)).With("sum", checkpoint.Float32s(l.sum)).With("pass",
		checkpoint.Value(&l.pass)).With("weights", checkpoint.Float32s(w.V)).
		With("scale", checkpoint.Value(&w.Scale)).With("scales", checkpoint.Value(&w.Sum)).With("steps",
		checkpoint.Value(&w.Steps))
	if w.U != nil {
		s = s.With("mean", checkpoint.Float64s(w.U))
	}
	return s
}

// over is a pass. Features of a batch of documents are computed in parallel, then learned from in order.
func (l *learner) over(ctx context.Context) (loss float64, err error) {
	order := rand.New(rand.NewPCG(l.seed+uint64(l.run)<<32, uint64(l.pass))).Perm(len(l.docs))
	workers := len(l.readers)
	list := make([]*vectors, 2*workers)
	for from := 0; from < len(order); from += len(list) {
		batch := order[from:min(from+len(list), len(order))]
		err := parallel.For(ctx, workers, len(batch), func(worker, k int) (err error) {
			list[k], err = l.vectorsOf(ctx, batch[k], worker, list[k])
			return err
		})
		if err != nil {
			return 0, err
		}
		for k, i := range batch {
			step, err := l.learn(ctx, i, list[k])
			if err != nil {
				return 0, err
			}
			loss += step
			if list[k] = l.keep(i, list[k]); ctx.Err() != nil {
				return 0, ctx.Err()
			}
		}
	}
	return loss, nil
}

// vectorsOf are the features of a document, kept or computed in the memory of old ones.
func (l *learner) vectorsOf(ctx context.Context, i, worker int, old *vectors) (*vectors, error) {
	if l.kept[i] != nil {
		return l.kept[i], nil
	}
	if old == nil {
		old = &vectors{}
	}
	return old, old.read(ctx, l.docs[i], l.readers[worker], l.opt.bits)
}

// collectAfter is how many bytes of features are kept until garbage is collected and its memory given back: else the
// process would grow to twice what it holds, though hardly anything is allocated once all features are kept.
const collectAfter = 48 << 20

// keep keeps the features of a document if there is room, and returns memory for others.
func (l *learner) keep(i int, v *vectors) *vectors {
	if l.kept[i] != nil {
		return nil
	}
	if n := v.bytes(); n <= l.room {
		l.room -= n
		l.kept[i] = v.clone()
		if l.fresh += n; l.fresh >= collectAfter {
			l.fresh = 0
			debug.FreeOSMemory()
		}
	}
	return v
}

// learn takes the steps of a document.
func (l *learner) learn(ctx context.Context, k int, v *vectors) (loss float64, err error) {
	d := l.docs[k]
	if l.opt.train == "structured" {
		return l.whole(ctx, d, v)
	}
	l.begin(k)
	for i := range d.mentions {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		switch {
		case l.opt.train == "pairs":
			loss += l.pairs(d, v, i)
		case l.fixed != nil:
			loss += l.rank(d, v, i, l.fixed[k][i:i+1])
		default:
			loss += l.rank(d, v, i, nil)
		}
		l.nextKB(d, v, i)
	}
	return loss, nil
}

// whole takes a step by the clusters of a document: the features of the pairs that gold clusters have, or their best
// spanning forest, against those of the clusters that the decoder finds.
func (l *learner) whole(ctx context.Context, d *document, v *vectors) (loss float64, err error) {
	for i := range d.mentions {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		copy(d.table.Row(i), l.score(d, v, i))
	}
	coef := l.coefs(len(d.table.Score))
	if l.opt.method == "spanning_forest" {
		loss, err = linking.ForestGradient(ctx, d.table, d.gold, coef)
	} else {
		loss, err = l.opt.allLinkGradient(ctx, d, coef)
	}
	if err != nil {
		return 0, err
	}
	rate, at := l.step(), 0
	if l.opt.l2 > 0 {
		l.weights.Shrink(1 - rate*l.opt.l2)
	}
	for i := range d.mentions {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		n := len(d.table.Row(i))
		l.move(d, v, i, coef[at:at+n], rate)
		at += n
	}
	for base := 0; base < len(l.weights.V); base += 1 << l.opt.bits {
		l.blank(base)
	}
	l.weights.Next()
	return loss, nil
}

// allLinkGradient is what the structured perceptron subtracts (Chang et al. 2011, algorithm 1): 1 for pairs inside
// predicted clusters, less 1 for pairs inside gold ones.
func (o *options) allLinkGradient(ctx context.Context, d *document, coef []float64) (loss float64, err error) {
	all, err := linking.AllLink(ctx, d.table,
		linking.AllOptions{Drop: linking.Drop(o.drop), Exact: o.exact, Nodes: allLinkNodes})
	if err != nil {
		return 0, err
	}
	at := 0
	for i := range d.mentions {
		for j := d.table.First(i); j < i; j++ {
			coef[at] = 0
			if all.Clusters[i] == all.Clusters[j] {
				coef[at]++
			}
			if d.gold[i] == d.gold[j] {
				coef[at]--
			}
			loss += math.Abs(coef[at])
			at++
		}
	}
	return loss, nil
}

// coefs is memory for n derivatives.
func (l *learner) coefs(n int) []float64 {
	if cap(l.coef) < n {
		l.coef = make([]float64, 2*n)
	}
	return l.coef[:n]
}

// score writes the scores of the candidates of a mention to the row of the learner.
func (l *learner) score(d *document, v *vectors, i int) []float64 {
	part := d.part(i)
	base := part << l.opt.bits
	first, n := d.table.First(i), len(d.table.Row(i))
	l.row = l.row[:0]
	own := l.weights.Sums(base, v.of(i))
	var sums [width]float32
	w := l.weights.V[base : base+1<<l.opt.bits]
	for from := 0; from < n; from += width {
		size := min(width, n-from)
		v.sums(w, part, i, from, sums[:size])
		for k, s := range sums[:size] {
			l.row = append(l.row, own+l.weights.Sums(base, v.before(part, first+from+k))+l.weights.Scale*float64(s))
		}
	}
	if c := l.kb.of(i); c != nil {
		for n, k := range c.at {
			l.row[k] += l.weights.Sums(l.opt.kbBase(), c.of(n))
		}
	}
	if l.opt.merge {
		for k := range l.row {
			l.row[k] += l.weights.Sums(base, l.merged(d, v, i, k, n))
		}
	}
	return l.row
}

// merged are the features that a link has besides its own, under gold clusters; valid until the next call.
func (l *learner) merged(d *document, v *vectors, i, k, n int) []uint32 {
	if !l.opt.merge {
		return nil
	}
	for m := len(l.history.cluster); m < i; m++ {
		l.history.next(d.gold[m])
	}
	l.joint = l.history.merged(d, v, d.part(i), i, k, n, l.joint[:0])
	return l.joint
}

// step is the length of the present one.
func (l *learner) step() float64 {
	r := l.opt.rate / (1 + l.opt.decay*float64(l.pass))
	return r / (1 + l.opt.rate*l.opt.l2*l.weights.Steps)
}

// least is a derivative that is taken for 0.
const least = 1e-6

// rank takes a step along the gradient of the loss of the links of a mention, or of its bound where the gold antecedent
// is fixed.
func (l *learner) rank(d *document, v *vectors, i int, fixed []int) (loss float64) {
	row := l.score(d, v, i)
	l.right = d.right(i, l.right)
	coef := l.coefs(len(row))
	if fixed != nil {
		loss = l.opt.ranking().Bound(row, l.right, fixed[0], coef)
	} else {
		loss = l.opt.ranking().Gradient(row, l.right, coef)
	}
	rate := l.step()
	if l.opt.l2 > 0 {
		l.weights.Shrink(1 - rate*l.opt.l2)
	}
	l.move(d, v, i, coef, rate)
	l.blank(d.part(i) << l.opt.bits)
	l.weights.Next()
	return loss
}

// move subtracts the gradient by the scores of the candidates of a mention.
func (l *learner) move(d *document, v *vectors, i int, coef []float64, rate float64) {
	part, sum := d.part(i), 0.0
	base, kb := part<<l.opt.bits, l.kb.of(i)
	for k, c := range coef {
		if math.Abs(c) < least {
			continue
		}
		if kb != nil {
			l.weights.Add(l.opt.kbBase(), kb.find(k), -rate*c)
		}
		l.weights.Add(base, v.one(part, i, k, len(coef)), -rate*c)
		l.weights.Add(base, l.merged(d, v, i, k, len(coef)), -rate*c)
		l.weights.Add(base, v.before(part, d.table.First(i)+k), -rate*c)
		sum += c
	}
	if math.Abs(sum) >= least {
		l.weights.Add(base, v.of(i), -rate*sum)
	}
}

// pairs takes a step of the perceptron for each pair of a mention, with margin 1 and l2 of a linear support vector
// machine. The loss is the number of steps.
func (l *learner) pairs(d *document, v *vectors, i int) (loss float64) {
	l.right = d.right(i, l.right)
	nearest := len(l.right) - 1
	for nearest >= 0 && !l.right[nearest] {
		nearest--
	}
	part, rate, cells := d.part(i), l.step(), l.kb.of(i)
	base := part << l.opt.bits
	if nearest < 0 && l.opt.first == "none" {
		return 0
	}
	found := 0
	for k := len(l.right) - 1; k >= 0; k-- {
		if l.opt.prune > 0 && found == l.opt.prune {
			break
		}
		yes := l.right[k]
		if yes {
			found++
		}
		switch {
		case yes && l.opt.positives == "nearest" && k != nearest, !yes && l.opt.negatives == "between" && k < nearest:
			continue
		}
		joint := l.merged(d, v, i, k, len(l.right))
		pair, before := v.one(part, i, k, len(l.right)), v.before(part, d.table.First(i)+k)
		s := l.weights.Sums(base, v.of(i)) + l.weights.Sums(base, before) + l.weights.Sums(base, pair)
		var linked []uint32
		if cells != nil {
			linked = cells.find(k)
			s += l.weights.Sums(l.opt.kbBase(), linked)
		}
		s += l.weights.Sums(base, joint)
		if l.opt.l2 > 0 {
			l.weights.Shrink(1 - rate*l.opt.l2)
		}
		step := rate
		if !yes {
			s, step = -s, -rate
		}
		if s <= l.opt.margin {
			l.weights.Add(base, pair, step)
			l.weights.Add(base, before, step)
			l.weights.Add(base, v.of(i), step)
			l.weights.Add(base, joint, step)
			if linked != nil {
				l.weights.Add(l.opt.kbBase(), linked, step)
			}
			l.blank(base)
			loss++
		}
		l.weights.Next()
	}
	return loss
}

// blank keeps the weight of features that are not there at 0.
func (l *learner) blank(base int) {
	l.weights.V[base] = 0
	if l.weights.U != nil {
		l.weights.U[base] = 0
	}
}

// model is the trained model with the weights.
func (l *learner) model(weights []float32) *trained {
	return &trained{features: l.features, bits: l.opt.bits, weights: weights, singletons: l.single}
}
