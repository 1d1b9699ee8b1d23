package dbfile

import (
	"bytes"
	"context"
	"time"

	"parlance/storage/sealed"
)

// Pair is a key of a bucket with its value.
type Pair struct{ Key, Value []byte }

// PutPairs puts pairs into a bucket, which is fastest in the order of their keys.
func PutPairs(b *sealed.Bucket, list []Pair) error {
	for _, p := range list {
		if err := b.Put(p.Key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// Successor returns the first key after all keys with the prefix, nil if there is none.
func Successor(prefix []byte) []byte {
	out := bytes.Clone(prefix)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i]++; out[i] != 0 {
			return out[:i+1]
		}
	}
	return nil
}

// DeletePrefix deletes all keys with a prefix, some thousand a transaction.
func (s *File) DeletePrefix(ctx context.Context, bucket, prefix []byte) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 0
		err := s.Update(func(tx *sealed.Tx) error {
			b := tx.Bucket(bucket)
			var keys [][]byte
			c := b.Cursor()
			for k, _ := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix) && len(keys) < TransactionKeys; k, _ = c.Next() {
				keys = append(keys, append([]byte{}, k...))
			}
			n = len(keys)
			began := time.Now()
			for i, k := range keys {
				if i&1023 == 1023 && s.ShouldYield(began) {
					return nil
				}
				if err := b.Delete(k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n < TransactionKeys {
			return err
		}
	}
}
