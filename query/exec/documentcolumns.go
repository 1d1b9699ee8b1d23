package exec

import (
	"parlance/algo/text"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// filterDocuments returns the documents that meet conditions over the columns of n.
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

// documentColumn is column i of n for documents.
func documentColumn(docs []*text.Document, n *plan.Layer, i int) value.Vec {
	c := n.Columns()[i]
	out := make([]value.Value, len(docs))
	for k, d := range docs {
		out[k] = documentValue(d, n, i, c.Name)
	}
	return value.FromValues(c.Type, out)
}

// documentValue is column i of n, which has the name, for a document: its number, id, text or a field.
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

// DocumentBatch is a batch of the columns of documents that n needs.
func (r *Execution) DocumentBatch(docs []*text.Document, n *plan.Layer) *value.Batch {
	b := &value.Batch{N: len(docs), Cols: make([]value.Vec, len(n.Columns()))}
	for i := range n.Columns() {
		if n.Need[i] {
			b.Cols[i] = documentColumn(docs, n, i)
		}
	}
	return b
}
