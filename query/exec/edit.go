package exec

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// editLayer deletes rows of a stored layer (set nil) or assigns to columns of them.
func (r *run) editLayer(ctx context.Context, o *storage.Object, target ast.Target, alias string, where ast.Expr, set []ast.Assignment) (int, error) {
	if alias == "" {
		alias = target.Layer
	}
	n, ok := r.binder().Stored(o, target.Layer, alias)
	if !ok || r.storedLayer(o, target.Layer) == nil {
		return 0, plan.Errorf(target.Pos, plan.CodeUndefinedTable, "", "corpus %s stores no %s", o.Name, target.Layer)
	}
	if set == nil && (target.Layer == "tokens" || target.Layer == "sentences") {
		return 0, plan.Errorf(target.Pos, plan.CodeWrongKind, "UPDATE the text of the document", "%s cannot be deleted one by one: other layers refer to them", target.Layer)
	}
	exprs, err := r.assign(set, n, func(c string) (value.Type, error) { return editable(n.Def, c) })
	if err != nil {
		return 0, err
	}
	cond, err := r.matching(where, n)
	if err != nil {
		return 0, err
	}
	src := &stored{r: r, corpus: o, want: storage.Want{IDs: true, Text: true, AllFields: true, AllLayers: true}, ids: r.everything(o)}
	total := 0
	var changed []*text.Document
	for {
		docs, err := src.next(ctx)
		if err != nil {
			return 0, err
		}
		if docs == nil {
			return total, r.Store.ReplaceDocuments(ctx, o, changed)
		}
		k, edited, err := r.edit(n, docs, cond, set, exprs)
		if err != nil {
			return 0, err
		}
		changed = append(changed, edited...)
		total += k
	}
}

func (r *run) storedLayer(o *storage.Object, name string) *storage.LayerInfo {
	for _, l := range r.snap.LayerDefs(o) {
		if l.Name == name {
			return &l
		}
	}
	return nil
}

// editable gives the type of a layer column that may be assigned.
func editable(def *text.LayerDef, c string) (value.Type, error) {
	i := def.Index(c)
	if i < 0 {
		return 0, fault(plan.CodeUndefinedColumn, "layer %s has no column %s", def.Name, c)
	}
	col := def.Columns[i]
	if col.Role != text.Plain || c == "sent" || c == "tok" || c == "tok_start" || c == "tok_end" || def.Spans && c == "text" {
		return 0, fault(plan.CodeWrongKind, "column %s follows from the text: DELETE the row and INSERT another", c)
	}
	return col.Type, nil
}

// edit returns the number of rows that a condition selects and the changed documents.
func (r *run) edit(n *plan.Layer, docs []*text.Document, cond expr.Expr, set []ast.Assignment, exprs []expr.Expr) (int, []*text.Document, error) {
	b := r.rows(n, docs)
	if b.N == 0 {
		return 0, nil, nil
	}
	hits, err := r.hits(cond, b)
	if err != nil {
		return 0, nil, err
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
			c := *d
			nl, err := r.edited(l, b, hits[first:h], row, set, exprs)
			if err != nil {
				return 0, nil, err
			}
			c.SetLayer(nl)
			changed = append(changed, &c)
		}
		row += l.N
	}
	return len(hits), changed, nil
}

// edited is a copy of a layer whose first row is row first of the batch, without the rows
// hits, or with assignments to them.
func (r *run) edited(l *text.Layer, b *value.Batch, hits []int, first int, set []ast.Assignment, exprs []expr.Expr) (*text.Layer, error) {
	if set == nil {
		return without(l, hits, first), nil
	}
	out := *l
	out.Cols = append([]text.Col{}, l.Cols...)
	for k, a := range set {
		c := l.Def.Index(a.Column)
		out.Cols[c] = copyCol(l, c)
		for _, h := range hits {
			v, err := exprs[k].At(r.env, b, h)
			if err != nil {
				return nil, invalid("%v", err)
			}
			switch l.Def.Columns[c].Type {
			case value.Integer:
				out.Cols[c].Ints[h-first] = int32(v.Int())
			case value.Float:
				out.Cols[c].Floats[h-first] = v.Float()
			default:
				out.Cols[c].Strs[h-first] = v.S
			}
		}
	}
	return &out, nil
}

