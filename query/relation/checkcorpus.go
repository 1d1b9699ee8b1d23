package relation

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"parlance/algo/check"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// CheckFunction is check(corpus), the rows of CHECK CORPUS as a table. Its last column is the number of findings that a
// row stands for.
var CheckFunction = corpusFunction{
	bind.CorpusFunction{Name: "check",
		Doc:     "what CHECK CORPUS finds; findings is 1, or how many the last row of a rule counts",
		Columns: exec.Columns("severity rule document place message findings:int")},
	func() *option.Set { _, set := NewCheckOptions(); return set },
	func(r *exec.Execution, n *plan.Relation, _ []value.Value) (operator.Operator, error) {
		return CheckCorpus(r, n)
	},
}

func NewCheckOptions() (*check.Options, *option.Set) {
	o, set := &check.Options{}, &option.Set{}
	o.Declare(set)
	return o, set
}

// CheckCorpus opens check(corpus) with its options.
func CheckCorpus(r *exec.Execution, n *plan.Relation) (operator.Operator, error) {
	args, err := optarg.Args(n.Options, r.Env)
	if err != nil {
		return nil, err
	}
	o, set := NewCheckOptions()
	if err := set.Apply(args); err != nil {
		return nil, optarg.AtOption(err, n.Options)
	}
	if exec.Given(args, "split") && n.Corpus.Column(o.Split) < 0 {
		return nil, optarg.AtOption(
			option.Faults{{Name: "split", Msg: fmt.Sprintf("corpus %s has no column %s", n.Corpus.Name, o.Split),
				Hint: "it has " + cmp.Or(exec.TypedColumns(n.Corpus), "none")}}, n.Options)
	}
	if o.Layer != "" && r.StoredLayer(n.Corpus, o.Layer) == nil {
		return nil, optarg.AtOption(
			option.Faults{{Name: "layer", Msg: fmt.Sprintf("corpus %s stores no layer %s", n.Corpus.Name, o.Layer),
				Hint: "it stores " + storedLayers(r, n.Corpus)}}, n.Options)
	}
	return &lazyRows{columns: n.Columns(), rows: func(ctx context.Context) ([][]value.Value, error) {
		rows, err := findings(r, ctx, n.Corpus, *o)
		for i := range rows {
			rows[i] = rows[i][:len(n.Columns())]
		}
		return rows, err
	}}, nil
}

func storedLayers(r *exec.Execution, o *catalog.Object) string {
	var names []string
	for _, l := range r.Snapshot.LayerDefs(o) {
		names = append(names, l.Name)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// findings checks the blocks of the corpus in the file and, if none is damaged, its documents.
func findings(r *exec.Execution, ctx context.Context, corpus *catalog.Object,
	o check.Options) ([][]value.Value, error) {
	c := check.New(o, r.Snapshot.Count(corpus))
	if c.Wants(check.Storage) {
		if r.Session.Transaction != nil { // the check would wait for its own transaction
			return nil, &ast.Error{Code: "25001", Hint: "COMMIT first",
				Msg: "the file cannot be checked inside a transaction that has changed something"}
		}
		if err := r.Store.CheckCorpus(ctx, []*catalog.Object{corpus}, c.Damage); err != nil && c.Total(check.Storage) == 0 {
			return nil, err
		}
	}
	if c.Total(check.Storage) == 0 {
		if err := checkDocuments(r, ctx, c, corpus); err != nil {
			return nil, err
		}
	}
	var rows [][]value.Value
	for _, f := range c.Findings() {
		rows = append(rows, []value.Value{value.Str(string(f.Severity)), value.Str(f.Rule), exec.TextOrNull(f.Document),
			exec.TextOrNull(f.Place),
			value.Str(f.Message), value.Int(int64(f.Count))})
	}
	return rows, nil
}

// checkDocuments hands the documents of a corpus to the checker, in as many passes as it needs.
func checkDocuments(r *exec.Execution, ctx context.Context, c *check.Checker, corpus *catalog.Object) error {
	want := documents.Want{IDs: true, Text: true, Layers: []documents.LayerWant{{Name: "sentences"}, {Name: "tokens"}}}
	for _, l := range r.Snapshot.LayerDefs(corpus) {
		if l.Name == c.Layer || l.Model == "" && c.Layer == "" {
			want.Layers = append(want.Layers, documents.LayerWant{Name: l.Name})
		}
	}
	want.Layers = exec.UniqueLayers(want.Layers)
	split := corpus.Column(c.Split) >= 0
	if split {
		want.Fields = []string{c.Split}
	}
	c.ID = documentID(r, ctx, corpus)
	for more := true; more; more = c.Next() {
		src := &exec.StoredDocuments{R: r, Corpus: corpus, Want: want, Selected: r.SelectAll(corpus)}
		for {
			docs, err := src.Next(ctx)
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

// documentID returns a function that finds the id of a document by its sequence number.
func documentID(r *exec.Execution, ctx context.Context, corpus *catalog.Object) func(uint64) string {
	return func(seq uint64) string {
		d, err := r.Snapshot.Document(ctx, corpus, seq, documents.Want{IDs: true})
		if err != nil {
			return fmt.Sprintf("number %d", seq)
		}
		return d.ID
	}
}
