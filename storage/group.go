package storage

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/table"
)

// Small changes of a table by several statements are committed together, in one transaction of the file. A statement
// that changes rows locks the table (LockForRows), prepares its change over what the statements before it have
// prepared, joins the group that waits to be committed, releases the lock and waits until the change is in the file.
// The first member of a group is its leader: it commits the group as soon as the group before it is in the file. So a
// statement that nobody is beside of commits at once, by itself.
//
// Readers see committed states only. If a group cannot be committed, its members fail, and those that have built on
// them. Other writers of the table, such as transactions, lock it by lockCorpus, which waits until no member is left.

// mostMembers is how many changes of a table wait at most: the next statement first waits until there is none. Together
// they are a few megabytes, for a change has at most relation.SmallBytes.
const mostMembers = 64

// mostGathering is how long a leader waits at most for statements that are likely to join it.
const mostGathering = 2 * time.Millisecond

// errCommitBroken is the error of members whose leader ended in a panic.
var errCommitBroken = errors.New("the statement that was to commit the changes of several has broken off")

// commitGroups are the changes of all tables that wait to be committed.
type commitGroups struct {
	mu     sync.Mutex
	tables map[uint32]*commitGroup
}

// commitGroup is the changes of one table that wait.
type commitGroup struct {
	mu      sync.Mutex
	members []*member     // in order: those that are being committed, then those that wait
	led     bool          // a member commits, or is about to
	idle    chan struct{} // closed when no member is left; nil before the first one
	inside  int           // number of statements that lock the table for rows, or are members
	company int           // number of members that a leader expects
	full    chan struct{} // closed when there are as many members; nil if no leader waits for them
	took    time.Duration // how long a commit takes, about
}

// member is a change that waits.
type member struct {
	o   *Object
	own []*relation.Generation // small ones, which are not in the file
	now table.State            // number, count and sum of the rows after it, without generations

	lead chan struct{} // closed when it is to commit its group
	done chan struct{} // closed when it is committed or has failed
	err  error         // valid after done
}

// failed is the error of a member that could not be committed, nil if it was or is not yet. It may be nil itself.
func (m *member) failed() error {
	if m != nil {
		select {
		case <-m.done:
			return m.err
		default:
		}
	}
	return nil
}

// rowLock is the lock of a table for a statement that changes rows.
type rowLock struct {
	id     uint32
	g      *commitGroup
	after  *member // the newest change that it may see, nil for none
	unlock func()
	once   sync.Once
}

// within returns a context under which changes are made under the lock, which may be nil.
func (l *rowLock) within(ctx context.Context) context.Context {
	if l == nil {
		return ctx
	}
	return context.WithValue(context.WithValue(ctx, lockHeldKey{}, l.id), rowLockKey{}, l)
}

// release gives the lock back, once.
func (l *rowLock) release() { l.once.Do(l.unlock) }

type rowLockKey struct{}

// rowLockOf returns the lock of a statement that changes rows of a table, or nil.
func rowLockOf(ctx context.Context, o *Object) *rowLock {
	if l, _ := ctx.Value(rowLockKey{}).(*rowLock); l != nil && l.id == o.ID {
		return l
	}
	return nil
}

// of returns the group of a table.
func (x *commitGroups) of(id uint32) *commitGroup {
	x.mu.Lock()
	defer x.mu.Unlock()
	g := x.tables[id]
	if g == nil {
		if x.tables == nil {
			x.tables = map[uint32]*commitGroup{}
		}
		g = &commitGroup{}
		x.tables[id] = g
	}
	return g
}

// forget forgets the group of a dropped table, which has no members.
func (x *commitGroups) forget(id uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.tables, id)
}

