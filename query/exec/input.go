package exec

import (
	"context"
	"iter"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
)

// input is the documents that a model learns from or is scored on, one corpus after the other; or
// tables, and no documents.
type input struct {
	r      *run
	parts  []part
	texts  *learnt // what is learned from; nil for what is not
	tables map[string]*inputTable
	order  []*inputTable // as the schema names them
}

// part is the documents of one corpus under a filter, with what supplies missing layers.
type part struct {
	node *plan.Layer
	want storage.Want
	ann  *annotator // nil if everything is stored
	keep []bool     // of the documents in reading order, those that the input has; nil for all

	pass func(*text.Document) bool // documents that the input has not; nil for none

	answers foldAnswers // what stands for the annotator where models were trained without the document
}

var _ kind.Input = (*input)(nil)

// inputs plans the inputs of a statement. gold names the layers that are read as they are
// stored, reads those that models may supply.
func (r *run) inputs(list []ast.Input, using []ast.ModelRef, self *plan.ModelUse, reads, gold []kind.LayerUse, group string, predicted bool) (*input, error) {
	in := &input{r: r}
	for _, i := range list {
		n, err := r.binder().Input(i, using, self, reads, predicted)
		if err != nil {
			return nil, err
		}
		p := part{node: n, want: storage.Want{IDs: true, Text: true}}
		if group != "" {
			if n.Corpus.Column(group) < 0 {
				return nil, plan.Errorf(i.Pos, plan.CodeUndefinedColumn, "ALTER CORPUS "+n.Corpus.Name+" ADD COLUMN "+group+" …", "corpus %s has no column %s to group by", n.Corpus.Name, group)
			}
			p.want.Fields = append(p.want.Fields, group)
		}
		for _, u := range append(append([]kind.LayerUse{{Layer: "tokens", Columns: []string{}}, {Layer: "sentences"}}, reads...), gold...) {
			p.want.Layers = append(p.want.Layers, storage.LayerWant{Name: u.Layer})
		}
		if len(n.Models) > 0 {
			if p.ann, err = r.annotators(n); err != nil {
				return nil, err
			}
			for _, m := range p.ann.models {
				for _, u := range m.schema.Reads {
					p.want.Layers = append(p.want.Layers, storage.LayerWant{Name: u.Layer})
				}
			}
		}
		p.want.Layers = uniqueLayers(p.want.Layers)
		in.parts = append(in.parts, p)
	}
	return in, nil
}

// Count is the number of documents before filters.
func (in *input) Count() int {
	n := 0
	for _, p := range in.parts {
		if p.keep == nil {
			n += in.r.snap.Count(p.node.Corpus)
		}
		for _, kept := range p.keep {
			if kept {
				n++
			}
		}
	}
	return n
}

// Documents yields the documents as models see them.
func (in *input) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		err := in.each(ctx, func(_, docs []*text.Document) bool {
			for _, d := range docs {
				if !yield(d, nil) {
					return false
				}
			}
			return true
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// each hands out documents as they are stored beside their annotated views.
func (in *input) each(ctx context.Context, use func(stored, annotated []*text.Document) bool) error {
	use, sampled := in.texts.pass(use)
	for _, p := range in.parts {
		src, err := in.r.storedDocuments(p.node, p.node.DocFilter, p.want)
		if err != nil {
			return err
		}
		more, err := p.each(ctx, src, use)
		if err != nil || !more {
			return err
		}
	}
	sampled()
	return nil
}

// each gathers all documents first where a model annotates more than one at once.
func (p part) each(ctx context.Context, src source, use func(stored, annotated []*text.Document) bool) (bool, error) {
	var pending []*text.Document
	var places []int // of the documents in reading order
	read := 0
	for {
		docs, err := src.next(ctx)
		if err != nil {
			return false, err
		}
		if n := len(docs); docs != nil {
			docs, places = p.kept(docs, read, places[:0])
			if read += n; len(docs) == 0 {
				continue
			}
		}
		whole := p.ann != nil && p.ann.whole()
		if whole && docs != nil {
			pending = append(pending, docs...)
			continue
		}
		if docs == nil {
			docs, pending = pending, nil
			if len(docs) == 0 {
				return true, nil
			}
		}
		views := docs
		if p.ann != nil {
			views, err = p.ann.apply(ctx, docs)
		} else if p.answers != nil {
			views, err = p.answers.views(docs, places)
		}
		if err != nil {
			return false, err
		}
		if !use(docs, views) {
			return false, nil
		}
		if whole {
			return true, nil
		}
	}
}

// kept returns those of the documents from a place on that the input has, and their places.
func (p part) kept(docs []*text.Document, read int, places []int) ([]*text.Document, []int) {
	out := docs
	if p.keep != nil {
		out = make([]*text.Document, 0, len(docs))
	}
	for i, d := range docs {
		if p.keep == nil {
			places = append(places, read+i)
		} else if p.keep[read+i] {
			out, places = append(out, d), append(places, read+i)
		}
	}
	if p.pass != nil {
		out = slices.DeleteFunc(slices.Clone(out), p.pass)
	}
	return out, places
}

// predicted hands out documents beside views of them with what a model predicts, those of a
// corpus at once where the model annotates more than one document at a time.
func (in *input) predicted(ctx context.Context, ann *annotator, use func(stored, predicted []*text.Document) error) error {
	for i := range in.parts {
		one := &input{r: in.r, parts: in.parts[i : i+1]}
		if err := one.predictedPart(ctx, ann, use); err != nil {
			return err
		}
	}
	return nil
}

func (in *input) predictedPart(ctx context.Context, ann *annotator, use func(stored, predicted []*text.Document) error) error {
	var docs, views []*text.Document
	hand := func() error {
		if len(docs) == 0 {
			return nil
		}
		found, err := ann.apply(ctx, views)
		if err == nil {
			err = use(docs, found)
		}
		docs, views = nil, nil
		return err
	}
	var failed error
	err := in.each(ctx, func(stored, annotated []*text.Document) bool {
		docs, views = append(docs, stored...), append(views, annotated...)
		if !ann.whole() {
			failed = hand()
		}
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	return hand()
}

// models lists what annotates the inputs, for lineage.
func (in *input) models() []plan.ModelUse {
	var out []plan.ModelUse
	seen := map[string]bool{}
	for _, p := range in.parts {
		for _, m := range p.node.Models {
			if !seen[m.String()] {
				seen[m.String()] = true
				out = append(out, m)
			}
		}
	}
	return out
}
