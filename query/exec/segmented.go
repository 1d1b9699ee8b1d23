package exec

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"parlance/algo/text"
	"parlance/storage/recent"
)

// Bounds of segmented: a text must be short, and asked for twice among so many others.
const (
	segmentedBytes = 16 << 20 // of all documents, as estimated
	segmentedText  = 4 << 10  // bytes of a text
	segmentedSeen  = 1 << 16
)

// segmented keeps tokens and sentences of texts in queries that come again and again.
type segmented struct {
	mu   sync.Mutex
	seed maphash.Seed
	seen recent.Map[uint64, struct{}] // hashes of texts that were asked for once
	docs recent.Map[segmentedKey, *text.Document]
}

type segmentedKey struct{ content, tokenizer string }

func (s *segmented) init() {
	s.seed = maphash.MakeSeed()
	s.seen.Limit = segmentedSeen
	s.docs.Limit = segmentedBytes
	s.docs.Cost = func(d *text.Document) int { return 512 + 16*len(d.Text) }
}

// document is cut with what it gave for the same text before; otherwise the document is that of c.
func (s *segmented) document(ctx context.Context, e *Database, c *cutting, id, content, tokenizer string) (*text.Document, error) {
	if len(content) > segmentedText {
		return e.cut(ctx, id, content, tokenizer)
	}
	if err := e.checkLength(id, len(content)); err != nil {
		return nil, err
	}
	d, again := s.find(content, tokenizer)
	if !again {
		return &c.doc, e.cutInto(ctx, c, id, content, tokenizer)
	}
	if d == nil {
		var err error
		if d, err = e.cut(ctx, "", content, tokenizer); err != nil {
			return nil, err
		}
		s.keep(d, content, tokenizer)
	}
	// Layers are shared; a document has a list of them of its own.
	return &text.Document{ID: id, Text: d.Text, Layers: slices.Clone(d.Layers)}, nil
}

// find returns the document of a text, or whether it was asked for before.
func (s *segmented) find(content, tokenizer string) (d *text.Document, again bool) {
	h := maphash.String(s.seed, content)
	s.mu.Lock()
	defer s.mu.Unlock()
	if d, ok := s.docs.Get(segmentedKey{content, tokenizer}); ok {
		return d, true
	}
	if _, again = s.seen.Get(h); !again {
		s.seen.Put(h, struct{}{})
	}
	return nil, again
}

func (s *segmented) keep(d *text.Document, content, tokenizer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs.Put(segmentedKey{content, strings.Clone(tokenizer)}, d)
}
