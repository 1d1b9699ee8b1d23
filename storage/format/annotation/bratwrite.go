package annotation

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
)

func (c *brat) Endings() []string { return []string{".txt", ".ann"} }

func (c *brat) Shared(string) []codec.File { return nil }

// What the writer reports: what files of brat cannot hold.
var (
	bratTypes = codec.Topic{
		One:  "1 label was written with _ for blanks and for no name at all, which types of brat are without",
		Many: "%d labels were written with _ for blanks and for no name at all, which types of brat are without"}
	bratLines = codec.Topic{One: "1 line of brat was left out: what it is about is not as it was loaded",
		Many: "%d lines of brat were left out: what they are about is not as it was loaded"}
	bratFields = codec.Topic{One: "the metadata of 1 document was left out, for which brat has no place",
		Many: "the metadata of %d documents was left out, for which brat has no place"}
)

// bratWriter is the annotations of one document on their way to lines. Lines that were loaded are written as they stood
// where the layers still hold what they say; other rows get lines of their own behind them.
type bratWriter struct {
	c         *brat
	d         *text.Document
	content   string          // of the file
	points    func(int32) int // bytes as offsets of brat
	bytes     []int           // of each code point, with the end
	parts     map[[2]int][][][2]int
	entities  map[layers.Span]int
	relations map[layers.Relation]int
	alive     map[string]bool        // ids of lines that are written
	spans     map[string]layers.Span // of entities, and of the triggers of events
	at        map[[2]int]string      // the first T of a place
	last      map[byte]int           // highest numbers of ids
	out       bytes.Buffer
}

// Files writes the text and the annotations of a document.
func (c *brat) Files(d *text.Document, _ string) ([]codec.File, error) {
	w := &bratWriter{c: c, d: d, points: offset.Pointer(d.Text), entities: map[layers.Span]int{},
		relations: map[layers.Relation]int{},
		alive:     map[string]bool{}, spans: map[string]layers.Span{}, at: map[[2]int]string{}, last: map[byte]int{},
		parts: map[[2]int][][][2]int{}, content: d.Text}
	for i := range d.Text {
		w.bytes = append(w.bytes, i)
	}
	w.bytes = append(w.bytes, len(d.Text))
	if strings.HasPrefix(d.Text, "\ufeff") { // the reader takes the first for a byte order mark
		w.content = "\ufeff" + d.Text
		plain := w.points
		w.points = func(at int32) int { return plain(at) + 1 }
	}
	offset.TellLayers(&c.Notes, "brat", d, nil, text.Entities, text.Relations, text.Words)
	if len(d.Fields) > 0 {
		c.Tell(bratFields, 1, d.ID, 0)
	}
	w.gather()
	w.keep()
	w.rest()
	return []codec.File{{Name: ".txt", Content: []byte(w.content)}, {Name: ".ann", Content: w.out.Bytes()}}, nil
}

// gather counts the rows that are to be written.
func (w *bratWriter) gather() {
	if l := w.d.Layer(text.Entities.Name); l != nil {
		for i := range l.N {
			w.entities[layers.EntityAt(l, i)]++
		}
	}
	if l := w.d.Layer(text.Relations.Name); l != nil {
		for i := range l.N {
			w.relations[layers.RelationAt(l, i)]++
		}
	}
}

// bratLine is a line that was loaded.
type bratLine struct {
	id, line string
	words    []string // of its second column
	dead     bool     // what it says is not as it was loaded
}

var bratID = regexp.MustCompile(`^([TREAMN#][^ ]+|\*)$`)

// loaded is the lines of brat in the layer words, and how many other rows it has that no line of brat says.
func (w *bratWriter) loaded() (list []bratLine, others int) {
	l := w.d.Layer(text.Words.Name)
	if l == nil {
		return nil, 0
	}
	for i := range l.N {
		id, line := layers.CellIn(l, 1, i), layers.CellIn(l, 2, i)
		body, ok := strings.CutPrefix(line, id+"\t")
		body, _, _ = strings.Cut(body, "\t")
		words := text.Fields(body)
		switch {
		case id == text.PartsRow && w.keptParts(line):
		case !ok || !bratID.MatchString(id) || len(words) == 0 || strings.Contains(line, "\n"):
			others++
		default:
			if n, err := strconv.Atoi(id[1:]); err == nil {
				w.last[id[0]] = max(w.last[id[0]], n)
			}
			list = append(list, bratLine{id: id, line: line, words: words})
		}
	}
	return list, others
}

