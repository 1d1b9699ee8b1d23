package storage

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/storage/failing"
	"parlance/storage/value"
)

var errDisk = errors.New("the disk is full")

// held has write transactions of the file wait, and counts them.
type held struct {
	t     *testing.T
	began chan struct{} // receives when one waits
	gate  chan error    // what ends one
	mu    sync.Mutex
	n     int
}

// holdWrites has the next write transactions wait for the test.
func holdWrites(t *testing.T, s *Store) *held {
	h := &held{t: t, began: make(chan struct{}, 100), gate: make(chan error)}
	s.cleaner.ended.Wait()
	t.Cleanup(failing.By(func(s failing.Step) error {
		if s != failing.Write {
			return nil
		}
		h.mu.Lock()
		h.n++
		h.mu.Unlock()
		h.began <- struct{}{}
		return <-h.gate
	}))
	return h
}

// let ends the write transaction that waits, with an error if there is one, and returns after it has begun to.
func (h *held) let(err error) {
	h.wait()
	h.gate <- err
}

// wait waits until a transaction is held.
func (h *held) wait() {
	select {
	case <-h.began:
	case <-time.After(testtime.Allow(20 * time.Second)):
		h.t.Fatal("no transaction begins")
	}
}

func (h *held) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.n
}

// addOne adds 1 to the number of a row as UPDATE does: it locks the table, reads the row and changes it. before is
// called before its commit.
func addOne(ctx context.Context, s *Store, o *Object, id uint64, before func() error) error {
	ctx, release, err := s.LockForRows(ctx, o)
	if err != nil {
		return err
	}
	defer release()
	sn := s.Snapshot()
	defer sn.Close()
	s.SeeWaiting(ctx, sn, o)
	c, err := s.NewRowsChange(ctx, o)
	if err != nil {
		return err
	}
	defer c.Abort()
	err = sn.ScanTable(ctx, o, nil, func(ids []uint64, b *value.Batch) error {
		for i, x := range ids {
			if x == id {
				one := b.Select([]int{i})
				n := value.FromValues(value.Integer, []value.Value{value.Int(int64(one.Cols[1].At(0).N) + 1)})
				return c.Update(ctx, []uint64{id}, one, []int{1}, []value.Vec{n})
			}
		}
		return nil
	})
	if err == nil && before != nil {
		err = before()
	}
	if err != nil {
		return err
	}
	_, err = c.Commit(ctx)
	return err
}

// numbersOfRows are the numbers of all rows.
func numbersOfRows(t *testing.T, s *Store, o *Object) map[uint64]int64 {
	t.Helper()
	out := map[uint64]int64{}
	for id, row := range scan(t, s, o) {
		out[id] = int64(row[1].N)
	}
	return out
}

// counted has a table with three rows of number 0.
func counted(t *testing.T) (*Store, *Object) {
	t.Helper()
	s := open(t)
	o := tableOf(t, s, []string{"n"})
	insert(t, s, o, rowOf("a", 0), rowOf("b", 0), rowOf("c", 0))
	return s, o
}

// start runs n changes of the first row, one after the other as far as they are prepared, and returns when all wait.
func start(t *testing.T, s *Store, o *Object, n int) (ended chan error) {
	t.Helper()
	ended = make(chan error, n)
	for range n {
		before := s.groups.of(o.ID).waiting()
		go func() { ended <- addOne(background, s, o, 0, nil) }()
		waits(t, func() bool { return s.groups.of(o.ID).waiting() > before })
	}
	return ended
}

// waits waits until a condition holds.
func waits(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(testtime.Allow(10 * time.Second)); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come to that")
		}
	}
}

// outcome wants that n statements end with an error, nil for none.
func outcome(t *testing.T, ended chan error, n int, want error) {
	t.Helper()
	for range n {
		select {
		case err := <-ended:
			if !errors.Is(err, want) {
				t.Errorf("it ended with %v, want %v", err, want)
			}
		case <-time.After(testtime.Allow(20 * time.Second)):
			t.Fatal("it does not end")
		}
	}
}

