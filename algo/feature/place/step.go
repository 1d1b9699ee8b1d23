package place

import (
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
)

// step is an attribute, a walk or an operation: what follows a point.
type step struct {
	name, usage, doc string
	in, out          typ
	min, max         int // arguments
	need             needs
	column           string                      // of tokens
	tests            bool                        // the arguments are a column of tokens and values of it
	row              bool                        // reads a column of the row that a place is
	said             func(m *described) string   // of mentions: what a description says
	listed           func(m *described) []string // the same, a list
	counted          func(m *described) int      // the same, a number
	// read takes the arguments, and says what is wrong with them.
	read func(n *instruction, args []string) string
	// one computes an element, -1 for none; it serves lists of elements too.
	one func(x *Extractor, k int, a int32) int32
	// all computes any other value.
	all func(x *Extractor, k int, in, out *val)
}

// tokenColumns are the columns of tokens, with the relation of the tree.
var tokenColumns = []string{"form", "lemma", "upos", "xpos", "feats", "misc", "deprel"}

var steps = map[string][]*step{}

// tables fills the tables of steps and functions.
func init() {
	for _, list := range [][]*step{attributes(), walks(), spanSteps(), mentionSteps(), nodeSteps(), listSteps(),
		textSteps()} {
		for _, s := range list {
			steps[s.name] = append(steps[s.name], s)
		}
	}
}

func attributes() []*step {
	var out []*step
	for i, c := range tokenColumns {
		out = append(out, &step{name: c, usage: "." + c, doc: "the column of tokens", in: tokenType, out: textType,
			column: c,
			one:    func(x *Extractor, _ int, a int32) int32 { return x.column(i, a) }})
	}
	at := slices.IndexFunc(out, func(s *step) bool { return s.name == "feats" })
	out[at].usage, out[at].doc, out[at].max = ".feats, .feats.Number", "the morphological features, or one of them", 1
	out[at].read = func(n *instruction, args []string) string {
		n.texts = args
		return ""
	}
	out[at].one = func(x *Extractor, k int, a int32) int32 { return x.morphology(k, a) }
	for _, f := range []string{"Number", "Gender", "Person"} {
		name := strings.ToLower(f)
		out = append(out, &step{name: name, usage: "." + name, doc: "feats." + f + "; of a span that of its head",
			in: tokenType, out: textType,
			column: "feats", read: func(n *instruction, _ []string) string { n.texts = []string{f}; return "" },
			one: func(x *Extractor, k int, a int32) int32 { return x.morphology(k, a) }},
			&step{name: name, usage: "." + name, in: spanType, out: textType, column: "feats", need: needHeads,
				read: func(n *instruction, _ []string) string { n.texts = []string{f}; return "" },
				all: func(x *Extractor, k int, in, out *val) {
					out.set(x.morphology(k, x.headOf(in.a, in.b)))
				}})
	}
	return append(out,
		&step{name: "sent", usage: ".sent", doc: "the number of the sentence", in: tokenType, out: numberType,
			one: func(x *Extractor, _ int, a int32) int32 { return x.sentence(a) + 1 }},
		&step{name: "tok", usage: ".tok", doc: "the number of the token in its sentence", in: tokenType,
			out: numberType,
			one: func(x *Extractor, _ int, a int32) int32 { return a - x.bounds[x.sentence(a)] + 1 }},
	)
}

// mentionTypes are the types of mentions by the tag of the head.
var mentionTypes = map[string]string{"PRON": "pronoun", "DET": "pronoun", "PROPN": "name"}

func spanSteps() []*step {
	of := func(name, doc string, need needs, out typ, all func(x *Extractor, k int, in, out *val)) *step {
		return &step{name: name, usage: "." + name, doc: doc, in: spanType, out: out, need: need, all: all}
	}
	kind := of("type", "pronoun, name or nominal, by the part of speech of the head", needHeads, textType,
		func(x *Extractor, _ int, in, out *val) {
			u := x.column(slices.Index(tokenColumns, "upos"), x.headOf(in.a, in.b))
			if u < 0 {
				out.set(none)
				return
			}
			t, ok := mentionTypes[x.texts[u]]
			if !ok {
				t = "nominal"
			}
			out.set(x.id(t))
		})
	kind.column = "upos"
	forms := of("text", "the forms with blanks between them", 0, textType, func(x *Extractor, _ int, in, out *val) {
		x.ids2 = append(x.ids2[:0], x.columns[0][in.a:in.b]...)
		out.set(x.join(x.ids2))
	})
	forms.column = "form"
	return []*step{kind, forms,
		of("first", "the first token", 0, tokenType, func(_ *Extractor, _ int, in, out *val) { out.set(in.a) }),
		of("last", "the last token", 0, tokenType, func(_ *Extractor, _ int, in, out *val) { out.set(in.b - 1) }),
		of("head", "the first token whose head is outside, the last one without a tree", needHeads, tokenType,
			func(x *Extractor, _ int, in, out *val) { out.set(x.headOf(in.a, in.b)) }),
		of("tokens", "its tokens", 0, tokensType, func(_ *Extractor, _ int, in, out *val) {
			for t := in.a; t < in.b; t++ {
				out.list = append(out.list, t)
			}
		}),
		of("length", "the number of tokens", 0, numberType,
			func(_ *Extractor, _ int, in, out *val) { out.set(in.b - in.a) }),
		of("sent", "the number of the sentence", 0, numberType,
			func(x *Extractor, _ int, in, out *val) { out.set(x.sentence(in.a) + 1) }),
		of("sentence", "the sentence, a span", 0, spanType, sentenceOf),
		of("constituent", "the lowest constituent that covers the place", needNodes, nodeType,
			func(x *Extractor, _ int, in, out *val) { x.setNode(out, x.cover(in.a, in.b)) }),
	}
}

