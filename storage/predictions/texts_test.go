package predictions

import (
	"fmt"
	"testing"

	"parlance/storage/dbfile"
)

const adhocSeq = -1 << 62 // as an unsigned number it has the top bit

// TestAdhocTextsReachTheFileWhenAskedAgain puts two answers and asks for one of them.
func TestAdhocTextsReachTheFileWhenAskedAgain(t *testing.T) {
	s := open(t)
	c := s.Cache()
	c.RegisterModel(keyOf(1), "m@1")
	put(t, c, 1, adhocSeq, 1, "once")
	put(t, c, 1, adhocSeq+1, 2, "twice")
	if got := get(c, 1, adhocSeq+1, 2); got != "twice" {
		t.Fatalf("%q", got)
	}
	if got := get(c, 1, adhocSeq+1, 3); got != "" {
		t.Fatalf("another text is answered %q", got)
	}
	if st := c.Stats(); st.Entries != 2 || st.Hits != 1 || st.Misses != 1 {
		t.Errorf("%+v", st)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(s.Path(), dbfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if a, b := get(s.Cache(), 1, adhocSeq, 1), get(s.Cache(), 1, adhocSeq+1, 2); a != "" || b != "twice" {
		t.Errorf("once: %q, twice: %q", a, b)
	}
	if n, err := s.Cache().Clear(background, "m@1"); n != 1 || err != nil {
		t.Error(n, err)
	}
}

func TestAdhocTextsAreBounded(t *testing.T) {
	s := open(t)
	c := s.Cache()
	c.SetLimit(1 << 20)
	for i := range 100 {
		put(t, c, 1, adhocSeq+i, i, string(make([]byte, 64<<10)))
	}
	if b := c.Stats().Bytes; b > 1<<20 {
		t.Errorf("%d bytes", b)
	}
	if get(c, 1, adhocSeq+99, 99) == "" || get(c, 1, adhocSeq, 0) != "" {
		t.Error("not the newest are kept")
	}
	if n, err := c.Clear(background, ""); n == 0 || err != nil {
		t.Error(n, err)
	}
	if got := get(c, 1, adhocSeq+99, 99); got != "" {
		t.Error("cleared, but " + fmt.Sprint(len(got)))
	}
}
