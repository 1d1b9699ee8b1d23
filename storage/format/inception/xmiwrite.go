package inception

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/offset"
)

// typeSystemFile is the name under which INCEpTION writes the types of a CAS.
const typeSystemFile = "TypeSystem.xml"

// xmiTypes are the types that were written: their features with the types of these.
type xmiTypes map[string]map[string]string

// forbidden is what is told of characters that XML has no place for.
var forbidden = codec.Topic{One: "1 document has characters that XML forbids, which were written as U+FFFD",
	Many: "%d documents have characters that XML forbids, which were written as U+FFFD"}

// xmiWriter is a document on its way.
type xmiWriter struct {
	c       *inception
	in      *inceptionDocument
	table   *offset.Table
	out     bytes.Buffer
	prefix  map[string]string // of packages
	members []string
	next    int
	err     error
}

// sofaID is the id of the text; annotations follow.
const sofaID = 1

func (c *inception) writeXMI(b *bytes.Buffer, d *text.Document, in *inceptionDocument) error {
	if c.xmi == nil {
		c.xmi = xmiTypes{}
	}
	w := &xmiWriter{c: c, in: in, table: offset.NewTable(in.text, c.offsets), prefix: map[string]string{},
		next: sofaID + 1}
	w.annotation(typeMeta, [2]int{0, len(in.text)}, []xmiAttr{{"documentId", "uima.cas.String", in.id},
		{"documentTitle", "uima.cas.String", in.id}})
	tokens := w.tokens()
	for _, s := range in.sentences {
		w.annotation(typeSentence, s, nil)
	}
	entities := map[[2]int]int{}
	for i := range in.spans {
		s := &in.spans[i]
		if s.layer == typePOS || s.layer == typeLemma || s.layer == typeMorph {
			continue
		}
		place := [2]int{s.start, s.end}
		id := w.annotation(s.layer, place, textAttrs(s))
		if s.layer == c.entity && entities[place] == 0 {
			entities[place] = id
		}
	}
	for _, a := range in.arcs {
		ends, of, feature := tokens, typeToken, "DependencyType"
		if a.layer != typeArc {
			ends, of, feature = entities, c.entity, "label"
		}
		w.annotation(a.layer, a.to, []xmiAttr{{"Governor", of, strconv.Itoa(ends[a.from])},
			{"Dependent", of, strconv.Itoa(ends[a.to])}, {feature, "uima.cas.String", a.label}})
	}
	w.chains()
	w.whole(b)
	for _, r := range in.text {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			c.Tell(forbidden, 1, d.ID, 0)
			break
		}
	}
	if w.err != nil {
		return fmt.Errorf("document %s: %w", d.ID, w.err)
	}
	return nil
}

// xmiAttr is a feature with the type of its values.
type xmiAttr struct{ name, of, value string }

func textAttrs(s *inceptionSpan) []xmiAttr {
	out := make([]xmiAttr, len(s.features))
	for i, f := range s.features {
		out[i] = xmiAttr{f.name, "uima.cas.String", f.value}
	}
	return out
}

// tokens writes what is said of tokens, then the tokens, and returns their ids by their places.
func (w *xmiWriter) tokens() map[[2]int]int {
	of := map[[2]int][]xmiAttr{}
	refs := map[string]string{typePOS: "pos", typeLemma: "lemma", typeMorph: "morph"}
	for i := range w.in.spans {
		s := &w.in.spans[i]
		if refs[s.layer] == "" {
			continue
		}
		place := [2]int{s.start, s.end}
		id := w.annotation(s.layer, place, textAttrs(s))
		of[place] = append(of[place], xmiAttr{refs[s.layer], s.layer, strconv.Itoa(id)})
	}
	ids := map[[2]int]int{}
	for _, t := range w.in.tokens {
		ids[t] = w.annotation(typeToken, t, of[t])
	}
	return ids
}

// chains writes chains with their links.
func (w *xmiWriter) chains() {
	if len(w.in.links) == 0 {
		return
	}
	var order []string
	links := map[string][]inceptionLink{}
	for _, k := range w.in.links {
		if links[k.cluster] == nil {
			order = append(order, k.cluster)
		}
		links[k.cluster] = append(links[k.cluster], k)
	}
	for i, name := range order {
		if name != strconv.Itoa(i+1) {
			w.c.Tell(chainNames, 1, w.in.id, 0)
			break
		}
	}
	for _, name := range order {
		first := w.next
		for i, k := range links[name] {
			attrs := []xmiAttr{{"referenceType", "uima.cas.String", k.kind}}
			if w.c.xmi.add(typeLink, "next", typeLink); i < len(links[name])-1 {
				attrs = append(attrs, xmiAttr{"next", typeLink, strconv.Itoa(w.next + 1)})
			}
			w.annotation(typeLink, [2]int{k.start, k.end}, attrs)
		}
		w.element(typeChain, nil, []xmiAttr{{"first", typeLink, strconv.Itoa(first)}})
	}
}

