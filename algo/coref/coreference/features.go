package coreference

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
)

// features is a compiled set of features of pairs.
type features struct {
	notation string
	set      *place.Set
}

// compile reads a set of pairs of mentions: its notation, or the name of a built-in set.
func compile(notation string) (*features, error) {
	if n, ok := place.Builtin(notation); ok {
		notation = n
	}
	if !place.Is(notation) {
		return nil, fmt.Errorf("features are a set over two mentions, such as over (n mention, m mention), or the name of "+
			"such a set; %q is none", notation)
	}
	set, err := place.Parse(notation)
	if err != nil {
		return nil, err
	}
	places := set.Places()
	if len(places) != 2 || places[0].Type != "mention" || places[1].Type != "mention" {
		return nil, fmt.Errorf("features are over two mentions, the antecedent first; these are %s", set.Header())
	}
	return &features{notation: set.String(), set: set}, nil
}

// width is how many antecedents are read at once.
const width = 64

// reader computes features of the pairs of one document after the other. It serves one goroutine.
type reader struct {
	pairs *place.Pairs
	both  int // templates of pairs
}

func newReader(f *features, res kind.Resources) (*reader, error) {
	p, err := place.NewPairs(f.set, res)
	if err != nil {
		return nil, err
	}
	_, _, both := p.Templates()
	return &reader{p, len(both)}, nil
}

func newReaders(f [2]*features, res kind.Resources) (out [2]*reader, err error) {
	if out[0], err = newReader(f[0], res); err != nil {
		return out, err
	}
	if out[1] = out[0]; f[1] != f[0] {
		out[1], err = newReader(f[1], res)
	}
	return out, err
}

// bind prepares readers for a document.
func bind(ctx context.Context, readers [2]*reader, d *document) error {
	if err := readers[0].pairs.Bind(ctx, d.text); err != nil || readers[1] == readers[0] {
		return err
	}
	return readers[1].pairs.Bind(ctx, d.text)
}

// vectors is the features of the pairs of a document, as places in a table of weights. Place 0 stands for features that
// are not there; its weight is 0.
type vectors struct {
	anaphor    []uint32    // of one mention after the other
	antecedent [2][]uint32 // by part, the same
	starts     [3][]int    // by mention: where its features begin in these
	blocks                 // of pairs
}

// bytes is what the vectors take in memory.
func (v *vectors) bytes() int {
	return 4*(len(v.anaphor)+len(v.antecedent[0])+len(v.antecedent[1])) + 24*len(v.begin) + v.blocks.bytes()
}

func (v *vectors) clone() *vectors {
	out := &vectors{anaphor: slices.Clone(v.anaphor), blocks: v.blocks.clone()}
	for k := range v.antecedent {
		out.antecedent[k] = slices.Clone(v.antecedent[k])
	}
	for k := range v.starts {
		out.starts[k] = slices.Clone(v.starts[k])
	}
	return out
}

func (v *vectors) of(i int) []uint32 { return v.anaphor[v.starts[2][i]:v.starts[2][i+1]] }

func (v *vectors) before(part, j int) []uint32 {
	return v.antecedent[part][v.starts[part][j]:v.starts[part][j+1]]
}

// read computes the features of all pairs of a document; readers has one for each part of the weights.
func (v *vectors) read(ctx context.Context, d *document, readers [2]*reader, bits int) error {
	if err := bind(ctx, readers, d); err != nil {
		return err
	}
	shift := 32 - bits
	v.reset()
	v.anaphor = v.anaphor[:0]
	for k, r := range readers {
		v.antecedent[k], v.both[k] = v.antecedent[k][:0], r.both
	}
	for k := range v.starts {
		v.starts[k] = append(v.starts[k][:0], 0)
	}
	for i := range d.mentions {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := readers[d.part(i)]
		v.anaphor = shifted(v.anaphor, r.pairs.Second(i), shift)
		v.starts[2] = append(v.starts[2], len(v.anaphor))
		for k := range v.antecedent {
			if k == 0 || d.separate {
				v.antecedent[k] = shifted(v.antecedent[k], readers[k].pairs.First(i), shift)
			}
			v.starts[k] = append(v.starts[k], len(v.antecedent[k]))
		}
		v.begin = append(v.begin, len(v.list))
		for from := d.table.First(i); from < i && r.both > 0; from += width {
			to := min(i, from+width)
			b, err := r.pairs.Block(i, from, to)
			if err != nil {
				return err
			}
			v.add(b, to-from, shift)
		}
	}
	return nil
}

// shifted appends hashes as places of a table.
func shifted(out, hashes []uint32, shift int) []uint32 {
	for _, h := range hashes {
		out = append(out, h>>shift)
	}
	return out
}

// layersOf are the layers that sets read.
func layersOf(sets ...*features) (out []kind.LayerUse) {
	out = addLayer(out, kind.LayerUse{Layer: "tokens", Columns: []string{"form"}})
	for _, f := range sets {
		for _, u := range f.set.Layers() {
			out = addLayer(out, u)
		}
	}
	return spare(out)
}

// spareColumns are those of tokens that features do without where they are missing, as in raw text.
var spareColumns = []string{"lemma", "xpos", "feats", "misc"}

// spare makes these columns optional.
func spare(list []kind.LayerUse) []kind.LayerUse {
	var columns []string
	for i, u := range list {
		if u.Layer != "tokens" || u.Optional {
			continue
		}
		list[i].Columns = nil
		for _, c := range u.Columns {
			if slices.Contains(spareColumns, c) {
				columns = append(columns, c)
			} else {
				list[i].Columns = append(list[i].Columns, c)
			}
		}
	}
	if columns == nil {
		return list
	}
	return addLayer(list, kind.LayerUse{Layer: "tokens", Columns: columns, Optional: true})
}

// withLayers adds layers and columns of tokens by their names.
func withLayers(list []kind.LayerUse, names []string) []kind.LayerUse {
	for _, n := range names {
		layer, column, found := strings.Cut(n, ".")
		u := kind.LayerUse{Layer: layer}
		if found {
			u.Columns = []string{column}
		}
		list = addLayer(list, u)
	}
	return list
}

// addLayer adds a layer, or columns of one that is there.
func addLayer(list []kind.LayerUse, u kind.LayerUse) []kind.LayerUse {
	k := slices.IndexFunc(list, func(o kind.LayerUse) bool { return o.Layer == u.Layer && o.Optional == u.Optional })
	switch {
	case k < 0:
		return append(list, kind.LayerUse{Layer: u.Layer, Columns: slices.Clone(u.Columns), Optional: u.Optional})
	case u.Columns == nil:
		list[k].Columns = nil
	case list[k].Columns == nil:
	default:
		for _, c := range u.Columns {
			if !slices.Contains(list[k].Columns, c) {
				list[k].Columns = append(list[k].Columns, c)
			}
		}
	}
	return list
}
