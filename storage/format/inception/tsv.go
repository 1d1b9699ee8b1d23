package inception

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/format/offset"
)

// tsvLayer is a layer that the head of a file declares, with its columns.
type tsvLayer struct {
	kind     string // SP, CH or RL
	name     string
	features []string
	base     string         // of relations
	from     int            // its first column
	places   map[int][2]int // of its numbered annotations, made when a relation asks
}

// columns is how many a layer has.
func (l *tsvLayer) columns() int {
	if l.kind == "RL" {
		return len(l.features) + 1
	}
	return len(l.features)
}

// slot reports whether a feature holds the roles of a slot, whose targets are in the next column.
func slot(feature string) bool { return strings.HasPrefix(feature, "ROLE_") }

// tsvUnit is a token or a part of one: a row.
type tsvUnit struct {
	id    string
	place [2]int
	line  int
	cells []string
}

// tsvReader is a file on its way.
type tsvReader struct {
	c       *inception
	unit    string // of offsets
	layers  []*tsvLayer
	in      *inceptionDocument
	content strings.Builder
	length  int // of the content, in the unit
	units   []tsvUnit
	byID    map[string]int
	text    []string // lines #Text of the sentence that begins
	begin   int      // of the sentence: its first byte and its offset
	offset  int
	table   *offset.Table // of the sentence
	columns int
	gaps    int            // characters that may still stand between sentences
	ended   func() error   // why reading is to end, or nil
	linkAt  map[string]int // links of chains, by chain and number
}

// errUnit is an error that another unit of offsets may mend.
var errUnit = errors.New("")

func (c *inception) readTSV(src *codec.Source, whole string) (*inceptionDocument, error) {
	in, line, err := c.tsvIn(whole, src.Stem(), c.offsets, src.Ending())
	if err == nil || line == 0 {
		return in, err
	}
	fault := src.Fault(line, 0, "%v", err)
	if errors.Is(err, errUnit) {
		for _, other := range offset.Units {
			if other == c.offsets {
				continue
			}
			probe := &inception{take: c.take}
			if _, _, err := probe.tsvIn(whole, "", other, src.Ending()); err == nil {
				fault.(*codec.Error).Hint = "WITH (offsets = '" + other + "') would fit"
				break
			}
		}
	}
	return nil, fault
}

// tsvIn reads a file with offsets of a unit; line is the one of a fault, 0 for the end of the context.
func (c *inception) tsvIn(whole, id, unit string, ended func() error) (in *inceptionDocument, line int, err error) {
	r := &tsvReader{c: c, unit: unit, in: &inceptionDocument{id: id}, byID: map[string]int{}, ended: ended,
		gaps: maxGap + len(whole)}
	for l := range strings.SplitSeq(whole, "\n") {
		line++
		if err := r.looks(line); err != nil {
			return nil, 0, err
		}
		if err := r.line(line, strings.TrimSuffix(l, "\r")); err != nil {
			return nil, line, err
		}
	}
	if len(r.text) > 0 {
		return nil, line, fmt.Errorf("the file ends before the tokens of its last sentence")
	}
	r.in.text = r.content.String()
	for _, l := range r.layers {
		if line, err := r.layer(l); err != nil {
			return nil, line, err
		}
	}
	slices.SortStableFunc(r.in.spans, func(a, b inceptionSpan) int { return a.start - b.start })
	return r.in, 0, nil
}

// looks looks at the context, each 1,024th time.
func (r *tsvReader) looks(n int) error {
	if n&1023 != 0 || r.ended == nil {
		return nil
	}
	return r.ended()
}

var tsvUnitID = regexp.MustCompile(`^[0-9]+-[0-9]+(\.[0-9]+)?$`)

func (r *tsvReader) line(n int, line string) error {
	switch {
	case n == 1:
		version, ok := strings.CutPrefix(line, "#FORMAT=WebAnno TSV ")
		if !ok || !strings.HasPrefix(version, "3") {
			return fmt.Errorf("version 3 of TSV is read, which begins with #FORMAT=WebAnno TSV 3, not %q", line)
		}
	case strings.HasPrefix(line, "#T_"):
		return r.declare(strings.TrimPrefix(line, "#T_"))
	case strings.HasPrefix(line, "#Text="):
		r.text = append(r.text, tsvUnescape(strings.TrimPrefix(line, "#Text=")))
	case strings.HasPrefix(line, "#") || line == "":
	default:
		return r.row(n, line)
	}
	return nil
}

// declare reads a layer of the head.
func (r *tsvReader) declare(s string) error {
	kind, rest, _ := strings.Cut(s, "=")
	parts := strings.Split(rest, "|")
	l := &tsvLayer{kind: kind, name: parts[0], features: parts[1:], from: r.columns}
	switch {
	case l.name == "" || !slices.Contains([]string{"SP", "CH", "RL"}, kind):
		return fmt.Errorf("#T_%s declares no layer such as #T_SP=type|feature", s)
	case len(r.units) > 0 || len(r.text) > 0:
		return fmt.Errorf("layers are declared before the text")
	case kind == "RL":
		last := len(parts) - 1
		base, ok := strings.CutPrefix(parts[last], "BT_")
		if !ok {
			return fmt.Errorf("the relation %s names no BT_ and type at its end", l.name)
		}
		l.features, l.base = parts[1:last], base
	case kind == "CH" && len(l.features) != 2:
		return fmt.Errorf("the chain %s has two features", l.name)
	}
	if len(l.features) == 0 && kind != "RL" {
		l.features = []string{""}
	}
	r.layers, r.columns = append(r.layers, l), r.columns+l.columns()
	return nil
}

