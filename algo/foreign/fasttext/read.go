// Package fasttext reads the supervised models of fastText (.bin, and .ftz with quantised vectors; version 12 of the
// file), which are binary: a head, the dictionary of words and labels, and two matrices.
package fasttext

import (
	"context"
	"strings"

	"parlance/algo/classify/averaged"
	"parlance/algo/foreign"
	"parlance/algo/option"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "fasttext", Doc: "fastText, supervised models (.bin and .ftz): maxent over the texts of " +
		"documents, which are split at blanks", New: func() foreign.Reader { return &reader{} }}
}

type reader struct {
	b      *foreign.Bytes
	prefix string
	m      averaged.Model
	model  int64 // 3: supervised
	words  int64
	labels int64
	size   int64
}

const (
	magic      = 0x2F4F16BA
	magicOther = 0xBA164F2F
	version    = 12
	supervised = 3
)

// Options declares the options.
func (r *reader) Options(s *option.Set) {
	s.Text(&r.prefix, "prefix", "__label__", "what labels begin with, in the model and as tokens of texts, as option "+
		"-label of fastText says; it is no part of the labels")
}

const wanted = "a model that fasttext supervised or quantize has written (.bin, .ftz)"

// Read reads a model.
func (r *reader) Read(ctx context.Context, f *foreign.File) (*foreign.Model, error) {
	r.b = foreign.NewBytes(f.Data)
	for _, part := range []func(){r.head, r.dictionary, r.matrices} {
		if part(); r.b.Err() != nil {
			return nil, r.b.Err()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if n := r.b.Left(); n > 0 {
		r.b.Faultf("the file is damaged", "%d bytes follow the vectors", n)
		return nil, r.b.Err()
	}
	if err := r.m.Ready(); err != nil {
		return nil, foreign.Faultf("", "%v", err)
	}
	return &foreign.Model{Kind: "maxent", Program: "fastText, file version 12", Encode: r.m.Encode}, nil
}

// head reads magic, version and the arguments of the training.
func (r *reader) head() {
	b := r.b
	switch got := b.Uint32(); {
	case b.Err() != nil:
	case got == magicOther:
		b.Go(0, "")
		b.Faultf("models of little-endian machines", "the numbers of the model have the other byte order")
	case got != magic:
		b.Go(0, "")
		b.Faultf(wanted, "the file does not begin as models of fastText do")
	}
	if v := b.Uint32(); b.Err() == nil && v != version {
		b.Faultf("version 12, of fastText 0.2 and later", "a model of the version %d", v)
	}
	var args [12]int64
	for i := range args {
		args[i] = b.Int32()
	}
	b.Int64() // threshold of sampling
	r.m.Dim, r.m.NGrams, r.m.Bucket = int(args[0]), int(args[5]), int(args[8])
	r.m.MinN, r.m.MaxN, r.model = int(args[9]), int(args[10]), args[7]
	switch {
	case b.Err() != nil:
	case r.model != supervised:
		b.Faultf("fasttext supervised trains classifiers", "the model is of word vectors, and gives no labels")
	case args[6] < 1 || args[6] > 4:
		b.Faultf("1 to 4", "the loss %d", args[6])
	default:
		r.m.Loss = []string{"hs", "sigmoid", "softmax", "sigmoid"}[args[6]-1]
	}
}

// dictionary reads words, then labels, each by falling count, and the rows that pruning has kept.
func (r *reader) dictionary() {
	b := r.b
	r.size, r.words, r.labels = b.Int32(), b.Int32(), b.Int32()
	b.Int64() // tokens of the training
	r.m.PruneSize = b.Int64()
	if b.Err() == nil && (r.words < 0 || r.labels < 0 || r.words+r.labels != r.size) {
		b.Faultf("the file is damaged", "%d words and %d labels of %d entries", r.words, r.labels, r.size)
	}
	r.m.Prefix = r.prefix
	for i := range b.Count(r.size, 10, "entries of the dictionary") {
		s, count, label := b.Zero("a word"), b.Int64(), b.Byte() == 1
		switch {
		case b.Err() != nil:
			return
		case label != (int64(i) >= r.words):
			b.Faultf("the file is damaged", "entry %d, %q, is a word among labels or a label among words", i, foreign.Short(s))
			return
		case label:
			r.m.Labels = append(r.m.Labels, strings.TrimPrefix(s, r.prefix))
			r.m.Counts = append(r.m.Counts, count)
		default:
			r.m.Words = append(r.m.Words, s)
		}
	}
	if r.m.PruneSize < 0 {
		r.m.PruneSize = -1
		return
	}
	for range 2 * b.Count(r.m.PruneSize, 8, "kept rows") {
		r.m.Pruned = append(r.m.Pruned, b.Uint32())
	}
}

func (r *reader) matrices() {
	quantised := r.b.Byte() == 1
	r.matrix(&r.m.Input, quantised)
	output := r.b.Byte() == 1
	r.matrix(&r.m.Output, quantised && output)
}

func (r *reader) matrix(m *averaged.Matrix, quantised bool) {
	b := r.b
	if !quantised {
		m.Rows, m.Columns = r.sizes(4)
		m.Values = b.Float32s(m.Rows*m.Columns, "numbers")
		return
	}
	norm := b.Byte() == 1
	m.Rows, m.Columns = r.sizes(0)
	n := b.Int32()
	m.Codes = []byte(b.Text(int64(b.Count(n, 1, "codes")), "codes"))
	r.quantiser(&m.Product)
	if norm {
		m.NormCodes = []byte(b.Text(int64(m.Rows), "codes of norms"))
		r.quantiser(&m.Norm)
	}
}

// sizes reads the numbers of rows and columns, whose product of items of some bytes must be in the file.
func (r *reader) sizes(bytes int64) (rows, columns int) {
	b := r.b
	n, m := b.Int64(), b.Int64()
	if b.Err() == nil && (n < 0 || m < 1 || m > 1<<20 || bytes > 0 && n > b.Left()/(m*bytes) || n > b.Left()) {
		b.Faultf("the file was cut short, or is damaged", "%d × %d numbers, and the file has %d bytes more", n, m, b.Left())
		return 0, 0
	}
	return int(n), int(m)
}

func (r *reader) quantiser(q *averaged.Quantiser) {
	b := r.b
	q.Dim, q.Parts, q.Size, q.LastSize = int(b.Int32()), int(b.Int32()), int(b.Int32()), int(b.Int32())
	q.Centroids = b.Float32s(b.Count(256*int64(q.Dim), 4, "numbers of centroids"), "numbers of centroids")
}
