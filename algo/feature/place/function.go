package place

import (
	"slices"
	"strings"
)

// function is a value of two places or of two values.
type function struct {
	name, usage, doc string
	// result is the type of the value, noType where the arguments do not fit.
	result func(a, b typ) typ
	need   needs // besides the tree of a path
	wants  string
	eval   func(x *Extractor, k int, a, b, out *val)
}

// needs is what the function reads of a document, given the type of its first argument.
func (f *function) needs(first typ) needs {
	if f.need == needHeads && first == nodeType {
		return needNodes
	}
	return f.need
}

func extents(result typ) func(a, b typ) typ {
	return func(a, b typ) typ {
		if a.extent() && b.extent() {
			return result
		}
		return noType
	}
}

// inTree is the result of a function of two tokens or of two nodes.
func inTree(tokens, nodes typ) func(a, b typ) typ {
	return func(a, b typ) typ {
		switch {
		case a == tokenType && b == tokenType:
			return tokens
		case a == nodeType && b == nodeType:
			return nodes
		}
		return noType
	}
}

func same(a, b typ) typ {
	if a == b && (a == textType || a == numberType) || a.extent() && b.extent() {
		return textType
	}
	return noType
}

var functions = map[string]*function{}

func init() {
	for _, f := range slices.Concat(treeFunctions(), extentFunctions(), mentionFunctions(), valueFunctions()) {
		f.usage = f.name + "(x, y)"
		functions[f.name] = f
	}
}

// treeFunctions are those of two places in a tree.
func treeFunctions() []*function {
	return []*function{
		{name: "path", doc: "the way through the tree from x to y, with both", wants: "two tokens or two nodes",
			need: needHeads, result: inTree(pathType, nodePathType), eval: path},
		{name: "up_path", doc: "its part from x to the lowest common ancestor", wants: "two tokens or two nodes",
			need: needHeads, result: inTree(tokensType, nodesType),
			eval: func(x *Extractor, k int, a, b, out *val) {
				path(x, k, a, b, out)
				if !out.none {
					out.list = out.list[:out.a+1]
				}
			}},
		{name: "shared_path", doc: "the way from the lowest common ancestor to the root",
			wants: "two tokens or two nodes", need: needHeads, result: inTree(tokensType, nodesType),
			eval: func(x *Extractor, k int, a, b, out *val) {
				path(x, k, a, b, out)
				if !out.none {
					top := out.list[out.a]
					out.list = climb(x.above(k), top, append(out.list[:0], top))
				}
			}},
		{name: "common", doc: "the lowest common ancestor", wants: "two tokens or two nodes", need: needHeads,
			result: inTree(tokenType, nodeType),
			eval: func(x *Extractor, k int, a, b, out *val) {
				path(x, k, a, b, out)
				if out.none {
					return
				}
				if x.set.code[k].typ == nodeType {
					x.setNode(out, out.list[out.a])
					return
				}
				out.set(out.list[out.a])
			}},
		{name: "relation",
			doc:   "what x is to y in the tree: parent, child, ancestor, descendant, sibling, same or other",
			wants: "two tokens or two nodes", need: needHeads, result: inTree(textType, textType), eval: relation},
	}
}

// extentFunctions are those of two places in the text.
func extentFunctions() []*function {
	return []*function{
		{name: "line", doc: "the tokens from x to y in the order of the sentence, with both",
			wants: "two tokens of a sentence", result: inTree(tokensType, noType),
			eval: func(x *Extractor, k int, a, b, out *val) { x.within(min(a.a, b.a), max(a.a, b.a)+1, out) }},
		{name: "between", doc: "the tokens between x and y, of one sentence", wants: "two places",
			result: extents(tokensType),
			eval: func(x *Extractor, k int, a, b, out *val) {
				af, at := x.extent(k, 0)
				bf, bt := x.extent(k, 1)
				if out.none = x.sentence(af) != x.sentence(bf); out.none {
					return
				}
				if af > bf {
					at, bf = bt, af
				}
				x.within(at, max(at, bf), out)
			}},
		{name: "order", doc: "before, after, inside, covers, same or overlaps", wants: "two places",
			result: extents(textType), eval: order},
		{name: "distance", doc: "in tokens, 1 for neighbours, 0 where they overlap", wants: "two places",
			result: extents(numberType),
			eval: func(x *Extractor, k int, _, _, out *val) {
				af, at := x.extent(k, 0)
				bf, bt := x.extent(k, 1)
				out.set(max(0, bf-at+1, af-bt+1))
			}},
		{name: "sentence_distance", doc: "in sentences, 0 in the same one", wants: "two places",
			result: extents(numberType),
			eval: func(x *Extractor, k int, _, _, out *val) {
				af, _ := x.extent(k, 0)
				bf, _ := x.extent(k, 1)
				d := x.sentence(af) - x.sentence(bf)
				out.set(max(d, -d))
			}},
		{name: "mention_distance", doc: "how many mentions begin after the first place begins and not after the second",
			wants: "two places", need: needMentions, result: extents(numberType),
			eval: func(x *Extractor, k int, _, _, out *val) {
				af, _ := x.extent(k, 0)
				bf, _ := x.extent(k, 1)
				out.set(x.rank(max(af, bf)+1) - x.rank(min(af, bf)+1))
			}},
	}
}

