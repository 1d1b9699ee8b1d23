package inception

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/format/offset"
)

// inception is what INCEpTION and WebAnno export: TSV of version 3, or XMI of UIMA with the types of DKPro. The reader
// tells them by how a file begins, the writer by the ending of its name. Offsets count units of UTF-16 in both.
type inception struct {
	offsets, entity, relation string
	take                      []string
	xmi                       xmiTypes // of what was written
	codec.Notes
}

// Types of DKPro that layers have.
const (
	dkpro         = "de.tudarmstadt.ukp.dkpro.core.api."
	typeToken     = dkpro + "segmentation.type.Token"
	typeSentence  = dkpro + "segmentation.type.Sentence"
	typePOS       = dkpro + "lexmorph.type.pos.POS"
	typeLemma     = dkpro + "segmentation.type.Lemma"
	typeMorph     = dkpro + "lexmorph.type.morph.MorphologicalFeatures"
	typeChunk     = dkpro + "syntax.type.chunk.Chunk"
	typeEntity    = dkpro + "ner.type.NamedEntity"
	typeArc       = dkpro + "syntax.type.dependency.Dependency"
	typeLink      = dkpro + "coref.type.CoreferenceLink"
	typeChain     = dkpro + "coref.type.CoreferenceChain"
	typeMeta      = dkpro + "metadata.type.DocumentMetaData"
	defaultRelate = "webanno.custom.Relation"
)

func (c *inception) Options(s *option.Set) {
	offset.Option(s, &c.offsets, offset.UTF16, "; files of INCEpTION and UIMA have utf16")
	s.List(&c.take, "layers", nil, "layers of spans that become entities, by their names or the last parts of these; all "+
		"but those of tokens and chunks where it is left out")
	s.Text(&c.entity, "entity", typeEntity, "the layer as which entities are written")
	s.Text(&c.relation, "relation", defaultRelate, "the layer as which relations are written")
}

// inceptionSpan is an annotation of a layer.
type inceptionSpan struct {
	layer      string
	start, end int // bytes
	features   []inceptionFeature
}

// inceptionFeature is a feature with a value.
type inceptionFeature struct{ name, value string }

