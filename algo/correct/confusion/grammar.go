package confusion

// subordinators begin clauses, though chunkers take them for prepositions.
var subordinators = set(
	"although because if while when that though since as whether than where unless until before after once")

// Subject finds the head of the subject of a verb by walking left over base phrases: noun phrases after a preposition
// are skipped, and relative words; with there it stands behind the verb. The path tells what was passed.
func Subject(s *Sentence, verb int) (head int, path string) {
	if verb > 0 && s.Lower[verb-1] == "there" {
		for k := verb + 1; k < len(s.Forms) && k < verb+8; k++ {
			if p := s.Phrase(k); p.Label == "NP" {
				return p.End - 1, "there"
			}
		}
	}
	var b []byte
	for k := verb - 1; k >= 0 && len(b) < 4; {
		p := s.Phrase(k)
		switch {
		case p.Label == "NP" && p.Start > 0 && s.Phrase(p.Start-1).Label == "PP" && !subordinators[s.Lower[p.Start-1]]:
			b = append(b, 'p')
			k = p.Start - 2
			continue
		case p.Label == "NP" && (s.Tags[p.End-1] == "WDT" || s.Tags[p.End-1] == "WP"):
			b = append(b, 'r')
		case p.Label == "NP":
			return p.End - 1, string(b)
		case p.Label == "VP":
			b = append(b, 'v')
		case s.Lower[k] == ",":
			b = append(b, ',')
		}
		k = p.Start - 1
	}
	return -1, "none"
}

// Number is the number of the head of a subject, Singular or Plural, by its word and tag.
func Number(s *Sentence, head int) int {
	switch s.Lower[head] {
	case "i", "you", "we", "they", "these", "those":
		return Plural
	}
	if s.Tags[head] == "NNS" || s.Tags[head] == "NNPS" {
		return Plural
	}
	return Singular
}

// Pronouns are subjects whose number needs no tag; I has the verb of a plural.
var pronouns = map[string]int{"i": Plural, "you": Plural, "we": Plural, "they": Plural, "he": Singular, "she": Singular,
	"it": Singular, "this": Singular, "that": Singular, "these": Plural, "those": Plural}

// Pronoun is the number of a pronoun, false of other words.
func Pronoun(w string) (number int, ok bool) {
	number, ok = pronouns[w]
	return number, ok
}

// Coordinated tells whether and or or joins the noun phrase of a head with one before it, so that its number does not
// decide that of a verb.
func Coordinated(s *Sentence, head int) bool {
	p := s.Phrase(head)
	for i := p.Start - 1; i >= 0 && i >= p.Start-2; i-- {
		if s.Lower[i] == "and" || s.Lower[i] == "or" {
			return true
		}
	}
	for i := p.Start; i < p.End; i++ {
		if s.Lower[i] == "and" || s.Lower[i] == "or" {
			return true
		}
	}
	return false
}

// ArticleHead is the head of the noun phrase after an article's slot that ends at token j, −1 for none.
func ArticleHead(s *Sentence, j int) int {
	if j >= len(s.Forms) {
		return -1
	}
	if p := s.Phrase(j); p.Label == "NP" && nominal(s.Tags[p.End-1]) {
		return p.End - 1
	}
	return -1
}