func nodeSteps() []*step {
	up := &step{name: "up", usage: ".up, .up(a|b)", doc: "the node above, or the first one above with the label a or b",
		in: nodeType, out: nodeType, max: 1, need: needNodes,
		read: func(n *instruction, args []string) string {
			if len(args) == 0 {
				return ""
			}
			return alternatives(n, args[0])
		},
		all: func(x *Extractor, k int, in, out *val) {
			at := x.nodes.parent[in.row]
			for at >= 0 && x.set.code[k].texts != nil && !x.holds(k, x.nodes.label[at]) {
				at = x.nodes.parent[at]
			}
			x.setNode(out, at)
		}}
	return []*step{up,
		{name: "children", usage: ".children", doc: "the nodes below", in: nodeType, out: nodesType, need: needNodes,
			all: func(x *Extractor, _ int, in, out *val) {
				for r := in.row + 1; int(r) < len(x.nodes.parent) && x.nodes.sent[r] == x.nodes.sent[in.row]; r++ {
					if x.nodes.parent[r] == in.row {
						out.list = append(out.list, r)
					}
				}
			}},
		{name: "label", usage: ".label", doc: "the label of the node", in: nodeType, out: textType, need: needNodes,
			one: func(x *Extractor, _ int, a int32) int32 { return x.nodes.label[a] }},
		{name: "category", usage: ".category", doc: "the label without its functions", in: nodeType, out: textType,
			need: needNodes,
			one: func(x *Extractor, k int, a int32) int32 {
				return x.remember(k, x.nodes.label[a], func(s string) string {
					if at := strings.IndexAny(s, "-="); at > 0 {
						return s[:at]
					}
					return s
				})
			}},
	}
}

func listSteps() []*step {
	count := func(_ *Extractor, _ int, in, out *val) { out.set(int32(len(in.list))) }
	var out []*step
	for _, t := range []typ{tokensType, nodesType, textsType} {
		out = append(out, &step{name: "count", usage: ".count", doc: "how many there are", in: t, out: numberType,
			all: count})
	}
	path := &step{name: "steps", usage: ".steps, .steps(column)",
		doc: "the relations (labels of nodes) along a path with ↑ and ↓", in: pathType, out: textType, max: 1,
		tests: true, read: func(n *instruction, args []string) string {
			if len(args) == 0 {
				args = []string{"deprel"}
			}
			if n.column = slices.Index(tokenColumns, args[0]); n.column < 0 {
				return "tokens have no column " + args[0] + option.DidYouMean(args[0], tokenColumns)
			}
			return ""
		}, all: func(x *Extractor, k int, in, out *val) { out.set(x.arrows(in, x.columns[x.set.code[k].column])) }}
	nodes := &step{name: "steps", usage: ".steps", in: nodePathType, out: textType,
		all: func(x *Extractor, _ int, in, out *val) { out.set(x.arrows(in, x.nodes.label)) }}
	return append(out, path, nodes,
		&step{name: "seq", usage: ".seq",
			doc: "one text: the values in their order, _ for those that are missing, - for an empty list",
			in:  textsType, out: textType,
			all: func(x *Extractor, _ int, in, out *val) { out.set(x.join(in.list)) }},
		&step{name: "bag", usage: ".bag", doc: "one text: the values sorted by bytes, each once", in: textsType,
			out: textType,
			all: func(x *Extractor, _ int, in, out *val) { out.set(x.join(x.sorted(in.list))) }},
		&step{name: "nodup", usage: ".nodup", doc: "the values without those that repeat the one before", in: textsType,
			out: textsType,
			all: func(_ *Extractor, _ int, in, out *val) {
				for i, v := range in.list {
					if i == 0 || v != in.list[i-1] {
						out.list = append(out.list, v)
					}
				}
			}})
}

// number reads a number from 1 to 20.
func number(n *instruction, arg string) string {
	var err error
	if n.size, err = strconv.Atoi(arg); err != nil || n.size < 1 || n.size > 20 {
		return arg + " is no number from 1 to 20"
	}
	return ""
}

// spanLayers lists the layers whose rows are spans of tokens.
func spanLayers() []string {
	var out []string
	for _, d := range text.Builtin {
		if d.Index("tok_start") >= 0 && d.Index("sent") >= 0 {
			out = append(out, d.Name)
		}
	}
	return out
}
