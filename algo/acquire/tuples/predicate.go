package tuples

import (
	"slices"
	"strings"
)

// findPredicates finds the verbs, their voice and polarity, and the nouns in their slots.
func (s *sentence) findPredicates() {
	s.preds, s.predAt = s.preds[:0], s.predAt[:0]
	for range s.tok {
		s.predAt = append(s.predAt, 0)
	}
	for i := 1; i < len(s.tok); i++ {
		w := &s.tok[i]
		if w.upos != "VERB" || !letters(w.form) || w.xpos != "" && s.o.language == "en" && w.xpos[0] != 'V' {
			continue
		}
		s.preds = append(s.preds, predicate{at: i, name: s.predicateName(i), passive: s.passive(i),
			negated: s.negated(i)})
		s.predAt[i] = len(s.preds)
	}
	for k := range s.preds {
		s.arguments(&s.preds[k])
	}
	for k := range s.preds {
		s.shared(&s.preds[k])
	}
	for k := range s.preds {
		s.coordinated(&s.preds[k])
	}
}

// predicateName is the lemma with the particle.
func (s *sentence) predicateName(i int) string {
	n := s.tok[i].lemma
	for _, c := range s.tok[i].children {
		if s.tok[c].rel == "compound:prt" {
			n += "_" + strings.ToLower(s.tok[c].form)
		}
	}
	return n
}

// passive tells of a verb in the passive voice: by a relation that says so, a participle that modifies a noun, or, as
// parsers often take its subject for that of an active verb, a past participle below a form of be or get.
func (s *sentence) passive(i int) bool {
	w := &s.tok[i]
	if strings.Contains(w.feats, "Voice=Pass") {
		return true
	}
	be, have := false, false
	for _, c := range w.children {
		switch rel := s.tok[c].rel; {
		case strings.HasSuffix(rel, ":pass"):
			return true
		case rel == "aux" && (s.tok[c].lemma == "れる" || s.tok[c].lemma == "られる"):
			return true
		case rel == "aux" || rel == "cop":
			be = be || s.tok[c].lemma == "be"
			have = have || s.tok[c].lemma == "have"
		}
	}
	if s.o.language != "en" {
		return false
	}
	participle := w.xpos == "VBN" || w.xpos == "" &&
		(hasSuffix(w.form, "ed", "en") && be || strings.Contains(w.feats, "Tense=Past") &&
			strings.Contains(w.feats, "VerbForm=Part"))
	if !participle {
		return false
	}
	main, _, _ := strings.Cut(w.rel, ":")
	return be || main == "acl" && w.rel != "acl:relcl" && !have || main == "advcl" && !have &&
		s.child(i, "nsubj", "obj") == 0
}

// negation is words that deny the verb that they hang on.
var negation = []string{"not", "n't", "n’t", "nt", "never", "cannot", "hardly", "scarcely", "barely", "neither",
	"nor", "ない", "ぬ", "ず", "ません", "まい"}

// failing is verbs and adjectives that deny what they govern.
var failing = []string{"fail", "refuse", "unable", "impossible", "decline", "cease", "avoid"}

// negated tells of a verb that is denied: by not, never, no longer, by no in one of its arguments, under fail and
// unable, after without, and as what something prevents.
func (s *sentence) negated(i int) bool {
	odd := false
	for _, c := range s.tok[i].children {
		w := &s.tok[c]
		switch main, _, _ := strings.Cut(w.rel, ":"); {
		case strings.Contains(w.feats, "Polarity=Neg"), slices.Contains(negation, strings.ToLower(w.form)) &&
			main != "cc" && main != "conj",
			w.upos == "AUX" && slices.Contains(negation, w.lemma),
			strings.EqualFold(w.form, "longer") && s.has(c, "no"):
			odd = !odd
		case (main == "nsubj" || main == "obj") && (s.has(c, "no") || slices.Contains([]string{"nobody", "nothing",
			"none", "noone"}, w.lemma)):
			odd = !odd
		case main == "cc" && strings.EqualFold(w.form, "nor"):
			odd = !odd
		case main == "mark" && slices.Contains([]string{"without", "unless", "instead"}, strings.ToLower(w.form)):
			odd = !odd
		}
	}
	h, rel := s.tok[i].head, s.tok[i].rel
	if h > 0 && rel == "xcomp" && slices.Contains(failing, s.tok[h].lemma) {
		odd = !odd
	}
	if h > 0 && (rel == "advcl" || rel == "xcomp" || rel == "ccomp" || rel == "obl") && strings.EqualFold(s.marker(i,
		"mark")+s.marker(i, "case"), "from") &&
		slices.Contains([]string{"prevent", "keep", "stop", "hinder", "prohibit", "block", "discourage"},
			s.tok[h].lemma) {
		odd = !odd
	}
	return odd
}

