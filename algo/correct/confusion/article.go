package confusion

// The labels of articles.
const (
	LabelA = iota
	LabelThe
	LabelZero
)

// Articles are the labels of the module article: a and an are one, 0 is none.
var Articles = []string{"a", "the", "0"}

func articleLabel(w string) int {
	switch w {
	case "a", "an":
		return LabelA
	case "the":
		return LabelThe
	}
	return -1
}

// FindArticles finds articles, and beginnings of base noun phrases without a determiner where one could be missing.
func FindArticles(s *Sentence) []Candidate {
	var out []Candidate
	for i, w := range s.Lower {
		if l := articleLabel(w); l >= 0 && i+1 < len(s.Forms) && s.Tags[i] != "LS" {
			out = append(out, s.written(i, l))
		} else if s.opens(i) {
			out = append(out, s.missing(i))
		}
	}
	return out
}

// opens tells whether a noun phrase begins at a token that an article could stand before.
func (s *Sentence) opens(i int) bool {
	p := s.Phrase(i)
	if p.Label != "NP" || p.Start != i || !nominal(s.Tags[p.End-1]) || s.determined(p) {
		return false
	}
	return !(i > 0 && articleLabel(s.Lower[i-1]) >= 0) && alphabetic(s.Lower[p.End-1])
}

// written is the candidate of an article at a token.
func (s *Sentence) written(i, label int) Candidate {
	c := Candidate{Slot: i, SlotEnd: i + 1, Source: label, Fill: s.Lower[i]}
	next := s.Forms[i+1]
	for l := range Articles {
		fill := ""
		switch l {
		case LabelA:
			fill = Article(next)
		case LabelThe:
			fill = "the"
		}
		if fill == s.Lower[i] {
			continue
		}
		o := Option{Label: l, Fill: fill, Edit: Edit{i, i + 1, As(fill, s.Forms[i])}}
		if len(s.Forms[i]) == 1 && capital(s.Forms[i]) && fill != "" {
			o.Words = Title(fill) // A is no word in capitals
		}
		if l == LabelZero && i == 0 {
			o.End, o.Words = 2, Title(next)
		}
		if l == LabelZero {
			o.Fill = ""
		}
		o.Edit = Cut(s.Forms, o.Edit)
		c.Options = append(c.Options, o)
	}
	return c
}

// missing is the candidate of an article before a token.
func (s *Sentence) missing(i int) Candidate {
	c := Candidate{Slot: i, SlotEnd: i, Source: LabelZero}
	for l, fill := range []string{Article(s.Forms[i]), "the"} {
		o := Option{Label: l, Fill: fill, Edit: Edit{i, i, fill}}
		if i == 0 {
			o.End, o.Words = 1, Title(fill)+" "+s.lowered()
		}
		o.Edit = Cut(s.Forms, o.Edit)
		c.Options = append(c.Options, o)
	}
	return c
}
