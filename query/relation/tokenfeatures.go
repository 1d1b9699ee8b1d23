package relation

import (
	"context"
	"slices"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// tokenFunction is token_features(corpus, doc), the features of a set over tokens or documents for stored documents.
var tokenFunction = corpusFunction{
	bind.CorpusFunction{Name: "token_features",
		Doc: "what a feature set makes of the tokens of stored documents, or of the documents, by the layers that are " +
			"stored, as training reads them",
		Args:    []kind.Arg{{Name: "document", Type: value.Text, Optional: true, Doc: "its id; without it all"}},
		Columns: exec.Columns("doc sent:int tok:int form feature value:float")},
	func() *option.Set { return &newTokenOptions().Set },
	func(r *exec.Execution, n *plan.Relation, args []value.Value) (operator.Operator, error) {
		return tokenFeatures(r, n, args)
	},
}

// newTokenOptions are the options of token_features.
func newTokenOptions() *placeOptions {
	o := &placeOptions{}
	o.Set.Features(&o.sets, "set", "ner", "feature set or templates")
	return o
}

// tokenFeatures opens token_features(corpus, document).
func tokenFeatures(r *exec.Execution, n *plan.Relation, values []value.Value) (operator.Operator, error) {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	o := newTokenOptions()
	if err := o.Set.Apply(args); err != nil {
		return nil, optarg.AtOption(err, n.Options)
	}
	at := optarg.Position(n.Options, "set", n.Pos)
	set, err := featureSet(r, o.sets)
	if err != nil {
		return nil, fault.At(at, err)
	}
	want := documents.Want{IDs: true, Text: true, Layers: []documents.LayerWant{{Name: "sentences"}, {Name: "tokens"}}}
	tokens := r.StoredLayer(n.Corpus, "tokens")
	for _, column := range set.Columns() {
		if tokens == nil || !tokens.Has(column) {
			return nil, plan.Errorf(at, plan.CodeState, "load it, or ANNOTATE "+n.Corpus.Name,
				"the features read tokens.%s, which %s does not store", column, n.Corpus.Name)
		}
	}
	rows := &storedFeatures{r: r, columns: n.Columns(), set: set,
		src: &exec.StoredDocuments{R: r, Corpus: n.Corpus, Want: want, Selected: r.SelectAll(n.Corpus)}}
	if values[0].IsNull() {
		return rows, nil
	}
	seq, ok, err := r.Snapshot.Find(n.Corpus, values[0].S)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.At(n.Pos, fault.New("02000", "%s has no document %s", n.Corpus.Name, values[0].S))
	}
	d, err := r.Snapshot.Document(r.Env.Ctx, n.Corpus, seq, want)
	rows.src, rows.docs = nil, []*text.Document{d}
	return rows, err
}

// storedFeatures lists the features of documents, one after the other.
type storedFeatures struct {
	r       *exec.Execution
	columns []plan.Column
	set     *feature.Set
	src     *exec.StoredDocuments // nil for none
	docs    []*text.Document
	scan    *featureScan
	id      value.Value // of the document of scan
}

func (s *storedFeatures) Next(ctx context.Context) (*value.Batch, error) {
	for {
		if s.scan != nil {
			b, err := s.scan.Next(ctx)
			if err != nil {
				return nil, err
			}
			if b != nil {
				b.Cols = slices.Insert(b.Cols, 0, value.Repeat(value.Text, s.id, b.N))
				return b, nil
			}
			s.scan = nil
		}
		if len(s.docs) == 0 && s.src != nil {
			docs, err := s.src.Next(ctx)
			if err != nil {
				return nil, err
			}
			s.docs = docs
		}
		if len(s.docs) == 0 {
			return nil, nil
		}
		d := s.docs[0]
		s.docs = s.docs[1:]
		s.id, s.scan = value.Str(d.ID), newFeatureScan(s.r, s.columns[1:], s.set, d)
	}
}

func (s *storedFeatures) Close() error { return nil }