// row reads a token or a part of one.
func (r *tsvReader) row(n int, line string) error {
	cells := strings.Split(line, "\t")
	if len(cells) == r.columns+4 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) != r.columns+3 || !tsvUnitID.MatchString(cells[0]) {
		return fmt.Errorf("a row has a number such as 1-1, offsets, the text, and %d columns of the layers; this has "+
			"%d cells", r.columns, len(cells))
	}
	a, z, _ := strings.Cut(cells[1], "-")
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(z)
	if err1 != nil || err2 != nil || from < 0 || to < from {
		return fmt.Errorf("%q are no offsets such as 0-5", cells[1])
	}
	if len(r.text) > 0 {
		if err := r.sentence(from, cells[2]); err != nil {
			return err
		}
	}
	if r.table == nil {
		return fmt.Errorf("a sentence begins with a line #Text=")
	}
	begin, end := r.table.Byte(from-r.offset), r.table.Byte(to-r.offset)
	part := strings.Contains(cells[0], ".")
	fits := begin >= 0 && end >= begin
	if fits && !part {
		covered := r.content.String()[r.begin:][begin:end]
		fits = covered == cells[2] || covered == tsvUnescape(cells[2])
	}
	if !fits {
		return fmt.Errorf("%s is not at %s of the text%w", cells[2], cells[1], errUnit)
	}
	place := [2]int{r.begin + begin, r.begin + end}
	if _, ok := r.byID[cells[0]]; ok {
		return fmt.Errorf("%s stands twice", cells[0])
	}
	if last := len(r.in.tokens) - 1; !part {
		if last >= 0 && place[0] < r.in.tokens[last][1] || place[0] == place[1] {
			return fmt.Errorf("token %s is empty, or begins before the one above ends", cells[0])
		}
		r.in.tokens = append(r.in.tokens, place)
	}
	r.byID[cells[0]] = len(r.units)
	r.units = append(r.units, tsvUnit{cells[0], place, n, cells[3:]})
	return nil
}

// maxGap bounds what may stand between the sentences of a file beyond its own length, in line ends.
const maxGap = 1 << 16

// sentence begins one, by the offset of its first token. What stands between sentences is not in the file: it becomes
// line ends.
func (r *tsvReader) sentence(from int, form string) error {
	s := strings.Join(r.text, "\n")
	r.text = nil
	lead := strings.Index(s, form)
	if lead < 0 {
		lead = strings.Index(s, tsvUnescape(form))
	}
	if lead < 0 {
		return fmt.Errorf("%q is not in the text of its sentence", form)
	}
	r.offset = from - offset.NewTable(s[:lead], r.unit).Count()
	gap := r.offset - r.length
	if gap < 0 {
		return fmt.Errorf("the sentence begins at %d, before the end of the one above%w", r.offset, errUnit)
	}
	if r.gaps -= gap; r.gaps < 0 {
		return fmt.Errorf("%d characters that are not in the file stand before the sentence by its offsets", gap)
	}
	r.content.WriteString(strings.Repeat("\n", gap))
	r.begin = r.content.Len()
	r.content.WriteString(s)
	r.table = offset.NewTable(s, r.unit)
	r.length = r.offset + r.table.Count()
	r.in.sentences = append(r.in.sentences, [2]int{r.begin, r.content.Len()})
	return nil
}

// tsvValue is an annotation in a cell: a value, and the number that tells annotations of a layer apart, 0 for none.
type tsvValue struct {
	value  string // with its escapes
	number int
}

// tsvValues reads a cell.
func tsvValues(cell string) (out []tsvValue) {
	if cell == "_" || cell == "" {
		return nil
	}
	for _, s := range cutEscaped(cell, '|') {
		v := tsvValue{value: s}
		if at := strings.LastIndexByte(s, '['); at >= 0 && strings.HasSuffix(s, "]") && !escapedAt(s, at) &&
			!escapedAt(s, len(s)-1) {
			if n, err := strconv.Atoi(s[at+1 : len(s)-1]); err == nil && n > 0 {
				v = tsvValue{s[:at], n}
			}
		}
		out = append(out, v)
	}
	return out
}

// escapedAt reports whether a byte stands behind an odd number of backslashes.
func escapedAt(s string, at int) bool {
	n := 0
	for at-n > 0 && s[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// cutEscaped cuts at a byte that stands behind no backslash.
func cutEscaped(s string, sep byte) (out []string) {
	from := 0
	for i := range len(s) {
		if s[i] == sep && !escapedAt(s, i) {
			out, from = append(out, s[from:i]), i+1
		}
	}
	return append(out, s[from:])
}

// tsvPlain is a value without its escapes; * is an empty one.
func tsvPlain(s string) string {
	if s == "*" {
		return ""
	}
	return tsvUnescape(s)
}

// tsvUnescape turns escapes into characters: \t, \n, \r, \f, \b, \u and four hexadecimal digits as in versions 3.0 and
// 3.1, and any other character behind a backslash.
func tsvUnescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	var units []uint16 // of \u, which may be halves of pairs
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+5 < len(s) && s[i+1] == 'u' {
			if n, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil && n != 0 {
				units, i = append(units, uint16(n)), i+5
				continue
			}
		}
		flushUnits(&b, &units)
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if at := strings.IndexByte("tnrfb", s[i]); at >= 0 {
			b.WriteByte("\t\n\r\f\b"[at])
		} else {
			b.WriteByte(s[i])
		}
	}
	flushUnits(&b, &units)
	return b.String()
}
