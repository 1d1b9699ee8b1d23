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
	"parlance/storage"
)

// Input is the documents that a model learns from or is scored on, one corpus after the other; or
// tables, and no documents.
type Input struct {
	R      *exec.Execution
	Parts  []Part
	Texts  *Learnt // what is learned from; nil for what is not
	Tables map[string]*InputTable
	Order  []*InputTable // as the schema names them
}

// Part is the documents of one corpus under a filter, with what supplies missing layers.
type Part struct {
	Node  *plan.Layer
	Want  storage.Want
	Reads []kind.LayerUse     // what the reader asks of the layers
	Ann   *annotate.Annotator // nil if everything is stored
	Keep  []bool              // of the documents in reading order, those that the input has; nil for all

	Pass func(*text.Document) bool // documents that the input has not; nil for none

	Answers FoldAnswers // what stands for the annotator where models were trained without the document
}

var _ kind.Input = (*Input)(nil)

// InputUse is what a statement needs of its documents: gold layers are read as they are stored, models may supply
// what is in reads.
type InputUse struct {
	reads, Gold []kind.LayerUse
	Group       string   // column that every corpus must have, "" for none
	fields      []string // metadata columns, which a corpus may lack
	predicted   bool     // models supply also what is stored
}

// UseOf is what a model reads of documents and what it is learned from or compared with.
func UseOf(s *kind.Schema, gold []kind.LayerUse, predicted bool) InputUse {
	return InputUse{reads: s.Reads, Gold: gold, Group: s.Group, fields: s.Fields, predicted: predicted}
}

// Inputs plans the inputs of a statement; self is the model that reads them, nil in training.
func Inputs(r *exec.Execution, list []ast.Input, using []ast.ModelRef, self *plan.ModelUse, use InputUse) (*Input, error) {
	in := &Input{R: r}
	for _, i := range list {
		n, err := r.Binder().Input(i, using, self, use.reads, use.predicted)
		if err != nil {
			return nil, err
		}
		if use.Group != "" && n.Corpus.Column(use.Group) < 0 {
			return nil, plan.Errorf(i.Pos, plan.CodeUndefinedColumn, "ALTER CORPUS "+n.Corpus.Name+" ADD COLUMN "+use.Group+" …", "corpus %s has no column %s to group by", n.Corpus.Name, use.Group)
		}
		p := Part{Node: n, Want: storage.Want{IDs: true, Text: true}, Reads: use.reads}
		p.WantMore([]kind.LayerUse{{Layer: "tokens", Columns: []string{}}, {Layer: "sentences"}}, nil)
		p.WantMore(use.reads, append(slices.Clone(use.fields), use.Group))
		p.WantMore(use.Gold, nil)
		if len(n.Models) > 0 {
			var err error
			if p.Ann, err = r.Annotator(n, use.reads); err != nil {
				return nil, err
			}
			for _, m := range p.Ann.Models {
				p.WantMore(m.Schema.Reads, m.Schema.DocumentFields())
			}
		}
		in.Parts = append(in.Parts, p)
	}
	return in, nil
}

// WantMore has layers, and those of the columns that the corpus has, read from storage.
func (p *Part) WantMore(layers []kind.LayerUse, fields []string) {
	list := slices.Clone(p.Want.Layers)
	for _, u := range layers {
		list = append(list, storage.LayerWant{Name: u.Layer})
	}
	p.Want.Layers, p.Want.Fields = exec.UniqueLayers(list), slices.Clone(p.Want.Fields)
	for _, f := range fields {
		if f != "" && p.Node.Corpus.Column(f) >= 0 && !slices.Contains(p.Want.Fields, f) {
			p.Want.Fields = append(p.Want.Fields, f)
		}
	}
}

// Count is the number of documents before filters.
func (in *Input) Count() int {
	n := 0
	for _, p := range in.Parts {
		if p.Keep == nil {
			n += in.R.Snapshot.Count(p.Node.Corpus)
		}
		for _, kept := range p.Keep {
			if kept {
				n++
			}
		}
	}
	return n
}

// Done lets go of what is kept decoded of the corpora.
func (in *Input) Done() {
	for _, p := range in.Parts {
		in.R.Store.ForgetDecoded(p.Node.Corpus)
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

// Each hands out documents as they are stored beside their annotated views.
func (in *Input) Each(ctx context.Context, use func(stored, annotated []*text.Document) bool) error {
	use, sampled := in.Texts.pass(use)
	for _, p := range in.Parts {
		src, err := in.R.ReadDocuments(p.Node, p.Node.DocFilter, p.Want)
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
func (p Part) each(ctx context.Context, src exec.DocumentSource, use func(stored, annotated []*text.Document) bool) (bool, error) {
	var pending []*text.Document
	var places []int // of the documents in reading order
	read := 0
	for {
		docs, err := src.Next(ctx)
		if err != nil {
			return false, err
		}
		if n := len(docs); docs != nil {
			docs, places = p.kept(docs, read, places[:0])
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
		} else if p.Answers != nil {
			views, err = p.Answers.views(docs, places)
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

// kept returns those of the documents from a place on that the input has, and their places.
func (p Part) kept(docs []*text.Document, read int, places []int) ([]*text.Document, []int) {
	out := docs
	if p.Keep != nil {
		out = make([]*text.Document, 0, len(docs))
	}
	for i, d := range docs {
		if p.Keep == nil {
			places = append(places, read+i)
		} else if p.Keep[read+i] {
			out, places = append(out, d), append(places, read+i)
		}
	}
	if p.Pass != nil {
		out = slices.DeleteFunc(slices.Clone(out), p.Pass)
	}
	return out, places
}

// Predictions are documents as they are stored beside views of them with what a model predicts.
type Predictions struct {
	Stored, Predicted []*text.Document
	Parts             []int // of the input, to which the documents belong
}

// Predicted hands out documents beside what a model predicts of them, all of the input at once where the model
// annotates more than one document at a time.
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

// Units yields the places of the documents of each unit of a model.
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

// Documents are the documents at some places, as they are stored and with what is predicted.
func (b Predictions) Documents(places []int) (stored, predicted []*text.Document) {
	for _, i := range places {
		stored, predicted = append(stored, b.Stored[i]), append(predicted, b.Predicted[i])
	}
	return stored, predicted
}

// Models lists what annotates the inputs, for lineage.
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

// Stored hands out documents with their texts and some layers as they are stored.
func (in *Input) Stored(ctx context.Context, layers []storage.LayerWant, use func(*text.Document)) error {
	for _, p := range in.Parts {
		src, err := in.R.ReadDocuments(p.Node, p.Node.DocFilter, storage.Want{IDs: true, Text: true, Layers: layers})
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
