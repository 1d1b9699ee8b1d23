package exec

import (
	"context"

	"parlance/algo/text"
	"parlance/query/document"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// adhocTexts makes documents of texts that the statement gives.
type adhocTexts struct {
	r       *Execution
	n       *plan.Layer
	rows    operator.Operator // of a select: texts, and ids if it has two columns; nil for one text
	done    bool
	list    [1]*text.Document
	scratch *document.Scratch // for one text
}

// Next returns the document of the one text, or those of the next batch of the select.
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

// document makes a document of a text; its id may be NULL.
func (a *adhocTexts) document(c *document.Scratch, id, content value.Value) (*text.Document, error) {
	return a.r.Documents.MakeIn(a.r.Env.Ctx, c, id.String(), content.String(), a.n.Tokenizer)
}

func (a *adhocTexts) close() error {
	if a.rows != nil {
		return a.rows.Close()
	}
	return nil
}
