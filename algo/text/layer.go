package text

import "parlance/storage/value"

// Role says how a column of a layer comes about and how it is shown.
type Role uint8

// The roles of columns.
const (
	Plain   Role = iota // stored as it is
	Offset              // a byte offset into the text inside, a code point offset at the query edge
	Slice               // not stored: Text[char_start:char_end]
	Form                // tokens.form: stored only where it differs from the slice of the text
	OfToken             // not stored: the form of token (sent, tok)
)

// Column is a column of a layer. Integer columns are int32 inside, text columns strings.
type Column struct {
	Name string
	Type value.Type // Integer, Text or Float
	Role Role
	Doc  string
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

func integer(name, doc string) Column { return Column{name, value.Integer, Plain, doc} }
func str(name, doc string) Column     { return Column{name, value.Text, Plain, doc} }

var (
	colSent      = integer("sent", "sentence, 1-based within the document")
	colTok       = integer("tok", "token, 1-based within the sentence")
	colCharStart = Column{"char_start", value.Integer, Offset, "first code point, 0-based"}
	colCharEnd   = Column{"char_end", value.Integer, Offset, "code point after the last"}
	colTokStart  = integer("tok_start", "first token, 1-based within the sentence")
	colTokEnd    = integer("tok_end", "last token, inclusive")
	colLabel     = str("label", "label")
	colText      = str("text", "the text covered")
)

func spanLayer(name, doc string) *LayerDef {
	return &LayerDef{Name: name, Doc: doc, Spans: true,
		Columns: []Column{colSent, colCharStart, colCharEnd, colTokStart, colTokEnd, colLabel, colText}}
}

// The layers that every database knows.
var (
	Sentences = &LayerDef{Name: "sentences", Doc: "sentences in reading order",
		Columns: []Column{colSent, colCharStart, colCharEnd, {"text", value.Text, Slice, "the text of the sentence"}}}
	Tokens = &LayerDef{Name: "tokens", Doc: "tokens in reading order",
		Columns: []Column{colSent, colTok, colCharStart, colCharEnd,
			{"form", value.Text, Form, "word form"}, str("lemma", "lemma"), str("upos", "universal part of speech"),
			str("xpos", "language-specific part of speech"), str("feats", "morphological features"), str("misc", "CoNLL-U MISC")}}
	Chunks       = spanLayer("chunks", "base phrases")
	Entities     = spanLayer("entities", "named entities")
	Segments     = spanLayer("segments", "labelled fields or segments")
	Dependencies = &LayerDef{Name: "dependencies", Doc: "dependency arcs, one a token",
		Columns: []Column{colSent, colTok, {"form", value.Text, OfToken, "word form"},
			integer("head", "head token, 0 is the root"), str("deprel", "dependency relation")}}
	Labels = &LayerDef{Name: "labels", Doc: "labels of whole documents", Columns: []Column{colLabel}}
	Words  = &LayerDef{Name: "words", Doc: "CoNLL-U multiword tokens, empty nodes and comments, kept for writing back",
		Columns: []Column{colSent, str("id", "token range (2-3), empty node (4.1) or empty for a comment"), str("line", "the line as read")}}
)

// Builtin lists the built-in layers in the order in which they are shown.
var Builtin = []*LayerDef{Sentences, Tokens, Chunks, Entities, Segments, Dependencies, Labels, Words}

// Builtins returns the built-in layer of the name, or nil.
func Builtins(name string) *LayerDef {
	for _, d := range Builtin {
		if d.Name == name {
			return d
		}
	}
	return nil
}
