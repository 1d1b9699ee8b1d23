package exec

import (
	"context"
	"slices"

	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// layerScan reads or makes documents, annotates them, and yields the rows of a layer of theirs. It serves the layers
// that columnScan cannot read as they are stored.
type layerScan struct {
	r         *Execution
	n         *plan.Layer
	src       DocumentSource
	annotator *annotate.Annotator // nil without models
	call      *functionCall       // of a table function, else nil
	queue     []*text.Document    // read, not yet annotated
	step      int                 // documents that are annotated at once
	done      bool                // src has no more documents
	adhoc     adhocTexts          // src of ad-hoc texts
	scratch   *scratch            // nil if something may read the rows after the next batch
}

// annotationStep is how many documents are annotated at once, where a LIMIT does not say that few will do.
const annotationStep = 512

// layer makes the scan of a layer.
func (r *Execution) layer(n *plan.Layer) (operator.Operator, error) {
	if columnar(n) {
		return r.columnScan(n)
	}
	s := &layerScan{r: r, n: n, step: annotationStep}
	if r.reusesScratch {
		s.scratch = scratches.Get().(*scratch)
	}
	if n.Call != nil {
		c, err := r.newFunctionCall(n)
		if err != nil {
			return nil, fault.At(n.Call.Pos, err)
		}
		s.call = c
	}
	if len(n.Models) > 0 {
		if err := s.initAnnotator(); err != nil {
			return nil, err
		}
	}
	if n.Corpus == nil {
		if err := s.openTexts(); err != nil {
			return nil, err
		}
		return s, nil
	}
	selected, err := r.Selection(r.Context(), n, n.DocFilter)
	if err == nil {
		selected, err = r.pruneSegments(n, selected)
	}
	s.src = &StoredDocuments{R: r, Corpus: n.Corpus, filter: n.DocFilter, Node: n, Want: s.want(), Selected: selected}
	return s, err
}

// initAnnotator prepares the models.
func (s *layerScan) initAnnotator() error {
	var a *annotate.Annotator
	if s.scratch != nil {
		a = &s.scratch.annotator
		a.Reuses = true
	} else {
		a = new(annotate.Annotator)
	}
	if err := s.r.initAnnotator(a, s.n, nil); err != nil {
		return err
	}
	s.annotator, s.r.adhocAnnotator = a, a
	if s.n.Limit > 0 {
		s.step = min(s.step, max(2*s.r.Workers(), s.n.Limit))
	}
	return nil
}

// openTexts makes ad-hoc texts the source: one, or those of a select.
func (s *layerScan) openTexts() error {
	a := &s.adhoc
	a.r, a.n, s.src = s.r, s.n, a
	switch {
	case s.scratch != nil:
		a.scratch = &s.scratch.document
	case s.n.Rows == nil:
		a.scratch = new(document.Scratch)
	}
	if s.n.Rows == nil {
		return nil
	}
	var err error
	a.rows, err = s.r.Build(s.n.Rows)
	return err
}

// want tells storage which parts of the documents are read.
func (s *layerScan) want() documents.Want {
	w := documents.Want{IDs: true}
	need := map[string]bool{}
	for i, c := range s.n.Columns() {
		if !s.n.Need[i] {
			continue
		}
		switch {
		case !c.Document && s.n.Def != nil && i > 0:
			w.Text = w.Text || s.columnNeedsText(c.Name)
		case c.Name == "text":
			w.Text = true
		case c.Name != "id" && i > 0 || s.n.Def == nil && i > 1:
			need[c.Name] = true
		}
	}
	if s.call != nil {
		s.callWant(&w)
	} else if s.n.Def != nil {
		w.Layers = append(w.Layers, documents.LayerWant{Name: s.n.Name})
		for _, c := range s.n.Def.Columns {
			if c.Role == text.OfToken {
				w.Layers = append(w.Layers, documents.LayerWant{Name: "tokens"})
			}
		}
	}
	if s.annotator != nil {
		w.Text = true
		for _, m := range s.annotator.Models {
			schema := m.Schema
			for _, f := range schema.DocumentFields() {
				need[f] = true
			}
			for _, r := range schema.Reads {
				w.Layers = append(w.Layers, documents.LayerWant{Name: r.Layer})
			}
		}
	}
	for _, c := range s.n.Corpus.Columns {
		if need[c.Name] {
			w.Fields = append(w.Fields, c.Name)
		}
	}
	w.Layers = UniqueLayers(w.Layers)
	return w
}

// UniqueLayers leaves out layers that come before in the list.
func UniqueLayers(in []documents.LayerWant) []documents.LayerWant {
	var out []documents.LayerWant
	seen := map[string]bool{}
	for _, l := range in {
		if !seen[l.Name] {
			seen[l.Name] = true
			out = append(out, l)
		}
	}
	return out
}

// columnNeedsText reports whether a column is made of the text of the document.
func (s *layerScan) columnNeedsText(name string) bool {
	i := s.n.Def.Index(name)
	return i >= 0 && s.n.Def.Columns[i].Role != text.Plain
}

// Next yields the rows of the next documents that have some.
func (s *layerScan) Next(ctx context.Context) (*value.Batch, error) {
	for {
		docs, err := s.documents(ctx)
		if err == nil && docs != nil && s.call != nil {
			docs, err = s.call.apply(ctx, docs)
		}
		if err != nil || docs == nil {
			return nil, err
		}
		if b := s.r.layOut(s.n, docs, s.columns()); b.N > 0 {
			return b, nil
		}
	}
}

// documents returns the next documents, annotated: a step of them, or all if a model needs all at once.
func (s *layerScan) documents(ctx context.Context) ([]*text.Document, error) {
	if s.annotator == nil {
		return s.src.Next(ctx)
	}
	for !s.done && (len(s.queue) < s.step || s.annotator.NeedsAll()) {
		docs, err := s.src.Next(ctx)
		if err != nil {
			return nil, err
		}
		if docs == nil {
			s.done = true
			break
		}
		if s.call != nil {
			if docs, err = s.call.prefilter(ctx, docs); err != nil {
				return nil, err
			}
		}
		if len(s.queue) == 0 {
			s.queue = slices.Clip(docs)
		} else {
			s.queue = append(s.queue, docs...)
		}
	}
	if len(s.queue) == 0 {
		return nil, nil
	}
	k := min(s.step, len(s.queue))
	if s.annotator.NeedsAll() {
		k = len(s.queue)
	}
	docs := s.queue[:k]
	s.queue = s.queue[k:]
	return s.annotator.Apply(ctx, docs)
}

// Close closes the source and releases the scratch memory.
func (s *layerScan) Close() error {
	err := s.src.close()
	if s.scratch != nil {
		s.scratch.release()
		s.scratch = nil
	}
	return err
}

// columns returns empty columns for a batch, in the scratch memory if there is one.
func (s *layerScan) columns() []value.Vec {
	n := len(s.n.Columns())
	if s.scratch == nil || n > len(s.scratch.columns) {
		return make([]value.Vec, n)
	}
	out := s.scratch.columns[:n]
	clear(out)
	return out
}