// has tells of a child with a form.
func (s *sentence) has(i int, form string) bool {
	for _, c := range s.tok[i].children {
		if strings.EqualFold(s.tok[c].form, form) {
			return true
		}
	}
	return false
}

// arguments finds the nouns that hang on the verb, and the noun that it modifies.
func (s *sentence) arguments(p *predicate) {
	p.args = p.args[:0:0]
	for _, c := range s.tok[p.at].children {
		if slot := s.g.slot(s.tok[c].rel, s.marker(c, "case"), p.passive); slot != "" {
			if slot == "nsubj" && p.passive && strings.HasPrefix(s.tok[c].rel, "nsubj") {
				slot = "obj" // a subject that the parser took for an active one
			}
			s.argue(p, c, slot)
		}
	}
	w := &s.tok[p.at]
	if s.o.language != "en" || w.rel != "acl" || w.head == 0 {
		return
	}
	switch { // the treaty signed by, a man selling, but not: the decision to leave
	case p.passive:
		s.argue(p, w.head, "obj")
	case strings.HasSuffix(strings.ToLower(w.form), "ing") && s.child(p.at, "mark") == 0 && !p.fills("nsubj"):
		s.argue(p, w.head, "nsubj")
	}
}

// argue adds a noun in a slot; a relative pronoun stands for the noun that its clause modifies.
func (s *sentence) argue(p *predicate, at int, slot string) {
	if s.nouns[at] == "" {
		w := &s.tok[p.at]
		main, _, _ := strings.Cut(w.rel, ":")
		if main != "acl" || w.head == 0 || s.nouns[w.head] == "" || !relative(&s.tok[at]) {
			return
		}
		at = w.head
	}
	p.args = append(p.args, argument{at, slot})
}

func relative(w *token) bool {
	if strings.Contains(w.feats, "PronType=Rel") {
		return true
	}
	return (w.upos == "PRON" || w.upos == "DET" || w.upos == "SCONJ") &&
		slices.Contains([]string{"who", "whom", "which", "that"}, strings.ToLower(w.form))
}

// fills tells whether a slot is filled.
func (p *predicate) fills(slot string) bool {
	return slices.ContainsFunc(p.args, func(a argument) bool { return a.slot == slot })
}

// shared gives a coordinated verb the subject of the first one, and the first one the object of the second where only
// and stands between them.
func (s *sentence) shared(p *predicate) {
	w := &s.tok[p.at]
	if w.rel != "conj" || w.head == 0 || s.predAt[w.head] == 0 || s.o.language != "en" {
		return
	}
	first := &s.preds[s.predAt[w.head]-1]
	if s.child(p.at, "nsubj", "csubj", "expl") == 0 {
		from, to := "nsubj", "nsubj"
		if first.passive {
			from = "obj"
		}
		if p.passive {
			to = "obj"
		}
		for _, a := range first.args {
			if a.slot == from && !p.fills(to) {
				p.args = append(p.args, argument{a.at, to})
			}
		}
	}
	if first.passive || p.passive || first.fills("obj") || s.child(first.at, "obj", "xcomp", "ccomp") != 0 {
		return
	}
	for k := first.at + 1; k < p.at; k++ {
		if u := s.tok[k].upos; u != "CCONJ" && u != "ADV" && u != "PUNCT" && u != "VERB" && u != "AUX" && u != "PART" {
			return
		}
	}
	for _, a := range p.args {
		if a.slot == "obj" && a.at > p.at && !first.fills("obj") {
			first.args = append(first.args, a)
		}
	}
}

// coordinated adds the nouns that are coordinated with arguments.
func (s *sentence) coordinated(p *predicate) {
	for _, a := range p.args[:len(p.args):len(p.args)] {
		for _, c := range s.tok[a.at].children {
			if s.tok[c].rel == "conj" && s.nouns[c] != "" {
				p.args = append(p.args, argument{c, a.slot})
			}
		}
	}
}
