package document

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"parlance/algo/text"
	"parlance/storage/recent"
)

// Bounds of repeatedTexts.
const (
	repeatedBytes = 16 << 20 // of all documents, as estimated
	repeatedText  = 4 << 10  // bytes of one text
	repeatedSeen  = 1 << 16  // texts that are known to have come once
)

// repeatedTexts keeps documents of short texts that queries ask for again and again. A text is kept when it comes the
// second time.
type repeatedTexts struct {
	mu   sync.Mutex
	seed maphash.Seed
	seen recent.Map[uint64, struct{}] // hashes of texts that came once
	docs recent.Map[repeatedKey, *text.Document]
}

type repeatedKey struct{ content, tokenizer string }

func (r *repeatedTexts) init() {
	r.seed = maphash.MakeSeed()
	r.seen.Limit = repeatedSeen
	r.docs.Limit = repeatedBytes
	r.docs.Cost = func(d *text.Document) int { return 512 + 16*len(d.Text) }
}

// MakeRepeated is Make for a text that may have come before: its document is in s, or shares its layers with those that
// were made of the same text.
func (m *Maker) MakeRepeated(ctx context.Context, s *Scratch, id, content, tokenizer string) (*text.Document, error) {
	if len(content) > repeatedText {
		return m.Make(ctx, id, content, tokenizer)
	}
	if err := m.CheckLength(id, len(content)); err != nil {
		return nil, err
	}
	d, again := m.repeated.find(content, tokenizer)
	if !again {
		return &s.doc, m.makeIn(ctx, s, id, content, tokenizer)
	}
	if d == nil {
		var err error
		if d, err = m.Make(ctx, "", content, tokenizer); err != nil {
			return nil, err
		}
		m.repeated.put(d, content, tokenizer)
	}
	// Layers are shared; a document has a list of them of its own.
	return &text.Document{ID: id, Text: d.Text, Layers: slices.Clone(d.Layers)}, nil
}

// find returns the document of a text, nil if it is not kept, and whether the text came before.
func (r *repeatedTexts) find(content, tokenizer string) (d *text.Document, again bool) {
	h := maphash.String(r.seed, content)
	r.mu.Lock()
	defer r.mu.Unlock()
	if d, ok := r.docs.Get(repeatedKey{content, tokenizer}); ok {
		return d, true
	}
	if _, again = r.seen.Get(h); !again {
		r.seen.Put(h, struct{}{})
	}
	return nil, again
}

func (r *repeatedTexts) put(d *text.Document, content, tokenizer string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.docs.Put(repeatedKey{content, strings.Clone(tokenizer)}, d)
}
