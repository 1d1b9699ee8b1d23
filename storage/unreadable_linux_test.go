package storage

import (
	"errors"
	"os"
	"testing"

	"parlance/storage/sealed"
)

// TestCutOffFile cuts the file off behind its first pages while it is open: every use is an error, none ends the
// process or keeps others from writing.
func TestCutOffFile(t *testing.T) {
	s := open(t)
	o := tableOf(t, s, []string{"name"})
	insert(t, s, o, rowsOf(5000)...)
	if err := os.Truncate(s.Path(), 8192); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for name, use := range map[string]func() error{
			"scan":   func() error { return s.ScanTable(background, o, nil, nil) },
			"insert": func() error { _, err := s.InsertRows(background, o, rowsOf(10)); return err },
			"delete": func() error { _, err := s.DeleteRows(background, o, []uint64{1}); return err },
			"put": func() error {
				return s.Update(func(tx *sealed.Tx) error { return tx.Bucket(bucketSegment).Put([]byte("k"), nil) })
			},
			"check":   func() error { return s.CheckDatabase(background, func(string) {}) },
			"compact": func() error { return s.Compact(background) },
		} {
			if err := use(); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
