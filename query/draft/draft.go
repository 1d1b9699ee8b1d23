package draft

import (
	"math"
	"sort"

	"parlance/algo/text"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Draft is an editable copy of a layer of a document. The document itself does not change.
type Draft struct {
	Doc       *text.Document
	Def       *text.LayerDef
	Name      string
	Rows      []*Row
	bounds    []int32 // tokens of sentence i are [bounds[i], bounds[i+1])
	hasValues []bool  // columns with a value in some row
	gone      []*Row
	Places    map[string][]*Row // rows by key of their place; nil until conflicts are looked for
}

// Row is a row; its values are by column number of the layer. Offsets are in bytes.
type Row struct {
	Ints       []int32
	Strs       []string
	Floats     []float64
	Changed    bool          // new or changed
	FromValues []value.Value // columns of the tables in FROM that RETURNING may name
}

func New(d *text.Document, def *text.LayerDef, name string) *Draft {
	n := len(def.Columns)
	x := &Draft{Doc: d, Def: def, Name: name, bounds: d.SentenceTokens(), hasValues: make([]bool, n)}
	l := d.Layer(name)
	if l == nil {
		return x
	}
	for i := range l.N {
		row := x.NewRow()
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
			x.hasValues[c] = true
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

func (x *Draft) NewRow() *Row {
	n := len(x.Def.Columns)
	return &Row{Ints: make([]int32, n), Strs: make([]string, n), Floats: make([]float64, n)}
}

// layer builds the layer in reading order; columns without any value stay empty.
func (x *Draft) layer() *text.Layer {
	x.sort()
	l := text.NewLayer(x.Def)
	l.Name, l.N = x.Name, len(x.Rows)
	for c, def := range x.Def.Columns {
		if !x.hasValues[c] || !def.Stored() {
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

// sort puts rows into reading order; of two that start at the same place the longer one comes first. Sentences and
// tokens keep their order.
func (x *Draft) sort() {
	if x.Def == text.Sentences || x.Def == text.Tokens {
		return
	}
	var up []int
	for _, name := range []string{"sent", "node", "predicate", "tok", "subject_start", "object_start", "char_start",
		"tok_start"} {
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
		if row.Changed { // rows that were not changed keep their order
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

// Put sets an integer of a row. It does nothing if the layer lacks the column.
func (x *Draft) Put(row *Row, name string, v int32) {
	if c := x.Def.Index(name); c >= 0 {
		row.Ints[c], x.hasValues[c] = v, true
	}
}

// Assign sets a column that is stored as it is given. NULL is stored as an empty text; numbers cannot be NULL.
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
		row.Ints[c], x.hasValues[c] = int32(cast.Int()), true
	case value.Float:
		row.Floats[c], x.hasValues[c] = cast.Float(), x.hasValues[c] || !cast.IsNull()
		if cast.IsNull() {
			row.Floats[c] = 0
		}
	default:
		row.Strs[c], x.hasValues[c] = cast.S, true
	}
	return nil
}

// Drop removes rows by their positions in the stored layer, ascending.
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

// Changed checks the layer and returns a copy of the document with it.
func (x *Draft) Changed() (*text.Document, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	c := *x.Doc
	c.SetLayer(x.layer())
	return &c, nil
}
