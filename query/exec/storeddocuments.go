package exec

import (
	"context"

	"parlance/algo/text"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage"
)

// DocumentSource yields the documents that a plan.Layer reads, in load order, as far as they meet its conditions.
type DocumentSource interface {
	// Next returns a batch of documents, nil at the end.
	Next(ctx context.Context) ([]*text.Document, error)
	close() error
}

// StoredDocuments reads documents of a corpus segment by segment.
type StoredDocuments struct {
	R        *Execution
	Corpus   *storage.Object
	Want     storage.Want        // what is read of a document
	Selected []storage.Selection // the documents, by segments
	Node     *plan.Layer         // of whose columns the filter speaks; may be nil without filter
	filter   []expr.Expr
	at       int // next of Selected
}

// Next returns the documents of the next segment that has some.
func (s *StoredDocuments) Next(ctx context.Context) ([]*text.Document, error) {
	for s.at < len(s.Selected) {
		if err := turn.Err(ctx); err != nil {
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

// ReadDocuments reads the documents of a corpus that meet conditions over the columns of n: what n needs of them, and
// what want asks besides.
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
	selected, err := r.Selection(r.Context(), n, conds)
	return &StoredDocuments{R: r, Corpus: n.Corpus, filter: conds, Node: n, Want: want, Selected: selected}, err
}
