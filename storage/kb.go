package storage

import (
	"context"
	"fmt"

	"parlance/storage/catalog"
	"parlance/storage/knowledge"
	"parlance/storage/table"
)

// KBChange changes the tables of a knowledge base. The change is visible after Commit, all at once. A knowledge base
// has one change at a time. A change must be ended by Commit or Abort.
type KBChange struct {
	*knowledge.Change
	s      *Store
	kb     *Object
	unlock func()
}

// ChangeKB begins a change. It waits until no other statement writes the knowledge base.
func (s *Store) ChangeKB(ctx context.Context, o *Object) (*KBChange, error) {
	if s.ReadOnly() {
		return nil, ErrReadOnly
	}
	now, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, x := range now.Tables {
		if was := o.Table(x.Part); was == nil || !catalog.SameColumns(was, x) {
			unlock()
			return nil, fmt.Errorf("kb %s: %w", o.Name, ErrChanged)
		}
	}
	c := knowledge.New(s.tables, now, func(x *Object) *table.Draft { return s.draft(ctx, x) })
	return &KBChange{Change: c, s: s, kb: now, unlock: unlock}, nil
}

// Commit publishes the change in one transaction.
func (c *KBChange) Commit(ctx context.Context) error {
	drafts, err := c.Drafts(ctx)
	if err == nil {
		err = c.s.commitDrafts(ctx, drafts...)
	}
	if err != nil {
		c.Abort()
		return err
	}
	c.End()
	if transaction(ctx) == nil {
		for _, o := range c.kb.Tables {
			c.s.mergeTable(ctx, o)
		}
		c.s.collectIfAny(ctx)
	}
	c.unlock()
	return nil
}

// Abort discards the change and removes what it has written. If that takes long, the rest is left to the background.
func (c *KBChange) Abort() {
	if drafts := c.End(); drafts != nil {
		c.s.discardDrafts(drafts...)
		c.unlock()
	}
}
