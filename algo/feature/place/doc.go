// Package place computes features of pairs, mentions and nodes of trees by templates that are data: what the
// templates of tokens in algo/feature are for one token, these are for several named places of a document.
//
// A set is over places: over (p token, a token). A template is values joined by &; a value is a place followed by
// walks, attributes and operations, or a function of two of them:
//
//	over (p token, a token)
//	p.lemma & a.lemma                # a conjunction
//	p.children.deprel.bag            # the relations of the children, sorted, as one value
//	path(a, p).steps & p.upos        # the way through the tree
//	a[-1..1].form                    # three templates: the neighbours
//	distance(p, a).bins(1, 2, 5)
//	each (alone, p.upos) { a.lemma; a.head.lemma }   # four templates
//
// In EBNF:
//
//	set      = "over" "(" place { "," place } ")" { separator | item } ;
//	place    = name ( "token" | "span" [ "(" layer ")" ] | "mention" | "node" ) ;
//	item     = template | "each" "(" prefix { "," prefix } ")" "{" { template separator } "}" ;
//	prefix   = "alone" | template ;
//	template = value { "&" value } ;
//	value    = ( name | "bias" | function "(" value "," value ")" ) { step } ;
//	step     = "." name [ "(" argument { "," argument } ")" ] | "[" number [ ".." number ] "]" ;
//	argument = plain { plain } | '"' { any character but '"' } '"' ;
//	separator = "," | ";" | line end ;
//
// The types are token, span, node (a span too), text, number, and lists of tokens, nodes and texts. A step of a token,
// node or text applied to a list gives the list of its results. A template takes texts and numbers, and at most one
// list of texts, which gives a feature for each different text. A template with a value that is not there gives
// nothing.
//
// Compilation (compile.go) makes one instruction of every different value, after those that it reads; extraction runs
// them over numbers of rows and of texts. Only instructions that depend on a place that changed since the last pair run
// again. What an operation makes of a text is remembered. Features have hashes of 64 bits that depend on nothing but
// template and values, so that a model can keep weights by them and needs no table of names.
//
// Files: notation.go is sets and instructions, parse.go the grammar, step.go, walk.go, textstep.go and function.go what
// values can be, mention.go what descriptions of mentions give, document.go the view of a document, extract.go the
// features, pairs.go those of many pairs at once, locate.go places that users write, builtin.go sets, reference.go what
// the reference says.
package place
