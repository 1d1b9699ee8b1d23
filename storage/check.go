package storage

import (
	"context"
	"errors"
	"fmt"

	"parlance/storage/catalog"
	"parlance/storage/knowledge"
	"parlance/storage/relation"
)

// CheckDatabase verifies pages, corpora, tables, knowledge bases, indexes, weights, cache and users, and reports each
// fault. It returns an error if there is any.
func (s *Store) CheckDatabase(ctx context.Context, report func(string)) error {
	bad := 0
	say := func(format string, args ...any) {
		bad++
		report(fmt.Sprintf(format, args...))
	}
	if err := s.Check(ctx, say); err != nil {
		return err
	}
	err := s.CheckCorpora(ctx, func(m string) { say("%s", m) })
	if err != nil && (bad == 0 || ctx.Err() != nil) {
		return err // else it is that of the faults, behind which others may come
	}
	for _, o := range s.tableObjects() {
		if o.Kind == catalog.CorpusObject || o.Kind == catalog.ModelObject || o.Kind == catalog.FeaturesObject {
			continue
		}
		if err := s.checkTable(ctx, o, say); err != nil {
			return err
		}
	}
	sn := s.Snapshot()
	defer sn.Close()
	for _, o := range s.Objects(catalog.KBObject) {
		if err := knowledge.Check(ctx, o, sn.ScanTable, say); err != nil {
			return err
		}
	}
	if err := s.CheckWeights(ctx, say); err != nil {
		return err
	}
	if err := s.cache.Check(say); err != nil {
		return err
	}
	if err := s.CheckUsers(say); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%w: %d faults", ErrCorrupt, bad)
	}
	return nil
}

// checkTable reads all blocks of a table. It compares the rows with the state, and the entries of each index with the
// rows.
func (s *Store) checkTable(ctx context.Context, o *Object, say func(string, ...any)) error {
	o, unlock, err := s.lockTable(ctx, o)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	st := s.tableState(o)
	v := s.tables.Rows(o, &st)
	v.Cache = relation.NewCache(0) // what is in memory is not what is checked
	n, sum, err := v.Count(ctx, s.tables.Read)
	if err == nil && (n != st.Count || sum != st.Sum) {
		say("table %s has %d rows, its state says %d; or their hashes differ", o.Name, n, st.Count)
	}
	for i, x := range o.TableIndexes() {
		same := true
		if err == nil {
			same, err = v.CheckIndex(ctx, s.tables.Read, x)
		}
		if !same && err == nil {
			say("table %s: the index on %v does not match the rows", o.Name, o.Indexes[i])
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		say("table %s: %v", o.Name, err)
	}
	return nil
}
