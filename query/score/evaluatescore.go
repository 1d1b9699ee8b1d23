package score

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

func (e *evaluation) score(ctx context.Context, s *scoredItem) error {
	if s.layer != nil {
		return e.scoreLayer(ctx, s)
	}
	run := s.model.Run
	run.Workers = e.r.Workers()
	found, err := s.model.Model.Evaluate(ctx, s.in, &run)
	if err == nil {
		if len(e.stmt.By) > 0 {
			return plan.Errorf(e.stmt.Pos, plan.CodeFeature, "EVALUATE … ON corpus WHERE …, once a group", "%s scores itself "+
				"and takes no BY", s.use.Kind)
		}
		if !e.opt.confusion {
			found = slices.DeleteFunc(found, func(m metrics.Metric) bool { return m.Name == metrics.Confusion })
		}
		s.groups = []group{{metrics: found, layers: make([]string, len(found))}}
		return nil
	}
	if errors.Is(err, kind.ErrNoData) {
		return plan.Errorf(e.stmt.On[0].Pos, "02000", "does WHERE leave rows? it reads "+input.TableUses(s.use.Schema.Scores),
			"nothing to score%s", strings.TrimPrefix(err.Error(), kind.ErrNoData.Error()))
	}
	if !errors.Is(err, kind.ErrByLayers) {
		return fault.FromKind(e.stmt.Pos, err)
	}
	if len(s.model.Schema.Writes) == 0 {
		return plan.Errorf(e.stmt.Pos, plan.CodeWrongKind, "DESCRIBE "+s.use.Name+" lists its relations", "model %s "+
			"writes no layer that could be scored", s.use.Name)
	}
	return e.byLayers(ctx, s)
}

// byLayers annotates the documents and scores the layers that the model writes against gold.
func (e *evaluation) byLayers(ctx context.Context, s *scoredItem) error {
	if err := s.countOverlaps(e.r); err != nil {
		return err
	}
	index := map[string]int{}
	ann := &annotate.Annotator{Setup: e.r.Annotating(), Models: []*models.Configured{s.model}, Stats: &operator.Stats{}}
	if len(s.model.Run.Roles) > 0 {
		ann.Setup = ann.Setup.Uncached() // keys of the cache do not contain inputs with roles
	}
	err := s.in.Predicted(ctx, ann, func(b input.Predictions) error { return e.scoreBatch(ctx, s, index, b) })
	if err != nil {
		return err
	}
	s.warnKnown(e.r)
	e.collectMetrics(s)
	return nil
}

// collectMetrics reads the metrics from the scorers, and gives notices about those that mean little.
func (e *evaluation) collectMetrics(s *scoredItem) {
	s.noteRepeated(e.r)
	defer s.warnForeign(e.r)
	defer s.warnNothing(e.r)
	for i := range s.groups {
		g := &s.groups[i]
		for _, sc := range g.scorers {
			list := sc.Metrics()
			if _, ok := sc.Scorer.(*metrics.Reliability); ok && len(list) == 0 {
				e.r.Session.Notice(fmt.Sprintf("calibration: no row of %s that %s predicts has both prob and gold to compare "+
					"with", sc.layer, s.label))
			}
			for _, m := range list {
				g.metrics, g.layers = append(g.metrics, m), append(g.layers, sc.layer)
			}
			if e.opt.confusion {
				g.confusion = append(g.confusion, sc.Confusion()...)
			}
		}
	}
}

