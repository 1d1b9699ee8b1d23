package documents

import (
	"fmt"

	"parlance/algo/text"
	"parlance/storage/block"
	"parlance/storage/dbfile"
	"parlance/storage/value"
)

// layerPart is the decoded columns of a layer in a segment.
type layerPart struct {
	def    *text.LayerDef
	starts []int32 // row of document i is starts[i] to starts[i+1]
	absent []byte  // bitmap of documents that lack a column, as stored; nil if none does
	cols   []*columnPart
	vecs   []*value.Vec
	hidden bool      // the block has prob and rank
	read   bool      // they are decoded
	prob   []float64 // nil if there are none
	rank   []int32
}

// columnPart is a column. A text column has dictionary codes, or its texts, or is still to be sliced from the texts of
// the documents.
type columnPart struct {
	col   text.Col // over all rows of the segment
	codes []uint32
	dict  *value.Dict
	cut   *tokenSlicer
}

// reading is the segment that is read, in the state of a snapshot.
type reading struct {
	corpus  *Corpus
	segment *SegmentState
}

// layer returns a layer, its columns not yet decoded; nil if no document has it.
func (p *Parts) layer(v reading, l *Layer) (*layerPart, error) {
	if lp, ok := p.layers[l.Part]; ok {
		return lp, nil
	}
	meta, ok := v.segment.Parts[l.Part]
	if !ok {
		return nil, nil
	}
	b, err := p.block(l.Part)
	if err != nil {
		return nil, err
	}
	rows, err := b.Ints(0, p.state.Docs)
	if err != nil {
		return nil, err
	}
	n := len(l.Def.Columns)
	hidden := b.Width() == n+4
	if b.Width() != n+1 && b.Width() != n+2 && !hidden {
		return nil, block.Damaged("layer %s has %d columns", l.Name, b.Width()-1)
	}
	lp := &layerPart{def: l.Def, starts: make([]int32, len(rows)+1), cols: make([]*columnPart, n),
		vecs: make([]*value.Vec, n), hidden: hidden}
	for i, k := range rows {
		if k < 0 {
			return nil, block.Damaged("rows of layer %s", l.Name)
		}
		lp.starts[i+1] = lp.starts[i] + k
	}
	if int(lp.starts[len(rows)]) != b.Rows || b.Rows != meta.Rows || len(rows) != p.state.Docs {
		return nil, block.Damaged("rows of layer %s", l.Name)
	}
	if b.Width() >= n+2 && b.Kind(n+1) != block.None {
		if lp.absent, err = b.Bytes(n + 1); err != nil || len(lp.absent)*8 < n*len(rows) {
			return nil, fmt.Errorf("missing columns of layer %s: %w", l.Name, orCorrupt(err))
		}
	}
	p.layers[l.Part] = lp
	return lp, nil
}

func orCorrupt(err error) error {
	if err == nil {
		return dbfile.ErrCorrupt
	}
	return err
}

// lacks reports whether document i lacks column c, which other documents have.
func (lp *layerPart) lacks(c, i int) bool {
	if lp.absent == nil {
		return false
	}
	bit := c*(len(lp.starts)-1) + i
	return lp.absent[bit/8]&(1<<(bit%8)) != 0
}

// total returns the number of rows.
func (lp *layerPart) total() int { return int(lp.starts[len(lp.starts)-1]) }

// probAndRank decodes prob and rank.
func (p *Parts) probAndRank(l *Layer, lp *layerPart) error {
	if !lp.hidden || lp.read {
		return nil
	}
	b, err := p.block(l.Part)
	if err != nil {
		return err
	}
	n := len(lp.def.Columns)
	if lp.prob, err = b.Floats(n + 2); err == nil {
		lp.rank, err = b.Ints(n+3, -1)
	}
	if err != nil {
		return fmt.Errorf("layer %s, prob and rank: %w", l.Name, err)
	}
	for _, k := range lp.rank {
		if k < 1 {
			return block.Damaged("layer %s has a rank %d", l.Name, k)
		}
	}
	lp.read = true
	p.size += 8*len(lp.prob) + 4*len(lp.rank)
	return nil
}

