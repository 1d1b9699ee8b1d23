package repl

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/jedib0t/go-pretty/v6/text"
)

// column is a column of a grid.
type column struct {
	name  string
	names []string // the name in lines; nil for one
	right bool     // values stand at the right
	most  int      // wider values are broken into lines; 0 is no bound
	cut   bool     // words that are wider, and what takes many lines, end in …
}

// ruler are the signs that lines of tables are made of.
type ruler struct{ across, down, cross, top, bottom, left, right string }

var (
	unicodeRuler = ruler{"─", "│", "┼", "┌┬┐", "└┴┘", "├", "┤"}
	asciiRuler   = ruler{"-", "|", "+", "+++", "+++", "+", "+"}
)

// drawing is a table that is being drawn.
type drawing struct {
	strings.Builder
	columns []column
	widths  []int
	ruler
	border int
}

// grid draws rows below the names of their columns; more tells whether values are cut. Widths are those of a terminal
// that draws characters of several code points as one.
func grid(columns []column, rows [][]string, l look) (table string, more bool) {
	d := &drawing{columns: columns, widths: make([]int, len(columns)), ruler: unicodeRuler, border: l.border}
	if l.ascii {
		d.ruler = asciiRuler
	}
	header := make([][]string, len(columns))
	for i, c := range columns {
		if header[i] = c.names; header[i] == nil {
			header[i] = []string{c.name}
		}
		for _, line := range header[i] {
			if !l.bare {
				d.widths[i] = max(d.widths[i], text.StringWidth(line))
			}
		}
	}
	broken := make([][][]string, len(rows))
	for r, row := range rows {
		broken[r] = make([][]string, len(row))
		for i, s := range row {
			lines, cut := columns[i].fit(s)
			broken[r][i], more = lines, more || cut
			for _, line := range broken[r][i] {
				d.widths[i] = max(d.widths[i], text.StringWidth(line))
			}
		}
	}
	d.frame(d.top)
	if !l.bare {
		d.row(header)
		d.rule(d.left, d.cross, d.right)
	}
	for _, row := range broken {
		d.row(row)
	}
	d.frame(d.bottom)
	return d.String(), more
}

// frame draws the line above or below a table with a frame, of three signs.
func (d *drawing) frame(signs string) {
	if s := []rune(signs); d.border == 2 {
		d.rule(string(s[0]), string(s[1]), string(s[2]))
	}
}

// rule draws a line across.
func (d *drawing) rule(left, cross, right string) {
	for i, n := range d.widths {
		switch {
		case d.border == 0 && i > 0:
			d.WriteString(" ")
		case d.border == 2 && i == 0:
			d.WriteString(left)
		case i > 0:
			d.WriteString(cross)
		}
		d.WriteString(strings.Repeat(d.across, n+2*min(d.border, 1)))
	}
	if d.border == 2 {
		d.WriteString(right)
	}
	d.WriteByte('\n')
}

// row draws a row, whose values are broken into lines.
func (d *drawing) row(row [][]string) {
	line := make([]string, len(d.columns))
	for k, more := 0, true; more; k++ {
		more = false
		for i, lines := range row {
			if line[i] = ""; k < len(lines) {
				line[i] = lines[k]
			}
			more = more || k+1 < len(lines)
		}
		d.line(line)
	}
}

// line draws one line of a row, without blanks at its end.
func (d *drawing) line(line []string) {
	var one strings.Builder
	margin := strings.Repeat(" ", min(d.border, 1))
	for i, s := range line {
		switch {
		case d.border == 0 && i > 0:
			one.WriteString(" ")
		case i > 0 || d.border == 2:
			one.WriteString(d.down)
		}
		fill := strings.Repeat(" ", d.widths[i]-text.StringWidth(s))
		if d.columns[i].right {
			one.WriteString(margin + fill + s + margin)
		} else {
			one.WriteString(margin + s + fill + margin)
		}
	}
	if d.border == 2 {
		one.WriteString(d.down)
	}
	d.WriteString(strings.TrimRight(one.String(), " "))
	d.WriteByte('\n')
}

// wrap breaks a text into lines of at most n cells, at blanks where there are some; 0 is no bound.
func wrap(s string, most int) []string {
	return wrapBehind(s, most, func(string) bool { return false })
}

// wrapBehind breaks a text as wrap does, and behind what else may end a line.
func wrapBehind(s string, most int, ends func(s string) bool) []string {
	if most <= 0 || len(s) <= most || text.StringWidth(s) <= most {
		return []string{s}
	}
	var out []string
	begin, at, width := 0, 0, 0 // of the line
	blank, before := 0, 0       // the place behind the last blank, the width up to there
	for it := graphemes.FromString(s); it.Next(); {
		c := it.Value()
		w := text.StringWidth(c)
		for c != " " && width+w > most && at > begin {
			if blank > begin {
				out = append(out, strings.TrimRight(s[begin:blank], " "))
				begin, width = blank, width-before
			} else {
				out = append(out, s[begin:at])
				begin, width = at, 0
			}
		}
		at, width = at+len(c), width+w
		if c == " " || ends(s[:at]) {
			blank, before = at, width
		}
	}
	return append(out, strings.TrimRight(s[begin:], " "))
}
