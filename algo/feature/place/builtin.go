package place

import "slices"

// Named is a built-in set.
type Named struct{ Name, Doc, Notation string }

var builtins = []Named{
	{"role_pairs", "a predicate and an argument in a dependency tree, for roles", `over (p token, a token)
# The predicate, then the argument.
p.form, p.lemma, p.upos, p.feats.Tense, p.children.deprel.bag
a.form, a.lemma, a.upos, a.deprel, a.head.lemma, a[-1..1].upos, a.form.suffix(3)
a.lm.form & a.deprel, a.rm.form & a.deprel
a.child(deprel, case|mark).lemma & a.deprel
a.inner.upos.seq & a.upos
a.up(upos, VERB|AUX).lemma, a.up(upos, !ADP).lemma
# Both.
p.lemma & a.lemma, p.lemma & a.deprel
path(a, p).steps, path(a, p).steps & p.lemma
up_path(p, a).lemma.seq, up_path(a, p).deprel.nodup.seq
path(a, p).count.bins(1, 2, 3, 4, 6)
relation(a, p) & p.upos, order(a, p) & a.deprel
line(a, p).upos.bag, between(a, p).form.lower
distance(a, p).bins(1, 2, 3, 5, 10) & order(a, p)`},
	{"mention_pairs", "an antecedent and a mention, for coreference", `over (n mention, m mention)
each (alone, m.type, n.type & m.type) {
  equals(n.head.form.lower, m.head.form.lower)
  equals(n.text.lower, m.text.lower)
  contains(n.text.lower, m.head.form.lower)
  share(n.tokens.lemma, m.tokens.lemma)
  equals(n.number, m.number) & equals(n.gender, m.gender)
  equals(n.person, m.person)
  sentence_distance(n, m).bins(0, 1, 2, 3, 6)
  mention_distance(n, m).bins(0, 1, 2, 3, 6, 11)
  order(n, m)
}
n.head.form.lower & m.head.form.lower, n.kind & m.kind
m.head.form.lower, m.first.form.lower, m.length.bins(1, 2, 3, 5), m.head.deprel & n.head.deprel
n.head.form.lower & m.type.only(pronoun) & m.text.lower
m[-1].lemma, m[1].lemma, equals(n.head.head, m.head.head)
n.head.form.shape & m.head.form.short_shape`},
	{"coref", "an antecedent and a mention, for coreference: the features of Bengtson and Roth (2008) and Chang et al. " +
		"(2012) that pay, each alone, with the class of the mention, and with both classes", `over (n mention, m mention)
each (alone, m.class, m.class & n.class) {
  bias
  # The mention alone: whether it refers back.
  m.head.form.lower, m.first.form.lower, m.length.bins(1, 2, 3, 5, 9), m.definiteness, m.head.form.suffix(3)
  m.head.deprel, m.head.head.lemma, m[-1].form.lower, m[1].form.lower, m.seen.bins(0, 1, 2, 4)
  # The antecedent alone.
  n.head.form.lower, n.first.form.lower, n.last.form.lower, n.head.xpos, n.determiner, n.length.bins(1, 2, 3, 5, 9)
  n.head.deprel, n.head.head.lemma, n[-1].form.lower, n[1].form.lower
  n.definiteness, n.seen.bins(0, 1, 2, 4), n.later.bins(0, 1, 2, 4), m.later.bins(0, 1, 2, 4)
  # Strings.
  equals(n.head.form.lower, m.head.form.lower) & equals(n.bare, m.bare)
  n.head.form.lower & m.head.form.lower
  contains(n.text.lower, m.head.form.lower) & contains(m.text.lower, n.head.form.lower)
  share(n.modifiers, m.modifiers) & equals(n.head.form.lower, m.head.form.lower)
  share(n.names, m.names), equals(n.initials, m.head.form), equals(n.head.form, m.initials)
  # Agreement.
  n.number & m.number, n.gender & m.gender, n.animacy & m.animacy, equals(n.person, m.person) & compatible(n, m)
  compatible(n, m) & sentence_distance(n, m).bins(0, 1, 2, 3, 5, 8), n.number & m.number & n.gender & m.gender
  # Speakers.
  equals(n.speaker, m.speaker) & n.person & m.person, contains(m.speaker.lower, n.head.form.lower)
  # Distance and nesting.
  sentence_distance(n, m).bins(0, 1, 2, 3, 5, 8, 13), sentence_distance(n, m).bins(0, 1, 2) & n.head.deprel
  mention_distance(n, m).bins(0, 1, 2, 3, 5, 8, 13, 21, 34)
  compatible_between(n, m).bins(0, 1, 2, 3, 5, 8, 13)
  n.nested & m.nested, order(n, m), equals(n.head.head, m.head.head), n.head.deprel & m.head.deprel
}`},
	{"mention", "a span that may be a mention of something that is mentioned again", `over (m mention)
bias, m.class, m.text.lower, m.head.form.lower, m.kind & m.length.bins(1, 2, 3, 4, 6, 10), m.kind & m[1].xpos, m.kind & m.class, m.kind & m.head.deprel, m.kind & m.head.xpos
each (alone, m.type) {
  m.first.form.lower, m.last.form.lower, m.head.xpos, m.head.deprel, m.head.form.short_shape, m.head.form.suffix(3)
  m[-1].form.lower, m[1].form.lower, m[-1].xpos & m[1].xpos, m.first.xpos & m.last.xpos
  m.length.bins(1, 2, 3, 4, 6, 10), m.definiteness, m.determiner, m.nested, m.coordinated
  m.seen.bins(0, 1, 2, 4) & m.definiteness, m.later.bins(0, 1, 2, 4) & m.definiteness
  m.head.head.form.lower & m.head.deprel, m.animacy & m.gender & m.number
}
m.head.form.lower & m.definiteness, m.head.form.lower & m[-1].form.lower, m.head.form.lower & m[1].form.lower
m.first.form.lower & m.head.deprel, m.last.deprel & m.head.deprel, m[1].deprel & m.length.bins(1, 2, 3, 4, 6, 10)
m.seen.bins(0, 1, 2) & m.later.bins(0, 1, 2) & m.length.bins(1, 2, 3, 4, 6, 10), m.quoted & m.class`},
	{"node_pairs", "two nodes of constituent trees", `over (x node, y node)
x.label & y.label, x.category & y.category, x.children.label.seq, y.up.label & y.label
path(x, y).steps, path(x, y).label.bag, common(x, y).category, relation(x, y)
x.head.lemma & y.head.lemma, x.up(S|SBAR).length.bins(5, 10, 20), x.first.upos & x.last.upos`},
	{"roles", "a predicate, a candidate for an argument and the frame of the predicate, for roles over trees " +
		"of Universal Dependencies", `over (p token, a token, f span(roles))
# The sense of the predicate with the place of the candidate.
f.sense & path(a, p).steps
f.sense & a.deprel & order(a, p)
f.sense & a.deprel & a.child(deprel, case|mark).lemma
f.sense & path(a, p).steps & a.child(deprel, case|mark).lemma
f.sense & a.lemma
# Ways through the tree.
path(a, p).steps, path(a, p).steps & p.lemma, path(a, p).steps & p.xpos, path(a, p).steps & a.xpos
path(a, p).steps & order(a, p), path(a, p).steps & a.lemma
path(a, p).steps & a.child(deprel, case|mark).lemma
path(a, p).steps & p.child(deprel, nsubj:pass|aux:pass).deprel
path(a, p).steps & p.children.deprel.bag
path(a, p).count.bins(1, 2, 3, 4, 6) & relation(a, p), up_path(p, a).deprel.seq & a.deprel
common(a, p).lemma & path(a, p).steps
# The candidate.
a.lemma, a.form.lower, a.xpos, a.form.suffix(3), a.lemma & p.lemma, a.lemma & a.deprel, a.lemma & order(a, p)
a.deprel, a.deprel & p.lemma, a.deprel & p.xpos, a.deprel & order(a, p) & p.xpos, a.head.lemma & a.deprel
a.head.xpos & a.deprel & a.xpos, a.child(deprel, case|mark).lemma, a.child(deprel, case|mark).lemma & p.lemma
a.child(deprel, case|mark).lemma & a.lemma, a.child(deprel, case|mark).lemma & a.xpos & a.deprel
a.children.deprel.bag & a.deprel, a.children.lemma, a.children.lemma & a.deprel, a.children.deprel & a.xpos
a.lm.form.lower & a.deprel, a.rm.lemma & a.deprel, a.lm.form.lower & a.lemma
# Both.
p.children.deprel.bag & a.deprel & order(a, p), p.children.deprel.bag & a.deprel & p.lemma
distance(p, a).bins(1, 2, 3, 5, 10) & order(a, p), distance(p, a).bins(1, 2, 3, 5, 10) & a.deprel
p.lemma & order(a, p) & a.xpos, p.deprel & a.deprel & order(a, p), p.xpos & a.xpos & order(a, p) & relation(a, p)
between(a, p).xpos.bag & a.deprel`},
}

