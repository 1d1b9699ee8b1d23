package pairrelation

import (
	"slices"
	"strings"

	"parlance/algo/option"
)

// node is a place in the hierarchy of labels (Kuroda et al. 2010, Figure 1). Leaves label pairs;
// "term1 <name> term2" tells which way a directed label reads.
type node struct {
	code, name, parent string
	leaf, directed     bool
	doc                string
}

// leaves are the labels in order of priority: where several apply to a pair, the first one counts.
var leaves = []node{
	{"e", "typing error", "v*", true, true, "term1 is a mistyped form of term2"},
	{"f", "quasi-error", "v*", true, true, "term1 is a form of term2 between a variant and an error"},
	{"v", "allograph", "v*", true, false, "the same term written otherwise, such as centre and center"},
	{"a", "acronym", "s*", true, true, "term1 abbreviates term2"},
	{"n", "alias", "s*", true, true, "term1 is another name of term2"},
	{"p", "meronym", "r", true, true, "term1 is a part or a member of term2"},
	{"h", "hypernym", "r", true, true, "term1 is more general than term2"},
	{"s", "synonym", "s*", true, false, "different terms of the same meaning"},
	{"t", "temporal order", "c*", true, true, "term1 comes before term2"},
	{"d", "antonym", "c*", true, false, "classmates of opposite meaning"},
	{"c", "contrast", "c*", true, false, "contrasted classmates that are no antonyms"},
	{"w", "classmate with common morpheme", "k*", true, false,
		"classmates that share a morpheme, such as Niigata City and Wakayama City"},
	{"k", "classmate", "k*", true, false, "both are instances or subclasses of one concrete class"},
	{"m", "misuse", "v*", true, true, "term1 is a wrong use of a word for term2"},
	{"o", "other relation", "r", true, false, "related in some other way"},
	{"u", "unrelated", "meaningful", true, false, "no conceivable relation"},
	{"x", "meaningless", "pair", true, false, "one of the terms is no meaningful form"},
	{"y", "undecidable", "pair", true, false, "not decided in the time given"},
}

// unions are the inner nodes of the hierarchy, each behind those that it belongs to, and the share of
// pairs in a regular semantic relation, which no place of the hierarchy is.
var unions = []node{
	{code: "pair", name: "pair of forms", doc: "all pairs"},
	{code: "meaningful", name: "pair of terms", parent: "pair", doc: "both terms are meaningful"},
	{code: "r", name: "related", parent: "meaningful", doc: "some relation is conceivable"},
	{code: "s*", name: "synonymous in the broadest sense", parent: "r",
		doc: "synonyms, acronyms, aliases and forms of the same term"},
	{code: "v*", name: "forms of the same term", parent: "s*", doc: "variants and errors"},
	{code: "k**", name: "classmates in the broadest sense", parent: "r", doc: "not synonymous, and of one concrete class"},
	{code: "k*", name: "classmates that are not contrastive", parent: "k**", doc: "with or without a common morpheme"},
	{code: "c*", name: "contrastive classmates", parent: "k**", doc: "antonyms, contrasts and temporal order"},
}

// semantic is the union of regular semantic relations: all labels but o, u, m, x and y.
var semantic = node{code: "semantic", name: "regular semantic relations", doc: "all but o, u, m, x and y"}

// none stands for the label of a pair that has none.
const none = int8(-1)

// The labels that rules give, by number.
var (
	labelE, labelF, labelV, labelA, labelN = of("e"), of("f"), of("v"), of("a"), of("n")
	labelP, labelH, labelS, labelT, labelD = of("p"), of("h"), of("s"), of("t"), of("d")
	labelC, labelW, labelK, labelO, labelU = of("c"), of("w"), of("k"), of("o"), of("u")
	labelX, labelY, labelM                 = of("x"), of("y"), of("m")
)

// of returns the number of a label by code, which is its priority from 0, or none.
func of(code string) int8 {
	return int8(slices.IndexFunc(leaves, func(n node) bool { return n.code == code }))
}

// parse returns the number of a label by its code or its name, whatever its case.
func parse(s string) (int8, bool) {
	s = strings.TrimSpace(s)
	for i, n := range leaves {
		if strings.EqualFold(s, n.code) || strings.EqualFold(s, n.name) {
			return int8(i), true
		}
	}
	return none, false
}

// labelHint lists what a label may be.
func labelHint(s string) string {
	var codes, names []string
	for _, n := range leaves {
		codes = append(codes, n.code)
		names = append(names, n.name)
	}
	return "labels are " + strings.Join(codes, ", ") + ", or their names" + option.DidYouMean(s, names)
}

// resolve returns the label that counts of several, none of none.
func resolve(labels ...int8) int8 {
	best := none
	for _, l := range labels {
		if l != none && (best == none || l < best) {
			best = l
		}
	}
	return best
}

// within reports whether a label belongs to a union, whatever the levels between.
func within(label int8, union string) bool {
	if union == semantic.code {
		return !strings.Contains("oumxy", leaves[label].code)
	}
	for at := leaves[label].parent; at != ""; {
		if at == union {
			return true
		}
		i := slices.IndexFunc(unions, func(n node) bool { return n.code == at })
		at = unions[i].parent
	}
	return false
}

// topNodes are the nodes that labels are put together to at the level top.
var topNodes = []string{"s*", "h", "p", "k**", "o", "u", "x", "y"}

// top returns the node of topNodes that a label belongs to.
func top(label int8) string {
	for _, n := range topNodes {
		if n == leaves[label].code || within(label, n) {
			return n
		}
	}
	return leaves[label].code
}
