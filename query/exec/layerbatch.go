package exec

import (
	"math"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Rows makes a batch of the rows that documents have in the layer of a node. Columns that the node does not need stay
// empty.
func (r *Execution) Rows(n *plan.Layer, docs []*text.Document) *value.Batch {
	return r.layOut(n, docs, make([]value.Vec, len(n.Columns())))
}

// layOut is Rows into empty columns.
func (r *Execution) layOut(n *plan.Layer, docs []*text.Document, into []value.Vec) *value.Batch {
	cols := n.Columns()
	b := &value.Batch{Cols: into}
	if n.Def == nil {
		b.N = len(docs)
		for i := range cols {
			if n.Need[i] {
				b.Cols[i] = documentColumn(docs, n, i)
			}
		}
		return b
	}
	var memory [1]*text.Layer
	layers := memory[:]
	if len(docs) != 1 {
		layers = make([]*text.Layer, len(docs))
	}
	for i, d := range docs {
		if l := d.Layer(n.Name); l != nil {
			layers[i] = l
			b.N += l.N
		}
	}
	for i, c := range cols {
		switch {
		case !n.Need[i]:
		case n.Number(i) && !c.Document:
			b.Cols[i] = rowNumbers(layers, b.N)
		case i == 0 || c.Document:
			b.Cols[i] = repeated(docs, layers, n, i, b.N)
		case c.Name == "prob" && i > len(n.Def.Columns):
			b.Cols[i] = probColumn(layers, b.N)
		case c.Name == "rank" && i > len(n.Def.Columns):
			b.Cols[i] = rankColumn(layers, b.N)
		default:
			b.Cols[i] = layerColumn(docs, layers, n.Def, i-1, b.N)
		}
	}
	return b
}

// repeated is column i of the documents, repeated for each of their rows.
func repeated(docs []*text.Document, layers []*text.Layer, n *plan.Layer, i, total int) value.Vec {
	name := n.Columns()[i].Name
	out := make([]value.Value, 0, total)
	for k, d := range docs {
		if layers[k] == nil {
			continue
		}
		v := documentValue(d, n, i, name)
		for range layers[k].N {
			out = append(out, v)
		}
	}
	return value.FromValues(n.Columns()[i].Type, out)
}

// probColumn is the column prob, NULL where a layer has none.
func probColumn(layers []*text.Layer, total int) value.Vec {
	v := value.Vec{Type: value.Float, Floats: make([]float64, 0, total)}
	for _, l := range layers {
		if l == nil {
			continue
		}
		for i := range l.N {
			if l.Prob == nil || math.IsNaN(l.Prob[i]) {
				if v.Null == nil {
					v.Null = make([]bool, total)
				}
				v.Null[len(v.Floats)] = true
				v.Floats = append(v.Floats, 0)
				continue
			}
			v.Floats = append(v.Floats, l.Prob[i])
		}
	}
	return v
}

// rankColumn is the column rank, 1 where a layer has none.
func rankColumn(layers []*text.Layer, total int) value.Vec {
	v := value.Vec{Type: value.Integer, Ints: make([]int64, 0, total)}
	for _, l := range layers {
		if l == nil {
			continue
		}
		for i := range l.N {
			rank := int64(1)
			if l.Rank != nil {
				rank = int64(l.Rank[i])
			}
			v.Ints = append(v.Ints, rank)
		}
	}
	return v
}

// layerColumn is column c of the definition of a layer, for all rows.
func layerColumn(docs []*text.Document, layers []*text.Layer, def *text.LayerDef, c, total int) value.Vec {
	col := def.Columns[c]
	out := value.Vec{Type: col.Type}
	switch col.Type {
	case value.Integer:
		out.Ints = make([]int64, 0, total)
		for k, l := range layers {
			if l == nil {
				continue
			}
			if l.Cols[c].Ints == nil && col.Stored() {
				markNull(&out, len(out.Ints), l.N, total)
			}
			out.Ints = appendInts(out.Ints, docs[k], l, c)
		}
	case value.Float:
		out.Floats = make([]float64, 0, total)
		for _, l := range layers {
			if l == nil {
				continue
			}
			if l.Cols[c].Floats == nil {
				out.Floats = append(out.Floats, make([]float64, l.N)...)
				continue
			}
			out.Floats = append(out.Floats, l.Cols[c].Floats...)
		}
		out.NullNaN()
	default:
		out.Strs = make([]string, 0, total)
		for k, l := range layers {
			if l != nil {
				out.Strs = appendStrs(out.Strs, docs[k], l, c)
			}
		}
		markMissing(&out, col)
	}
	return out
}

// markNull makes n values from a place on NULL, of total values.
func markNull(v *value.Vec, from, n, total int) {
	if v.Null == nil {
		v.Null = make([]bool, total)
	}
	for i := range n {
		v.Null[from+i] = true
	}
}

// markMissing makes empty strings NULL, unless the column is a part of the text.
func markMissing(v *value.Vec, c text.Column) {
	if c.Role != text.Plain {
		return
	}
	for i, s := range v.Strs {
		if s == "" {
			if v.Null == nil {
				v.Null = make([]bool, len(v.Strs))
			}
			v.Null[i] = true
		}
	}
}

// appendInts appends an integer column of a layer; offsets become code points.
func appendInts(dst []int64, d *text.Document, l *text.Layer, c int) []int64 {
	ints := l.Cols[c].Ints
	if ints == nil {
		return append(dst, make([]int64, l.N)...)
	}
	if l.Def.Columns[c].Role == text.Offset {
		return AppendCodePoints(dst, d.Text, ints)
	}
	for _, x := range ints {
		dst = append(dst, int64(x))
	}
	return dst
}

// AppendCodePoints appends byte offsets in s as offsets in code points. It counts from the last offset while they
// ascend.
func AppendCodePoints(dst []int64, s string, offsets []int32) []int64 {
	at, count := 0, 0
	for _, o := range offsets {
		to := min(int(o), len(s))
		if to < at {
			at, count = 0, 0
		}
		count += utf8.RuneCountInString(s[at:to])
		at = to
		dst = append(dst, int64(count))
	}
	return dst
}

// appendStrs appends a text column of a layer: what is stored, a slice of the text, or the form of a token.
func appendStrs(dst []string, d *text.Document, l *text.Layer, c int) []string {
	switch l.Def.Columns[c].Role {
	case text.Slice:
		from := l.Def.Columns[c].From
		start, end := l.Ints(from+"_start"), l.Ints(from+"_end")
		for i := range l.N {
			s := ""
			if start != nil && end != nil && start[i] <= end[i] {
				s = d.Text[start[i]:end[i]]
			}
			dst = append(dst, s)
		}
		return dst
	case text.OfToken:
		return appendForms(dst, d, l)
	}
	if l.Cols[c].Strs == nil {
		return append(dst, make([]string, l.N)...)
	}
	return append(dst, l.Cols[c].Strs...)
}

// appendForms appends the form of the token that each row names by the columns sent and tok.
func appendForms(dst []string, d *text.Document, l *text.Layer) []string {
	toks := d.Layer("tokens")
	if toks == nil {
		return append(dst, make([]string, l.N)...)
	}
	bounds := d.SentenceTokens()
	sent, tok, forms := l.Ints("sent"), l.Ints("tok"), toks.Strs("form")
	for i := range l.N {
		form := ""
		if s := int(sent[i]); s >= 1 && s < len(bounds) {
			if row := int(bounds[s-1]) + int(tok[i]) - 1; row >= 0 && row < len(forms) {
				form = forms[row]
			}
		}
		dst = append(dst, form)
	}
	return dst
}

// rowNumbers numbers the rows of layers from 0 within their documents.
func rowNumbers(layers []*text.Layer, total int) value.Vec {
	v := value.Vec{Type: value.Integer, Ints: make([]int64, 0, total)}
	for _, l := range layers {
		if l == nil {
			continue
		}
		for i := range l.N {
			v.Ints = append(v.Ints, int64(i))
		}
	}
	return v
}
