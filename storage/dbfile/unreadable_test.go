package dbfile

import (
	"testing"

	"parlance/storage/sealed"
)

// TestPanicsOfOthersGoOn: only what bbolt panics with is damage.
func TestPanicsOfOthersGoOn(t *testing.T) {
	s := opened(t)
	defer func() {
		if v := recover(); v != "ours" {
			t.Errorf("recovered %v", v)
		}
	}()
	err := s.View(func(*sealed.Tx) error { panic("ours") })
	t.Errorf("a panic within a transaction became %v", err)
}

// TestFiguresDoNotWait takes them while the file is locked as by Compact.
func TestFiguresDoNotWait(t *testing.T) {
	s := opened(t)
	if err := s.Update(func(*sealed.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	s.lock.Lock()
	f := s.Figures()
	s.lock.Unlock()
	if f.FileBytes != 0 || f.Writes == 0 {
		t.Errorf("%+v", f)
	}
}
