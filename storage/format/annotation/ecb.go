package annotation

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
	"parlance/storage/value"
)

// ecb is the XML of ECB+ and EventStoryLine: tokens, markables of tokens, relations between
// markables. Markables become mentions, coreference their clusters. What these do not hold
// (attributes, gaps, instances, links of no mention) is kept in the layer words.
type ecb struct {
	links     []string
	fragments string
	codec.Notes
}

func (c *ecb) Options(s *option.Set) {
	s.List(&c.links, "links", []string{"PLOT_LINK", "TLINK"},
		"the elements that are relations; their label is their relType, or their name")
	layers.PartsOption(s, &c.fragments)
}

// ecbToken is a token of the file.
type ecbToken struct {
	ID       string `xml:"t_id,attr"`
	Sentence string `xml:"sentence,attr"`
	Form     string `xml:",chardata"`
}

// ecbItem is a markable or a relation.
type ecbItem struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Anchors []ecbRef   `xml:"token_anchor"`
	Sources []ecbRef   `xml:"source"`
	Targets []ecbRef   `xml:"target"`
	line    int
	mention *ecbMention
}

type ecbRef struct {
	Token    string `xml:"t_id,attr"`
	Markable string `xml:"m_id,attr"`
}

// ecbMention is a markable of tokens.
type ecbMention struct {
	sent, first, last int32 // tokens 1-based
	start, end        int32 // bytes
	kind, cluster     string
	more              []*ecbMention // further parts, if each is a row
}

func (i *ecbItem) attr(name string) string { return codec.Attr(i.Attrs, name) }

// String is the element in one line.
func (i *ecbItem) String() string {
	var b strings.Builder
	escape := func(s string) { xml.EscapeText(&b, []byte(s)) }
	b.WriteString("<" + i.XMLName.Local)
	for _, a := range i.Attrs {
		fmt.Fprintf(&b, ` %s="`, a.Name.Local)
		escape(a.Value)
		b.WriteByte('"')
	}
	b.WriteByte('>')
	ref := func(element, attr, id string) {
		fmt.Fprintf(&b, `<%s %s="`, element, attr)
		escape(id)
		b.WriteString(`"/>`)
	}
	for _, r := range i.Anchors {
		ref("token_anchor", "t_id", r.Token)
	}
	for _, r := range i.Sources {
		ref("source", "m_id", r.Markable)
	}
	for _, r := range i.Targets {
		ref("target", "m_id", r.Markable)
	}
	return b.String() + "</" + i.XMLName.Local + ">"
}

// ecbReader is one document on its way.
type ecbReader struct {
	c         *ecb
	x         *codec.Elements
	bd        layers.Builder
	sentence  string
	rows      map[string]int // tokens by id
	items     []*ecbItem     // markables in order
	markables map[string]*ecbItem
	relations []*ecbItem
	kept      layers.Words
}

func (c *ecb) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	x := src.Elements()
	for number := 0; ; number++ {
		root, line, err := x.Root("Document")
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r := &ecbReader{c: c, x: x, rows: map[string]int{}, markables: map[string]*ecbItem{}}
		if err := x.Children(r.part); err != nil {
			return err
		}
		d, err := r.document(ecbName(root, src, number))
		if err != nil {
			return err
		}
		if id := codec.Attr(root.Attr, "doc_id"); id != "" {
			d.Fields = append(d.Fields, text.Field{Name: "doc_id", Value: value.Str(id)})
		}
		if err := emit(d, line); err != nil {
			return err
		}
	}
}

// ecbName is the name that the document gives itself, or that of the file.
func ecbName(root xml.StartElement, src *codec.Source, number int) string {
	if n := codec.Attr(root.Attr, "doc_name"); strings.TrimSuffix(n, ".xml") != "" {
		return strings.TrimSuffix(n, ".xml")
	}
	if number > 0 {
		return fmt.Sprintf("%s:%d", src.Base, number+1)
	}
	return src.Base
}

// part reads an element of the document.
func (r *ecbReader) part(e xml.StartElement, line int) error {
	switch e.Name.Local {
	case "token":
		return r.token(e, line)
	case "Markables":
		return r.x.Children(r.markable)
	case "Relations":
		return r.x.Children(func(e xml.StartElement, line int) error {
			i, err := r.item(e, line)
			r.relations = append(r.relations, i)
			return err
		})
	}
	return r.x.Source.Fault(line, 0, "<%s> where <token>, <Markables> or <Relations> is wanted", e.Name.Local)
}

