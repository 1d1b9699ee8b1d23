package main

import (
	"strings"
	"testing"
)

func TestClassRatings(t *testing.T) {
	var out strings.Builder
	in := `## GoldRatings-10a
 67.5 "crown:royalty"
## GoldRatings-1a
#
#   Score  = Most - Least
 50.0 "flower:tulip"
-12.5 "tulip:flower"

## GoldRatings-1
 1.0 "a:b"
`
	if err := classRatings(&out, strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if want := "1a\tflower\ttulip\t50.0\n1a\ttulip\tflower\t-12.5\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
