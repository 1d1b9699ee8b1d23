package change

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/draft"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// editLayer deletes rows of a stored layer, if the statement has no assignments, or assigns to their columns.
func editLayer(r *exec.Execution, ctx context.Context, o *catalog.Object, s *ast.Update) (int, *returning, error) {
	target, set := s.Table, s.Set
	n, err := storedNode(r, o, target, s.Alias)
	if err != nil {
		return 0, nil, err
	}
	if r.StoredLayer(o, target.Layer) == nil {
		return 0, nil, plan.Errorf(target.Pos, plan.CodeUndefinedTable, "", "corpus %s stores no %s", o.Name, target.Layer)
	}
	if set == nil && (target.Layer == "tokens" || target.Layer == "sentences") {
		return 0, nil, plan.Errorf(target.Pos, plan.CodeWrongKind, "UPDATE the text of the document",
			"%s cannot be deleted one by one: other layers refer to them", target.Layer)
	}
	if err := checkPlacement(n.Def, set); err != nil {
		return 0, nil, err
	}
	m, err := NewTargetScan(r, target, n, s.From, s.Where)
	if err != nil {
		return 0, nil, err
	}
	exprs, err := assign(r, set, m.node, func(c string) (value.Type, error) { return editable(n.Def, c) })
	if err != nil {
		return 0, nil, err
	}
	ret, err := newReturning(r, s.Returning, m)
	if err != nil {
		return 0, nil, err
	}
	ids, err := r.Selection(ctx, n, m.TargetConds)
	if err != nil {
		return 0, nil, err
	}
	src := &exec.StoredDocuments{R: r, Corpus: o,
		Want:     documents.Want{IDs: true, Text: true, AllFields: true, AllLayers: true},
		Selected: ids}
	put := r.Store.NewReplacement(o)
	defer put.Abort()
	total, odd := 0, &oddSpans{}
	for {
		docs, err := src.Next(ctx)
		if err != nil {
			return 0, nil, err
		}
		if docs == nil {
			err := put.Commit(ctx)
			if err == nil {
				odd.note(r)
			}
			return total, ret, err
		}
		k, edited, err := edit(r, ctx, m, docs, set, exprs, ret, odd)
		if err != nil {
			return 0, nil, fault.At(target.Pos, err)
		}
		if err := put.Add(ctx, edited); err != nil {
			return 0, nil, err
		}
		total += k
	}
}

// editable gives the type of a layer column that may be assigned.
func editable(def *text.LayerDef, c string) (value.Type, error) {
	i := def.Index(c)
	if c == "doc" {
		return 0, &ast.Error{Code: plan.CodeWrongKind, Msg: "a row stays with its document",
			Hint: "DELETE the row and INSERT another"}
	}
	if i < 0 {
		return 0, fault.New(plan.CodeUndefinedColumn, "layer %s has no column %s", def.Name, c)
	}
	col := def.Columns[i]
	spans, whole := def.Index("tok_start") >= 0, def == text.Tokens || def == text.Sentences
	switch {
	case !col.Stored(), col.Role == text.Form, def.Spans && c == "text", whole && (draft.Position(def, col) || c == "tok"):
		return 0, &ast.Error{Code: plan.CodeWrongKind, Msg: fmt.Sprintf("column %s follows from the text", c),
			Hint: "UPDATE the text of the document"}
	case c == "tok", c == "node", c == "mention", c == "sent" && !spans:
		return 0, &ast.Error{Code: plan.CodeWrongKind, Msg: fmt.Sprintf("column %s names the row", c),
			Hint: "DELETE the row and INSERT another"}
	}
	return col.Type, nil
}

// checkPlacement refuses assignments that give the place of a span both by tokens and by offsets.
func checkPlacement(def *text.LayerDef, set []ast.Assignment) error {
	var tokens, offsets bool
	for _, a := range set {
		tokens = tokens || a.Column == "sent" || a.Column == "tok_start" || a.Column == "tok_end"
		if offsets = offsets || a.Column == "char_start" || a.Column == "char_end"; tokens && offsets {
			return plan.Errorf(a.Pos, ast.CodeSyntax, "the others follow",
				"%s are placed by sent, tok_start and tok_end, or by char_start and char_end", def.Name)
		}
	}
	return nil
}

