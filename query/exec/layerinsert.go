package exec

import (
	"context"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// layerInsert adds rows to a layer of stored documents.
type layerInsert struct {
	r        *run
	corpus   *storage.Object
	def      *text.LayerDef
	layer    string
	conflict string // skip, replace, or empty: a row that is there already is an error
	changed  []*text.Document
	count    int // rows that were added or replaced
	lengths  map[string][]int32
	ret      *returning
}

// add makes the documents that rows name, with the rows; columns name the values of a row.
func (ins *layerInsert) add(ctx context.Context, columns []string, rows [][]value.Value) error {
	doc := -1
	for i, c := range columns {
		if c == "doc" {
			doc = i
		}
	}
	if doc < 0 {
		return fault("23502", "INSERT into a layer names the column doc")
	}
	byDoc := map[string][]values{}
	var ids []string
	for _, row := range rows {
		if row[doc].IsNull() {
			return fault("23502", "a row of %s needs the id of its document", ins.layer)
		}
		v := values{}
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
func (ins *layerInsert) document(ctx context.Context, id string, rows []values) error {
	d, err := ins.read(ctx, id, storage.Want{IDs: true, Text: true, AllFields: true, AllLayers: true})
	if err != nil {
		return err
	}
	x, before := newDraft(d, ins.def, ins.layer), ins.count
	for _, v := range rows {
		if err := ins.row(ctx, x, v); err != nil {
			return err
		}
	}
	if ins.count == before {
		return nil // all were skipped
	}
	c, err := x.changed()
	if err != nil {
		return err
	}
	if err := ins.r.gatherDocuments([]*text.Document{c}); err != nil {
		return err
	}
	ins.changed = append(ins.changed, c)
	return ins.ret.draft(x, c)
}

func (ins *layerInsert) read(ctx context.Context, id string, want storage.Want) (*text.Document, error) {
	seq, ok, err := ins.r.snap.Find(ins.corpus, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault("23503", "corpus %s has no document %s", ins.corpus.Name, id)
	}
	return ins.r.snap.Document(ctx, ins.corpus, seq, want)
}

// row adds one row, or settles its conflict with those of its place.
func (ins *layerInsert) row(ctx context.Context, x *draft, v values) error {
	row := x.blank()
	row.fresh = true
	if err := x.insert(row, v); err != nil {
		return err
	}
	if ins.def == text.Alignments {
		if err := ins.other(ctx, x, row); err != nil {
			return err
		}
	}
	var same []*draftRow
	if ins.conflict != "" {
		same = x.conflicts(row)
	}
	if len(same) == 0 {
		x.rows = append(x.rows, row)
		ins.count++
		return nil
	}
	if ins.conflict == "skip" {
		return nil
	}
	ins.count++
	keep := same[0]
	for c, col := range x.def.Columns {
		if _, given := v[col.Name]; given && x.free(col) {
			keep.ints[c], keep.strs[c], keep.floats[c] = row.ints[c], row.strs[c], row.floats[c]
		}
	}
	keep.fresh = true
	if len(same) > 1 {
		x.remove(same[1:])
		x.places = nil
	}
	return nil
}

// other checks the token of another document that an alignment names.
func (ins *layerInsert) other(ctx context.Context, x *draft, row *draftRow) error {
	id := row.strs[x.def.Index("other_doc")]
	if id == "" {
		return fault("23502", "a row of %s needs other_doc", ins.layer)
	}
	bounds, known := ins.lengths[id]
	if !known {
		d, err := ins.read(ctx, id, storage.Want{IDs: true, Layers: []storage.LayerWant{{Name: "tokens", Columns: []string{"sent"}}}})
		if err != nil {
			return err
		}
		if ins.lengths == nil {
			ins.lengths = map[string][]int32{}
		}
		bounds = d.SentenceTokens()
		ins.lengths[id] = bounds
	}
	sent, tok := int(x.get(row, "other_sent")), int(x.get(row, "other_tok"))
	if sent < 1 || sent >= len(bounds) || tok < 1 || tok > int(bounds[sent]-bounds[sent-1]) {
		return fault("23503", "document %s has no token %d in sentence %d", id, tok, sent)
	}
	return nil
}

// free reports whether a column of a row is given as it is, and does not follow from its place.
func (x *draft) free(col text.Column) bool {
	return col.Stored() && !position(x.def, col) && col.Name != "tok" && !(x.def.Spans && col.Name == "text")
}

// insert fills a new row.
func (x *draft) insert(row *draftRow, v values) error {
	for c, col := range x.def.Columns {
		if given, ok := v[col.Name]; ok && x.free(col) {
			if err := x.assign(row, c, given); err != nil {
				return err
			}
		}
	}
	if h, ok := v["head"]; x.def == text.Dependencies && (!ok || h.IsNull()) {
		return fault("23502", "a row of %s needs a head, 0 for the root", x.name)
	}
	if n, ok := v["mention"]; x.def == text.Mentions && (!ok || n.IsNull()) {
		last := int32(0)
		for _, old := range x.rows {
			last = max(last, x.get(old, "mention"))
		}
		x.put(row, "mention", last+1)
	}
	return x.place(row, v)
}

// update assigns to a row; a span moves when its tokens or offsets are assigned.
func (x *draft) update(row *draftRow, given values) error {
	row.fresh = true
	moved, tokens := false, false
	for name, v := range given {
		c := x.def.Index(name)
		if col := x.def.Columns[c]; position(x.def, col) {
			moved = true
			tokens = tokens || col.Role != text.Offset
			continue
		}
		if err := x.assign(row, c, v); err != nil {
			return err
		}
	}
	if !moved {
		return nil
	}
	v := values{}
	for c, col := range x.def.Columns {
		switch char := col.Name == "char_start" || col.Name == "char_end"; {
		case !position(x.def, col):
		case col.Role == text.Offset:
			if !char || !tokens || !x.has("tok_start") {
				v[col.Name] = value.Int(int64(utf8.RuneCountInString(x.doc.Text[:row.ints[c]])))
			}
		case tokens || !x.has("char_start") && !x.has("subject_start"):
			v[col.Name] = value.Int(int64(row.ints[c]))
		}
	}
	for name, g := range given {
		v[name] = g
	}
	return x.place(row, v)
}

// conflicts returns the rows that lie where a row lies, and notes the row there if there are none.
func (x *draft) conflicts(row *draftRow) []*draftRow {
	key, ok := keyOfLayer(x.def)
	if !ok {
		return nil
	}
	if x.places == nil {
		x.places = map[string][]*draftRow{}
		for _, old := range x.rows {
			k := x.key(old, key.place)
			x.places[k] = append(x.places[k], old)
		}
	}
	k := x.key(row, key.place)
	same := x.places[k]
	if len(same) == 0 {
		x.places[k] = []*draftRow{row}
	}
	return same
}

// remove takes rows out.
func (x *draft) remove(list []*draftRow) {
	for _, gone := range list {
		for i, row := range x.rows {
			if row == gone {
				x.rows = append(x.rows[:i:i], x.rows[i+1:]...)
				break
			}
		}
	}
}

// insertUnique inserts rows into a table, by the first column: rows whose value is taken are
// skipped, or replace those that have it. Of rows of the statement itself the first stays, or
// the last.
func (r *run) insertUnique(ctx context.Context, o *storage.Object, src *plannedRows, replace bool, ret *returning) (int, error) {
	at := make([]int, len(src.columns))
	for i, c := range src.columns {
		at[i] = o.Column(c)
	}
	rows, err := r.gather(ctx, src.op)
	if err != nil {
		return 0, err
	}
	fresh, place := make([][]value.Value, 0, len(rows)), map[value.Value]int{}
	for _, given := range rows {
		row := make([]value.Value, len(o.Columns))
		for k, c := range at {
			if row[c], err = value.Cast(given[k], o.Columns[c].Type); err != nil {
				return 0, fault(plan.CodeType, "column %s: %v", o.Columns[c].Name, err)
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
	ctx, release, err := r.hold(ctx, o)
	if err != nil {
		return 0, err
	}
	defer release()
	var gone []uint64
	taken := map[value.Value]bool{}
	need := make([]bool, len(o.Columns))
	need[0] = true
	err = r.snap.ScanTable(ctx, o, need, func(ids []uint64, b *value.Batch) error {
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
	if err := ret.values(fresh); err != nil {
		return 0, err
	}
	return len(fresh), r.Store.ReplaceRows(ctx, o, gone, fresh)
}
