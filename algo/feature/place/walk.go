package place

import (
	"slices"
	"strings"

	"parlance/algo/option"
)

// tested is a walk with a condition on a column of tokens.
func tested(name, doc string, out typ, least int, all func(x *Extractor, k int, in, out *val)) *step {
	return &step{name: name, usage: "." + name + "(column, a|b)", doc: doc, in: tokenType, out: out, min: least, max: 2,
		need: needHeads, tests: true, read: condition, all: all}
}

// condition reads a column of tokens and values, of which ! in front makes all others.
func condition(n *instruction, args []string) string {
	n.column = -1
	if len(args) == 0 {
		return ""
	}
	if n.column = slices.Index(tokenColumns, args[0]); n.column < 0 {
		return "tokens have no column " + args[0] + option.DidYouMean(args[0], tokenColumns)
	}
	if len(args) == 1 {
		return "the values of " + args[0] + " are missing"
	}
	return alternatives(n, args[1])
}

// alternatives reads a|b or !a|b.
func alternatives(n *instruction, arg string) string {
	rest, negate := strings.CutPrefix(arg, "!")
	n.negate, n.texts = negate, strings.Split(rest, "|")
	if slices.Contains(n.texts, "") {
		return "a value between bars is empty"
	}
	return ""
}

// walks are the steps from a token to others.
func walks() []*step {
	return slices.Concat(edges(), relatives(), testedWalks(), []*step{
		{name: "sentence", usage: ".sentence", doc: "the sentence, a span", in: tokenType, out: spanType,
			all: sentenceOf},
		{name: "constituent", usage: ".constituent", doc: "the lowest constituent that covers the place",
			in: tokenType, out: nodeType, need: needNodes,
			all: func(x *Extractor, _ int, in, out *val) { x.setNode(out, x.cover(in.a, in.a+1)) }},
	})
}

// edges are the walks to one token.
func edges() []*step {
	edge := func(name, doc string, to func(x *Extractor, a int32) int32) *step {
		return &step{name: name, usage: "." + name, doc: doc, in: tokenType, out: tokenType, need: needHeads,
			one: func(x *Extractor, _ int, a int32) int32 { return to(x, a) }}
	}
	child := func(name, doc string, which, side int) *step {
		return edge(name, doc, func(x *Extractor, a int32) int32 { return x.child(a, which, side) })
	}
	return []*step{
		edge("head", "the head in the tree", func(x *Extractor, a int32) int32 { return max(x.heads[a], none) }),
		edge("root", "the root of the token's tree", func(x *Extractor, a int32) int32 {
			return x.up(a, func(int32) bool { return false }, true)
		}),
		child("lm", "the leftmost child before the token", 0, -1),
		child("ln", "the nearest child before the token", -1, -1),
		child("rn", "the nearest child after the token", 0, 1),
		child("rm", "the rightmost child after the token", -1, 1),
	}
}

// relatives are the walks to lists of tokens.
func relatives() []*step {
	many := func(name, doc string, add func(x *Extractor, l []int32, a int32) []int32) *step {
		return &step{name: name, usage: "." + name, doc: doc, in: tokenType, out: tokensType, need: needHeads,
			all: func(x *Extractor, _ int, in, out *val) { out.list = add(x, out.list, in.a) }}
	}
	side := func(name, doc string, side int) *step {
		return many(name, doc, func(x *Extractor, l []int32, a int32) []int32 { return append(l, x.side(a, side)...) })
	}
	return []*step{
		side("left", "the children before the token", -1),
		side("right", "the children after the token", 1),
		many("inner", "the children without lm and rm", func(x *Extractor, l []int32, a int32) []int32 {
			left, right := x.side(a, -1), x.side(a, 1)
			return append(append(l, left[min(1, len(left)):]...), right[:max(0, len(right)-1)]...)
		}),
		many("siblings", "the other children of the head", func(x *Extractor, l []int32, a int32) []int32 {
			if h := x.heads[a]; h >= 0 {
				for _, c := range x.children(h) {
					if c != a {
						l = append(l, c)
					}
				}
			}
			return l
		}),
		many("ancestors", "the head, its head and so on up to the root",
			func(x *Extractor, l []int32, a int32) []int32 { return climb(x.heads, a, l) }),
	}
}

// testedWalks are the walks with a condition.
func testedWalks() []*step {
	children := tested("children", "the children, or those whose column is a or b", tokensType, 0,
		func(x *Extractor, k int, in, out *val) {
			for _, c := range x.children(in.a) {
				if x.set.code[k].column < 0 || x.meets(k, c) {
					out.list = append(out.list, c)
				}
			}
		})
	children.usage = ".children, .children(column, a|b)"
	up := tested("up", "the first token above whose column is a or b; !a|b is neither", tokenType, 2,
		func(x *Extractor, k int, in, out *val) {
			out.set(x.up(in.a, func(t int32) bool { return x.meets(k, t) }, false))
		})
	top := tested("top", "the last such token above", tokenType, 2, func(x *Extractor, k int, in, out *val) {
		last, at := int32(none), in.a
		for range x.rows {
			if at = x.up(at, func(t int32) bool { return x.meets(k, t) }, false); at < 0 {
				break
			}
			last = at
		}
		out.set(last)
	})
	child := tested("child", "the first child whose column is a or b", tokenType, 2,
		func(x *Extractor, k int, in, out *val) {
			out.set(none)
			for _, c := range x.children(in.a) {
				if x.meets(k, c) {
					out.set(c)
					return
				}
			}
		})
	return []*step{children, child, up, top}
}

func sentenceOf(x *Extractor, _ int, in, out *val) {
	s := x.sentence(in.a)
	out.a, out.b = x.bounds[s], x.bounds[s+1]
}
