package exec

import (
	"parlance/algo/text"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// storedDocuments reads documents under conditions over the columns of n.
func (r *Execution) storedDocuments(n *plan.Layer, conds []expr.Expr, want storage.Want) (*stored, error) {
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
	ids, err := r.selection(r.context(), n, conds)
	return &stored{r: r, corpus: n.Corpus, filter: conds, node: n, want: want, ids: ids}, err
}

// documentBatch lays out the columns of n that are read.
func (r *Execution) documentBatch(docs []*text.Document, n *plan.Layer) *value.Batch {
	b := &value.Batch{N: len(docs), Cols: make([]value.Vec, len(n.Columns()))}
	for i := range n.Columns() {
		if n.Need[i] {
			b.Cols[i] = documentColumn(docs, n, i)
		}
	}
	return b
}

func (r *Execution) storedLayer(o *storage.Object, name string) *storage.LayerInfo {
	for _, l := range r.Snapshot.LayerDefs(o) {
		if l.Name == name {
			return &l
		}
	}
	return nil
}

// gold is a view of a document without stored predictions.
func gold(d *text.Document) *text.Document {
	out := *d
	out.Layers = nil
	for _, l := range d.Layers {
		if l.Name == l.Def.Name {
			out.Layers = append(out.Layers, l)
		}
	}
	return &out
}
