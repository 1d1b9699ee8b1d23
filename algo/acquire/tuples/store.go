package tuples

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"parlance/algo/lexical/cooccurrence"
)

// store is what was counted. Vocabularies are sorted by their bytes, documents by id; rows by pattern, then nouns.
type store struct {
	nouns     []string // those of names with a mark, see name
	freq      []uint32 // occurrences of nouns in the text
	templates []string
	conns     []string
	forms     []clauseForm
	patterns  [tables][]string // of paths and surface patterns
	docs      []document
	first     []uint32 // number of each document's first sentence
	table     [tables]rows
}

// rows are the rows of a table in columns, with their evidence: refs[begin(i):end[i]].
type rows struct {
	pattern, noun1, noun2, count, end, refs []uint32
}

func (t *rows) len() int { return len(t.pattern) }

func (t *rows) begin(i int) uint32 {
	if i == 0 {
		return 0
	}
	return t.end[i-1]
}

func (t *rows) add(pattern, one, two uint32) {
	t.pattern, t.noun1, t.noun2 = append(t.pattern, pattern), append(t.noun1, one), append(t.noun2, two)
	t.count, t.end = append(t.count, 0), append(t.end, uint32(len(t.refs)))
}

// evidence is the sentences of a row.
func (t *rows) evidence(i int) []uint32 { return t.refs[t.begin(i):t.end[i]] }

func (t *rows) at(i int) row { return row{t.pattern[i], t.noun1[i], t.noun2[i], 0} }

func compareRows(a, b row) int {
	return cmp.Or(cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.noun1, b.noun1), cmp.Compare(a.noun2, b.noun2))
}

// of is the rows [from, to) of a pattern.
func (t *rows) of(pattern uint32) (from, to int) {
	from = sort.Search(t.len(), func(i int) bool { return t.pattern[i] >= pattern })
	to = from + sort.Search(t.len()-from, func(i int) bool { return t.pattern[from+i] > pattern })
	return from, to
}

func (s *store) ready() {
	s.first = s.first[:0]
	n := uint32(0)
	for _, d := range s.docs {
		s.first = append(s.first, n)
		n += uint32(d.sentences)
	}
}

func (s *store) sentences() (n int) {
	for _, d := range s.docs {
		n += d.sentences
	}
	return n
}

// place is the document and the number of a sentence.
func (s *store) placeOf(sentence uint32) (id string, sent int) {
	d := sort.Search(len(s.first), func(i int) bool { return s.first[i] > sentence }) - 1
	return s.docs[d].id, int(sentence-s.first[d]) + 1
}

func (s *store) bytes() int64 {
	n := int64(4*len(s.freq) + 12*len(s.forms))
	for _, l := range [][]string{s.nouns, s.templates, s.conns, s.patterns[ofPaths], s.patterns[ofSurface]} {
		for _, w := range l {
			n += int64(len(w)) + 16
		}
	}
	for _, d := range s.docs {
		n += int64(len(d.id)) + 28
	}
	for k := range s.table {
		t := &s.table[k]
		n += int64(4 * (len(t.pattern) + len(t.noun1) + len(t.noun2) + len(t.count) + len(t.end) + len(t.refs)))
	}
	return n
}

// dropPaths leaves out the pairs of paths that occur fewer times.
func (s *store) dropPaths(least uint64) {
	if least < 2 {
		return
	}
	t, old := &s.table[ofPaths], s.patterns[ofPaths]
	total := make([]uint64, len(old))
	for i, p := range t.pattern {
		total[p] += uint64(t.count[i])
	}
	var kept rows
	var names []string
	for p := range old {
		if total[p] < least {
			continue
		}
		from, to := t.of(uint32(p))
		for i := from; i < to; i++ {
			kept.add(uint32(len(names)), t.noun1[i], t.noun2[i])
			kept.copy(t, i)
		}
		names = append(names, old[p])
	}
	s.table[ofPaths], s.patterns[ofPaths] = kept, names
}