func (r *ecbReader) token(e xml.StartElement, line int) error {
	var t ecbToken
	if err := r.x.DecodeElement(&t, &e); err != nil {
		return err
	}
	form := text.Trim(t.Form)
	if _, twice := r.rows[t.ID]; twice || t.ID == "" || form == "" {
		return r.x.Source.Fault(line, 0, "a token needs text and a t_id of its own, not %q", t.ID)
	}
	if len(r.bd.SentStart) == 0 || t.Sentence != r.sentence {
		r.bd.Sentence()
		r.sentence = t.Sentence
	}
	r.rows[t.ID] = len(r.bd.Sent)
	r.bd.Token(form, false)
	return nil
}

func (r *ecbReader) item(e xml.StartElement, line int) (*ecbItem, error) {
	i := &ecbItem{line: line}
	return i, r.x.DecodeElement(i, &e)
}

func (r *ecbReader) markable(e xml.StartElement, line int) error {
	i, err := r.item(e, line)
	if err != nil {
		return err
	}
	id := i.attr("m_id")
	if id == "" || r.markables[id] != nil {
		return r.x.Source.Fault(line, 0, "a markable needs a m_id of its own, not %q", id)
	}
	r.markables[id] = i
	r.items = append(r.items, i)
	return nil
}

func (r *ecbReader) document(name string) (*text.Document, error) {
	d, _ := r.bd.Document(name)
	if topic, _, ok := strings.Cut(name, "_"); ok {
		if n, err := strconv.ParseInt(topic, 10, 32); err == nil {
			d.Fields = append(d.Fields, text.Field{Name: "topic", Value: value.Int(n)})
		}
	}
	for _, i := range r.items {
		if err := r.mention(i); err != nil {
			return nil, err
		}
	}
	var links []ecbLink
	for _, i := range r.relations {
		link, err := r.relation(name, i)
		if err != nil {
			return nil, err
		}
		if link != nil {
			links = append(links, *link)
		}
	}
	d.SetLayer(r.mentions())
	if len(links) > 0 {
		d.SetLayer(ecbRelations(links))
	}
	r.kept.Set(d)
	return d, nil
}

