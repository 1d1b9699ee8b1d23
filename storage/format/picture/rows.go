package picture

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

// pictureRows makes documents of rows that are those of a layer, a document at a time.
type pictureRows struct {
	def   *text.LayerDef
	at    map[string]int // columns by name
	loose bool           // columns that are not shown are left out
	emit  func(*text.Document) error
	group [2]string // doc and rank of the rows at hand
	rows  [][]value.Value
}

// Columns beside those of a layer: the text of the document, or of the sentence of a span and where it begins.
const (
	documentText  = "document_text"
	sentenceText  = "sentence_text"
	sentenceStart = "sentence_start"
)

// layer finds the layer whose columns these are: all that a picture needs and none that it does
// not show. Spans need the text of the document where whole is true.
func (p *pictureRows) layer(columns []codec.Column, whole bool) bool {
	p.at = map[string]int{}
	for i, c := range columns {
		if _, twice := p.at[c.Name]; !twice {
			p.at[c.Name] = i
		} else if !p.loose {
			return false
		}
	}
	for _, c := range []struct {
		def  *text.LayerDef
		need string
	}{
		{text.Dependencies, "tok form head"},
		{text.Constituents, "node parent label char_start char_end text"},
		{text.Mentions, "cluster char_start char_end"},
		{text.Edits, "correction char_start char_end"},
		{text.Roles, "predicate label char_start char_end"},
		{text.Relations, "label subject_start subject_end object_start object_end"},
		{text.Entities, "label char_start char_end"},
	} {
		need := strings.Fields(c.need)
		if c.def != text.Dependencies && c.def != text.Constituents {
			if whole {
				need = append(need, documentText)
			} else {
				need = append(need, p.source(c.def)...)
			}
		}
		if p.fits(columns, c.def, need) {
			p.def = c.def
			return true
		}
	}
	return false
}

// textless is an error for spans whose text is not among the columns, nil for others.
func (p *pictureRows) textless(columns []codec.Column) error {
	whole := func(name string) bool { i, ok := p.at[name]; return ok && columns[i].Type == value.Integer }
	named := slices.ContainsFunc([]string{"label", "cluster", "correction"}, func(name string) bool {
		_,
			ok := p.at[name]
		return ok
	})
	if !named || !(whole("char_start") && whole("char_end") || whole("subject_start") && whole("object_start")) {
		return nil
	}
	return errors.New("these are spans without their text: select the column doc of a layer too, or text, or the text " +
		"of the document as in " +
		"SELECT d.text AS document_text, e.* FROM docs d JOIN docs.entities e ON e.doc = d.id")
}

// source are the columns with the text that spans are in.
func (p *pictureRows) source(def *text.LayerDef) []string {
	has := func(name string) bool { _, ok := p.at[name]; return ok }
	switch {
	case has(documentText):
		return nil
	case has(sentenceText) && has(sentenceStart):
		return []string{sentenceStart}
	case def == text.Relations:
		return []string{documentText}
	}
	return []string{covered(def)}
}

// covered is the column with the text of a span.
func covered(def *text.LayerDef) string {
	if def == text.Edits {
		return "source"
	}
	return "text"
}

func (p *pictureRows) fits(columns []codec.Column, def *text.LayerDef, need []string) bool {
	for _, n := range need {
		if _, ok := p.at[n]; !ok {
			return false
		}
	}
	for _, c := range columns {
		t := value.Text
		switch i := def.Index(c.Name); {
		case i >= 0:
			t = def.Columns[i].Type
		case c.Name == "rank" || c.Name == sentenceStart:
			t = value.Integer
		case c.Name == "doc" || (c.Name == documentText || c.Name == sentenceText) && def != text.Dependencies &&
			def != text.Constituents:
		default:
			if p.loose {
				continue
			}
			return false
		}
		if c.Type != t && (!p.loose || slices.Contains(need, c.Name)) {
			return false
		}
	}
	return true
}

func (p *pictureRows) text(row []value.Value, name string) string {
	if i, ok := p.at[name]; ok && !row[i].IsNull() {
		return row[i].String()
	}
	return ""
}

// number is a whole value, or missing.
func (p *pictureRows) number(row []value.Value, name string, missing int) int {
	if i, ok := p.at[name]; ok && row[i].T == value.Integer {
		return int(max(min(row[i].Int(), 1<<30), -1<<30))
	}
	return missing
}

// add takes a row; one of another document makes a document of those before.
func (p *pictureRows) add(row []value.Value) error {
	group := [2]string{p.text(row, "doc"), p.text(row, "rank")}
	if len(p.rows) > 0 && group != p.group {
		if err := p.flush(); err != nil {
			return err
		}
	}
	p.group = group
	p.rows = append(p.rows, slices.Clone(row))
	return nil
}

// flush makes a document of the rows at hand.
func (p *pictureRows) flush() error {
	if len(p.rows) == 0 {
		return nil
	}
	d := &text.Document{ID: p.group[0]}
	if p.group[1] != "" {
		d.Fields = append(d.Fields, text.Field{Name: "rank", Value: value.Str(p.group[1])})
	}
	var err error
	switch {
	case p.def == text.Dependencies:
		err = p.dependencies(d)
	default:
		err = p.spans(d)
	}
	p.rows = p.rows[:0]
	if err != nil {
		return err
	}
	return p.emit(d)
}

