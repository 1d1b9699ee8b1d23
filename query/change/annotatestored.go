package change

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/input"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
)

// Annotate stores what models predict, in layers named after the models, beside the gold layers. The corpus is not
// locked while the models compute. What others have changed by then is predicted again under the lock.
func Annotate(r *exec.Execution, ctx context.Context, s *ast.Annotate) (*operator.Result, error) {
	opt, err := parseAnnotateOptions(r, s)
	if err != nil {
		return nil, err
	}
	list := make([]*annotation, len(s.Using))
	for i, ref := range s.Using {
		a, err := newAnnotation(r, s, ref, opt)
		if err != nil {
			return nil, err
		}
		list[i] = a
		defer a.close()
	}
	for _, a := range list {
		if err := a.predict(ctx, r); err != nil {
			return nil, err
		}
	}
	seen := r.Snapshot
	o := list[0].corpus
	ctx, release, err := lockTarget(r, ctx, o)
	if err != nil {
		return nil, err
	}
	defer release()
	total, before := 0, r.Snapshot.LayerDefs(o)
	var layers []storage.NewLayer
	var stale []string
	for _, a := range list {
		if err := a.checkNames(before); err != nil {
			return nil, err
		}
		if !unchanged(r, seen, o) {
			if err := a.refresh(ctx, r); err != nil {
				return nil, err
			}
		}
		total += len(a.places)
		for _, l := range a.layers {
			layers = append(layers, storage.NewLayer{Of: &annotatedLayer{a, l.def.Name}, Def: l.def, Name: l.name,
				Model: a.model.Label})
		}
		stale = append(stale, a.staleLayers(before)...)
	}
	if err := r.Store.WriteLayers(ctx, o, layers, stale...); err != nil {
		return nil, err
	}
	return operator.Tag(fmt.Sprintf("ANNOTATE %d", total)), nil
}

// unchanged reports whether a corpus has the same documents as in an older snapshot.
func unchanged(r *exec.Execution, seen *storage.Snapshot, o *catalog.Object) bool {
	return seen.Count(o) == r.Snapshot.Count(o) && slices.Equal(seen.Segments(o), r.Snapshot.Segments(o))
}

// annotation is one model of an ANNOTATE statement with its predictions.
type annotation struct {
	s      *ast.Annotate
	use    *plan.ModelUse
	opt    *annotateOptions
	model  *models.Configured
	layers []namedLayer
	corpus *catalog.Object
	defs   func(string) *text.LayerDef
	rows   operator.RecordFile
	places map[uint64]storedRows // of the rows of documents, by their sequence numbers
	buf    []byte
}

// storedRows is the rows predicted for a document, and the content that they were predicted for.
type storedRows struct {
	at      operator.Record
	content [16]byte
}

func (a *annotation) close() { _ = a.rows.Close() }

// annotatedLayer is one of the layers that a model has predicted.
type annotatedLayer struct {
	*annotation
	layer string
}

var _ storage.LayerSource = (*annotatedLayer)(nil)

// Has implements storage.LayerSource.
func (a *annotatedLayer) Has(seq uint64) bool { _, ok := a.places[seq]; return ok }

// Layer implements storage.LayerSource.
func (a *annotatedLayer) Layer(d *text.Document) (*text.Layer, error) {
	raw, err := a.rows.Read(a.places[d.Seq].at, a.buf)
	if err != nil {
		return nil, err
	}
	a.buf = raw
	own := text.Document{Seq: d.Seq, ID: d.ID, Text: d.Text}
	if t := d.Layer(text.Tokens.Name); t != nil {
		own.SetLayer(t)
	}
	if err := annotate.DecodeResult(raw, []*text.Document{&own}, a.model.Wanted(), a.defs); err != nil {
		return nil, err
	}
	l := own.Layer(a.layer)
	if l == nil {
		return text.NewLayer(a.defs(a.layer)), nil
	}
	if !a.model.Run.Prob {
		l.Prob = nil
	}
	if a.opt.nbest == 1 {
		l.Rank = nil
	}
	return l, nil
}

