// Package documents keeps the documents of corpora: the state of a corpus, its generations of segments, the layout of
// segments in blocks, a cache of what was decoded, and the order of documents. It knows neither the catalog nor
// transactions: whoever has a state reads what it names.
package documents

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"parlance/algo/text"
	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// Parts of a segment: its documents, their texts, their metadata, and a part for each layer.
const (
	partDocuments = uint16(0)
	partTexts     = uint16(1)
	partFields    = uint16(2)
	FirstLayer    = uint16(16) // the first layer
)

// Corpus is the committed state of a corpus. It is immutable; writers replace it.
type Corpus struct {
	ID      uint32
	Layers  []Layer
	Indexes []IndexState
	Gens    []*Generation // the oldest first
	Sum     [16]byte      // content hash of the live documents
	Tokens  int64
	Docs    int
}

// Layer is a layer of a corpus.
type Layer struct {
	Name  string         `json:"name"`
	Part  uint16         `json:"part"`
	Model string         `json:"model,omitempty"`
	Own   *text.LayerDef `json:"def,omitempty"` // of layers that are not built in
	Base  string         `json:"base,omitempty"`
	Def   *text.LayerDef `json:"-"`
}

// Generation are the documents that one load or change has added: segments, numbered from 0.
type Generation struct {
	ID       uint32
	Segments []*SegmentState
	Overlaps bool // some segment begins before the one ahead of it ends
	Files    []string
	Runs     map[uint16][]RunMeta // of full-text indexes, by part
}

// SegmentState is the metadata of a segment.
type SegmentState struct {
	Docs   int                  `json:"docs"`
	Tokens int                  `json:"tokens"`
	Text   int                  `json:"text"`  // bytes
	First  uint64               `json:"first"` // sequence numbers of its documents, which stand in their order
	Last   uint64               `json:"last"`
	Fields []string             `json:"fields,omitempty"` // metadata columns with values
	Parts  map[uint16]LayerMeta `json:"parts"`
	Gen    uint32               `json:"-"`
	Number uint32               `json:"-"`
	Dead   []uint64             `json:"-"` // bitmap, nil if all live
}

// LayerMeta describes a layer in a segment.
type LayerMeta struct {
	Rows    int    `json:"rows"`
	Present uint64 `json:"present"` // bitmap of columns with values
	Prob    bool   `json:"prob,omitempty"`
	Rank    bool   `json:"rank,omitempty"`
}

// Live reports whether a document is neither deleted nor replaced.
func (s *SegmentState) Live(i int) bool {
	return s.Dead == nil || s.Dead[i/64]&(1<<(i%64)) == 0
}

// LiveDocuments is the number of live documents.
func (s *SegmentState) LiveDocuments() int {
	n := s.Docs
	for _, w := range s.Dead {
		n -= bits.OnesCount64(w)
	}
	return n
}

// manifest is the stored form of a corpus. Each generation is stored under a key of its own.
type manifest struct {
	Layers  []Layer      `json:"layers"`
	Indexes []IndexState `json:"indexes,omitempty"`
	Gens    []uint32     `json:"generations"`
	Sum     []byte       `json:"sum"`
	Tokens  int64        `json:"tokens"`
	Docs    int          `json:"documents"`
}

type genManifest struct {
	Segments []*SegmentState      `json:"segments"`
	Files    []string             `json:"files,omitempty"`
	Runs     map[uint16][]RunMeta `json:"runs,omitempty"`
}

// CorpusKey is the key of the state of a corpus in the catalog.
func CorpusKey(id uint32) []byte { return []byte(fmt.Sprintf("corpus/%08x", id)) }

// GenerationKey is the key of the state of a generation in the catalog.
func GenerationKey(id, gen uint32) []byte {
	return []byte(fmt.Sprintf("generation/%08x/%08x", id, gen))
}

// BlockKey is the key of a part of a segment.
func BlockKey(corpus, gen uint32, part uint16, segment uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dbfile.Key(corpus, gen), byte(part>>8), byte(part)), segment)
}

// MaxDocumentID is the highest length of a document id, in bytes.
const MaxDocumentID = 32000 // bbolt takes keys of 32 kB

