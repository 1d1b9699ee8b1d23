package textfn

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"parlance/query/fn"
	"parlance/storage/value"
)

// splitFuncs divide rows at random and always in the same way: by a hash of a value, such as the id of a document.
var splitFuncs = []fn.Func{
	{Name: "bucket", Doc: "a number from 0 to n-1 by a hash of the value as a text, and of a seed (0): equal values are " +
		"in the same bucket, on every machine and in every version, whatever else the table has. bucket(author, 10) keeps " +
		"the documents of an author together",
		Example: "bucket('doc1', 10)", Args: []value.Type{fn.Any, integer, integer}, Optional: 1, Result: integer,
		Eval: bucket},
	{Name: "split", Doc: "'train', 'dev' or 'test', for 80, 10 and 10 of 100 values, by a hash of the value and of a " +
		"seed " +
		"(0): bucket(value, 10, seed) 0 to 7, 8 and 9",
		Example: "split('doc1')", Args: []value.Type{fn.Any, integer}, Optional: 1, Result: text, Eval: split},
}

// bucket is h mod n, where h is the first 8 bytes, the highest first, of SHA-256 of the seed in decimal, a colon and
// the value as a text. Files and models depend on it: it stays as it is.
func bucket(a []value.Value) (value.Value, error) {
	n := a[1].Int()
	if n < 1 {
		return value.Value{}, fmt.Errorf("bucket takes a number of buckets from 1, not %d", n)
	}
	seed := int64(0)
	if len(a) > 2 {
		seed = a[2].Int()
	}
	return value.Int(int64(hashed(a[0], seed) % uint64(n))), nil
}

func split(a []value.Value) (value.Value, error) {
	seed := int64(0)
	if len(a) > 1 {
		seed = a[1].Int()
	}
	switch hashed(a[0], seed) % 10 {
	case 9:
		return value.Str("test"), nil
	case 8:
		return value.Str("dev"), nil
	}
	return value.Str("train"), nil
}

func hashed(v value.Value, seed int64) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s", seed, v.String()))
	return binary.BigEndian.Uint64(sum[:8])
}
