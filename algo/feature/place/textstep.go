package place

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/coref/mention"
	"parlance/algo/feature"
)

// textSteps are the operations on texts and numbers.
func textSteps() []*step {
	return slices.Concat(formSteps(), lookupSteps(), []*step{
		{name: "length", usage: ".length", doc: "the number of characters, of a span that of its tokens", in: textType,
			out: numberType,
			one: func(x *Extractor, _ int, a int32) int32 { return int32(utf8.RuneCountInString(x.texts[a])) }},
		{name: "only", usage: ".only(a|b)", doc: "the value if it is a or b, else none; !a|b is neither", in: textType,
			out: textType, min: 1, max: 1,
			read: func(n *instruction, args []string) string { return alternatives(n, args[0]) },
			one: func(x *Extractor, k int, a int32) int32 {
				if x.holds(k, a) {
					return a
				}
				return none
			}},
		{name: "bins", usage: ".bins(1, 2, 5)", doc: "the bin of a number: <1, 1, 2..4 or 5+", in: numberType,
			out: textType, min: 1, max: 64, read: bins,
			one: func(x *Extractor, k int, a int32) int32 {
				at := 0
				for _, b := range x.set.code[k].bounds {
					if a >= b {
						at++
					}
				}
				return x.words[k][at]
			}},
	})
}

// formSteps are the operations on the characters of texts.
func formSteps() []*step {
	of := func(name, usage, doc string, args int, compute func(n *instruction, s string) string) *step {
		s := &step{name: name, usage: usage, doc: doc, in: textType, out: textType, min: args, max: args,
			one: func(x *Extractor, k int, a int32) int32 {
				return x.remember(k, a, func(s string) string { return compute(&x.set.code[k], s) })
			}}
		if args > 0 {
			s.read = func(n *instruction, args []string) string { return number(n, args[0]) }
		}
		return s
	}
	return []*step{
		of("lower", ".lower", "in lower case", 0, func(_ *instruction, s string) string { return strings.ToLower(s) }),
		of("prefix", ".prefix(n)", "the first n characters of a longer text", 1,
			func(n *instruction, s string) string { return feature.Affix(s, n.size, false) }),
		of("suffix", ".suffix(n)", "the last n characters of a longer text", 1,
			func(n *instruction, s string) string { return feature.Affix(s, n.size, true) }),
		of("shape", ".shape", "X for capitals, x for small letters, 9 for digits, at most 4 of a kind in a row", 0,
			func(_ *instruction, s string) string { return feature.Shape(s, 4) }),
		of("short_shape", ".short_shape", "the shape with runs of a kind written once", 0,
			func(_ *instruction, s string) string { return feature.Shape(s, 1) }),
	}
}

// lookupSteps are the operations that look texts up in lexicons and knowledge bases.
func lookupSteps() []*step {
	return []*step{
		{name: "lexicon", usage: ".lexicon(name, column[, n])",
			doc: "the column of a lexicon for the text, its first n characters", in: textType, out: textType, min: 2,
			max: 3,
			read: func(n *instruction, args []string) string {
				n.texts = args[:2]
				if len(args) > 2 {
					return number(n, args[2])
				}
				return ""
			},
			one: func(x *Extractor, k int, a int32) int32 {
				return x.remember(k, a, func(s string) string { return x.lookUp(k, s) })
			}},
		{name: "synset", usage: ".synset(kb)",
			doc: "the synset of the commonest sense of a noun in a knowledge base with WordNet", in: textType,
			out: textType, min: 1, max: 1, read: knowledge,
			one: func(x *Extractor, k int, a int32) int32 {
				return x.remember(k, a, func(s string) string { return mention.FirstSense(x.kbs[k], s) })
			}},
		{name: "sense", usage: ".sense(kb)",
			doc: "what that sense is about, such as person, place or event, by what is above it", in: textType,
			out: textType, min: 1, max: 1, read: knowledge,
			one: func(x *Extractor, k int, a int32) int32 {
				return x.remember(k, a, func(s string) string { return mention.Sense(x.kbs[k], s) })
			}},
		{name: "hypernyms", usage: ".hypernyms(kb, n)",
			doc: "that synset and those above it by one way up, n at most", in: textType, out: textsType, min: 2,
			max: 2, read: func(n *instruction, args []string) string {
				n.texts = args[:1]
				return number(n, args[1])
			},
			all: func(x *Extractor, k int, in, out *val) {
				kb := x.kbs[k]
				for _, s := range mention.Hypernyms(kb, mention.FirstSense(kb, x.texts[in.a]), x.set.code[k].size, nil) {
					out.list = append(out.list, x.id(s))
				}
				out.none = len(out.list) == 0
			}},
	}
}

// knowledge reads the name of a knowledge base.
func knowledge(n *instruction, args []string) string {
	n.texts = args
	return ""
}

// bins reads ascending bounds and names the bins.
func bins(n *instruction, args []string) string {
	for i, a := range args {
		b, err := strconv.ParseInt(a, 10, 32)
		if err != nil || i > 0 && int32(b) <= n.bounds[i-1] {
			return "the bounds of bins are numbers that rise"
		}
		n.bounds = append(n.bounds, int32(b))
	}
	n.texts = append(n.texts, "<"+strconv.Itoa(int(n.bounds[0])))
	for i, b := range n.bounds {
		name := strconv.Itoa(int(b))
		switch {
		case i+1 == len(n.bounds):
			name += "+"
		case n.bounds[i+1] > b+1:
			name += ".." + strconv.Itoa(int(n.bounds[i+1]-1))
		}
		n.texts = append(n.texts, name)
	}
	return ""
}
