package table

import (
	"fmt"
	"io"
	"strings"

	"parlance/storage/format/codec"
)

// part is a value of a record.
type part struct {
	text   string
	quoted bool
	lines  bool // it holds the end of a line of the file
}

// records reads records of separated values: those in quotes may hold delimiters and line ends,
// and quotes that are doubled.
type records struct {
	src       *codec.Source
	delimiter string
	quote     string // what begins and ends a value in quotes; "" where a quote is a character as any other
	blank     bool   // a blank line is a record of one empty value, else it is none
	ended     bool   // a line \. ends the records

	line, end string // the line at hand, its end
	parts     []part // of the last record
}

// advance reads a line.
func (r *records) advance() (int, error) {
	line, n, err := r.src.Full()
	if err != nil {
		return n, err
	}
	all := string(line)
	r.line = strings.TrimSuffix(strings.TrimSuffix(all, "\n"), "\r")
	r.end = all[len(r.line):]
	return n, nil
}

// next returns the next record, which is valid until the next call, and its line; io.EOF at the end.
func (r *records) next() ([]part, int, error) {
	first, err := r.advance()
	for err == nil && r.line == "" && !r.blank {
		first, err = r.advance()
	}
	if err != nil {
		return nil, first, err
	}
	if r.ended && r.line == `\.` {
		return nil, first, io.EOF
	}
	r.parts = r.parts[:0]
	at := 0
	for {
		var c part
		if r.quote != "" && strings.HasPrefix(r.line[at:], r.quote) {
			c, at, err = r.quoted(at)
		} else {
			c, at, err = r.bare(at)
		}
		if err != nil {
			return nil, first, err
		}
		if r.parts = append(r.parts, c); at == len(r.line) {
			return r.parts, first, nil
		}
		at += len(r.delimiter)
	}
}

// bare returns the value without quotes at a place of the line, and the place behind it.
func (r *records) bare(at int) (part, int, error) {
	v := r.line[at:]
	if i := strings.Index(v, r.delimiter); i >= 0 {
		v = v[:i]
	}
	if r.quote != "" {
		if i := strings.Index(v, r.quote); i >= 0 {
			return part{}, 0, r.fault(r.src.Line(), at+i+1, "a value that does not begin with %s holds one")
		}
	}
	return part{text: v}, at + len(v), nil
}

// quoted returns the value in quotes at a place of the line, and the place behind it.
func (r *records) quoted(at int) (part, int, error) {
	at += len(r.quote)
	var b strings.Builder
	lines := false
	for {
		rest := r.line[at:]
		i := strings.Index(rest, r.quote)
		if i < 0 {
			lines = true
			b.WriteString(rest)
			b.WriteString(r.end)
			n, col := r.src.Line(), len(r.line)+len(r.end)+1
			switch _, err := r.advance(); {
			case err == io.EOF:
				return part{}, 0, r.fault(n, col, "a value that begins with %s has no second one at its end")
			case err != nil:
				return part{}, 0, err
			}
			at = 0
			continue
		}
		b.WriteString(rest[:i])
		at += i + len(r.quote)
		switch rest = rest[i+len(r.quote):]; {
		case strings.HasPrefix(rest, r.quote):
			b.WriteString(r.quote)
			at += len(r.quote)
		case rest == "" || strings.HasPrefix(rest, r.delimiter):
			return part{b.String(), true, lines}, at, nil
		default:
			return part{}, 0, r.fault(r.src.Line(), at, "text follows the %s that ends a value; one within a value stands twice")
		}
	}
}

// fault is an error about quotes, with a hint for files that have none.
func (r *records) fault(line, column int, msg string) error {
	return &codec.Error{File: r.src.Name, Line: line, Col: column, Msg: fmt.Sprintf(msg, r.quote),
		Hint: "WITH (quote = '') where a quote is a character as any other"}
}