// add notes a feature of a type.
func (t xmiTypes) add(kind, feature, of string) {
	if t[kind] == nil {
		t[kind] = map[string]string{}
	}
	if feature != "" {
		t[kind][feature] = of
	}
}

// annotation writes an annotation and returns its id. Values that are empty are none.
func (w *xmiWriter) annotation(kind string, place [2]int, attrs []xmiAttr) int {
	from, to := w.table.Offset(int32(place[0])), w.table.Offset(int32(place[1]))
	if (from < 0 || to < 0) && w.err == nil {
		w.err = fmt.Errorf("an annotation begins or ends within what %s count as one character",
			offset.UnitNames[w.c.offsets])
	}
	return w.element(kind, []string{strconv.Itoa(from), strconv.Itoa(to)}, attrs)
}

func (w *xmiWriter) element(kind string, offsets []string, attrs []xmiAttr) int {
	id := w.next
	w.next++
	w.members = append(w.members, strconv.Itoa(id))
	w.c.xmi.add(kind, "", "")
	fmt.Fprintf(&w.out, `<%s xmi:id="%d" sofa="%d"`, w.name(kind), id, sofaID)
	if offsets != nil {
		fmt.Fprintf(&w.out, ` begin="%s" end="%s"`, offsets[0], offsets[1])
	}
	for _, a := range attrs {
		if a.name == "" {
			continue
		}
		if w.c.xmi.add(kind, a.name, a.of); a.value != "" {
			fmt.Fprintf(&w.out, ` %s="`, a.name)
			w.escape(&w.out, a.value)
			w.out.WriteByte('"')
		}
	}
	w.out.WriteString("/>\n")
	return id
}

func (w *xmiWriter) escape(b *bytes.Buffer, s string) {
	if err := xml.EscapeText(b, []byte(s)); err != nil && w.err == nil {
		w.err = err
	}
}

// name is the name of an element for a type.
func (w *xmiWriter) name(kind string) string {
	pkg := strings.TrimSuffix(strings.TrimSuffix(kind, shortName(kind)), ".")
	if w.prefix[pkg] == "" {
		base := shortName(pkg)
		if r, _ := utf8.DecodeRuneInString(base); base == "" || r < 'A' || slices.Contains([]string{"xmi", "cas"}, base) {
			base = "type"
		}
		name := base
		for n := 2; slices.Contains(slices.Collect(maps.Values(w.prefix)), name); n++ {
			name = base + strconv.Itoa(n)
		}
		w.prefix[pkg] = name
	}
	return w.prefix[pkg] + ":" + shortName(kind)
}

// whole writes the file.
func (w *xmiWriter) whole(b *bytes.Buffer) {
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<xmi:XMI xmlns:xmi="` + xmiSpace + `" xmlns:cas="` +
		casSpace + `"`)
	for _, pkg := range slices.Sorted(maps.Keys(w.prefix)) {
		path := strings.ReplaceAll(pkg, ".", "/")
		if path == "" {
			path = "uima/noNamespace"
		}
		fmt.Fprintf(b, ` xmlns:%s="http:///%s.ecore"`, w.prefix[pkg], path)
	}
	b.WriteString(` xmi:version="2.0">` + "\n" + `<cas:NULL xmi:id="0"/>` + "\n")
	b.Write(w.out.Bytes())
	fmt.Fprintf(b, `<cas:Sofa xmi:id="%d" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="`, sofaID)
	w.escape(b, w.in.text)
	fmt.Fprintf(b, "\"/>\n<cas:View sofa=\"%d\" members=\"%s\"/>\n</xmi:XMI>\n", sofaID, strings.Join(w.members, " "))
}

// Shared is the file of types, beside files of XMI.
func (c *inception) Shared(ext string) []codec.File {
	if ext != ".xmi" || c.xmi == nil {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">` + "\n<types>\n")
	for _, kind := range slices.Sorted(maps.Keys(c.xmi)) {
		super := "uima.tcas.Annotation"
		switch kind {
		case typeMeta:
			super = "uima.tcas.DocumentAnnotation"
		case typeChain:
			super = "uima.cas.AnnotationBase"
		}
		fmt.Fprintf(&b, "<typeDescription><name>%s</name><supertypeName>%s</supertypeName><features>\n", kind, super)
		for _, f := range slices.Sorted(maps.Keys(c.xmi[kind])) {
			fmt.Fprintf(&b, "<featureDescription><name>%s</name><rangeTypeName>%s</rangeTypeName></featureDescription>\n", f,
				c.xmi[kind][f])
		}
		b.WriteString("</features></typeDescription>\n")
	}
	b.WriteString("</types>\n</typeSystemDescription>\n")
	return []codec.File{{Name: typeSystemFile, Content: b.Bytes()}}
}
