package hypernym

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
)

// edge goes from a node up to another one.
type edge struct {
	Low  uint32 `state:"low,below=Nodes"`
	High uint32 `state:"high,below=Nodes"`
}

// naming is a word of a node.
type naming struct {
	Node uint32 `state:"node,below=Nodes"`
	Word uint32 `state:"word,below=Words"`
}

// readEdges reads the hierarchy. An edge that would close a cycle with those before it is left out. Looking for cycles
// takes, for each edge, the time of going up from its hypernym.
func (m *model) readEdges(ctx context.Context, t *kind.Training) error {
	table, ok := t.Roles["taxonomy"].Table(edgeTable.Name)
	if !ok {
		return fmt.Errorf("%w: the taxonomy has no table %s of hyponym and hypernym", kind.ErrNoData, edgeTable.Name)
	}
	b := &builder{up: map[string][]string{}, words: map[string][]string{}}
	n := 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return err
		}
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if row[0].IsNull() || row[1].IsNull() || row[0].S == "" || row[1].S == "" {
			return fmt.Errorf("row %d of the taxonomy: hyponym and hypernym may be neither NULL nor empty", n)
		}
		low, high := strings.Clone(row[0].S), strings.Clone(row[1].S)
		if len(row) > 2 && !row[2].IsNull() {
			if w := strings.Clone(row[2].S); !slices.Contains(b.words[high], w) {
				b.words[high] = append(b.words[high], w)
			}
		}
		b.add(low, high)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(b.edges) == 0 {
		return fmt.Errorf("%w: the taxonomy has no edges", kind.ErrNoData)
	}
	if b.cycles > 0 {
		t.Notice(fmt.Sprintf("%d edges close a cycle and are left out, the first from '%s' up to '%s'", b.cycles,
			b.first[0], b.first[1]))
	}
	if m.opt.compounds {
		m.deepen(b)
	}
	m.number(b)
	return nil
}

// builder gathers edges.
type builder struct {
	edges  [][2]string
	up     map[string][]string
	words  map[string][]string // of nodes that are senses
	cycles int
	first  [2]string // edge that closes a cycle
}

// add adds an edge unless it is there, or leads to itself, or closes a cycle.
func (b *builder) add(low, high string) {
	if low == high || slices.Contains(b.up[low], high) {
		return
	}
	seen, list := map[string]bool{high: true}, []string{high}
	for len(list) > 0 {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		if at == low {
			if b.cycles++; b.cycles == 1 {
				b.first = [2]string{low, high}
			}
			return
		}
		for _, u := range b.up[at] {
			if !seen[u] {
				seen[u] = true
				list = append(list, u)
			}
		}
	}
	b.up[low] = append(b.up[low], high)
	b.edges = append(b.edges, [2]string{low, high})
}

// deepen adds what compounds end in above them: German car maker, car maker, maker. What they end in is a node or a
// word of the counts.
func (m *model) deepen(b *builder) {
	valid := map[string]bool{}
	for _, w := range m.Words {
		valid[w] = true
	}
	var compounds []string
	for _, e := range b.edges {
		valid[e[0]], valid[e[1]] = true, true
		compounds = append(compounds, e[1])
	}
	slices.Sort(compounds)
	for _, c := range slices.Compact(compounds) {
		low := c
		for _, suffix := range suffixes(c) {
			if valid[suffix] {
				b.add(low, suffix)
				low = suffix
			}
		}
	}
}

// suffixes are the proper ends of a phrase, the longest first.
func suffixes(phrase string) (out []string) {
	for {
		_, rest, ok := strings.Cut(phrase, " ")
		if !ok {
			return out
		}
		phrase = strings.TrimLeft(rest, " ")
		if phrase != "" {
			out = append(out, phrase)
		}
	}
}

// number makes what is stored of the edges.
func (m *model) number(b *builder) {
	m.Nodes = nil
	for _, e := range b.edges {
		m.Nodes = append(m.Nodes, e[0], e[1])
	}
	slices.Sort(m.Nodes)
	m.Nodes = slices.Clone(slices.Compact(m.Nodes))
	of := map[string]uint32{}
	for i, n := range m.Nodes {
		of[n] = uint32(i)
	}
	word := map[string]uint32{}
	for i, w := range m.Words {
		word[w] = uint32(i)
	}
	m.Edges, m.Naming = nil, nil
	for _, e := range b.edges {
		m.Edges = append(m.Edges, edge{of[e[0]], of[e[1]]})
	}
	slices.SortFunc(m.Edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(a.High, b.High))
	})
	for i, n := range m.Nodes {
		for _, w := range b.words[n] {
			if k, ok := word[w]; ok {
				m.Naming = append(m.Naming, naming{uint32(i), k})
			}
		}
		if k, ok := word[n]; ok && len(b.words[n]) == 0 {
			m.Naming = append(m.Naming, naming{uint32(i), k})
		}
	}
}

// above is a node above another one, with the steps of the shortest path.
type above struct {
	node  uint32
	steps int
}

// tree is what follows from the hierarchy and the words.
type tree struct {
	word        map[string]uint32
	named       map[uint32]bool // words of senses
	parents     lists
	children    lists
	wordsOf     lists    // of each node its words in the counts
	hyponyms    []uint32 // nodes that are words with a profile and have a parent
	hyponymWord []uint32 // their words
	common      []bool   // of nodes: has such a word and a child, and may be an answer
	up          [][]above
	descendants []int // of each node
	excluded    map[string]bool
	byWord      *index // of hyponyms
	other       *index // of the hypernyms, or of averages of their children
	otherNode   []uint32
}

