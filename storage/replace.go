package storage

import (
	"context"

	"parlance/algo/text"
)

// Replacement puts documents in the place of those with their ids, and adds those whose ids are new; all come
// last in load order. Nothing of it is seen before Commit. Memory does not depend on the number of documents.
// It writes nothing without documents, and must be ended by Commit or Abort.
type Replacement struct {
	s    *Store
	o    *Object
	load *Load // nil without documents
}

// NewReplacement begins to replace documents of a corpus.
func (s *Store) NewReplacement(o *Object) *Replacement { return &Replacement{s: s, o: o} }

// Add takes documents, which stay as they are.
func (p *Replacement) Add(ctx context.Context, docs []*text.Document) error {
	if len(docs) == 0 {
		return nil
	}
	if p.load == nil {
		l, err := p.s.NewLoad(ctx, p.o, LoadOptions{OnConflict: "replace"})
		if err != nil {
			return err
		}
		p.load = l
	}
	copies := make([]*text.Document, len(docs)) // which get sequence numbers
	for i, d := range docs {
		c := *d
		copies[i] = &c
	}
	return p.load.Add(ctx, copies, nil)
}

// Commit makes all replacements seen, or none.
func (p *Replacement) Commit(ctx context.Context) error {
	if p.load == nil {
		return nil
	}
	_, err := p.load.Commit(ctx)
	return err
}

// Abort gives the replacement up, unless it is committed.
func (p *Replacement) Abort() {
	if p.load != nil {
		p.load.Abort()
	}
}

// ReplaceDocuments is a Replacement by some documents.
func (s *Store) ReplaceDocuments(ctx context.Context, o *Object, docs []*text.Document) error {
	p := s.NewReplacement(o)
	defer p.Abort()
	if err := p.Add(ctx, docs); err != nil {
		return err
	}
	return p.Commit(ctx)
}
