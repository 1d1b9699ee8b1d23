package conll

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/layers"
)

// CoNLL-U Plus: the first line of a file names its columns, in any order, such as
// # global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE
// Those of CoNLL-U become the layers that they are of; others are kept in the layer words. _ is what is not annotated,
// * what is annotated as nothing.

const columnsHeader = "# global.columns ="

// Ids of rows of words that hold what the columns of CoNLL-U do not.
const (
	plusRow  = "COLUMNS"  // sentence 0: names of the columns, a line feed, what the other columns usually have
	cellsRow = " COLUMNS" // after the id of a line: its other columns, where they are not the usual ones
	starsRow = " EMPTY"   // after the id of a line: the columns of CoNLL-U that are *
)

// conlluColumns are the ten of CoNLL-U.
var conlluColumns = []string{"ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"}

// plusColumns are the columns of a file of CoNLL-U Plus.
type plusColumns struct {
	header string
	of     []int // of each column, the place in CoNLL-U, or -1
	id     bool  // the file numbers tokens
	others int   // columns that CoNLL-U has not
}

// newPlusColumns reads the names in a header.
func newPlusColumns(header string) (*plusColumns, error) {
	p := &plusColumns{header: strings.TrimSpace(header)}
	names := text.Fields(header)
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			return nil, fmt.Errorf("global.columns names %s twice", n)
		}
		at := slices.Index(conlluColumns, n)
		if p.of = append(p.of, at); at < 0 {
			p.others++
		}
	}
	if !slices.Contains(p.of, 1) {
		return nil, fmt.Errorf("global.columns names no FORM")
	}
	p.id = slices.Contains(p.of, 0)
	return p, nil
}

// plusReader turns lines of CoNLL-U Plus into those of CoNLL-U.
type plusReader struct {
	columns *plusColumns
	usual   string // other columns of the first line
	seen    bool   // it is known
}

// begin takes the columns of a header.
func (p *plusReader) begin(header string) (err error) {
	p.columns, err = newPlusColumns(header)
	return err
}

// line is a line of CoNLL-U with its other columns, and the names of those columns of CoNLL-U that are *. number is
// that of the next token.
func (p *plusReader) line(line string, number int) (standard, others string, stars []string, err error) {
	cells := strings.Split(line, "\t")
	if len(cells) != len(p.columns.of) {
		return "", "", nil, fmt.Errorf("%d columns, global.columns names %d", len(cells), len(p.columns.of))
	}
	f := slices.Repeat([]string{"_"}, len(conlluColumns))
	if !p.columns.id {
		f[0] = fmt.Sprint(number)
	}
	var more []string
	for i, v := range cells {
		at := p.columns.of[i]
		switch {
		case v == "":
			return "", "", nil, fmt.Errorf("column %d is empty; _ stands for nothing", i+1)
		case at < 0:
			more = append(more, v)
		case v == "*" && at > 2: // a form or lemma may be an asterisk
			stars = append(stars, conlluColumns[at])
		default:
			f[at] = v
		}
	}
	return strings.Join(f, "\t"), strings.Join(more, "\t"), stars, nil
}

// plus reads a line of a file that names its columns.
func (r *conlluReader) plusLine(at int, line string) error {
	standard, others, stars, err := r.plus.line(line, r.bd.Next())
	if err != nil {
		return r.b.Fault(at, 0, "%v", err)
	}
	r.begin() // the number of the sentence is known
	id, _, _ := strings.Cut(standard, "\t")
	if r.plus.columns.others > 0 && !r.plus.seen {
		r.plus.usual, r.plus.seen = others, true
	}
	if others != r.plus.usual {
		r.word(id+cellsRow, others)
	}
	if stars != nil {
		r.word(id+starsRow, strings.Join(stars, " "))
	}
	return r.standardLine(at, standard)
}

// keepPlus notes the columns of the file.
func (r *conlluReader) keepPlus() {
	if r.plus.columns != nil {
		r.kept.Add(0, plusRow, r.plus.columns.header+"\n"+r.plus.usual)
	}
}

// writePlus writes a document with the columns that words keeps; false where it keeps none.
func (c *conllup) writePlus(w io.Writer, d *text.Document) (bool, error) {
	words := layers.Kept(d)
	header, usual, ok := strings.Cut(words.Rows[layers.KeptKey{Sent: 0, Id: plusRow}], "\n")
	if !ok {
		return false, nil
	}
	columns, err := newPlusColumns(header)
	if err != nil {
		return false, nil // words were changed by hand
	}
	c.asIs = true
	defer func() { c.asIs = false }()
	var plain, out bytes.Buffer
	if err := c.write(&plain, d, nil); err != nil {
		return true, err
	}
	lines := strings.Split(strings.TrimSuffix(plain.String(), "\n"), "\n")
	if c.header != header && !slices.ContainsFunc(lines, func(l string) bool {
		return strings.HasPrefix(l, columnsHeader)
	}) {
		fmt.Fprintln(&out, columnsHeader, header)
	}
	c.header = header
	sentence := int32(1)
	for _, line := range lines {
		switch {
		case line == "":
			sentence++
		case line[0] != '#':
			line = columns.line(strings.Split(line, "\t"), words, sentence, usual)
		}
		out.WriteString(line)
		out.WriteByte('\n')
	}
	_, err = w.Write(out.Bytes())
	return true, err
}

// line is a line of CoNLL-U with the columns of the file.
func (p *plusColumns) line(f []string, words layers.KeptWords, sentence int32, usual string) string {
	others, ok := words.Rows[layers.KeptKey{Sent: sentence, Id: f[0] + cellsRow}]
	if !ok {
		others = usual
	}
	more := strings.Split(others, "\t")
	stars := text.Fields(words.Rows[layers.KeptKey{Sent: sentence, Id: f[0] + starsRow}])
	out := make([]string, len(p.of))
	for i, at := range p.of {
		switch {
		case at < 0 && len(more) > 0 && more[0] != "":
			out[i], more = more[0], more[1:]
		case at < 0:
			out[i] = "_"
		case f[at] == "_" && slices.Contains(stars, conlluColumns[at]):
			out[i] = "*"
		default:
			out[i] = f[at]
		}
	}
	return strings.Join(out, "\t")
}
