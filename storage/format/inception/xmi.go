package inception

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parlance/storage/format/codec"
	"parlance/storage/format/offset"
)

// xmiElement is a feature structure of a CAS.
type xmiElement struct {
	kind  string // the name of its type
	attrs map[string]string
	line  int
}

// xmiReader is a file of XMI on its way.
type xmiReader struct {
	c      *inception
	in     *inceptionDocument
	byID   map[string]*xmiElement
	order  []*xmiElement
	sofas  []*xmiElement
	views  map[string][]string        // members of views, by the ids of their sofas
	ranges map[string]map[string]bool // features of types that are texts or numbers, nil without a file of types
	supers map[string]string          // the types above types
	table  *offset.Table
	ended  func() error
}

const (
	xmiSpace = "http://www.omg.org/XMI"
	casSpace = "http:///uima/cas.ecore"
)

// typeName is the name of a type by the namespace and name of its element.
func typeName(name xml.Name) string {
	path := strings.TrimSuffix(strings.TrimPrefix(name.Space, "http:///"), ".ecore")
	if path == "uima/noNamespace" || path == "" {
		return name.Local
	}
	return strings.ReplaceAll(path, "/", ".") + "." + name.Local
}

func (c *inception) readXMI(src *codec.Source, whole string) (*inceptionDocument, error) {
	r := &xmiReader{c: c, in: &inceptionDocument{id: src.Stem()}, byID: map[string]*xmiElement{},
		views: map[string][]string{}, supers: map[string]string{}, ended: src.Ending()}
	if err := r.types(src); err != nil {
		return nil, err
	}
	dec := xml.NewDecoder(strings.NewReader(whole))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	x := &codec.Elements{Decoder: dec, Source: src}
	root, _, err := x.Root("XMI")
	if err == io.EOF {
		return nil, src.Fault(1, 0, "the file has no element XMI")
	}
	if err != nil {
		return nil, err
	}
	if root.Name.Space != xmiSpace {
		return nil, src.Fault(1, 0, "the element XMI is not of the namespace %s", xmiSpace)
	}
	n := 0
	err = x.Children(func(e xml.StartElement, line int) error {
		if n++; n&1023 == 0 && r.ended != nil {
			if err := r.ended(); err != nil {
				return err
			}
		}
		r.element(e, line)
		return dec.Skip()
	})
	if err != nil {
		if r.ended != nil && r.ended() != nil {
			return nil, r.ended()
		}
		return nil, err
	}
	if line, err := r.document(); err != nil {
		return nil, src.Fault(max(1, line), 0, "%v", err)
	}
	return r.in, nil
}

// types reads the file TypeSystem.xml beside the source, if there is one.
func (r *xmiReader) types(src *codec.Source) error {
	if src.FromStdin() {
		return nil
	}
	path := filepath.Join(filepath.Dir(src.Name), typeSystemFile)
	if info, err := src.Files().Stat(path); err != nil || info.IsDir() {
		return nil
	}
	var system struct {
		Types []struct {
			Name     string `xml:"name"`
			Super    string `xml:"supertypeName"`
			Features []struct {
				Name  string `xml:"name"`
				Range string `xml:"rangeTypeName"`
			} `xml:"features>featureDescription"`
		} `xml:"types>typeDescription"`
	}
	return src.Look(path, func(s *codec.Source) error {
		whole, err := s.Whole()
		if err != nil {
			return err
		}
		if err := xml.Unmarshal([]byte(whole), &system); err != nil {
			return s.Fault(1, 0, "no description of types: %v", err)
		}
		r.ranges = map[string]map[string]bool{}
		for _, t := range system.Types {
			name := strings.TrimSpace(t.Name)
			r.supers[name], r.ranges[name] = strings.TrimSpace(t.Super), map[string]bool{}
			for _, f := range t.Features {
				switch of := strings.TrimSpace(f.Range); shortName(of) {
				case "String", "Integer", "Float", "Double", "Long", "Short", "Byte", "Boolean":
					r.ranges[name][strings.TrimSpace(f.Name)] = strings.HasPrefix(of, "uima.cas.")
				}
			}
		}
		return nil
	})
}

