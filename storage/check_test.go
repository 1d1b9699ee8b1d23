package storage

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
	"parlance/storage/verifier"
)

// first returns the first key of a bucket under a prefix, with its value.
func first(tx *sealed.Tx, bucket, prefix []byte) (k, v []byte) {
	k, v = tx.Bucket(bucket).Cursor().Seek(prefix)
	return append([]byte{}, k...), append([]byte{}, v...)
}

// indexBlocks are the keys of the blocks of the indexes of a table.
func indexBlocks(tx *sealed.Tx, o *Object) (out [][]byte) {
	c := tx.Bucket(bucketSegment).Cursor()
	for k, _ := c.Seek(dbfile.Key(o.ID)); bytes.HasPrefix(k, dbfile.Key(o.ID)); k, _ = c.Next() {
		if len(k) == 20 {
			out = append(out, bytes.Clone(k))
		}
	}
	return out
}

// columnBlock is the key of the first segment of a column of the first generation of a table.
func columnBlock(tx *sealed.Tx, o *Object, slot byte) []byte {
	k, _ := first(tx, bucketSegment, dbfile.Key(o.ID))
	return append(append(k[:8:8], 0, slot), 0, 0, 0, 0)
}

// TestCheckFindsFaults damages one thing at a time behind the back of the store.
func TestCheckFindsFaults(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(tx *sealed.Tx, o *Object) error
		want   string
	}{
		"column is lost": {func(tx *sealed.Tx, o *Object) error {
			return tx.Bucket(bucketSegment).Delete(columnBlock(tx, o, 1))
		}, "missing"},
		"column is that of another": {func(tx *sealed.Tx, o *Object) error {
			b := tx.Bucket(bucketSegment)
			return b.Put(columnBlock(tx, o, 1), bytes.Clone(b.Get(columnBlock(tx, o, 0))))
		}, "hashes differ"},
		"column is damaged": {func(tx *sealed.Tx, o *Object) error {
			return tx.Bucket(bucketSegment).Put(columnBlock(tx, o, 1), []byte{3, 99})
		}, "damaged"},
		"index is of other rows": {func(tx *sealed.Tx, o *Object) error {
			blocks := indexBlocks(tx, o)
			return tx.Bucket(bucketSegment).Put(blocks[0], bytes.Clone(tx.Bucket(bucketSegment).Get(blocks[1])))
		}, "does not match"},
		"index block is lost": {func(tx *sealed.Tx, o *Object) error {
			return tx.Bucket(bucketSegment).Delete(indexBlocks(tx, o)[0])
		}, "missing"},
		"weights are lost": {func(tx *sealed.Tx, _ *Object) error {
			k, _ := first(tx, dbfile.Weights, nil)
			return tx.Bucket(dbfile.Weights).Delete(k)
		}, "model ner@1"},
		"weights change": {func(tx *sealed.Tx, _ *Object) error {
			k, v := first(tx, dbfile.Weights, nil)
			v[len(v)/2] ^= 1
			return tx.Bucket(dbfile.Weights).Put(k, v)
		}, "checksum"},
		"cache changes": {func(tx *sealed.Tx, _ *Object) error {
			k, v := first(tx, dbfile.Cache, nil)
			v[len(v)-1] ^= 1
			return tx.Bucket(dbfile.Cache).Put(k, v)
		}, "cache"},
		"admin is lost": {func(tx *sealed.Tx, _ *Object) error {
			raw := []byte(`{"name":"ann","role":"reader","verifier":"` + verifier.Mock(nil, "ann").String() + `"}`)
			return tx.Bucket(dbfile.User).Put([]byte("ann"), raw)
		}, "no admin"},
		"verifier is damaged": {func(tx *sealed.Tx, _ *Object) error {
			return tx.Bucket(dbfile.User).Put([]byte("ann"), []byte(`{"name":"ann","role":"admin","verifier":"SCRAM"}`))
		}, "user ann"},
		"user has another name": {func(tx *sealed.Tx, _ *Object) error {
			_, raw := first(tx, dbfile.User, nil)
			return tx.Bucket(dbfile.User).Put([]byte("bob"), raw)
		}, "stored as bob"},
	} {
		t.Run(name, func(t *testing.T) {
			s := filled(t)
			o := object(t, s, "names")
			if err := s.Update(func(tx *sealed.Tx) error { return c.damage(tx, o) }); err != nil {
				t.Fatal(err)
			}
			var said []string
			err := s.CheckDatabase(background, func(m string) { said = append(said, m) })
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(strings.Join(said, "\n"), c.want) {
				t.Errorf("%v: %q does not say %q", err, said, c.want)
			}
		})
	}
}

func TestCheckStops(t *testing.T) {
	s := filled(t)
	stopped, cancel := context.WithCancel(background)
	cancel()
	if err := s.CheckDatabase(stopped, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled check: %v", err)
	}
}

// TestCheckWhileWriting checks a file whose pages change all the time.
func TestCheckWhileWriting(t *testing.T) {
	s := filled(t)
	over := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			default:
			}
			err := s.Update(func(tx *sealed.Tx) error {
				return tx.Bucket(dbfile.Weights).Put([]byte("written"), make([]byte, 1+i%20_000))
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 20 {
		if err := s.Check(background, t.Errorf); err != nil {
			t.Error(err)
		}
	}
	close(over)
	writer.Wait()
}

// TestCheckLetsWritersGo commits while the walk is among the pages.
func TestCheckLetsWritersGo(t *testing.T) {
	s := filled(t)
	wrote := false
	err := s.Check(onLook{background, func() {
		if wrote {
			return
		}
		wrote = true
		if err := s.Update(func(tx *sealed.Tx) error {
			return tx.Bucket(dbfile.Weights).Put([]byte("written"), make([]byte, 100))
		}); err != nil {
			t.Error(err)
		}
	}}, t.Errorf)
	if err != nil || !wrote {
		t.Errorf("%v, wrote %v", err, wrote)
	}
}

// onLook is a context that does something when it is looked at.
type onLook struct {
	context.Context
	do func()
}

func (c onLook) Err() error { c.do(); return nil }

// TestPagesStop ends between pages.
func TestPagesStop(t *testing.T) {
	s := filled(t)
	stopped, cancel := context.WithCancel(background)
	cancel()
	if err := s.Check(stopped, t.Errorf); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
