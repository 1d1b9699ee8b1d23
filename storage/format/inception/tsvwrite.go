package inception

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/offset"
)

// What the writer reports: what TSV cannot hold.
var (
	outsideTokens = codec.Topic{One: "1 annotation was left out: it covers no token",
		Many: "%d annotations were left out: they cover no token"}
	trimmedSpans = codec.Topic{
		One:  "1 annotation was written to the bounds of its tokens: it begins or ends between tokens",
		Many: "%d annotations were written to the bounds of their tokens: they begin or end between tokens"}
	betweenLost = codec.Topic{
		One:  "what stands outside the sentences of 1 document is not in its file: line ends take its place",
		Many: "what stands outside the sentences of %d documents is not in their files: line ends take its place"}
	chainNames = codec.Topic{One: "the clusters of 1 document were written as numbers, which chains have for names",
		Many: "the clusters of %d documents were written as numbers, which chains have for names"}
)

// tsvPart is a row: a token, or a part of one.
type tsvPart struct {
	token      int
	start, end int // bytes
	whole      bool
}

// tsvAnnotation is an annotation in its layer.
type tsvAnnotation struct {
	rows   []int // of parts
	values []string
	number int
}

// tsvWriter is a document on its way.
type tsvWriter struct {
	c     *inception
	in    *inceptionDocument
	parts []tsvPart
	at    map[tsvPart]int
	names []string   // of rows
	head  []string   // lines of the head
	cells [][]string // of rows
	next  int        // number of the next annotation that has one
	// the annotations of the layer of entities by their places, for relations
	entities map[[2]int]*tsvAnnotation
}

func (c *inception) writeTSV(b *bytes.Buffer, d *text.Document, in *inceptionDocument) error {
	w := &tsvWriter{c: c, in: in, at: map[tsvPart]int{}, entities: map[[2]int]*tsvAnnotation{}}
	covered := make([][]tsvPart, len(in.spans))
	for i, s := range in.spans {
		covered[i] = w.cover(s.start, s.end)
	}
	links := make([][]tsvPart, len(in.links))
	for i, k := range in.links {
		links[i] = w.cover(k.start, k.end)
	}
	w.order(append(slices.Clone(covered), links...))
	for _, layer := range []string{typePOS, typeLemma, typeMorph, typeChunk, c.entity} {
		w.spanColumns(layer, covered)
	}
	w.chainColumns(links)
	w.arcColumns(typeArc, "DependencyType", typePOS)
	w.arcColumns(c.relation, "label", c.entity)
	return w.write(b, offset.NewTable(in.text, c.offsets), d)
}

// cover is the tokens, or parts of them, that a range covers; nothing is told of one that covers none.
func (w *tsvWriter) cover(start, end int) (out []tsvPart) {
	k := sort.Search(len(w.in.tokens), func(i int) bool { return w.in.tokens[i][1] >= start })
	for ; k < len(w.in.tokens) && w.in.tokens[k][0] <= end; k++ {
		t := w.in.tokens[k]
		p := tsvPart{k, max(start, t[0]), min(end, t[1]), start <= t[0] && end >= t[1]}
		if p.start < p.end || start == end && out == nil {
			out = append(out, p)
		}
	}
	switch {
	case out == nil:
		w.c.Tell(outsideTokens, 1, w.in.id, 0)
	case out[0].start != start || out[len(out)-1].end != end:
		w.c.Tell(trimmedSpans, 1, w.in.id, 0)
	}
	return out
}