func init() {
	for i, b := range builtins {
		if b.Name == "coref" {
			builtins = slices.Insert(builtins, i+1, Named{"coref_wordnet",
				"the set coref with what a knowledge base wordnet says of heads, as LOAD … FORMAT wordnet makes it",
				b.Notation + wordNet})
			return
		}
	}
}

// wordNet is what the set coref_wordnet has besides the set coref.
const wordNet = `
each (alone, m.class, m.class & n.class) {
  n.head.lemma.sense(wordnet), m.head.lemma.sense(wordnet), n.head.lemma.sense(wordnet) & m.head.lemma.sense(wordnet)
  n.head.lemma.sense(wordnet) & m.determiner, n.head.lemma.sense(wordnet) & m.head.head.lemma
  equals(n.head.lemma.synset(wordnet), m.head.lemma.synset(wordnet))
  contains(n.head.lemma.hypernyms(wordnet, 6), m.head.lemma.synset(wordnet))
  contains(m.head.lemma.hypernyms(wordnet, 6), n.head.lemma.synset(wordnet))
  share(n.head.lemma.hypernyms(wordnet, 3), m.head.lemma.hypernyms(wordnet, 3))
}`

// Builtins lists the built-in sets.
func Builtins() []Named { return builtins }

// Builtin returns the notation of the built-in set of the name.
func Builtin(name string) (notation string, ok bool) {
	for _, b := range builtins {
		if b.Name == name {
			return b.Notation, true
		}
	}
	return "", false
}
