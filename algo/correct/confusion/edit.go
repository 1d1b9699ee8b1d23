package confusion

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/text"
)

// Edit replaces tokens [Start, End) by words, apart by blanks.
type Edit struct {
	Start, End int
	Words      string
}

// Compare orders edits by place.
func (e Edit) Compare(o Edit) int {
	return cmp.Or(cmp.Compare(e.Start, o.Start), cmp.Compare(e.End, o.End), strings.Compare(e.Words, o.Words))
}

// Clashes tells whether two edits cannot both be made: they share tokens, or insert at one place.
func (e Edit) Clashes(o Edit) bool {
	if e.Start == e.End && o.Start == o.End {
		return e.Start == o.Start
	}
	return e.Start < o.End && o.Start < e.End
}

// Option is an edit with the label of what it puts into the slot.
type Option struct {
	Edit
	Label int
	Fill  string // what then stands in the slot, in lower case, "" for nothing
}

// Candidate is a slot, tokens [Slot, SlotEnd), with what was written there and what else could stand there.
type Candidate struct {
	Slot, SlotEnd int
	Source        int    // label of what was written
	Fill          string // what was written, in lower case
	Options       []Option
}

// Cut leaves words out of an edit that it begins and ends with as they are.
func Cut(forms []string, e Edit) Edit {
	words := text.Fields(e.Words)
	for e.Start < e.End && len(words) > 0 && words[0] == forms[e.Start] {
		e.Start, words = e.Start+1, words[1:]
	}
	for e.Start < e.End && len(words) > 0 && words[len(words)-1] == forms[e.End-1] {
		e.End, words = e.End-1, words[:len(words)-1]
	}
	e.Words = strings.Join(words, " ")
	return e
}

// Gold is the edits of one annotator in a sentence.
type Gold struct {
	Edits []Edit // cut, in order, each with one of its alternatives
	Types []string
	Count int // edits, of which alternatives count once
}

// noop is the type of an edit that says that nothing is wrong.
const noop = "noop"

// Golds reads the edits of a document by the first annotator of each sentence. Edits that replace words by
// themselves, errors that nobody has corrected, are left out and counted.
func Golds(d *text.Document, list []*Sentence) []Gold {
	out := make([]Gold, len(list))
	l, toks := d.Layer(text.Edits.Name), d.Layer(text.Tokens.Name)
	if l == nil || toks == nil {
		return out
	}
	sent, start, end, who := l.Ints("sent"), l.Ints("char_start"), l.Ints("char_end"), l.Ints("annotator")
	corrections, types := l.Strs("correction"), l.Strs("type")
	first := map[int32]int32{}
	bySent := map[int32][]int{}
	for i := range l.N {
		if who != nil {
			if a, ok := first[sent[i]]; !ok || who[i] < a {
				first[sent[i]] = who[i]
			}
		}
		bySent[sent[i]] = append(bySent[sent[i]], i)
	}
	for k, s := range list {
		for _, i := range bySent[int32(s.Number)] {
			if who != nil && who[i] != first[sent[i]] {
				continue
			}
			kind, written := "", ""
			if types != nil {
				kind = types[i]
			}
			if corrections != nil {
				written = corrections[i]
			}
			if kind != noop {
				out[k].add(s, toks, int(start[i]), int(end[i]), written, kind)
			}
		}
		out[k].sort()
	}
	return out
}

// add adds the alternatives of an edit of bytes [start, end).
func (g *Gold) add(s *Sentence, toks *text.Layer, start, end int, written, kind string) {
	starts, ends := toks.Ints("char_start"), toks.Ints("char_end")
	from := 0
	for from < len(s.Forms) && int(ends[s.Row+from]) <= start {
		from++
	}
	to := from
	if start < end || from < len(s.Forms) && int(starts[s.Row+from]) < start {
		for to < len(s.Forms) && int(starts[s.Row+to]) < end {
			to++
		}
	}
	g.Count++
	for _, w := range strings.Split(written, "||") {
		if w == "-NONE-" {
			w = ""
		}
		e := Cut(s.Forms, Edit{from, to, strings.Join(text.Fields(w), " ")})
		if e.Start < e.End || e.Words != "" {
			g.Edits, g.Types = append(g.Edits, e), append(g.Types, kind)
		}
	}
}

func (g *Gold) sort() {
	order := make([]int, len(g.Edits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return g.Edits[a].Compare(g.Edits[b]) })
	edits, types := make([]Edit, len(order)), make([]string, len(order))
	for i, k := range order {
		edits[i], types[i] = g.Edits[k], g.Types[k]
	}
	g.Edits, g.Types = edits, types
}

// Has tells whether an edit is among the gold ones.
func (g *Gold) Has(e Edit) bool {
	_, ok := slices.BinarySearchFunc(g.Edits, e, Edit.Compare)
	return ok
}

// Label is the label that is right at a candidate: of the option that gold has, else the source. usable is false where
// gold changes the slot in a way that no option has.
func (g *Gold) Label(c *Candidate) (label int, usable bool) {
	for _, o := range c.Options {
		if g.Has(o.Edit) {
			return o.Label, true
		}
	}
	for _, e := range g.Edits {
		if e.Clashes(Edit{Start: c.Slot, End: c.SlotEnd}) {
			return c.Source, false
		}
	}
	return c.Source, true
}

// Change is what an edit puts, and what stood there; (nothing) where that is empty.
func (s *Sentence) Change(e Edit) (edited, written string) {
	edited, written = e.Words, strings.Join(s.Forms[e.Start:e.End], " ")
	if edited == "" {
		edited = "(nothing)"
	}
	if written == "" {
		written = "(nothing)"
	}
	return edited, written
}
