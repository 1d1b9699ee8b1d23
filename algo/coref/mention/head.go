package mention

import "strings"

// Class is the coarse part of speech of a token: a universal one, from the universal tag, else from that of the Penn
// Treebank, else guessed by the form.
func (d *Document) Class(t int32) string {
	if x := d.Xpos[t]; x != "" {
		if c := pennClass(x); c != "" {
			return c
		}
	}
	if d.Upos[t] != "" {
		return d.Upos[t]
	}
	if d.Xpos[t] != "" {
		return "X"
	}
	if _, ok := words().pronouns[d.Lower[t]]; ok {
		return "PRON"
	}
	if _, ok := words().determiners[d.Lower[t]]; ok {
		return "DET"
	}
	if strings.ContainsAny(d.Forms[t], ".,;:!?\"()") {
		return "PUNCT"
	}
	if d.Forms[t] != d.Lower[t] && t > d.Bounds[d.Sents[t]] {
		return "PROPN"
	}
	return "NOUN"
}

// pennClass is the universal tag of a tag of the Penn Treebank that says which, "" for others.
func pennClass(tag string) string {
	switch tag {
	case "NN", "NNS":
		return "NOUN"
	case "NNP", "NNPS":
		return "PROPN"
	case "PRP", "PRP$", "WP", "WP$", "EX":
		return "PRON"
	case "DT", "PDT", "WDT":
		return "DET"
	case "CD":
		return "NUM"
	case "IN", "TO":
		return "ADP"
	case "POS":
		return "PART"
	case "CC":
		return "CCONJ"
	case "MD":
		return "AUX"
	case ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP":
		return "PUNCT"
	}
	switch {
	case strings.HasPrefix(tag, "VB"):
		return "VERB"
	case strings.HasPrefix(tag, "JJ"):
		return "ADJ"
	case strings.HasPrefix(tag, "RB"):
		return "ADV"
	}
	return ""
}

// HeadOf is the head of a span: the first token whose head in the dependency tree is outside; without a tree what the
// constituents or the tags say.
func (d *Document) HeadOf(s Span) int32 {
	for t := s.Start; t < s.End; t++ {
		if h := d.Heads[t]; h == Root || h >= 0 && (h < s.Start || h >= s.End) {
			return t
		}
	}
	return d.headByTags(d.core(s))
}

// core is the first noun phrase inside a noun phrase with the span, down to one without another in front.
func (d *Document) core(s Span) Span {
	at := int32(None)
	if d.first == nil {
		return s
	}
	for i := d.first[d.Sents[s.Start]]; i < d.first[d.Sents[s.Start]+1]; i++ {
		if d.nodes[i].Span == s {
			at = i
		}
	}
	for at != None {
		child := int32(None)
		for i := int(at) + 1; i < len(d.nodes) && s.Covers(d.nodes[i].Span); i++ {
			if n := &d.nodes[i]; n.parent == at && n.Start == s.Start && n.Span != s && strings.HasPrefix(n.label, "NP") {
				child, s = int32(i), n.Span
				break
			}
		}
		if at = child; at != None && d.endsPossessive(s) {
			return d.nodes[d.nodes[at].parent].Span
		}
	}
	return s
}

// endsPossessive tells whether the last token is a possessive ending, so that the span is no core.
func (d *Document) endsPossessive(s Span) bool {
	w := d.Lower[s.End-1]
	return s.Len() > 1 && (w == "'s" || w == "’s" || w == "'" || w == "’") && d.Xpos[s.End-1] != "VBZ"
}

// headByTags is the last noun before what follows a noun phrase: a preposition, comma, verb or relative pronoun.
func (d *Document) headByTags(s Span) int32 {
	head := int32(None)
	for t := s.Start; t < s.End; t++ {
		switch d.Class(t) {
		case "NOUN", "PROPN", "PRON", "NUM":
			if strings.HasPrefix(d.Xpos[t], "W") && head != None {
				return head
			}
			head = t
		case "ADP", "PUNCT", "VERB", "AUX", "CCONJ", "SCONJ":
			if head != None && d.Forms[t] != "-" && d.Xpos[t] != "HYPH" {
				return head
			}
		}
	}
	if head == None {
		return s.End - 1
	}
	return head
}