func newAnnotation(r *exec.Execution, s *ast.Annotate, ref ast.ModelRef, opt *annotateOptions) (*annotation, error) {
	m, err := r.Model(ref)
	if err != nil {
		return nil, err
	}
	a := &annotation{s: s, use: m, opt: opt, layers: layersToStore(r, m, opt.layers), places: map[uint64]storedRows{}}
	if len(m.Schema.Writes) == 0 {
		return nil, plan.Errorf(ref.Pos, plan.CodeWrongKind, "it has relations; DESCRIBE "+ref.Name+" lists them",
			"%s, a model of kind %s, annotates no documents", m, m.Kind)
	}
	if len(a.layers) == 0 && len(opt.layers) > 0 {
		return nil, plan.Errorf(ref.Pos, plan.CodeInvalid, "leave it out of USING",
			"%s writes none of the layers to be stored", m)
	}
	if len(a.layers) == 0 && m.Schema.CutsText() {
		return nil, plan.Errorf(ref.Pos, plan.CodeFeature, "COPY "+ast.QuoteName(s.Corpus)+" USING "+ref.Name+
			" TO writes them to a file, which LOAD reads into another corpus",
			"%s cuts the text into tokens of its own, which are not stored beside those of the corpus", m)
	}
	if len(a.layers) == 0 {
		return nil, plan.Errorf(ref.Pos, plan.CodeFeature, "COPY "+ast.QuoteName(s.Corpus)+" USING "+ref.Name+
			" TO writes them to a file; UPDATE "+ast.QuoteName(s.Corpus)+".tokens AS t SET … FROM "+ast.QuoteName(s.Corpus)+
			".tokens AS p USING "+ref.Name+" WHERE p.doc = t.doc AND p.sent = t.sent AND p.tok = t.tok stores them as gold",
			"%s writes columns of tokens, which are not stored beside gold", m)
	}
	var names []string
	for _, l := range a.layers {
		names = append(names, l.def.Name)
	}
	if err := opt.ranked(s, m, names); err != nil {
		return nil, err
	}
	if a.model, err = r.Configure(*m, opt.request(names)); err != nil {
		return nil, optarg.AtOption(err, s.With)
	}
	if opt.prob {
		r.WarnProb(a.model)
	}
	unstored(r, m)
	a.defs = a.model.LayerDef(r.LayerDef)
	return a, nil
}

// input is what the model reads of the documents that the statement names.
func (a *annotation) input(r *exec.Execution) (*input.Input, error) {
	in := []ast.Input{{Pos: a.s.Pos, Name: a.s.Corpus, Where: a.s.Where}}
	src, err := input.Inputs(r, in, a.s.Using, a.use,
		input.UseOf(&a.use.Schema, a.use.Schema.Writes, a.opt.inputs == "predicted"))
	if err == nil {
		a.corpus = src.Parts[0].Node.Corpus
	}
	return src, err
}

// predict annotates the documents.
func (a *annotation) predict(ctx context.Context, r *exec.Execution) error {
	src, err := a.input(r)
	if err != nil {
		return err
	}
	return a.add(ctx, src)
}

// refresh annotates the documents that were added or changed since the first pass, and drops the predictions of those
// that were deleted. A model that reads several documents together annotates all of them again.
func (a *annotation) refresh(ctx context.Context, r *exec.Execution) error {
	src, err := a.input(r)
	if err != nil {
		return err
	}
	known := a.places
	if p := src.Parts[0]; (&annotate.Annotator{Models: []*models.Configured{a.model}}).NeedsAll() ||
		p.Ann != nil && p.Ann.NeedsAll() {
		known = nil
	}
	a.places = map[uint64]storedRows{}
	src.Parts[0].Skip = func(d *text.Document) bool {
		old, ok := known[d.Seq]
		if ok {
			content, found, err := r.Snapshot.Content(a.corpus, d.Seq)
			ok = found && err == nil && content == old.content
		}
		if ok {
			a.places[d.Seq] = old
		}
		return ok
	}
	return a.add(ctx, src)
}

// add stores the predictions for some documents in a temporary file.
func (a *annotation) add(ctx context.Context, src *input.Input) error {
	ann := &annotate.Annotator{Setup: src.R.Annotating(), Models: []*models.Configured{a.model}, Stats: &operator.Stats{}}
	writes := a.model.Wanted()
	return src.Predicted(ctx, ann, func(b input.Predictions) error {
		docs := b.Predicted
		for i := range docs {
			a.buf = annotate.EncodeResult(a.buf[:0], docs[i:i+1], writes)
			at, err := a.rows.Add(a.buf)
			if err != nil {
				return err
			}
			content, _, err := src.R.Snapshot.Content(a.corpus, docs[i].Seq)
			if err != nil {
				return err
			}
			a.places[docs[i].Seq] = storedRows{at, content}
		}
		return nil
	})
}