func copyCol(l *text.Layer, c int) text.Col {
	var out text.Col
	switch l.Def.Columns[c].Type {
	case value.Integer:
		out.Ints = make([]int32, l.N)
		copy(out.Ints, l.Cols[c].Ints)
	case value.Float:
		out.Floats = make([]float64, l.N)
		copy(out.Floats, l.Cols[c].Floats)
	default:
		out.Strs = make([]string, l.N)
		copy(out.Strs, l.Cols[c].Strs)
	}
	return out
}

func without(l *text.Layer, hits []int, first int) *text.Layer {
	drop := make(map[int]bool, len(hits))
	for _, h := range hits {
		drop[h-first] = true
	}
	out := &text.Layer{Def: l.Def, Name: l.Name, N: l.N - len(drop), Cols: make([]text.Col, len(l.Cols))}
	for c, col := range l.Cols {
		for i := range l.N {
			if drop[i] {
				continue
			}
			if col.Ints != nil {
				out.Cols[c].Ints = append(out.Cols[c].Ints, col.Ints[i])
			}
			if col.Strs != nil {
				out.Cols[c].Strs = append(out.Cols[c].Strs, col.Strs[i])
			}
			if col.Floats != nil {
				out.Cols[c].Floats = append(out.Cols[c].Floats, col.Floats[i])
			}
		}
	}
	return out
}

// insertLayer adds rows to a gold layer of stored documents. Spans are given by tokens
// (sent, tok_start, tok_end) or by code points (char_start, char_end).
func (r *run) insertLayer(ctx context.Context, s *ast.Insert, o *storage.Object) (*Result, error) {
	def := r.layerDef(s.Into.Layer)
	if l := r.storedLayer(o, s.Into.Layer); l != nil {
		if def = l.Def; l.Model != "" {
			return nil, plan.Errorf(s.Into.Pos, plan.CodeWrongKind, "ANNOTATE writes it", "%s holds predictions of %s", s.Into.Layer, l.Model)
		}
	}
	if def == nil || def == text.Tokens || def == text.Sentences {
		return nil, plan.Errorf(s.Into.Pos, plan.CodeUndefinedTable, "", "rows cannot be inserted into %s", s.Into.Layer)
	}
	all := []string{"doc"}
	for _, c := range def.Columns {
		all = append(all, c.Name)
	}
	src, err := r.insertSource(s, all)
	if err != nil {
		return nil, err
	}
	rows, err := drain(ctx, src.op, 0)
	if err != nil {
		return nil, err
	}
	if s.Conflict != "" {
		return nil, plan.Errorf(s.Pos, plan.CodeFeature, "", "rows of a layer have no key, ON CONFLICT does not apply")
	}
	docs, err := r.withRows(ctx, o, def, s.Into.Layer, src.columns, rows)
	if err != nil {
		return nil, err
	}
	if err := r.Store.ReplaceDocuments(ctx, o, docs); err != nil {
		return nil, err
	}
	return tag(fmt.Sprintf("INSERT %d", len(rows))), nil
}

// withRows returns the documents that rows name, with the rows added to the layer.
func (r *run) withRows(ctx context.Context, o *storage.Object, def *text.LayerDef, layer string, columns []string, rows [][]value.Value) ([]*text.Document, error) {
	at := map[string]int{}
	for i, c := range columns {
		at[c] = i
	}
	if _, ok := at["doc"]; !ok {
		return nil, fault("23502", "INSERT into a layer names the column doc")
	}
	byDoc := map[string][][]value.Value{}
	var ids []string
	for _, row := range rows {
		id := row[at["doc"]].String()
		if byDoc[id] == nil {
			ids = append(ids, id)
		}
		byDoc[id] = append(byDoc[id], row)
	}
	var out []*text.Document
	for _, id := range ids {
		seq, ok, err := r.snap.Find(o, id)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fault("23503", "corpus %s has no document %s", o.Name, id)
		}
		d, err := r.snap.Document(ctx, o, seq, storage.Want{IDs: true, Text: true, AllFields: true, AllLayers: true})
		if err != nil {
			return nil, err
		}
		c := *d
		if err := addRows(&c, def, layer, at, byDoc[id]); err != nil {
			return nil, err
		}
		out = append(out, &c)
	}
	return out, nil
}

