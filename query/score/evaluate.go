package score

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/input"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/value"
)

// evaluateOptions are the options of EVALUATE.
type evaluateOptions struct {
	inputs      string
	ignore      []string
	beta        float64
	brackets    string
	columns     []string
	tag         string
	known       string
	vocabulary  *metrics.Vocabulary // of the option known
	tokens      bool
	taxonomy    string
	parents     map[string]string // of the option taxonomy
	group       string
	confusion   bool
	calibration bool
	oracle      int
	level       float64
	samples     int
	test        string
	shuffles    int
	unit        string
	seed        int
	Set         option.Set
}

func NewEvaluateOptions() *evaluateOptions {
	e := &evaluateOptions{}
	e.Set.Choice(&e.inputs, "inputs", "gold", []string{"gold", "predicted"}, "whether layers that a model reads are "+
		"taken as stored or as predicted by its upstream")
	e.Set.List(&e.ignore, "ignore", nil, "gold upos or xpos of tokens that scores of dependencies leave out, such as "+
		"PUNCT")
	e.Set.Choice(&e.brackets, "brackets", "evalb", []string{"evalb", "all"},
		"of constituents: evalb, as evalb counts with the parameters of Collins: punctuation is deleted, TOP, ROOT "+
			"and S1 are no brackets, ADVP equals PRT; all, every constituent over all tokens")
	e.Set.List(&e.columns, "columns", nil,
		"of the layer tokens: columns such as upos, each scored token by token; none: the words into which text is cut")
	e.Set.Text(&e.tag, "tag", "",
		"of words: column that tagged scores compare too; none: upos, or xpos where there is no upos")
	e.Set.Text(&e.known, "known", "",
		"of words: corpus, lexicon or gazetteer whose words are known, for recall of known and of unknown words")
	e.Set.Bool(&e.tokens, "tokens", false,
		"of spans: also scores tokens, by the label of the span that covers them: token_accuracy, and precision, recall "+
			"and F of tokens that are not outside")
	e.Set.Text(&e.taxonomy, "taxonomy", "",
		"of spans, with tokens: lexicon of labels with a column parent; weighted scores count a parent or child of the "+
			"gold label ½, a sibling ¼")
	e.Set.Text(&e.group, "group", "",
		"of EVALUATE LAYER: column of documents that are scored together where they share its value, as clusters "+
			"run across them; corpus: all documents")
	e.Set.Float(&e.beta, "beta", 0, 0, 1000,
		"how many times as much recall counts as precision in F, which is named f0.5, f2, …; 0: that of the layer, "+
			"0.5 of edits, 1 of others")
	e.Set.Bool(&e.confusion, "confusion", false, "add rows metric = 'confusion', label = 'gold>predicted', value = count")
	e.Set.Bool(&e.calibration, "calibration", false, "add rows metric = 'calibration_error', how far prob is from the "+
		"share of rows that are right, the mean over ten equal bins of prob, each weighing its rows; and metric = "+
		"'reliability', label = the bin, value = that share, support = rows")
	e.Set.Int(&e.oracle, "oracle", 0, 0, 1000,
		"of constituents: the model gives this many best trees, and a row metric = 'oracle_f1' tells F of the best tree of "+
			"each "+
			"sentence among them; 0: no such row")
	e.Set.Float(&e.level, "confidence", 0.95, 0.5, 0.999, "confidence of the interval from low to high")
	e.Set.Int(&e.samples, "samples", 1000, 0, 100000, "bootstrap samples of intervals, 0 for none")
	e.Set.Choice(&e.test, "test", "randomisation", []string{"randomisation", "mcnemar", "sign", "t"}, "test of the "+
		"difference of two models: paired approximate randomisation of any metric, McNemar's exact test of accuracies; of "+
		"the values of documents, sentences, questions: the sign test or the paired t-test")
	e.Set.Int(&e.shuffles, "shuffles", 10000, 0, 10000000, "shuffles of the randomisation, 0 for no test")
	e.Set.Choice(&e.unit, "unit", "auto", []string{"auto", "document", "sentence"}, "what is drawn and shuffled; auto: "+
		"documents where every group has at least 20, else sentences")
	e.Set.Int(&e.seed, "seed", 1, 0, 1<<53, "seed of bootstrap and randomisation")
	return e
}

// Evaluate runs EVALUATE as a statement.
func Evaluate(r *exec.Execution, s *ast.Evaluate) (*operator.Result, error) {
	cols, err := r.Binder().EvaluateColumns(s)
	if err != nil {
		return nil, err
	}
	op, err := evaluateOperator(r, s, cols)
	if err != nil {
		return nil, err
	}
	return &operator.Result{Columns: cols, Rows: op}, nil
}

// Evaluator opens EVALUATE in FROM, for package exec.
type Evaluator struct{}

// Open opens EVALUATE as a table.
func (Evaluator) Open(r *exec.Execution, n *plan.Evaluate) (operator.Operator, error) {
	return evaluateOperator(r, n.Stmt, n.Columns())
}

