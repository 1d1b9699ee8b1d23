package input

import (
	"context"
	"iter"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/plan"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// Input are the documents that a model learns from or is scored on, one corpus after the other; or, for kinds that read
// tables, tables and no documents.
type Input struct {
	R      *exec.Execution
	Parts  []Part
	Sample *TextSample // of the texts of a training input; nil for other inputs
	Tally  *Tally      // of the documents and labels of a training input; nil for other inputs
	Tables map[string]*InputTable
	Order  []*InputTable // Tables in the order of the schema

	hashed hashes
}

// Part are the documents of one corpus that satisfy a filter, with the models that supply missing layers.
type Part struct {
	Node     *plan.Layer
	Want     documents.Want
	Reads    []kind.LayerUse     // the layers that the reader of the input reads
	Ann      *annotate.Annotator // nil if everything is stored
	Selected []bool              // by position in reading order, whether the document belongs to the input; nil for all

	Order []value.Value // ids of the documents that are read, in this order; nil for all that satisfy the filter

	Skip func(*text.Document) bool // true for documents to leave out; nil leaves out none

	Predictions FoldPredictions // used instead of Ann in jackknifed trainings
}

var _ kind.Input = (*Input)(nil)

// InputUse says what a statement reads of its documents: Gold layers are read as they are stored, those in reads may be
// supplied by models.
type InputUse struct {
	reads, Gold []kind.LayerUse
	Group       string   // column that every corpus must have, "" for none
	fields      []string // metadata columns, which a corpus may lack
	predicted   bool     // models supply the layers in reads even if they are stored
}

// UseOf is the InputUse of a model with the given gold.
func UseOf(s *kind.Schema, gold []kind.LayerUse, predicted bool) InputUse {
	return InputUse{reads: s.Reads, Gold: gold, Group: s.Group, fields: s.Fields, predicted: predicted}
}

// Inputs plans the inputs of a statement; self is the model that reads them, nil in training.
func Inputs(r *exec.Execution, list []ast.Input, using []ast.ModelRef, self *plan.ModelUse,
	use InputUse) (*Input, error) {
	in := &Input{R: r}
	for _, i := range list {
		n, err := r.Binder().Input(i, using, self, use.reads, use.predicted)
		if err != nil {
			return nil, err
		}
		if use.Group != "" && n.Corpus.Column(use.Group) < 0 {
			return nil, plan.Errorf(i.Pos, plan.CodeUndefinedColumn, "ALTER CORPUS "+n.Corpus.Name+" ADD COLUMN "+use.Group+" …",
				"corpus %s has no column %s to group by", n.Corpus.Name, use.Group)
		}
		p := Part{Node: n, Want: documents.Want{IDs: true, Text: true}, Reads: use.reads}
		p.AlsoRead([]kind.LayerUse{{Layer: "tokens", Columns: []string{}}, {Layer: "sentences"}}, nil)
		p.AlsoRead(use.reads, append(slices.Clone(use.fields), use.Group))
		p.AlsoRead(use.Gold, nil)
		if len(n.Models) > 0 {
			var err error
			if p.Ann, err = r.Annotator(n, use.reads); err != nil {
				return nil, err
			}
			for _, m := range p.Ann.Models {
				p.AlsoRead(m.Schema.Reads, m.Schema.DocumentFields())
			}
		}
		in.Parts = append(in.Parts, p)
	}
	return in, nil
}

// AlsoRead adds layers to what is read from storage, and those of the metadata columns that the corpus has.
func (p *Part) AlsoRead(layers []kind.LayerUse, fields []string) {
	list := slices.Clone(p.Want.Layers)
	for _, u := range layers {
		list = append(list, documents.LayerWant{Name: u.Layer})
	}
	p.Want.Layers, p.Want.Fields = exec.UniqueLayers(list), slices.Clone(p.Want.Fields)
	for _, f := range fields {
		if f != "" && p.Node.Corpus.Column(f) >= 0 && !slices.Contains(p.Want.Fields, f) {
			p.Want.Fields = append(p.Want.Fields, f)
		}
	}
}

// Count is the number of documents of the corpora, before filters.
func (in *Input) Count() int {
	n := 0
	for _, p := range in.Parts {
		if p.Selected == nil {
			n += in.R.Snapshot.Count(p.Node.Corpus)
		}
		for _, kept := range p.Selected {
			if kept {
				n++
			}
		}
	}
	return n
}

// Release evicts the decoded segments of the corpora from memory.
func (in *Input) Release() {
	for _, p := range in.Parts {
		in.R.Store.EvictSegments(p.Node.Corpus)
	}
}

// Documents yields the documents as models see them.
func (in *Input) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		err := in.Each(ctx, func(_, docs []*text.Document) bool {
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

// Each calls use with documents as they are stored and copies of them with the layers of models, until it returns
// false.
func (in *Input) Each(ctx context.Context, use func(stored, annotated []*text.Document) bool) error {
	use, sampled := in.Sample.pass(use)
	use, counted := in.Tally.pass(use)
	for _, p := range in.Parts {
		src, err := p.source(in.R)
		if err != nil {
			return err
		}
		more, err := p.each(ctx, src, use)
		if err != nil || !more {
			return err
		}
	}
	sampled()
	counted()
	return nil
}

// source reads the documents of a part.
func (p Part) source(r *exec.Execution) (exec.DocumentSource, error) {
	if p.Order != nil {
		return &exec.OrderedDocuments{R: r, Corpus: p.Node.Corpus, Want: p.Want, IDs: p.Order}, nil
	}
	return r.ReadDocuments(p.Node, p.Node.DocFilter, p.Want)
}

// each calls use with the documents of a part, all at once if a model annotates several documents together.
func (p Part) each(ctx context.Context, src exec.DocumentSource,
	use func(stored, annotated []*text.Document) bool) (bool, error) {
	var pending []*text.Document
	var places []int // of the documents in reading order
	read := 0
	for {
		docs, err := src.Next(ctx)
		if err != nil {
			return false, err
		}
		if n := len(docs); docs != nil {
			docs, places = p.selected(docs, read, places[:0])
			if read += n; len(docs) == 0 {
				continue
			}
		}
		whole := p.Ann != nil && p.Ann.NeedsAll()
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
		if p.Ann != nil {
			views, err = p.Ann.Apply(ctx, docs)
		} else if p.Predictions != nil {
			views, err = p.Predictions.views(docs, places)
		}
		if err != nil {
			return false, err
		}
		if !use(docs, annotate.ViewsAsRead(views, p.Reads)) {
			return false, nil
		}
		if whole {
			return true, nil
		}
	}
}

// selected returns the documents that belong to the input, and their positions; read is the position of the first one.
func (p Part) selected(docs []*text.Document, read int, places []int) ([]*text.Document, []int) {
	out := docs
	if p.Selected != nil {
		out = make([]*text.Document, 0, len(docs))
	}
	for i, d := range docs {
		if p.Selected == nil {
			places = append(places, read+i)
		} else if p.Selected[read+i] {
			out, places = append(out, d), append(places, read+i)
		}
	}
	if p.Skip != nil {
		out = slices.DeleteFunc(slices.Clone(out), p.Skip)
	}
	return out, places
}

// Predictions are documents as they are stored and copies of them with the predictions of a model.
type Predictions struct {
	Stored, Predicted []*text.Document
	Parts             []int // by document, the part of the input that it belongs to
}

// Predicted calls use with documents and the predictions of a model for them, in batches; all documents come at once if
// the model annotates several documents together.
func (in *Input) Predicted(ctx context.Context, ann *annotate.Annotator, use func(Predictions) error) error {
	var b Predictions
	hand := func() (err error) {
		if len(b.Stored) == 0 {
			return nil
		}
		if b.Predicted, err = ann.Apply(ctx, b.Predicted); err == nil {
			err = use(b)
		}
		b = Predictions{}
		return err
	}
	for i := range in.Parts {
		one := &Input{R: in.R, Parts: in.Parts[i : i+1]}
		var failed error
		err := one.Each(ctx, func(stored, annotated []*text.Document) bool {
			b.Stored, b.Predicted = append(b.Stored, stored...), append(b.Predicted, annotated...)
			b.Parts = append(b.Parts, slices.Repeat([]int{i}, len(stored))...)
			if !ann.NeedsAll() {
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

// Units yields the indexes of the documents of each unit of the model: one document, or a group annotated together.
func (b Predictions) Units(s *kind.Schema) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		at := make(map[*text.Document]int, len(b.Stored))
		for i, d := range b.Stored {
			at[d] = i
		}
		for _, u := range s.Units(b.Stored) {
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

// Documents are the documents at some indexes, as stored and as predicted.
func (b Predictions) Documents(places []int) (stored, predicted []*text.Document) {
	for _, i := range places {
		stored, predicted = append(stored, b.Stored[i]), append(predicted, b.Predicted[i])
	}
	return stored, predicted
}

// Models lists the models that annotate the inputs, for the lineage.
func (in *Input) Models() []plan.ModelUse {
	var out []plan.ModelUse
	seen := map[string]bool{}
	for _, p := range in.Parts {
		for _, m := range p.Node.Models {
			if !seen[m.String()] {
				seen[m.String()] = true
				out = append(out, m)
			}
		}
	}
	return out
}

// Stored calls use for each document, with its text and some layers as they are stored.
func (in *Input) Stored(ctx context.Context, layers []documents.LayerWant, use func(*text.Document)) error {
	for _, p := range in.Parts {
		src, err := in.R.ReadDocuments(p.Node, p.Node.DocFilter, documents.Want{IDs: true, Text: true, Layers: layers})
		if err != nil {
			return err
		}
		for {
			docs, err := src.Next(ctx)
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
