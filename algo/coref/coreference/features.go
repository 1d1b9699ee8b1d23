package coreference

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/feature/place"
	"parlance/algo/kind"
)

// features is a compiled set of features of pairs. Templates that read one of both mentions alone are sets of their own:
// they are computed once a mention, not once a pair.
type features struct {
	notation   string
	whole      *place.Set
	pair       *place.Set // nil without templates, as the others
	anaphor    *place.Set
	antecedent *place.Set
}

// compile reads a set of pairs of mentions: its notation, or the name of a built-in set.
func compile(notation string) (*features, error) {
	if n, ok := place.Builtin(notation); ok {
		notation = n
	}
	if !place.Is(notation) {
		return nil, fmt.Errorf("features are a set over two mentions, such as over (n mention, m mention), or the name of such a set; %q is none", notation)
	}
	set, err := place.Parse(notation)
	if err != nil {
		return nil, err
	}
	places := set.Places()
	if len(places) != 2 || places[0].Type != "mention" || places[1].Type != "mention" {
		return nil, fmt.Errorf("features are over two mentions, the antecedent first; these are %s", set.Header())
	}
	f := &features{notation: set.String(), whole: set}
	header := func(d place.Decl) string { return "over (" + d.String() + ")\n" }
	var lists [3][]string
	for _, t := range set.Templates() {
		k := 0
		if _, err := place.Parse(header(places[1]) + t); err == nil {
			k = 1
		} else if _, err := place.Parse(header(places[0]) + t); err == nil {
			k = 2
		}
		lists[k] = append(lists[k], t)
	}
	for k, head := range []string{set.Header() + "\n", header(places[1]), header(places[0])} {
		if len(lists[k]) == 0 {
			continue
		}
		part, err := place.Parse(head + strings.Join(lists[k], "\n"))
		if err != nil {
			return nil, err
		}
		*[]**place.Set{&f.pair, &f.anaphor, &f.antecedent}[k] = part
	}
	return f, nil
}

// reader computes features of the pairs of one document after the other. It serves one goroutine.
type reader struct {
	pair, anaphor, antecedent *place.Extractor // nil without templates
	found                     place.Found
	bits                      int
}

func newReader(f *features, bits int, res kind.Resources) (*reader, error) {
	r := &reader{bits: bits}
	for _, p := range []struct {
		set *place.Set
		x   **place.Extractor
	}{{f.pair, &r.pair}, {f.anaphor, &r.anaphor}, {f.antecedent, &r.antecedent}} {
		if p.set == nil {
			continue
		}
		x, err := place.NewExtractor(p.set, res)
		if err != nil {
			return nil, err
		}
		*p.x = x
	}
	return r, nil
}

func (r *reader) bind(d *document) {
	for _, x := range []*place.Extractor{r.pair, r.anaphor, r.antecedent} {
		if x != nil {
			x.Bind(d.text)
		}
	}
}

// places appends the places of features in a table of weights to out.
func (r *reader) places(x *place.Extractor, refs []place.Ref, out []uint32) ([]uint32, error) {
	if x == nil {
		return out, nil
	}
	r.found.Reset()
	if err := x.Extract(refs, &r.found); err != nil {
		return out, err
	}
	for _, h := range r.found.Hashes {
		out = append(out, uint32(h>>(64-r.bits)))
	}
	return out, nil
}

// vectors is the features of the pairs of a document, as places in a table of weights.
type vectors struct {
	single [2][]uint32 // of anaphors, of antecedents
	begin  [2][]uint32 // by mention
	pair   []uint32
	starts []uint32 // by pair
}

// bytes is what the vectors take in memory.
func (v *vectors) bytes() int {
	return 4 * (len(v.single[0]) + len(v.single[1]) + len(v.begin[0]) + len(v.begin[1]) + len(v.pair) + len(v.starts))
}

func (v *vectors) anaphor(i int) []uint32    { return v.single[0][v.begin[0][i]:v.begin[0][i+1]] }
func (v *vectors) antecedent(j int) []uint32 { return v.single[1][v.begin[1][j]:v.begin[1][j+1]] }
func (v *vectors) of(p int) []uint32         { return v.pair[v.starts[p]:v.starts[p+1]] }

// read computes the features of all pairs of a document; readers has one of pronouns as anaphors, and one of others.
func (v *vectors) read(ctx context.Context, d *document, readers [2]*reader) (err error) {
	v.pair, v.starts = v.pair[:0], append(v.starts[:0], 0)
	for _, r := range unique(readers) {
		r.bind(d)
	}
	if err := v.readSingle(d, readers); err != nil {
		return err
	}
	var refs [2]place.Ref
	for i, m := range d.mentions {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := readers[d.part(i)]
		refs[1] = place.Row(int(m.Row))
		for j := d.table.First(i); j < i; j++ {
			refs[0] = place.Row(int(d.mentions[j].Row))
			if v.pair, err = r.places(r.pair, refs[:], v.pair); err != nil {
				return err
			}
			v.starts = append(v.starts, uint32(len(v.pair)))
		}
	}
	return nil
}

// readSingle computes what depends on one mention.
func (v *vectors) readSingle(d *document, readers [2]*reader) (err error) {
	for k := range v.single {
		v.single[k], v.begin[k] = v.single[k][:0], append(v.begin[k][:0], 0)
		for i, m := range d.mentions {
			r := readers[d.part(i)]
			x := []*place.Extractor{r.anaphor, r.antecedent}[k]
			if v.single[k], err = r.places(x, []place.Ref{place.Row(int(m.Row))}, v.single[k]); err != nil {
				return err
			}
			v.begin[k] = append(v.begin[k], uint32(len(v.single[k])))
		}
	}
	return nil
}

// unique leaves out a reader that stands twice.
func unique(list [2]*reader) []*reader {
	if list[0] == list[1] {
		return list[:1]
	}
	return list[:]
}

// layersOf are the layers that sets read.
func layersOf(sets ...*features) (out []kind.LayerUse) {
	out = addLayer(out, kind.LayerUse{Layer: "tokens", Columns: []string{"form"}})
	for _, f := range sets {
		for _, u := range f.whole.Layers() {
			out = addLayer(out, u)
		}
	}
	return out
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
	k := slices.IndexFunc(list, func(o kind.LayerUse) bool { return o.Layer == u.Layer })
	switch {
	case k < 0:
		return append(list, kind.LayerUse{Layer: u.Layer, Columns: slices.Clone(u.Columns)})
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