// valueFunctions compare two values.
func valueFunctions() []*function {
	return []*function{
		{name: "equals", doc: "yes, no, or unknown where one has no value",
			wants: "two texts, two numbers or two places", result: same, eval: equals},
		{name: "contains", doc: "whether y is a part of x, or one of the list x; yes, no or unknown",
			wants: "a text or a list of texts, then a text",
			result: func(a, b typ) typ {
				if b == textType && (a == textType || a == textsType) {
					return textType
				}
				return noType
			}, eval: containsText},
		{name: "share", doc: "whether two lists have a value in common", wants: "two lists of texts",
			result: func(a, b typ) typ {
				if a == textsType && b == textsType {
					return textType
				}
				return noType
			}, eval: containsText},
	}
}

// path climbs from both ends to the lowest common ancestor, the turning point.
func path(x *Extractor, k int, a, b, out *val) {
	above := x.above(k)
	from, to := a.a, b.a
	if x.set.code[x.set.code[k].in[0]].typ == nodeType {
		from, to = a.row, b.row
	}
	x.ids1 = climb(above, from, append(x.ids1[:0], from))
	x.ids2 = climb(above, to, append(x.ids2[:0], to))
	i, j := len(x.ids1), len(x.ids2)
	if x.ids1[i-1] != x.ids2[j-1] {
		out.none = true
		return
	}
	for i > 0 && j > 0 && x.ids1[i-1] == x.ids2[j-1] {
		i, j = i-1, j-1
	}
	out.list = append(out.list, x.ids1[:i+1]...)
	out.a = int32(i)
	for ; j > 0; j-- {
		out.list = append(out.list, x.ids2[j-1])
	}
}

// above is the tree in which the arguments of a function lie.
func (x *Extractor) above(k int) []int32 {
	if x.set.code[x.set.code[k].in[0]].typ == nodeType {
		return x.nodes.parent
	}
	return x.heads
}

// within lists the tokens of a range within a sentence, none of one that crosses sentences.
func (x *Extractor) within(from, to int32, out *val) {
	if to > from && x.sentence(from) != x.sentence(to-1) {
		out.none = true
		return
	}
	for t := from; t < to; t++ {
		out.list = append(out.list, t)
	}
}

func relation(x *Extractor, k int, a, b, out *val) {
	above := x.above(k)
	i, j := a.a, b.a
	if x.set.code[x.set.code[k].in[0]].typ == nodeType {
		i, j = a.row, b.row
	}
	word := "other"
	switch {
	case i == j:
		word = "same"
	case above[j] == i:
		word = "parent"
	case above[i] == j:
		word = "child"
	case above[i] >= 0 && above[i] == above[j]:
		word = "sibling"
	default:
		x.ids1 = climb(above, j, x.ids1[:0])
		x.ids2 = climb(above, i, x.ids2[:0])
		if slices.Contains(x.ids1, i) {
			word = "ancestor"
		} else if slices.Contains(x.ids2, j) {
			word = "descendant"
		}
	}
	out.set(x.id(word))
}

func order(x *Extractor, k int, _, _, out *val) {
	af, at := x.extent(k, 0)
	bf, bt := x.extent(k, 1)
	out.set(x.id(orderOf(af, at, bf, bt)))
}

// orderOf says how the ranges [af, at) and [bf, bt) lie.
func orderOf(af, at, bf, bt int32) string {
	switch {
	case af == bf && at == bt:
		return "same"
	case at <= bf:
		return "before"
	case bt <= af:
		return "after"
	case bf <= af && at <= bt:
		return "inside"
	case af <= bf && bt <= at:
		return "covers"
	}
	return "overlaps"
}

func (x *Extractor) truth(yes bool, out *val) {
	out.none = false
	if yes {
		out.set(x.id("yes"))
		return
	}
	out.set(x.id("no"))
}

func equals(x *Extractor, k int, a, b, out *val) {
	switch {
	case a.none || b.none:
		out.none = false
		out.set(x.id("unknown"))
	case x.set.code[x.set.code[k].in[0]].typ.extent():
		af, at := x.extent(k, 0)
		bf, bt := x.extent(k, 1)
		x.truth(af == bf && at == bt, out)
	default:
		x.truth(a.a == b.a, out)
	}
}

func containsText(x *Extractor, k int, a, b, out *val) {
	in := x.set.code[k].in
	switch {
	case a.none || b.none:
		out.none = false
		out.set(x.id("unknown"))
	case x.set.code[in[1]].typ == textsType:
		x.truth(slices.ContainsFunc(a.list, func(v int32) bool { return v >= 0 && slices.Contains(b.list, v) }), out)
	case x.set.code[in[0]].typ == textsType:
		x.truth(slices.Contains(a.list, b.a), out)
	default:
		x.truth(strings.Contains(x.texts[a.a], x.texts[b.a]), out)
	}
}
