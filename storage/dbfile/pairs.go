package dbfile

import (
	"bytes"
	"context"
	"encoding/binary"
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

// Key returns the key of numbers.
func Key(numbers ...uint32) []byte {
	k := make([]byte, 0, 4*len(numbers)+8) // mostly something follows
	for _, x := range numbers {
		k = binary.BigEndian.AppendUint32(k, x)
	}
	return k
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
