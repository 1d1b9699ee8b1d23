package score

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/input"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// storedLayer is a stored layer that is scored as predictions against a gold layer of the same documents. The gold
// layer is in the same corpus, or in another corpus whose documents have the same ids.
type storedLayer struct {
	pos          ast.Pos
	corpus, gold *catalog.Object
	def          *text.LayerDef
	name, key    string // of the layer and of the gold layer in storage
	columns      []string
	want         documents.Want
	schema       kind.Schema // the unit

	absent      []string // the first few ids of gold documents that the corpus of the layer lacks
	absents     int
	unpredicted int // number of documents without predictions
}

// prepareLayer plans the comparison of a stored layer with gold.
func (e *evaluation) prepareLayer(ref ast.Input) error {
	gold, against, err := e.r.StoredLayerOf(*e.stmt.Against, e.r.Stores(ref))
	if err != nil {
		return err
	}
	o, info, err := e.r.StoredLayerOf(ref, e.r.Stores(*e.stmt.Against))
	if err != nil {
		return err
	}
	if info.Def != against.Def {
		return plan.Errorf(ref.Pos, plan.CodeWrongKind, "", "%s.%s has rows of %s, and %s.%s rows of %s", o.Name, info.Name,
			info.Def.Name, gold.Name, against.Name, against.Def.Name)
	}
	l := &storedLayer{pos: ref.Pos, corpus: o, gold: gold, def: info.Def, name: info.Name, key: against.Name,
		columns: e.opt.columns}
	s := scoredItem{label: o.Name + "." + info.Name, layer: l}
	if s.in, err = e.goldInput(l); err != nil {
		return err
	}
	l.want = documents.Want{IDs: true, Text: true}
	for _, name := range []string{text.Tokens.Name, text.Sentences.Name, l.name} {
		l.want.Layers = append(l.want.Layers, documents.LayerWant{Name: name})
	}
	l.want.Layers = exec.UniqueLayers(l.want.Layers)
	if err := e.columns(&s); err != nil {
		return err
	}
	list, err := e.r.Binder().By(e.stmt, s.in.Parts[0].Node)
	if err != nil {
		return err
	}
	s.by = [][]bind.ByItem{list}
	e.models = append(e.models, s)
	return nil
}

// columns checks that the layer, or its columns that the statement names, have scorers.
func (e *evaluation) columns(s *scoredItem) error {
	l, pos := s.layer, optarg.Position(e.stmt.With, "columns", s.layer.pos)
	if len(l.columns) > 0 && l.def != text.Tokens {
		return plan.Errorf(pos, plan.CodeInvalid, "leave it out",
			"option columns chooses columns of tokens, and %s has rows of %s", s.label, l.def.Name)
	}
	for _, c := range l.columns {
		i := l.def.Index(c)
		switch {
		case i < 0:
			return plan.Errorf(pos, plan.CodeUndefinedColumn, "lemma, upos, xpos, feats, misc",
				"option columns: the layer tokens has no column %s", c)
		case l.def.Columns[i].Type != value.Text || l.def.Columns[i].Role != text.Plain:
			return plan.Errorf(pos, plan.CodeInvalid, "lemma, upos, xpos, feats, misc",
				"option columns: %s follows from the text", c)
		}
	}
	if _, err := l.scorers(e.opt.scorer()); err != nil {
		return plan.Errorf(l.pos, plan.CodeFeature, "", "%v", err)
	}
	return nil
}

// goldInput plans the documents with gold, and the units in which they are scored.
func (e *evaluation) goldInput(l *storedLayer) (*input.Input, error) {
	use := input.InputUse{Gold: []kind.LayerUse{{Layer: l.key}}}
	if l.corpus == l.gold {
		use.Gold = append(use.Gold, kind.LayerUse{Layer: l.name})
	}
	switch g := e.opt.group; {
	case g == "":
	case g == "corpus" && l.gold.Column(g) < 0:
		l.schema.Unit = kind.PerCorpus
	default:
		l.schema.Unit, l.schema.Group, use.Group = kind.PerGroup, g, g
	}
	a := e.stmt.Against
	return input.Inputs(e.r, []ast.Input{{Pos: a.Pos, Name: a.Name, Where: a.Where}}, nil, nil, use)
}

