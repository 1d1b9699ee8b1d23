package confusion

// Prepositions are the twelve most frequent ones.
var Prepositions = []string{"of", "in", "to", "for", "on", "with", "at", "by", "from", "about", "as", "into"}

// PrepositionLabels are labels of prepositions, with 0 for none.
func PrepositionLabels(list []string) []string {
	return append(append([]string(nil), list...), "0")
}

// FindPrepositions finds prepositions of a list, which others may replace, or nothing. To before a verb is none.
func FindPrepositions(s *Sentence, list []string) []Candidate {
	var out []Candidate
	for i, w := range s.Lower {
		label := -1
		for k, p := range list {
			if p == w {
				label = k
			}
		}
		if label < 0 || w == "to" && (s.Tag(i+1) == "VB" || s.Tag(i+1) == "RB" && s.Tag(i+2) == "VB") {
			continue
		}
		c := Candidate{Slot: i, SlotEnd: i + 1, Source: label, Fill: w}
		for k, p := range list {
			if k != label {
				c.Options = append(c.Options, Option{Label: k, Fill: p, Edit: Edit{i, i + 1, As(p, s.Forms[i])}})
			}
		}
		if o := (Option{Label: len(list), Edit: Edit{Start: i, End: i + 1}}); i > 0 {
			c.Options = append(c.Options, o)
		} else if len(s.Forms) > 1 {
			o.End, o.Words = 2, Title(s.Forms[1])
			o.Edit = Cut(s.Forms, o.Edit)
			c.Options = append(c.Options, o)
		}
		out = append(out, c)
	}
	return out
}