// plain reports whether a feature of a type is a text or number. Without a file of types each one is taken for it.
func (r *xmiReader) plain(kind, feature string) bool {
	if r.ranges == nil || r.ranges[kind] == nil {
		return true
	}
	for range len(r.supers) + 1 {
		if r.ranges[kind][feature] {
			return true
		}
		if kind = r.supers[kind]; kind == "" {
			break
		}
	}
	return false
}

// element notes a feature structure, the text of a view or its members.
func (r *xmiReader) element(e xml.StartElement, line int) {
	f := &xmiElement{kind: typeName(e.Name), attrs: map[string]string{}, line: line}
	id := ""
	for _, a := range e.Attr {
		switch {
		case a.Name.Space == xmiSpace && a.Name.Local == "id":
			id = a.Value
		case a.Name.Space == "":
			f.attrs[a.Name.Local] = a.Value
		}
	}
	switch {
	case e.Name.Space == casSpace && e.Name.Local == "Sofa":
		f.attrs["\x00id"] = id
		r.sofas = append(r.sofas, f)
	case e.Name.Space == casSpace && e.Name.Local == "View":
		r.views[f.attrs["sofa"]] = strings.Fields(f.attrs["members"])
	case e.Name.Space == casSpace:
	default:
		r.byID[id] = f
		r.order = append(r.order, f)
	}
}

// document makes the annotations of the first view, or of _InitialView; line is the one of a fault.
func (r *xmiReader) document() (line int, err error) {
	if len(r.sofas) == 0 {
		return 1, fmt.Errorf("the file has no text: no element Sofa")
	}
	sofa := r.sofas[0]
	for _, s := range r.sofas {
		if s.attrs["sofaID"] == "_InitialView" {
			sofa = s
		}
	}
	if len(r.sofas) > 1 {
		r.c.Tell(codec.Topic{One: "1 file has further views, which were left out",
			Many: "%d files have further views, which were left out"}, 1, r.in.id, 0)
	}
	content, ok := sofa.attrs["sofaString"]
	if !ok {
		return sofa.line, fmt.Errorf("the view %s has no sofaString", sofa.attrs["sofaID"])
	}
	r.in.text, r.table = content, offset.NewTable(content, r.c.offsets)
	id := sofa.attrs["\x00id"]
	members := map[*xmiElement]bool{}
	for _, m := range r.views[id] {
		members[r.byID[m]] = true
	}
	for i, e := range r.order {
		if i&1023 == 0 && r.ended != nil && r.ended() != nil {
			return e.line, r.ended()
		}
		if !members[e] || e.attrs["sofa"] != "" && e.attrs["sofa"] != id {
			continue
		}
		if err := r.annotation(e); err != nil {
			return e.line, err
		}
	}
	for i, e := range r.order {
		if members[e] && e.attrs["first"] != "" {
			if err := r.chain(e, strconv.Itoa(len(r.in.links)+i)); err != nil {
				return e.line, err
			}
		}
	}
	r.numberChains()
	byPlace := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
	slices.SortFunc(r.in.tokens, byPlace)
	slices.SortFunc(r.in.sentences, byPlace)
	for i := 1; i < len(r.in.tokens); i++ {
		if t := r.in.tokens[i]; t[0] < r.in.tokens[i-1][1] {
			return 1, fmt.Errorf("the token %q begins before the one above ends", content[t[0]:t[1]])
		}
	}
	slices.SortStableFunc(r.in.spans, func(a, b inceptionSpan) int { return a.start - b.start })
	return 0, nil
}

// place is where an annotation is, as bytes.
func (r *xmiReader) place(e *xmiElement) (p [2]int, err error) {
	from, err1 := strconv.Atoi(e.attrs["begin"])
	to, err2 := strconv.Atoi(e.attrs["end"])
	if err1 != nil || err2 != nil {
		return p, fmt.Errorf("an annotation %s has no begin and end that are numbers", shortName(e.kind))
	}
	p[0], p[1], err = r.table.Span(r.in.text, from, to, r.c.offsets, "")
	return p, err
}

// ofDKPro is the layer of a type, which may be one of the types below it.
func ofDKPro(kind string) string {
	for _, layer := range []string{typePOS, typeArc, typeChunk} {
		if strings.HasPrefix(kind, layer[:strings.LastIndexByte(layer, '.')+1]) {
			return layer
		}
	}
	return kind
}

