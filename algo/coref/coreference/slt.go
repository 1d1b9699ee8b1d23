package coreference

import (
	"context"
	"math"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/coref/linking"
	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/numeric/optimize"
	"parlance/algo/numeric/parallel"
	"parlance/algo/text"
)

// structured is the state of structured local training (Choi and Cardie 2007): a logistic model of pairs is fitted to
// the gold labels, then in each round to labels that the closure of its decisions makes right.
type structured struct {
	*learner
	labels [][]uint8 // by document, of pairs
	bias   [][]bool  // by document, of pairs: β counts; nil without a bias
	w      []float32 // the weights of an evaluation
	shards []shard

	Round int
	x     []float64
	best  []float64
	Score float64 // of the best round
}

// shard is what is summed up over some of the documents.
type shard struct {
	grad []float64
	loss float64
	mem  *vectors
	coef []float64
}

const shards = 4

func (l *learner) newStructured() *structured {
	n := len(l.weights.V)
	s := &structured{learner: l, x: make([]float64, n), best: make([]float64, n), w: make([]float32, n),
		shards: make([]shard, shards), Score: -1}
	for k := range s.shards {
		s.shards[k].grad = make([]float64, n)
	}
	for i, v := range l.weights.V {
		s.x[i] = float64(v)
	}
	for _, d := range l.docs {
		y := make([]uint8, len(d.table.Score))
		var b []bool
		if l.opt.bias != "none" {
			b = make([]bool, len(y))
		}
		at := 0
		for i := range d.mentions {
			l.right = d.right(i, l.right)
			nearest := true
			for k := len(l.right) - 1; k >= 0; k-- {
				if l.right[k] {
					y[at+k] = linking.Yes
					if b != nil {
						b[at+k] = nearest || l.opt.bias == "coreferent"
					}
					nearest = false
				}
			}
			at += len(l.right)
		}
		s.labels, s.bias = append(s.labels, y), append(s.bias, b)
	}
	return s
}

// slt runs the rounds. The first model is that of pairs alone; of those after it the best one by the score of the
// clusters of the training is kept.
func (l *learner) slt(ctx context.Context, t *kind.Training) error {
	s := l.newStructured()
	state, keep := checkpoint.State{}.With("round", checkpoint.Value(&s.Round)).With("score", checkpoint.Value(&s.Score)).
		With("weights", checkpoint.Float64s(s.x)).With("best", checkpoint.Float64s(s.best)), checkpoint.NewKeeper(t)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
	}
	started := time.Now()
	if err := l.each(ctx, func(int, *document, *vectors) {}); err != nil { // keeps features
		return err
	}
	for s.Round <= l.opt.rounds {
		loss, changed, score, err := s.round(ctx)
		if err != nil {
			return err
		}
		s.Round++
		t.Report(kind.Progress{Step: s.Round, Of: l.opt.rounds + 1, Objective: loss, HeldOut: math.NaN(),
			Seconds: time.Since(started).Seconds(),
			Note:    text.Countf("round, %d {label|labels} differ from gold, conll of the training %.4f", changed, score)})
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	for i, v := range s.best {
		l.weights.V[i] = float32(v)
	}
	l.weights.U = nil
	return nil
}

// round chooses labels, but for the first one, and fits the weights.
func (s *structured) round(ctx context.Context) (loss float64, changed int, score float64, err error) {
	if s.Round > 0 {
		if changed, err = s.surrogates(ctx); err != nil {
			return 0, 0, 0, err
		}
	}
	if loss, err = s.fitPairs(ctx); err != nil {
		return 0, 0, 0, err
	}
	if score, err = s.evaluate(ctx); err != nil {
		return 0, 0, 0, err
	}
	if s.Round <= 1 || score > s.Score {
		s.Score = score
		copy(s.best, s.x)
	}
	return loss, changed, score, nil
}

// surrogates replaces the labels, and counts those that differ from gold.
func (s *structured) surrogates(ctx context.Context) (changed int, err error) {
	for k, d := range s.docs {
		if err := s.probabilities(ctx, k); err != nil {
			return 0, err
		}
		if err := linking.Surrogate(ctx, d.table, d.gold, linking.Step(s.opt.estep), s.opt.linkProb,
			s.labels[k]); err != nil {
			return 0, err
		}
		at := 0
		for i := range d.mentions {
			s.right = d.right(i, s.right)
			for _, r := range s.right {
				if (s.labels[k][at] == linking.Yes) != r {
					changed++
				}
				at++
			}
		}
	}
	return changed, nil
}

// probabilities writes those of the pairs of a document to its table, by the weights x.
func (s *structured) probabilities(ctx context.Context, k int) error {
	s.set(s.x)
	sh := &s.shards[0]
	v, err := s.vectorsOf(ctx, k, 0, sh.mem)
	if err != nil {
		return err
	}
	sh.mem = s.keep(k, v)
	d := s.docs[k]
	s.scores(d, v, d.table.Score)
	for p, z := range d.table.Score {
		d.table.Score[p] = 1 / (1 + math.Exp(-z))
	}
	return nil
}

