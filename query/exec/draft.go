package exec

import (
	"math"
	"sort"

	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage/value"
)

// draft is a layer of a document while its rows are corrected. Other views of the document
// keep the layer as it was.
type draft struct {
	doc    *text.Document
	def    *text.LayerDef
	name   string
	rows   []*draftRow
	bounds []int32 // of the sentences in the tokens
	given  []bool  // columns that have values in any row
	gone   []*draftRow
	places map[string][]*draftRow // rows by place, once asked for
}

// draftRow is a row by columns; offsets are in bytes.
type draftRow struct {
	ints   []int32
	strs   []string
	floats []float64
	fresh  bool          // new or changed
	beside []value.Value // what other tables of the statement gave for it
}

func newDraft(d *text.Document, def *text.LayerDef, name string) *draft {
	n := len(def.Columns)
	x := &draft{doc: d, def: def, name: name, bounds: d.SentenceTokens(), given: make([]bool, n)}
	l := d.Layer(name)
	if l == nil {
		return x
	}
	for i := range l.N {
		row := x.blank()
		for c, col := range l.Cols {
			switch {
			case col.Ints != nil:
				row.ints[c] = col.Ints[i]
			case col.Strs != nil:
				row.strs[c] = col.Strs[i]
			case col.Floats != nil:
				row.floats[c] = col.Floats[i]
			default:
				continue
			}
			x.given[c] = true
		}
		x.rows = append(x.rows, row)
	}
	return x
}

func (x *draft) blank() *draftRow {
	n := len(x.def.Columns)
	return &draftRow{ints: make([]int32, n), strs: make([]string, n), floats: make([]float64, n)}
}

// layer builds the layer in reading order; columns without any value stay empty.
func (x *draft) layer() *text.Layer {
	x.sort()
	l := text.NewLayer(x.def)
	l.Name, l.N = x.name, len(x.rows)
	for c, def := range x.def.Columns {
		if !x.given[c] || !def.Stored() {
			continue
		}
		for _, row := range x.rows {
			switch def.Type {
			case value.Integer:
				l.Cols[c].Ints = append(l.Cols[c].Ints, row.ints[c])
			case value.Float:
				l.Cols[c].Floats = append(l.Cols[c].Floats, row.floats[c])
			default:
				l.Cols[c].Strs = append(l.Cols[c].Strs, row.strs[c])
			}
		}
	}
	return l
}

// sort brings rows into reading order, the longer of two that start together first. Sentences
// and tokens cannot be moved.
func (x *draft) sort() {
	if x.def == text.Sentences || x.def == text.Tokens {
		return
	}
	var up []int
	for _, name := range []string{"sent", "node", "predicate", "tok", "subject_start", "object_start", "char_start", "tok_start"} {
		if c := x.def.Index(name); c >= 0 {
			up = append(up, c)
		}
	}
	end := x.def.Index("char_end")
	less := func(a, b *draftRow) bool {
		for _, c := range up {
			if a.ints[c] != b.ints[c] {
				return a.ints[c] < b.ints[c]
			}
		}
		return end >= 0 && a.ints[end] > b.ints[end]
	}
	for _, row := range x.rows {
		if row.fresh { // what nobody has moved stays where it is
			sort.SliceStable(x.rows, func(i, j int) bool { return less(x.rows[i], x.rows[j]) })
			return
		}
	}
}

// get returns an integer of a row, 0 where the layer has no such column.
func (x *draft) get(row *draftRow, name string) int32 {
	if c := x.def.Index(name); c >= 0 {
		return row.ints[c]
	}
	return 0
}

// put sets an integer of a row, if the layer has the column.
func (x *draft) put(row *draftRow, name string, v int32) {
	if c := x.def.Index(name); c >= 0 {
		row.ints[c], x.given[c] = v, true
	}
}

// assign sets a column that is stored as it is; NULL is a missing text, and no number.
func (x *draft) assign(row *draftRow, c int, v value.Value) error {
	col := x.def.Columns[c]
	cast, err := value.Cast(v, col.Type)
	if err != nil {
		return fault(plan.CodeType, "column %s: %v", col.Name, err)
	}
	switch col.Type {
	case value.Integer:
		if cast.IsNull() {
			row.ints[c] = 0
			break
		}
		if cast.Int() > math.MaxInt32 || cast.Int() < math.MinInt32 {
			return fault("22003", "column %s: %d is out of range", col.Name, cast.Int())
		}
		row.ints[c], x.given[c] = int32(cast.Int()), true
	case value.Float:
		row.floats[c], x.given[c] = cast.Float(), x.given[c] || !cast.IsNull()
		if cast.IsNull() {
			row.floats[c] = 0
		}
	default:
		row.strs[c], x.given[c] = cast.S, true
	}
	return nil
}

// drop removes rows by their places in the stored layer, ascending.
func (x *draft) drop(places []int) {
	kept := x.rows[:0:0]
	for i, row := range x.rows {
		if len(places) > 0 && places[0] == i {
			places = places[1:]
			x.gone = append(x.gone, row)
			continue
		}
		kept = append(kept, row)
	}
	x.rows = kept
}

// changed returns a copy of the document with the corrected layer, after checking it.
func (x *draft) changed() (*text.Document, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	c := *x.doc
	c.SetLayer(x.layer())
	return &c, nil
}
