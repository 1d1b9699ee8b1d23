package confusion

import "parlance/algo/correct/inflect"

// The labels of number.
const (
	Singular = iota
	Plural
)

// Numbers are the labels of the module noun_number.
var Numbers = []string{"singular", "plural"}

// FindNouns finds common nouns, which the other number may replace.
func FindNouns(s *Sentence) []Candidate {
	var out []Candidate
	for i, tag := range s.Tags {
		if !nominal(tag) || !alphabetic(s.Lower[i]) || len(s.Lower[i]) < 3 {
			continue
		}
		w := s.Lower[i]
		label, other := Singular, inflect.Plural(w)
		if tag == "NNS" {
			label, other = Plural, inflect.Singular(w)
		}
		if other == w {
			continue
		}
		o := Option{Label: 1 - label, Fill: other, Edit: Edit{i, i + 1, As(other, s.Forms[i])}}
		out = append(out, Candidate{Slot: i, SlotEnd: i + 1, Source: label, Fill: w, Options: []Option{o}})
	}
	return out
}
