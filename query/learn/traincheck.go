package learn

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/check"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/input"
	"parlance/storage/documents"
)

// trainRules are the rules that TRAIN checks on its inputs. They cost little compared with a training, and find what
// would spoil the model or its score.
var trainRules = []string{"empty-document", "split-duplicate", "label-missing-in-train", "label-rare"}

// treeRules are checked too if trees are learned.
var treeRules = []string{"tree-roots", "tree-cycle"}

// The names of the inputs in findings.
const (
	onSplit       = "ON"
	validateSplit = "VALIDATE"
)

// warn gives a notice for each rule that the inputs violate, with the first finding.
func (t *training) warn(ctx context.Context) error {
	t.warnOptions()
	o := check.Options{}
	o.Declare(&option.Set{})
	o.Rules, o.Limit, o.Train = trainRules, 1, onSplit
	for _, u := range t.schema.Learns {
		if u.Layer == "dependencies" {
			o.Rules = append(append([]string{}, trainRules...), treeRules...)
		}
	}
	inputs := t.allInputs()
	documents := 0
	for _, in := range inputs {
		documents += in.Count()
	}
	c := check.New(o, documents)
	c.Learns, c.ID = t.learnsColumn, t.documentID(ctx)
	for more := true; more; more = c.Next() {
		for _, in := range inputs {
			split := onSplit
			if in == t.valid {
				split = validateSplit
			}
			if err := checkInput(in, ctx, c, split, t.checkedLayers()); err != nil {
				return err
			}
		}
	}
	for _, f := range c.Findings() {
		if f.Document != "" {
			t.r.Session.Notice(t.warning(f, c.Total(f.Rule)))
		}
	}
	return t.warnKnown(ctx)
}

// warnOptions gives a notice for each option that has no effect without VALIDATE. It is no error, since the statement
// of a model that TUNE … FOLDS has found may have them.
func (t *training) warnOptions() {
	for _, o := range t.stmt.With {
		if d := t.set.Lookup(o.Name); d != nil && d.HeldOut && d.Value() != d.Default && t.valid == nil {
			t.r.Session.Notice(fmt.Sprintf("%s = %s has no effect without VALIDATE ON", d.Name, d.Value()))
		}
	}
}

// warning is the text of a notice.
func (t *training) warning(f check.Finding, total int) string {
	s := fmt.Sprintf("%s, document %s", f.Rule, f.Document)
	if f.Place != "" {
		s += ", " + f.Place
	}
	s += ": " + f.Message
	if total > 1 {
		s += fmt.Sprintf("; %d findings of this sort", total)
	}
	return s + "; CHECK CORPUS " + t.stmt.On[0].Name + " tells more"
}

// learnsColumn reports whether the kind learns a column.
func (t *training) learnsColumn(layer, column string) bool {
	for _, u := range t.schema.Learns {
		if u.Layer == layer && (u.Columns == nil || slices.Contains(u.Columns, column)) {
			return true
		}
	}
	return false
}

// checkedLayers are the layers that the checks read besides the texts.
func (t *training) checkedLayers() []documents.LayerWant {
	tokens, trees := documents.LayerWant{Name: "tokens", Columns: []string{}}, false
	want := []documents.LayerWant{}
	for _, u := range t.schema.Learns {
		switch {
		case u.Layer == "tokens":
			tokens.Columns = append(tokens.Columns, u.Columns...)
		case u.Layer == "dependencies":
			trees = true
		case u.Columns == nil:
			want = append(want, documents.LayerWant{Name: u.Layer, Columns: []string{"label"}})
		default:
			want = append(want, documents.LayerWant{Name: u.Layer, Columns: u.Columns})
		}
	}
	if trees {
		tokens.Columns = append(tokens.Columns, "sent", "tok")
		want = append(want, documents.LayerWant{Name: "dependencies"})
	}
	return append(want, tokens)
}

// checkInput hands the stored documents of an input to the checker, without predictions.
func checkInput(in *input.Input, ctx context.Context, c *check.Checker, split string,
	layers []documents.LayerWant) error {
	return in.Stored(ctx, layers, func(d *text.Document) { c.Add(d, split) })
}

// documentID returns a function that finds the id of a document of any input by its sequence number.
func (t *training) documentID(ctx context.Context) func(uint64) string {
	return func(seq uint64) string {
		for _, in := range t.allInputs() {
			for _, p := range in.Parts {
				if d, err := t.r.Snapshot.Document(ctx, p.Node.Corpus, seq, documents.Want{IDs: true}); err == nil {
					return d.ID
				}
			}
		}
		return fmt.Sprintf("number %d", seq)
	}
}
