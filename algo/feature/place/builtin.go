package place

import "sort"

// Named is a built-in set.
type Named struct{ Name, Doc, Notation string }

var builtins = []Named{
	{"role_pairs", "a predicate and an argument in a dependency tree, for roles", `over (p token, a token)
p.form, p.lemma, p.upos, p.feats.Tense, p.children.deprel.bag
a.form, a.lemma, a.upos, a.deprel, a.head.lemma, a[-1..1].upos, a.form.suffix(3)
a.lm.form & a.deprel, a.rm.form & a.deprel
a.child(deprel, case|mark).lemma & a.deprel
a.inner.upos.seq & a.upos
a.up(upos, VERB|AUX).lemma, a.up(upos, !ADP).lemma
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
m[-1].lemma, m[1].lemma, equals(n.head.head, m.head.head)
n.head.form.shape & m.head.form.short_shape`},
	{"node_pairs", "two nodes of constituent trees", `over (x node, y node)
x.label & y.label, x.category & y.category, x.children.label.seq, y.up.label & y.label
path(x, y).steps, path(x, y).label.bag, common(x, y).category, relation(x, y)
x.head.lemma & y.head.lemma, x.up(S|SBAR).length.bins(5, 10, 20), x.first.upos & x.last.upos`},
}

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

// Doc is the documentation of a step or a function.
type Doc struct{ Usage, Of, Doc string }

// Steps lists the steps by what they follow and name, then the functions by name.
func Steps() []Doc {
	var out []Doc
	for _, list := range steps {
		for _, s := range list {
			if s.doc != "" {
				out = append(out, Doc{s.usage, s.in.String(), s.doc})
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Of != out[j].Of {
			return out[i].Of < out[j].Of
		}
		return out[i].Usage < out[j].Usage
	})
	for _, name := range functionNames() {
		f := functions[name]
		out = append(out, Doc{f.usage, f.wants, f.doc})
	}
	return out
}

// Syntax is the notation for users.
const Syntax = `A set over places begins with their names and types. Templates follow, separated by commas, semicolons or line ends; ` + "`#`" + ` starts a comment.

` + "```" + `
set      = "over" "(" place { "," place } ")" { separator | item }
place    = name ( "token" | "span" [ "(" layer ")" ] | "mention" | "node" )
item     = template | "each" "(" prefix { "," prefix } ")" "{" { template separator } "}"
prefix   = "alone" | template
template = value { "&" value }
value    = ( name | "bias" | function "(" value "," value ")" ) { step }
step     = "." name [ "(" argument { "," argument } ")" ] | "[" number [ ".." number ] "]"
` + "```" + `

A value is a place, or a function of two values, and what follows it step by step: walks to other tokens or nodes, attributes, operations. ` + "`p[-1]`" + ` is the token before, ` + "`p[-2..2].form`" + ` stands for five templates; ` + "`m[-1]`" + ` and ` + "`m[1]`" + ` are the tokens beside a span. ` + "`each (alone, m.type) { … }`" + ` writes every template inside once alone and once joined with ` + "`m.type`" + `. A step of a token, node or text applies to each one of a list; a list of texts gives a feature for each different text, ` + "`seq`" + ` and ` + "`bag`" + ` make one text of it. A template that has no value at a place gives nothing. A place that is a row of a layer has the columns of the layer, such as ` + "`m.kind`" + `. Arguments with other characters than letters and digits stand in double quotes.
`
