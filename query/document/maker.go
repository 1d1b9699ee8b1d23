package document

import (
	"context"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/draft"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
)

// CodeBytes is the code of texts that are longer than max_document_bytes.
const CodeBytes = "54P01"

// DefaultTokenizer cuts texts where neither a corpus nor a model says otherwise.
const DefaultTokenizer = "unicode"

// TokenizerOf returns the tokeniser of a corpus or gazetteer.
func TokenizerOf(o *catalog.Object) string {
	if t := o.Options["tokenizer"]; t != "" {
		return t
	}
	return DefaultTokenizer
}

// Maker makes documents of texts. It is safe for concurrent use once Init has been called.
type Maker struct {
	limit func() int // max_document_bytes
}

// Init sets where the limit of the length of texts is found.
func (m *Maker) Init(limit func() int) { m.limit = limit }

// Make makes a document of a text, with sentences and tokens by the named tokeniser.
func (m *Maker) Make(ctx context.Context, id, content, tokenizer string) (*text.Document, error) {
	return m.MakeIn(ctx, new(Scratch), id, content, tokenizer)
}

// MakeIn is Make with a document that lies in s, until s is used again.
func (m *Maker) MakeIn(ctx context.Context, s *Scratch, id, content, tokenizer string) (*text.Document, error) {
	if err := m.CheckLength(id, len(content)); err != nil {
		return nil, err
	}
	if !utf8.ValidString(content) {
		return nil, fault.Invalid("the text is not valid UTF-8")
	}
	s.doc = text.Document{ID: id, Text: content}
	return &s.doc, tokenize(ctx, &s.doc, tokenizer, s)
}

// Tokenize adds sentences and tokens to a document that has none, and aligns the spans of its other layers to them.
func Tokenize(ctx context.Context, d *text.Document, tokenizer string) error {
	if toks := d.Layer(text.Tokens.Name); toks != nil {
		for _, l := range d.Layers {
			if l.Def != text.Tokens && l.Def != text.Sentences && l.Def.Index("sent") >= 0 {
				draft.Align(l, toks) // rows that came with offsets alone
			}
		}
		return nil
	}
	return tokenize(ctx, d, tokenizer, new(Scratch))
}

// Forms returns the forms of the tokens of a text.
func (m *Maker) Forms(ctx context.Context, content, tokenizer string) ([]string, error) {
	d, err := m.Make(ctx, "", content, tokenizer)
	if err != nil {
		return nil, err
	}
	return d.Layer(text.Tokens.Name).Strs("form"), nil
}

// CheckLength refuses a document whose text is longer than max_document_bytes; place says where it comes from.
func (m *Maker) CheckLength(place string, n int) error {
	limit := m.limit()
	if n <= limit {
		return nil
	}
	if place != "" {
		place += ": "
	}
	hint := "cut it into several documents, or ALTER SYSTEM SET max_document_bytes"
	return plan.Errorf(ast.Pos{}, CodeBytes, hint,
		"%sthe text has %d {byte|bytes}, more than max_document_bytes, %d", place, n, limit)
}

// Check refuses documents that are too long, and ids that are empty or too long.
func (m *Maker) Check(docs []*text.Document, places []string) error {
	for i, d := range docs {
		if err := CheckID(places[i], d.ID); err != nil {
			return err
		}
		if err := m.CheckLength(places[i], len(d.Text)); err != nil {
			return err
		}
	}
	return nil
}

// CheckID refuses an id that is empty or too long; place says where it comes from.
func CheckID(place, id string) error {
	switch {
	case id == "":
		return fault.New("23502", "%s: a document needs an id", place)
	case len(id) > documents.MaxDocumentID:
		return fault.New(plan.CodeInvalid, "%s: the id has %d {byte|bytes}, more than %d",
			place, len(id), documents.MaxDocumentID)
	}
	return nil
}

// Gold is a view of a document without stored predictions.
func Gold(d *text.Document) *text.Document {
	out := *d
	out.Layers = nil
	for _, l := range d.Layers {
		if l.Name == l.Def.Name {
			out.Layers = append(out.Layers, l)
		}
	}
	return &out
}