// lists are lists of numbers.
type lists struct {
	start []int
	list  []uint32
}

func (l lists) of(i uint32) []uint32 { return l.list[l.start[i]:l.start[i+1]] }

// newLists makes lists of pairs (owner, number), in their order.
func newLists(n int, pairs int, pair func(int) (uint32, uint32)) lists {
	l := lists{start: make([]int, n+1), list: make([]uint32, pairs)}
	for k := range pairs {
		i, _ := pair(k)
		l.start[i+1]++
	}
	for i := range n {
		l.start[i+1] += l.start[i]
	}
	next := slices.Clone(l.start[:n])
	for k := range pairs {
		i, v := pair(k)
		l.list[next[i]] = v
		next[i]++
	}
	return l
}

// ready computes the tree.
func (m *model) ready(ctx context.Context) error {
	n := len(m.Nodes)
	t := &tree{word: map[string]uint32{}, named: map[uint32]bool{}, excluded: map[string]bool{},
		common: make([]bool, n), descendants: make([]int, n)}
	for i, w := range m.Words {
		t.word[w] = uint32(i)
	}
	for _, w := range m.opt.exclude {
		t.excluded[w] = true
	}
	for _, n := range m.Naming {
		t.named[n.Word] = true
	}
	t.parents = newLists(n, len(m.Edges), func(k int) (uint32, uint32) { return m.Edges[k].Low, m.Edges[k].High })
	t.children = newLists(n, len(m.Edges), func(k int) (uint32, uint32) { return m.Edges[k].High, m.Edges[k].Low })
	t.wordsOf = newLists(n, len(m.Naming), func(k int) (uint32, uint32) { return m.Naming[k].Node, m.Naming[k].Word })
	m.tree = t
	for i := range m.Nodes {
		node := uint32(i)
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t.common[i] = len(t.children.of(node)) > 0 && len(t.wordsOf.of(node)) > 0 && !m.isExcluded(node)
		for _, a := range t.ancestors(node, m.opt.maxDepth) {
			t.descendants[a.node]++
		}
		if w, ok := t.word[m.Nodes[i]]; ok && len(t.parents.of(node)) > 0 && len(m.Profiles[w].IDs) > 0 {
			t.hyponyms, t.hyponymWord = append(t.hyponyms, node), append(t.hyponymWord, w)
		}
	}
	m.compare()
	return ctx.Err()
}

func (m *model) isExcluded(node uint32) bool {
	return m.excluded[m.Nodes[node]] ||
		slices.ContainsFunc(m.wordsOf.of(node), func(w uint32) bool { return m.excluded[m.Words[w]] })
}

// compare indexes what words are compared with.
func (m *model) compare() {
	var of []profile
	for k, node := range m.hyponyms {
		of = append(of, m.Profiles[m.hyponymWord[k]])
		var up []above
		for _, a := range m.ancestors(node, m.opt.maxDepth) {
			if m.common[a.node] {
				up = append(up, a)
			}
		}
		m.up = append(m.up, up)
	}
	m.byWord = newIndex(of, m.Columns)
	var list []profile
	switch m.opt.method {
	case byHypernym:
		for node := range m.Nodes {
			if m.common[node] {
				for _, w := range m.wordsOf.of(uint32(node)) {
					list, m.otherNode = append(list, m.Profiles[w]), append(m.otherNode, uint32(node))
				}
			}
		}
	case byChildren:
		list = m.averages()
	}
	m.other = newIndex(list, m.Columns)
}

// averages are P_child(·|H) of the hypernyms with enough children.
func (m *model) averages() (out []profile) {
	for node := range m.Nodes {
		if !m.common[node] {
			continue
		}
		var list []profile
		var weights []float64
		for _, w := range m.childWords(uint32(node)) {
			list, weights = append(list, m.Profiles[w]), append(weights, m.Weight[w])
		}
		if len(list) > m.opt.minChildren {
			out, m.otherNode = append(out, average(list, weights)), append(m.otherNode, uint32(node))
		}
	}
	return out
}

// childWords are the words of the counts among the children of a node.
func (m *model) childWords(node uint32) (out []uint32) {
	for _, c := range m.children.of(node) {
		if k, ok := slices.BinarySearch(m.hyponyms, c); ok {
			out = append(out, m.hyponymWord[k])
		}
	}
	return out
}

// ancestors are all nodes above a node within n steps, nearer ones first; common ancestors once, by the shortest
// path.
func (t *tree) ancestors(node uint32, depth int) (out []above) {
	seen := map[uint32]bool{node: true}
	last := []uint32{node}
	for r := 1; r <= depth && len(last) > 0; r++ {
		var next []uint32
		for _, at := range last {
			for _, u := range t.parents.of(at) {
				if !seen[u] {
					seen[u] = true
					next = append(next, u)
				}
			}
		}
		slices.Sort(next)
		for _, u := range next {
			out = append(out, above{u, r})
		}
		last = next
	}
	return out
}

// find is the number of a node.
func (m *model) find(name string) (uint32, bool) {
	i, ok := slices.BinarySearch(m.Nodes, name)
	return uint32(i), ok
}

// known tells whether the hierarchy has a word.
func (m *model) known(word string) bool {
	if _, ok := m.find(word); ok {
		return true
	}
	w, ok := m.word[word]
	return ok && m.named[w]
}

func (m *model) commonCount() (n int) {
	for _, c := range m.common {
		if c {
			n++
		}
	}
	return n
}
