package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/value"
	"parlance/storage/value/pg"
)

// pgcopy is the text format of PostgreSQL's COPY: a row a line, special characters after a
// backslash.
type pgcopy struct {
	delimiter string
	null      string
	header    bool

	buf, cell []byte
}

func (p *pgcopy) Options(o *option.Set) {
	o.Text(&p.delimiter, "delimiter", "tab", "character of one byte that separates values, or tab")
	o.Text(&p.null, "null", `\N`, "what stands for NULL")
	o.Bool(&p.header, "header", false, "whether the first line names the columns; it is skipped when it is read")
	o.Check("delimiter", p.separator)
	o.Check("null", p.absent)
}

// separator checks the delimiter.
func (p *pgcopy) separator() error {
	if p.delimiter == "tab" {
		p.delimiter = "\t"
	}
	// Letters and digits mean something else behind a backslash.
	if len(p.delimiter) != 1 || p.delimiter[0] >= 0x80 ||
		strings.Contains("\\\r\n.abcdefghijklmnopqrstuvwxyz0123456789N", p.delimiter) {
		return fmt.Errorf("delimiter takes one character of ASCII other than backslash, line end, dot, N, digits and small "+
			"letters, or tab, not '%s'", p.delimiter)
	}
	return nil
}

// absent checks what represents NULL.
func (p *pgcopy) absent() error {
	if p.null == `\.` || strings.ContainsAny(p.null, p.delimiter+"\r\n") {
		return fmt.Errorf(`null is \. or contains a line end or the delimiter`)
	}
	return nil
}

func (p *pgcopy) ByPlace() bool { return true }

func (p *pgcopy) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	for first := true; ; first = false {
		line, n, err := p.line(src)
		if err == io.EOF || err == nil && string(line) == `\.` {
			return nil
		}
		if err != nil {
			return err
		}
		if first && p.header {
			continue
		}
		row, err := p.parse(src, line, n, columns)
		if err != nil {
			return err
		}
		if err := emit(row, n); err != nil {
			return err
		}
	}
}

// line returns the next line with those that a backslash at its end ties to it.
func (p *pgcopy) line(src *codec.Source) ([]byte, int, error) {
	line, n, err := src.Next()
	if err != nil || !tied(line) {
		return line, n, err
	}
	p.buf = append(p.buf[:0], line...)
	for tied(p.buf) {
		line, _, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, n, err
		}
		p.buf = append(append(p.buf, '\n'), line...)
		if len(p.buf) > codec.MaxLine {
			return nil, n, src.Fault(n, 0, "the row is longer than %d MB", codec.MaxLine>>20)
		}
	}
	return p.buf, n, nil
}

// tied reports whether a line ends with a backslash that is not itself behind one.
func tied(line []byte) bool {
	return (len(line)-len(bytes.TrimRight(line, `\`)))%2 == 1
}

func (p *pgcopy) parse(src *codec.Source, line []byte, n int, columns []codec.Column) ([]value.Value, error) {
	row := make([]value.Value, len(columns))
	rest, more := line, true
	for i, c := range columns {
		if !more {
			return nil, src.Fault(n, 0, "%d {value|values} for %d {column|columns}, column %s is missing", i, len(columns),
				c.Name)
		}
		var raw []byte
		raw, rest, more = p.cut(rest)
		if string(raw) == p.null {
			continue
		}
		v, err := pg.ReadText(p.unescape(raw), c.Type)
		if err != nil {
			return nil, src.Fault(n, 0, "column %s: %v", c.Name, err)
		}
		row[i] = v
	}
	if more {
		return nil, src.Fault(n, 0, "more than %d {value|values} for %d {column|columns}", len(columns), len(columns))
	}
	return row, nil
}

// cut divides a line at the first delimiter that does not stand behind a backslash.
func (p *pgcopy) cut(line []byte) (before, after []byte, found bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case p.delimiter[0]:
			return line[:i], line[i+1:], true
		}
	}
	return line, nil, false
}

// escapes are what letters mean behind a backslash.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// unescape returns a value, valid until the next call.
func (p *pgcopy) unescape(raw []byte) []byte {
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return raw
	}
	out := append(p.cell[:0], raw[:at]...)
	for i := at; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' || i+1 == len(raw) {
			out = append(out, c)
			continue
		}
		i++
		switch c = raw[i]; {
		case '0' <= c && c <= '7':
			b, n := escapedByte(raw[i:], 8, 3)
			out, i = append(out, b), i+n-1
		case c == 'x':
			b, n := escapedByte(raw[i+1:], 16, 2)
			if n == 0 {
				b = c
			}
			out, i = append(out, b), i+n
		case escapes[c] != 0:
			out = append(out, escapes[c])
		default:
			out = append(out, c)
		}
	}
	p.cell = out
	return out
}

// escapedByte reads up to most digits of a base as a byte, and counts them.
func escapedByte(raw []byte, base, most int) (b byte, n int) {
	for n < len(raw) && n < most {
		d := strings.IndexByte("0123456789abcdef", raw[n]|0x20)
		if raw[n] < 'A' {
			d = strings.IndexByte("0123456789", raw[n])
		}
		if d < 0 || d >= base {
			break
		}
		b, n = b*byte(base)+byte(d), n+1
	}
	return b, n
}

func (p *pgcopy) Begin(w io.Writer, columns []codec.Column) error {
	if !p.header {
		return nil
	}
	p.buf = p.buf[:0]
	for i, c := range columns {
		p.append(i, []byte(c.Name))
	}
	return p.flush(w)
}

func (p *pgcopy) Row(w io.Writer, _ []codec.Column, row []value.Value) error {
	p.buf = p.buf[:0]
	for i, v := range row {
		if v.IsNull() {
			p.separate(i)
			p.buf = append(p.buf, p.null...)
			continue
		}
		p.cell = pg.AppendText(p.cell[:0], v)
		p.append(i, p.cell)
	}
	return p.flush(w)
}

func (p *pgcopy) separate(i int) {
	if i > 0 {
		p.buf = append(p.buf, p.delimiter...)
	}
}

// append writes value i of a row. The first character of one that reads like NULL, or like the
// mark that files in UTF-8 may begin with, is written by the numbers of its bytes.
func (p *pgcopy) append(i int, v []byte) {
	p.separate(i)
	at := len(p.buf)
	p.escape(v)
	if len(v) > 0 && (string(p.buf[at:]) == p.null || i == 0 && bytes.HasPrefix(v, []byte("\xef\xbb\xbf"))) {
		p.buf = p.buf[:at]
		_, n := utf8.DecodeRune(v)
		for _, b := range v[:n] {
			p.buf = fmt.Appendf(p.buf, `\x%02x`, b)
		}
		p.escape(v[n:])
	}
}

func (p *pgcopy) escape(v []byte) {
	delimiter, done := p.delimiter[0], 0
	for i, c := range v {
		if c > '\r' && c != '\\' && c != delimiter {
			continue
		}
		p.buf = append(p.buf, v[done:i]...)
		done = i + 1
		switch c {
		case '\b', '\f', '\n', '\r', '\t', '\v':
			p.buf = append(p.buf, '\\', "btnvfr"[c-'\b'])
		case '\\', delimiter:
			p.buf = append(p.buf, '\\', c)
		default:
			p.buf = append(p.buf, c)
		}
	}
	p.buf = append(p.buf, v[done:]...)
}

func (p *pgcopy) flush(w io.Writer) error {
	p.buf = append(p.buf, '\n')
	_, err := w.Write(p.buf)
	return err
}
