package place

import (
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// typ is the type of a value of the notation.
type typ uint8

const (
	noType typ = iota
	tokenType
	tokensType  // a list
	pathType    // tokens with a turning point
	spanType    // neighbouring tokens of a sentence
	mentionType // a row of the layer of mentions, which is a span too
	nodeType    // a constituent, which is a span too
	nodesType
	nodePathType
	textType
	textsType
	numberType
)

var typeNames = map[typ]string{tokenType: "token", tokensType: "tokens", pathType: "path", spanType: "span",
	mentionType: "mention", nodeType: "node",
	nodesType: "nodes", nodePathType: "path of nodes", textType: "text", textsType: "texts", numberType: "number"}

func (t typ) String() string { return typeNames[t] }

// above is the type that a type is a case of.
func (t typ) above() typ {
	switch t {
	case nodeType, mentionType:
		return spanType
	case pathType:
		return tokensType
	case nodePathType:
		return nodesType
	}
	return noType
}

// element is the type of the elements of a list.
func (t typ) element() typ {
	switch t {
	case tokensType, pathType:
		return tokenType
	case nodesType, nodePathType:
		return nodeType
	case textsType:
		return textType
	}
	return noType
}

// list is the type of lists of a type.
func (t typ) list() typ {
	switch t {
	case tokenType:
		return tokensType
	case nodeType:
		return nodesType
	case textType:
		return textsType
	}
	return noType
}

// extent reports whether a value covers tokens.
func (t typ) extent() bool {
	return t == tokenType || t == spanType || t == nodeType || t == mentionType
}

// Decl declares a place of a set.
type Decl struct {
	Name  string
	Type  string // token, span, node or mention
	Layer string // of a span that is a row of a layer, of mentions and of nodes
}

func (d Decl) String() string {
	if d.Type == "span" && d.Layer != "" {
		return d.Name + " span(" + d.Layer + ")"
	}
	return d.Name + " " + d.Type
}

func (d Decl) typ() typ {
	switch d.Type {
	case "token":
		return tokenType
	case "node":
		return nodeType
	case "mention":
		return mentionType
	}
	return spanType
}

// columns returns the layer whose columns the rows of a place have, nil for tokens and plain spans.
func (d Decl) columns() *text.LayerDef {
	if d.Layer == "" {
		return nil
	}
	return text.Builtins(d.Layer)
}

// template is a conjunction of values.
type template struct {
	values []int // instructions
	many   int   // which of them is a list, -1 for none
	name   string
	hash   uint64
}

// Set is a compiled set of templates. It never changes.
type Set struct {
	places    []Decl
	code      []instruction // each after those that it reads
	templates []template
}

// instruction computes a value from those of instructions before it.
type instruction struct {
	name  string // canonical notation
	typ   typ
	place int // of a bound place
	in    []int
	step  *step
	walk  *function
	each  bool // the step applies to each element of a list
	// Arguments, as the step reads them.
	size   int
	bounds []int32
	texts  []string
	negate bool
	column int // of the tokens, or of the layer of the place
}

// Is reports whether a notation is one of a set over places.
func Is(notation string) bool {
	p := &parser{text: notation}
	p.separators()
	return p.word() == "over"
}

// Places returns the places in the order in which they are given.
func (s *Set) Places() []Decl { return s.places }

// Templates returns the canonical notation of the templates.
func (s *Set) Templates() []string {
	var out []string
	for _, t := range s.templates {
		out = append(out, t.name)
	}
	return out
}

// Header is the canonical notation of the places.
func (s *Set) Header() string {
	var out []string
	for _, d := range s.places {
		out = append(out, d.String())
	}
	return "over (" + strings.Join(out, ", ") + ")"
}

// String returns the canonical notation: ranges and each written out.
func (s *Set) String() string {
	return s.Header() + "\n" + strings.Join(s.Templates(), "\n")
}

// Layers returns the layers and columns that are read. Descriptions of mentions read columns of tokens where there are
// such: these are optional.
func (s *Set) Layers() []kind.LayerUse {
	out := []kind.LayerUse{{Layer: "tokens", Columns: s.tokenColumns()}}
	optional := []string{}
	add := func(layer string, columns ...string) {
		at := -1
		for i := range out {
			if out[i].Layer == layer {
				at = i
			}
		}
		if at < 0 {
			at = len(out)
			out = append(out, kind.LayerUse{Layer: layer})
		}
		for _, c := range columns {
			if !contains(out[at].Columns, c) {
				out[at].Columns = append(out[at].Columns, c)
			}
		}
	}
	need := s.needs()
	if need&needHeads != 0 {
		add("dependencies", "sent", "tok", "head")
	}
	if need&needRelations != 0 {
		add("dependencies", "sent", "tok", "deprel")
	}
	if need&needNodes != 0 {
		add("constituents", "sent", "node", "parent", "label", "tok_start", "tok_end")
	}
	if need&needMentions != 0 {
		add("mentions", "sent", "tok_start", "tok_end")
	}
	if need&needDescriptions != 0 {
		for _, c := range []string{"lemma", "upos", "xpos", "feats", "misc"} {
			if !contains(out[0].Columns, c) {
				optional = append(optional, c)
			}
		}
		add("dependencies", "sent", "tok", "head", "deprel")
		add("mentions", "sent", "tok_start", "tok_end")
	}
	if need&needEntities != 0 {
		add("entities", "sent", "tok_start", "tok_end", "label")
	}
	for _, d := range s.places {
		if d.Layer != "" {
			add(d.Layer, "sent", "tok_start", "tok_end")
		}
	}
	for _, x := range s.code {
		if x.step != nil && x.step.row {
			add(s.places[x.place].Layer, x.texts[0])
		}
	}
	if len(optional) > 0 {
		out = append(out, kind.LayerUse{Layer: "tokens", Columns: optional, Optional: true})
	}
	return out
}

// tokenColumns returns the columns of tokens that are read, form where there is no other.
func (s *Set) tokenColumns() []string {
	var out []string
	for _, x := range s.code {
		if x.step == nil {
			continue
		}
		for _, c := range append([]string{x.step.column}, x.condition()...) {
			if c != "" && c != "deprel" && !contains(out, c) {
				out = append(out, c)
			}
		}
	}
	if out == nil {
		out = []string{"form"}
	}
	return out
}

// condition returns the column of tokens that a walk tests.
func (x *instruction) condition() []string {
	if x.step != nil && x.step.tests && x.column >= 0 {
		return []string{tokenColumns[x.column]}
	}
	return nil
}

// Resources returns the lexicons and knowledge bases that are named.
func (s *Set) Resources() []kind.Resource {
	var out []kind.Resource
	for _, x := range s.code {
		if sort := x.resource(); sort != "" {
			if r := (kind.Resource{Kind: sort, Name: x.texts[0]}); !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// resource is the kind of object that a step looks into, whose name is its first argument; "" for none.
func (x *instruction) resource() string {
	if x.step == nil || x.step.row {
		return ""
	}
	switch x.step.name {
	case "lexicon":
		return "lexicon"
	case "synset", "sense", "hypernyms":
		return "kb"
	}
	return ""
}

// needs is what extraction prepares of a document.
type needs uint8

const (
	needHeads needs = 1 << iota
	needRelations
	needNodes
	needMentions
	needDescriptions // of mentions
	needEntities
)

func (s *Set) needs() needs {
	var n needs
	for _, x := range s.code {
		if x.step != nil {
			n |= x.step.need
			if x.step.column == "deprel" {
				n |= needRelations
			}
		}
		if x.walk != nil {
			n |= x.walk.needs(s.code[x.in[0]].typ)
		}
		for _, c := range x.condition() {
			if c == "deprel" {
				n |= needRelations
			}
		}
	}
	for _, d := range s.places {
		if d.Type == "node" {
			n |= needNodes
		}
	}
	return n
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
