// Package crfsuite reads and writes models of CRFsuite (first-order Markov CRF, version 100), which are binary: a head,
// features, two tables of texts, and for each label and attribute the features that it has.
package crfsuite

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"parlance/algo/foreign"
	"parlance/algo/option"
	"parlance/algo/seq/external"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "crfsuite", Doc: "CRFsuite, what crfsuite learn -m writes: crf over attributes that " +
		"stand in a column of tokens, where FORMAT crfsuite puts them",
		New: func() foreign.Reader { return &reader{} }, Write: write}
}

type reader struct {
	foreign.Tagger
	column     string
	b          *foreign.Bytes
	place      map[string]int64 // of the parts
	labels     []string
	attributes []string
	features   []feature
}

// feature is a weight: of an attribute for a label, or of a label after another.
type feature struct {
	transition     bool
	source, target uint32
	weight         float64
	used           bool // an attribute or a label refers to it
}

const (
	headBytes    = 48
	chunkBytes   = 12 // name, size and count
	featureBytes = 20
	version      = 100
	magic        = "lCRF"
	modelType    = "FOMC"
	byteOrder    = 0x62445371 // of a table of texts
	tableBytes   = 24         // head of a table of texts
	hashTables   = 256
)

// Options declares the options.
func (r *reader) Options(s *option.Set) {
	r.Declare(s)
	s.Choice(&r.column, "attributes", "misc", []string{"misc", "feats", "lemma", "form"},
		"column of tokens with the attributes, parted by tabs, as FORMAT crfsuite reads them")
}