// addRows appends rows to a layer of the document.
func addRows(d *text.Document, def *text.LayerDef, layer string, at map[string]int, rows [][]value.Value) error {
	if def.Spans {
		return addSpans(d, def, layer, at, rows)
	}
	l := text.NewLayer(def)
	l.Name = layer
	if old := d.Layer(layer); old != nil {
		l.N = old.N
		for c := range def.Columns {
			l.Cols[c] = copyCol(old, c)
		}
	}
	for _, row := range rows {
		for c, col := range def.Columns {
			if !col.Stored() {
				continue
			}
			v := value.Value{}
			if k, ok := at[col.Name]; ok {
				var err error
				if v, err = value.Cast(row[k], col.Type); err != nil {
					return fault(plan.CodeType, "column %s: %v", col.Name, err)
				}
			}
			switch col.Type {
			case value.Integer:
				l.Cols[c].Ints = append(l.Cols[c].Ints, int32(v.N))
			case value.Float:
				l.Cols[c].Floats = append(l.Cols[c].Floats, v.Float())
			default:
				l.Cols[c].Strs = append(l.Cols[c].Strs, v.S)
			}
		}
		l.N++
	}
	d.SetLayer(l)
	return nil
}

// addSpans adds spans and brings the layer into reading order.
func addSpans(d *text.Document, def *text.LayerDef, layer string, at map[string]int, rows [][]value.Value) error {
	var spans []text.Span
	if old := d.Layer(layer); old != nil {
		spans = old.Spans()
	}
	number := func(row []value.Value, c string) (int, bool) {
		k, ok := at[c]
		if !ok || row[k].IsNull() {
			return 0, false
		}
		v, err := value.Cast(row[k], value.Integer)
		if err != nil {
			return 0, false
		}
		return int(v.Int()), true
	}
	bounds := d.SentenceTokens()
	for _, row := range rows {
		s := text.Span{}
		if k, ok := at["label"]; ok {
			s.Label = row[k].String()
		}
		if s.Label == "" || row[at["label"]].IsNull() {
			return fault("23502", "a span needs a label")
		}
		sent, byToken := number(row, "sent")
		first, ok1 := number(row, "tok_start")
		last, ok2 := number(row, "tok_end")
		from, ok3 := number(row, "char_start")
		to, ok4 := number(row, "char_end")
		switch {
		case byToken && ok1 && ok2:
			if sent < 1 || sent >= len(bounds) || first < 1 || last < first || last > int(bounds[sent]-bounds[sent-1]) {
				return fault("23503", "document %s has no tokens %d to %d in sentence %d", d.ID, first, last, sent)
			}
			s.Sent, s.First, s.Last = int32(sent), int32(first), int32(last)
		case ok3 && ok4:
			if err := place(d, &s, from, to); err != nil {
				return err
			}
		default:
			return fault("23502", "a span needs sent, tok_start and tok_end, or char_start and char_end")
		}
		spans = append(spans, s)
	}
	sort.SliceStable(spans, func(i, j int) bool {
		a, b := spans[i], spans[j]
		if a.Sent != b.Sent {
			return a.Sent < b.Sent
		}
		if a.First != b.First {
			return a.First < b.First
		}
		return a.Last > b.Last
	})
	l := d.SpanLayer(def, spans)
	l.Name = layer
	d.SetLayer(l)
	return nil
}

// place finds the tokens of a span that code points give.
func place(d *text.Document, s *text.Span, from, to int) error {
	start, end := byteOffset(d.Text, from), byteOffset(d.Text, to)
	toks := d.Layer("tokens")
	if start < 0 || end < 0 || end <= start || toks == nil {
		return fault("23503", "document %s has no text from %d to %d", d.ID, from, to)
	}
	l := text.NewLayer(text.Entities)
	l.N = 1
	l.SetInts("char_start", []int32{int32(start)})
	l.SetInts("char_end", []int32{int32(end)})
	align(l, toks)
	s.Sent, s.First, s.Last = l.Ints("sent")[0], l.Ints("tok_start")[0], l.Ints("tok_end")[0]
	if s.Sent == 0 {
		return fault("23503", "no token lies in %s from %d to %d (%q)", d.ID, from, to, strings.TrimSpace(d.Text[start:end]))
	}
	return nil
}

// byteOffset converts a code point offset, -1 beyond the end.
func byteOffset(s string, n int) int {
	if n < 0 {
		return -1
	}
	at := 0
	for ; n > 0; n-- {
		if at >= len(s) {
			return -1
		}
		_, w := utf8.DecodeRuneInString(s[at:])
		at += w
	}
	return at
}
