package crfsuite

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"math"
	"sort"
	"strings"

	"parlance/algo/engine/chain"
	"parlance/algo/foreign"
	"parlance/algo/kind"
)

// write writes a chain of first order: its attributes and labels as they are named here.
func write(ctx context.Context, w io.Writer, m kind.Model) error {
	x, err := foreign.ChainOf(m)
	if err != nil {
		return err
	}
	if x.Foreign != nil && x.Foreign.HasPairs() {
		return &foreign.Refusal{Msg: "it has features that weigh pairs of labels, such as " + x.Foreign.PairName() +
			"; CRFsuite has weights of pairs that hold everywhere"}
	}
	out := &writer{}
	out.file(x.Labels, x.Chain, x.Name)
	if len(out.b) > math.MaxUint32 {
		return &foreign.Refusal{Msg: "it takes more than 4 GB, and CRFsuite's places are of 32 bits"}
	}
	if err := out.fault; err != nil {
		return err
	}
	buf := bufio.NewWriter(w)
	if _, err := buf.Write(out.b); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return buf.Flush()
}

// writer makes a model file in memory.
type writer struct {
	b     []byte
	fault error
}

func (w *writer) u32(v ...uint32) {
	for _, x := range v {
		w.b = binary.LittleEndian.AppendUint32(w.b, x)
	}
}

// put replaces the number at a place.
func (w *writer) put(at int, v uint32) { binary.LittleEndian.PutUint32(w.b[at:], v) }

func (w *writer) here() uint32 { return uint32(len(w.b)) }

// file writes the head, and the parts in the order of CRFsuite's own files.
func (w *writer) file(labels []string, c *chain.Model, name func(uint32) string) {
	p := c.Parts()
	n := len(p.Weights) + len(p.TransWeights)
	w.b = append(w.b, magic...)
	w.u32(0)
	w.b = append(w.b, modelType...)
	w.u32(version, uint32(n), uint32(len(labels)), uint32(p.Attributes), headBytes, 0, 0, 0, 0)
	w.features(p, n)
	w.put(32, w.here())
	w.texts(labels)
	w.put(36, w.here())
	names := make([]string, p.Attributes)
	for i := range names {
		names[i] = name(uint32(i))
	}
	w.texts(names)
	w.put(40, w.here())
	w.references("LFRF", len(labels)+2, func(i int) (from, to int) {
		start := func(label int) int {
			return len(p.Weights) + sort.Search(len(p.TransFrom), func(k int) bool { return int(p.TransFrom[k]) >= label })
		}
		return start(i), start(i + 1)
	})
	w.put(44, w.here())
	w.references("AFRF", p.Attributes, func(i int) (from, to int) { return int(p.AttrStart[i]), int(p.AttrStart[i+1]) })
	w.put(4, w.here())
}

// features writes the weights of attributes, then those of transitions.
func (w *writer) features(p chain.Parts, n int) {
	start := len(w.b)
	w.b = append(w.b, "FEAT"...)
	w.u32(0, uint32(n))
	add := func(kind, source, target uint32, weight float64) {
		w.u32(kind, source, target)
		w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(weight))
	}
	for a := range p.Attributes {
		for k := p.AttrStart[a]; k < p.AttrStart[a+1]; k++ {
			add(0, uint32(a), uint32(p.PairLabel[k]), p.Weights[k])
		}
	}
	for k, v := range p.TransWeights {
		add(1, uint32(p.TransFrom[k]), uint32(p.TransTo[k]), v)
	}
	w.put(start+4, uint32(len(w.b)-start))
}

// references writes for each source the numbers of its features, which follow each other.
func (w *writer) references(name string, sources int, of func(i int) (from, to int)) {
	start := len(w.b)
	w.b = append(w.b, name...)
	w.u32(0, uint32(sources))
	w.b = append(w.b, make([]byte, 4*sources)...)
	for i := range sources {
		w.put(start+chunkBytes+4*i, w.here())
		from, to := of(i)
		w.u32(uint32(to - from))
		for k := from; k < to; k++ {
			w.u32(uint32(k))
		}
	}
	w.put(start+4, uint32(len(w.b)-start))
}

// texts writes a table of texts: records, 256 hash tables with twice as many slots as texts, and the places of the
// records by number.
func (w *writer) texts(list []string) {
	start := len(w.b)
	w.b = append(w.b, "CQDB"...)
	w.u32(0, 0, byteOrder, uint32(len(list)), 0)
	w.b = append(w.b, make([]byte, 8*hashTables)...)
	type slot struct{ hash, place uint32 }
	tables, places := make([][]slot, hashTables), make([]uint32, len(list))
	for i, s := range list {
		if strings.IndexByte(s, 0) >= 0 {
			w.fault = &foreign.Refusal{Msg: "the text " + s + " has a zero byte, which ends texts of CRFsuite"}
			return
		}
		places[i] = uint32(len(w.b) - start)
		w.u32(uint32(i), uint32(len(s)+1))
		w.b = append(append(w.b, s...), 0)
		h := lookup3(s + "\x00")
		tables[h%hashTables] = append(tables[h%hashTables], slot{h, places[i]})
	}
	for k, t := range tables {
		if len(t) == 0 {
			continue
		}
		n := 2 * len(t)
		w.put(start+tableBytes+8*k, uint32(len(w.b)-start))
		w.put(start+tableBytes+8*k+4, uint32(n))
		slots := make([]slot, n)
		for _, s := range t {
			at := int(s.hash>>8) % n
			for slots[at].place != 0 {
				at = (at + 1) % n
			}
			slots[at] = s
		}
		for _, s := range slots {
			w.u32(s.hash, s.place)
		}
	}
	w.put(start+20, uint32(len(w.b)-start))
	w.u32(places...)
	w.put(start+4, uint32(len(w.b)-start))
}

// lookup3 is the hash of Bob Jenkins (2006, public domain description) over the bytes of a text, with the seed 0: three
// numbers of 32 bits take twelve bytes at a time and are mixed reversibly, the last ones finally.
func lookup3(s string) uint32 {
	a := 0xdeadbeef + uint32(len(s))
	b, c := a, a
	word := func(s string) (v uint32) {
		for i := range min(4, len(s)) {
			v |= uint32(s[i]) << (8 * i)
		}
		return v
	}
	rot := func(x uint32, k uint) uint32 { return x<<k | x>>(32-k) }
	for ; len(s) > 12; s = s[12:] {
		a, b, c = a+word(s), b+word(s[4:]), c+word(s[8:])
		for _, k := range [2][3]uint{{4, 6, 8}, {16, 19, 4}} {
			a -= c
			a ^= rot(c, k[0])
			c += b
			b -= a
			b ^= rot(a, k[1])
			a += c
			c -= b
			c ^= rot(b, k[2])
			b += a
		}
	}
	if len(s) == 0 {
		return c
	}
	a, b, c = a+word(s), b+word(s[min(4, len(s)):]), c+word(s[min(8, len(s)):])
	for _, k := range [7]uint{14, 11, 25, 16, 4, 14, 24} { // c, a and b in turn, each from the one before
		c ^= b
		c -= rot(b, k)
		a, b, c = b, c, a
	}
	return b
}