func (s *inceptionSpan) feature(name string) string {
	for _, f := range s.features {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// inceptionArc is a relation between two annotations or tokens.
type inceptionArc struct {
	layer, label string
	from, to     [2]int // bytes; from is the governor
}

// inceptionLink is a mention of a chain.
type inceptionLink struct {
	cluster, kind string
	start, end    int
}

// inceptionDocument is a document as such files have it.
type inceptionDocument struct {
	id        string
	text      string
	sentences [][2]int
	tokens    [][2]int
	spans     []inceptionSpan
	arcs      []inceptionArc
	links     []inceptionLink
}

// What the reader reports: what layers do not hold.
var (
	moreFeatures = codec.Topic{One: "1 annotation has values beside its label, which entities are without",
		Many: "%d annotations have values beside their labels, which entities are without"}
	moreHeads = codec.Topic{One: "1 dependency was left out: its token has another head already",
		Many: "%d dependencies were left out: their tokens have other heads already"}
	oddHeads = codec.Topic{One: "1 dependency was left out: it is between no tokens of one sentence",
		Many: "%d dependencies were left out: they are between no tokens of one sentence"}
	oddColumns = codec.Topic{One: "1 annotation of a token covers no token as it is, and was left out",
		Many: "%d annotations of tokens cover no token as it is, and were left out"}
	oddLinks = codec.Topic{One: "1 mention of a chain was left out: it covers no whole tokens of one sentence",
		Many: "%d mentions of chains were left out: they cover no whole tokens of one sentence"}
	skippedLayers = codec.Topic{One: "1 annotation is of a layer that the option layers does not name, and was left out",
		Many: "%d annotations are of layers that the option layers does not name, and were left out"}
)

func (c *inception) Read(src *codec.Source, emit func(doc *text.Document, line int) error) error {
	whole, err := src.Whole()
	if err != nil || whole == "" {
		return err
	}
	whole = strings.TrimPrefix(whole, "\ufeff")
	var in *inceptionDocument
	switch {
	case strings.HasPrefix(whole, "#FORMAT="):
		in, err = c.readTSV(src, whole)
	case strings.HasPrefix(strings.TrimSpace(whole), "<"):
		in, err = c.readXMI(src, whole)
	default:
		return src.Fault(1, 0, "the file is neither TSV, which begins with #FORMAT=WebAnno TSV 3, nor XMI")
	}
	if err != nil {
		return err
	}
	d, err := c.document(in)
	if err != nil {
		return src.Fault(1, 0, "%v", err)
	}
	return emit(d, 1)
}

// shortName is the last part of the name of a type.
func shortName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// takes reports whether a layer of spans becomes entities.
func (c *inception) takes(layer string) bool {
	return c.take == nil || slices.Contains(c.take, layer) || slices.Contains(c.take, shortName(layer))
}

// document makes layers of what a file says.
func (c *inception) document(in *inceptionDocument) (*text.Document, error) {
	d := &text.Document{ID: in.id, Text: in.text}
	var toks *text.Layer
	if len(in.tokens) > 0 {
		b := layers.Builder{}
		b.Text.WriteString(in.text)
		b.Placed(in.sentences, in.tokens)
		d, toks = b.Document(in.id)
	}
	at := map[[2]int]int{} // rows of tokens by their places
	for i, t := range in.tokens {
		at[t] = i
	}
	var entities, chunks []layers.Span
	for i := range in.spans {
		s := &in.spans[i]
		switch s.layer {
		case typePOS, typeLemma, typeMorph:
			if row, ok := at[[2]int{s.start, s.end}]; ok {
				setColumns(toks, row, s)
			} else {
				c.Tell(oddColumns, 1, in.id, 0)
			}
		case typeChunk:
			chunks = append(chunks, layers.Span{Start: s.start, End: s.end, Label: s.feature("chunkValue")})
		default:
			if !c.takes(s.layer) {
				c.Tell(skippedLayers, 1, in.id, 0)
				continue
			}
			entities = append(entities, layers.Span{Start: s.start, End: s.end, Label: c.labelOf(s, in.id)})
		}
	}
	if chunks != nil {
		d.SetLayer(layers.Spans(d, text.Chunks, chunks))
	}
	d.SetLayer(layers.Spans(d, text.Entities, entities))
	c.dependencies(d, toks, in, at)
	c.mentions(d, toks, in)
	var relations []layers.Relation
	for _, a := range in.arcs {
		if a.layer != typeArc {
			relations = append(relations, layers.Relation{Label: a.label, SubjectStart: a.from[0], SubjectEnd: a.from[1],
				ObjectStart: a.to[0], ObjectEnd: a.to[1]})
		}
	}
	if len(relations) > 0 {
		layers.SortRelations(relations)
		d.SetLayer(layers.Relations(relations))
	}
	return d, nil
}

// labelOf is the label of an annotation: its feature value or label, else the first that has a value, else the last
// part of the name of its layer.
func (c *inception) labelOf(s *inceptionSpan, id string) string {
	label, n := "", 0
	for _, f := range s.features {
		if f.value == "" {
			continue
		}
		if n++; label == "" || f.name == "value" || f.name == "label" {
			label = f.value
		}
	}
	if n > 1 {
		c.Tell(moreFeatures, 1, id, 0)
	}
	if label == "" {
		label = shortName(s.layer)
	}
	return label
}

// setColumns puts what an annotation says of a token into columns.
func setColumns(toks *text.Layer, row int, s *inceptionSpan) {
	for _, f := range s.features {
		column := map[string]string{"PosValue": "xpos", "coarseValue": "upos", "value": "feats"}[f.name]
		if s.layer == typeLemma && f.name == "value" {
			column = "lemma"
		}
		if column == "" || f.value == "" || s.layer == typePOS && f.name == "value" {
			continue
		}
		if toks.Strs(column) == nil {
			toks.SetStrs(column, make([]string, toks.N))
		}
		toks.Strs(column)[row] = f.value
	}
}

// dependencies makes the layer of arcs. An arc from a token to itself, or from none, is the root.
func (c *inception) dependencies(d *text.Document, toks *text.Layer, in *inceptionDocument, at map[[2]int]int) {
	heads, rels := map[int]int32{}, map[int]string{}
	for _, a := range in.arcs {
		if a.layer != typeArc {
			continue
		}
		to, ok1 := at[a.to]
		from, ok2 := at[a.from]
		if !ok1 || !ok2 || toks.Cols[0].Ints[from] != toks.Cols[0].Ints[to] {
			c.Tell(oddHeads, 1, in.id, 0)
			continue
		}
		if _, ok := rels[to]; ok {
			c.Tell(moreHeads, 1, in.id, 0)
			continue
		}
		if heads[to], rels[to] = toks.Cols[1].Ints[from], a.label; from == to {
			heads[to] = 0
		}
	}
	if len(rels) == 0 {
		return
	}
	l := text.NewLayer(text.Dependencies)
	var ints [3][]int32
	var names []string
	for row := range toks.N {
		if _, ok := rels[row]; ok {
			for c, v := range []int32{toks.Cols[0].Ints[row], toks.Cols[1].Ints[row], heads[row]} {
				ints[c] = append(ints[c], v)
			}
			names = append(names, rels[row])
		}
	}
	l.N = len(names)
	for i, n := range []string{"sent", "tok", "head"} {
		l.SetInts(n, ints[i])
	}
	l.SetStrs("deprel", names)
	d.SetLayer(l)
}

// mentions makes the layer of mentions of the links of chains.
func (c *inception) mentions(d *text.Document, toks *text.Layer, in *inceptionDocument) {
	var rows layers.Mentions
	begins, ends := map[int]int{}, map[int]int{}
	for i, t := range in.tokens {
		begins[t[0]], ends[t[1]] = i, i
	}
	for _, k := range in.links {
		first, ok1 := begins[k.start]
		last, ok2 := ends[k.end]
		if !ok1 || !ok2 || last < first || toks.Cols[0].Ints[first] != toks.Cols[0].Ints[last] {
			c.Tell(oddLinks, 1, in.id, 0)
			continue
		}
		rows.Rows = append(rows.Rows, layers.Mention{Sent: toks.Cols[0].Ints[first], First: toks.Cols[1].Ints[first],
			Last: toks.Cols[1].Ints[last], Cluster: k.cluster, Kind: k.kind})
	}
	if len(rows.Rows) > 0 {
		rows.Set(d, toks)
	}
}

// Endings are those of names, by which the writer chooses what to write.
func (c *inception) Endings() []string { return []string{".tsv", ".xmi"} }

// Streams reports that a document alone may go to a stream, as TSV.
func (c *inception) Streams() bool { return true }

func (c *inception) Files(d *text.Document, ext string) ([]codec.File, error) {
	in, err := c.gathered(d)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if ext == ".xmi" {
		err = c.writeXMI(&b, d, in)
	} else {
		ext = ".tsv"
		err = c.writeTSV(&b, d, in)
	}
	return []codec.File{{Name: ext, Content: b.Bytes()}}, err
}

// gathered is a document as files have it.
func (c *inception) gathered(d *text.Document) (*inceptionDocument, error) {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil || toks.N == 0 {
		return nil, fmt.Errorf("document %s has no tokens, which files of INCEpTION need", d.ID)
	}
	offset.TellLayers(&c.Notes, "INCEpTION", d, []string{"lemma", "upos", "xpos", "feats"}, text.Entities, text.Relations,
		text.Chunks,
		text.Dependencies, text.Mentions)
	if len(d.Fields) > 0 {
		c.Tell(codec.Topic{One: "the metadata of 1 document was left out, for which INCEpTION has no place",
			Many: "the metadata of %d documents was left out, for which INCEpTION has no place"}, 1, d.ID, 0)
	}
	in := &inceptionDocument{id: d.ID, text: d.Text}
	for i := range toks.N {
		t := [2]int{int(toks.Cols[2].Ints[i]), int(toks.Cols[3].Ints[i])}
		in.tokens = append(in.tokens, t)
		if n := len(in.sentences); n == 0 || toks.Cols[0].Ints[i] != toks.Cols[0].Ints[i-1] {
			in.sentences = append(in.sentences, t)
		} else {
			in.sentences[n-1][1] = t[1]
		}
	}
	c.gatherColumns(in, d, toks)
	for _, l := range []struct {
		name, layer, feature string
	}{{text.Chunks.Name, typeChunk, "chunkValue"}, {text.Entities.Name, c.entity, "value"}} {
		if layer := d.Layer(l.name); layer != nil {
			for i := range layer.N {
				s := layers.EntityAt(layer, i)
				in.spans = append(in.spans, inceptionSpan{l.layer, s.Start, s.End, []inceptionFeature{{l.feature, s.Label}}})
			}
		}
	}
	c.gatherArcs(in, d, toks)
	if l := d.Layer(text.Mentions.Name); l != nil {
		for i := range l.N {
			in.links = append(in.links, inceptionLink{layers.TextIn(l, "cluster", i), layers.TextIn(l, "kind", i),
				int(l.Ints("char_start")[i]), int(l.Ints("char_end")[i])})
		}
		slices.SortStableFunc(in.links, func(a, b inceptionLink) int { return cmp.Compare(a.start, b.start) })
	}
	return in, nil
}

// gatherColumns makes annotations of columns of tokens. Dependencies are between parts of speech.
func (c *inception) gatherColumns(in *inceptionDocument, d *text.Document, toks *text.Layer) {
	arcs := d.Layer(text.Dependencies.Name)
	add := func(layer string, always bool, columns, features []string) {
		for i, t := range in.tokens {
			s, found := inceptionSpan{layer: layer, start: t[0], end: t[1]}, false
			for k, column := range columns {
				if toks.Strs(column) == nil {
					continue
				}
				v := toks.Strs(column)[i]
				s.features = append(s.features, inceptionFeature{features[k], v})
				found = found || v != ""
			}
			if s.features == nil {
				s.features = []inceptionFeature{{features[0], ""}}
			}
			if found || always {
				in.spans = append(in.spans, s)
			}
		}
	}
	add(typePOS, arcs != nil && arcs.N > 0, []string{"xpos", "upos"}, []string{"PosValue", "coarseValue"})
	add(typeLemma, false, []string{"lemma"}, []string{"value"})
	add(typeMorph, false, []string{"feats"}, []string{"value"})
}

func (c *inception) gatherArcs(in *inceptionDocument, d *text.Document, toks *text.Layer) {
	if l := d.Layer(text.Dependencies.Name); l != nil {
		bounds := d.SentenceTokens()
		for i := range l.N {
			first := int(bounds[l.Ints("sent")[i]-1]) - 1
			to := in.tokens[first+int(l.Ints("tok")[i])]
			from := to
			if h := l.Ints("head")[i]; h > 0 {
				from = in.tokens[first+int(h)]
			}
			in.arcs = append(in.arcs, inceptionArc{typeArc, layers.TextIn(l, "deprel", i), from, to})
		}
	}
	if l := d.Layer(text.Relations.Name); l != nil {
		known := map[[2]int]bool{}
		for i := range in.spans {
			if s := &in.spans[i]; s.layer == c.entity {
				known[[2]int{s.start, s.end}] = true
			}
		}
		for i := range l.N {
			r := layers.RelationAt(l, i)
			a := inceptionArc{c.relation, r.Label, [2]int{r.SubjectStart, r.SubjectEnd}, [2]int{r.ObjectStart, r.ObjectEnd}}
			if !known[a.from] || !known[a.to] {
				c.Tell(offset.WithoutSpan, 1, d.ID, 0)
				continue
			}
			in.arcs = append(in.arcs, a)
		}
	}
}