// TestChangesAreCommittedTogether has nine changes wait for a first one: they take one transaction of the file, each
// sees those before it, readers see none before it is in the file.
func TestChangesAreCommittedTogether(t *testing.T) {
	s, o := counted(t)
	h := holdWrites(t, s)
	ended := start(t, s, o, 10)
	if n := numbersOfRows(t, s, o)[0]; n != 0 {
		t.Errorf("a reader sees %d changes that are not in the file", n)
	}
	h.let(nil)
	outcome(t, ended, 1, nil)
	h.wait()
	select {
	case err := <-ended:
		t.Fatalf("a change is said to have ended with %v before it is in the file", err)
	default:
	}
	if n := numbersOfRows(t, s, o)[0]; n != 1 {
		t.Errorf("a reader sees %d changes, 1 is in the file", n)
	}
	h.gate <- nil
	outcome(t, ended, 9, nil)
	failing.By(func(failing.Step) error { return nil })
	if h.count() != 2 {
		t.Errorf("10 changes took %d transactions", h.count())
	}
	for _, x := range []*Store{s, imageOf(t, s)} {
		if n := numbersOfRows(t, x, o)[0]; n != 10 {
			t.Errorf("there are %d changes of 10", n)
		}
		tablesTidy(t, x)
		checked(t, x)
	}
}

// TestFailedGroup fails a commit: all that have built on it fail with its error, and leave nothing.
func TestFailedGroup(t *testing.T) {
	s, o := counted(t)
	h := holdWrites(t, s)
	ended := start(t, s, o, 2)
	h.wait() // the first one
	later := make(chan error, 1)
	prepared, go_ := make(chan struct{}), make(chan struct{})
	go func() { // has read what the others have changed when they fail
		later <- addOne(background, s, o, 1, func() error {
			close(prepared)
			<-go_
			return nil
		})
	}()
	<-prepared
	h.gate <- errDisk
	outcome(t, ended, 2, errDisk)
	close(go_)
	outcome(t, later, 1, errDisk)
	next := start(t, s, o, 1)
	h.let(nil)
	outcome(t, next, 1, nil)
	failing.By(func(failing.Step) error { return nil })
	for _, x := range []*Store{s, imageOf(t, s)} {
		if n := numbersOfRows(t, x, o); n[0] != 1 || n[1] != 0 {
			t.Errorf("numbers are %v", n)
		}
		tablesTidy(t, x)
		checked(t, x)
	}
}

// TestFailedMember has statements fail or be cancelled between others, which are committed.
func TestFailedMember(t *testing.T) {
	s, o := counted(t)
	h := holdWrites(t, s)
	ended := start(t, s, o, 2)
	if err := addOne(background, s, o, 1, func() error { return errDisk }); !errors.Is(err, errDisk) {
		t.Errorf("the statement that fails ended with %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	if err := addOne(ctx, s, o, 1, func() error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the statement that is cancelled ended with %v", err)
	}
	ctx, cancel = context.WithCancel(background)
	inside, go_, waiting := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() { ended <- addOne(background, s, o, 0, func() error { close(inside); <-go_; return nil }) }()
	<-inside
	go func() { waiting <- addOne(ctx, s, o, 1, nil) }()
	waits(t, func() bool { g := s.groups.of(o.ID); g.mu.Lock(); defer g.mu.Unlock(); return g.inside == 4 })
	cancel()
	outcome(t, waiting, 1, context.Canceled)
	close(go_)
	waits(t, func() bool { return s.groups.of(o.ID).waiting() == 3 })
	h.let(nil)
	h.let(nil)
	outcome(t, ended, 3, nil)
	failing.By(func(failing.Step) error { return nil })
	if n := numbersOfRows(t, s, o); n[0] != 3 || n[1] != 0 {
		t.Errorf("numbers are %v", n)
	}
	checked(t, s)
}

