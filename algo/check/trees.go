package check

import (
	"fmt"

	"parlance/algo/numeric/buffer"
)

// trees looks at dependency trees.
type trees struct {
	c         *Checker
	crossing  counted
	bare      counted // arcs without a relation
	labelled  int     // arcs with one
	arcs      int     // that cross
	sentences int
	head      []int32 // of token i+1 of the sentence at hand, -1 if it has none
	low, high []int32 // of the tree below a node, in the order of a walk
	next      []int32
	below     []int32
}

func newTrees(c *Checker, _ int) detector { return &trees{c: c} }

func (t *trees) finish() bool {
	if t.labelled > 0 {
		t.bare.report(t.c, "tree-label", 1, fmt.Sprintf("%d of %d arcs have no relation", t.bare.n, t.bare.n+t.labelled))
	}
	t.crossing.report(t.c, "tree-crossing", 0, fmt.Sprintf("%d of %d trees have arcs that cross others, %d arcs",
		t.crossing.n, t.sentences, t.arcs))
	return false
}

func (t *trees) add(d *view) {
	l := d.Layer("dependencies")
	if l == nil || d.bounds == nil || !t.c.reads("dependencies") {
		return
	}
	sent, tok, head, rel := ints(l, "sent"), ints(l, "tok"), ints(l, "head"), strs(l, "deprel")
	if sent == nil || tok == nil || head == nil {
		return
	}
	for i := 0; i < l.N; {
		k := i
		for k < l.N && sent[k] == sent[i] {
			k++
		}
		var rels []string
		if rel != nil {
			rels = rel[i:k]
		}
		if t.read(d, sent[i], tok[i:k], head[i:k], rels) {
			t.tree(d, sent[i])
		}
		i = k
	}
}

func treePlace(sent int32, tok int) string {
	if tok == 0 {
		return "dependencies " + sentPlace(sent)
	}
	return fmt.Sprintf("dependencies sent %d, tok %d", sent, tok)
}

// read gathers the heads of a sentence and reports whether they can be a tree.
func (t *trees) read(d *view, s int32, tok, head []int32, rel []string) bool {
	from, to, ok := d.sentence(s)
	if !ok {
		t.c.report("tree-head", d, treePlace(s, 0), "there is no sentence %d; the document has %d", s, len(d.bounds)-1)
		return false
	}
	n := int32(to - from)
	t.head = t.head[:0]
	for range n {
		t.head = append(t.head, -1)
	}
	for i, k := range tok {
		h := head[i]
		switch {
		case k < 1 || k > n:
			t.c.report("tree-head", d, treePlace(s, int(k)), "there is no token %d; the sentence has %d", k, n)
			ok = false
		case h < 0 || h > n:
			t.c.report("tree-head", d, treePlace(s, int(k)),
				"head %d is no token of the sentence; it has %d, 0 is the root", h, n)
			ok = false
		case h == k:
			t.c.report("tree-head", d, treePlace(s, int(k)), "the token is its own head; 0 is the root")
			ok = false
		case t.head[k-1] >= 0:
			t.c.report("tree-head", d, treePlace(s, int(k)), "the token has two heads, %d and %d", t.head[k-1], h)
			ok = false
		default:
			t.head[k-1] = h
			t.relation(d, s, k, h, rel != nil && rel[i] != "")
		}
	}
	return ok
}

// relation counts an arc by whether it has a relation.
func (t *trees) relation(d *view, s, tok, head int32, has bool) {
	if has {
		t.labelled++
		return
	}
	t.bare.add(t.c, d, func() string { return treePlace(s, int(tok)) }, func() string {
		return fmt.Sprintf("the arc from %d to %d", head, tok)
	})
}

// tree checks that the heads are a tree under one root.
func (t *trees) tree(d *view, s int32) {
	roots, without, second, lack := 0, 0, 0, 0
	for i, h := range t.head {
		switch {
		case h < 0:
			if without++; lack == 0 {
				lack = i + 1
			}
		case h == 0:
			if roots++; roots == 2 {
				second = i + 1
			}
		}
	}
	if without > 0 {
		t.c.report("tree-incomplete", d, treePlace(s, lack), "%d of %d tokens have no head", without, len(t.head))
		if without == len(t.head) {
			return
		}
	}
	if roots == 0 && without == 0 {
		t.c.report("tree-no-root", d, treePlace(s, 0), "no token has head 0")
	}
	if roots > 1 {
		t.c.report("tree-roots", d, treePlace(s, second), "%d tokens have head 0; one is usual", roots)
	}
	if k := t.cycle(); k > 0 {
		t.c.report("tree-cycle", d, treePlace(s, k),
			"the heads above token %d lead back to it; one of them must lead to the root", k)
		return
	}
	if without > 0 {
		return
	}
	t.sentences++
	if n, at := t.cross(); n > 0 {
		t.arcs += n
		t.crossing.add(t.c, d, func() string { return treePlace(s, at) }, func() string {
			return fmt.Sprintf("the arc from %d to %d", t.head[at-1], at)
		})
	}
}

// cycle returns a token on a cycle, the first by number of the first cycle met, or 0.
func (t *trees) cycle() int {
	seen := make([]int32, len(t.head)+1) // by which walk
	for i := range t.head {
		mark := int32(i + 1)
		k := i + 1
		for k > 0 && seen[k] == 0 {
			seen[k] = mark
			k = int(t.head[k-1])
		}
		if k > 0 && seen[k] == mark {
			least := k
			for j := int(t.head[k-1]); j != k; j = int(t.head[j-1]) {
				least = min(least, j)
			}
			return least
		}
	}
	return 0
}

// cross counts the arcs h → k with a token between h and k that is not below h, and returns
// the dependent of the first. Node k is below h if low[h] ≤ low[k] < high[h] in a walk from
// the root.
func (t *trees) cross() (n, first int) {
	t.walk()
	for i, h := range t.head {
		k := int32(i + 1)
		for j := min(h, k) + 1; j < max(h, k); j++ {
			if t.low[j] < t.low[h] || t.low[j] >= t.high[h] {
				if n++; n == 1 {
					first = i + 1
				}
				break
			}
		}
	}
	return n, first
}

// walk numbers the nodes of the tree from the root, which is node 0.
func (t *trees) walk() {
	n := len(t.head) + 1
	t.low, t.high = buffer.Zeros(t.low, n), buffer.Zeros(t.high, n)
	t.next, t.below = buffer.Zeros(t.next, n), buffer.Zeros(t.below, n)
	for k := n - 1; k > 0; k-- { // below[h] is its first child, next[k] the sibling after k
		h := t.head[k-1]
		t.next[k], t.below[h] = t.below[h], int32(k)
	}
	number := int32(1)
	for k := int32(0); ; {
		if c := t.below[k]; c > 0 {
			t.below[k] = t.next[c]
			t.low[c], k = number, c
			number++
			continue
		}
		t.high[k] = number
		if k == 0 {
			return
		}
		k = t.head[k-1]
	}
}
