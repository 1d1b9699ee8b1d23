package text

import "parlance/storage/value"

// Role says how a column of a layer comes about and how it is shown.
type Role uint8

// The roles of columns.
const (
	Plain   Role = iota // stored as it is
	Offset              // a byte offset into the text inside, a code point offset at the query edge
	Slice               // not stored: Text[From_start:From_end], From names the columns
	Form                // tokens.form: stored only where it differs from the slice of the text
	OfToken             // not stored: the form of token (sent, tok)
)

// Column is a column of a layer. Integer columns are int32 inside, text columns strings.
type Column struct {
	Name string
	Type value.Type // Integer, Text or Float
	Role Role
	Doc  string
	From string // of a Slice: what its two columns of offsets begin with
}

// LayerDef declares a layer: a table with one or more rows a document. Every layer
// has the columns of its document besides (doc first), and hidden prob and rank.
type LayerDef struct {
	Name    string
	Doc     string
	Columns []Column
	Spans   bool // rows are spans of tokens with label and text
}

// Index returns the position of a column, or -1.
func (d *LayerDef) Index(name string) int {
	for i := range d.Columns {
		if d.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// Stored reports whether a document carries the column (it is not derived).
func (c Column) Stored() bool { return c.Role != Slice && c.Role != OfToken }

func integer(name, doc string) Column {
	return Column{Name: name, Type: value.Integer, Doc: doc}
}

func str(name, doc string) Column { return Column{Name: name, Type: value.Text, Doc: doc} }

func offset(name, doc string) Column {
	return Column{Name: name, Type: value.Integer, Role: Offset, Doc: doc}
}

func slice(name, from, doc string) Column {
	return Column{Name: name, Type: value.Text, Role: Slice, Doc: doc, From: from}
}

var (
	colSent      = integer("sent", "sentence, 1-based within the document")
	colTok       = integer("tok", "token, 1-based within the sentence")
	colCharStart = offset("char_start", "first code point, 0-based")
	colCharEnd   = offset("char_end", "code point after the last")
	colTokStart  = integer("tok_start", "first token, 1-based within the sentence")
	colTokEnd    = integer("tok_end", "last token, inclusive")
	colLabel     = str("label", "label")
	colText      = str("text", "the text covered")
	colCovered   = slice("text", "char", "the text covered")
)

func spanLayer(name, doc string) *LayerDef {
	return &LayerDef{Name: name, Doc: doc, Spans: true,
		Columns: []Column{colSent, colCharStart, colCharEnd, colTokStart, colTokEnd, colLabel, colText}}
}

// The layers that every database knows.
var (
	Sentences = &LayerDef{Name: "sentences", Doc: "sentences in reading order",
		Columns: []Column{colSent, colCharStart, colCharEnd, slice("text", "char", "the text of the sentence")}}
	Tokens = &LayerDef{Name: "tokens", Doc: "tokens in reading order",
		Columns: []Column{colSent, colTok, colCharStart, colCharEnd,
			{Name: "form", Type: value.Text, Role: Form, Doc: "word form"}, str("lemma", "lemma"),
			str("upos", "universal part of speech"),
			str("xpos", "language-specific part of speech"), str("feats", "morphological features"),
			str("misc", "CoNLL-U MISC")}}
	Chunks       = spanLayer("chunks", "base phrases")
	Entities     = spanLayer("entities", "named entities")
	Segments     = spanLayer("segments", "labelled fields or segments")
	Dependencies = &LayerDef{Name: "dependencies", Doc: "dependency arcs, one a token that has a head",
		Columns: []Column{colSent, colTok, {Name: "form", Type: value.Text, Role: OfToken, Doc: "word form"},
			integer("head", "head token, 0 is the root"), str("deprel", "dependency relation")}}
	Labels       = &LayerDef{Name: "labels", Doc: "labels of whole documents", Columns: []Column{colLabel}}
	Constituents = &LayerDef{Name: "constituents", Doc: "phrases of constituent trees, a node before its children",
		Columns: []Column{colSent, integer("node", "node, 1-based within the sentence, in preorder"),
			integer("parent", "node above, 0 for a root"), str("label", "category with its functions, such as NP-SBJ"),
			colCharStart, colCharEnd, colTokStart, colTokEnd, colCovered}}
	Mentions = &LayerDef{Name: "mentions", Doc: "mentions of entities and events, grouped by coreference",
		Columns: []Column{integer("mention", "mention, 1-based within the document"),
			str("cluster", "what corefers shares it, within the unit"), colSent, colCharStart, colCharEnd,
			colTokStart, colTokEnd,
			str("kind", "type of the entity or of the mention"), colCovered, str("link", "entry of a knowledge base")}}
	Roles = &LayerDef{Name: "roles", Doc: "arguments of predicates",
		Columns: []Column{colSent, integer("predicate", "token of the predicate, 1-based within the sentence"),
			str("sense", "sense of the predicate"), str("label", "role, V for the predicate itself"),
			colCharStart, colCharEnd, colTokStart, colTokEnd, colCovered}}
	Edits = &LayerDef{Name: "edits", Doc: "corrections of the text",
		Columns: []Column{colSent, colCharStart, colCharEnd,
			slice("source", "char", "what is replaced, empty for an insertion"),
			str("correction", "what replaces it, NULL for a deletion"), str("type", "type of the error"),
			integer("annotator", "who corrects, 0-based")}}
	Relations = &LayerDef{Name: "relations", Doc: "relations between two spans",
		Columns: []Column{colSent, slice("subject", "subject", "text of the first argument"), str("label", "relation"),
			slice("object", "object", "text of the second argument"),
			offset("subject_start", "first code point of the subject, 0-based"),
			offset("subject_end", "code point after its last"),
			offset("object_start", "first code point of the object, 0-based"),
			offset("object_end", "code point after its last")}}
	Alignments = &LayerDef{Name: "alignments", Doc: "tokens aligned with tokens of another document",
		Columns: []Column{colSent, colTok, str("other_doc", "id of the other document"),
			integer("other_sent", "sentence there, 1-based"),
			integer("other_tok", "token there, 1-based within the sentence"), str("label", "sure or possible")}}
	Words = &LayerDef{Name: "words", Doc: "what files hold beyond the other layers, such as comments, multiword tokens " +
		"and empty nodes of CoNLL-U, kept for writing back",
		Columns: []Column{colSent, str("id", "token range (2-3), empty node (4.1), token (4) or token and column (4 P) "+
			"that the line is about, or what it notes (PARTS), empty for a comment"),
			str("line", "the line or columns as read")}}
)

// Builtin lists the built-in layers in the order in which they are shown.
var Builtin = []*LayerDef{Sentences, Tokens, Chunks, Entities, Segments, Dependencies, Constituents,
	Mentions, Roles, Edits,
	Relations, Alignments, Labels, Words}

// Builtins returns the built-in layer of the name, or nil.
func Builtins(name string) *LayerDef {
	for _, d := range Builtin {
		if d.Name == name {
			return d
		}
	}
	return nil
}
