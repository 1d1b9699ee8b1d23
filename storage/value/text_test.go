package value

import (
	"errors"
	"testing"
)

func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int // -1 for none
	}{
		{"", -1}, {"日本 🙂", -1}, {"a\uFFFDb", -1},
		{"a\x00b", 1}, {"日\x00", 3}, {"\x00", 0},
		{"a\xffb", 1}, {"é\xc3", 2}, {"\xed\xa0\x80", 0}, {"\xff\x00", 0}, {"\x00\xff", 0},
	} {
		err := CheckText(c.text)
		var wrong *NotText
		switch {
		case c.at < 0:
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
		case !errors.As(err, &wrong) || !errors.Is(err, ErrNotText):
			t.Errorf("%q: %v", c.text, err)
		case wrong.At != c.at || wrong.Byte != c.text[c.at]:
			t.Errorf("%q: %+v, want place %d", c.text, wrong, c.at)
		}
	}
}
