package relation

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"parlance/storage/value"
)

// Index is an index of a relation.
type Index struct {
	Number uint32 // identifies it within the relation
	// Key appends the key of a row, whose values are by slot. Keys are compared as bytes.
	Key   func(dst []byte, row []value.Value) []byte
	Slots []int // that Key reads
}

// runEntries is how many entries a block of a run holds.
const runEntries = 1024

// run is a sorted list of entries in blocks.
type run struct {
	blocks  []runExtent
	entries int
}

// runExtent is a block of a run: its first key and the number of its entries.
type runExtent struct {
	first string
	n     int
}

// runBlock is a decoded block of a run.
type runBlock struct {
	keys []byte
	ends []uint32
	ids  []uint64
}

func (b *runBlock) key(i int) []byte {
	if i == 0 {
		return b.keys[:b.ends[0]]
	}
	return b.keys[b.ends[i-1]:b.ends[i]]
}

func compareEntries(a, b entry) int {
	if c := strings.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// shared is the number of bytes with which both begin.
func shared(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// collector collects the entries of an index and writes them in runs.
type collector struct {
	x    *Index
	keys []byte
	ends []uint32
	ids  []uint64
	runs []run
}

func (c *collector) add(id uint64, row []value.Value) {
	c.keys = c.x.Key(c.keys, row)
	c.ends = append(c.ends, uint32(len(c.keys)))
	c.ids = append(c.ids, id)
}

func (c *collector) at(i int32) []byte {
	from := uint32(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.keys[from:c.ends[i]]
}

// mostRun is how large the keys of a run may be, so that memory does not depend on the number of rows.
const mostRun = 8 << 20

// full reports whether the entries should be written.
func (c *collector) full() bool { return len(c.keys)+12*len(c.ids) > mostRun }

// write writes the entries as a run.
func (c *collector) write(rel, gen uint32, put func(k, v []byte) error) error {
	if len(c.ids) == 0 {
		return nil
	}
	order, number := c.order(), uint16(len(c.runs))
	r := run{entries: len(order)}
	var raw []byte
	ids := make([]uint64, 0, runEntries)
	for from := 0; from < len(order); from += runEntries {
		part := order[from:min(from+runEntries, len(order))]
		raw, ids = raw[:0], ids[:0]
		var last []byte
		for _, i := range part {
			k := c.at(i)
			n := shared(last, k)
			raw = binary.AppendUvarint(raw, uint64(n))
			raw = binary.AppendUvarint(raw, uint64(len(k)-n))
			raw = append(raw, k[n:]...)
			ids = append(ids, c.ids[i])
			last = k
		}
		b := packed(nil, appendNumbers(raw, ids))
		if err := put(runKey(rel, gen, c.x.Number, number, len(r.blocks)), b); err != nil {
			return err
		}
		r.blocks = append(r.blocks, runExtent{string(c.at(part[0])), len(part)})
	}
	c.runs = append(c.runs, r)
	c.keys, c.ends, c.ids = c.keys[:0], c.ends[:0], c.ids[:0]
	return nil
}

// finish writes the last run and the list of runs.
func (c *collector) finish(rel, gen uint32, put func(k, v []byte) error) error {
	if err := c.write(rel, gen, put); err != nil {
		return err
	}
	return put(runKey(rel, gen, c.x.Number, runList, 0), encodeRuns(c.runs))
}

// order sorts the entries by key and number: by a radix sort of the eight bytes after those that all keys begin with,
// then runs of equal ones by the whole key. Entries come in the order of their numbers.
func (c *collector) order() []int32 {
	type item struct {
		p uint64
		i int32
	}
	n := len(c.ids)
	common := len(c.at(0))
	for i := range n {
		common = min(common, shared(c.at(0), c.at(int32(i))))
	}
	items, next := make([]item, n), make([]item, n)
	for i := range items {
		var head [8]byte
		copy(head[:], c.at(int32(i))[common:])
		items[i] = item{binary.BigEndian.Uint64(head[:]), int32(i)}
	}
	for shift := 0; shift < 64; shift += 8 {
		var counts [257]int
		for _, x := range items {
			counts[byte(x.p>>shift)+0]++
		}
		if slices.Contains(counts[:256], n) {
			continue // all have the same byte here
		}
		at := 0
		for b := range 256 {
			counts[b], at = at, at+counts[b]
		}
		for _, x := range items {
			b := byte(x.p >> shift)
			next[counts[b]] = x
			counts[b]++
		}
		items, next = next, items
	}
	out := make([]int32, n)
	for from := 0; from < n; {
		to := from + 1
		for to < n && items[to].p == items[from].p {
			to++
		}
		if to-from > 1 {
			slices.SortStableFunc(items[from:to], func(a, b item) int { return bytes.Compare(c.at(a.i), c.at(b.i)) })
		}
		for k := from; k < to; k++ {
			out[k] = items[k].i
		}
		from = to
	}
	return out
}

func encodeRuns(runs []run) []byte {
	raw := binary.AppendUvarint(nil, uint64(len(runs)))
	for _, r := range runs {
		raw = binary.AppendUvarint(raw, uint64(len(r.blocks)))
		last := ""
		for _, b := range r.blocks {
			n := shared([]byte(last), []byte(b.first))
			raw = binary.AppendUvarint(raw, uint64(n))
			raw = binary.AppendUvarint(raw, uint64(len(b.first)-n))
			raw = append(raw, b.first[n:]...)
			raw = binary.AppendUvarint(raw, uint64(b.n))
			last = b.first
		}
	}
	return packed(nil, raw)
}

func decodeRuns(b []byte) ([]run, error) {
	raw, err := unpacked(b)
	if err != nil {
		return nil, err
	}
	in := &input{b: raw}
	out := make([]run, in.count(1))
	for i := range out {
		r := run{blocks: make([]runExtent, in.count(3))}
		last := ""
		for k := range r.blocks {
			n := in.uvarint()
			if n > uint64(len(last)) {
				in.bad = true
				break
			}
			last = last[:n] + string(in.take(in.count(1)))
			r.blocks[k] = runExtent{last, int(min(in.uvarint(), mostBlock))}
			r.entries += r.blocks[k].n
		}
		out[i] = r
	}
	if in.bad || len(in.b) > 0 {
		return nil, damaged("the list of runs of an index")
	}
	return out, nil
}

// runsOf reads the list of runs of an index.
func (g *Generation) runsOf(r Reader, index uint32) ([]run, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if runs, ok := g.runs[index]; ok {
		return runs, nil
	}
	b := r.Get(runKey(g.Rel, g.ID, index, runList, 0))
	if b == nil {
		return nil, damaged("an index of generation %d is missing", g.ID)
	}
	runs, err := decodeRuns(b)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, x := range runs {
		n += x.entries
	}
	if n != g.Rows {
		return nil, damaged("an index of generation %d has %d entries for %d rows", g.ID, n, g.Rows)
	}
	if g.runs == nil {
		g.runs = map[uint32][]run{}
	}
	g.runs[index] = runs
	return runs, nil
}

// ForgetIndex forgets what was read of an index that was dropped or is written anew.
func (g *Generation) ForgetIndex(c *Cache, index uint32) {
	g.mu.Lock()
	delete(g.runs, index)
	held := g.held
	g.mu.Unlock()
	if held != nil {
		held.mu.Lock()
		delete(held.entries, index)
		held.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.DeleteFunc(func(k cacheKey, _ cached) bool {
		return k.rel == g.Rel && k.gen == g.ID && k.index == index && k.part >= partIndex
	})
}

func readRunBlock(r Reader, g *Generation, index uint32, run int, e *runExtent, number int) (*runBlock, error) {
	b := r.Get(runKey(g.Rel, g.ID, index, uint16(run), number))
	if b == nil {
		return nil, damaged("block %d of an index of generation %d is missing", number, g.ID)
	}
	raw, err := unpacked(b)
	if err != nil {
		return nil, err
	}
	in := &input{b: raw}
	if e.n > len(raw) {
		return nil, damaged("a block of an index")
	}
	out := &runBlock{ends: make([]uint32, 0, e.n)}
	from, before := 0, 0
	for range e.n {
		n, more := int(min(in.uvarint(), mostBlock)), in.take(in.count(1))
		if in.bad || n > before {
			return nil, damaged("a block of an index")
		}
		out.keys = append(append(out.keys, out.keys[from:from+n]...), more...)
		from, before = len(out.keys)-n-len(more), n+len(more)
		out.ends = append(out.ends, uint32(len(out.keys)))
	}
	out.ids = in.numbers(e.n)
	if in.bad || len(in.b) > 0 || string(out.key(0)) != e.first {
		return nil, damaged("a block of an index")
	}
	return out, nil
}

// visit visits the entries with keys in [from, to) until f returns false; a nil to is no end. It returns false if f
// did.
func (g *Generation) visit(r Reader, c *Cache, x *Index, from, to []byte,
	f func(id uint64) (bool, error)) (bool, error) {
	if g.Small {
		return g.visitSmall(r, x, from, to, f)
	}
	runs, err := g.runsOf(r, x.Number)
	if err != nil {
		return false, err
	}
	for i := range runs {
		blocks := runs[i].blocks
		// Entries with the key from may begin in the block before the first one that begins with it.
		k := max(0, sort.Search(len(blocks), func(k int) bool { return blocks[k].first >= string(from) })-1)
		for ; k < len(blocks) && (to == nil || blocks[k].first < string(to)); k++ {
			b, err := c.block(r, g, x.Number, i, &blocks[k], k)
			if err != nil {
				return false, err
			}
			at := sort.Search(len(b.ids), func(i int) bool { return bytes.Compare(b.key(i), from) >= 0 })
			for ; at < len(b.ids) && (to == nil || bytes.Compare(b.key(at), to) < 0); at++ {
				if on, err := f(b.ids[at]); !on || err != nil {
					return false, err
				}
			}
		}
	}
	return true, nil
}

func (g *Generation) visitSmall(r Reader, x *Index, from, to []byte, f func(id uint64) (bool, error)) (bool, error) {
	h, err := g.small(r)
	if err != nil {
		return false, err
	}
	list := h.sorted(x)
	i := sort.Search(len(list), func(i int) bool { return list[i].key >= string(from) })
	for ; i < len(list) && (to == nil || list[i].key < string(to)); i++ {
		if on, err := f(list[i].id); !on || err != nil {
			return false, err
		}
	}
	return true, nil
}