// dependencies makes sentences of the forms. An arc whose head is not among the rows comes from
// above, and its label names the head.
func (p *pictureRows) dependencies(d *text.Document) error {
	slices.SortStableFunc(p.rows, func(a, b []value.Value) int {
		return cmp.Or(cmp.Compare(p.number(a, "sent", 1), p.number(b, "sent", 1)), cmp.Compare(p.number(a, "tok", 0),
			p.number(b, "tok", 0)))
	})
	b, place := layers.Builder{}, map[[2]int]int32{}
	for i, row := range p.rows {
		at := [2]int{p.number(row, "sent", 1), p.number(row, "tok", 0)}
		if i == 0 || p.number(p.rows[i-1], "sent", 1) != at[0] {
			b.Sentence()
		}
		if _, twice := place[at]; twice {
			return fmt.Errorf("document %s: sentence %d has two rows of token %d; WITH (draw = false) writes a table", d.ID,
				at[0], at[1])
		}
		b.Token(p.text(row, "form"), false)
		place[at] = b.Tok[len(b.Tok)-1]
	}
	made, toks := b.Document(d.ID)
	d.Text, d.Layers = made.Text, made.Layers
	l := text.NewLayer(text.Dependencies)
	l.N = len(p.rows)
	heads, rels, sents := make([]int32, l.N), make([]string, l.N), make([]int32, l.N)
	for i, row := range p.rows {
		sent, head := p.number(row, "sent", 1), p.number(row, "head", -1)
		rels[i], sents[i] = p.text(row, "deprel"), int32(sent) // the number that the corpus has
		heads[i] = min(int32(head), 0)
		if h, ok := place[[2]int{sent, head}]; ok && head > 0 {
			heads[i] = h
		} else if head > 0 {
			rels[i], heads[i] = strings.TrimSpace(fmt.Sprintf("%s ← %d", rels[i], head)), 0
		}
	}
	l.Cols[1].Ints = toks.Cols[1].Ints
	l.SetInts("sent", sents)
	toks.SetInts("sent", sents)
	l.SetInts("head", heads)
	l.SetStrs("deprel", rels)
	d.SetLayer(l)
	return nil
}

// spans makes a layer of rows with offsets. Without the text of the document it is made of the
// texts of the rows, with … where nothing is known.
func (p *pictureRows) spans(d *text.Document) error {
	if _, ok := p.at[documentText]; ok {
		d.Text = p.text(p.rows[0], documentText)
	}
	// A document without rows in the layer joins as one row of NULLs.
	first := p.def.Columns[slices.IndexFunc(p.def.Columns, func(c text.Column) bool { return c.Role == text.Offset })].Name
	rows := slices.DeleteFunc(p.rows, func(r []value.Value) bool { return p.number(r, first, -1) < 0 })
	var place func(int) int
	_, whole := p.at[documentText]
	_, sentences := p.at[sentenceText]
	switch {
	case whole:
		place = func(n int) int { return offset.ByteAt(d.Text, n) }
	case sentences:
		d.Text, place = p.assemble(rows, sentenceStart, sentenceText)
	default:
		d.Text, place = p.assemble(rows, first, covered(p.def))
	}
	l := text.NewLayer(p.def)
	l.N = len(rows)
	for c, col := range p.def.Columns {
		if !col.Stored() || col.Name == "tok_start" || col.Name == "tok_end" {
			continue
		}
		for i, row := range rows {
			switch {
			case col.Role == text.Offset:
				at := place(p.number(row, col.Name, -1))
				if at < 0 {
					return fmt.Errorf("document %s: %s of row %d lies outside the text", d.ID, col.Name, i+1)
				}
				l.Cols[c].Ints = append(l.Cols[c].Ints, int32(at))
			case col.Type == value.Integer:
				missing := 0
				if col.Name == "sent" {
					missing = 1
				}
				l.Cols[c].Ints = append(l.Cols[c].Ints, int32(p.number(row, col.Name, missing)))
			default:
				l.Cols[c].Strs = append(l.Cols[c].Strs, p.text(row, col.Name))
			}
		}
	}
	d.SetLayer(l)
	return nil
}

// assemble puts the texts of rows at their places, both of which columns have, and returns what turns offsets in code
// points into bytes.
func (p *pictureRows) assemble(rows [][]value.Value, start, covered string) (string, func(int) int) {
	order := slices.Clone(rows)
	slices.SortStableFunc(order, func(a, b []value.Value) int {
		return cmp.Compare(p.number(a, start, 0), p.number(b,
			start, 0))
	})
	var b strings.Builder
	at := map[int]int{} // byte of each known offset
	end := 0            // offset up to which the text is known
	for i, row := range order {
		from := p.number(row, start, 0)
		if gap := from - end; gap > 0 || i == 0 {
			switch {
			case gap == 1:
				b.WriteByte(' ')
			case gap > 1 && i == 0:
				b.WriteString("… ")
			case gap > 1:
				b.WriteString(" … ")
			}
			end = from
		}
		for k, r := range []rune(p.text(row, covered)) {
			if from+k == end {
				at[end] = b.Len()
				b.WriteRune(r)
				end++
			}
		}
		at[end] = b.Len()
	}
	return b.String(), func(n int) int {
		if v, ok := at[n]; ok {
			return v
		}
		return -1
	}
}