// edit applies the statement to some documents, and returns the number of rows that match and the changed documents.
func edit(r *exec.Execution, ctx context.Context, m *TargetScan, docs []*text.Document, set []ast.Assignment,
	exprs []expr.Expr, ret *returning, odd *oddSpans) (int, []*text.Document, error) {
	n := m.target.(*plan.Layer)
	b := r.Rows(n, docs)
	if b.N == 0 {
		return 0, nil, nil
	}
	hits, src, at, err := m.matches(ctx, b)
	if err != nil {
		return 0, nil, err
	}
	beside := m.fromValues(src, at)
	if set == nil {
		ret.setFromValues(beside)
		if err := ret.add(b, hits); err != nil {
			return 0, nil, err
		}
	}
	var changed []*text.Document
	row, h := 0, 0
	for _, d := range docs {
		l := d.Layer(n.Name)
		if l == nil {
			continue
		}
		first := h
		for h < len(hits) && hits[h] < row+l.N {
			h++
		}
		if h > first {
			x := draft.New(d, l.Def, l.Name)
			if set == nil {
				x.Drop(relativeTo(hits[first:h], row))
			} else {
				for i, k := range hits[first:h] {
					if beside != nil {
						x.Rows[k-row].FromValues = beside[first+i]
					}
				}
				if err := assignRows(r, x, src, at[first:h], relativeTo(hits[first:h], row), set, exprs, odd); err != nil {
					return 0, nil, err
				}
			}
			c, err := x.Changed()
			if err == nil && set != nil {
				err = ret.addDraft(x, c)
			}
			if err != nil {
				return 0, nil, err
			}
			if set != nil {
				odd.added(d, c, n.Name)
			}
			changed = append(changed, c)
		}
		row += l.N
	}
	return len(hits), changed, nil
}

// relativeTo returns row numbers of a batch counted from row first.
func relativeTo(rows []int, first int) []int {
	out := make([]int, len(rows))
	for i, k := range rows {
		out[i] = k - first
	}
	return out
}

// assignRows assigns to rows of a draft the values of the expressions over rows of a batch.
func assignRows(r *exec.Execution, x *draft.Draft, src *value.Batch, from, rows []int, set []ast.Assignment,
	exprs []expr.Expr, odd *oddSpans) error {
	for i, k := range rows {
		given := draft.Values{}
		for j, a := range set {
			v, err := exprs[j].At(r.Env, src, from[i])
			if err != nil {
				return expr.ErrorAt(ast.Pos{}, err)
			}
			given[a.Column] = v
		}
		if err := update(x, x.Rows[k], given); err != nil {
			return err
		}
		odd.placed(x, x.Rows[k], given)
	}
	return nil
}

// insertLayer adds rows to a gold layer of stored documents. Spans are given by tokens
// (sent, tok_start, tok_end) or by code points (char_start, char_end).
func insertLayer(r *exec.Execution, ctx context.Context, s *ast.Insert, o *catalog.Object) (*operator.Result, error) {
	ins, err := layerInsertion(r, s.Into, s.Pos, o, strings.ToLower(s.Conflict))
	if err != nil {
		return nil, err
	}
	if ins.ret, err = bindReturning(r, o, s.Into, s.Alias, s.Returning); err != nil {
		return nil, err
	}
	all := []string{"doc"}
	for _, c := range ins.def.Columns {
		all = append(all, c.Name)
	}
	src, err := insertSource(r, s, all)
	if err != nil {
		return nil, err
	}
	rows, err := materialise(r, ctx, src.op)
	if err != nil {
		return nil, err
	}
	ctx, release, err := lockTarget(r, ctx, o)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := ins.add(ctx, src.columns, rows); err != nil {
		return nil, unnamedColumns(s, src.columns, fault.At(s.Into.Pos, err))
	}
	if err := r.Store.ReplaceDocuments(ctx, o, ins.changed); err != nil {
		return nil, err
	}
	ins.odd.note(r)
	return ins.ret.result(fmt.Sprintf("INSERT %d", ins.count)), nil
}

// unnamedColumns adds to the hint of an error the columns that an INSERT without a list of columns fills.
func unnamedColumns(s *ast.Insert, columns []string, err error) error {
	var e *ast.Error
	if len(s.Columns) > 0 || !errors.As(err, &e) || e.Hint != "" {
		return err
	}
	c := *e
	c.Hint = fmt.Sprintf(
		"the values went, in this order, into %s; name the columns that you give: INSERT INTO %s (doc, …)",
		strings.Join(columns, ", "), s.Into)
	return &c
}

// layerInsertion begins to insert rows into a layer of a corpus.
func layerInsertion(r *exec.Execution, into ast.Target, pos ast.Pos, o *catalog.Object,
	conflict string) (*layerInsert, error) {
	if o.Kind != catalog.CorpusObject {
		return nil, plan.Errorf(into.Pos, plan.CodeWrongKind, "", "%s is a %s and has no layers", o.Name, o.Kind)
	}
	def := r.LayerDef(into.Layer)
	if l := r.StoredLayer(o, into.Layer); l != nil {
		if def = l.Def; l.Model != "" {
			return nil, plan.Errorf(into.Pos, plan.CodeWrongKind, "ANNOTATE writes it", "%s holds predictions of %s",
				into.Layer, l.Model)
		}
	}
	if def == nil || def == text.Tokens || def == text.Sentences {
		return nil, plan.Errorf(into.Pos, plan.CodeUndefinedTable, "", "rows cannot be inserted into %s", into.Layer)
	}
	if _, ok := draft.KeyOf(def); !ok && conflict != "" {
		return nil, plan.Errorf(pos, plan.CodeFeature, "leave ON CONFLICT out", "rows of %s have no key", into.Layer)
	}
	return &layerInsert{r: r, corpus: o, def: def, layer: into.Layer, conflict: conflict}, nil
}
