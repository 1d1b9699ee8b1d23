package tuples

import "strings"

// clausePair is two verbs whose clauses a connective joins, in the order of their events.
type clausePair struct {
	first, second *predicate
	conn          *connective
}

// clausePairs finds the pairs of clauses of a sentence.
func (s *sentence) clausePairs(yield func(clausePair)) {
	for k := range s.preds {
		p := &s.preds[k]
		w := &s.tok[p.at]
		if w.head == 0 || s.predAt[w.head] == 0 {
			continue
		}
		c := s.connective(p.at)
		if c == nil {
			continue
		}
		main, sub := &s.preds[s.predAt[w.head]-1], p
		first := main
		if c.order == "sub" || c.order == "text" && sub.at < main.at {
			first = sub
		}
		second := sub
		if first == sub {
			second = main
		}
		yield(clausePair{first: first, second: second, conn: c})
	}
}

// connective is what joins the clause of a verb to that of its head, nil where nothing does.
func (s *sentence) connective(i int) *connective {
	main, _, _ := strings.Cut(s.tok[i].rel, ":")
	adverb := func() *connective {
		for _, c := range s.tok[i].children {
			if s.tok[c].upos == "ADV" || s.tok[c].upos == "SCONJ" || s.tok[c].upos == "CCONJ" {
				if a := s.g.joined("adv", s.tok[c].lemma); a != nil {
					return a
				}
			}
		}
		return nil
	}
	switch main {
	case "conj":
		if a := adverb(); a != nil {
			return a
		}
		if c := s.child(i, "cc"); c != 0 {
			return s.g.joined("cc", strings.ToLower(s.tok[c].form))
		}
		return s.g.joined("form", "conj")
	case "parataxis":
		if a := adverb(); a != nil {
			return a
		}
		return s.g.joined("form", "parataxis")
	case "advcl":
		return s.subordinate(i)
	}
	return nil
}

// subordinate is the connective of an adverbial clause: its marker, its adverb when or while, its participle.
func (s *sentence) subordinate(i int) *connective {
	mark := s.marker(i, "mark")
	if mark == "" {
		mark = s.marker(i, "case")
	}
	if mark == "" {
		if c := s.child(i, "advmod"); c != 0 {
			if a := s.g.joined("mark", s.tok[c].lemma); a != nil {
				return a
			}
		}
		if s.o.language == "en" {
			if strings.HasSuffix(strings.ToLower(s.tok[i].form), "ing") {
				return s.g.joined("form", "ving")
			}
			return nil
		}
		return s.g.joined("form", "advcl")
	}
	if c := s.g.joined("mark", mark); c != nil {
		return c
	}
	head, _, _ := strings.Cut(mark, "_")
	if last := mark[strings.LastIndexByte(mark, '_')+1:]; last != mark && s.g.joined("mark", last) != nil {
		return s.g.joined("mark", last)
	}
	return s.g.joined("mark", head)
}