// TestOthersWaitForGroup has writers that do not join a group begin: they see what the group has changed, or wait in
// vain as long as they have time.
func TestOthersWaitForGroup(t *testing.T) {
	for name, write := range map[string]func(context.Context, *Store, *Object) error{
		"transaction": func(ctx context.Context, s *Store, o *Object) error {
			x := s.Begin()
			defer x.Rollback(background)
			if err := s.ReplaceRows(x.Context(ctx), o, []uint64{1}, nil); err != nil {
				return err
			}
			return x.Commit(ctx)
		},
		"index": func(ctx context.Context, s *Store, o *Object) error { return s.CreateIndex(ctx, o, []string{"name"}) },
		"rows": func(ctx context.Context, s *Store, o *Object) error {
			return s.ReplaceRows(ctx, o, []uint64{1}, nil)
		},
		"large change": func(ctx context.Context, s *Store, o *Object) error {
			s.tables.FewRows = 3
			held, release, err := s.LockForRows(ctx, o)
			if err != nil {
				return err
			}
			defer release()
			c, err := s.NewRowsChange(held, o)
			if err != nil {
				return err
			}
			defer c.Abort()
			if err := c.add(rowsOf(20)); err != nil {
				return err
			}
			_, err = c.Commit(held)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, o := counted(t)
			h := holdWrites(t, s)
			ended := start(t, s, o, 3)
			if name != "large change" { // which gets the lock and waits behind it
				if err := write(WithLockTimeout(background, time.Millisecond), s, o); !errors.Is(err, ErrLockTimeout) {
					t.Errorf("it did not wait: %v", err)
				}
			}
			other := make(chan error, 1)
			go func() { other <- write(background, s, o) }()
			h.let(nil)
			h.let(nil)
			outcome(t, ended, 3, nil)
			failing.By(func(failing.Step) error { return nil })
			close(h.gate)
			outcome(t, other, 1, nil)
			if n := numbersOfRows(t, s, o)[0]; n != 3 {
				t.Errorf("the number is %d", n)
			}
			tablesTidy(t, s)
			checked(t, s)
		})
	}
}

// TestSingleChangeWaitsForNobody looks at what a statement does that is alone, also after others were beside it.
func TestSingleChangeWaitsForNobody(t *testing.T) {
	s, o := counted(t)
	g := s.groups.of(o.ID)
	for range 3 {
		if err := addOne(background, s, o, 0, nil); err != nil {
			t.Fatal(err)
		}
		if g.company != 1 {
			t.Errorf("a statement that is alone would wait until there are %d", g.company)
		}
	}
	h := holdWrites(t, s)
	ended := start(t, s, o, 3)
	h.let(nil)
	h.let(nil)
	outcome(t, ended, 3, nil)
	failing.By(func(failing.Step) error { return nil })
	for range 2 { // the first one waits as long as a commit takes
		if err := addOne(background, s, o, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if g.company != 1 {
		t.Errorf("a statement that is alone again would wait until there are %d", g.company)
	}
}

// TestGroupsAtRandom changes, adds and deletes rows from several goroutines, while transactions and indexes come
// between and some commits fail. What was acknowledged is there, and nothing else.
func TestGroupsAtRandom(t *testing.T) {
	s, o := counted(t)
	s.tables.FewRows = 40
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var mu sync.Mutex
	fails := rand.New(rand.NewPCG(seed, 1))
	defer failing.By(func(x failing.Step) error {
		mu.Lock()
		defer mu.Unlock()
		if x == failing.Commit && fails.IntN(10) == 0 {
			return errDisk
		}
		return nil
	})()
	const workers, each = 6, 60
	var added, inserted [workers]int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(w+2)))
			for range each {
				var err error
				switch r.IntN(10) {
				case 0:
					n := 1 + r.IntN(60)
					if _, err = s.InsertRows(background, o, rowsOf(n)); err == nil {
						inserted[w] += int64(n)
					}
				case 1:
					err = s.CreateIndex(background, o, []string{"name"})
					if err == nil || errors.Is(err, ErrExists) {
						now, _ := s.Object(o.Name)
						err = s.DropIndex(background, now, []string{"name"})
					}
					if errors.Is(err, ErrNotFound) || errors.Is(err, ErrExists) {
						err = nil
					}
				case 2:
					x := s.Begin()
					if err = addOne(x.Context(background), s, o, uint64(w%3), nil); err == nil {
						err = x.Commit(background)
					} else {
						x.Rollback(background)
					}
					if err == nil {
						added[w]++
					}
				default:
					if err = addOne(background, s, o, uint64(w%3), nil); err == nil {
						added[w]++
					}
				}
				if err != nil && !errors.Is(err, errDisk) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	failing.By(func(failing.Step) error { return nil })
	want := map[uint64]int64{}
	rows := int64(3)
	for w := range workers {
		want[uint64(w%3)] += added[w]
		rows += inserted[w]
	}
	for _, x := range []*Store{s, imageOf(t, s)} {
		got := numbersOfRows(t, x, o)
		if int64(len(got)) != rows {
			t.Errorf("there are %d rows, want %d", len(got), rows)
		}
		for id, n := range want {
			if got[id] != n {
				t.Errorf("row %d was changed %d times, %d were acknowledged", id, got[id], n)
			}
		}
		tablesTidy(t, x)
		checked(t, x)
	}
}
