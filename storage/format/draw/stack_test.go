package draw

import (
	"strings"
	"testing"
)

// TestStackIsAsWideAsItsWidestPart, whichever comes first, and as high as all parts together.
func TestStackIsAsWideAsItsWidestPart(t *testing.T) {
	wide, narrow := strings.Repeat("w", 90), "w"
	heading := Width(wide, 13) + 2*margin
	caption := Width(wide, labelSize) + 2*margin
	for name, test := range map[string]struct {
		build func(s *Stack)
		w, h  float64
	}{
		"nothing":       {func(*Stack) {}, 40, margin},
		"narrow":        {func(s *Stack) { s.Heading(narrow) }, 40, 28 + margin},
		"heading":       {func(s *Stack) { s.Heading(wide) }, heading, 28 + margin},
		"heading first": {func(s *Stack) { s.Heading(wide); s.Add("", Figure{W: 1, H: 2}) }, heading, 42 + margin},
		"heading last":  {func(s *Stack) { s.Heading(narrow); s.Heading(wide) }, heading, 56 + margin},
		"caption":       {func(s *Stack) { s.Add(wide, Figure{W: 1, H: 2}) }, caption, 26 + margin},
		"caption first": {func(s *Stack) { s.Add(wide, Figure{W: 1, H: 2}); s.Add(narrow, Figure{W: 3, H: 2}) },
			caption, 52 + margin},
		"figure": {func(s *Stack) { s.Add("", Figure{W: 300, H: 20}) }, 300 + 2*margin, 20 + 2*margin},
		"figure last": {func(s *Stack) { s.Add("", Figure{W: 3, H: 5}); s.Add("", Figure{W: 300, H: 20}) },
			300 + 2*margin, 49 + margin},
	} {
		var s Stack
		test.build(&s)
		if f := s.Figure(); f.W != test.w || f.H != test.h {
			t.Errorf("%s: %g × %g, want %g × %g", name, f.W, f.H, test.w, test.h)
		}
	}
}
