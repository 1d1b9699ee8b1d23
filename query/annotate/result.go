package annotate

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// A result is stored as, for each document of the unit and each layer that the model writes: whether it is there, the
// number of rows, the columns, prob and rank. The text of spans is left out: it is a slice of the document.

var errResult = errors.New("damaged cache entry")

// columnsOf yields the columns of a layer that a result contains: of tokens only those that the model writes, unless it
// makes the tokens itself.
func columnsOf(def *text.LayerDef, w kind.LayerUse) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range def.Columns {
			c := &def.Columns[i]
			if !c.Stored() || def.Spans && c.Name == "text" {
				continue
			}
			if w.Layer == "tokens" && !w.CutsText() && !readsColumn(w, c.Name) {
				continue
			}
			if !yield(i) {
				return
			}
		}
	}
}

// EncodeResult appends the result of a unit to b.
func EncodeResult(b []byte, u []*text.Document, writes []kind.LayerUse) []byte {
	for _, d := range u {
		for _, w := range writes {
			l := d.Layer(w.Layer)
			if l == nil {
				b = append(b, 0)
				continue
			}
			b = binary.AppendUvarint(append(b, 1), uint64(l.N))
			for c := range columnsOf(l.Def, w) {
				b = encodeCol(b, &l.Cols[c])
			}
			b = encodeCol(b, &text.Col{Floats: l.Prob})
			b = encodeCol(b, &text.Col{Ints: l.Rank})
		}
	}
	return b
}

func encodeCol(b []byte, c *text.Col) []byte {
	switch {
	case c.Ints != nil:
		b = append(b, 1)
	case c.Strs != nil:
		b = append(b, 2)
	case c.Floats != nil:
		b = append(b, 3)
	default:
		return append(b, 0)
	}
	return appendCol(b, c)
}

// resultReader reads a result, which may be damaged.
type resultReader struct {
	b   []byte
	bad bool
}

func (r *resultReader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	x := r.b[0]
	r.b = r.b[1:]
	return x
}

func (r *resultReader) uvarint() uint64 {
	x, k := binary.Uvarint(r.b)
	if k <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[k:]
	return x
}

func (r *resultReader) col(n int) text.Col {
	var c text.Col
	switch r.byte() {
	case 1:
		if n > len(r.b) {
			r.bad = true
			return c
		}
		c.Ints = make([]int32, n)
		for i := range c.Ints {
			c.Ints[i] = int32(uint32(r.uvarint()))
		}
	case 2:
		if n > len(r.b) {
			r.bad = true
			return c
		}
		c.Strs = make([]string, n)
		for i := range c.Strs {
			k := r.uvarint()
			if k > uint64(len(r.b)) {
				r.bad = true
				return c
			}
			c.Strs[i], r.b = string(r.b[:k]), r.b[k:]
		}
	case 3:
		if n > len(r.b)/8 {
			r.bad = true
			return c
		}
		c.Floats = make([]float64, n)
		for i := range c.Floats {
			c.Floats[i], r.b = math.Float64frombits(binary.LittleEndian.Uint64(r.b)), r.b[8:]
		}
	}
	return c
}

// DecodeResult sets the written layers of a unit from a stored result.
func DecodeResult(b []byte, u []*text.Document, writes []kind.LayerUse, def func(string) *text.LayerDef) error {
	r := &resultReader{b: b}
	for _, d := range u {
		for _, w := range writes {
			if r.byte() == 0 {
				if w.Layer != "tokens" || w.CutsText() {
					d.DropLayer(w.Layer)
				}
				continue
			}
			n := r.uvarint()
			if n > 1<<31 || r.bad {
				return errResult
			}
			l := text.NewLayer(def(w.Layer))
			l.N = int(n)
			if w.Layer == "tokens" && !w.CutsText() {
				old := d.Layer("tokens")
				if old == nil || old.N != l.N {
					return errResult
				}
				copy(l.Cols, old.Cols)
			}
			for c := range columnsOf(l.Def, w) {
				l.Cols[c] = r.col(l.N)
			}
			l.Prob, l.Rank = r.col(l.N).Floats, r.col(l.N).Ints
			if r.bad || !sliceText(d, l) {
				return errResult
			}
			d.SetLayer(l)
		}
	}
	if r.bad || len(r.b) != 0 {
		return errResult
	}
	return nil
}

// sliceText fills the text of spans and reports whether the offsets fit the document.
func sliceText(d *text.Document, l *text.Layer) bool {
	if !l.Def.Spans {
		return true
	}
	start, end := l.Ints("char_start"), l.Ints("char_end")
	if len(start) != l.N || len(end) != l.N {
		return l.N == 0
	}
	out := make([]string, l.N)
	for i := range out {
		if start[i] < 0 || start[i] > end[i] || int(end[i]) > len(d.Text) {
			return false
		}
		out[i] = d.Text[start[i]:end[i]]
	}
	l.SetStrs("text", out)
	return true
}
