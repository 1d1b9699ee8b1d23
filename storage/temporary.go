package storage

import (
	"context"
	"errors"
	"math"

	"parlance/storage/catalog"
	"parlance/storage/sealed"
)

// Temporary objects are visible only to the session that made them. Their entries in the catalog have the number of
// the session, so that everything that works with objects works with them too: only snapshots and names know the
// difference. Entries that a killed process has left are removed when the file is next opened for writing; their rows
// are orphans.

// noSession is the session of temporary objects in a file that is open read-only: nobody's.
const noSession = math.MaxUint64

// NewSession returns a number for the temporary objects of a session, which no other session of this store has.
func (s *Store) NewSession() uint64 { return s.sessions.Add(1) }

// ForSession makes the temporary objects of a session visible in the snapshot, none for 0, and returns it.
func (sn *Snapshot) ForSession(session uint64) *Snapshot {
	sn.session = session
	return sn
}

// Session is the number of the session whose temporary objects the snapshot shows, 0 for none.
func (sn *Snapshot) Session() uint64 { return sn.session }

// hides reports whether an object is a temporary one of another session.
func (sn *Snapshot) hides(o *Object) bool { return o.Temporary != 0 && o.Temporary != sn.session }

// DropTemporary drops the temporary objects of a session whose statements have ended. It waits for what the store
// itself does with them, such as merges. All are tried, also after an error.
func (s *Store) DropTemporary(ctx context.Context, session uint64) error {
	if session == 0 {
		return nil
	}
	var failed error
	dropped := false
	for _, o := range s.Objects("") {
		if o.Temporary != session {
			continue
		}
		unlock, err := s.lockCorpus(ctx, o.ID)
		if err == nil {
			err = s.dropEntry(o.Name, o.ID)
			unlock()
		}
		dropped = dropped || err == nil
		failed = errors.Join(failed, err)
	}
	if dropped {
		s.collectSoon(context.Background())
	}
	return failed
}

// discardTemporary removes the entries of all temporary objects: those that a killed process has left, at the opening
// of the file, and those of sessions that never ended, when it is closed. Of a file that is open read-only they are
// hidden.
func (s *Store) discardTemporary() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var gone []*Object
	for _, o := range s.cat.byName {
		if o.Temporary != 0 {
			gone = append(gone, o)
		}
	}
	if s.ReadOnly() {
		for _, o := range gone {
			o.Temporary = noSession
		}
		return nil
	}
	if len(gone) == 0 {
		return nil
	}
	catalog.SortObjects(gone)
	err := s.Update(func(tx *sealed.Tx) error {
		for _, o := range gone {
			if err := removeEntry(tx, o.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, o := range gone {
		delete(s.cat.byName, o.Name)
	}
	s.cat.version++
	return nil
}