// LockForRows is LockForWrite for a statement that changes rows of a table by NewRowsChange or NewTableLoad alone. If
// its change is small, it is committed together with those of others. Changes before it that are not committed yet are
// in a snapshot after SeeWaiting. In a transaction, and for other objects than lexicons and gazetteers, it is
// LockForWrite.
func (s *Store) LockForRows(ctx context.Context, o *Object) (held context.Context, release func(), err error) {
	if transaction(ctx) != nil || !plainTable(o) || ctx.Value(lockHeldKey{}) == o.ID {
		return s.LockForWrite(ctx, o)
	}
	g := s.groups.of(o.ID)
	g.enter()
	late, stop := lateness(ctx)
	defer stop()
	unlock, err := s.lockAlone(ctx, o.ID, late)
	if err == nil && g.waiting() >= mostMembers {
		if err = g.drained(ctx, late); err != nil {
			unlock()
		}
	}
	if err != nil {
		g.leave()
		return nil, nil, err
	}
	l := &rowLock{id: o.ID, g: g, after: g.last(), unlock: unlock}
	return l.within(ctx), func() { l.release(); g.leave() }, nil
}

// plainTable reports whether an object is one table, not several.
func plainTable(o *Object) bool {
	return o.Owner == 0 && (o.Kind == catalog.LexiconObject || o.Kind == catalog.GazetteerObject)
}

// SeeWaiting adds to an open snapshot, taken under the lock of LockForRows, the changes of the table that wait to be
// committed. Without such a lock it does nothing.
func (s *Store) SeeWaiting(held context.Context, sn *Snapshot, o *Object) {
	l := rowLockOf(held, o)
	if l == nil {
		return
	}
	st, some := s.waitingState(l.g, o)
	if some {
		sn.tables = maps.Clone(sn.tables)
		sn.tables[o.ID] = st
	}
}

// waitingState returns the state of a table with the changes that wait; some is false if there are none.
func (s *Store) waitingState(g *commitGroup, o *Object) (st table.State, some bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	st = s.tableState(o)
	return withMembers(st, g.members), len(g.members) > 0
}

// withMembers is a state after changes.
func withMembers(st table.State, members []*member) table.State {
	if len(members) == 0 {
		return st
	}
	now := members[len(members)-1].now
	now.Gens = slices.Clone(st.Gens)
	for _, m := range members {
		now.Gens = append(now.Gens, m.own...)
	}
	return now
}

func (g *commitGroup) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside++
}

func (g *commitGroup) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
}

// waiting is the number of members.
func (g *commitGroup) waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.members)
}

// last returns the newest member, nil for none.
func (g *commitGroup) last() *member {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.members) == 0 {
		return nil
	}
	return g.members[len(g.members)-1]
}

// drained waits until no change of a table waits. The caller has locked the table, so that none joins.
func (x *commitGroups) drained(ctx context.Context, id uint32, late <-chan time.Time) error {
	x.mu.Lock()
	g := x.tables[id]
	x.mu.Unlock()
	if g == nil {
		return nil
	}
	return g.drained(ctx, late)
}

// drained waits until there are no members. The caller has locked the table, so that none joins.
func (g *commitGroup) drained(ctx context.Context, late <-chan time.Time) error {
	g.mu.Lock()
	idle := g.idle
	g.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-late:
		return ErrLockTimeout
	case <-ctx.Done():
		return ctx.Err()
	}
}

// commitRows commits a draft that began with base generations. Under the lock of LockForRows it is committed together
// with others if it is small, and the lock is released. Then it merges generations and removes garbage, if it is time.
func (s *Store) commitRows(ctx context.Context, d *table.Draft, base int) error {
	l := rowLockOf(ctx, d.Object)
	if l == nil {
		if err := s.commitDrafts(ctx, d); err != nil {
			return err
		}
		s.mergeAfter(ctx, d.Object)
		return nil
	}
	if err := s.commitInGroup(ctx, l, d, base); err != nil {
		return err
	}
	l.release()
	s.mergeLater(ctx, d.Object)
	return nil
}

// mergeLockTime is how long a statement whose change is in the file waits for the lock, to merge generations.
const mergeLockTime = 50 * time.Millisecond

// mergeLater is mergeAfter for a table that is not locked. If another writer holds the lock for long, the next change
// merges.
func (s *Store) mergeLater(ctx context.Context, o *Object) {
	if st := s.tableState(o); st.Mergeable() {
		own := context.WithValue(context.WithValue(ctx, lockHeldKey{}, nil), rowLockKey{}, nil)
		if now, unlock, err := s.lockTable(WithLockTimeout(own, mergeLockTime), o); err == nil {
			s.mergeTable(ctx, now)
			unlock()
		}
	}
	s.collectIfAny(ctx)
}

