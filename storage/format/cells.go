package format

import "parlance/algo/text"

func entityRow(l *text.Layer, i int) charSpan {
	return charSpan{int(l.Ints("char_start")[i]), int(l.Ints("char_end")[i]), textIn(l, "label", i)}
}

// textIn is a value of a column of texts, "" where the layer has no such column.
func textIn(l *text.Layer, column string, i int) string {
	if v := l.Strs(column); v != nil {
		return v[i]
	}
	return ""
}

func cellOf(v []string, i int) string {
	if v == nil || v[i] == "" {
		return "_"
	}
	return v[i]
}

// cellIn is a text of a layer, "" in a column without values.
func cellIn(l *text.Layer, column, row int) string {
	if v := l.Cols[column].Strs; v != nil {
		return v[row]
	}
	return ""
}

// tokenCells are columns of tokens on their way.
type tokenCells struct {
	names []string
	cols  [][]string
}

// add notes the cells of a token, one a column; _ is missing.
func (c *tokenCells) add(cells ...string) {
	if c.cols == nil {
		c.cols = make([][]string, len(c.names))
	}
	for i, v := range cells {
		if v == "_" {
			v = ""
		}
		c.cols[i] = append(c.cols[i], v)
	}
}

// set gives the tokens the columns that have a value.
func (c *tokenCells) set(toks *text.Layer) {
	for i, col := range c.cols {
		for _, v := range col {
			if v != "" {
				toks.SetStrs(c.names[i], col)
				break
			}
		}
	}
}

// mayLack reports whether a column of integers may be missing in all rows of a document: what follows from others, or
// is not known.
func mayLack(def *text.LayerDef, column string) bool {
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
