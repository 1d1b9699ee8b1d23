package annotation

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
)

// brat is a text with its annotations in the file .ann beside it. T are entities, by default
// from their first part to their last; R and the arguments of E are relations. All lines are kept in the
// layer words, for what these do not hold: ids, parts, attributes, notes. They are written as they stood
// where the layers still hold what they say.
type brat struct {
	check     bool
	fragments string
	codec.Notes
}

func (c *brat) Options(s *option.Set) {
	s.Bool(&c.check, "check", true, "whether the text that a line T repeats must be that of its offsets")
	layers.PartsOption(s, &c.fragments)
}

func (c *brat) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	if codec.Extension(src.Name) == ".ann" { // it may be named in the place of the text
		return src.Beside(src.Stem()+".txt", func(content *codec.Source) error { return c.Read(content, emit) })
	}
	content, err := src.Whole()
	if err != nil || content == "" && src.FromStdin() {
		return err
	}
	return src.Beside(src.Stem()+".ann", func(ann *codec.Source) error {
		d, err := c.annotated(src.Stem(), content, ann)
		if err != nil {
			return err
		}
		return emit(d, 1)
	})
}

// bratNode is a line T or E: what relations are between.
type bratNode struct {
	span    layers.Span
	trigger string // of an event
}

// bratArc is a relation as it stands in a line.
type bratArc struct {
	label, from, to string
	line            int
}

// bratReader is one document on its way.
type bratReader struct {
	c     *brat
	d     *text.Document
	ann   *codec.Source
	runes []int32 // byte of each code point, with the end
	nodes map[string]*bratNode
	spans []layers.Span
	arcs  []bratArc
	kept  layers.Words
	hulls int
}

func (c *brat) annotated(id, content string, ann *codec.Source) (*text.Document, error) {
	r := &bratReader{c: c, d: &text.Document{ID: id}, ann: ann, nodes: map[string]*bratNode{}}
	r.content(content)
	for {
		line, n, err := ann.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if codec.IsBlankText(string(line)) {
			continue
		}
		if err := r.line(n, string(line)); err != nil {
			return nil, ann.Fault(n, 0, "%v", err)
		}
	}
	var list []layers.Relation
	for _, a := range r.arcs {
		from, err := r.span(a.from)
		if err != nil {
			return nil, ann.Fault(a.line, 0, "%v", err)
		}
		to, err := r.span(a.to)
		if err != nil {
			return nil, ann.Fault(a.line, 0, "%v", err)
		}
		list = append(list, layers.Relation{Label: a.label, SubjectStart: from.Start, SubjectEnd: from.End,
			ObjectStart: to.Start, ObjectEnd: to.End})
	}
	layers.SortRelations(list)
	r.d.SetLayer(layers.Spans(r.d, text.Entities, r.spans))
	r.d.SetLayer(layers.Relations(list))
	r.kept.Set(r.d)
	c.Tell(layers.Hulls, r.hulls, ann.Name, 1)
	return r.d, nil
}

// content sets the text. A byte order mark counts as a code point in brat but is no text.
func (r *bratReader) content(s string) {
	if rest, ok := strings.CutPrefix(s, "\ufeff"); ok {
		s = rest
		r.runes = append(r.runes, 0)
	}
	r.d.Text = s
	for i := range s {
		r.runes = append(r.runes, int32(i))
	}
	r.runes = append(r.runes, int32(len(s)))
}

// line reads an annotation.
func (r *bratReader) line(n int, line string) error {
	id, rest, ok := strings.Cut(line, "\t")
	if !ok || id == "" {
		return fmt.Errorf("an annotation begins with its id and a tab")
	}
	r.kept.Add(0, id, line)
	body, tail, _ := strings.Cut(rest, "\t")
	words := text.Fields(body)
	if len(words) == 0 {
		return fmt.Errorf("%s has no type", id)
	}
	switch id[0] {
	case 'T':
		return r.entity(id, words[0], text.Trim(strings.TrimPrefix(text.Trim(body), words[0])), tail)
	case 'R':
		return r.relation(n, id, words)
	case 'E':
		return r.event(n, id, words)
	case 'A', 'M', 'N', '#', '*':
		return nil
	}
	return fmt.Errorf("%s begins with none of T, R, E, A, M, N, # and *", id)
}

