package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// evaluateOptions are the options of EVALUATE.
type evaluateOptions struct {
	inputs    string
	confusion bool
	level     float64
	samples   int
	test      string
	shuffles  int
	unit      string
	seed      int
	set       option.Set
}

func newEvaluateOptions() *evaluateOptions {
	e := &evaluateOptions{}
	e.set.Choice(&e.inputs, "inputs", "gold", []string{"gold", "predicted"}, "whether layers that a model reads are taken as stored or as predicted by its upstream")
	e.set.Bool(&e.confusion, "confusion", false, "add rows metric = 'confusion', label = 'gold>predicted', value = count")
	e.set.Float(&e.level, "confidence", 0.95, 0.5, 0.999, "confidence of the interval from low to high")
	e.set.Int(&e.samples, "samples", 1000, 0, 100000, "bootstrap samples of intervals, 0 for none")
	e.set.Choice(&e.test, "test", "randomisation", []string{"randomisation", "mcnemar"}, "test of the difference of two models: paired approximate randomisation of any metric, or McNemar's exact test of accuracies")
	e.set.Int(&e.shuffles, "shuffles", 10000, 0, 10000000, "shuffles of the randomisation, 0 for no test")
	e.set.Choice(&e.unit, "unit", "auto", []string{"auto", "document", "sentence"}, "what is drawn and shuffled; auto: documents where every group has at least 20, else sentences")
	e.set.Int(&e.seed, "seed", 1, 0, 1<<53, "seed of bootstrap and randomisation")
	return e
}

// EvaluateColumns returns model, the BY columns, metric, label, value, low, high, support.
func (r *run) EvaluateColumns(s *ast.Evaluate) ([]plan.Column, error) {
	cols := []plan.Column{{Name: "model", Type: value.Text}}
	exprs, err := r.byExprs(s)
	if err != nil {
		return nil, err
	}
	for i, x := range exprs {
		name := x.String()
		if c, ok := s.By[i].(*ast.Column); ok {
			name = c.Parts[len(c.Parts)-1]
		}
		cols = append(cols, plan.Column{Name: name, Type: x.Type()})
	}
	for _, n := range []string{"metric", "label"} {
		cols = append(cols, plan.Column{Name: n, Type: value.Text})
	}
	for _, n := range []string{"value", "low", "high", "support"} {
		cols = append(cols, plan.Column{Name: n, Type: value.Float})
	}
	cols[len(cols)-1].Type = value.Integer
	return cols, nil
}

// byExprs binds BY over the documents of the first input.
func (r *run) byExprs(s *ast.Evaluate) ([]expr.Expr, error) {
	n, err := r.binder().Input(ast.Input{Pos: s.On[0].Pos, Name: s.On[0].Name}, nil, &plan.ModelUse{}, nil, false)
	if err != nil {
		return nil, err
	}
	return r.bindBy(s, n)
}

func (r *run) bindBy(s *ast.Evaluate, n *plan.Layer) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(s.By))
	for i, e := range s.By {
		x, err := r.binder().Over(e, n)
		if err != nil {
			return nil, byLabel(e, err)
		}
		out[i] = x
	}
	return out, nil
}

// byLabel tells those who ask for groups by label that labels have rows anyway.
func byLabel(x ast.Expr, err error) error {
	var e *ast.Error
	c, ok := x.(*ast.Column)
	if !ok || !errors.As(err, &e) || e.Code != plan.CodeUndefinedColumn || !strings.EqualFold(c.Parts[len(c.Parts)-1], "label") {
		return err
	}
	out := *e
	out.Hint = "each label has rows of its own: SELECT … FROM (EVALUATE …) e ORDER BY label; BY takes " + e.Hint
	return &out
}

// evaluate runs EVALUATE as a statement.
func (r *run) evaluate(s *ast.Evaluate) (*Result, error) {
	cols, err := r.EvaluateColumns(s)
	if err != nil {
		return nil, err
	}
	op, err := r.evaluateOperator(s, cols)
	if err != nil {
		return nil, err
	}
	return &Result{Columns: cols, Rows: op}, nil
}

// evaluateRows opens EVALUATE as a table.
func (r *run) evaluateRows(n *plan.Evaluate) (Operator, error) {
	return r.evaluateOperator(n.Stmt, n.Columns())
}

func (r *run) evaluateOperator(s *ast.Evaluate, cols []plan.Column) (Operator, error) {
	args, err := options(s.With, r.env)
	if err != nil {
		return nil, err
	}
	o := newEvaluateOptions()
	if err := o.set.Apply(args); err != nil {
		return nil, optionError(err, s.With)
	}
	e := &evaluation{r: r, stmt: s, opt: o}
	for _, ref := range s.Models {
		if err := e.prepare(ref); err != nil {
			return nil, err
		}
	}
	if err := e.tests(); err != nil {
		return nil, err
	}
	return &deferred{cols: cols, rows: e.rows}, nil
}

// deferred computes its rows when they are first asked for.
type deferred struct {
	cols []plan.Column
	rows func(context.Context) ([][]value.Value, error)
	op   *rowsOperator
}

func (d *deferred) Next(ctx context.Context) (*value.Batch, error) {
	if d.op == nil {
		rows, err := d.rows(ctx)
		if err != nil {
			return nil, err
		}
		d.op = newRows(d.cols, rows)
	}
	return d.op.Next(ctx)
}

func (d *deferred) Close() error { return nil }

// evaluation scores models, group by group of BY.
type evaluation struct {
	r      *run
	stmt   *ast.Evaluate
	opt    *evaluateOptions
	models []scored
}