// annotation reads a member of the view.
func (r *xmiReader) annotation(e *xmiElement) error {
	kind := ofDKPro(e.kind)
	if e.attrs["begin"] == "" || e.attrs["next"] != "" || strings.HasSuffix(kind, "Link") || kind == typeMeta ||
		strings.HasPrefix(kind, "uima.") {
		return nil
	}
	p, err := r.place(e)
	if err != nil {
		return err
	}
	switch {
	case kind == typeToken && p[0] < p[1]:
		r.in.tokens = append(r.in.tokens, p)
	case kind == typeSentence:
		r.in.sentences = append(r.in.sentences, p)
	case e.attrs["Governor"] != "" && e.attrs["Dependent"] != "":
		return r.arc(e, kind)
	case strings.HasPrefix(kind, dkpro) && !slices.Contains([]string{typePOS, typeLemma, typeMorph, typeChunk}, kind) &&
		!strings.HasPrefix(kind, dkpro+"ner.") && (r.c.take == nil || !r.c.takes(kind)):
		r.c.Tell(codec.Topic{One: "1 annotation is of the type " + kind + ", which no layer is made of",
			Many: "%d annotations are of the type " + kind + ", which no layer is made of"}, 1, r.in.id, 0)
	default:
		s := inceptionSpan{layer: kind, start: p[0], end: p[1]}
		for _, name := range []string{"value", "label"} {
			if v := e.attrs[name]; v != "" && r.plain(e.kind, name) {
				s.features = append(s.features, inceptionFeature{name, v})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(e.attrs)) {
			switch name {
			case "begin", "end", "sofa", "value", "label":
				continue
			}
			if v := e.attrs[name]; v != "" && r.plain(e.kind, name) {
				s.features = append(s.features, inceptionFeature{name, v})
			}
		}
		r.in.spans = append(r.in.spans, s)
	}
	return nil
}

// arc reads a relation between annotations.
func (r *xmiReader) arc(e *xmiElement, kind string) error {
	from, ok1 := r.byID[e.attrs["Governor"]]
	to, ok2 := r.byID[e.attrs["Dependent"]]
	if !ok1 || !ok2 {
		return fmt.Errorf("a relation %s is between annotations that are not there", shortName(kind))
	}
	a := inceptionArc{layer: kind}
	var err error
	if a.from, err = r.place(from); err != nil {
		return err
	}
	if a.to, err = r.place(to); err != nil {
		return err
	}
	names := append([]string{"DependencyType", "label", "value"}, slices.Sorted(maps.Keys(e.attrs))...)
	for _, name := range names {
		switch name {
		case "begin", "end", "sofa", "Governor", "Dependent", "flavor":
			continue
		}
		if v := e.attrs[name]; v != "" && r.plain(e.kind, name) {
			a.label = v
			break
		}
	}
	if a.label == "" && kind != typeArc {
		a.label = shortName(kind)
	}
	r.in.arcs = append(r.in.arcs, a)
	return nil
}

// chain reads the links of a chain.
func (r *xmiReader) chain(e *xmiElement, cluster string) error {
	seen := map[string]bool{}
	for id := e.attrs["first"]; id != ""; {
		link := r.byID[id]
		if link == nil || seen[id] {
			return fmt.Errorf("the links of a chain lead to %s, which is not there or was met before", id)
		}
		seen[id] = true
		p, err := r.place(link)
		if err != nil {
			return err
		}
		r.in.links = append(r.in.links, inceptionLink{cluster, link.attrs["referenceType"], p[0], p[1]})
		id = link.attrs["next"]
	}
	return nil
}

// numberChains calls chains by numbers, in the order in which they begin in the text.
func (r *xmiReader) numberChains() {
	slices.SortStableFunc(r.in.links, func(a, b inceptionLink) int { return a.start - b.start })
	numbers := map[string]string{}
	for i := range r.in.links {
		k := &r.in.links[i]
		if numbers[k.cluster] == "" {
			numbers[k.cluster] = strconv.Itoa(len(numbers) + 1)
		}
		k.cluster = numbers[k.cluster]
	}
}
