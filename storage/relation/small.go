package relation

import (
	"slices"
	"sync"

	"parlance/storage/value"
)

// Limits of a small generation.
const (
	SmallRows  = 512      // rows that it holds or deletes
	SmallBytes = 64 << 10 // its size, approximately
)

// rows are all rows of a small generation. They are immutable.
type rows struct {
	ids    []uint64        // ascending
	values [][]value.Value // by slot
	gone   []uint64        // ascending

	mu      sync.Mutex
	entries map[uint32][]entry // sorted, by index
}

// entry is an entry of an index.
type entry struct {
	key string
	id  uint64
}

// mostGone is more than a small generation deletes.
const mostGone = 1 << 16

// NewSmall makes a small generation of rows, by slot, and of the numbers of deleted rows; both ascend. Write must put
// it into the file before a manifest in the file names it.
func NewSmall(rel, id uint32, ids []uint64, values [][]value.Value, gone []uint64) *Generation {
	return &Generation{Rel: rel, ID: id, Rows: len(ids), Gone: len(gone), Small: true,
		held: &rows{ids: ids, values: values, gone: gone}, unwritten: true}
}

// Unwritten reports whether NewSmall has made the generation, and Write was not called yet.
func (g *Generation) Unwritten() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unwritten
}

// Write writes a generation that NewSmall has made.
func (g *Generation) Write(put func(key, v []byte) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unwritten = false
	return put(g.SmallKey(), g.held.encode())
}

// SmallKey is the only key of a small generation.
func (g *Generation) SmallKey() []byte { return blockKey(g.Rel, g.ID, partSmall, 0) }

func (h *rows) encode() []byte {
	raw := appendIDs(nil, h.ids)
	for _, row := range h.values {
		raw = value.AppendRow(raw, row)
	}
	return packed(nil, appendIDs(raw, h.gone))
}

func decodeRows(b []byte, n, gone int) (*rows, error) {
	raw, err := unpacked(b)
	if err != nil {
		return nil, err
	}
	if n > len(raw) || gone > mostGone { // consecutive numbers take no room
		return nil, damaged("a small generation")
	}
	r := &input{b: raw}
	h := &rows{ids: r.ids(n)}
	for range n {
		if r.bad {
			break
		}
		row, left, err := value.DecodeRow(r.b)
		if err != nil {
			return nil, damaged("a row: %v", err)
		}
		h.values, r.b = append(h.values, row), left
	}
	h.gone = r.ids(gone)
	if r.bad || len(r.b) > 0 {
		return nil, damaged("a small generation")
	}
	return h, nil
}

// small reads the rows of a small generation.
func (g *Generation) small(r Reader) (*rows, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held != nil {
		return g.held, nil
	}
	b := r.Get(g.SmallKey())
	if b == nil {
		return nil, damaged("generation %d is missing", g.ID)
	}
	h, err := decodeRows(b, g.Rows, g.Gone)
	if err != nil {
		return nil, err
	}
	g.held = h
	return h, nil
}

func (h *rows) has(id uint64) bool {
	if _, ok := slices.BinarySearch(h.ids, id); ok {
		return true
	}
	_, ok := slices.BinarySearch(h.gone, id)
	return ok
}

// sorted returns the entries of an index.
func (h *rows) sorted(x *Index) []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if list, ok := h.entries[x.Number]; ok {
		return list
	}
	list := make([]entry, len(h.ids))
	var key []byte
	for i, row := range h.values {
		key = x.Key(key[:0], row)
		list[i] = entry{string(key), h.ids[i]}
	}
	slices.SortFunc(list, compareEntries)
	if h.entries == nil {
		h.entries = map[uint32][]entry{}
	}
	h.entries[x.Number] = list
	return list
}

// column makes a column of rows [from, to).
func (h *rows) column(slot int, t value.Type, from, to int) *value.Vec {
	col := make([]value.Value, to-from)
	for i := range col {
		if row := h.values[from+i]; slot < len(row) {
			col[i] = row[slot]
			if t == value.Null {
				t = col[i].T
			}
		}
	}
	v := value.FromValues(t, col)
	return &v
}

// within returns the places of the numbers in [from, to).
func within(ids []uint64, from, to uint64) (int, int) {
	i, _ := slices.BinarySearch(ids, from)
	k, _ := slices.BinarySearch(ids, to)
	return i, k
}