// PlaceKey is the key of the place of a document.
func PlaceKey(corpus, gen uint32, id string) []byte {
	return append(dbfile.Key(corpus, gen), id...)
}

// LayerOf returns the state of a layer, or nil.
func (c *Corpus) LayerOf(name string) *Layer {
	for i := range c.Layers {
		if c.Layers[i].Name == name {
			return &c.Layers[i]
		}
	}
	return nil
}

// definition finds the definition of a layer by its stored form.
func (l *Layer) definition() (*text.LayerDef, error) {
	if l.Own != nil {
		return l.Own, nil
	}
	if d := text.Builtins(l.Base); d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("%w: layer %s has no definition", dbfile.ErrCorrupt, l.Name)
}

// NewLayer is a layer of that name; model is the version that predicts it, "" for gold.
func NewLayer(name string, part uint16, def *text.LayerDef, model string) Layer {
	l := Layer{Name: name, Part: part, Model: model, Def: def}
	if text.Builtins(def.Name) == def {
		l.Base = def.Name
	} else {
		l.Own = def
	}
	return l
}

// ReadCorpus reads the state of a corpus.
func ReadCorpus(tx *sealed.Tx, id uint32) (*Corpus, error) {
	st := &Corpus{ID: id}
	cat, dead := tx.Bucket(dbfile.Catalog), tx.Bucket(dbfile.Dead)
	raw := cat.Get(CorpusKey(id))
	if raw == nil {
		return st, nil
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil || len(m.Sum) != 16 {
		return nil, fmt.Errorf("%w: manifest", dbfile.ErrCorrupt)
	}
	st.Layers, st.Indexes, st.Tokens, st.Docs = m.Layers, m.Indexes, m.Tokens, m.Docs
	copy(st.Sum[:], m.Sum)
	for i := range st.Layers {
		d, err := st.Layers[i].definition()
		if err != nil {
			return nil, err
		}
		st.Layers[i].Def = d
	}
	for _, gen := range m.Gens {
		var gm genManifest
		if err := json.Unmarshal(cat.Get(GenerationKey(id, gen)), &gm); err != nil {
			return nil, fmt.Errorf("%w: manifest of generation %d", dbfile.ErrCorrupt, gen)
		}
		g := &Generation{ID: gen, Segments: gm.Segments, Files: gm.Files, Runs: gm.Runs}
		for i, sg := range g.Segments {
			sg.Gen, sg.Number = gen, uint32(i)
			g.Overlaps = g.Overlaps || i > 0 && g.Segments[i-1].Last >= sg.First
			if bm := dead.Get(dbfile.Key(id, gen, uint32(i))); bm != nil {
				if sg.Dead = decodeBitmap(bm); len(sg.Dead)*64 < sg.Docs {
					return nil, fmt.Errorf("%w: tombstones of generation %d", dbfile.ErrCorrupt, gen)
				}
			}
		}
		st.Gens = append(st.Gens, g)
	}
	return st, nil
}

// Write writes the state of a corpus, without those of its generations.
func (c *Corpus) Write(tx *sealed.Tx) error {
	m := manifest{Layers: c.Layers, Indexes: c.Indexes, Sum: c.Sum[:], Tokens: c.Tokens, Docs: c.Docs}
	for _, g := range c.Gens {
		m.Gens = append(m.Gens, g.ID)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return tx.Bucket(dbfile.Catalog).Put(CorpusKey(c.ID), raw)
}

// Write writes the state of a generation.
func (g *Generation) Write(tx *sealed.Tx, corpus uint32) error {
	raw, err := json.Marshal(genManifest{g.Segments, g.Files, g.Runs})
	if err != nil {
		return err
	}
	return tx.Bucket(dbfile.Catalog).Put(GenerationKey(corpus, g.ID), raw)
}

func decodeBitmap(p []byte) []uint64 {
	out := make([]uint64, (len(p)+7)/8)
	for i, b := range p {
		out[i/8] |= uint64(b) << (8 * (i % 8))
	}
	return out
}

// EncodeBitmap is the stored form of a bitmap of deleted documents.
func EncodeBitmap(v []uint64) []byte {
	out := make([]byte, 8*len(v))
	for i := range out {
		out[i] = byte(v[i/8] >> (8 * (i % 8)))
	}
	return out
}

// LayerInfo is a stored layer of a corpus.
type LayerInfo struct {
	Name    string
	Def     *text.LayerDef
	Model   string // model version that predicted it, "" for gold
	Present []bool // columns with values
	Prob    bool   // predictions have prob
	Rank    bool   // predictions are n best, with rank
}

// Has reports whether the corpus stores values of a column.
func (l *LayerInfo) Has(column string) bool {
	i := l.Def.Index(column)
	return i >= 0 && i < len(l.Present) && l.Present[i]
}

// LayerInfos lists the layers.
func (c *Corpus) LayerInfos() []LayerInfo {
	out := make([]LayerInfo, len(c.Layers))
	for i := range c.Layers {
		l := &c.Layers[i]
		out[i] = LayerInfo{Name: l.Name, Def: l.Def, Model: l.Model, Present: make([]bool, len(l.Def.Columns))}
		for _, g := range c.Gens {
			for _, sg := range g.Segments {
				p := sg.Parts[l.Part]
				out[i].Prob, out[i].Rank = out[i].Prob || p.Prob, out[i].Rank || p.Rank
				for k := range out[i].Present {
					out[i].Present[k] = out[i].Present[k] || p.Present&(1<<k) != 0
				}
			}
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return order(out[a]) < order(out[b]) })
	return out
}

// CountedLayer is a layer with the number of its rows, without those of deleted documents.
type CountedLayer struct {
	LayerInfo
	Rows int64
}

// CountLayers counts the rows of the layers, for which it reads segments that have deleted documents.
func (c *Corpus) CountLayers(cache *Cache) ([]CountedLayer, error) {
	out := make([]CountedLayer, len(c.Layers))
	for i, info := range c.LayerInfos() {
		l := &c.Layers[slices.IndexFunc(c.Layers, func(l Layer) bool { return l.Name == info.Name && l.Model == info.Model })]
		out[i].LayerInfo = info
		for _, g := range c.Gens {
			for _, sg := range g.Segments {
				dead, err := cache.deadRows(c, l, sg)
				if err != nil {
					return nil, err
				}
				out[i].Rows += int64(sg.Parts[l.Part].Rows - dead)
			}
		}
	}
	return out, nil
}

// deadRows is the number of rows of a layer that belong to deleted documents of a segment.
func (s *Cache) deadRows(c *Corpus, l *Layer, sg *SegmentState) (int, error) {
	if sg.Dead == nil {
		return 0, nil
	}
	p := s.segment(c.ID, sg)
	p.mu.Lock()
	defer p.mu.Unlock()
	lp, err := p.layer(reading{c, sg}, l)
	if err != nil || lp == nil {
		return 0, err
	}
	n := 0
	for i := range sg.Docs {
		if !sg.Live(i) {
			n += int(lp.starts[i+1] - lp.starts[i])
		}
	}
	return n, nil
}

// order puts built-in layers first, in their order.
func order(l LayerInfo) int {
	for i, d := range text.Builtin {
		if d.Name == l.Name {
			return i
		}
	}
	return len(text.Builtin)
}

// Parts are the part numbers of the layers and indexes of a state.
func (c *Corpus) Parts() map[uint16]bool {
	used := map[uint16]bool{}
	for _, l := range c.Layers {
		used[l.Part] = true
	}
	for _, x := range c.Indexes {
		used[x.Part] = true
	}
	return used
}

// WriteGenerations writes the states of all generations.
func (c *Corpus) WriteGenerations(tx *sealed.Tx) error {
	for _, g := range c.Gens {
		if err := g.Write(tx, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// Without returns the generation without the parts of a layer; nil removes none.
func (g *Generation) Without(l *Layer) *Generation {
	out := &Generation{ID: g.ID, Overlaps: g.Overlaps, Files: g.Files, Runs: g.Runs}
	for _, sg := range g.Segments {
		c := *sg
		c.Parts = make(map[uint16]LayerMeta, len(sg.Parts)+1)
		for k, v := range sg.Parts {
			if l == nil || k != l.Part {
				c.Parts[k] = v
			}
		}
		out.Segments = append(out.Segments, &c)
	}
	return out
}
