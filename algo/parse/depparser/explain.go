package depparser

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
)

// Explain compares the tree with the best one in which the token has another head. The margin is the
// difference of their scores; contributions are the weights of the features of the parts in which
// they differ, those of the other tree with their sign turned.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	k, err := m.known(run.Resources)
	if err != nil {
		return out, err
	}
	a := m.pool.get(m)
	defer m.pool.put(a)
	a.known = k
	parse, _ := m.opt.bilingual.unit(docs)
	for _, in := range parse {
		d := in.doc
		known, err := k.of(ctx, in)
		if err != nil {
			return out, err
		}
		toks := d.Layer(text.Tokens.Name)
		for s := range at.Sentences(d) {
			from, to := s.From, s.To
			if to-from > m.opt.maxLength {
				continue
			}
			e := &explainer{a: a, m: m, words: m.words(toks, from, to)}
			a.sent.load(toks, m.columns(), from, to)
			k.load(&a.sent, toks, known, from, to)
			if err := a.parse(ctx, m, 1); err != nil {
				return out, err
			}
			if a.w.wide {
				continue
			}
			e.heads, e.score = slices.Clone(a.found[0].heads), slices.Clone(a.w.score)
			if a.marginals(); ctx.Err() != nil {
				return out, ctx.Err()
			}
			for t := 1; t <= to-from; t++ {
				if err := ctx.Err(); err != nil {
					return out, err
				}
				if at.Token(t) {
					x := e.decision(t)
					x.Doc, x.Sent = d.ID, s.Number
					out.Decisions = append(out.Decisions, x)
				}
			}
		}
	}
	return out, nil
}

// explainer explains the heads of one sentence.
type explainer struct {
	a     *annotator
	m     *model
	words [atoms][]string // by token; the root is 0
	heads []int32
	score []float64
}

// words are the atoms of the tokens as text.
func (m *model) words(toks *text.Layer, from, to int) (out [atoms][]string) {
	for i := range out {
		out[i] = append(out[i], "root")
	}
	forms, fines, coarses := toks.Strs("form"), toks.Strs(m.opt.tag), toks.Strs(m.opt.coarse)
	for i := from; i < to; i++ {
		f := at(forms, i)
		for a, s := range [...]string{form: f, fine: at(fines, i), coarse: at(coarses, i), prefix: beginning(f),
			suffix: ending(f), frequent: f} {
			out[a] = append(out[a], s)
		}
	}
	return out
}

// decision explains the head of a token.
func (e *explainer) decision(t int) kind.Decision {
	w := e.a.w
	p, h := &w.parts, int(e.heads[t])
	x := kind.Decision{Tok: t, Form: e.words[form][t], Place: "head", Outcome: e.name(h)}
	if arc := p.Find(h, t); arc >= 0 {
		x.Prob = w.mu[arc]
		copy(w.score, e.score)
		w.score[arc] = math.Inf(-1)
		w.heads = buffer.Resize(w.heads, p.N+1)
		if s, ok := w.decoder.Best(p, w.score, w.heads); ok && !math.IsInf(s, -1) && int(w.heads[t]) != h {
			x.RunnerUp = e.name(int(w.heads[t]))
			e.compare(&x)
		}
		copy(w.score, e.score)
	}
	return x
}

// name is a head as text.
func (e *explainer) name(h int) string { return fmt.Sprintf("%d %s", h, e.words[form][h]) }

// compare adds the features in which the trees differ.
func (e *explainer) compare(x *kind.Decision) {
	w := e.a.w
	sums := map[string]float64{}
	f := w.p.factorization
	for i, heads := range [][]int32{e.heads, w.heads} {
		sign := float64(1 - 2*i)
		for _, part := range f.Parts(heads, nil) {
			names := e.names(part)
			k, tab := 0, w.p.scorer.of(part.Type)
			w.v.each(part, func(place uint32) {
				sums[names[k]] += sign * tab.at(place)
				k++
			})
		}
		e.relations(heads, sign, sums)
		e.history(heads, sign, sums)
	}
	x.Gather(sums, 1e-9)
}

