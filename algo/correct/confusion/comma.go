package confusion

// The labels of commas.
const (
	LabelComma = iota
	LabelNone
)

// Commas are the labels of the module punctuation; 0 is none.
var Commas = []string{",", "0"}

// FindCommas finds commas, and gaps between tokens that keep wants, which a comma may be missing in: gap i is before
// token i.
func FindCommas(s *Sentence, keep func(i int) bool) []Candidate {
	var out []Candidate
	for i, w := range s.Lower {
		switch {
		case w == ",":
			o := Option{Label: LabelNone, Edit: Edit{Start: i, End: i + 1}}
			out = append(out, Candidate{Slot: i, SlotEnd: i + 1, Source: LabelComma, Fill: ",", Options: []Option{o}})
		case i > 0 && s.Lower[i-1] != "," && alphanumeric(w) && alphanumeric(s.Lower[i-1]) && keep(i):
			o := Option{Label: LabelComma, Fill: ",", Edit: Edit{i, i, ","}}
			out = append(out, Candidate{Slot: i, SlotEnd: i, Source: LabelNone, Options: []Option{o}})
		}
	}
	return out
}

// alphanumeric tells whether a token begins with a letter or digit, or is a clitic.
func alphanumeric(w string) bool {
	return w != "" && (w[0] >= 'a' && w[0] <= 'z' || w[0] >= '0' && w[0] <= '9' || w[0] == '\'' || w[0] >= 0x80)
}
