package constituent

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// HeadTable tells which child of a phrase is its head.
type HeadTable struct {
	rules map[string][]headRule
}

// headRule is one attempt to find a head.
type headRule struct {
	right bool // the search begins at the last child
	any   bool // the first child of any of the labels, else the labels one after the other
	last  bool // the outermost child alone
	of    []string
}

// Written head tables. A rule is a label, a direction and labels of children. left and right try each of the labels in
// turn, from the first or the last child on; left-any and right-any take the first child with any of them; first and
// last look at that child alone. A rule without labels of children takes the outermost child that is no punctuation.
// Several rules of a label are tried in turn; * is every label. Rules are parted by semicolons or line breaks.
const (
	// Collins has the rules of Collins (1999, appendix A), with NML and NX as NP.
	collins = `
ADJP left NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP right RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP right CC RB IN
FRAG right
INTJ left
LST right LS :
NAC left NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP right IN TO VBG VBN RP FW
PRN left
PRT right RP
QP left $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC right VP NP ADVP ADJP PP
S left TO IN VP S SBAR ADJP UCP NP
SBAR left WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ left SQ S SINV SBARQ FRAG
SINV left VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ left VBZ VBD VBP VB MD VP SQ
UCP right
VP left TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP left CC WRB JJ ADJP
WHADVP right CC WRB
WHNP left WDT WP WP$ WHADJP WHPP WHNP
WHPP right IN TO FW
NP last POS
NP right-any NN NNP NNPS NNS NX NML POS JJR
NP left NP
NP right-any $ ADJP PRN
NP right CD
NP right-any JJ JJS RB QP
NP right
NML last POS
NML right-any NN NNP NNPS NNS NX NML POS JJR
NML left NP
NML right-any $ ADJP PRN
NML right CD
NML right-any JJ JJS RB QP
NML right
NX last POS
NX right-any NN NNP NNPS NNS NX NML POS JJR
NX left NP
NX right
* left`
	first = `* left`
	final = `* right`
)

// HeadTables are the names of the tables that there are.
func HeadTables() []string { return []string{"collins", "left", "right"} }

// Heads returns a table by name, collins (of English), left and right, or reads the text of one.
func Heads(name string) (*HeadTable, error) {
	switch strings.TrimSpace(name) {
	case "collins":
		name = collins
	case "left":
		name = first
	case "right":
		name = final
	}
	t := &HeadTable{rules: map[string][]headRule{}}
	for _, line := range strings.FieldsFunc(name, func(r rune) bool { return r == ';' || r == '\n' }) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) < 2 {
			return nil, fmt.Errorf("head rule %q: a label, a direction and labels of children are wanted, such as "+
				"VP left VBD VB; or the name of a table, one of %s", line, strings.Join(HeadTables(), ", "))
		}
		r, ok := map[string]headRule{"left": {}, "right": {right: true}, "left-any": {any: true}, "first": {last: true},
			"right-any": {right: true, any: true}, "last": {right: true, last: true}}[f[1]]
		if !ok {
			return nil, fmt.Errorf("head rule %q: %q is no direction; they are left, right, left-any, right-any, first, last",
				line, f[1])
		}
		r.of = f[2:]
		t.rules[f[0]] = append(t.rules[f[0]], r)
	}
	if len(t.rules) == 0 {
		return nil, fmt.Errorf("a head table has one rule at least, such as * left")
	}
	return t, nil
}

// Find returns the place of the head among the children of a phrase, of which there is one at least. The child before
// a CC that stands before the head is the head instead (Collins 1999). Without a rule that fits, it is the first child
// that is no punctuation. Functions in labels do not count.
func (t *HeadTable) Find(n *Node) int {
	k := t.find(n)
	if k >= 2 && n.Children[k-1].Label == "CC" {
		k -= 2
		for k > 0 && punctuation(n.Children[k]) {
			k--
		}
	}
	return k
}

func (t *HeadTable) find(n *Node) int {
	rules := t.rules[Category(n.Label)]
	if rules == nil {
		rules = t.rules["*"]
	}
	for _, r := range rules {
		if k := r.find(n.Children); k >= 0 {
			return k
		}
	}
	right := len(rules) > 0 && rules[len(rules)-1].right
	return outermost(n.Children, right)
}

// find is −1 where the rule fits no child.
func (r headRule) find(children []*Node) int {
	if len(r.of) == 0 {
		return outermost(children, r.right)
	}
	at := func(i int) int {
		if r.right {
			return len(children) - 1 - i
		}
		return i
	}
	tries := [][]string{r.of}
	if !r.any && !r.last {
		tries = tries[:0]
		for i := range r.of {
			tries = append(tries, r.of[i:i+1])
		}
	}
	for _, of := range tries {
		for i := range children {
			if slices.Contains(of, labelOf(children[at(i)])) {
				return at(i)
			}
			if r.last {
				break
			}
		}
	}
	return -1
}

// labelOf is what rules compare: the tag of a leaf, the category of a phrase.
func labelOf(n *Node) string {
	if n.Leaf() {
		return n.Label
	}
	return Category(n.Label)
}

// outermost is the first child, or the last one, that is no punctuation; the very first or last if all are.
func outermost(children []*Node, right bool) int {
	for i := range children {
		if right {
			i = len(children) - 1 - i
		}
		if !punctuation(children[i]) {
			return i
		}
	}
	if right {
		return len(children) - 1
	}
	return 0
}

// punctuationTags are tags with letters that mean punctuation.
var punctuationTags = []string{"NFP", "HYPH", "PU", "PUNCT", "SYM", "-LRB-", "-RRB-", "-LSB-", "-RSB-",
	"-LCB-", "-RCB-"}

// punctuation tells whether a child is a token of punctuation: its tag is known as such, or has no letter, but for
// signs of money.
func punctuation(n *Node) bool {
	if !n.Leaf() {
		return false
	}
	return slices.Contains(punctuationTags, n.Label) || n.Label != "$" && n.Label != "#" &&
		strings.IndexFunc(n.Label, unicode.IsLetter) < 0
}

// Dependencies returns the head of each token of a tree of n tokens, by the heads of phrases: 0 for that of the root.
// Entry 0 is unused.
func (t *HeadTable) Dependencies(root *Node, n int) []int32 {
	out := make([]int32, n+1)
	t.attach(root, out)
	return out
}

// attach sets the heads of all tokens below a node but its own head, which it returns.
func (t *HeadTable) attach(n *Node, out []int32) int {
	if n.Leaf() {
		return n.Token
	}
	heads := make([]int, len(n.Children))
	for i, c := range n.Children {
		heads[i] = t.attach(c, out)
	}
	h := heads[t.Find(n)]
	for _, m := range heads {
		if m != h {
			out[m] = int32(h)
		}
	}
	return h
}
