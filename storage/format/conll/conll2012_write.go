package conll

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// conll2012Writer is the lines of a document.
type conll2012Writer struct {
	d      *text.Document
	toks   *text.Layer
	name   string
	part   int64 // -1 without one
	trees  map[int32][]layers.Node
	frames map[int32][]*frame
	spans  map[int32][]labelled
	coref  map[int32][]labelled
	ner    bool
	bounds []int32
	b      bytes.Buffer
}

func (c *conll2012) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	t := conll2012Writer{d: d, toks: toks, bounds: d.SentenceTokens()}
	if err := t.prepare(); err != nil {
		return err
	}
	words := layers.Kept(d)
	n := len(t.bounds) - 1
	if l := d.Layer("sentences"); l != nil {
		n = max(n, l.N)
	}
	fmt.Fprintf(&t.b, "%s (%s)%s\n", beginDocument, t.name, t.header())
	for s := 1; s <= n; s++ {
		for _, c := range words.Comments[int32(s)] {
			if !strings.HasPrefix(c, beginDocument) && !strings.HasPrefix(c, endDocument) {
				fmt.Fprintln(&t.b, c)
			}
		}
		if s >= len(t.bounds) || t.bounds[s] == t.bounds[s-1] {
			continue
		}
		if err := t.sentence(int32(s)); err != nil {
			return err
		}
	}
	t.b.WriteString(endDocument + "\n")
	_, err := w.Write(t.b.Bytes())
	return err
}

// header is the part of the document after its name, if it has one.
func (t *conll2012Writer) header() string {
	if t.part < 0 {
		return ""
	}
	return fmt.Sprintf("; part %03d", t.part)
}

// prepare finds name and part, and the rows of each sentence.
func (t *conll2012Writer) prepare() (err error) {
	t.name, t.part = t.d.ID, -1
	if v := t.d.Field("part"); v.T == value.Integer && v.Int() >= 0 && v.Int() <= math.MaxInt32 {
		if t.part = v.Int(); t.part > 0 {
			t.name = strings.TrimSuffix(t.name, "/"+v.String())
		}
	}
	if t.name == "" || strings.HasPrefix(t.name, "#") || strings.ContainsAny(t.name, "\t\r\n") ||
		text.Trim(t.name) != t.name {
		return fmt.Errorf("document %q: its id is no name of this format", t.d.ID)
	}
	if t.trees, err = layers.Trees(t.d); err != nil {
		return err
	}
	var ok bool
	if t.frames, ok = frames(t.d); !ok {
		return fmt.Errorf("document %s: its roles name no tokens", t.d.ID)
	}
	t.ner = t.d.Layer("entities") != nil
	if t.spans, ok = ranges(t.d, "entities", "label"); !ok {
		return fmt.Errorf("document %s: its entities name no tokens", t.d.ID)
	}
	if t.coref, ok = ranges(t.d, "mentions", "cluster"); !ok {
		return fmt.Errorf("document %s: its mentions name no tokens or no cluster", t.d.ID)
	}
	return nil
}

// ranges is the labelled ranges of tokens of each sentence; false if the layer names none.
func ranges(d *text.Document, layer, label string) (map[int32][]labelled, bool) {
	l := d.Layer(layer)
	if l == nil || l.N == 0 {
		return nil, true
	}
	sent, first, last, labels := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end"), l.Strs(label)
	if sent == nil || first == nil || last == nil || labels == nil {
		return nil, false
	}
	out := map[int32][]labelled{}
	bounds := d.SentenceTokens()
	for i := range l.N {
		s := sent[i]
		if s < 1 || int(s) >= len(bounds) || first[i] < 1 || last[i] < first[i] || last[i] > bounds[s]-bounds[s-1] {
			return nil, false
		}
		out[s] = append(out[s], labelled{labels[i], first[i], last[i]})
	}
	return out, true
}

// sentence writes the tokens of a sentence.
func (t *conll2012Writer) sentence(s int32) error {
	from, n := t.bounds[s-1], t.bounds[s]-t.bounds[s-1]
	columns := [][]string{treeCells(t.trees[s], n), nil}
	if columns[0] == nil {
		return fmt.Errorf("document %s: a label of the tree of sentence %d does not fit: round brackets and * end it",
			t.d.ID, s)
	}
	var ok bool
	if columns[1], ok = bracketCells(t.spans[s], n); !ok {
		return fmt.Errorf("document %s: the entities of sentence %d cross", t.d.ID, s)
	}
	senses := make([]string, n)
	for _, f := range t.frames[s] {
		col, ok := bracketCells(f.args, n)
		if !ok {
			return fmt.Errorf("document %s: arguments of token %d of sentence %d cross", t.d.ID, f.predicate, s)
		}
		columns, senses[f.predicate-1] = append(columns, col), f.sense
	}
	coref, ok := clusterCells(t.coref[s], n)
	if !ok {
		return fmt.Errorf("document %s: mentions of a cluster cross in sentence %d, or a cluster's name does not fit",
			t.d.ID, s)
	}
	number := "-"
	if t.part >= 0 {
		number = strconv.FormatInt(t.part, 10)
	}
	for i := range n {
		row := int(from + i)
		misc := ""
		if v := t.toks.Strs("misc"); v != nil {
			misc = v[row]
		}
		cells := []string{t.name, number, itoa(i), t.toks.Cols[4].Strs[row], dashOf(t.toks, "xpos", row), columns[0][i],
			dashOf(t.toks, "lemma", row), orDash(senses[i]), orDash(miscUnescaper.Replace(attribute(misc, "Sense"))),
			orDash(miscUnescaper.Replace(attribute(misc, "Speaker"))), "-"}
		if t.ner {
			cells[10] = columns[1][i]
		}
		for _, col := range columns[2:] {
			cells = append(cells, col[i])
		}
		if err := writeCells(&t.b, t.d.ID, append(cells, coref[i])); err != nil {
			return err
		}
	}
	t.b.WriteByte('\n')
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func dashOf(toks *text.Layer, column string, i int) string {
	if v := toks.Strs(column); v != nil {
		return orDash(v[i])
	}
	return "-"
}

// treeCells writes a tree as one cell a token; nil if a label does not fit.
func treeCells(nodes []layers.Node, n int32) []string {
	out := make([]string, n)
	cell, at := "", int32(0)
	for _, node := range nodes {
		if node.Label == "" || strings.ContainsAny(node.Label, "(*)\t\r\n") {
			return nil
		}
	}
	layers.Walk(nodes, n, func(label string) { cell += "(" + label }, func(tok int32) {
		at = tok
		out[at-1], cell = cell+"*", ""
	}, func() { out[at-1] += ")" })
	return out
}
