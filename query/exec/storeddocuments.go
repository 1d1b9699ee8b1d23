package exec

import (
	"parlance/algo/text"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// ReadDocuments reads documents under conditions over the columns of n.
func (r *Execution) ReadDocuments(n *plan.Layer, conds []expr.Expr, want storage.Want) (*StoredDocuments, error) {
	for i, c := range n.Columns() {
		if !n.Need[i] {
			continue
		}
		switch c.Name {
		case "id", "": // numbers come without asking
		case "text":
			want.Text = true
		default:
			want.Fields = append(want.Fields, c.Name)
		}
	}
	want.IDs = true
	ids, err := r.Selection(r.Context(), n, conds)
	return &StoredDocuments{R: r, Corpus: n.Corpus, filter: conds, Node: n, Want: want, Selected: ids}, err
}

// DocumentBatch lays out the columns of n that are read.
func (r *Execution) DocumentBatch(docs []*text.Document, n *plan.Layer) *value.Batch {
	b := &value.Batch{N: len(docs), Cols: make([]value.Vec, len(n.Columns()))}
	for i := range n.Columns() {
		if n.Need[i] {
			b.Cols[i] = documentColumn(docs, n, i)
		}
	}
	return b
}