func evaluateOperator(r *exec.Execution, s *ast.Evaluate, cols []plan.Column) (operator.Operator, error) {
	args, err := optarg.Args(s.With, r.Env)
	if err != nil {
		return nil, err
	}
	o := NewEvaluateOptions()
	if err := o.Set.Apply(args); err != nil {
		return nil, explainMisplaced(r, optarg.AtOption(err, s.With), s)
	}
	e := &evaluation{r: r, stmt: s, opt: o}
	for _, ref := range s.Models {
		if err := e.prepare(ref); err != nil {
			return nil, err
		}
	}
	for _, ref := range s.Layers {
		if err := e.prepareLayer(ref); err != nil {
			return nil, err
		}
	}
	if err := e.checkUnusedOptions(); err != nil {
		return nil, err
	}
	for i := range e.models {
		if err := e.checkIgnore(&e.models[i]); err != nil {
			return nil, err
		}
	}
	if err := e.checkTests(); err != nil {
		return nil, err
	}
	return &lazyRows{cols: cols, rows: e.rows}, nil
}

// lazyRows computes its rows when the first batch is read.
type lazyRows struct {
	cols []plan.Column
	rows func(context.Context) ([][]value.Value, error)
	op   *operator.Rows
}

func (d *lazyRows) Next(ctx context.Context) (*value.Batch, error) {
	if d.op == nil {
		rows, err := d.rows(ctx)
		if err != nil {
			return nil, err
		}
		d.op = operator.NewRows(d.cols, rows)
	}
	return d.op.Next(ctx)
}

func (d *lazyRows) Close() error { return nil }

// evaluation is the evaluation of one or more models; scores are computed for each group of BY.
type evaluation struct {
	r      *exec.Execution
	stmt   *ast.Evaluate
	opt    *evaluateOptions
	models []scoredItem
	fewest int // most units of a metric that has too few for an interval, 0 if there is none
}

// scoredItem is one model or stored layer, with its input and its scores.
type scoredItem struct {
	use      *plan.ModelUse     // nil for a stored layer
	label    string             // of the model, with its options, or of the layer
	model    *models.Configured // nil for a stored layer
	layer    *storedLayer       // nil for a model
	in       *input.Input
	by       [][]bind.ByItem // items of BY, bound for each part of the input
	groups   []group
	overlaps []overlap // of the scored texts with the training texts of the model and of the models that it depends on

	repeatedGold, repeated int // mentions that stand in another cluster before, of gold and of what is scored
}

// group is the score of the documents, or parts of documents, with equal values of BY.
type group struct {
	key       []value.Value
	scorers   []layerScorer
	metrics   []metrics.Metric
	layers    []string // layer of each metric, "" for metrics that a model computes itself
	confusion []metrics.Cell
}

// layerScorer scores a layer or a column of it.
type layerScorer struct {
	metrics.Scorer
	layer string
}

func (e *evaluation) prepare(ref ast.ScoredModel) error {
	m, err := e.r.Model(ref.ModelRef)
	if err != nil {
		return err
	}
	s := scoredItem{use: m, label: m.String()}
	if err := e.configure(&s, ref); err != nil {
		return err
	}
	if len(s.model.Schema.Scores) > 0 {
		if err := e.tables(&s); err != nil {
			return err
		}
		e.models = append(e.models, s)
		return nil
	}
	if err := e.checkCalibration(&s); err != nil {
		return err
	}
	if in, layer := input.LacksGold(e.r, plainInputs(e.stmt.On), &m.Schema); layer != "" {
		return plan.Errorf(in.Pos, plan.CodeState, "LOAD annotated text", "corpus %s stores no gold %s to score %s against",
			in.Name, layer, ref.Name)
	}
	if err := e.documents(&s); err != nil {
		return err
	}
	for _, p := range s.in.Parts {
		for _, u := range p.Node.Models {
			e.r.Session.Notice(fmt.Sprintf("%s reads what %s predicts (%s)", m, u, u.From))
		}
		by, err := e.r.Binder().By(e.stmt, p.Node)
		if err != nil {
			return err
		}
		s.by = append(s.by, by)
	}
	e.models = append(e.models, s)
	return nil
}

// schema is the schema of the model, or that of a stored layer, which says which documents are scored together.
func (s *scoredItem) schema() *kind.Schema {
	if s.layer != nil {
		return &s.layer.schema
	}
	return &s.model.Schema
}

// split groups the inputs by role.
func (e *evaluation) split(s *scoredItem) (map[string][]ast.Input, error) {
	roles := input.StatementRoles{Verb: "EVALUATE", Of: s.use.Kind, Takes: func(r *kind.Role) bool { return r.Evaluate }}
	return roles.Split(e.stmt.On[0].Pos, e.stmt.On, &s.model.Schema)
}

// documents plans the documents that a model is scored on, and its inputs with roles.
func (e *evaluation) documents(s *scoredItem) error {
	schema, predicted := &s.model.Schema, e.opt.inputs == "predicted"
	byRole, err := e.split(s)
	if err != nil {
		return err
	}
	if s.in, err = input.Inputs(e.r, byRole[""], e.stmt.Using, s.use,
		input.UseOf(schema, slices.Concat(schema.Learns, schema.Writes), predicted)); err != nil {
		return err
	}
	return e.planRoles(s, byRole, predicted)
}

