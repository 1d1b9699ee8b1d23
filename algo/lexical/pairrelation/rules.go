package pairrelation

import "parlance/algo/edit"

// direction tells which way a directed label reads: forward is "term1 is … of term2".
type direction int8

const (
	forward  direction = 1
	backward direction = -1
	neither  direction = 0
)

func (d direction) String() string {
	return [...]string{"backward", "", "forward"}[d+1]
}

// hit is a rule that applies to a pair.
type hit struct {
	label int8
	dir   direction
	rule  string
}

// facts is what is known of a pair besides its terms. Negative numbers are unknown, and so is a score
// that is not scored.
type facts struct {
	rank, back     int // of term2 among the terms similar to term1, and the other way round; 0: unknown
	score          float64
	scored         bool
	count1, count2 float64
	contrast       float64
	conjunction    float64
	suchAs         float64
	partOf         float64
	pmi            float64
	hasPMI         bool
}

// unknown is of a pair of which nothing is known.
var unknown = facts{count1: -1, count2: -1, contrast: -1, conjunction: -1, suchAs: -1, partOf: -1}

// swapped is the facts the other way round; patterns that have an order are not known then.
func (f facts) swapped() facts {
	f.rank, f.back = f.back, f.rank
	f.count1, f.count2 = f.count2, f.count1
	f.suchAs, f.partOf = -1, -1
	return f
}

// rules applies what the options say.
type rules struct {
	opt      *options
	lex      *lexicon // nil without
	function map[string]bool
}

// pairOf is a pair with what the knowledge base knows of it.
type pairOf struct {
	a, b *term
	x, y entry
	facts
}

func (r *rules) pair(term1, term2 string, f facts) *pairOf {
	p := &pairOf{a: newTerm(term1), b: newTerm(term2), facts: f}
	p.x, p.y = r.lex.entry(p.a), r.lex.entry(p.b)
	return p
}

// hits returns the rules that apply, in the order of Kuroda et al. 2010 as read by priority of
// labels; an ill-formed term ends the matter.
func (r *rules) hits(p *pairOf) []hit {
	if !wellFormed(p.a.text) || !wellFormed(p.b.text) {
		return []hit{{labelX, neither, "ill-formed"}}
	}
	var out []hit
	add := func(ok bool, label int8, dir direction, rule string) {
		if ok {
			out = append(out, hit{label, dir, rule})
		}
	}
	both := func(label int8, rule string, applies func(a, b *term, x, y entry) bool) {
		add(applies(p.a, p.b, p.x, p.y), label, forward, rule)
		add(applies(p.b, p.a, p.y, p.x), label, backward, rule)
	}
	add(p.a.normal == p.b.normal, labelV, neither, "spelling")
	add(r.lex.inflected(p.a, p.b) || r.opt.inflections && sameBase(p.a, p.b, p.x, p.y), labelV, neither, "inflection")
	if len(out) == 0 {
		if dir := r.typing(p); dir != neither {
			label := labelE
			if katakana(p.a.text) && katakana(p.b.text) {
				label = labelF
			}
			add(true, label, dir, "typing")
		}
	}
	both(labelA, "acronym", func(a, b *term, _, _ entry) bool { return acronym(a, b, r.function) })
	r.looksUp(p, add, both)
	both(labelH, "head", func(a, b *term, _, _ entry) bool { return headed(a, b) })
	if order, ok := sequence(p.a, p.b); ok {
		add(order < 0, labelT, forward, "number")
		add(order > 0, labelT, backward, "number")
	}
	r.opposite(p, add)
	add(p.contrast >= float64(r.opt.cMin), labelC, neither, "contrast")
	add(commonMorpheme(p.a, p.b, r.function), labelW, neither, "morpheme")
	return out
}

