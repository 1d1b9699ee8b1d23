package mentiondetector

import (
	"context"
	"math"
	"slices"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/numeric/optimize"
	"parlance/algo/text"
)

// weights are those of the regression: p(mention | x) = 1 / (1 + exp(−Σ_f∈x w_f)).
type weights struct {
	hashes []uint64 // of the features, ascending
	values []float32
}

// leastCount is how often a feature is seen that gets a weight.
const leastCount = 2

// vectors is candidates as lists of features.
type vectors struct {
	features []int32
	begin    []int32 // of each candidate, and the end
	gold     []bool
}

// fit learns the weights by L-BFGS.
func (m *model) fit(ctx context.Context, in *kind.Training, list []example) error {
	hashes, v, err := m.extract(ctx, in, list)
	if err != nil {
		return err
	}
	x := make([]float64, len(hashes))
	fit := optimize.LBFGS{Iterations: m.iterations, Past: 3, Delta: 1e-5}
	_, err = fit.Minimize(ctx, x, v.objective(m.l2), func(it optimize.Iteration) bool {
		in.Report(kind.Progress{Step: it.Step, Of: m.iterations, Objective: it.Objective, HeldOut: math.NaN()})
		return false
	})
	if err != nil {
		return err
	}
	m.weights = &weights{hashes: hashes, values: make([]float32, len(x))}
	for i, w := range x {
		m.weights.values[i] = float32(w)
	}
	return nil
}

// extract computes the features of all candidates and numbers those that are seen twice or more.
func (m *model) extract(ctx context.Context, in *kind.Training, list []example) ([]uint64, *vectors, error) {
	x, err := place.NewExtractor(m.set, in.Resources)
	if err != nil {
		return nil, nil, err
	}
	var all []uint64
	v := &vectors{begin: []int32{0}}
	for _, e := range list {
		found, err := featuresOf(ctx, x, e.doc, e.list)
		if err != nil {
			return nil, nil, err
		}
		for i, f := range found {
			all = append(all, f...)
			v.begin, v.gold = append(v.begin, int32(len(all))), append(v.gold, e.gold[i])
		}
	}
	seen := map[uint64]int32{}
	for _, h := range all {
		seen[h]++
	}
	var hashes []uint64
	for h, n := range seen {
		if n >= leastCount {
			hashes = append(hashes, h)
		}
	}
	slices.Sort(hashes)
	clear(seen)
	for i, h := range hashes {
		seen[h] = int32(i)
	}
	at := 0
	for i := 1; i < len(v.begin); i++ {
		for ; at < int(v.begin[i]); at++ {
			if k, ok := seen[all[at]]; ok {
				v.features = append(v.features, k)
			}
		}
		v.begin[i] = int32(len(v.features))
	}
	return hashes, v, nil
}

// featuresOf returns the hashes of the features of each candidate of a document.
func featuresOf(ctx context.Context, x *place.Extractor, doc *text.Document, list []candidate) ([][]uint64, error) {
	view := *doc
	view.SetLayer(candidatesLayer(doc, list))
	if err := x.Bind(ctx, &view); err != nil {
		return nil, err
	}
	out := make([][]uint64, len(list))
	var f place.Found
	for i := range list {
		if i&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.Reset()
		if err := x.Extract([]place.Ref{place.Row(i)}, &f); err != nil {
			return nil, err
		}
		out[i] = slices.Clone(f.Hashes)
	}
	return out, nil
}

// candidatesLayer is a layer of mentions that says where candidates are, and in kind by which rules they were found.
func candidatesLayer(doc *text.Document, list []candidate) *text.Layer {
	bounds := doc.SentenceTokens()
	l := text.NewLayer(text.Mentions)
	l.N = len(list)
	kinds := make([]string, l.N)
	sent, first, last := make([]int32, l.N), make([]int32, l.N), make([]int32, l.N)
	s := 0
	for i, c := range list {
		kinds[i] = c.found.String()
		for bounds[s+1] <= c.Start {
			s++
		}
		sent[i], first[i], last[i] = int32(s+1), c.Start-bounds[s]+1, c.End-bounds[s]
	}
	l.SetInts("sent", sent)
	l.SetInts("tok_start", first)
	l.SetInts("tok_end", last)
	l.SetStrs("kind", kinds)
	return l
}

// objective is Σ log(1 + exp(−y·w·x)) + l2/2·|w|², y = ±1.
func (v *vectors) objective(l2 float64) optimize.Objective {
	return func(ctx context.Context, w, grad []float64) (float64, error) {
		sum := 0.0
		for i, x := range w {
			sum += l2 / 2 * x * x
			grad[i] = l2 * x
		}
		for i, gold := range v.gold {
			if i&4095 == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			list := v.features[v.begin[i]:v.begin[i+1]]
			score := 0.0
			for _, f := range list {
				score += w[f]
			}
			p, y := sigmoid(score), 0.0
			if gold {
				y, score = 1, -score
			}
			sum += softplus(score)
			for _, f := range list {
				grad[f] += p - y
			}
		}
		return sum, nil
	}
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// softplus is log(1 + exp(x)).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// probabilities are those of the candidates of a document.
func (w *weights) probabilities(ctx context.Context, x *place.Extractor, doc *text.Document, list []candidate,
) ([]float64, error) {
	found, err := featuresOf(ctx, x, doc, list)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, f := range found {
		score := 0.0
		for _, h := range f {
			score += w.of(h)
		}
		out[i] = sigmoid(score)
	}
	return out, nil
}

// of is the weight of a feature, 0 of one that was not learned.
func (w *weights) of(hash uint64) float64 {
	if k, ok := slices.BinarySearch(w.hashes, hash); ok {
		return float64(w.values[k])
	}
	return 0
}

// encode writes the weights; nil ones are none.
func (w *weights) encode(out *kind.Writer) error {
	if w == nil {
		return nil
	}
	if err := out.Uint64s("features", w.hashes); err != nil {
		return err
	}
	return out.Float32s("weights", w.values)
}

func decodeWeights(r *kind.Reader) (*weights, error) {
	w := &weights{}
	var err error
	if w.hashes, err = r.Uint64s("features"); err != nil {
		return nil, err
	}
	if w.values, err = r.Float32s("weights"); err != nil {
		return nil, err
	}
	if len(w.values) != len(w.hashes) || !slices.IsSorted(w.hashes) {
		return nil, kind.Corrupt("weights", "do not fit the features")
	}
	for _, v := range w.values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, kind.Corrupt("weights", "are no finite numbers")
		}
	}
	return w, nil
}