// column decodes a column of a layer.
func (p *Parts) column(v reading, l *Layer, lp *layerPart, c int) (*columnPart, error) {
	if lp.cols[c] != nil {
		return lp.cols[c], nil
	}
	b, err := p.block(l.Part)
	if err != nil {
		return nil, err
	}
	cp := &columnPart{}
	switch {
	case lp.def.Columns[c].Type == value.Integer:
		err = p.integers(v, l, lp, b, c, cp)
	case lp.def.Columns[c].Type == value.Float:
		cp.col.Floats, err = b.Floats(c + 1)
	default:
		err = p.strings(v, l, lp, b, c, cp)
	}
	if err != nil {
		return nil, fmt.Errorf("layer %s, column %s: %w", l.Name, lp.def.Columns[c].Name, err)
	}
	lp.cols[c] = cp
	p.size += 4*len(cp.col.Ints) + 16*len(cp.col.Strs) + 8*len(cp.col.Floats) + 4*len(cp.codes)
	return cp, nil
}

func (p *Parts) integers(v reading, l *Layer, lp *layerPart, b *block.Block, c int, cp *columnPart) (err error) {
	switch b.Kind(c + 1) {
	case block.Same:
		if lp.def == text.Dependencies {
			return p.follow(v, lp, c, cp)
		}
		sent, err := p.column(v, l, lp, 0)
		if err != nil {
			return err
		}
		if len(sent.col.Ints) != lp.total() {
			return block.Damaged("there are no sentences to count in")
		}
		cp.col.Ints = numbers(sent.col.Ints, lp.starts)
		return nil
	case block.Gaps:
		return p.offsets(b, lp, c, cp)
	case block.Arcs:
		return p.heads(v, l, lp, b, c, cp)
	}
	cp.col.Ints, err = b.Ints(c+1, -1)
	return err
}

// follow copies a column from the tokens layer.
func (p *Parts) follow(v reading, lp *layerPart, c int, cp *columnPart) error {
	toks := v.corpus.LayerOf("tokens")
	if toks == nil {
		return block.Damaged("there are no tokens to follow")
	}
	tp, err := p.layer(v, toks)
	if err != nil || tp == nil {
		return fmt.Errorf("tokens: %w", orCorrupt(err))
	}
	tc, err := p.column(v, toks, tp, c)
	if err != nil {
		return err
	}
	if len(tc.col.Ints) != lp.total() {
		return block.Damaged("%d tokens for %d rows", len(tc.col.Ints), lp.total())
	}
	cp.col.Ints = tc.col.Ints
	return nil
}

// heads restores heads from their distances to the tokens.
func (p *Parts) heads(v reading, l *Layer, lp *layerPart, b *block.Block, c int, cp *columnPart) error {
	heads, err := b.Ints(c+1, -1)
	if err != nil {
		return err
	}
	tok, err := p.column(v, l, lp, 1)
	if err != nil {
		return err
	}
	if len(tok.col.Ints) != len(heads) {
		return block.Damaged("%d tokens for %d heads", len(tok.col.Ints), len(heads))
	}
	for i, h := range heads {
		if h != 0 {
			heads[i] = block.Unzigzag(uint32(h-1)) + tok.col.Ints[i]
		}
	}
	cp.col.Ints = heads
	return nil
}

// numbers counts tokens within sentences.
func numbers(sent, starts []int32) []int32 {
	out := make([]int32, len(sent))
	for d := 1; d < len(starts); d++ {
		n := int32(0)
		for i := starts[d-1]; i < starts[d]; i++ {
			if i > starts[d-1] && sent[i] != sent[i-1] {
				n = 0
			}
			n++
			out[i] = n
		}
	}
	return out
}

// offsets restores the offsets of tokens from gaps and lengths, both columns at once.
func (p *Parts) offsets(b *block.Block, lp *layerPart, c int, cp *columnPart) error {
	gaps, err := b.Ints(3, -1)
	if err != nil {
		return err
	}
	lens, err := b.Ints(4, -1)
	if err != nil {
		return err
	}
	n := lp.total()
	if len(gaps) != n || len(lens) != n {
		return block.Damaged("gaps and lengths of %d tokens", n)
	}
	start, end := make([]int32, n), make([]int32, n)
	var g, l int32
	for d := 1; d < len(lp.starts); d++ {
		last := int32(0)
		for i := lp.starts[d-1]; i < lp.starts[d]; i++ {
			start[i] = last + gaps[i] - g
			end[i] = start[i] + lens[i] - l
			last, g, l = end[i], gaps[i], lens[i]
		}
	}
	other := &columnPart{}
	if c == 2 {
		cp.col.Ints, other.col.Ints = start, end
		lp.cols[3] = other
	} else {
		cp.col.Ints, other.col.Ints = end, start
		lp.cols[2] = other
	}
	p.size += 4 * n
	return nil
}