func (r *bratReader) node(id string, n *bratNode) error {
	if r.nodes[id] != nil {
		return fmt.Errorf("%s stands twice", id)
	}
	r.nodes[id] = n
	return nil
}

// entity reads places such as 0 5 or 0 5;9 12.
func (r *bratReader) entity(id, label, places, covered string) error {
	var covers []string
	var parts [][2]int
	for part := range strings.SplitSeq(places, ";") {
		from, to, _ := strings.Cut(text.Trim(part), " ")
		a, err1 := strconv.Atoi(from)
		z, err2 := strconv.Atoi(text.Trim(to))
		if err1 != nil || err2 != nil || a < 0 || z < a {
			return fmt.Errorf("%q are no offsets such as 0 5 or 0 5;9 12", places)
		}
		if z >= len(r.runes) {
			return fmt.Errorf("%s ends at %d, the text has %d code points", id, z, len(r.runes)-1)
		}
		start, end := int(r.runes[a]), int(r.runes[z])
		covers, parts = append(covers, r.d.Text[start:end]), append(parts, [2]int{start, end})
	}
	plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if got := plain(strings.Join(covers, " ")); r.c.check && covered != "" && got != plain(covered) {
		return fmt.Errorf("%s is %q by its offsets, not %q; WITH (check = false) takes the offsets", id, got, covered)
	}
	return r.place(id, label, layers.JoinParts(r.d.Text, parts))
}

// place puts an entity of one or more parts into the layer. Relations are of its hull, or of its first part.
func (r *bratReader) place(id, label string, parts [][2]int) error {
	several := len(parts) > 1
	switch {
	case several && r.c.fragments == layers.NoParts:
		return layers.SeveralParts(id)
	case several && r.c.fragments == layers.Hull:
		r.kept.KeepParts(0, text.Entities.Name, parts, offset.Pointer(r.d.Text))
		r.hulls++
		parts = [][2]int{{parts[0][0], parts[len(parts)-1][1]}}
	}
	for _, p := range parts {
		r.spans = append(r.spans, layers.Span{Start: p[0], End: p[1], Label: label})
	}
	return r.node(id, &bratNode{span: layers.Span{Start: parts[0][0], End: parts[0][1], Label: label}})
}

func (r *bratReader) relation(n int, id string, words []string) error {
	if len(words) != 3 {
		return fmt.Errorf("%s is no relation such as Type Arg1:T1 Arg2:T2", id)
	}
	_, from, ok1 := strings.Cut(words[1], ":")
	_, to, ok2 := strings.Cut(words[2], ":")
	if !ok1 || !ok2 {
		return fmt.Errorf("%s is no relation such as Type Arg1:T1 Arg2:T2", id)
	}
	r.arcs = append(r.arcs, bratArc{words[0], from, to, n})
	return nil
}

// event reads the arguments of a trigger.
func (r *bratReader) event(n int, id string, words []string) error {
	for i, w := range words {
		label, ref, ok := strings.Cut(w, ":")
		if !ok || label == "" {
			return fmt.Errorf("%s is no event such as Type:T1 Role:T2", id)
		}
		if i > 0 {
			r.arcs = append(r.arcs, bratArc{label, id, ref, n})
			continue
		}
		if err := r.node(id, &bratNode{trigger: ref}); err != nil {
			return err
		}
	}
	return nil
}

// span is the text of an entity, or of the trigger of an event.
func (r *bratReader) span(id string) (layers.Span, error) {
	n := r.nodes[id]
	if n != nil && n.trigger != "" {
		id, n = n.trigger, r.nodes[n.trigger]
	}
	if n == nil || n.trigger != "" {
		return layers.Span{}, fmt.Errorf("there is no entity %s", id)
	}
	return n.span, nil
}