func (s *structured) set(x []float64) {
	for i, v := range x {
		s.w[i] = float32(v)
	}
}

// scores writes the scores of all pairs of a document.
func (s *structured) scores(d *document, v *vectors, out []float64) {
	at := 0
	var sums [width]float32
	for i := range d.mentions {
		part, n := d.part(i), len(d.table.Row(i))
		w := s.w[part<<s.opt.bits : (part+1)<<s.opt.bits]
		own := plainSum(w, v.of(i))
		for from := 0; from < n; from += width {
			size := min(width, n-from)
			v.sums(w, part, i, from, sums[:size])
			for c, z := range sums[:size] {
				out[at] = own + plainSum(w, v.before(part, d.table.First(i)+from+c)) + float64(z)
				at++
			}
		}
	}
}

func plainSum(w []float32, places []uint32) float64 {
	sum := float32(0)
	for _, p := range places {
		sum += w[p]
	}
	return float64(sum)
}

// fitPairs minimises the loss of the labels, from the weights that there are.
func (s *structured) fitPairs(ctx context.Context) (float64, error) {
	o := optimize.LBFGS{Iterations: s.opt.iterations, Epsilon: 1e-4, Past: 3, Delta: 1e-4, Workers: len(s.readers)}
	res, err := o.Minimize(ctx, s.x, s.objective, nil)
	return res.Objective, err
}

// objective is Σ of the losses of pairs and |w|²/(2σ²), with its gradient.
func (s *structured) objective(ctx context.Context, x, grad []float64) (float64, error) {
	s.set(x)
	for part := 0; part < len(x)>>s.opt.bits; part++ {
		s.w[part<<s.opt.bits] = 0
	}
	clear(grad)
	loss := 0.0
	err := parallel.Reduce(ctx, len(s.readers), shards, func(worker, k int) error {
		sh := &s.shards[k]
		clear(sh.grad)
		sh.loss = 0
		from, to := parallel.Shard(k, len(s.docs), shards)
		for i := from; i < to; i++ {
			v, err := s.vectorsOf(ctx, i, worker, sh.mem)
			if err != nil {
				return err
			}
			if s.kept[i] == nil {
				sh.mem = v
			}
			s.document(sh, i, v)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	}, func(k int) {
		loss += s.shards[k].loss
		for i, g := range s.shards[k].grad {
			grad[i] += g
		}
	})
	for i, v := range x {
		loss += v * v / (2 * s.opt.variance)
		grad[i] += v / s.opt.variance
	}
	for part := 0; part < len(x)>>s.opt.bits; part++ {
		grad[part<<s.opt.bits] = 0
	}
	return loss, err
}

// document adds the loss of the pairs of a document and its derivatives.
func (s *structured) document(sh *shard, k int, v *vectors) {
	d := s.docs[k]
	if n := len(d.table.Score); cap(sh.coef) < n {
		sh.coef = make([]float64, n)
	}
	coef := sh.coef[:len(d.table.Score)]
	s.scores(d, v, coef)
	for p, z := range coef {
		if s.labels[k][p] == linking.Left {
			coef[p] = 0
			continue
		}
		form, beta := linking.FormLiteral, 1.0
		if b := s.bias[k]; b != nil && b[p] {
			form, beta = linking.Form(s.opt.biasForm), s.opt.beta
		}
		loss, c := linking.PairLoss(z, s.labels[k][p] == linking.Yes, form, beta)
		sh.loss += loss
		coef[p] = c
	}
	s.spread(d, v, coef, sh.grad)
}

// spread adds derivatives by scores to those by weights.
func (s *structured) spread(d *document, v *vectors, coef, grad []float64) {
	at := 0
	for i := range d.mentions {
		part, n := d.part(i), len(d.table.Row(i))
		g := grad[part<<s.opt.bits : (part+1)<<s.opt.bits]
		row := coef[at : at+n]
		sum := 0.0
		for k, c := range row {
			sum += c
			for _, p := range v.before(part, d.table.First(i)+k) {
				g[p] += c
			}
		}
		for _, p := range v.of(i) {
			g[p] += sum
		}
		for from := 0; from < n; from += width {
			size := min(width, n-from)
			v.spread(g, part, i, from, row[from:from+size])
		}
		at += n
	}
}

// evaluate is the main score of the closure of the pairs of the training.
func (s *structured) evaluate(ctx context.Context) (float64, error) {
	counts := metrics.NewMentions(metrics.Options{})
	m := &model{opt: *s.opt, trained: &trained{singletons: s.single}}
	run := &kind.Run{Wanted: []string{text.Mentions.Name}}
	for k, d := range s.docs {
		if err := s.probabilities(ctx, k); err != nil {
			return 0, err
		}
		clusters, err := linking.Closed(ctx, d.table, s.opt.linkProb)
		if err != nil {
			return 0, err
		}
		links := linking.Links{Clusters: clusters}
		view := *d.text
		m.write(ctx, &view, d, links, run)
		if err := counts.Add(ctx, []*text.Document{d.text}, []*text.Document{&view}); err != nil {
			return 0, err
		}
	}
	return metrics.Main(counts.Metrics()).Value(), nil
}
