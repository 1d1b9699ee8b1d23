package relation

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
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
	Whole int   // keys of fewer bytes have the order of the values, one after the other, NULL last; 0 if none need
}

// A block of a run is to take runBytes: two of them fill a leaf page of the file, which holds at least two values and
// is a multiple of 4 kB. Its number of entries follows from the size of the block before it.
const (
	runBytes    = 7900
	runEntries  = 1024 // of the first block
	fewEntries  = 64
	mostEntries = 4096
)

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

func compareEntries(a, b entry) int {
	if c := strings.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// shared is the number of bytes with which both begin.
func shared(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for ; i < n && a[i] == b[i]; i++ {
	}
	return i
}

// entryList is a list of entries.
type entryList struct {
	keys []byte
	ends []uint32 // of keys
	ids  []uint64
}

func (l *entryList) add(key []byte, id uint64) {
	l.keys = append(l.keys, key...)
	l.ends = append(l.ends, uint32(len(l.keys)))
	l.ids = append(l.ids, id)
}

func (l *entryList) key(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.keys[from:l.ends[i]]
}

func (l *entryList) reset() { l.keys, l.ends, l.ids = l.keys[:0], l.ends[:0], l.ids[:0] }

// sharedTail is the number of bytes with which all keys end.
func (l *entryList) sharedTail() int {
	tail := l.key(0)
	for i := 1; i < len(l.ids) && len(tail) > 0; i++ {
		k := l.key(i)
		same := 0
		for same < min(len(tail), len(k)) && tail[len(tail)-1-same] == k[len(k)-1-same] {
			same++
		}
		tail = tail[len(tail)-same:]
	}
	return len(tail)
}

// collector collects the entries of an index and writes them in runs.
type collector struct {
	x *Index
	entryList
	ranks []uint64 // of the entries, in the order of their keys; fewer than these if some are not known
	dict  *value.Dict
	runs  []run
	room  *sortRoom
}

// sortRoom is room for sorting, which the indexes of a relation share.
type sortRoom struct{ items, next []ordered }

func (c *collector) add(id uint64, row []value.Value) {
	c.keys = c.x.Key(c.keys, row)
	c.ends = append(c.ends, uint32(len(c.keys)))
	c.ids = append(c.ids, id)
}

// rankBits is how many bits of the rank of an entry are that of a value.
const rankBits = 21

// rank adds the rank of the entry that was added last: those of its values in a dictionary, which all entries of a run
// must share.
func (c *collector) rank(cols []*value.Vec, row int) {
	n := len(c.ids) - 1
	if len(c.ranks) != n || len(c.key(n)) >= c.x.Whole || len(c.x.Slots)*rankBits > 64 {
		return
	}
	p := uint64(0)
	for _, slot := range c.x.Slots {
		v := columnAt(cols, slot)
		if v == nil || v.Codes == nil || v.Dict.Ranks == nil || len(v.Dict.Ranks) >= 1<<rankBits-1 {
			return
		}
		if n == 0 {
			c.dict = v.Dict
		}
		if v.Dict != c.dict {
			return
		}
		if p <<= rankBits; v.IsNull(row) {
			p |= 1<<rankBits - 1
		} else {
			p |= uint64(v.Dict.Ranks[v.Codes[row]])
		}
	}
	c.ranks = append(c.ranks, p)
}

// Ranks returns the places of different texts in their order.
func Ranks(texts []string) []uint32 {
	c := collector{room: new(sortRoom)}
	for i, s := range texts {
		c.keys = append(c.keys, s...)
		c.ends, c.ids = append(c.ends, uint32(len(c.keys))), append(c.ids, uint64(i))
	}
	ranks := make([]uint32, len(texts))
	for k, x := range c.order() {
		ranks[x.i] = uint32(k)
	}
	return ranks
}

// mostRun is how large the keys of a run may be, so that memory does not depend on the number of rows.
const mostRun = 8 << 20

// numberKey is the length of the key of a number.
const numberKey = 9

// reserve makes room for the entries of n rows, or of a run.
func (c *collector) reserve(n int) {
	n = min(n, mostRun/(12+numberKey)+1)
	c.keys, c.ends, c.ids = make([]byte, 0, n*numberKey), make([]uint32, 0, n), make([]uint64, 0, n)
}

// full reports whether the entries should be written.
func (c *collector) full() bool { return len(c.keys)+12*len(c.ids) > mostRun }

// write writes the entries as a run.
func (c *collector) write(rel, gen uint32, put func(k, v []byte) error) error {
	if len(c.ids) == 0 {
		return nil
	}
	order, number := c.order(), uint16(len(c.runs))
	r := run{entries: len(order)}
	var block entryList
	for from, n := 0, runEntries; from < len(order); {
		block.reset()
		for _, x := range order[from:min(from+n, len(order))] {
			block.add(c.key(int(x.i)), c.ids[x.i])
		}
		n = len(block.ids)
		b := block.encode()
		if err := put(runKey(rel, gen, c.x.Number, number, len(r.blocks)), b); err != nil {
			return err
		}
		r.blocks = append(r.blocks, runExtent{string(block.key(0)), n})
		from, n = from+n, min(max(n*runBytes/len(b), fewEntries), mostEntries)
	}
	c.runs = append(c.runs, r)
	c.reset()
	c.ranks = c.ranks[:0]
	return nil
}

// finish writes the last run and the list of runs.
func (c *collector) finish(rel, gen uint32, put func(k, v []byte) error) error {
	if err := c.write(rel, gen, put); err != nil {
		return err
	}
	return put(runKey(rel, gen, c.x.Number, runList, 0), encodeRuns(c.runs))
}

// ordered is an entry while it is sorted: eight bytes of its key and its place in the list.
type ordered struct {
	p uint64
	i int32
}

// order sorts the entries by key and number. Entries come in the order of their numbers. The result is valid until the
// next call.
func (c *collector) order() []ordered {
	n := len(c.ids)
	if n > len(c.room.items) {
		c.room.items, c.room.next = make([]ordered, n), make([]ordered, n)
	}
	items := c.room.items[:n]
	for i := range items {
		items[i].i = int32(i)
	}
	if len(c.ranks) == n {
		for i, p := range c.ranks {
			items[i].p = p
		}
		items, _ = radixSort(items, c.room.next[:n])
		return items
	}
	first := c.key(0)
	common := len(first)
	for i := range n {
		common = min(common, shared(first, c.key(i)))
	}
	return c.sorted(items, c.room.next[:n], common)
}

// sorted sorts entries that are in the order of their numbers and whose keys begin with the same bytes, by the eight
// bytes that follow, and then those that have these in common, too, by what follows them. The result is in items or in
// next, which is as long.
func (c *collector) sorted(items, next []ordered, common int) []ordered {
	last, least := 0, math.MaxInt // lengths of keys
	for k := range items {
		key := c.key(int(items[k].i))
		var head [8]byte
		copy(head[:], key[min(common, len(key)):])
		items[k].p = binary.BigEndian.Uint64(head[:])
		last, least = max(last, len(key)), min(least, len(key))
	}
	if len(items) < fewOrdered {
		slices.SortFunc(items, func(a, b ordered) int { return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.i, b.i)) })
	} else {
		items, next = radixSort(items, next)
	}
	common += 8
	if last == least && last <= common {
		return items // nothing follows
	}
	if last <= common-8 { // keys of zeros may still differ in length
		slices.SortStableFunc(items, func(a, b ordered) int {
			return cmp.Compare(len(c.key(int(a.i))), len(c.key(int(b.i))))
		})
		return items
	}
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].p == items[from].p {
			to++
		}
		if to-from > 1 && !c.equal(items[from:to]) {
			copy(items[from:to], c.sorted(items[from:to], next[from:to], common))
		}
		from = to
	}
	return items
}

