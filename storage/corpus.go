package storage

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
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
	partLayers    = uint16(16) // the first layer
)

// corpusState is the committed state of a corpus. It is immutable; writers replace it.
type corpusState struct {
	id      uint32
	layers  []layerState
	indexes []indexState
	gens    []*generation // the oldest first
	sum     [16]byte      // content hash of the live documents
	tokens  int64
	docs    int
}

// layerState is a layer of a corpus.
type layerState struct {
	Name  string         `json:"name"`
	Part  uint16         `json:"part"`
	Model string         `json:"model,omitempty"`
	Own   *text.LayerDef `json:"def,omitempty"` // of layers that are not built in
	Base  string         `json:"base,omitempty"`
	def   *text.LayerDef `json:"-"`
}

// generation are the documents that one load or change has added: segments, numbered from 0.
type generation struct {
	id       uint32
	segments []*segmentState
	overlaps bool // some segment begins before the one ahead of it ends
	files    []string
	runs     map[uint16][]runMeta // of full-text indexes, by part
}

// segmentState is the metadata of a segment.
type segmentState struct {
	Docs   int                 `json:"docs"`
	Tokens int                 `json:"tokens"`
	Text   int                 `json:"text"`  // bytes
	First  uint64              `json:"first"` // sequence numbers of its documents, which stand in their order
	Last   uint64              `json:"last"`
	Fields []string            `json:"fields,omitempty"` // metadata columns with values
	Parts  map[uint16]partMeta `json:"parts"`
	gen    uint32              `json:"-"`
	number uint32              `json:"-"`
	dead   []uint64            `json:"-"` // bitmap, nil if all live
}

// partMeta describes a layer in a segment.
type partMeta struct {
	Rows    int    `json:"rows"`
	Present uint64 `json:"present"` // bitmap of columns with values
	Prob    bool   `json:"prob,omitempty"`
	Rank    bool   `json:"rank,omitempty"`
}

func (s *segmentState) live(i int) bool {
	return s.dead == nil || s.dead[i/64]&(1<<(i%64)) == 0
}

func (s *segmentState) liveCount() int {
	n := s.Docs
	for _, w := range s.dead {
		n -= bits.OnesCount64(w)
	}
	return n
}

// manifest is the stored form of a corpus. Each generation is stored under a key of its own.
type manifest struct {
	Layers  []layerState `json:"layers"`
	Indexes []indexState `json:"indexes,omitempty"`
	Gens    []uint32     `json:"generations"`
	Sum     []byte       `json:"sum"`
	Tokens  int64        `json:"tokens"`
	Docs    int          `json:"documents"`
}

type genManifest struct {
	Segments []*segmentState      `json:"segments"`
	Files    []string             `json:"files,omitempty"`
	Runs     map[uint16][]runMeta `json:"runs,omitempty"`
}

func corpusKey(id uint32) []byte { return []byte(fmt.Sprintf("corpus/%08x", id)) }

func genKey(id, gen uint32) []byte { return []byte(fmt.Sprintf("generation/%08x/%08x", id, gen)) }

// blockKey is the key of a part of a segment.
func blockKey(corpus, gen uint32, part uint16, segment uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dbfile.Key(corpus, gen), byte(part>>8), byte(part)), segment)
}

// MaxDocumentID is the highest length of a document id, in bytes.
const MaxDocumentID = 32000 // bbolt takes keys of 32 kB

func dirKey(corpus, gen uint32, id string) []byte {
	return append(dbfile.Key(corpus, gen), id...)
}

// layer returns the state of a layer, or nil.
func (c *corpusState) layer(name string) *layerState {
	for i := range c.layers {
		if c.layers[i].Name == name {
			return &c.layers[i]
		}
	}
	return nil
}

// definition finds the definition of a layer by its stored form.
func (l *layerState) definition() (*text.LayerDef, error) {
	if l.Own != nil {
		return l.Own, nil
	}
	if d := text.Builtins(l.Base); d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("%w: layer %s has no definition", dbfile.ErrCorrupt, l.Name)
}

func newLayerState(name string, part uint16, def *text.LayerDef, model string) layerState {
	l := layerState{Name: name, Part: part, Model: model, def: def}
	if text.Builtins(def.Name) == def {
		l.Base = def.Name
	} else {
		l.Own = def
	}
	return l
}

