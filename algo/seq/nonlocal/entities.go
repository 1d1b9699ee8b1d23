package nonlocal

import (
	"parlance/algo/seq/bio"
)

// scheme reads spans off numbers of labels, as bio.Scheme.Decode does off names.
type scheme struct {
	mark    []byte  // by label: O, B, I, E, S
	class   []int32 // by label; −1 outside
	classes []string
}

func newScheme(labels []string) *scheme {
	s := &scheme{}
	index := map[string]int32{}
	for _, l := range labels {
		mark, what := bio.Split(l)
		c := int32(-1)
		if mark != bio.Outside {
			var ok bool
			if c, ok = index[what]; !ok {
				c = int32(len(s.classes))
				index[what] = c
				s.classes = append(s.classes, what)
			}
		}
		s.mark, s.class = append(s.mark, mark[0]), append(s.class, c)
	}
	return s
}

// entity is the tokens [from, to) of a text, 0-based, with a class.
type entity struct{ from, to, class int32 }

// entities appends the spans of labels; no span goes over the border of sentences, whose first
// tokens are in starts.
func (s *scheme) entities(y []uint16, starts []int32, out []entity) []entity {
	open := false
	for t, l := range y {
		if len(starts) > 0 && int(starts[0]) == t {
			open, starts = false, starts[1:]
		}
		mark, c := s.mark[l], s.class[l]
		if c < 0 {
			open = false
			continue
		}
		if last := len(out) - 1; open && (mark == 'I' || mark == 'E') && out[last].class == c {
			out[last].to = int32(t + 1)
		} else {
			out = append(out, entity{int32(t), int32(t + 1), c})
		}
		open = mark == 'B' || mark == 'I'
	}
	return out
}