// commitInGroup commits a draft under the lock of LockForRows.
func (s *Store) commitInGroup(ctx context.Context, l *rowLock, d *table.Draft, base int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.Seal(false); err != nil {
		return err
	}
	own := d.State.Gens[base:]
	if !d.Small(base) {
		return s.commitAlone(ctx, l, d, own)
	}
	m := &member{o: d.Object, own: own, now: d.State, lead: make(chan struct{}), done: make(chan struct{})}
	m.now.Gens = nil
	leads, err := l.g.join(m, l.after)
	if err != nil {
		return err
	}
	l.release()
	if !leads {
		select {
		case <-m.lead:
		case <-m.done: // not the context: what others have built on is committed, and that takes as long as a commit
			return m.err
		}
	}
	s.leadCommit(l.g)
	<-m.done
	return m.err
}

// commitAlone commits a large change over all that wait.
func (s *Store) commitAlone(ctx context.Context, l *rowLock, d *table.Draft, own []*relation.Generation) error {
	if err := l.g.drained(ctx, nil); err != nil {
		return err
	}
	if err := l.after.failed(); err != nil {
		return err
	}
	d.State.Gens = append(slices.Clip(s.tableState(d.Object).Gens), own...)
	return s.publishDrafts(nil, d)
}

// join adds a member. leads tells that it has to commit. after is the newest change that it has built on: its error if
// that has failed.
func (g *commitGroup) join(m, after *member) (leads bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := after.failed(); err != nil {
		return false, err
	}
	if len(g.members) == 0 {
		g.idle = make(chan struct{})
	}
	g.members = append(g.members, m)
	if g.full != nil && len(g.members) >= g.company {
		close(g.full)
		g.full = nil
	}
	leads, g.led = !g.led, true
	return leads, nil
}

// leadCommit commits the members that wait, and has the first one of those that have joined meanwhile lead the next
// commit. Its caller is a member that leads.
func (s *Store) leadCommit(g *commitGroup) {
	g.gather()
	g.mu.Lock()
	list := slices.Clone(g.members)
	g.mu.Unlock()
	var st table.State
	began, err := time.Now(), errCommitBroken
	defer func() { s.land(g, list, st, err, time.Since(began)) }()
	st, err = s.commitMembers(list)
}

// gather waits for statements that are likely to join: as many as were there when the last group was committed. They
// get as long as a commit takes, which they would wait for otherwise. A statement that nobody was beside of waits for
// nobody.
func (g *commitGroup) gather() {
	g.mu.Lock()
	if len(g.members) >= min(g.company, mostMembers) {
		g.mu.Unlock()
		return
	}
	full := make(chan struct{})
	g.full = full
	most := min(g.took, mostGathering)
	g.mu.Unlock()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-full:
	case <-timer.C:
		g.mu.Lock()
		g.full = nil
		g.mu.Unlock()
	}
}

// commitMembers writes the changes of members to the file, and returns the state after them.
func (s *Store) commitMembers(list []*member) (table.State, error) {
	o := list[len(list)-1].o
	d := table.NewDraft(s.tables, o, withMembers(s.tableState(o), list))
	err := s.Update(func(tx *sealed.Tx) error { return d.Commit(tx) })
	return d.State, err
}

// land ends a commit of members, whose state is st unless there is an error. What has built on failed ones fails too.
func (s *Store) land(g *commitGroup, list []*member, st table.State, err error, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		list = g.members
	} else {
		s.publishTables(map[uint32]table.State{list[0].o.ID: st}, nil)
	}
	g.members = slices.Clone(g.members[len(list):])
	g.company = g.inside
	g.took = (3*g.took + took) / 4
	for _, m := range list {
		m.err = err
		close(m.done)
	}
	switch {
	case len(g.members) > 0:
		close(g.members[0].lead)
		return
	case g.idle != nil:
		close(g.idle)
		g.idle = nil
	}
	g.led = false
}