// Read reads a model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	r.b = foreign.NewBytes(f.Data)
	for _, part := range []func(){r.head, r.readFeatures, r.tables} {
		if part(); r.b.Err() != nil {
			return nil, r.b.Err()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	head := external.Head{Notation: external.Attributes, Columns: []string{r.column}}
	b, err := external.NewBuilder(head, r.labels)
	if err != nil {
		return nil, foreign.Faultf("", "%v", err)
	}
	r.states(b)
	r.transitions(b)
	if err := r.b.Err(); err != nil {
		return nil, err
	}
	return r.Model(b, "CRFsuite, model version 100")
}

const wanted = "a model that crfsuite learn -m has written, which begins with lCRF"

// head reads where the parts are. The number of features that stands here is 0 in real files; that of the part counts.
func (r *reader) head() {
	b := r.b
	if got := b.Text(4, "the head"); b.Err() == nil && got != magic {
		b.Go(0, "")
		b.Faultf(wanted, "%q is no model of CRFsuite", got)
		return
	}
	at := b.At()
	size := b.Uint32()
	switch {
	case b.Err() != nil:
		return
	case int64(size) == b.Size():
	case int64(bits.ReverseBytes32(size)) == b.Size():
		b.Go(at, "")
		b.Faultf("models of little-endian machines", "the numbers of the model have the other byte order")
		return
	default:
		b.Go(at, "")
		b.Faultf("the file was cut short, or is damaged", "the model has %d bytes, and the file has %d", size, b.Size())
		return
	}
	if kind, v := b.Text(4, "the type"), b.Uint32(); b.Err() == nil && (kind != modelType || v != version) {
		b.Faultf("type FOMC, version 100", "a model of type %q and version %d", kind, v)
		return
	}
	b.Text(12, "the numbers of features, labels and attributes")
	r.place = map[string]int64{}
	for _, name := range []string{"features", "labels", "attributes", "label references", "attribute references"} {
		r.place[name] = int64(b.Uint32())
	}
}

// chunk goes to a part and returns how many entries of a size it has.
func (r *reader) chunk(part, name string, size int64) int {
	b := r.b
	b.Go(r.place[part], "the "+part)
	if got := b.Text(4, "the "+part); b.Err() == nil && got != name {
		b.Faultf("the file is damaged", "%q where %s of the %s is wanted", got, name, part)
	}
	b.Uint32() // bytes of the part
	return b.Count(int64(b.Uint32()), size, part)
}

func (r *reader) readFeatures() {
	b := r.b
	r.features = make([]feature, r.chunk("features", "FEAT", featureBytes))
	for i := range r.features {
		at := b.At()
		kind := b.Uint32()
		r.features[i] = feature{transition: kind == 1, source: b.Uint32(), target: b.Uint32(), weight: b.Float64("a weight")}
		if kind > 1 && b.Err() == nil {
			b.Go(at, "")
			b.Faultf("0 for attributes, 1 for transitions", "feature %d has the type %d", i, kind)
		}
		if b.Err() != nil {
			return
		}
	}
}

func (r *reader) tables() {
	r.labels = r.texts("labels")
	r.attributes = r.texts("attributes")
}

// texts reads a table of texts. Its places count from its own beginning. The records are found by the array that gives
// the place of each number; the hash tables are of no use here.
func (r *reader) texts(part string) []string {
	b, start := r.b, r.place[part]
	b.Go(start, "the "+part)
	if got := b.Text(4, "the "+part); b.Err() == nil && got != "CQDB" {
		b.Faultf("the file is damaged", "%q where the table of the %s is wanted", got, part)
	}
	b.Text(8, "the size")
	if order := b.Uint32(); b.Err() == nil && order != byteOrder {
		b.Faultf("the file is damaged, or of a machine of other byte order", "the mark of the byte order is %x", order)
	}
	n, array := int64(b.Uint32()), int64(b.Uint32())
	b.Go(start+array, "the places of the "+part)
	out := make([]string, b.Count(n, 4, part))
	total := int64(0)
	for i := range out {
		b.Go(start+array+4*int64(i), "the place of a text")
		b.Go(start+int64(b.Uint32()), "a text")
		id, length := b.Uint32(), int64(b.Uint32())
		s := b.Text(length, "a text")
		switch total += length; {
		case b.Err() != nil:
			return nil
		case int(id) != i || s == "" || s[len(s)-1] != 0 || total > b.Size():
			b.Faultf("the file is damaged", "the record of number %d of the %s has the number %d and %d bytes", i, part, id,
				length)
			return nil
		}
		out[i] = s[:len(s)-1]
	}
	return out
}

// references goes through the features of the sources of a part, each of which refers to features of its own.
func (r *reader) references(part, name string, sources int, use func(source uint32, list []feature)) {
	b := r.b
	if n := r.chunk(part, name, 4); b.Err() == nil && n < sources {
		b.Faultf("the file is damaged", "%d %s, at least %d are wanted", n, part, sources)
	}
	start := b.At()
	var list []feature
	for i := range sources {
		b.Go(start+4*int64(i), "a reference")
		b.Go(int64(b.Uint32()), "the features of a source")
		list = list[:0]
		for range b.Count(int64(b.Uint32()), 4, "references") {
			k := b.Uint32()
			if b.Err() != nil {
				return
			}
			if int64(k) >= int64(len(r.features)) {
				b.Faultf("the file is damaged", "a reference to feature %d of %d", k, len(r.features))
				return
			}
			f := &r.features[k]
			if f.used || f.source != uint32(i) || f.transition != (name == "LFRF") || int(f.target) >= len(r.labels) {
				b.Faultf("the file is damaged", "feature %d does not belong to number %d of the %s", k, i, part)
				return
			}
			f.used = true
			list = append(list, *f)
		}
		if b.Err() != nil {
			return
		}
		slices.SortFunc(list, func(x, y feature) int { return cmp.Compare(x.target, y.target) })
		for k := 1; k < len(list); k++ {
			if list[k].target == list[k-1].target {
				b.Faultf("the file is damaged", "number %d of the %s has two weights for a label", i, part)
				return
			}
		}
		use(uint32(i), list)
	}
}

func (r *reader) states(b *external.Builder) {
	b.Grow(len(r.features))
	var labels []uint16
	var weights []float64
	r.references("attribute references", "AFRF", len(r.attributes), func(source uint32, list []feature) {
		labels, weights = labels[:0], weights[:0]
		for _, f := range list {
			labels, weights = append(labels, uint16(f.target)), append(weights, f.weight)
		}
		if err := b.Labelled(r.attributes[source], labels, weights); err != nil {
			r.b.Faultf("", "%v", err)
		}
	})
}

func (r *reader) transitions(b *external.Builder) {
	if r.b.Err() != nil {
		return
	}
	var pairs []uint32
	var weights []float64
	r.references("label references", "LFRF", len(r.labels), func(source uint32, list []feature) {
		for _, f := range list {
			pairs, weights = append(pairs, source*uint32(len(r.labels))+f.target), append(weights, f.weight)
		}
	})
	b.Transitions(pairs, weights)
}
