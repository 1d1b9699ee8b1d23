package check

import (
	"fmt"

	"parlance/algo/text"
)

// phrases looks at constituent trees.
type phrases struct{ c *Checker }

func newPhrases(c *Checker, _ int) detector { return &phrases{c} }

func (p *phrases) finish() bool { return false }

// phrase is a node that is known by its number.
type phrase struct{ first, last int32 }

func (p *phrases) add(d *view) {
	l := d.Layer("constituents")
	if l == nil || !p.c.reads("constituents") {
		return
	}
	sent, node, parent := ints(l, "sent"), ints(l, "node"), ints(l, "parent")
	first, last, labels := ints(l, "tok_start"), ints(l, "tok_end"), strs(l, "label")
	if sent == nil || node == nil || parent == nil {
		return
	}
	known := map[int32]phrase{}
	for i := range l.N {
		if i > 0 && sent[i] != sent[i-1] {
			clear(known)
		}
		place := func() string { return fmt.Sprintf("constituents sent %d, node %d", sent[i], node[i]) }
		above, ok := known[parent[i]]
		if !ok && parent[i] != 0 {
			p.c.report("phrase-parent", d, place(), "the parent %d of %s is no phrase before it; 0 is the root", parent[i],
				excerpt(label(labels, i)))
		}
		if _, twice := known[node[i]]; twice {
			p.c.report("phrase-parent", d, place(), "the number %d stands twice in its sentence", node[i])
		}
		if first == nil || last == nil {
			known[node[i]] = phrase{}
			continue
		}
		known[node[i]] = phrase{first[i], last[i]}
		full := first[i] > 0 && first[i] <= last[i]
		if ok && full && above.first > 0 && (first[i] < above.first || last[i] > above.last) {
			p.c.report("phrase-crossing", d, place(), "%s covers tokens %d-%d, its parent only %d-%d", excerpt(label(labels, i)),
				first[i], last[i], above.first, above.last)
		}
	}
}

// mentions counts clusters with one mention.
type mentions struct {
	c        *Checker
	single   counted
	clusters int
}

func newMentions(c *Checker, _ int) detector { return &mentions{c: c} }

func (m *mentions) finish() bool {
	m.single.report(m.c, "mention-single", 0, text.Countf("%d of %d {cluster has|clusters have} one mention", m.single.n,
		m.clusters))
	return false
}

func (m *mentions) add(d *view) {
	l := d.Layer("mentions")
	if l == nil || !m.c.reads("mentions") {
		return
	}
	cluster := strs(l, "cluster")
	if cluster == nil {
		return
	}
	size := map[string]int{}
	for _, c := range cluster {
		if c != "" {
			size[c]++
		}
	}
	m.clusters += len(size)
	x := newSpanRows(d, l)
	for i, c := range cluster {
		if size[c] != 1 {
			continue
		}
		m.single.add(m.c, d, func() string {
			if x == nil {
				return ""
			}
			return x.place(i)
		}, func() string { return "cluster " + excerpt(c) })
	}
}