// relations adds the features of the relations of a tree, where they are scored with the heads.
func (e *explainer) relations(heads []int32, sign float64, sums map[string]float64) {
	j := e.a.w.joint
	if j == nil {
		return
	}
	for m := 1; m <= e.a.sent.n; m++ {
		h := heads[m]
		_, label := j.pool(j.arc(&e.a.sent, h, int32(m)))
		part := tree.Part{Type: tree.Dep, G: tree.None, H: h, M: int32(m), S: tree.None, T: tree.None}
		k, list := 0, j.l.group.templates
		j.each(labelled{h: h, m: int32(m), label: label}, func(place uint32) {
			name := fmt.Sprintf("relation %s %s %s", j.l.labels[label], shapeName(part), e.value(list[k%len(list)], part))
			if k >= len(list) {
				name += " " + spanName(int(h), m)
			}
			sums[name] += sign * j.table.at(place)
			k++
		})
	}
}

var typeNames = map[tree.Type]string{tree.Dep: "arc", tree.Sib: "sibling", tree.Grand: "grandparent", tree.Leaf: "leaf",
	tree.GrandSib: "grand-sibling", tree.TriSib: "tri-sibling", tree.End: "end"}

// names are those of the features of a part in the order of view.each.
func (e *explainer) names(x tree.Part) []string {
	s := e.a.w.p.scorer
	if x.Type != tree.Dep {
		place := typeNames[x.Type] + " " + shapeName(x) + " "
		if x.Type == tree.Leaf || x.Type == tree.End {
			x.S = tree.None
		}
		var out []string
		for _, t := range s.parts[bit(x.Type)].templates {
			out = append(out, place+e.value(t, x))
		}
		return e.moreNames(out, x)
	}
	span := spanName(int(x.H), int(x.M))
	var out []string
	add := func(name string) { out = append(out, "arc "+name, "arc "+name+" "+span) }
	for _, g := range []*group{s.heads, s.mods, s.arcs} {
		for _, t := range g.templates {
			add(e.value(t, x))
		}
	}
	if s.set.between > nothing {
		add(e.between(coarse, "c", x))
		add(e.between(fine, "t", x))
		if s.set.between == singly {
			out = append(out, e.eachBetween(x)...)
		}
	}
	if s.more.guide {
		out = append(out, e.guided(int(x.H), int(x.M))...)
	}
	if s.more.subtrees && x.H > 0 {
		for i, p := range [nearPairs][2]int{{int(x.H), int(x.M)}, {int(x.H), int(x.M) - 1}, {int(x.H), int(x.M) + 1},
			{int(x.H) - 1, int(x.M)}, {int(x.H) + 1, int(x.M)}} {
			if a, b := p[0], p[1]; a != b && min(a, b) >= 1 && max(a, b) <= e.a.sent.n {
				out = e.set(out, pairNames[i], e.a.sent.pairSet(a, b), int(x.H))
			}
		}
	}
	if s.more.translation {
		out = factNames(out, e.a.sent.crossed.arcFacts(nil, int(x.H), int(x.M)))
	}
	return out
}

// moreNames appends those of what pairs of arcs have beyond templates.
func (e *explainer) moreNames(out []string, x tree.Part) []string {
	more, c := e.a.w.p.scorer.more, e.a.sent.crossed
	switch {
	case x.Type == tree.Sib && x.S != tree.None && more.siblings:
		if more.subtrees {
			out = e.triple(out, int(x.H), int(x.M), int(x.S))
		}
		if more.translation {
			out = factNames(out, c.siblingFacts(nil, int(x.H), int(x.M), int(x.S)))
		}
	case x.Type == tree.Grand && more.grands:
		out = factNames(out, c.grandFacts(nil, int(x.G), int(x.H), int(x.M)))
	}
	return out
}

func factNames(dst []string, facts []fact) []string {
	for _, f := range facts {
		dst = append(dst, f.name())
	}
	return dst
}

var pairNames = [nearPairs]string{"H-D", "H-D-1", "H-D+1", "H-1-D", "H+1-D"}

// set appends the names of the features of a set of subtrees, as setKeys orders them.
func (e *explainer) set(names []string, pair string, set lexical.Set, h int) []string {
	name := "subtree " + pair + "=" + set.String()
	names = append(names, name, name+" ht="+e.words[fine][h])
	if s := &e.a.sent; s.often == nil || s.often[h] {
		names = append(names, name+" hw="+e.words[form][h])
	}
	return names
}

