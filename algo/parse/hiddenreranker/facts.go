package hiddenreranker

import "parlance/algo/parse/constituent"

// variable is a word of a tree: its features, and those of its edge to another word, without hidden values.
type variable struct {
	token  int
	parent int    // variable that comes before, −1 for the first one
	word   facts  // of the word
	edge   facts  // of the edge to the parent
	tag    piece  // of the word
	form   piece  // of the word
	high   piece  // label of the highest phrase with the word as its head, or its tag
	sign   uint64 // of everything but parent and edge
}

// facts are features by their hashes, with names where they are wanted.
type facts []piece

func (f facts) sign() uint64 {
	h := uint64(len(f))
	for _, p := range f {
		h = mix(h, p.hash)
	}
	return h
}

// read returns the words of a tree as variables, each after its parent, with edges as the graph has them: from heads to
// modifiers, or between neighbours among the children of a phrase, outwards from the head (siblings). forms[0] is that
// of token 1.
func (x *reader) read(t *constituent.Node, forms []string, siblings bool) []variable {
	w := walker{reader: x, forms: forms, siblings: siblings, at: make([]int, len(forms)+1)}
	root := x.shape(t, nil, 0)
	w.add(root, -1, nil)
	w.walk(root)
	return w.out
}

type walker struct {
	*reader
	forms    []string
	siblings bool
	out      []variable
	at       []int // variable of each token
}

// add makes a variable of the head token of n, which is the highest node with it.
func (w *walker) add(n *node, parent int, edge facts) {
	form := ""
	if n.token <= len(w.forms) {
		form = w.forms[n.token-1]
	}
	v := variable{token: n.token, parent: parent, edge: edge, form: word(form), high: n.label}
	leaf := n
	for !leaf.leaf() {
		leaf = leaf.children[leaf.head]
	}
	v.tag = leaf.label
	v.word = w.facts(n, v.form, v.tag)
	v.sign = mix(v.word.sign(), mix(v.form.hash, mix(v.tag.hash, v.high.hash)))
	if n.token < len(w.at) {
		w.at[n.token] = len(w.out)
	}
	w.out = append(w.out, v)
}

// walk adds the modifiers of a phrase, on each side the closest to the head first, then those below its children.
func (w *walker) walk(n *node) {
	for _, step := range []int{-1, 1} {
		near := n.head
		for i := n.head + step; i >= 0 && i < len(n.children); i += step {
			from := n.head
			if w.siblings {
				from = near
			}
			w.add(n.children[i], w.at[n.children[from].token], w.edge(n, from, i))
			near = i
		}
	}
	for _, c := range n.children {
		if !c.leaf() {
			w.walk(c)
		}
	}
}

// Marks of templates.
var (
	ofValue, ofWord, ofTag, ofHigh, ofUp, ofDown = word("value"), word("word"), word("tag"), word("highest"), word("up"),
		word("down")
	ofHead, ofMod, ofBelow                    = word("head of"), word("modifier in"), word("=>")
	ofDependency, ofRule                      = word("edge"), word("edge in")
	left, right, beside, apart, joined, plain = word("left"), word("right"), word("adjacent"), word("apart"),
		word("coordinated"), word("plain")
)

// facts are the 20 templates of single words (figure 2), n being the highest node with the word as its head.
func (w *walker) facts(n *node, form, tag piece) facts {
	f := facts{ofValue}
	add := func(what, p piece) { f = append(f, w.join(" ", what, p)) }
	both := func(what, p piece) { // with and without the word
		add(what, p)
		f = append(f, w.join(" ", what, p, ofWord, form))
	}
	add(ofWord, form)
	both(ofTag, tag)
	both(ofHigh, n.label)
	both(ofTag, w.join(" ", tag, ofHigh, n.label))
	both(ofUp, n.up)
	both(ofDown, n.down)
	for c := n; !c.leaf(); c = c.children[c.head] {
		both(ofHead, c.rule)
		both(ofHead, w.join(" ", w.above(c), ofBelow, c.rule))
	}
	if p := n.parent; p != nil {
		rule := w.marked(p, n.place, -1)
		both(ofMod, rule)
		both(ofMod, w.join(" ", w.above(p), ofBelow, rule))
	}
	return f
}

// edge are the three templates of edges between the words of two children of a phrase, from one to the next outwards.
func (w *walker) edge(n *node, from, to int) facts {
	side, near, and := right, apart, plain
	if to < n.head {
		side = left
	}
	if to == n.head-1 || to == n.head+1 {
		near = beside
	}
	other := from
	if from == n.head && !w.siblings {
		other = -1
	}
	for i := min(from, to); i <= max(from, to); i++ {
		if n.children[i].leaf() && n.children[i].label.hash == coordinator.hash {
			and = joined
		}
	}
	rule := w.marked(n, to, other)
	return facts{
		w.join(" ", ofDependency, n.children[from].label, n.children[to].label, n.label, side, near, and),
		w.join(" ", ofRule, rule),
		w.join(" ", ofRule, w.above(n), ofBelow, rule),
	}
}

var coordinator = word("CC")
