package definition

import (
	"context"
	"slices"
	"strings"
)

// node is a token of a subtree.
type node struct {
	at      int32
	matched bool // is of the subsequence; else its relation stands for it
}

// nodes are the least subtree over the tokens of a chain, by place; the first result is its top. ^ is no token of the
// tree. Without a token there is none.
func (m *marked) nodes(c chain) (top int32, out []node) {
	for _, s := range c.parts[:c.n] {
		for at := max(s.from, 1); at < s.to; at++ {
			out = append(out, node{at, true})
		}
	}
	if len(out) == 0 {
		return 0, nil
	}
	in := func(at int32) bool { return slices.ContainsFunc(out, func(x node) bool { return x.at == at }) }
	for i, own := 0, len(out); i < own; i++ {
		for at := m.heads[out[i].at]; at >= 0 && !in(at); at = m.heads[at] {
			out = append(out, node{at, false})
		}
	}
	// From the root down to where the tree divides or a token was matched.
	top = int32(m.root)
	for {
		var below []int32
		for _, x := range out {
			if x.at == top && x.matched {
				below = nil
				break
			}
			if m.heads[x.at] == top {
				below = append(below, x.at)
			}
		}
		if len(below) != 1 {
			break
		}
		out = slices.DeleteFunc(out, func(x node) bool { return x.at == top })
		top = below[0]
	}
	slices.SortFunc(out, func(a, b node) int { return int(a.at - b.at) })
	return top, out
}

// subtree is the hash of the least subtree of a chain in a representation.
func (m *marked) subtree(c chain, rep uint8) uint64 {
	top, list := m.nodes(c)
	return mix(seed(subtreeSeed, int(rep)), m.hashed(top, list, int(rep)))
}

// hashed is the hash of a node with what is below it: those before it, itself, those behind it.
func (m *marked) hashed(at int32, list []node, rep int) uint64 {
	h := hash("(")
	for _, x := range list {
		switch {
		case x.at == at && x.matched:
			h = mix(h, m.symbols[rep][at])
		case x.at == at:
			h = mix(mix(h, hash("=")), m.relations[at])
		case m.heads[x.at] == at:
			h = mix(h, m.hashed(x.at, list, rep))
		}
	}
	return h
}

// spellTree is a subtree as text: tokens in order, those below another in brackets, relations between angles.
func (m *marked) spellTree(at int32, list []node, rep int, n names) string {
	var parts []string
	for _, x := range list {
		switch {
		case x.at == at && x.matched:
			parts = append(parts, n.text(m.symbols[rep][at]))
		case x.at == at:
			parts = append(parts, "<"+n.text(m.relations[at])+">")
		case m.heads[x.at] == at:
			parts = append(parts, "("+m.spellTree(x.at, list, rep, n)+")")
		}
	}
	return strings.Join(parts, " ")
}

// mineSubtrees finds the subtrees of the subsequences that f knows.
func mineSubtrees(ctx context.Context, f *finder, data []labelled, workers int, n names) ([]pattern, error) {
	all := func(d labelled, yield func(h uint64, c chain)) {
		f.find(d.marked)
		if d.root < 0 {
			return
		}
		f.chains(d.marked, func(c chain) {
			if k, ok := f.index[c.hash]; ok {
				yield(d.subtree(c, f.kept[k].rep), c)
			}
		})
	}
	counts, err := frequent(ctx, data, f.opt.leastTrees, workers, func(d labelled, yield func(uint64)) {
		all(d, func(h uint64, _ chain) { yield(h) })
	})
	if err != nil {
		return nil, err
	}
	var out []pattern
	for _, d := range data {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all(d, func(h uint64, c chain) {
			t := counts[h]
			if t == nil {
				return
			}
			delete(counts, h)
			rep := f.rep(&c)
			top, list := d.nodes(c)
			out = append(out, pattern{hash: h, kind: ofSubtrees, rep: uint8(rep), pos: t.pos, neg: t.neg,
				text: d.spellTree(top, list, rep, n)})
		})
	}
	return out, nil
}