// keptParts takes the parts of an entity from a row of the layer words, as code points.
func (w *bratWriter) keptParts(line string) bool {
	places, ok := strings.CutPrefix(line, text.Entities.Name+" ")
	if !ok {
		return false
	}
	var parts [][2]int
	for part := range strings.SplitSeq(places, ";") {
		from, to, _ := strings.Cut(part, " ")
		a, err1 := strconv.Atoi(from)
		z, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || a < 0 || z < a || z >= len(w.bytes) {
			return false
		}
		parts = append(parts, [2]int{w.bytes[a], w.bytes[z]})
	}
	hull := [2]int{parts[0][0], parts[len(parts)-1][1]}
	w.parts[hull] = append(w.parts[hull], parts)
	return true
}

// keep writes the lines that were loaded and still hold.
func (w *bratWriter) keep() {
	list, others := w.loaded()
	if others > 0 {
		w.c.Tell(offset.LayersLeftOut("brat", text.Words.Name), 1, w.d.ID, 0)
	}
	known := map[string]bool{}
	r := &bratReader{d: &text.Document{}, nodes: map[string]*bratNode{}}
	r.content(w.content)
	for i := range list {
		l := &list[i]
		known[l.id] = true
		if l.id[0] == 'T' {
			l.dead = !w.keepEntity(r, l)
		}
	}
	w.keepEvents(list)
	for i := range list {
		if l := &list[i]; l.id[0] == 'R' {
			l.dead = !w.keepRelation(l)
			w.alive[l.id] = !l.dead
		}
	}
	for range 2 { // notes may be about attributes
		for i := range list {
			if l := &list[i]; strings.IndexByte("AMN#*", l.id[0]) >= 0 {
				l.dead = slices.ContainsFunc(l.about(), func(id string) bool { return known[id] && !w.alive[id] })
				w.alive[l.id] = !l.dead
			}
		}
	}
	dropped := 0
	for _, l := range list {
		switch {
		case !l.dead:
			w.out.WriteString(l.line + "\n")
		case strings.IndexByte("TR", l.id[0]) < 0: // the rows have these
			dropped++
		}
	}
	w.c.Tell(bratLines, dropped, w.d.ID, 0)
}

// about is the ids that an attribute, a note or an equivalence is about.
func (l *bratLine) about() []string {
	if l.id == "*" {
		return l.words[1:]
	}
	return l.words[1:min(2, len(l.words))]
}

// keepEntity reports whether a line T is as the layer has it, as one row or as a row for each part.
func (w *bratWriter) keepEntity(r *bratReader, l *bratLine) bool {
	_, rest, _ := strings.Cut(l.line, "\t")
	body, tail, _ := strings.Cut(rest, "\t")
	for _, mode := range []string{layers.Hull, layers.Parts} {
		delete(r.nodes, l.id)
		r.c, r.spans = &brat{check: true, fragments: mode}, nil
		if r.entity(l.id, l.words[0], text.Trim(strings.TrimPrefix(text.Trim(body), l.words[0])), tail) != nil {
			return false
		}
		if !take(w.entities, r.spans...) {
			continue
		}
		w.named(l.id, r.nodes[l.id].span)
		return true
	}
	return false
}

// named notes the id of an entity that is written.
func (w *bratWriter) named(id string, s layers.Span) {
	w.alive[id], w.spans[id] = true, s
	if at := [2]int{s.Start, s.End}; w.at[at] == "" {
		w.at[at] = id
	}
}

// take takes keys from counts, if all are there.
func take[K comparable](counts map[K]int, keys ...K) bool {
	for i, k := range keys {
		if counts[k] == 0 {
			for _, k := range keys[:i] {
				counts[k]++
			}
			return false
		}
		counts[k]--
	}
	return true
}

// keepEvents finds the events whose triggers, arguments and relations are there. They may be arguments of each other,
// so that one that is not there may take others with it.
func (w *bratWriter) keepEvents(list []bratLine) {
	for again := true; again; {
		again = false
		left := maps.Clone(w.relations)
		for i := range list {
			if l := &list[i]; l.id[0] == 'E' && !l.dead {
				w.alive[l.id] = true
				_, trigger, _ := strings.Cut(l.words[0], ":")
				w.spans[l.id] = w.spans[trigger]
			}
		}
		for i := range list {
			l := &list[i]
			if l.id[0] == 'E' && !l.dead && !w.eventHolds(l, left) {
				l.dead, again = true, true
				delete(w.alive, l.id)
			}
		}
		if !again {
			w.relations = left
		}
	}
}

