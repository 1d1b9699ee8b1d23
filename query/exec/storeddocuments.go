package exec

import (
	"context"

	"parlance/algo/text"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// DocumentSource yields the documents that a plan.Layer reads, in their order, as far as they meet its conditions.
type DocumentSource interface {
	// Next returns a batch of documents, nil at the end.
	Next(ctx context.Context) ([]*text.Document, error)
	close() error
}

// StoredDocuments reads documents of a corpus window by window.
type StoredDocuments struct {
	R        *Execution
	Corpus   *catalog.Object
	Want     documents.Want     // what is read of a document
	Selected []documents.Window // the documents
	Node     *plan.Layer        // of whose columns the filter speaks; may be nil without filter
	filter   []expr.Expr
	at       int // next of Selected
}

// Next returns the documents of the next window that has some.
func (s *StoredDocuments) Next(ctx context.Context) ([]*text.Document, error) {
	for s.at < len(s.Selected) {
		if err := turn.Err(ctx); err != nil {
			return nil, err
		}
		docs, err := s.R.Snapshot.Documents(ctx, s.Corpus, s.Selected[s.at], s.Want)
		if err != nil {
			return nil, err
		}
		s.at++
		docs, err = s.R.filterDocuments(docs, s.filter, s.Node)
		docs = s.R.filterDynamically(docs, s.Node)
		if err != nil || len(docs) > 0 {
			return docs, err
		}
	}
	return nil, nil
}

func (s *StoredDocuments) close() error { return nil }

// ReadDocuments reads the documents of a corpus that meet conditions over the columns of n: what n needs of them, and
// what want asks besides.
func (r *Execution) ReadDocuments(n *plan.Layer, conds []expr.Expr, want documents.Want) (*StoredDocuments, error) {
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

// OrderedDocuments reads documents of a corpus in the order of a list of ids. Ids that no document has are left out.
type OrderedDocuments struct {
	R      *Execution
	Corpus *catalog.Object
	Want   documents.Want // what is read of a document
	IDs    []value.Value  // the rest of the list
}

// orderedStep is how many documents are read at once.
const orderedStep = 512

// Next returns the next documents of the list.
func (s *OrderedDocuments) Next(ctx context.Context) ([]*text.Document, error) {
	for len(s.IDs) > 0 {
		step := s.IDs[:min(orderedStep, len(s.IDs))]
		s.IDs = s.IDs[len(step):]
		windows, err := s.R.SelectIDs(s.Corpus, step)
		if err != nil {
			return nil, err
		}
		at := make(map[string]*text.Document, len(step))
		for _, w := range windows {
			docs, err := s.R.Snapshot.Documents(ctx, s.Corpus, w, s.Want)
			if err != nil {
				return nil, err
			}
			for _, d := range docs {
				at[d.ID] = d
			}
		}
		out := make([]*text.Document, 0, len(step))
		for _, id := range step {
			if d := at[id.S]; d != nil {
				out = append(out, d)
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	return nil, nil
}

func (s *OrderedDocuments) close() error { return nil }