// readCorpus reads the state of a corpus.
func readCorpus(tx *sealed.Tx, id uint32) (*corpusState, error) {
	st := &corpusState{id: id}
	cat, dead := tx.Bucket(dbfile.Catalog), tx.Bucket(dbfile.Dead)
	raw := cat.Get(corpusKey(id))
	if raw == nil {
		return st, nil
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil || len(m.Sum) != 16 {
		return nil, fmt.Errorf("%w: manifest", dbfile.ErrCorrupt)
	}
	st.layers, st.indexes, st.tokens, st.docs = m.Layers, m.Indexes, m.Tokens, m.Docs
	copy(st.sum[:], m.Sum)
	for i := range st.layers {
		d, err := st.layers[i].definition()
		if err != nil {
			return nil, err
		}
		st.layers[i].def = d
	}
	for _, gen := range m.Gens {
		var gm genManifest
		if err := json.Unmarshal(cat.Get(genKey(id, gen)), &gm); err != nil {
			return nil, fmt.Errorf("%w: manifest of generation %d", dbfile.ErrCorrupt, gen)
		}
		g := &generation{id: gen, segments: gm.Segments, files: gm.Files, runs: gm.Runs}
		for i, sg := range g.segments {
			sg.gen, sg.number = gen, uint32(i)
			g.overlaps = g.overlaps || i > 0 && g.segments[i-1].Last >= sg.First
			if bm := dead.Get(dbfile.Key(id, gen, uint32(i))); bm != nil {
				if sg.dead = decodeBitmap(bm); len(sg.dead)*64 < sg.Docs {
					return nil, fmt.Errorf("%w: tombstones of generation %d", dbfile.ErrCorrupt, gen)
				}
			}
		}
		st.gens = append(st.gens, g)
	}
	return st, nil
}

func (c *corpusState) write(tx *sealed.Tx) error {
	m := manifest{Layers: c.layers, Indexes: c.indexes, Sum: c.sum[:], Tokens: c.tokens, Docs: c.docs}
	for _, g := range c.gens {
		m.Gens = append(m.Gens, g.id)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return tx.Bucket(dbfile.Catalog).Put(corpusKey(c.id), raw)
}

func (g *generation) write(tx *sealed.Tx, corpus uint32) error {
	raw, err := json.Marshal(genManifest{g.segments, g.files, g.runs})
	if err != nil {
		return err
	}
	return tx.Bucket(dbfile.Catalog).Put(genKey(corpus, g.id), raw)
}

func decodeBitmap(p []byte) []uint64 {
	out := make([]uint64, (len(p)+7)/8)
	for i, b := range p {
		out[i/8] |= uint64(b) << (8 * (i % 8))
	}
	return out
}

func encodeBitmap(v []uint64) []byte {
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
	Rows    int64
	Present []bool // columns with values
	Prob    bool   // predictions have prob
	Rank    bool   // predictions are n best, with rank
}

// Has reports whether the corpus stores values of a column.
func (l *LayerInfo) Has(column string) bool {
	i := l.Def.Index(column)
	return i >= 0 && i < len(l.Present) && l.Present[i]
}

// infos lists the layers. Rows of deleted documents do not count.
func (c *corpusState) infos(cache *segmentCache) []LayerInfo {
	out := make([]LayerInfo, len(c.layers))
	for i := range c.layers {
		l := &c.layers[i]
		out[i] = LayerInfo{Name: l.Name, Def: l.def, Model: l.Model, Present: make([]bool, len(l.def.Columns))}
		for _, g := range c.gens {
			for _, sg := range g.segments {
				p := sg.Parts[l.Part]
				out[i].Rows += int64(p.Rows - cache.deadRows(c, l, sg))
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

// deadRows is the number of rows of a layer that belong to deleted documents of a segment.
func (s *segmentCache) deadRows(c *corpusState, l *layerState, sg *segmentState) int {
	if sg.dead == nil {
		return 0
	}
	p := s.segment(c.id, sg)
	p.mu.Lock()
	defer p.mu.Unlock()
	lp, err := p.layer(reading{c, sg}, l)
	if err != nil || lp == nil {
		return 0 // reading the layer reports the error
	}
	n := 0
	for i := range sg.Docs {
		if !sg.live(i) {
			n += int(lp.starts[i+1] - lp.starts[i])
		}
	}
	return n
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

// parts are the part numbers of the layers and indexes of a state.
func (c *corpusState) parts() map[uint16]bool {
	used := map[uint16]bool{}
	for _, l := range c.layers {
		used[l.Part] = true
	}
	for _, x := range c.indexes {
		used[x.Part] = true
	}
	return used
}
