package layers

import "parlance/algo/text"

// EntityAt is the span of a row of entities.
func EntityAt(l *text.Layer, i int) Span {
	return Span{int(l.Ints("char_start")[i]), int(l.Ints("char_end")[i]), TextIn(l, "label", i)}
}

// TextIn is a value of a column of texts, "" where the layer has no such column.
func TextIn(l *text.Layer, column string, i int) string {
	if v := l.Strs(column); v != nil {
		return v[i]
	}
	return ""
}

// CellOf is a value of a column as files of columns have it: _ for none.
func CellOf(v []string, i int) string {
	if v == nil || v[i] == "" {
		return "_"
	}
	return v[i]
}

// CellIn is a text of a layer, "" in a column without values.
func CellIn(l *text.Layer, column, row int) string {
	if v := l.Cols[column].Strs; v != nil {
		return v[row]
	}
	return ""
}

// TokenCells are columns of tokens on their way.
type TokenCells struct {
	Names []string
	cols  [][]string
}

// Add notes the cells of a token, one a column; _ is missing.
func (c *TokenCells) Add(cells ...string) {
	if c.cols == nil {
		c.cols = make([][]string, len(c.Names))
	}
	for i, v := range cells {
		if v == "_" {
			v = ""
		}
		c.cols[i] = append(c.cols[i], v)
	}
}

// Set gives the tokens the columns that have a value.
func (c *TokenCells) Set(toks *text.Layer) {
	for i, col := range c.cols {
		for _, v := range col {
			if v != "" {
				toks.SetStrs(c.Names[i], col)
				break
			}
		}
	}
}

// MayLack reports whether a column of integers may be missing in all rows of a document: what follows from others, or
// is not known.
func MayLack(def *text.LayerDef, column string) bool {
	switch column {
	case "annotator", "mention":
		return true
	case "sent":
		return def == text.Edits || def == text.Relations || def == text.Mentions
	case "tok_start", "tok_end":
		return def == text.Mentions
	}
	return false
}