// planRoles plans the inputs with roles.
func (e *evaluation) planRoles(s *scoredItem, byRole map[string][]ast.Input, predicted bool) error {
	schema := &s.model.Schema
	s.model.Run.Roles = map[string]kind.Input{}
	for i := range schema.Roles {
		role := &schema.Roles[i]
		list := byRole[role.Name]
		if list == nil {
			continue
		}
		in, err := input.OpenRole(e.r, list, e.stmt.Using, s.use, schema, role, predicted, "scoring "+s.use.Name)
		if err != nil {
			return err
		}
		s.model.Run.Roles[role.Name] = in
	}
	return nil
}

// checkCalibration checks that the model has a prob, if the option calibration is set.
func (e *evaluation) checkCalibration(s *scoredItem) error {
	if !e.opt.calibration || s.model.Schema.Prob != kind.NoProb {
		return nil
	}
	pos := optarg.Position(e.stmt.With, "calibration", e.stmt.Pos)
	return plan.Errorf(pos, plan.CodeInvalid, "leave it out", "option calibration compares prob with gold, and %s has "+
		"none", s.use)
}

// tables plans the inputs, by role, of a model that is scored on tables.
func (e *evaluation) tables(s *scoredItem) error {
	if len(e.stmt.By) > 0 {
		return plan.Errorf(e.stmt.By[0].Position(), plan.CodeFeature, "EVALUATE … ON … WHERE …, once a group",
			"%s scores itself and takes no BY", s.use.Kind)
	}
	if len(e.stmt.Using) > 0 {
		return plan.Errorf(e.stmt.Using[0].Pos, plan.CodeWrongKind, "leave USING out", "%s is scored on tables, which no "+
			"model annotates", s.use.Kind)
	}
	schema := &s.model.Schema
	byRole, err := e.split(s)
	if err != nil {
		return err
	}
	if s.in, err = input.TableInputs(e.r, byRole[""], schema.Scores, "scoring "+s.use.Name); err != nil {
		return err
	}
	return e.planRoles(s, byRole, false)
}

// configure applies the options after a model.
func (e *evaluation) configure(s *scoredItem, ref ast.ScoredModel) error {
	args, err := optarg.Args(ref.With, e.r.Env)
	if err != nil {
		return err
	}
	for i, a := range args {
		if a.Name == "inputs" || a.Name == "nbest" {
			return plan.Errorf(ref.With[i].Pos, plan.CodeInvalid, "leave it out; inputs may stand at the end: EVALUATE … ON "+
				"… WITH (inputs = predicted)", "option %s is none of %s", a.Name, s.use)
		}
	}
	if s.model, err = e.r.Configure(*s.use, models.Request{Options: args, Only: true, Prob: e.opt.calibration,
		Nbest: e.opt.oracle, Layers: models.CommonLayers(s.use.Schema)}); err != nil {
		return optarg.AtOption(err, ref.With)
	}
	if len(ref.With) > 0 {
		var list []string
		for _, o := range ref.With {
			list = append(list, o.String())
		}
		s.label += " (" + strings.Join(list, ", ") + ")"
	}
	return nil
}

// explainMisplaced improves the error of an option at the end of the statement that belongs after the model.
func explainMisplaced(r *exec.Execution, err error, s *ast.Evaluate) error {
	var e *ast.Error
	if !errors.As(err, &e) {
		return err
	}
	for _, o := range s.With {
		if o.Pos != e.Pos || NewEvaluateOptions().Set.Lookup(o.Name) != nil {
			continue
		}
		for _, ref := range s.Models {
			m, err := r.Model(ref.ModelRef)
			if err != nil {
				break
			}
			l, err := r.Fetch(m.Name, m.Version)
			if err != nil {
				break
			}
			if d := l.Options.Lookup(o.Name); d != nil && d.Phase != option.Train {
				e.Hint = fmt.Sprintf("options of a model stand after it: EVALUATE %s WITH (%s) ON …", ref.ModelRef, o)
				return e
			}
		}
	}
	return err
}

// checkIgnore checks that the scorers can leave out tokens, if the option ignore is set.
func (e *evaluation) checkIgnore(s *scoredItem) error {
	if len(e.opt.ignore) == 0 {
		return nil
	}
	pos := optarg.Position(e.stmt.With, "ignore", e.stmt.Pos)
	for _, p := range s.in.Parts {
		l := e.r.StoredLayer(p.Node.Corpus, text.Tokens.Name)
		if l == nil || l.Model != "" || !l.Has("upos") && !l.Has("xpos") {
			return plan.Errorf(pos, plan.CodeState, "the metrics uas_words and las_words leave punctuation out by the form",
				"option ignore goes by gold tags, and corpus %s stores neither upos nor xpos", p.Node.Corpus.Name)
		}
	}
	return nil
}

// plainInputs are the inputs without a role.
func plainInputs(list []ast.Input) []ast.Input {
	return slices.DeleteFunc(slices.Clone(list), func(in ast.Input) bool { return in.Role != "" })
}