// equal reports whether the keys of entries are equal.
func (c *collector) equal(items []ordered) bool {
	first := c.key(int(items[0].i))
	for _, x := range items[1:] {
		if !bytes.Equal(first, c.key(int(x.i))) {
			return false
		}
	}
	return true
}

// fewOrdered is up to how many entries comparing them is faster than distributing them by their bytes.
const fewOrdered = 256

// radixSort sorts items by p and keeps the order of equal ones. It returns them and the other array.
func radixSort(items, next []ordered) (sorted, other []ordered) {
	n := len(items)
	for shift := 0; shift < 64; shift += 8 {
		var counts [256]int
		for _, x := range items {
			counts[byte(x.p>>shift)]++
		}
		if slices.Contains(counts[:], n) {
			continue // all have the same byte here
		}
		at := 0
		for b := range counts {
			counts[b], at = at, at+counts[b]
		}
		for _, x := range items {
			b := byte(x.p >> shift)
			next[counts[b]] = x
			counts[b]++
		}
		items, next = next, items
	}
	return items, next
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
	return raw
}

func decodeRuns(b []byte) ([]run, error) {
	in := &input{b: b}
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
func (g *Generation) ForgetIndex(index uint32) {
	g.mu.Lock()
	delete(g.runs, index)
	held := g.held
	g.mu.Unlock()
	if held != nil {
		held.mu.Lock()
		delete(held.entries, index)
		held.mu.Unlock()
	}
}

// visit visits the entries with keys in [from, to) until f returns false; a nil to is no end. It returns false if f
// did.
func (g *Generation) visit(r Reader, x *Index, from, to []byte, f func(id uint64) (bool, error)) (bool, error) {
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
			b, err := readRunBlock(r, g, x.Number, i, &blocks[k], k)
			if err != nil {
				return false, err
			}
			if on, err := b.visit(from, to, f); !on || err != nil {
				return false, err
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
