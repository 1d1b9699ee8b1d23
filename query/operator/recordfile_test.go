package operator

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestRecords reads records of all sizes back in another order, from memory and from the file.
func TestRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var list RecordFile
	defer list.Close()
	var at []Record
	var want [][]byte
	for i := range 300 {
		b := bytes.Repeat([]byte{byte(i)}, r.IntN(20_000))
		place, err := list.Add(b)
		if err != nil {
			t.Fatal(err)
		}
		at, want = append(at, place), append(want, b)
		if len(list.tail) >= recordBytes {
			t.Fatalf("%d bytes are in memory", len(list.tail))
		}
	}
	if list.f == nil {
		t.Fatal("there is no file")
	}
	var buf []byte
	for _, i := range r.Perm(len(at)) {
		got, err := list.Read(at[i], buf)
		if err != nil || !bytes.Equal(got, want[i]) {
			t.Fatalf("record %d: %d bytes, want %d; %v", i, len(got), len(want[i]), err)
		}
		buf = got
	}
}