// scorers returns the scorers of the layer, or one for each column that the statement names.
func (l *storedLayer) scorers(opt metrics.Options) ([]layerScorer, error) {
	var out []layerScorer
	add := func(name string, columns []string) error {
		sc, ok := metrics.ForLayer(l.def, columns, opt)
		if !ok {
			return fmt.Errorf("there is no score for the layer %s", name)
		}
		out = append(out, layerScorer{sc, name})
		return nil
	}
	for _, c := range l.columns {
		if err := add(l.def.Name+"."+c, []string{c}); err != nil {
			return nil, err
		}
	}
	if len(l.columns) > 0 {
		return out, nil
	}
	return out, add(l.def.Name, nil)
}

// scoreLayer scores the stored rows of all documents, unit by unit.
func (e *evaluation) scoreLayer(ctx context.Context, s *scoredItem) error {
	l, index := s.layer, map[string]int{}
	var b input.Predictions
	var failed error
	hand := func() error {
		defer func() { b = input.Predictions{} }()
		return e.scoreBatch(ctx, s, index, b)
	}
	err := s.in.Each(ctx, func(docs, _ []*text.Document) bool {
		if failed = l.addPairs(ctx, e.r, docs, &b); failed == nil && l.schema.Unit == kind.PerDocument {
			failed = hand()
		}
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	if err == nil && l.absents > 0 {
		err = plan.Errorf(l.pos, "02000", "AGAINST … WHERE chooses the documents that both have",
			"%d of the documents of %s are not in %s: %s",
			l.absents, l.gold.Name, l.corpus.Name, firstFew(l.absent))
	}
	if err == nil {
		err = hand()
	}
	if err != nil {
		return err
	}
	if l.unpredicted > 0 {
		e.r.Session.Notice(text.Countf("%s has no rows in %d {document that has|documents that have} gold", s.label,
			l.unpredicted))
	}
	e.collectMetrics(s)
	return nil
}

// addPairs adds documents with gold and copies of them with predictions to a batch.
func (l *storedLayer) addPairs(ctx context.Context, r *exec.Execution, docs []*text.Document,
	b *input.Predictions) error {
	others, err := l.counterparts(ctx, r, docs)
	if err != nil {
		return err
	}
	for i, d := range docs {
		o := others[i]
		if o == nil {
			if l.absents++; l.absents <= 6 {
				l.absent = append(l.absent, d.ID)
			}
			continue
		}
		gold, predicted := renamedLayer(d, l.def.Name, l.key), renamedLayer(o, l.def.Name, l.name)
		if err := metrics.Comparable(l.def, gold, predicted); err != nil {
			return plan.Errorf(l.pos, plan.CodeInvalid,
				"rows of two tokenisations are compared by a join over char_start and char_end", "%v", err)
		}
		if predicted.Layer(l.def.Name) == nil && rowsOf(gold, l.def.Name) > 0 {
			l.unpredicted++
		}
		b.Stored, b.Predicted, b.Parts = append(b.Stored, gold), append(b.Predicted, predicted), append(b.Parts, 0)
	}
	return nil
}

func rowsOf(d *text.Document, layer string) int {
	if l := d.Layer(layer); l != nil {
		return l.N
	}
	return 0
}

// renamedLayer is a copy of a document in which a stored layer has the name of its definition.
func renamedLayer(d *text.Document, name, stored string) *text.Document {
	if name == stored {
		return d
	}
	view := *d
	l := d.Layer(stored)
	if l == nil {
		view.DropLayer(name)
		return &view
	}
	named := *l
	named.Name = name
	view.SetLayer(&named)
	return &view
}

// counterparts returns for each document the one with predictions, nil if there is none.
func (l *storedLayer) counterparts(ctx context.Context, r *exec.Execution,
	docs []*text.Document) ([]*text.Document, error) {
	if l.corpus == l.gold {
		return docs, nil
	}
	at := make(map[string]int, len(docs))
	for i, d := range docs {
		at[d.ID] = i
	}
	selections, err := r.SelectIDs(l.corpus, idsOf(docs))
	if err != nil {
		return nil, err
	}
	out := make([]*text.Document, len(docs))
	src := &exec.StoredDocuments{R: r, Corpus: l.corpus, Node: bind.Documents(l.corpus, l.corpus.Name), Want: l.want,
		Selected: selections}
	for {
		found, err := src.Next(ctx)
		if err != nil || found == nil {
			return out, err
		}
		for _, d := range found {
			out[at[d.ID]] = d
		}
	}
}