// scored is one model with its input and what it scored.
type scored struct {
	use    *plan.ModelUse
	model  *configured
	in     *input
	by     []expr.Expr
	groups []group
}

// group is the score on the documents that share the values of BY.
type group struct {
	key       []value.Value
	scorers   []layerScorer
	metrics   []metrics.Metric
	layers    []string // that each metric scores, "" for what a model computes itself
	confusion []metrics.Cell
}

// layerScorer scores a layer or a column of it.
type layerScorer struct {
	metrics.Scorer
	layer string
}

func (e *evaluation) prepare(ref ast.ModelRef) error {
	m, err := e.r.Model(ref)
	if err != nil {
		return err
	}
	if in, layer := e.r.lacksGold(e.stmt.On, m); layer != "" {
		return plan.Errorf(in.Pos, plan.CodeState, "LOAD annotated text", "corpus %s stores no gold %s to score %s against", in.Name, layer, ref.Name)
	}
	s := scored{use: m}
	if s.in, err = e.r.inputs(e.stmt.On, e.stmt.Using, m, m.Schema.Reads, append(m.Schema.Learns, m.Schema.Writes...), m.Schema.Group, e.opt.inputs == "predicted"); err != nil {
		return err
	}
	if s.model, err = e.r.configure(*m, request{layers: commonLayers(m.Schema)}); err != nil {
		return err
	}
	for _, p := range s.in.parts {
		for _, u := range p.node.Models {
			e.r.ses.Notice(fmt.Sprintf("%s reads what %s predicts (%s)", m, u, u.From))
		}
	}
	for i := range s.in.parts {
		n := s.in.parts[i].node
		if s.by, err = e.r.bindBy(e.stmt, n); err != nil {
			return err
		}
	}
	e.models = append(e.models, s)
	return nil
}

// lacksGold names the first input without a gold layer that the model learns, and the layer.
func (r *run) lacksGold(list []ast.Input, m *plan.ModelUse) (ast.Input, string) {
	for _, in := range list {
		o, ok := r.Store.Object(in.Name)
		if !ok {
			continue
		}
		for _, w := range m.Schema.Learns {
			if l := r.storedLayer(o, w.Layer); l == nil || l.Model != "" {
				return in, w.Layer
			}
		}
	}
	return ast.Input{}, ""
}

func (e *evaluation) score(ctx context.Context, s *scored) error {
	run := s.model.run
	found, err := s.model.model.Evaluate(ctx, s.in, &run)
	if err == nil {
		if len(s.by) > 0 {
			return plan.Errorf(e.stmt.Pos, plan.CodeFeature, "EVALUATE … ON corpus WHERE …, once a group", "%s scores itself and takes no BY", s.use.Kind)
		}
		s.groups = []group{{metrics: found, layers: make([]string, len(found))}}
		return nil
	}
	if !errors.Is(err, kind.ErrByLayers) {
		return err
	}
	if len(s.model.schema.Writes) == 0 {
		return plan.Errorf(e.stmt.Pos, plan.CodeWrongKind, "DESCRIBE "+s.use.Name+" lists its relations", "model %s writes no layer that could be scored", s.use.Name)
	}
	return e.byLayers(ctx, s)
}

// byLayers annotates the documents and compares the layers that the model writes with gold.
func (e *evaluation) byLayers(ctx context.Context, s *scored) error {
	index := map[string]int{}
	ann := &annotator{r: e.r, models: []*configured{s.model}, stats: &Stats{}}
	for pi := range s.in.parts {
		p := &s.in.parts[pi]
		one := &input{r: s.in.r, parts: s.in.parts[pi : pi+1]}
		err := one.predicted(ctx, ann, func(gold, predicted []*text.Document) error {
			return e.scoreBatch(s, p.node, index, gold, predicted)
		})
		if err != nil {
			return err
		}
	}
	for i := range s.groups {
		g := &s.groups[i]
		for _, sc := range g.scorers {
			for _, m := range sc.Metrics() {
				g.metrics, g.layers = append(g.metrics, m), append(g.layers, sc.layer)
			}
			if e.opt.confusion {
				g.confusion = append(g.confusion, sc.Confusion()...)
			}
		}
	}
	return nil
}

func (e *evaluation) scoreBatch(s *scored, n *plan.Layer, index map[string]int, gold, predicted []*text.Document) (err error) {
	b := e.r.documentBatch(gold, n)
	for i := range gold {
		key := make([]value.Value, len(s.by))
		var id []byte
		for k, x := range s.by {
			if key[k], err = x.At(e.r.env, b, i); err != nil {
				return invalid("%v", err)
			}
			id = value.AppendRow(id, []value.Value{key[k]})
		}
		at, ok := index[string(id)]
		if !ok {
			at = len(s.groups)
			index[string(id)] = at
			g := group{key: key}
			if g.scorers, err = e.r.scorers(s.model.schema); err != nil {
				return err
			}
			s.groups = append(s.groups, g)
		}
		for _, sc := range s.groups[at].scorers {
			if err := sc.Add(gold[i], predicted[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// scorers returns a scorer for every layer that a model writes.
func (r *run) scorers(s kind.Schema) ([]layerScorer, error) {
	var out []layerScorer
	for _, w := range s.Writes {
		def := r.layerDef(w.Layer)
		if def == nil || s.Def(w.Layer) != nil {
			continue // there is no gold of a layer of the model's own
		}
		sc, ok := metrics.ForLayer(def, w.Columns)
		if !ok {
			return nil, fault(plan.CodeFeature, "there is no score for the layer %s", w.Layer)
		}
		out = append(out, layerScorer{sc, strings.Join(append([]string{w.Layer}, w.Columns...), ".")})
	}
	return out, nil
}