// triple are the names of the features of siblings beyond templates.
func (e *explainer) triple(names []string, h, m, sib int) []string {
	s := &e.a.sent
	if h == 0 {
		return names
	}
	a, b := s.words[min(m, sib)], s.words[max(m, sib)]
	names = e.set(names, "H-D1-D2", s.subtrees.Lookup3(s.words[h], a, b, m > h), h)
	return e.set(names, "NULL-D1-D2", s.subtrees.Siblings(a, b, m > h), h)
}

// eachBetween are the names of the features of single tags between, outwards from the head.
func (e *explainer) eachBetween(x tree.Part) (out []string) {
	seen := map[string]bool{}
	step := int32(2*direction(x.H, x.M) - 1)
	for i := x.H + step; i != x.M; i += step {
		if tag := e.words[fine][i]; !seen[tag] && len(out) < maxBetween {
			seen[tag] = true
			out = append(out, fmt.Sprintf("arc ht bt mt=%s|%s|%s %s", e.words[fine][x.H], tag, e.words[fine][x.M], shapeName(x)))
		}
	}
	return out
}

// guided are the names of the features of the guide, as guideKeys orders them.
func (e *explainer) guided(h, m int) (out []string) {
	with := func(name string) {
		head, mod := e.words[fine][h], e.words[fine][m]
		out = append(out, "guide "+name, "guide "+name+" ht="+head, "guide "+name+" mt="+mod,
			"guide "+name+" ht mt="+head+"|"+mod)
	}
	s := &e.a.sent
	if int(s.guess[m]) == h {
		with("arc and relation=of " + e.words[form][m])
		with("arc=yes")
	} else {
		with("arc=no")
	}
	with("relation=of " + e.words[form][m])
	return out
}

// shapeName tells the directions of the arcs of a part.
func shapeName(x tree.Part) string {
	d := [...]string{"left", "right"}
	switch x.Type {
	case tree.Grand, tree.GrandSib:
		if x.G != tree.None {
			return d[direction(x.G, x.H)] + "-" + d[direction(x.H, x.M)]
		}
	case tree.Leaf:
		return d[direction(x.H, x.M)] + [...]string{" inside", " outside"}[x.S]
	case tree.End:
		return d[x.S]
	}
	return d[direction(x.H, x.M)]
}

// spanName is direction and distance of an arc.
func spanName(h, m int) string {
	d, way := m-h, "right"
	if d < 0 {
		d, way = -d, "left"
	}
	switch {
	case d <= 5:
		return fmt.Sprintf("%s %d", way, d)
	case d <= 10:
		return way + " 6-10"
	}
	return way + " 11+"
}

// value is a template with the values of its atoms.
func (e *explainer) value(t template, x tree.Part) string {
	var values []string
	for r, token := range [...]int32{x.G, x.H, x.M, x.S, x.T} {
		for _, p := range t.pieces[r] {
			values = append(values, e.word(p, token))
		}
	}
	return t.name + "=" + strings.Join(values, "|")
}

func (e *explainer) word(p piece, token int32) string {
	list := e.words[min(p.atom, frequent)]
	if p.atom >= cluster {
		list = e.words[form]
	}
	switch i := int(token) + p.offset; {
	case token == tree.None:
		return "none"
	case i < 0:
		return "before"
	case i >= len(list):
		return "after"
	case p.atom >= cluster && i > 0:
		return e.path(p.atom, list[i])
	default:
		return list[i]
	}
}

// path is the path of a form's cluster, or its prefix.
func (e *explainer) path(a atom, form string) string {
	k := e.a.known
	bits := k.clusters.Lookup(form, bitsColumn)
	if a > cluster {
		bits = bits[:min(k.prefixes[a-cluster-1], len(bits))]
	}
	if bits == "" {
		return "NONE"
	}
	return bits
}

// between is the set of tags between head and modifier.
func (e *explainer) between(a atom, letter string, x tree.Part) string {
	var set []string
	for i := min(x.H, x.M) + 1; i < max(x.H, x.M); i++ {
		set = append(set, e.words[a][i])
	}
	slices.Sort(set)
	return fmt.Sprintf("h%s m%s between=%s|%s|%s", letter, letter, e.words[a][x.H], e.words[a][x.M],
		strings.Join(slices.Compact(set), "+"))
}
