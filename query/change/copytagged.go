package change

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/foreign"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/format/codec"
	"parlance/storage/format/learner"
)

// setTagger gives a format whose options name a model what the model reads.
func setTagger(r *exec.Execution, ctx context.Context, s *ast.CopyTo, configured codec.Codec) error {
	name, needed := learner.ModelOf(configured)
	if !needed {
		return nil
	}
	at := optarg.Position(s.With, "model", s.Pos)
	if name == "" {
		return plan.Errorf(at, plan.CodeInvalid, "WITH (model = ner)",
			"FORMAT %s writes the columns that a model reads: none is named", s.Format)
	}
	name, version, _ := strings.Cut(name, "@")
	v, err := r.Resolve(ast.ModelRef{Pos: at, Name: name, Version: version})
	if err != nil {
		return err
	}
	l, err := r.Fetch(v.Name, v.Version)
	if err != nil {
		return err
	}
	data, err := foreign.DataOf(l.Model)
	var refused *foreign.Refusal
	if errors.As(err, &refused) {
		return plan.Errorf(at, plan.CodeWrongKind, refused.Hint, "data for %s@%d cannot be written as %s: %s", v.Name,
			v.Version, s.Format, refused.Msg)
	}
	if err != nil {
		return err
	}
	if err := stored(r, s, at, data.Set); err != nil {
		return err
	}
	cells, err := feature.NewCells(data.Set, r.Resources(v.Upstream...))
	if err != nil {
		return fault.Invalid("%v", err)
	}
	learner.SetTagger(configured, learner.TaggedBy{Label: data.Label, Scheme: data.Scheme,
		Cells: func(d *text.Document) ([][]string, error) {
			if len(s.Using) > 0 {
				if err := has(d, data.Set); err != nil {
					return nil, err
				}
			}
			columns, err := cells.Document(ctx, d)
			return foreign.Cells(columns), err
		}})
	return nil
}

// has reports columns of tokens that features read and a document has not.
func has(d *text.Document, set *feature.Set) error {
	toks := d.Layer(text.Tokens.Name)
	for _, column := range set.Columns() {
		if toks.N > 0 && toks.Strs(column) == nil {
			return fmt.Errorf("the features read tokens.%s, which document %s has not", column, d.ID)
		}
	}
	return nil
}

// stored reports columns of tokens that features read and a corpus does not store. Models of USING may write them.
func stored(r *exec.Execution, s *ast.CopyTo, at ast.Pos, set *feature.Set) error {
	if s.Select != nil || len(s.Using) > 0 {
		return nil
	}
	o, err := Target(r, s.From)
	if err != nil || o.Kind != catalog.CorpusObject {
		return err
	}
	tokens := r.StoredLayer(o, text.Tokens.Name)
	for _, column := range set.Columns() {
		if tokens == nil || !tokens.Has(column) {
			return plan.Errorf(at, plan.CodeState, "COPY "+o.Name+" USING a model that writes it",
				"the features read tokens.%s, which %s does not store", column, o.Name)
		}
	}
	return nil
}
