package change

import (
	"context"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/draft"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// layerInsert adds rows to a layer of stored documents.
type layerInsert struct {
	r        *exec.Execution
	corpus   *catalog.Object
	def      *text.LayerDef
	layer    string
	conflict string // skip, replace, or empty: a row that exists is an error
	changed  []*text.Document
	count    int // of rows that were added or replaced
	lengths  map[string][]int32
	ret      *returning
	odd      oddSpans
}

// add inserts rows into the documents that they name; columns are the names of the values of a row.
func (ins *layerInsert) add(ctx context.Context, columns []string, rows [][]value.Value) error {
	doc := -1
	for i, c := range columns {
		if c == "doc" {
			doc = i
		}
	}
	if doc < 0 {
		return fault.New("23502", "INSERT into a layer names the column doc")
	}
	byDoc := map[string][]draft.Values{}
	var ids []string
	for _, row := range rows {
		if row[doc].IsNull() {
			return fault.New("23502", "a row of %s needs the id of its document", ins.layer)
		}
		v := draft.Values{}
		for i, c := range columns {
			v[c] = row[i]
		}
		id := row[doc].String()
		if byDoc[id] == nil {
			ids = append(ids, id)
		}
		byDoc[id] = append(byDoc[id], v)
	}
	for _, id := range ids {
		if err := ins.document(ctx, id, byDoc[id]); err != nil {
			return err
		}
	}
	return nil
}

// document adds rows to one document.
func (ins *layerInsert) document(ctx context.Context, id string, rows []draft.Values) error {
	d, err := ins.read(ctx, id, documents.Want{IDs: true, Text: true, AllFields: true, AllLayers: true})
	if err != nil {
		return err
	}
	x, before := draft.New(d, ins.def, ins.layer), ins.count
	for _, v := range rows {
		if err := ins.row(ctx, x, v); err != nil {
			return err
		}
	}
	if ins.count == before {
		return nil // every row was skipped
	}
	c, err := x.Changed()
	if err != nil {
		return err
	}
	if err := reserveDocuments(ins.r, []*text.Document{c}); err != nil {
		return err
	}
	ins.odd.added(x.Doc, c, ins.layer)
	ins.changed = append(ins.changed, c)
	return ins.ret.addDraft(x, c)
}

func (ins *layerInsert) read(ctx context.Context, id string, want documents.Want) (*text.Document, error) {
	seq, ok, err := ins.r.Snapshot.Find(ins.corpus, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New("23503", "corpus %s has no document %s", ins.corpus.Name, id)
	}
	return ins.r.Snapshot.Document(ctx, ins.corpus, seq, want)
}

// row inserts one row, after resolving its conflicts with rows of the same key.
func (ins *layerInsert) row(ctx context.Context, x *draft.Draft, v draft.Values) error {
	row := x.NewRow()
	row.Changed = true
	if err := insert(x, row, v); err != nil {
		return err
	}
	ins.odd.placed(x, row, v)
	if ins.def == text.Alignments {
		if err := ins.checkOtherToken(ctx, x, row); err != nil {
			return err
		}
	}
	var same []*draft.Row
	if ins.conflict != "" {
		same = conflicts(x, row)
	}
	if len(same) == 0 {
		x.Rows = append(x.Rows, row)
		ins.count++
		return nil
	}
	if ins.conflict == "skip" {
		return nil
	}
	ins.count++
	keep := same[0]
	for c, col := range x.Def.Columns {
		if _, given := v[col.Name]; given && assignable(x, col) {
			keep.Ints[c], keep.Strs[c], keep.Floats[c] = row.Ints[c], row.Strs[c], row.Floats[c]
		}
	}
	keep.Changed = true
	if len(same) > 1 {
		remove(x, same[1:])
		x.Places = nil
	}
	return nil
}

// checkOtherToken checks the token of the other document that an alignment refers to.
func (ins *layerInsert) checkOtherToken(ctx context.Context, x *draft.Draft, row *draft.Row) error {
	id := row.Strs[x.Def.Index("other_doc")]
	if id == "" {
		return fault.New("23502", "a row of %s needs other_doc", ins.layer)
	}
	bounds, known := ins.lengths[id]
	if !known {
		d, err := ins.read(ctx, id,
			documents.Want{IDs: true, Layers: []documents.LayerWant{{Name: "tokens", Columns: []string{"sent"}}}})
		if err != nil {
			return err
		}
		if ins.lengths == nil {
			ins.lengths = map[string][]int32{}
		}
		bounds = d.SentenceTokens()
		ins.lengths[id] = bounds
	}
	sent, tok := int(x.Get(row, "other_sent")), int(x.Get(row, "other_tok"))
	if sent < 1 || sent >= len(bounds) || tok < 1 || tok > int(bounds[sent]-bounds[sent-1]) {
		return fault.New("23503", "document %s has no token %d in sentence %d", id, tok, sent)
	}
	return nil
}

// assignable reports whether a column is stored as it is given, rather than computed from the place of the row.
func assignable(x *draft.Draft, col text.Column) bool {
	return col.Stored() && !draft.Position(x.Def, col) && col.Name != "tok" && !(x.Def.Spans && col.Name == "text")
}

// insert fills a new row.
func insert(x *draft.Draft, row *draft.Row, v draft.Values) error {
	for c, col := range x.Def.Columns {
		if given, ok := v[col.Name]; ok && assignable(x, col) {
			if err := x.Assign(row, c, given); err != nil {
				return err
			}
		}
	}
	if h, ok := v["head"]; x.Def == text.Dependencies && (!ok || h.IsNull()) {
		return fault.New("23502", "a row of %s needs a head, 0 for the root", x.Name)
	}
	if n, ok := v["mention"]; x.Def == text.Mentions && (!ok || n.IsNull()) {
		last := int32(0)
		for _, old := range x.Rows {
			last = max(last, x.Get(old, "mention"))
		}
		x.Put(row, "mention", last+1)
	}
	return x.Place(row, v)
}

// update assigns to a row. A span moves if its tokens or offsets are assigned.
func update(x *draft.Draft, row *draft.Row, given draft.Values) error {
	row.Changed = true
	moved, tokens := false, false
	for name, v := range given {
		c := x.Def.Index(name)
		if col := x.Def.Columns[c]; draft.Position(x.Def, col) {
			moved = true
			tokens = tokens || col.Role != text.Offset
			continue
		}
		if err := x.Assign(row, c, v); err != nil {
			return err
		}
	}
	if !moved {
		return nil
	}
	v := draft.Values{}
	for c, col := range x.Def.Columns {
		switch char := col.Name == "char_start" || col.Name == "char_end"; {
		case !draft.Position(x.Def, col):
		case col.Role == text.Offset:
			if !char || !tokens || !x.Has("tok_start") {
				v[col.Name] = value.Int(int64(utf8.RuneCountInString(x.Doc.Text[:row.Ints[c]])))
			}
		case tokens || !x.Has("char_start") && !x.Has("subject_start"):
			v[col.Name] = value.Int(int64(row.Ints[c]))
		}
	}
	for name, g := range given {
		v[name] = g
	}
	return x.Place(row, v)
}

// conflicts returns the rows with the key of a row. If there are none, the row is entered under its key.
func conflicts(x *draft.Draft, row *draft.Row) []*draft.Row {
	key, ok := draft.KeyOf(x.Def)
	if !ok {
		return nil
	}
	if x.Places == nil {
		x.Places = map[string][]*draft.Row{}
		for _, old := range x.Rows {
			k := x.Key(old, key.Place)
			x.Places[k] = append(x.Places[k], old)
		}
	}
	k := x.Key(row, key.Place)
	same := x.Places[k]
	if len(same) == 0 {
		x.Places[k] = []*draft.Row{row}
	}
	return same
}

// remove deletes rows.
func remove(x *draft.Draft, list []*draft.Row) {
	for _, gone := range list {
		for i, row := range x.Rows {
			if row == gone {
				x.Rows = append(x.Rows[:i:i], x.Rows[i+1:]...)
				break
			}
		}
	}
}

// insertUnique inserts rows into a table whose key is the first column. Rows whose key exists are skipped, or replace
// the old row. Of several rows of the statement with one key, the first (skip) or the last (replace) is stored.
func insertUnique(r *exec.Execution, ctx context.Context, o *catalog.Object, src *plannedRows, replace bool,
	ret *returning) (int, error) {
	at := make([]int, len(src.columns))
	for i, c := range src.columns {
		at[i] = o.Column(c)
	}
	rows, err := materialise(r, ctx, src.op)
	if err != nil {
		return 0, err
	}
	fresh, place, err := distinctRows(o, rows, at, replace)
	if err != nil {
		return 0, err
	}
	ctx, release, err := lockTarget(r, ctx, o)
	if err != nil {
		return 0, err
	}
	defer release()
	var gone []uint64
	taken := map[value.Value]bool{}
	need := make([]bool, len(o.Columns))
	need[0] = true
	err = r.Snapshot.ScanTable(ctx, o, need, func(ids []uint64, b *value.Batch) error {
		for i, id := range ids {
			key := b.Cols[0].At(i)
			if _, hit := place[key]; hit && !key.IsNull() {
				gone, taken[key] = append(gone, id), true
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if !replace {
		kept := fresh[:0]
		for _, row := range fresh {
			if !taken[row[0]] {
				kept = append(kept, row)
			}
		}
		fresh, gone = kept, nil
	}
	if err := ret.addValues(fresh); err != nil {
		return 0, err
	}
	return len(fresh), r.Store.ReplaceRows(ctx, o, gone, fresh)
}

// distinctRows casts rows to the columns of a table; at[k] is the column of value k. Of several rows with one key, the
// first column, the first or, with replace, the last is returned. place is the index of the row of each key.
func distinctRows(o *catalog.Object, rows [][]value.Value, at []int, replace bool) (fresh [][]value.Value,
	place map[value.Value]int, err error) {
	fresh, place = make([][]value.Value, 0, len(rows)), map[value.Value]int{}
	for _, given := range rows {
		row := make([]value.Value, len(o.Columns))
		for k, c := range at {
			if row[c], err = value.Cast(given[k], o.Columns[c].Type); err != nil {
				return nil, nil, fault.New(plan.CodeType, "column %s: %v", o.Columns[c].Name, err)
			}
		}
		i, taken := place[row[0]]
		switch {
		case row[0].IsNull() || !taken:
			place[row[0]] = len(fresh)
			fresh = append(fresh, row)
		case replace:
			fresh[i] = row
		}
	}
	return fresh, place, nil
}
