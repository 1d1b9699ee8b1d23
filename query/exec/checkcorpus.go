package exec

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/check"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// CheckFunction is check(corpus), the rows of CHECK CORPUS as a table; the last column says how many findings a row
// stands for.
var CheckFunction = corpusFunction{
	plan.CorpusFunction{Name: "check", Doc: "what CHECK CORPUS finds; findings is 1, or how many the last row of a rule counts",
		Columns: Columns("severity rule document place message findings:int")},
	func() *option.Set { _, set := NewCheckOptions(); return set },
	func(r *Execution, n *plan.Relation, _ []value.Value) (operator.Operator, error) {
		return r.CheckCorpus(n)
	},
}

func NewCheckOptions() (*check.Options, *option.Set) {
	o, set := &check.Options{}, &option.Set{}
	o.Declare(set)
	return o, set
}

// CheckCorpus reads the options and opens the rows.
func (r *Execution) CheckCorpus(n *plan.Relation) (operator.Operator, error) {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	o, set := NewCheckOptions()
	if err := set.Apply(args); err != nil {
		return nil, optarg.Placed(err, n.Options)
	}
	if given(args, "split") && n.Corpus.Column(o.Split) < 0 {
		return nil, optarg.Placed(option.Faults{{Name: "split", Msg: fmt.Sprintf("corpus %s has no column %s", n.Corpus.Name, o.Split), Hint: "it has " + OrText(TypedColumns(n.Corpus), "none")}}, n.Options)
	}
	if o.Layer != "" && r.storedLayer(n.Corpus, o.Layer) == nil {
		return nil, optarg.Placed(option.Faults{{Name: "layer", Msg: fmt.Sprintf("corpus %s stores no layer %s", n.Corpus.Name, o.Layer), Hint: "it stores " + r.storedLayers(n.Corpus)}}, n.Options)
	}
	return &computed{columns: n.Columns(), rows: func(ctx context.Context) ([][]value.Value, error) {
		rows, err := r.findings(ctx, n.Corpus, *o)
		for i := range rows {
			rows[i] = rows[i][:len(n.Columns())]
		}
		return rows, err
	}}, nil
}

func (r *Execution) storedLayers(o *storage.Object) string {
	var names []string
	for _, l := range r.Snapshot.LayerDefs(o) {
		names = append(names, l.Name)
	}
	return OrText(strings.Join(names, ", "), "none")
}

// findings checks the file and, if it is sound, the documents.
func (r *Execution) findings(ctx context.Context, corpus *storage.Object, o check.Options) ([][]value.Value, error) {
	c := check.New(o, r.Snapshot.Count(corpus))
	if c.Wants(check.Storage) {
		if r.Session.Transaction != nil { // it would wait for itself
			return nil, &ast.Error{Code: "25001", Hint: "COMMIT first", Msg: "the file cannot be checked inside a transaction that has changed something"}
		}
		if err := r.Store.CheckCorpus(ctx, []*storage.Object{corpus}, c.Damage); err != nil && c.Total(check.Storage) == 0 {
			return nil, err
		}
	}
	if c.Total(check.Storage) == 0 {
		if err := r.checkDocuments(ctx, c, corpus); err != nil {
			return nil, err
		}
	}
	var rows [][]value.Value
	for _, f := range c.Findings() {
		rows = append(rows, []value.Value{value.Str(string(f.Severity)), value.Str(f.Rule), Optional(f.Document), Optional(f.Place),
			value.Str(f.Message), value.Int(int64(f.Count))})
	}
	return rows, nil
}

// checkDocuments passes the documents of a corpus by as often as the checker asks.
func (r *Execution) checkDocuments(ctx context.Context, c *check.Checker, corpus *storage.Object) error {
	want := storage.Want{IDs: true, Text: true, Layers: []storage.LayerWant{{Name: "sentences"}, {Name: "tokens"}}}
	for _, l := range r.Snapshot.LayerDefs(corpus) {
		if l.Name == c.Layer || l.Model == "" && c.Layer == "" {
			want.Layers = append(want.Layers, storage.LayerWant{Name: l.Name})
		}
	}
	want.Layers = uniqueLayers(want.Layers)
	split := corpus.Column(c.Split) >= 0
	if split {
		want.Fields = []string{c.Split}
	}
	c.ID = r.documentID(ctx, corpus)
	for more := true; more; more = c.Next() {
		src := &stored{r: r, corpus: corpus, want: want, ids: r.everything(corpus)}
		for {
			docs, err := src.next(ctx)
			if err != nil {
				return err
			}
			if docs == nil {
				break
			}
			for _, d := range docs {
				in := ""
				if split {
					in = d.Field(c.Split).String()
				}
				c.Add(d, in)
			}
		}
	}
	return nil
}

// documentID names documents of a corpus by their sequence numbers.
func (r *Execution) documentID(ctx context.Context, corpus *storage.Object) func(uint64) string {
	return func(seq uint64) string {
		d, err := r.Snapshot.Document(ctx, corpus, seq, storage.Want{IDs: true})
		if err != nil {
			return fmt.Sprintf("number %d", seq)
		}
		return d.ID
	}
}
