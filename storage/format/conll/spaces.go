package conll

import (
	"strconv"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/layers"
)

// Attributes of MISC say what stands between tokens: SpaceAfter=No nothing, SpacesAfter what stands after a
// token, SpacesBefore what stands before it; without them it is a blank, a line feed after a sentence, and a blank line
// before a paragraph.
const (
	spaceAfter   = "SpaceAfter"
	spacesAfter  = "SpacesAfter"
	spacesBefore = "SpacesBefore"
)

var (
	escapeSpaces   = strings.NewReplacer(`\`, `\\`, " ", `\s`, "\t", `\t`, "\r", `\r`, "\n", `\n`, "|", `\p`)
	unescapeSpaces = strings.NewReplacer(`\\`, `\`, `\s`, " ", `\t`, "\t", `\r`, "\r", `\n`, "\n", `\p`, "|")
	oneLine        = strings.NewReplacer("\n", " ", "\r", " ")
)

// after is what misc says to stand after a token; false: it does not say.
func after(misc string) (gap string, ok bool) {
	if !strings.Contains(misc, "After=") {
		return "", false
	}
	if v := attribute(misc, spacesAfter); v != "" {
		return unescapeSpaces.Replace(v), true
	}
	return "", attribute(misc, spaceAfter) == "No"
}

// before is what misc says to stand before a token beside what stands after the one before it.
func before(misc string) string {
	if !strings.Contains(misc, "SpacesBefore=") {
		return ""
	}
	return unescapeSpaces.Replace(attribute(misc, spacesBefore))
}

// withAttribute is misc with an attribute, or without it where the value is "".
func withAttribute(misc, name, v string) string {
	var out []string
	for a := range strings.SplitSeq(misc, "|") {
		if a != "" && a != "_" && !strings.HasPrefix(a, name+"=") {
			out = append(out, a)
		}
	}
	if v != "" {
		out = append(out, name+"="+v)
	}
	if out == nil {
		return "_"
	}
	return strings.Join(out, "|")
}

// spacing is the MISC of the tokens of a document, made to say what its text has between them.
type spacing struct {
	d     *text.Document
	units []unit
	at    map[int]int // places of units by their first rows
	kept  *keptLines
	last  int32 // sentence
}

// unit is a token, or several that share their text.
type unit struct {
	sent      int32
	from, to  int32
	misc      string
	joined    bool   // it is a multiword token
	paragraph string // what a comment says to stand before it
}

// newSpacing compares what a reader would make of MISC with the text. Where tokens lie over each other MISC
// stays as it is.
func newSpacing(d *text.Document, toks *text.Layer, bounds []int32, words *text.Layer) *spacing {
	p := &spacing{d: d, at: map[int]int{}, kept: keptOf(words), last: int32(len(bounds) - 1)}
	start, end := toks.Cols[2].Ints, toks.Cols[3].Ints
	over := false
	for s := int32(1); int(s) < len(bounds); s++ {
		first, past := int(bounds[s-1]), int(bounds[s])
		for i := first; i < past; {
			u := unit{sent: s, from: start[i], to: end[i], misc: layers.CellOf(toks.Strs("misc"), i)}
			if i == first {
				u.paragraph = p.kept.paragraphs[s]
			}
			n := 1
			if m, ok := p.kept.joined[tokenKey{s, i - first + 1}]; ok {
				n = min(m.tokens, past-i)
				u.misc, u.to, u.joined = m.misc, end[i+n-1], true
			}
			over = over || len(p.units) > 0 && u.from < p.units[len(p.units)-1].to
			p.at[i] = len(p.units)
			p.units = append(p.units, u)
			i += n
		}
	}
	for i := range p.units {
		if !over {
			p.space(i)
		}
	}
	return p
}

type tokenKey struct {
	sent int32
	tok  int
}

// multiword is what a line of a multiword token says.
type multiword struct {
	tokens int
	misc   string
}

// keptLines is what the layer words keeps of the text.
type keptLines struct {
	joined     map[tokenKey]multiword // by their first tokens
	paragraphs map[int32]string       // what comments say to stand before sentences
	sentences  map[int32]bool         // those with lines
}

func keptOf(words *text.Layer) *keptLines {
	out := &keptLines{map[tokenKey]multiword{}, map[int32]string{}, map[int32]bool{}}
	for k := 0; words != nil && k < words.N; k++ {
		sent, id, line := words.Cols[0].Ints[k], layers.CellIn(words, 1, k), layers.CellIn(words, 2, k)
		out.sentences[sent] = true
		if id == "" {
			out.paragraphs[sent] = max(out.paragraphs[sent], paragraphGap(line))
		}
		a, z, ok := strings.Cut(id, "-")
		if !ok {
			continue
		}
		first, err1 := strconv.Atoi(a)
		last, err2 := strconv.Atoi(z)
		if err1 == nil && err2 == nil && first <= last {
			out.joined[tokenKey{sent, first}] = multiword{last - first + 1, line[strings.LastIndexByte(line, '\t')+1:]}
		}
	}
	return out
}

// lines is what a reader makes of the sentences without tokens before a sentence: a line each, if they have comments.
func (p *spacing) lines(from, to int32) string {
	n := 0
	for s := from + 1; s < to; s++ {
		if p.kept.sentences[s] {
			n++
		}
	}
	return strings.Repeat("\n", n)
}

// space makes the MISC of a unit say what stands after it, if a reader would take that for something else; that
// of the first one, what stands before it.
func (p *spacing) space(i int) {
	u, d := &p.units[i], p.d
	if lead := d.Text[:u.from]; i == 0 && lead != before(u.misc) {
		u.misc = withAttribute(u.misc, spacesBefore, escapeSpaces.Replace(lead))
	}
	said, ok := after(u.misc)
	usual, more, end, lines := "", "", len(d.Text), p.lines(u.sent, p.last+1)
	if i+1 < len(p.units) {
		next := &p.units[i+1]
		usual, more, end, lines = " ", before(next.misc), int(next.from), p.lines(u.sent, next.sent)
		if next.sent != u.sent {
			usual = "\n"
		}
		switch {
		case next.paragraph == "":
		case lines != "": // the last of them stands before the paragraph
			lines += next.paragraph[1:]
		default:
			usual, ok = next.paragraph, ok && said != ""
		}
	}
	if !ok {
		said = usual
	}
	gap := d.Text[u.to:end]
	if said+lines+more == gap {
		return
	}
	if more != "" {
		p.units[i+1].misc = withAttribute(p.units[i+1].misc, spacesBefore, "")
	}
	u.misc = withAttribute(withAttribute(u.misc, spaceAfter, ""), spacesAfter, "")
	switch gap = strings.TrimSuffix(gap, lines); gap {
	case usual:
	case "":
		u.misc = withAttribute(u.misc, spaceAfter, "No")
	default:
		u.misc = withAttribute(u.misc, spacesAfter, escapeSpaces.Replace(gap))
	}
}

// misc is the MISC of the token of a row; words of a multiword token keep theirs.
func (p *spacing) misc(row int, own string) string {
	if k, ok := p.at[row]; ok && !p.units[k].joined {
		return p.units[k].misc
	}
	return own
}

// line is the line of a multiword token that begins at a row.
func (p *spacing) line(row int, line string) string {
	if k, ok := p.at[row]; ok && p.units[k].joined {
		return line[:strings.LastIndexByte(line, '\t')+1] + p.units[k].misc
	}
	return line
}

// text is the text of the tokens of some rows as the comment has it: white space between them is a blank.
func (p *spacing) text(from, to int) string {
	var b strings.Builder
	last := -1
	for i := from; i < to; i++ {
		k, ok := p.at[i]
		if !ok {
			continue
		}
		if last >= 0 && p.units[last].to <= p.units[k].from {
			gap := p.d.Text[p.units[last].to:p.units[k].from]
			if gap != "" && strings.TrimSpace(gap) == "" {
				gap = " "
			}
			b.WriteString(oneLine.Replace(gap))
		}
		b.WriteString(oneLine.Replace(p.d.Text[p.units[k].from:p.units[k].to]))
		last = k
	}
	return b.String()
}
