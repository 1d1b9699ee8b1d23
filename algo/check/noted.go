package check

import (
	"fmt"
	"strconv"
	"strings"

	"parlance/algo/text"
)

// noted reports what readers of files noted in the layer words: spans that no row holds as they are.
type noted struct{ c *Checker }

func newNoted(c *Checker, _ int) detector { return &noted{c} }

func (*noted) finish() bool { return false }

func (x *noted) add(d *view) {
	l := d.Layer(text.Words.Name)
	if l == nil {
		return
	}
	ids, lines := strs(l, "id"), strs(l, "line")
	for i := range l.N {
		if ids == nil || lines == nil {
			return
		}
		layer, rest, ok := strings.Cut(lines[i], " ")
		if !ok || !x.c.reads(layer) {
			continue
		}
		switch ids[i] {
		case text.PartsRow:
			x.c.report("span-parts", d, layer+" "+rest, "a span of the parts %s is one row from the first to the last",
				parts(d.Text, rest))
		case text.EmptyRow:
			x.c.report("mention-empty", d, layer, "a mention of %s covers no token, only empty nodes", excerpt(rest))
		}
	}
}

// parts quotes the parts of a text that offsets in code points such as 0 5;15 20 name.
func parts(s, offsets string) string {
	runes := []rune(s)
	var out []string
	for part := range strings.SplitSeq(offsets, ";") {
		from, to, _ := strings.Cut(part, " ")
		a, err1 := strconv.Atoi(from)
		z, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || a < 0 || z < a || z > len(runes) {
			return fmt.Sprintf("%q", offsets)
		}
		out = append(out, excerpt(string(runes[a:z])))
	}
	return strings.Join(out, " and ")
}