// mention places a markable from its first token to its last.
func (r *ecbReader) mention(i *ecbItem) error {
	var rows []int
	for _, a := range i.Anchors {
		row, ok := r.rows[a.Token]
		if !ok {
			return r.x.Source.Fault(i.line, 0, "markable %s is of token %q, which there is not", i.attr("m_id"), a.Token)
		}
		rows = append(rows, row)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if len(rows) == 0 { // an instance, which mentions refer to
		r.kept.Add(0, "m"+i.attr("m_id"), i.String())
		return nil
	}
	whole := len(rows) == len(i.Anchors)
	if sent := r.bd.Sent; sent[rows[len(rows)-1]] != sent[rows[0]] {
		rows, whole = slices.DeleteFunc(rows, func(row int) bool { return sent[row] != sent[rows[0]] }), false
		r.c.Tell(layers.CutAtSentence, 1, r.x.Source.Name, i.line)
	}
	parts := runs(rows)
	switch several := len(parts) > 1; {
	case several && r.c.fragments == layers.NoParts:
		return r.x.Source.Fault(i.line, 0, "%v", layers.SeveralParts("markable "+i.attr("m_id")))
	case several && r.c.fragments == layers.Hull:
		whole = false
		r.keepParts(parts)
		r.c.Tell(layers.Hulls, 1, r.x.Source.Name, i.line)
		parts = [][2]int{{parts[0][0], parts[len(parts)-1][1]}}
	}
	i.mention = r.span(i, parts[0])
	for _, p := range parts[1:] {
		i.mention.more = append(i.mention.more, r.span(i, p))
	}
	if !whole || !i.says("m_id") {
		r.kept.Add(0, "m"+i.attr("m_id"), i.String())
	}
	return nil
}

// span is the mention of the tokens of rows first to last.
func (r *ecbReader) span(i *ecbItem, p [2]int) *ecbMention {
	b, first, last := &r.bd, p[0], p[1]
	return &ecbMention{b.Sent[first], b.Tok[first], b.Tok[last], b.Start[first], b.End[last], i.XMLName.Local, "", nil}
}

// keepParts notes the parts of a mention, given as first and last rows of tokens.
func (r *ecbReader) keepParts(parts [][2]int) {
	at := make([][2]int, len(parts))
	for i, p := range parts {
		at[i] = [2]int{int(r.bd.Start[p[0]]), int(r.bd.End[p[1]])}
	}
	r.kept.KeepParts(0, text.Mentions.Name, at, offset.Pointer(r.bd.Text.String()))
}

// runs are the first and last of each run of consecutive numbers.
func runs(rows []int) [][2]int {
	var out [][2]int
	for _, row := range rows {
		if n := len(out); n > 0 && out[n-1][1]+1 == row {
			out[n-1][1] = row
			continue
		}
		out = append(out, [2]int{row, row})
	}
	return out
}

// says reports whether the named attributes say all.
func (i *ecbItem) says(names ...string) bool {
	for _, a := range i.Attrs {
		if a.Value != "" && !slices.Contains(names, a.Name.Local) {
			return false
		}
	}
	return true
}

// ecbLink is a relation between two mentions.
type ecbLink struct {
	from, to *ecbMention
	label    string
}

// relation reads coreference into the mentions and returns links; others are kept.
func (r *ecbReader) relation(doc string, i *ecbItem) (*ecbLink, error) {
	for _, ref := range slices.Concat(i.Sources, i.Targets) {
		if r.markables[ref.Markable] == nil {
			return nil, r.x.Source.Fault(i.line, 0, "relation %s is of markable %q, which there is not",
				i.attr("r_id"), ref.Markable)
		}
	}
	keep := func() { r.kept.Add(0, "r"+i.attr("r_id"), i.String()) }
	switch name := i.XMLName.Local; {
	case name == "CROSS_DOC_COREF" || name == "INTRA_DOC_COREF":
		if !r.corefer(i, r.cluster(doc, i)) {
			keep()
		}
		return nil, nil
	case !slices.Contains(r.c.links, name) || len(i.Sources) != 1 || len(i.Targets) != 1:
		keep()
		return nil, nil
	}
	from, to := r.markables[i.Sources[0].Markable].mention, r.markables[i.Targets[0].Markable].mention
	if from == nil || to == nil {
		keep()
		return nil, nil
	}
	if !i.says("r_id", "relType") {
		keep()
	}
	return &ecbLink{from, to, cmp.Or(i.attr("relType"), i.XMLName.Local)}, nil
}

// cluster names what corefers: the instance in all documents, or the relation in this one.
func (r *ecbReader) cluster(doc string, i *ecbItem) string {
	if i.XMLName.Local == "CROSS_DOC_COREF" {
		if n := i.attr("note"); n != "" {
			return n
		}
		for _, t := range i.Targets {
			if n := r.markables[t.Markable].attr("instance_id"); n != "" {
				return n
			}
		}
	}
	return doc + ":" + i.attr("r_id")
}

// corefer puts mentions into a cluster and reports whether that says all.
func (r *ecbReader) corefer(i *ecbItem, cluster string) bool {
	whole := true
	refs := i.Sources
	for _, t := range i.Targets { // an instance or a mention
		if r.markables[t.Markable].mention != nil {
			refs = append(slices.Clone(refs), t)
		}
	}
	for _, s := range refs {
		m := r.markables[s.Markable].mention
		if m == nil || m.cluster != "" && m.cluster != cluster {
			whole = false
			continue
		}
		m.cluster = cluster
	}
	return whole
}

func (r *ecbReader) mentions() *text.Layer {
	var all []*ecbMention
	for _, i := range r.items {
		if i.mention == nil {
			continue
		}
		all = append(all, i.mention)
		for _, m := range i.mention.more {
			m.cluster = i.mention.cluster
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(x, y *ecbMention) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end))
	})
	l := text.NewLayer(text.Mentions)
	l.N = len(all)
	var ints [6][]int32
	var kinds, clusters []string
	for n, m := range all {
		for k, v := range []int32{int32(n + 1), m.sent, m.start, m.end, m.first, m.last} {
			ints[k] = append(ints[k], v)
		}
		kinds, clusters = append(kinds, m.kind), append(clusters, m.cluster)
	}
	for k, n := range []string{"mention", "sent", "char_start", "char_end", "tok_start", "tok_end"} {
		l.SetInts(n, ints[k])
	}
	l.SetStrs("kind", kinds)
	l.SetStrs("cluster", clusters)
	return l
}

func ecbRelations(links []ecbLink) *text.Layer {
	var list []layers.Relation
	var sents []int32
	for _, k := range links {
		list = append(list, layers.Relation{Label: k.label, SubjectStart: int(k.from.start), SubjectEnd: int(k.from.end),
			ObjectStart: int(k.to.start), ObjectEnd: int(k.to.end)})
		sents = append(sents, k.from.sent)
	}
	l := layers.Relations(list)
	l.SetInts("sent", sents)
	return l
}
