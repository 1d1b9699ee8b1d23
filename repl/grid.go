package repl

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/jedib0t/go-pretty/v6/text"
)

// column is a column of a grid.
type column struct {
	name  string
	right bool // values stand at the right
	most  int  // wider values are broken into lines; 0 is no bound
}

// grid draws rows below the names of their columns. Widths are those of a terminal that draws
// characters of several code points as one.
func grid(columns []column, rows [][]string) string {
	widths := make([]int, len(columns))
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = c.name
		widths[i] = text.StringWidth(c.name)
	}
	broken := make([][][]string, len(rows))
	for r, row := range rows {
		broken[r] = make([][]string, len(row))
		for i, s := range row {
			broken[r][i] = wrap(s, columns[i].most)
			for _, line := range broken[r][i] {
				widths[i] = max(widths[i], text.StringWidth(line))
			}
		}
	}
	var b strings.Builder
	drawLine(&b, columns, widths, header)
	for i, n := range widths {
		if i > 0 {
			b.WriteString("┼")
		}
		b.WriteString(strings.Repeat("─", n+2))
	}
	b.WriteByte('\n')
	line := make([]string, len(columns))
	for _, row := range broken {
		for k, more := 0, true; more; k++ {
			more = false
			for i, lines := range row {
				if line[i] = ""; k < len(lines) {
					line[i] = lines[k]
				}
				more = more || k+1 < len(lines)
			}
			drawLine(&b, columns, widths, line)
		}
	}
	return b.String()
}

// drawLine draws one line of a row, without blanks at its end.
func drawLine(b *strings.Builder, columns []column, widths []int, line []string) {
	var one strings.Builder
	for i, s := range line {
		if i > 0 {
			one.WriteString("│")
		}
		blanks := strings.Repeat(" ", widths[i]-text.StringWidth(s))
		if columns[i].right {
			one.WriteString(" " + blanks + s + " ")
		} else {
			one.WriteString(" " + s + blanks + " ")
		}
	}
	b.WriteString(strings.TrimRight(one.String(), " "))
	b.WriteByte('\n')
}

// wrap breaks a text into lines of at most so many cells, at blanks where there are some.
func wrap(s string, most int) []string {
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
		if c == " " {
			blank, before = at, width
		}
	}
	return append(out, strings.TrimRight(s[begin:], " "))
}
