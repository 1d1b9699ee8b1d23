package documents

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/storage/block"
	"parlance/storage/value"
)

// Bounds of a segment; a document that is larger is a segment of its own. Tests set smaller ones.
var (
	SegmentTokens = 8192
	SegmentText   = 64 << 10
	SegmentDocs   = 4096
)

// LayerTable finds the layers of a corpus by name.
type LayerTable map[string]*Layer

// Encoded is a segment ready to be written.
type Encoded struct {
	State  *SegmentState
	IDs    []string
	Blocks map[uint16][]byte // by part
	Sum    [16]byte          // of the content hashes
}

// Encode encodes documents.
func Encode(docs []*text.Document, layers LayerTable) (*Encoded, error) {
	e := &Encoded{State: &SegmentState{Docs: len(docs), Parts: map[uint16]LayerMeta{}}, Blocks: map[uint16][]byte{}}
	for _, d := range docs {
		if err := checkDocument(d); err != nil {
			return nil, err
		}
	}
	e.documents(docs)
	e.fields(docs)
	for _, name := range layerNames(docs) {
		l := layers[name]
		if l == nil {
			return nil, fmt.Errorf("layer %s has no number", name)
		}
		e.Blocks[l.Part], e.State.Parts[l.Part] = EncodeLayer(docs, l)
	}
	return e, nil
}

func layerNames(docs []*text.Document) []string {
	seen := map[string]bool{}
	var out []string
	for _, d := range docs {
		for _, l := range d.Layers {
			if !seen[l.Name] {
				seen[l.Name] = true
				out = append(out, l.Name)
			}
		}
	}
	sort.Strings(out)
	return out
}

// checkDocument refuses documents that would not be read back as they are.
func checkDocument(d *text.Document) error {
	if len(d.Text) > math.MaxInt32/2 {
		return fmt.Errorf("document %s has %d bytes of text, at most %d are possible", d.ID, len(d.Text), math.MaxInt32/2)
	}
	for _, l := range d.Layers {
		if err := CheckLayer(d, l); err != nil {
			return fmt.Errorf("document %s, layer %s: %w", d.ID, l.Name, err)
		}
	}
	return nil
}

// CheckLayer refuses a layer that would not be read back as it is.
func CheckLayer(d *text.Document, l *text.Layer) error {
	if len(l.Def.Columns) > 64 {
		return fmt.Errorf("%d columns, at most 64 are possible", len(l.Def.Columns))
	}
	if len(l.Cols) != len(l.Def.Columns) {
		return fmt.Errorf("%d columns, its definition has %d", len(l.Cols), len(l.Def.Columns))
	}
	if l.Prob != nil && len(l.Prob) != l.N || l.Rank != nil && len(l.Rank) != l.N {
		return fmt.Errorf("%d values of prob, %d of rank for %d rows", len(l.Prob), len(l.Rank), l.N)
	}
	for c := range l.Cols {
		col, def := &l.Cols[c], &l.Def.Columns[c]
		for _, n := range []int{len(col.Ints), len(col.Strs), len(col.Floats)} {
			if n != 0 && n != l.N {
				return fmt.Errorf("column %s has %d values for %d rows", def.Name, n, l.N)
			}
		}
		if col.Ints != nil && def.Type != value.Integer || col.Floats != nil && def.Type != value.Float ||
			col.Strs != nil && (def.Type == value.Integer || def.Type == value.Float) {
			return fmt.Errorf("column %s holds values that are no %s", def.Name, def.Type)
		}
		if l.Def == text.Dependencies && def.Name == "head" {
			for _, x := range col.Ints {
				if x < 0 {
					return fmt.Errorf("head %d is negative", x)
				}
			}
		}
		if def.Role == text.Offset {
			for _, x := range col.Ints {
				if x < 0 || int(x) > len(d.Text) {
					return fmt.Errorf("offset %d lies outside the text of %d bytes", x, len(d.Text))
				}
			}
		}
	}
	return nil
}

// documents writes ids, sequence numbers, lengths of texts, tokens and content hashes, and
// the texts.
func (e *Encoded) documents(docs []*text.Document) {
	n := len(docs)
	lens, tokens := make([]int32, n), make([]int32, n)
	ascii := make([]int32, n)
	seqs := make([]uint64, n)
	var hashes, buf []byte
	size := 0
	for _, d := range docs {
		size += len(d.Text)
	}
	texts := make([]byte, 0, size)
	for i, d := range docs {
		e.IDs = append(e.IDs, d.ID)
		seqs[i], lens[i] = d.Seq, int32(len(d.Text))
		if utf8.RuneCountInString(d.Text) == len(d.Text) {
			ascii[i] = 1
		}
		if l := d.Layer("tokens"); l != nil {
			tokens[i] = int32(l.N)
			e.State.Tokens += l.N
		}
		texts = append(texts, d.Text...)
		var h [16]byte
		h, buf = DocumentHash(d, buf)
		hashes = append(hashes, h[:]...)
		AddHash(&e.Sum, h)
	}
	e.State.First, e.State.Last, e.State.Text = seqs[0], seqs[n-1], len(texts)
	w := block.NewWriter(n)
	w.Words(e.IDs)
	w.Longs(seqs)
	w.Ints(lens)
	w.Ints(tokens)
	w.Ints(ascii)
	w.Bytes(hashes)
	e.Blocks[partDocuments] = w.Finish()
	w = block.NewWriter(n)
	w.Bytes(texts)
	e.Blocks[partTexts] = w.Finish()
}

// fields writes the metadata columns that any document has, as rows of one value.
func (e *Encoded) fields(docs []*text.Document) {
	seen := map[string]bool{}
	for _, d := range docs {
		for _, f := range d.Fields {
			if !f.Value.IsNull() {
				seen[f.Name] = true
			}
		}
	}
	if len(seen) == 0 {
		return
	}
	for name := range seen {
		e.State.Fields = append(e.State.Fields, name)
	}
	sort.Strings(e.State.Fields)
	w := block.NewWriter(len(docs))
	for _, name := range e.State.Fields {
		col := make([]string, len(docs))
		for i, d := range docs {
			if v := d.Field(name); !v.IsNull() {
				col[i] = string(value.AppendRow(nil, []value.Value{v}))
			}
		}
		w.Words(col)
	}
	e.Blocks[partFields] = w.Finish()
}

// SameDefinition reports whether layers of two definitions can be stored together.
func SameDefinition(a, b *text.LayerDef) bool {
	return a == b || a.Name == b.Name && a.Spans == b.Spans && slices.EqualFunc(a.Columns, b.Columns,
		func(x, y text.Column) bool {
			return x.Name == y.Name && x.Type == y.Type && x.Role == y.Role
		})
}
