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
	r      *Execution
	parts  []part
	texts  *learnt // what is learned from; nil for what is not
	tables map[string]*inputTable
	order  []*inputTable // as the schema names them
}

// part is the documents of one corpus under a filter, with what supplies missing layers.
type part struct {
	node  *plan.Layer
	want  storage.Want
	reads []kind.LayerUse // what the reader asks of the layers
	ann   *annotator      // nil if everything is stored
	keep  []bool          // of the documents in reading order, those that the input has; nil for all

	pass func(*text.Document) bool // documents that the input has not; nil for none

	answers foldAnswers // what stands for the annotator where models were trained without the document
}

var _ kind.Input = (*input)(nil)

// inputUse is what a statement needs of its documents: gold layers are read as they are stored, models may supply
// what is in reads.
type inputUse struct {
	reads, gold []kind.LayerUse
	group       string   // column that every corpus must have, "" for none
	fields      []string // metadata columns, which a corpus may lack
	predicted   bool     // models supply also what is stored
}

// useOf is what a model reads of documents and what it is learned from or compared with.
func useOf(s *kind.Schema, gold []kind.LayerUse, predicted bool) inputUse {
	return inputUse{reads: s.Reads, gold: gold, group: s.Group, fields: s.Fields, predicted: predicted}
}

// inputs plans the inputs of a statement; self is the model that reads them, nil in training.
func (r *Execution) inputs(list []ast.Input, using []ast.ModelRef, self *plan.ModelUse, use inputUse) (*input, error) {
	in := &input{r: r}
	for _, i := range list {
		n, err := r.Binder().Input(i, using, self, use.reads, use.predicted)
		if err != nil {
			return nil, err
		}
		if use.group != "" && n.Corpus.Column(use.group) < 0 {
			return nil, plan.Errorf(i.Pos, plan.CodeUndefinedColumn, "ALTER CORPUS "+n.Corpus.Name+" ADD COLUMN "+use.group+" …", "corpus %s has no column %s to group by", n.Corpus.Name, use.group)
		}
		p := part{node: n, want: storage.Want{IDs: true, Text: true}, reads: use.reads}
		p.wantMore([]kind.LayerUse{{Layer: "tokens", Columns: []string{}}, {Layer: "sentences"}}, nil)
		p.wantMore(use.reads, append(slices.Clone(use.fields), use.group))
		p.wantMore(use.gold, nil)
		if len(n.Models) > 0 {
			p.ann = new(annotator)
			if err := p.ann.prepare(r, n, use.reads); err != nil {
				return nil, err
			}
			for _, m := range p.ann.models {
				p.wantMore(m.schema.Reads, m.schema.DocumentFields())
			}
		}
		in.parts = append(in.parts, p)
	}
	return in, nil
}

// wantMore has layers, and those of the columns that the corpus has, read from storage.
func (p *part) wantMore(layers []kind.LayerUse, fields []string) {
	list := slices.Clone(p.want.Layers)
	for _, u := range layers {
		list = append(list, storage.LayerWant{Name: u.Layer})
	}
	p.want.Layers, p.want.Fields = uniqueLayers(list), slices.Clone(p.want.Fields)
	for _, f := range fields {
		if f != "" && p.node.Corpus.Column(f) >= 0 && !slices.Contains(p.want.Fields, f) {
			p.want.Fields = append(p.want.Fields, f)
		}
	}
}

// Count is the number of documents before filters.
func (in *input) Count() int {
	n := 0
	for _, p := range in.parts {
		if p.keep == nil {
			n += in.r.Snapshot.Count(p.node.Corpus)
		}
		for _, kept := range p.keep {
			if kept {
				n++
			}
		}
	}
	return n
}

// Done lets go of what is kept decoded of the corpora.
func (in *input) Done() {
	for _, p := range in.parts {
		in.r.Store.ForgetDecoded(p.node.Corpus)
	}
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
		if !use(docs, viewsAsRead(views, p.reads)) {
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

// predictions are documents as they are stored beside views of them with what a model predicts.
type predictions struct {
	stored, predicted []*text.Document
	parts             []int // of the input, to which the documents belong
}

// predicted hands out documents beside what a model predicts of them, all of the input at once where the model
// annotates more than one document at a time.
func (in *input) predicted(ctx context.Context, ann *annotator, use func(predictions) error) error {
	var b predictions
	hand := func() (err error) {
		if len(b.stored) == 0 {
			return nil
		}
		if b.predicted, err = ann.apply(ctx, b.predicted); err == nil {
			err = use(b)
		}
		b = predictions{}
		return err
	}
	for i := range in.parts {
		one := &input{r: in.r, parts: in.parts[i : i+1]}
		var failed error
		err := one.each(ctx, func(stored, annotated []*text.Document) bool {
			b.stored, b.predicted = append(b.stored, stored...), append(b.predicted, annotated...)
			b.parts = append(b.parts, slices.Repeat([]int{i}, len(stored))...)
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
	}
	return hand()
}

// units yields the places of the documents of each unit of a model.
func (b predictions) units(s *kind.Schema) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		at := make(map[*text.Document]int, len(b.stored))
		for i, d := range b.stored {
			at[d] = i
		}
		for _, u := range s.Units(b.stored) {
			places := make([]int, len(u))
			for k, d := range u {
				places[k] = at[d]
			}
			if !yield(places) {
				return
			}
		}
	}
}

// documents are the documents at some places, as they are stored and with what is predicted.
func (b predictions) documents(places []int) (stored, predicted []*text.Document) {
	for _, i := range places {
		stored, predicted = append(stored, b.stored[i]), append(predicted, b.predicted[i])
	}
	return stored, predicted
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

// stored hands out documents with their texts and some layers as they are stored.
func (in *input) stored(ctx context.Context, layers []storage.LayerWant, use func(*text.Document)) error {
	for _, p := range in.parts {
		src, err := in.r.storedDocuments(p.node, p.node.DocFilter, storage.Want{IDs: true, Text: true, Layers: layers})
		if err != nil {
			return err
		}
		for {
			docs, err := src.next(ctx)
			if err != nil {
				return err
			}
			if docs == nil {
				break
			}
			for _, d := range docs {
				use(d)
			}
		}
	}
	return nil
}
