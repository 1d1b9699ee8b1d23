package exec

import (
	"context"

	"parlance/algo/text"
	"parlance/query/document"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// Snapshot is the committed state that a statement reads.
type Snapshot = *storage.Snapshot

// DocumentSource yields the documents that a Layer node reads, in load order, filtered.
type DocumentSource interface {
	// next returns a batch of documents, nil at the end.
	Next(ctx context.Context) ([]*text.Document, error)
	close() error
}

// StoredDocuments reads documents of a corpus segment by segment.
type StoredDocuments struct {
	R        *Execution
	Corpus   *storage.Object
	filter   []expr.Expr // over the columns of node
	Node     *plan.Layer // lays out the columns of the filter; may be nil without filter
	Want     storage.Want
	Selected []storage.Selection
	at       int
}

func (s *StoredDocuments) Next(ctx context.Context) ([]*text.Document, error) {
	for s.at < len(s.Selected) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sel := s.Selected[s.at]
		sg, err := s.R.Snapshot.Segment(ctx, s.Corpus, sel.Segment, s.Want)
		if err != nil {
			return nil, err
		}
		s.at++
		docs, err := s.R.filterDocuments(selected(sg, sel), s.filter, s.Node)
		docs = s.R.filterDynamically(docs, s.Node)
		if err != nil || len(docs) > 0 {
			return docs, err
		}
	}
	return nil, nil
}

// selected returns the live documents of a selection.
func selected(sg *storage.Segment, sel storage.Selection) []*text.Document {
	if sel.Docs != nil {
		return sg.Pick(sel.Docs)
	}
	return sg.Documents()
}

func (s *StoredDocuments) close() error { return nil }

// filterDocuments filters documents by conditions on their columns.
func (r *Execution) filterDocuments(docs []*text.Document, conds []expr.Expr, n *plan.Layer) ([]*text.Document, error) {
	if len(conds) == 0 || len(docs) == 0 {
		return docs, nil
	}
	b := &value.Batch{N: len(docs), Cols: make([]value.Vec, len(n.Columns()))}
	cond := expr.And(conds)
	for _, i := range expr.Columns(cond) {
		b.Cols[i] = documentColumn(docs, n, i)
	}
	rows, err := expr.Filter(cond, r.Env, b)
	if err != nil || len(rows) == len(docs) {
		return docs, err
	}
	out := make([]*text.Document, len(rows))
	for k, i := range rows {
		out[k] = docs[i]
	}
	return out, nil
}

// documentColumn is column i of the node for whole documents.
func documentColumn(docs []*text.Document, n *plan.Layer, i int) value.Vec {
	c := n.Columns()[i]
	out := make([]value.Value, len(docs))
	for k, d := range docs {
		out[k] = documentValue(d, n, i, c.Name)
	}
	return value.FromValues(c.Type, out)
}

func documentValue(d *text.Document, n *plan.Layer, i int, name string) value.Value {
	switch {
	case n.Number(i):
		return value.Int(int64(d.Seq))
	case i == 0 || name == "id":
		if d.ID == "" {
			return value.Value{}
		}
		return value.Str(d.ID)
	case name == "text":
		return value.Str(d.Text)
	}
	return d.Field(name)
}

// adhocTexts yields documents cut from texts of the statement.
type adhocTexts struct {
	r       *Execution
	n       *plan.Layer
	rows    operator.Operator // texts of a select, or nil for one text
	done    bool
	list    [1]*text.Document
	scratch *document.Scratch // for one text
}

func (a *adhocTexts) Next(ctx context.Context) ([]*text.Document, error) {
	if a.done {
		return nil, nil
	}
	if a.rows == nil {
		a.done = true
		v, err := a.n.Text.At(a.r.Env, &value.Batch{N: 1}, 0)
		if err != nil || v.IsNull() {
			return nil, err
		}
		d, err := a.document(a.scratch, value.Value{}, v)
		if err != nil {
			return nil, err
		}
		a.list[0] = d
		return a.r.filterDocuments(a.list[:], a.n.DocFilter, a.n)
	}
	for {
		b, err := a.rows.Next(ctx)
		if err != nil || b == nil {
			a.done = true
			return nil, err
		}
		var docs []*text.Document
		for i := range b.N {
			v := b.Cols[0].At(i)
			if v.IsNull() {
				continue
			}
			id := value.Value{}
			if len(b.Cols) > 1 {
				id = b.Cols[1].At(i)
			}
			d, err := a.document(new(document.Scratch), id, v)
			if err != nil {
				return nil, err
			}
			docs = append(docs, d)
		}
		if docs, err = a.r.filterDocuments(docs, a.n.DocFilter, a.n); err != nil || len(docs) > 0 {
			return docs, err
		}
	}
}

func (a *adhocTexts) document(c *document.Scratch, id, content value.Value) (*text.Document, error) {
	return a.r.Documents.MakeRepeated(a.r.Env.Ctx, c, id.String(), content.String(), a.n.Tokenizer)
}

func (a *adhocTexts) close() error {
	if a.rows != nil {
		return a.rows.Close()
	}
	return nil
}