// scoreBatch scores a batch of units, each in the groups of its key.
func (e *evaluation) scoreBatch(ctx context.Context, s *scoredItem, index map[string]int, b input.Predictions) error {
	for _, o := range s.overlaps {
		for _, d := range b.Stored {
			o.Add(d)
		}
	}
	if s.scoresLayer(text.Mentions) {
		s.repeatedGold += repeatedMentions(b.Stored)
		s.repeated += repeatedMentions(b.Predicted)
	}
	keys, err := e.keys(s, b)
	if err != nil {
		return err
	}
	for places := range b.Units(s.schema()) {
		first := places[0]
		list, key := s.by[b.Parts[first]], keys[first]
		id := string(value.AppendRow(nil, key))
		for _, i := range places[1:] {
			if string(value.AppendRow(nil, keys[i])) != id {
				return plan.Errorf(e.stmt.By[0].Position(), plan.CodeInvalid,
					"BY an expression that all documents of a unit share",
					"BY differs between documents that are scored together: %s and %s", b.Stored[first].ID,
					b.Stored[i].ID)
			}
		}
		at, ok := index[id]
		if !ok {
			at = len(s.groups)
			index[id] = at
			if err := e.appendGroups(s, list, slices.Clone(key), 0); err != nil {
				return err
			}
		}
		gold, predicted := b.Documents(places)
		for k := range bind.BreakdownGroups(list) {
			for _, sc := range s.groups[at+k].scorers {
				if err := sc.Add(ctx, gold, predicted); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// scoresLayer reports whether rows of a layer are scored.
func (s *scoredItem) scoresLayer(def *text.LayerDef) bool {
	if s.layer != nil {
		return s.layer.def == def
	}
	return slices.ContainsFunc(s.model.Schema.Writes, func(w kind.LayerUse) bool { return w.Layer == def.Name })
}

func repeatedMentions(docs []*text.Document) (n int) {
	for _, d := range docs {
		if l := d.Layer(text.Mentions.Name); l != nil {
			n += l.RepeatedMentions()
		}
	}
	return n
}

// noteRepeated tells of mentions that stand in two clusters.
func (s *scoredItem) noteRepeated(r *exec.Execution) {
	if s.repeated+s.repeatedGold == 0 {
		return
	}
	r.Session.Notice(fmt.Sprintf("mentions that stand in another cluster before: %d of gold, %d of %s; they count as "+
		"the scorer of CoNLL (8.01) counts them", s.repeatedGold, s.repeated, s.label))
}

// keys evaluates BY for every document; breakdowns are NULL.
func (e *evaluation) keys(s *scoredItem, b input.Predictions) ([][]value.Value, error) {
	out := make([][]value.Value, len(b.Stored))
	for from := 0; from < len(b.Stored); {
		part, to := b.Parts[from], from+1
		for to < len(b.Stored) && b.Parts[to] == part {
			to++
		}
		list, batch := s.by[part], e.r.DocumentBatch(b.Stored[from:to], s.in.Parts[part].Node)
		for i := from; i < to; i++ {
			key := make([]value.Value, len(list))
			for k, x := range list {
				if x.Breakdown != nil {
					continue
				}
				var err error
				if key[k], err = x.Expr.At(e.r.Env, batch, i-from); err != nil {
					return nil, expr.ErrorAt(ast.Pos{}, err)
				}
			}
			out[i] = key
		}
		from = to
	}
	return out, nil
}

// appendGroups appends the groups of documents with a key: one for each combination of values of the breakdowns from
// index k on.
func (e *evaluation) appendGroups(s *scoredItem, list []bind.ByItem, key []value.Value, k int) (err error) {
	for k < len(list) && list[k].Breakdown == nil {
		k++
	}
	if k < len(list) {
		for _, v := range list[k].Breakdown.Values {
			one := slices.Clone(key)
			one[k] = value.Str(v)
			if err := e.appendGroups(s, list, one, k+1); err != nil {
				return err
			}
		}
		return nil
	}
	opt := e.opt.scorer()
	opt.Only = map[string]string{}
	for i, x := range list {
		if x.Breakdown != nil {
			opt.Only[x.Breakdown.Name] = key[i].S
		}
	}
	g := group{key: key}
	if g.scorers, err = e.scorers(s, opt); err != nil {
		return err
	}
	if e.opt.calibration && s.layer == nil {
		g.scorers = append(g.scorers, reliability(e.r, s.model.Schema)...)
	}
	s.groups = append(s.groups, g)
	return nil
}

// empty reports whether nothing was scored in a group of BY.
func (g *group) empty() bool { return len(g.key) > 0 && g.unscored() }

// unscored reports whether there was nothing to score.
func (g *group) unscored() bool {
	for _, m := range g.metrics {
		if !m.Units.Empty() {
			return false
		}
	}
	return true
}

// warnNothing gives a notice if no document has gold, so that scores of 0 mean nothing.
func (s *scoredItem) warnNothing(r *exec.Execution) {
	for i := range s.groups {
		if !s.groups[i].unscored() || s.groups[i].empty() {
			return
		}
		r.Session.Notice(fmt.Sprintf("nothing was scored: the documents have no gold to compare with what %s says", s.label))
	}
}

// reliability returns a scorer of the calibration of prob for every layer of a model that has scorers.
func reliability(r *exec.Execution, s kind.Schema) []layerScorer {
	var out []layerScorer
	for _, w := range s.Writes {
		if def := r.LayerDef(w.Layer); def != nil && s.Def(w.Layer) == nil {
			layer := strings.Join(append([]string{w.Layer}, w.Columns...), ".")
			out = append(out, layerScorer{metrics.NewReliability(def, w.Columns), layer})
		}
	}
	return out
}

// scorer returns the options of the scorers of layers.
func (o *evaluateOptions) scorer() metrics.Options {
	return metrics.Options{Ignore: o.ignore, Beta: o.beta, AllBrackets: o.brackets == "all", Tag: o.tag,
		Known: o.vocabulary, SpanTokens: o.tokens, Taxonomy: o.parents}
}

// scorers returns the scorers of a model or a stored layer.
func (e *evaluation) scorers(s *scoredItem, opt metrics.Options) ([]layerScorer, error) {
	if s.layer != nil {
		return s.layer.scorers(opt)
	}
	uses := input.ScoredGold(&s.model.Schema)
	if learned, others := input.WrittenLayers(&s.model.Schema); learned != nil { // and those that happen to have gold
		for _, w := range others {
			if e.storesGold(w) {
				uses = append(uses, w)
			}
		}
	}
	return scorersOf(e.r, s.model.Schema, uses, opt)
}

// storesGold reports whether all inputs without a role store gold of a layer.
func (e *evaluation) storesGold(use kind.LayerUse) bool {
	for _, in := range plainInputs(e.stmt.On) {
		o, ok := e.r.Snapshot.Object(in.Name)
		if !ok || o.Kind != catalog.CorpusObject || input.MissingGold(e.r, o, []kind.LayerUse{use}) != "" {
			return false
		}
	}
	return true
}

// Scorers returns a scorer for every layer that a model is scored on.
func Scorers(r *exec.Execution, s kind.Schema, opt metrics.Options) ([]layerScorer, error) {
	return scorersOf(r, s, input.ScoredGold(&s), opt)
}

// scorersOf returns a scorer for each of some layers.
func scorersOf(r *exec.Execution, s kind.Schema, uses []kind.LayerUse, opt metrics.Options) ([]layerScorer, error) {
	var out []layerScorer
	for _, w := range uses {
		def := r.LayerDef(w.Layer)
		if def == nil || s.Def(w.Layer) != nil {
			continue // only this model has the layer, so it has no gold
		}
		sc, ok := metrics.ForLayer(def, w.Columns, opt)
		if !ok {
			return nil, fault.New(plan.CodeFeature, "there is no score for the layer %s", w.Layer)
		}
		out = append(out, layerScorer{sc, strings.Join(append([]string{w.Layer}, w.Columns...), ".")})
	}
	return out, nil
}
