package solver

// cache keeps the rows that were asked for last, a bounded number of them.
type cache struct {
	most int
	slot []int32 // by row: 1 + slot, 0 without
	rows []line  // by slot
	of   []int32 // row of a slot
	next []int32 // slots in a ring, each followed by one used earlier
	prev []int32
	head int32 // the slot used last
}

func (c *cache) init(rows, most int) { c.slot, c.most = make([]int32, rows), most }

func (c *cache) full() bool { return len(c.rows) >= c.most }

// peek returns the place of a row that is kept, else nil.
func (c *cache) peek(t int) *line {
	if s := c.slot[t]; s > 0 {
		return &c.rows[s-1]
	}
	return nil
}

// get returns the place of a row, and whether it holds the row already; else it may hold another.
func (c *cache) get(t int) (*line, bool) {
	if s := c.slot[t]; s > 0 {
		c.touch(s - 1)
		return &c.rows[s-1], true
	}
	var s int32
	if c.full() {
		s = c.prev[c.head] // the one used earliest
		c.slot[c.of[s]] = 0
		c.of[s] = int32(t)
		c.head = s
	} else {
		s = int32(len(c.rows))
		c.rows, c.of, c.next, c.prev = append(c.rows, line{}), append(c.of, int32(t)), append(c.next, s), append(c.prev, s)
		c.insert(s)
	}
	c.slot[t] = s + 1
	return &c.rows[s], false
}

// touch makes a slot the one used last.
func (c *cache) touch(s int32) {
	if s == c.head {
		return
	}
	c.next[c.prev[s]], c.prev[c.next[s]] = c.next[s], c.prev[s]
	c.next[s], c.prev[s] = s, s
	c.insert(s)
}

// insert puts a slot that is in no ring before the head.
func (c *cache) insert(s int32) {
	if len(c.rows) > 1 {
		last := c.prev[c.head]
		c.next[last], c.prev[s] = s, last
		c.next[s], c.prev[c.head] = c.head, s
	}
	c.head = s
}