func (p *Parts) strings(v reading, l *Layer, lp *layerPart, b *block.Block, c int, cp *columnPart) (err error) {
	form := lp.def.Columns[c].Role == text.Form
	if b.Kind(c+1) == block.Same {
		cp.cut, err = p.slices(v, l, lp, nil)
		return err
	}
	edits := b.Kind(c+1) == block.Edits
	if cp.codes, cp.dict, err = b.Words(c + 1); err != nil || cp.dict == nil {
		return err
	}
	switch {
	case form:
		given := make([]string, len(cp.codes))
		for i, c := range cp.codes {
			given[i] = cp.dict.Words[c]
		}
		cp.codes, cp.dict = nil, nil
		cp.cut, err = p.slices(v, l, lp, given)
		return err
	case edits:
		return p.lemmas(v, l, lp, cp)
	}
	return nil
}

func (p *Parts) lemmas(v reading, l *Layer, lp *layerPart, cp *columnPart) error {
	form, err := p.column(v, l, lp, 4)
	if err != nil {
		return err
	}
	form.code()
	if form.dict == nil || len(form.codes) != len(cp.codes) {
		return block.Damaged("%d forms for %d lemmas", len(form.codes), len(cp.codes))
	}
	edits := make([]lemmaEdit, len(cp.dict.Words))
	for i, w := range cp.dict.Words {
		edits[i] = decodeEdit(w)
	}
	// There are few different pairs of form and edit, mostly one for a form, so each edit is applied once.
	type pair struct{ edit, lemma uint32 }
	usual := make([]pair, len(form.dict.Words)) // the first pair of a form, plus one
	others := map[uint64]uint32{}
	var lemmas []string
	for i, w := range cp.codes {
		f := form.codes[i]
		if usual[f].edit == w+1 {
			cp.codes[i] = usual[f].lemma
			continue
		}
		k, ok := others[uint64(f)<<32|uint64(w)]
		if !ok {
			lemma, fits := edits[w].apply(form.dict.Words[f])
			if !fits {
				return block.Damaged("a lemma does not fit its form")
			}
			k = uint32(len(lemmas))
			lemmas = append(lemmas, lemma)
			if usual[f].edit == 0 {
				usual[f] = pair{w + 1, k}
			} else {
				others[uint64(f)<<32|uint64(w)] = k
			}
		}
		cp.codes[i] = k
	}
	merge, words := intern(lemmas) // several pairs may give one lemma
	for i, k := range cp.codes {
		cp.codes[i] = merge[k]
	}
	cp.dict = words
	return nil
}

// vec makes a vector of a column that is not of integers. Rows of documents that lack the column are NULL.
func (lp *layerPart) vec(c int) *value.Vec {
	cp := lp.cols[c]
	v := &value.Vec{Type: lp.def.Columns[c].Type, Floats: cp.col.Floats}
	v.Codes, v.Dict = cp.codes, cp.dict
	for d := range len(lp.starts) - 1 {
		if lp.lacks(c, d) {
			if v.Null == nil {
				v.Null = make([]bool, lp.total())
			}
			for i := lp.starts[d]; i < lp.starts[d+1]; i++ {
				v.Null[i] = true
			}
		}
	}
	v.NullNaN()
	return v
}

// of returns the rows of document i.
func (lp *layerPart) of(name string, w LayerWant, i int) *text.Layer {
	from, to := lp.starts[i], lp.starts[i+1]
	out := &text.Layer{Def: lp.def, Name: name, N: int(to - from), Cols: make([]text.Col, len(lp.def.Columns))}
	if w.Columns == nil && lp.prob != nil {
		out.Prob = lp.prob[from:to:to]
	}
	if w.Columns == nil && lp.rank != nil {
		out.Rank = lp.rank[from:to:to]
	}
	for c, cp := range lp.cols {
		if cp == nil || !wantsColumn(w, lp.def, c) || lp.lacks(c, i) {
			continue
		}
		if cp.col.Ints != nil {
			out.Cols[c].Ints = cp.col.Ints[from:to:to]
		}
		if cp.col.Strs != nil {
			out.Cols[c].Strs = cp.col.Strs[from:to:to]
		}
		if cp.col.Floats != nil {
			out.Cols[c].Floats = cp.col.Floats[from:to:to]
		}
	}
	return out
}
