package nonlocal

// counter computes the features of labellings of one text after the other. It belongs to one
// goroutine; the texts keep the phrases that it meets.
type counter struct {
	scheme  *scheme
	groups  []group
	at      [][]int // by group: first pair of each feature
	width   int     // of all features
	text    *wording
	list    []entity
	phrases []int32   // of the entities
	each    []int32   // different phrases in the order of their first entity
	n       []float64 // by phrase and class
	total   []float64 // by phrase
	within  []float64 // by phrase and class: entities that contain the phrase
	parts   []int32   // phrases with any of those
	sum     []float64 // by feature
	touched []uint32
	tokens  []float64 // by form and class, outside last
	forms   []uint32
}

func newCounter(s *scheme, g []group) *counter {
	c := &counter{scheme: s, groups: g}
	for _, g := range g {
		var at []int
		for range g.features {
			at = append(at, c.width)
			c.width += (len(s.classes) + 1) * (len(s.classes) + 1)
		}
		c.at = append(c.at, at)
	}
	c.sum = make([]float64, c.width)
	return c
}

// names lists the features.
func (c *counter) names() []string {
	out := make([]string, 0, c.width)
	classes := append(append([]string{}, c.scheme.classes...), "O")
	for _, g := range c.groups {
		for _, f := range g.features {
			for _, a := range classes {
				for _, b := range classes {
					out = append(out, f+"("+a+","+b+")")
				}
			}
		}
	}
	return out
}

// features appends those of a labelling.
func (c *counter) features(x *wording, y []uint16, out []entry) []entry {
	c.text = x
	c.list = c.scheme.entities(y, x.starts, c.list[:0])
	c.count()
	for i, g := range c.groups {
		g.compute(c, c.at[i])
	}
	for _, f := range c.touched {
		out = append(out, entry{f, c.sum[f]})
		c.sum[f] = 0
	}
	c.touched = c.touched[:0]
	c.clear()
	return out
}

func (c *counter) classes() int { return len(c.scheme.classes) }

// add counts a pair of classes, by times.
func (c *counter) add(at int, a, b int32, times float64) {
	f := at + int(a)*(c.classes()+1) + int(b)
	if c.sum[f] == 0 {
		c.touched = append(c.touched, uint32(f))
	}
	c.sum[f] += times
}

// count counts the entities of each phrase.
func (c *counter) count() {
	c.phrases, c.each = c.phrases[:0], c.each[:0]
	for _, e := range c.list {
		p := c.text.phrase(e.from, e.to)
		c.phrases = append(c.phrases, p)
		c.grow()
		if c.total[p] == 0 {
			c.each = append(c.each, p)
		}
		c.total[p]++
		c.n[int(p)*c.classes()+int(e.class)]++
	}
}

// grow makes room for the phrases of the text.
func (c *counter) grow() {
	for k := c.classes(); len(c.total) < len(c.text.first); {
		c.total = append(c.total, 0)
		c.n, c.within = append(c.n, make([]float64, k)...), append(c.within, make([]float64, k)...)
	}
}

func (c *counter) clear() {
	k := c.classes()
	for _, p := range c.each {
		c.total[p] = 0
		clear(c.n[int(p)*k:][:k])
	}
}

func (c *counter) of(p int32) []float64 { return c.n[int(p)*c.classes():][:c.classes()] }

// phrase counts unordered pairs of entities with the same words by their classes.
func (c *counter) phrase(at []int) {
	for _, p := range c.each {
		if c.total[p] < 2 {
			continue
		}
		n := c.of(p)
		for a, x := range n {
			if x > 1 {
				c.add(at[0], int32(a), int32(a), x*(x-1)/2)
			}
			for b := a + 1; b < len(n); b++ {
				if x*n[b] > 0 {
					c.add(at[0], int32(a), int32(b), x*n[b])
				}
			}
		}
	}
}

// subphrase counts pairs of entities, the words of the second a proper part of those of the first.
func (c *counter) subphrase(at []int) {
	for _, p := range c.each {
		for _, q := range c.text.partsOf(p) {
			if c.grow(); c.total[q] == 0 {
				continue
			}
			for a, x := range c.of(p) {
				for b, y := range c.of(q) {
					if x*y > 0 {
						c.add(at[0], int32(a), int32(b), x*y)
					}
				}
			}
		}
	}
}

// majority counts entities, and tokens of entities, by their class and that of the majority.
func (c *counter) majority(at []int) {
	k := c.classes()
	for _, p := range c.each {
		if c.total[p] > 1 {
			c.majorities(at[0], c.of(p))
		}
		for _, q := range c.text.partsOf(p) {
			if c.grow(); c.total[q] == 0 {
				continue
			}
			in := c.within[int(q)*k:][:k]
			if top(in) < 0 {
				c.parts = append(c.parts, q)
			}
			for a, x := range c.of(p) {
				in[a] += x
			}
		}
	}
	for _, q := range c.parts {
		in := c.within[int(q)*k:][:k]
		m := top(in)
		for a, x := range c.of(q) {
			if x > 0 {
				c.add(at[1], int32(a), int32(m), x)
			}
		}
		clear(in)
	}
	c.parts = c.parts[:0]
	c.tokenMajority(at[2])
}

// majorities counts by the majority of the others: of n by class, one of them taken away.
func (c *counter) majorities(at int, n []float64) {
	for a, x := range n {
		if x == 0 || a == c.classes() {
			continue
		}
		n[a]--
		if m := top(n); m >= 0 {
			c.add(at, int32(a), int32(m), x)
		}
		n[a]++
	}
}

// top is the first class of the highest count, −1 where all are 0.
func top(n []float64) int {
	m := -1
	for i, x := range n {
		if x > 0 && (m < 0 || x > n[m]) {
			m = i
		}
	}
	return m
}

// tokenMajority counts the tokens of entities by the majority of the other tokens of their form,
// among which are those outside of entities.
func (c *counter) tokenMajority(at int) {
	k := c.classes() + 1
	if need := len(c.text.count) * k; len(c.tokens) < need {
		c.tokens = append(c.tokens, make([]float64, need-len(c.tokens))...)
	}
	for _, e := range c.list {
		for _, f := range c.text.form[e.from:e.to] {
			n := c.tokens[int(f)*k:][:k]
			if top(n) < 0 {
				c.forms = append(c.forms, f)
				n[k-1] = float64(c.text.count[f])
			}
			n[e.class]++
			n[k-1]--
		}
	}
	for _, f := range c.forms {
		n := c.tokens[int(f)*k:][:k]
		c.majorities(at, n)
		clear(n)
	}
	c.forms = c.forms[:0]
}

// conjunction counts neighbouring entities in a list by their classes.
func (c *counter) conjunction(at []int) {
	for i := 1; i < len(c.list); i++ {
		a, b := c.list[i-1], c.list[i]
		gap := b.from - a.to
		if gap < 1 || gap > 2 || !c.text.joins[a.to] || !c.text.joins[b.from-1] {
			continue
		}
		c.add(at[0], a.class, b.class, 1)
	}
}
