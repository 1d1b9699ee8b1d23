package confusion

import "parlance/algo/correct/inflect"

// The labels of agreement.
const (
	BaseForm = iota
	ThirdForm
)

// Agreements are the labels of the module agreement: base is also the plural, s the third person singular.
var Agreements = []string{"base", "s"}

// agreeing are verbs whose forms of agreement are irregular, by form: label, and what else could stand there.
var agreeing = map[string]struct {
	label  int
	others []string
}{
	"is": {ThirdForm, []string{"are"}}, "are": {BaseForm, []string{"is"}}, "am": {BaseForm, []string{"is", "are"}},
	"was": {ThirdForm, []string{"were"}}, "were": {BaseForm, []string{"was"}},
	"has": {ThirdForm, []string{"have"}}, "have": {BaseForm, []string{"has"}},
	"does": {ThirdForm, []string{"do"}}, "do": {BaseForm, []string{"does"}},
	"'s": {ThirdForm, []string{"are"}}, "'re": {BaseForm, []string{"is"}},
}

// FindAgreement finds verbs of the present, and was and were, which the other form of agreement may replace.
func FindAgreement(s *Sentence, known inflect.Known) []Candidate {
	var out []Candidate
	for i, tag := range s.Tags {
		w := s.Lower[i]
		c := Candidate{Slot: i, SlotEnd: i + 1, Fill: w}
		add := func(label int, fill string) {
			c.Options = append(c.Options, Option{Label: label, Fill: fill, Edit: Edit{i, i + 1, As(fill, s.Forms[i])}})
		}
		if a, ok := agreeing[w]; ok && (tag == "VBZ" || tag == "VBP" || tag == "VBD" && (w == "was" || w == "were")) {
			c.Source = a.label
			for _, o := range a.others {
				add(1-a.label, o)
			}
			if w == "am" {
				c.Options[1].Label = BaseForm
			}
		} else if tag == "VBZ" && alphabetic(w) {
			for _, a := range inflect.Verb(w, known) {
				if a.Form == inflect.Third && len(c.Options) == 0 {
					c.Source = ThirdForm
					add(BaseForm, a.Base)
				}
			}
		} else if tag == "VBP" && alphabetic(w) {
			if f := inflect.Conjugate(w)[inflect.Third]; f != w {
				add(ThirdForm, f)
			}
		}
		if len(c.Options) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// VerbForms are the labels of the module verb_form.
var VerbForms = []string{"base", "s", "past", "participle", "ing"}

// FindVerbForms finds verbs, which other forms of them may replace: what is tagged as a verb, and tokens whose base is
// on a list of verbs. Modal verbs are none.
func FindVerbForms(s *Sentence, known inflect.Known, verbs map[string]bool) []Candidate {
	var out []Candidate
	for i, tag := range s.Tags {
		w := s.Lower[i]
		if !alphabetic(w) || tag == "MD" || proper(tag) {
			continue
		}
		if !verbal(tag) && (!nominal(tag) && tag != "JJ" && tag != "IN" && tag != "RB" || len(verbs) == 0) {
			continue
		}
		a, ok := reading(w, tag, known)
		if !ok || !verbal(tag) && !verbs[a.Base] {
			continue
		}
		p := inflect.Conjugate(a.Base)
		if w == "are" || w == "were" || w == "am" {
			p[inflect.Third], p[inflect.Past] = "are", "were"
		}
		c := Candidate{Slot: i, SlotEnd: i + 1, Source: int(a.Form), Fill: w}
		if a.Base == "be" && a.Form == inflect.Base && w != "be" {
			c.Source = int(inflect.Third)
		}
		for f, form := range p {
			if form == w {
				continue
			}
			twice := false
			for _, o := range c.Options {
				twice = twice || o.Fill == form
			}
			if !twice {
				c.Options = append(c.Options, Option{Label: f, Fill: form, Edit: Edit{i, i + 1, As(form, s.Forms[i])}})
			}
		}
		if len(c.Options) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// formOf is the form that a tag says.
var formOf = map[string]inflect.Form{"VB": inflect.Base, "VBP": inflect.Base, "VBZ": inflect.Third, "VBD": inflect.Past,
	"VBN": inflect.Participle, "VBG": inflect.Ing, "NN": inflect.Base, "NNS": inflect.Third}

// reading is the reading of a form that fits its tag, else the first one.
func reading(w, tag string, known inflect.Known) (inflect.Analysis, bool) {
	list := inflect.Verb(w, known)
	if len(list) == 0 {
		return inflect.Analysis{}, false
	}
	if f, ok := formOf[tag]; ok {
		for _, a := range list {
			if a.Form == f {
				return a, true
			}
		}
	}
	return list[0], true
}
