package draft

import (
	"math"
	"sort"

	"parlance/algo/text"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Draft is a layer of a document while its rows are corrected. Other views of the document
// keep the layer as it was.
type Draft struct {
	Doc    *text.Document
	Def    *text.LayerDef
	Name   string
	Rows   []*Row
	bounds []int32 // of the sentences in the tokens
	given  []bool  // columns that have values in any row
	gone   []*Row
	Places map[string][]*Row // rows by place, once asked for
}

// Row is a row by columns; offsets are in bytes.
type Row struct {
	Ints   []int32
	Strs   []string
	Floats []float64
	Fresh  bool          // new or changed
	Beside []value.Value // what other tables of the statement gave for it
}

func New(d *text.Document, def *text.LayerDef, name string) *Draft {
	n := len(def.Columns)
	x := &Draft{Doc: d, Def: def, Name: name, bounds: d.SentenceTokens(), given: make([]bool, n)}
	l := d.Layer(name)
	if l == nil {
		return x
	}
	for i := range l.N {
		row := x.Blank()
		for c, col := range l.Cols {
			switch {
			case col.Ints != nil:
				row.Ints[c] = col.Ints[i]
			case col.Strs != nil:
				row.Strs[c] = col.Strs[i]
			case col.Floats != nil:
				row.Floats[c] = col.Floats[i]
			default:
				continue
			}
			x.given[c] = true
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

func (x *Draft) Blank() *Row {
	n := len(x.Def.Columns)
	return &Row{Ints: make([]int32, n), Strs: make([]string, n), Floats: make([]float64, n)}
}

// layer builds the layer in reading order; columns without any value stay empty.
func (x *Draft) layer() *text.Layer {
	x.sort()
	l := text.NewLayer(x.Def)
	l.Name, l.N = x.Name, len(x.Rows)
	for c, def := range x.Def.Columns {
		if !x.given[c] || !def.Stored() {
			continue
		}
		for _, row := range x.Rows {
			switch def.Type {
			case value.Integer:
				l.Cols[c].Ints = append(l.Cols[c].Ints, row.Ints[c])
			case value.Float:
				l.Cols[c].Floats = append(l.Cols[c].Floats, row.Floats[c])
			default:
				l.Cols[c].Strs = append(l.Cols[c].Strs, row.Strs[c])
			}
		}
	}
	return l
}

// sort brings rows into reading order, the longer of two that start together first. Sentences
// and tokens cannot be moved.
func (x *Draft) sort() {
	if x.Def == text.Sentences || x.Def == text.Tokens {
		return
	}
	var up []int
	for _, name := range []string{"sent", "node", "predicate", "tok", "subject_start", "object_start", "char_start", "tok_start"} {
		if c := x.Def.Index(name); c >= 0 {
			up = append(up, c)
		}
	}
	end := x.Def.Index("char_end")
	less := func(a, b *Row) bool {
		for _, c := range up {
			if a.Ints[c] != b.Ints[c] {
				return a.Ints[c] < b.Ints[c]
			}
		}
		return end >= 0 && a.Ints[end] > b.Ints[end]
	}
	for _, row := range x.Rows {
		if row.Fresh { // what nobody has moved stays where it is
			sort.SliceStable(x.Rows, func(i, j int) bool { return less(x.Rows[i], x.Rows[j]) })
			return
		}
	}
}

// Get returns an integer of a row, 0 where the layer has no such column.
func (x *Draft) Get(row *Row, name string) int32 {
	if c := x.Def.Index(name); c >= 0 {
		return row.Ints[c]
	}
	return 0
}

// Put sets an integer of a row, if the layer has the column.
func (x *Draft) Put(row *Row, name string, v int32) {
	if c := x.Def.Index(name); c >= 0 {
		row.Ints[c], x.given[c] = v, true
	}
}

// Assign sets a column that is stored as it is; NULL is a missing text, and no number.
func (x *Draft) Assign(row *Row, c int, v value.Value) error {
	col := x.Def.Columns[c]
	cast, err := value.Cast(v, col.Type)
	if err != nil {
		return fault.New(plan.CodeType, "column %s: %v", col.Name, err)
	}
	switch col.Type {
	case value.Integer:
		if cast.IsNull() {
			row.Ints[c] = 0
			break
		}
		if cast.Int() > math.MaxInt32 || cast.Int() < math.MinInt32 {
			return fault.New("22003", "column %s: %d is out of range", col.Name, cast.Int())
		}
		row.Ints[c], x.given[c] = int32(cast.Int()), true
	case value.Float:
		row.Floats[c], x.given[c] = cast.Float(), x.given[c] || !cast.IsNull()
		if cast.IsNull() {
			row.Floats[c] = 0
		}
	default:
		row.Strs[c], x.given[c] = cast.S, true
	}
	return nil
}

// Drop removes rows by their places in the stored layer, ascending.
func (x *Draft) Drop(places []int) {
	kept := x.Rows[:0:0]
	for i, row := range x.Rows {
		if len(places) > 0 && places[0] == i {
			places = places[1:]
			x.gone = append(x.gone, row)
			continue
		}
		kept = append(kept, row)
	}
	x.Rows = kept
}

// Changed returns a copy of the document with the corrected layer, after checking it.
func (x *Draft) Changed() (*text.Document, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	c := *x.Doc
	c.SetLayer(x.layer())
	return &c, nil
}
