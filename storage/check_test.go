package storage

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"parlance/storage/sealed"
	"parlance/storage/value"
	"parlance/storage/verifier"
)

// first returns the first key of a bucket under a prefix, with its value.
func first(tx *sealed.Tx, bucket, prefix []byte) (k, v []byte) {
	k, v = tx.Bucket(bucket).Cursor().Seek(prefix)
	return append([]byte{}, k...), append([]byte{}, v...)
}

// TestCheckFindsFaults damages one thing at a time behind the back of the store.
func TestCheckFindsFaults(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(tx *sealed.Tx, o *Object) error
		want   string
	}{
		"row is lost": {func(tx *sealed.Tx, o *Object) error {
			return tx.Bucket(bucketTable).Delete(rowKey(o.ID, 3))
		}, "2999 rows"},
		"row changes": {func(tx *sealed.Tx, o *Object) error {
			return tx.Bucket(bucketTable).Put(rowKey(o.ID, 3), value.AppendRow(nil, rowOf("name3", 4)))
		}, "hashes differ"},
		"row is damaged": {func(tx *sealed.Tx, o *Object) error {
			return tx.Bucket(bucketTable).Put(rowKey(o.ID, 3), []byte{3, 99})
		}, "damaged"},
		"index entry is lost": {func(tx *sealed.Tx, o *Object) error {
			k, _ := first(tx, bucketIndex, be32(nil, o.ID))
			return tx.Bucket(bucketIndex).Delete(k)
		}, "missing from the index"},
		"index entry is too many": {func(tx *sealed.Tx, o *Object) error {
			k, _ := first(tx, bucketIndex, be32(nil, o.ID))
			k[len(k)-1]++
			return tx.Bucket(bucketIndex).Put(k, nil)
		}, "3001 index entries"},
		"weights are lost": {func(tx *sealed.Tx, _ *Object) error {
			k, _ := first(tx, bucketWeights, nil)
			return tx.Bucket(bucketWeights).Delete(k)
		}, "model ner@1"},
		"weights change": {func(tx *sealed.Tx, _ *Object) error {
			k, v := first(tx, bucketWeights, nil)
			v[len(v)/2] ^= 1
			return tx.Bucket(bucketWeights).Put(k, v)
		}, "checksum"},
		"cache changes": {func(tx *sealed.Tx, _ *Object) error {
			k, v := first(tx, bucketCache, nil)
			v[len(v)-1] ^= 1
			return tx.Bucket(bucketCache).Put(k, v)
		}, "cache"},
		"admin is lost": {func(tx *sealed.Tx, _ *Object) error {
			raw := []byte(`{"name":"ann","role":"reader","verifier":"` + verifier.Mock(nil, "ann").String() + `"}`)
			return tx.Bucket(bucketUser).Put([]byte("ann"), raw)
		}, "no admin"},
		"verifier is damaged": {func(tx *sealed.Tx, _ *Object) error {
			return tx.Bucket(bucketUser).Put([]byte("ann"), []byte(`{"name":"ann","role":"admin","verifier":"SCRAM"}`))
		}, "user ann"},
		"user has another name": {func(tx *sealed.Tx, _ *Object) error {
			_, raw := first(tx, bucketUser, nil)
			return tx.Bucket(bucketUser).Put([]byte("bob"), raw)
		}, "stored as bob"},
	} {
		t.Run(name, func(t *testing.T) {
			s := filled(t)
			o := object(t, s, "names")
			if err := s.update(func(tx *sealed.Tx) error { return c.damage(tx, o) }); err != nil {
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
			err := s.update(func(tx *sealed.Tx) error {
				return tx.Bucket(bucketWeights).Put([]byte("written"), make([]byte, 1+i%20_000))
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 20 {
		if err := s.checkPages(background, t.Errorf); err != nil {
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
	err := s.checkPages(onLook{background, func() {
		if wrote {
			return
		}
		wrote = true
		if err := s.update(func(tx *sealed.Tx) error {
			return tx.Bucket(bucketWeights).Put([]byte("written"), make([]byte, 100))
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
	if err := s.checkPages(stopped, t.Errorf); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