// copy gives the last row the count and the evidence of a row of another table.
func (t *rows) copy(from *rows, i int) {
	k := t.len() - 1
	t.count[k] = from.count[i]
	t.refs = append(t.refs, from.evidence(i)...)
	t.end[k] = uint32(len(t.refs))
}

// join is the counts of two stores added up.
func join(ctx context.Context, a, b *store, evidence int) (*store, error) {
	w := newWords()
	for _, x := range []*store{a, b} {
		for i, n := range x.nouns {
			w.noun(n, x.freq[i])
		}
		templates, conns := numberAll(w.templates, x.templates), numberAll(w.conns, x.conns)
		numberAll(w.paths, x.patterns[ofPaths])
		numberAll(w.surface, x.patterns[ofSurface])
		for _, f := range x.forms {
			w.form(clauseForm{templates[f.first], templates[f.second], conns[f.conn]})
		}
	}
	s := &store{}
	n := s.name(w, slices.Concat(a.docs, b.docs))
	one, two := a.numbersIn(w, n), b.numbersIn(w, n)
	for k := range s.table {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, y := a.table[k].renumbered(k, one, 0), b.table[k].renumbered(k, two, uint32(a.sentences()))
		s.table[k] = merged(x, y, evidence)
	}
	return s, nil
}

func numberAll(t *cooccurrence.Texts, list []string) []uint32 {
	out := make([]uint32, len(list))
	for i, s := range list {
		out[i] = t.Number(s)
	}
	return out
}

// numbersIn are the final numbers of what a store has, whose words are among those named.
func (s *store) numbersIn(w *words, n *numbers) *numbers {
	through := func(list []string, t *cooccurrence.Texts, final []uint32) []uint32 {
		out := numberAll(t, list)
		for i, k := range out {
			out[i] = final[k]
		}
		return out
	}
	out := &numbers{nouns: through(s.nouns, w.nouns, n.nouns), start: n.start, before: n.before}
	out.patterns[ofTuples] = through(s.templates, w.templates, n.patterns[ofTuples])
	out.patterns[ofPaths] = through(s.patterns[ofPaths], w.paths, n.patterns[ofPaths])
	out.patterns[ofSurface] = through(s.patterns[ofSurface], w.surface, n.patterns[ofSurface])
	templates, conns := numberAll(w.templates, s.templates), numberAll(w.conns, s.conns)
	for _, f := range s.forms {
		out.patterns[ofClauses] = append(out.patterns[ofClauses],
			n.patterns[ofClauses][w.formOf[clauseForm{templates[f.first], templates[f.second], conns[f.conn]}]])
	}
	return out
}

// renumbered is the rows with new numbers, whose order is the same for words, with sentences counted from a first one.
func (t *rows) renumbered(k int, n *numbers, first uint32) rows {
	var out rows
	for i := range t.len() {
		r := n.row(k, row{t.pattern[i], t.noun1[i], t.noun2[i], n.before[0]})
		out.add(r.pattern, r.noun1, r.noun2)
		out.copy(t, i)
	}
	for i, s := range out.refs {
		out.refs[i] = n.sentence(first + s)
	}
	return out
}

// merged adds the rows of two tables; the order of both is that of compareRows.
func merged(a, b rows, evidence int) rows {
	var out rows
	i, j := 0, 0
	for i < a.len() || j < b.len() {
		c := 0
		switch {
		case i == a.len():
			c = 1
		case j == b.len():
			c = -1
		default:
			c = compareRows(a.at(i), b.at(j))
		}
		from, k := &a, i
		if c > 0 {
			from, k = &b, j
		}
		out.add(from.pattern[k], from.noun1[k], from.noun2[k])
		out.copy(from, k)
		if c == 0 {
			last := out.len() - 1
			out.count[last] = addCounts(out.count[last], uint64(b.count[j]))
			refs := append(slices.Clone(out.evidence(last)), b.evidence(j)...)
			slices.Sort(refs)
			out.refs = append(out.refs[:out.begin(last)], refs[:min(len(refs), evidence)]...)
			out.end[last] = uint32(len(out.refs))
		}
		if c <= 0 {
			i++
		}
		if c >= 0 {
			j++
		}
	}
	return out
}
