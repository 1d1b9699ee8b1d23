package place

import "sort"

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
const Syntax = `A set over places begins with their names and types. Templates follow, separated by commas, semicolons
or line ends; a number sign starts a comment.

~~~
set      = "over" "(" place { "," place } ")" { separator | item }
place    = name ( "token" | "span" [ "(" layer ")" ] | "mention" | "node" )
item     = template | "each" "(" prefix { "," prefix } ")" "{" { template separator } "}"
prefix   = "alone" | template
template = value { "&" value }
value    = ( name | "bias" | function "(" value "," value ")" ) { step }
step     = "." name [ "(" argument { "," argument } ")" ] | "[" number [ ".." number ] "]"
argument = letters, digits and | ! : + * / $ @ % = < > . - , or any characters in double quotes
~~~

A value is a place, or a function of two values, and what follows it step by step: walks to other tokens or nodes,
attributes, operations. A place that is a row of a layer has the columns of the layer, such as m.kind. p[-1] is the
token before, p[-2..2].form stands for five templates; m[-1] and m[1] are the tokens beside a span. each (alone,
m.type) { … } writes every template inside once alone and once joined with m.type. A step of a token, node or text
applies to each one of a list. A list of texts gives a feature for each different text, unless seq or bag make one
text of it. A template gives nothing at places where one of its values is missing.
`
