package documents

import (
	"fmt"
	"sync"

	"parlance/storage/block"
	"parlance/storage/dbfile"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// Parts holds the decoded parts of a segment, which later readers share.
type Parts struct {
	cache  *Cache
	corpus uint32
	state  *SegmentState
	mu     sync.Mutex
	blocks map[uint16]*block.Block
	size   int

	ids    *value.Dict
	codes  []uint32
	seqs   []uint64
	tokens []int32
	ascii  []int32
	hashes []byte
	texts  []string
	fields map[string][]value.Value
	layers map[uint16]*layerPart
}

// block returns a part's block, read from the file once.
func (p *Parts) block(part uint16) (*block.Block, error) {
	if b, ok := p.blocks[part]; ok {
		return b, nil
	}
	var raw []byte
	err := p.cache.file.View(func(tx *sealed.Tx) error {
		if v := tx.Bucket(dbfile.Segment).Get(BlockKey(p.corpus, p.state.Gen, part, p.state.Number)); v != nil {
			raw = append(make([]byte, 0, len(v)), v...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, fmt.Errorf("%w: part %d of segment %d/%d is missing", dbfile.ErrCorrupt, part, p.state.Gen,
			p.state.Number)
	}
	b, err := block.Open(raw)
	if err != nil {
		return nil, err
	}
	p.blocks[part] = b
	p.size += 2 * len(raw)
	return b, nil
}

// documents decodes ids, sequence numbers and sizes.
func (p *Parts) documents() error {
	if p.seqs != nil {
		return nil
	}
	b, err := p.block(partDocuments)
	if err != nil {
		return err
	}
	if b.Rows != p.state.Docs {
		return block.Damaged("%d documents, %d are expected", b.Rows, p.state.Docs)
	}
	if p.codes, p.ids, err = b.Words(0); err != nil {
		return err
	}
	if p.tokens, err = b.Ints(3, -1); err != nil {
		return err
	}
	if p.ascii, err = b.Ints(4, -1); err != nil {
		return err
	}
	if p.hashes, err = b.Bytes(5); err != nil {
		return err
	}
	if len(p.hashes) != 16*b.Rows || p.ids == nil {
		return block.Damaged("documents are incomplete")
	}
	p.seqs, err = b.Longs(1)
	return err
}

func (p *Parts) id(i int) string { return p.ids.Words[p.codes[i]] }

// Seqs are the sequence numbers of the documents, ascending.
func (p *Parts) Seqs() []uint64 { return p.seqs }

// Content returns the content hash of document i, as it was written, and its number of tokens.
func (p *Parts) Content(i int) (hash [16]byte, tokens int) {
	if p.tokens != nil {
		tokens = int(p.tokens[i])
	}
	return p.hash(i), tokens
}

func (p *Parts) hash(i int) [16]byte { return [16]byte(p.hashes[16*i : 16*i+16]) }

// text decodes the texts.
func (p *Parts) text() error {
	if p.texts != nil {
		return nil
	}
	b, err := p.block(partDocuments)
	if err != nil {
		return err
	}
	lens, err := b.Ints(2, -1)
	if err != nil {
		return err
	}
	tb, err := p.block(partTexts)
	if err != nil {
		return err
	}
	raw, err := tb.Bytes(0)
	if err != nil {
		return err
	}
	all := string(raw)
	texts := make([]string, len(lens))
	at := 0
	for i, n := range lens {
		if n < 0 || at+int(n) > len(all) {
			return block.Damaged("texts are short")
		}
		texts[i] = all[at : at+int(n)]
		at += int(n)
	}
	p.texts = texts
	p.size += len(all)
	return nil
}

// field decodes a metadata column; nil if no document has it.
func (p *Parts) field(name string) ([]value.Value, error) {
	if v, ok := p.fields[name]; ok {
		return v, nil
	}
	at := -1
	for i, f := range p.state.Fields {
		if f == name {
			at = i
		}
	}
	if at < 0 {
		return nil, nil
	}
	b, err := p.block(partFields)
	if err != nil {
		return nil, err
	}
	codes, dict, err := b.Words(at)
	if err != nil {
		return nil, err
	}
	words := make([]value.Value, len(dict.Words))
	for i, w := range dict.Words {
		if w == "" {
			continue
		}
		row, _, err := value.DecodeRow([]byte(w))
		if err != nil || len(row) != 1 {
			return nil, block.Damaged("metadata column %s", name)
		}
		words[i] = row[0]
	}
	out := make([]value.Value, len(codes))
	for i, c := range codes {
		out[i] = words[c]
	}
	p.fields[name] = out
	p.size += 32 * len(out)
	return out, nil
}