// order numbers the rows: tokens, each with its parts behind it.
func (w *tsvWriter) order(lists [][]tsvPart) {
	for k, t := range w.in.tokens {
		w.parts = append(w.parts, tsvPart{k, t[0], t[1], true})
	}
	for _, list := range lists {
		w.parts = append(w.parts, list...)
	}
	slices.SortFunc(w.parts, func(a, b tsvPart) int {
		ab, bb := 1, 1
		if a.whole {
			ab = 0
		}
		if b.whole {
			bb = 0
		}
		return cmp.Or(cmp.Compare(a.token, b.token), ab-bb, cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	w.parts = slices.Compact(w.parts)
	sentence, token, part := 0, 0, 0
	for i, p := range w.parts {
		if p.whole {
			if sentence == 0 || sentence < len(w.in.sentences) && p.start >= w.in.sentences[sentence][0] {
				sentence, token = sentence+1, 0
			}
			token, part = token+1, 0
			w.names = append(w.names, fmt.Sprintf("%d-%d", sentence, token))
		} else {
			part++
			w.names = append(w.names, fmt.Sprintf("%d-%d.%d", sentence, token, part))
		}
		w.at[p] = i
	}
	w.cells = make([][]string, len(w.parts))
}

// SpanColumns adds the columns of a layer, if it has annotations.
func (w *tsvWriter) spanColumns(layer string, covered [][]tsvPart) {
	var list []*tsvAnnotation
	names := w.features(layer)
	stacked := map[int]int{}
	for i := range w.in.spans {
		s := &w.in.spans[i]
		if s.layer != layer || covered[i] == nil {
			continue
		}
		a := &tsvAnnotation{}
		for _, n := range names {
			a.values = append(a.values, tsvEscape(s.feature(n)))
		}
		for _, p := range covered[i] {
			a.rows = append(a.rows, w.at[p])
			stacked[w.at[p]]++
		}
		if place := [2]int{s.start, s.end}; layer == w.c.entity && w.entities[place] == nil {
			w.entities[place] = a
		}
		list = append(list, a)
	}
	if list == nil {
		return
	}
	rows := make([][][]string, len(w.parts)) // of each row the annotations of each column
	for _, a := range list {
		if len(a.rows) > 1 || slices.ContainsFunc(a.rows, func(row int) bool { return stacked[row] > 1 }) {
			w.next++
			a.number = w.next
		}
		for _, row := range a.rows {
			if rows[row] == nil {
				rows[row] = make([][]string, len(names))
			}
			for k, v := range a.values {
				if a.number > 0 {
					v += fmt.Sprintf("[%d]", a.number)
				}
				rows[row][k] = append(rows[row][k], v)
			}
		}
	}
	w.head = append(w.head, "#T_SP="+layer+"|"+strings.Join(names, "|"))
	w.add(rows, len(names))
}

// features are the names of the features that annotations of a layer have; one without a name for none.
func (w *tsvWriter) features(layer string) (names []string) {
	for i := range w.in.spans {
		for _, f := range w.in.spans[i].features {
			if w.in.spans[i].layer == layer && !slices.Contains(names, f.name) {
				names = append(names, f.name)
			}
		}
	}
	if names == nil {
		names = []string{""}
	}
	return names
}

// add adds columns to the cells.
func (w *tsvWriter) add(rows [][][]string, n int) {
	for i, row := range rows {
		for k := range n {
			cell := "_"
			if row != nil {
				cell = strings.Join(row[k], "|")
			}
			w.cells[i] = append(w.cells[i], cell)
		}
	}
}

// chainColumns adds the columns of chains; their numbers are those of clusters as they come.
func (w *tsvWriter) chainColumns(links [][]tsvPart) {
	if len(w.in.links) == 0 {
		return
	}
	numbers, sizes, renamed := map[string]int{}, map[string]int{}, false
	rows := make([][][]string, len(w.parts))
	for i, k := range w.in.links {
		if links[i] == nil {
			continue
		}
		if numbers[k.cluster] == 0 {
			numbers[k.cluster] = len(numbers) + 1
		}
		n := numbers[k.cluster]
		renamed = renamed || fmt.Sprint(n) != k.cluster
		sizes[k.cluster]++
		for _, p := range links[i] {
			row := w.at[p]
			if rows[row] == nil {
				rows[row] = make([][]string, 2)
			}
			rows[row][0] = append(rows[row][0], fmt.Sprintf("*->%d-%d", n, sizes[k.cluster]))
			rows[row][1] = append(rows[row][1], fmt.Sprintf("%s[%d]", tsvEscape(k.kind), n))
		}
	}
	if renamed {
		w.c.Tell(chainNames, 1, w.in.id, 0)
	}
	w.head = append(w.head, "#T_CH="+typeLink+"|referenceRelation|referenceType")
	w.add(rows, 2)
}

// arcColumns adds the columns of relations, at the rows where these end.
func (w *tsvWriter) arcColumns(layer, feature, base string) {
	rows := make([][][]string, len(w.parts))
	found := false
	for _, a := range w.in.arcs {
		if a.layer != layer {
			continue
		}
		from, source, ok1 := w.end(a.from, base)
		to, target, ok2 := w.end(a.to, base)
		if !ok1 || !ok2 {
			w.c.Tell(offset.WithoutSpan, 1, w.in.id, 0)
			continue
		}
		cell := w.names[from]
		if source > 0 || target > 0 {
			cell += fmt.Sprintf("[%d_%d]", source, target)
		}
		if rows[to] == nil {
			rows[to] = make([][]string, 2)
		}
		rows[to][0], rows[to][1], found = append(rows[to][0], tsvEscape(a.label)), append(rows[to][1], cell), true
	}
	if found {
		w.head = append(w.head, "#T_RL="+layer+"|"+feature+"|BT_"+base)
		w.add(rows, 2)
	}
}

// end is the row of an end of a relation and the number of its annotation.
func (w *tsvWriter) end(place [2]int, base string) (row, number int, ok bool) {
	if base == w.c.entity {
		a := w.entities[place]
		if a == nil {
			return 0, 0, false
		}
		return a.rows[0], a.number, true
	}
	k, ok := slices.BinarySearchFunc(w.in.tokens, place, func(t, p [2]int) int { return cmp.Compare(t[0], p[0]) })
	if !ok {
		return 0, 0, false
	}
	return w.at[tsvPart{k, w.in.tokens[k][0], w.in.tokens[k][1], true}], 0, true
}

// write writes the file.
func (w *tsvWriter) write(b *bytes.Buffer, table *offset.Table, d *text.Document) error {
	b.WriteString("#FORMAT=WebAnno TSV 3.3\n")
	for _, l := range w.head {
		b.WriteString(l + "\n")
	}
	b.WriteByte('\n')
	sentence, last, lost := 0, 0, false
	for i, p := range w.parts {
		if p.whole && sentence < len(w.in.sentences) && p.start == w.in.sentences[sentence][0] {
			s := w.in.sentences[sentence]
			lost = lost || strings.Trim(d.Text[last:s[0]], "\n") != ""
			last = s[1]
			b.WriteString("\n#Text=" + textEscapes.Replace(d.Text[s[0]:s[1]]) + "\n")
			sentence++
		}
		from, to := table.Offset(int32(p.start)), table.Offset(int32(p.end))
		if from < 0 || to < 0 {
			return fmt.Errorf("document %s: %s begins or ends within what %s count as one character", w.in.id, w.names[i],
				offset.UnitNames[w.c.offsets])
		}
		fmt.Fprintf(b, "%s\t%d-%d\t%s\t", w.names[i], from, to,
			textEscapes.Replace(d.Text[p.start:p.end]))
		for _, cell := range w.cells[i] {
			b.WriteString(cell + "\t")
		}
		b.WriteByte('\n')
	}
	if lost || last < len(d.Text) {
		w.c.Tell(betweenLost, 1, w.in.id, 0)
	}
	return nil
}

// textEscapes are those of texts.
var textEscapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\f", `\f`, "\b", `\b`)

// valueEscapes are those of values.
var valueEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "|", `\|`, "_", `\_`, "->", `\->`, ";", `\;`, "*",
	`\*`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// tsvEscape is a value as a cell has it; * is an empty one.
func tsvEscape(s string) string {
	if s == "" {
		return "*"
	}
	return valueEscapes.Replace(s)
}
