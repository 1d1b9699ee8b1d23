package argumentrecognizer

import (
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/frame"
	"parlance/algo/parse/treekernel"
	"parlance/algo/text"
)

// worker is what one goroutine needs to answer.
type worker struct {
	m          *model
	find, name *treekernel.Evaluator
	reader     *frame.Reader
}

// Annotate writes the frames of documents. prob of a predicate is that of the token and its sense, of an argument
// 1/(1 + e^−s); both are scores.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.free.Get().(*worker)
	defer m.free.Put(w)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if toks := d.Layer(text.Tokens.Name); toks == nil || toks.N == 0 || toks.Strs("form") == nil {
			continue
		}
		l, err := w.document(ctx, d, run)
		if err != nil {
			return err
		}
		d.SetLayer(l)
	}
	return nil
}

func (w *worker) document(ctx context.Context, d *text.Document, run *kind.Run) (*text.Layer, error) {
	if w.reader == nil {
		r, err := w.m.found.Reader(run.Resources)
		if err != nil {
			return nil, err
		}
		w.reader = r
	}
	if err := w.reader.Bind(ctx, w.m.found.View(d)); err != nil {
		return nil, err
	}
	w.find.Within(ctx)
	w.name.Within(ctx)
	list, _ := w.m.sentences(ctx, d)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := frame.NewWriter(d, run.Prob)
	for _, s := range list {
		frames, err := w.reader.Predicates(ctx, s.number, s.frames)
		if err != nil {
			return nil, err
		}
		scores, err := w.scores(ctx, s, frames)
		if err != nil {
			return nil, err
		}
		for i := range frames {
			if err := w.arguments(ctx, s, &frames[i], scores[i]); err != nil {
				return nil, err
			}
			out.Add(s.number, frames[i])
		}
	}
	return out.Layer(), nil
}

// scores are s(n) of the nodes for each predicate, −Inf for those that are no candidates; nil for a predicate without a
// node.
func (w *worker) scores(ctx context.Context, s *sentence, frames []frame.Frame) ([][]float64, error) {
	out := make([][]float64, len(frames))
	at := make([]int32, len(frames))
	candidates := make([][]int32, len(frames))
	for i, f := range frames {
		if at[i] = s.node(f.Predicate); at[i] < 0 {
			continue
		}
		candidates[i] = s.candidates(&w.m.opt, at[i])
		out[i] = make([]float64, len(s.first))
		for n := range out[i] {
			out[i][n] = math.Inf(-1)
		}
		for _, n := range candidates[i] {
			out[i][n] = 0
		}
	}
	var err error
	if w.m.opt.recognition == "fast" && w.m.kernel.Family == treekernel.Partial {
		err = w.fast(ctx, s, at, candidates, out)
	} else {
		err = w.plain(ctx, s, at, candidates, out)
	}
	return out, err
}

// fast finds the kernels of all nodes at once: a table of cells for each support vector, changed for each predicate,
// and for each node.
func (w *worker) fast(ctx context.Context, s *sentence, at []int32, candidates [][]int32, out [][]float64) error {
	r := treekernel.NewRecognizer(w.m.kernel, s.shape, treekernel.NewOverlay(w.m.names), predicateMark, argumentMark)
	r.Within(ctx)
	for j, x := range w.m.supports {
		r.Against(x.tree)
		beta := w.m.vectors.Coef[j] * x.scale
		for i, v := range at {
			if v < 0 {
				continue
			}
			r.Predicate(v)
			for _, n := range candidates[i] {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				out[i][n] += beta * r.Argument(n)
			}
		}
	}
	for i, v := range at {
		if v < 0 {
			continue
		}
		r.Mark(v)
		for _, n := range candidates[i] {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			out[i][n] = out[i][n]*r.Scale(n) + w.m.vectors.Bias[0]
		}
	}
	return ctx.Err()
}

// plain finds the kernels node by node.
func (w *worker) plain(ctx context.Context, s *sentence, at []int32, candidates [][]int32, out [][]float64) error {
	names := treekernel.NewOverlay(w.m.names)
	for i, v := range at {
		for _, n := range candidates[i] {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			x := w.m.kernel.Prepare(s.marked(v, n).Tree(names))
			scale, err := w.find.Scale(x, true)
			if err != nil {
				scale = 0 // a tree larger than all of training: only what is finite counts
			}
			for j, y := range w.m.supports {
				if j&63 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				out[i][n] += w.m.vectors.Coef[j] * y.scale * w.find.Value(y.tree, x)
			}
			out[i][n] = out[i][n]*scale + w.m.vectors.Bias[0]
		}
	}
	return ctx.Err()
}

// arguments chooses the arguments of a predicate and names them.
func (w *worker) arguments(ctx context.Context, s *sentence, f *frame.Frame, score []float64) error {
	if score == nil {
		return nil
	}
	var chosen []int32
	if w.m.opt.apart {
		chosen = apart(s.shape.Parent, score)
	} else {
		for n, v := range score {
			if v > 0 {
				chosen = append(chosen, int32(n))
			}
		}
	}
	labels, err := w.roles(ctx, s, s.node(f.Predicate), chosen)
	if err != nil {
		return err
	}
	for i, n := range chosen {
		f.Args = append(f.Args, frame.Argument{Label: labels[i], First: s.first[n], Last: s.last[n],
			Prob: 1 / (1 + math.Exp(-score[n]))})
	}
	return nil
}

// roles names the arguments of a predicate.
func (w *worker) roles(ctx context.Context, s *sentence, v int32, nodes []int32) ([]string, error) {
	out := slices.Repeat([]string{anyArgument}, len(nodes))
	if w.m.roles == nil {
		return out, nil
	}
	for i, n := range nodes {
		scores, err := w.role(ctx, s, v, n)
		if err != nil {
			return nil, err
		}
		best := 0
		for c, v := range scores {
			if v > scores[best] {
				best = c
			}
		}
		out[i] = w.m.labels[best]
	}
	return out, nil
}

// role is the scores of the machines of roles for a node.
func (w *worker) role(ctx context.Context, s *sentence, v, n int32) ([]float64, error) {
	k := len(w.m.labels)
	x := w.m.roleKernel.Prepare(s.marked(v, n).Tree(treekernel.NewOverlay(w.m.names)))
	scale, err := w.name.Scale(x, true)
	if err != nil {
		scale = 0
	}
	scores := make([]float64, k)
	copy(scores, w.m.roles.Bias)
	for j, y := range w.m.roleSupports {
		if j&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if value := w.name.Value(y.tree, x) * y.scale * scale; value != 0 {
			for c, b := range w.m.roles.Coef[j*k : (j+1)*k] {
				scores[c] += b * value
			}
		}
	}
	return scores, ctx.Err()
}