// looksUp applies the rules that go by the knowledge base.
func (r *rules) looksUp(p *pairOf, add func(bool, int8, direction, string),
	both func(int8, string, func(a, b *term, x, y entry) bool)) {
	l := r.lex
	if l == nil || !p.x.known() || !p.y.known() {
		return
	}
	n := l.names
	add(l.holds(p.x.keys, p.y.keys, n.variant) || l.holds(p.y.keys, p.x.keys, n.variant), labelV, neither, "variant")
	add(meets(l.readings(p.x), l.readings(p.y)), labelV, neither, "reading")
	both(labelN, "alias", func(_, _ *term, x, y entry) bool {
		if l.holds(y.keys, x.keys, n.alias) {
			return true
		}
		for _, k := range y.keys {
			if meets(l.kb.Aliases(k), x.keys) {
				return true
			}
		}
		return false
	})
	both(labelM, "misuse", func(_, _ *term, x, y entry) bool { return l.holds(x.keys, y.keys, n.misuse) })
	both(labelP, "meronym", func(_, _ *term, x, y entry) bool { return l.holds(y.senses, x.senses, n.meronym) })
	depth := max(r.opt.maxH, r.opt.maxK)
	up, down := l.ancestors(p.x.senses, depth), l.ancestors(p.y.senses, depth)
	add(above(p.x.senses, down, r.opt.maxH), labelH, forward, "hypernym")
	add(above(p.y.senses, up, r.opt.maxH), labelH, backward, "hypernym")
	add(meets(p.x.senses, p.y.senses) || l.holds(p.x.senses, p.y.senses, n.synonym) ||
		l.holds(p.y.senses, p.x.senses, n.synonym), labelS, neither, "synonym")
	add(l.holds(p.x.senses, p.y.senses, n.near) || l.holds(p.y.senses, p.x.senses, n.near), labelS, neither,
		"near synonym")
	both(labelT, "order", func(_, _ *term, x, y entry) bool { return l.holds(x.senses, y.senses, n.order) })
	add(shared(up, down, r.opt.maxK), labelK, neither, "classmate")
	if r.opt.types {
		for _, k := range p.x.keys {
			for _, o := range p.y.keys {
				if k != o && meets(l.kb.Types(k), l.kb.Types(o)) {
					add(true, labelK, neither, "type")
					return
				}
			}
		}
	}
}

// opposite applies the rules of antonyms and of order, between the terms or between the only words in
// which they differ.
func (r *rules) opposite(p *pairOf, add func(bool, int8, direction, string)) {
	x, y, one := differing(p.a, p.b)
	add(one && affixOpposite(x, y), labelD, neither, "affix")
	if r.lex == nil {
		return
	}
	n := r.lex.names
	u, v := p.x, p.y
	add(r.lex.holds(u.senses, v.senses, n.antonym) || r.lex.holds(v.senses, u.senses, n.antonym), labelD,
		neither, "antonym")
	add(r.lex.indirect(u, v) || r.lex.indirect(v, u), labelD, neither, "indirect antonym")
	if one && len(p.a.words) > 1 {
		u, v = r.lex.entry(newTerm(x)), r.lex.entry(newTerm(y))
		add(r.lex.holds(u.senses, v.senses, n.antonym) || r.lex.holds(v.senses, u.senses, n.antonym), labelD, neither,
			"antonym word")
		add(r.lex.holds(u.senses, v.senses, n.order), labelT, forward, "order word")
		add(r.lex.holds(v.senses, u.senses, n.order), labelT, backward, "order word")
	}
}

// leastTyped is the number of letters below which no form is taken for mistyped, longestTyped the one
// above which terms are not compared letter by letter.
const (
	leastTyped   = 5
	longestTyped = 100
)

// typing reports whether a term is far rarer than another that one edit makes of it, and no word.
func (r *rules) typing(p *pairOf) direction {
	if p.count1 < 0 || p.count2 < 0 {
		return neither
	}
	dir, rare, often, known := forward, p.count1, p.count2, p.x.known()
	if rare > often {
		dir, rare, often, known = backward, often, rare, p.y.known()
	}
	a, b := []rune(p.a.lower), []rune(p.b.lower)
	if often == 0 || often < rare*float64(r.opt.ratio) || known || min(len(a), len(b)) < leastTyped ||
		len(a) > longestTyped || max(len(a), len(b))-min(len(a), len(b)) > 1 {
		return neither
	}
	if edit.Damerau(a, b) != 1 {
		return neither
	}
	return dir
}

// decide returns what the rules make of a pair: of the labels of the hits that of the highest
// priority, else what similarity says.
func (r *rules) decide(p *pairOf, hits []hit) hit {
	if len(hits) > 0 {
		best := hits[0]
		for _, h := range hits[1:] {
			if h.label < best.label {
				best = h
			}
		}
		return best
	}
	switch {
	case p.scored && p.score > r.opt.kMin:
		return hit{labelK, neither, "similarity"}
	case p.rank > 0 && p.rank <= r.opt.oRank:
		return hit{labelO, neither, "rank"}
	}
	return hit{labelU, neither, "none"}
}

// katakana reports whether a term has no other letters.
func katakana(s string) bool {
	for _, r := range s {
		if (r < 'ァ' || r > 'ヺ') && r != longVowel && !boundary(r) {
			return false
		}
	}
	return s != ""
}