func (w *bratWriter) eventHolds(l *bratLine, left map[layers.Relation]int) bool {
	_, trigger, _ := strings.Cut(l.words[0], ":")
	var rows []layers.Relation
	for _, word := range l.words[1:] {
		label, ref, _ := strings.Cut(word, ":")
		if !w.alive[ref] {
			return false
		}
		rows = append(rows, arcOf(label, w.spans[l.id], w.spans[ref]))
	}
	return w.alive[trigger] && take(left, rows...)
}

func arcOf(label string, from, to layers.Span) layers.Relation {
	return layers.Relation{Label: label, SubjectStart: from.Start, SubjectEnd: from.End, ObjectStart: to.Start,
		ObjectEnd: to.End}
}

func (w *bratWriter) keepRelation(l *bratLine) bool {
	if len(l.words) != 3 {
		return false
	}
	_, from, _ := strings.Cut(l.words[1], ":")
	_, to, _ := strings.Cut(l.words[2], ":")
	return w.alive[from] && w.alive[to] && take(w.relations, arcOf(l.words[0], w.spans[from], w.spans[to]))
}

// rest writes the rows that no line says.
func (w *bratWriter) rest() {
	if l := w.d.Layer(text.Entities.Name); l != nil {
		for i := range l.N {
			if s := layers.EntityAt(l, i); take(w.entities, s) {
				w.entity(s)
			}
		}
	}
	l := w.d.Layer(text.Relations.Name)
	if l == nil {
		return
	}
	for i := range l.N {
		r := layers.RelationAt(l, i)
		if !take(w.relations, r) {
			continue
		}
		from, to := w.at[[2]int{r.SubjectStart, r.SubjectEnd}], w.at[[2]int{r.ObjectStart, r.ObjectEnd}]
		if from == "" || to == "" {
			w.c.Tell(offset.WithoutSpan, 1, w.d.ID, 0)
			continue
		}
		fmt.Fprintf(&w.out, "%s\t%s Arg1:%s Arg2:%s\n", w.id('R'), w.typeOf(r.Label), from, to)
	}
}

// id is a new one.
func (w *bratWriter) id(letter byte) string {
	w.last[letter]++
	return string(letter) + strconv.Itoa(w.last[letter])
}

// typeOf is a label as a type.
func (w *bratWriter) typeOf(label string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, label)
	if name == "" {
		name = "_"
	}
	if name != label {
		w.c.Tell(bratTypes, 1, w.d.ID, 0)
	}
	return name
}

// entity writes a line T. An entity that was loaded in parts has them again; at line ends it is parted, as the page of
// brat does.
func (w *bratWriter) entity(s layers.Span) {
	hull := [2]int{s.Start, s.End}
	parts := [][2]int{hull}
	if list := w.parts[hull]; len(list) > 0 {
		parts, w.parts[hull] = list[0], list[1:]
	}
	var places, covers []string
	for _, p := range parts {
		for _, q := range w.withinLines(p) {
			places = append(places, fmt.Sprintf("%d %d", w.points(int32(q[0])), w.points(int32(q[1]))))
			covers = append(covers, w.d.Text[q[0]:q[1]])
		}
	}
	covered := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, strings.Join(covers, " "))
	id := w.id('T')
	w.named(id, s)
	fmt.Fprintf(&w.out, "%s\t%s %s\t%s\n", id, w.typeOf(s.Label), strings.Join(places, ";"), covered)
}

var lineEnds = regexp.MustCompile(`[\r\n]+`)

// withinLines parts a range of bytes at line ends.
func (w *bratWriter) withinLines(p [2]int) (out [][2]int) {
	from := p[0]
	for _, m := range lineEnds.FindAllStringIndex(w.d.Text[p[0]:p[1]], -1) {
		if a, z := p[0]+m[0], p[0]+m[1]; a > from && z < p[1] {
			out = append(out, [2]int{from, a})
			from = z
		}
	}
	return append(out, [2]int{from, p[1]})
}
