// Package averaged serves classifiers that fastText has trained: the vectors of the words of a text, of their sequences
// and of the characters in them are averaged, and a linear model decides on the average (Joulin, Grave, Bojanowski and
// Mikolov 2017). Readers of the files are in algo/foreign.
package averaged

import (
	"fmt"
	"math"

	"parlance/algo/kind"
)

// Model is a classifier trained elsewhere. It never changes.
type Model struct {
	Head
	Words  []string
	Pruned []uint32 // pairs of an n-gram's bucket and the row in its place, where rows were pruned
	Input  Matrix   // rows of words, then of n-grams
	Output Matrix   // rows of labels; of a hierarchical model, of the inner nodes of its tree

	words  map[string]int32
	pruned buckets
	tree   *tree
}

// Head is what a model says of itself beside its vectors.
type Head struct {
	Dim       int      `json:"dim"`
	NGrams    int      `json:"ngrams"` // longest sequences of words
	MinN      int      `json:"minn"`   // characters of n-grams in words
	MaxN      int      `json:"maxn"`
	Bucket    int      `json:"bucket"` // of n-grams
	Loss      string   `json:"loss"`   // softmax, hs, or sigmoid for ns and ova
	Prefix    string   `json:"prefix"` // of tokens that are labels
	Labels    []string `json:"labels"`
	Counts    []int64  `json:"counts"`    // of the labels in the training, which make the tree
	PruneSize int64    `json:"prunesize"` // −1: rows of n-grams were not pruned
}

// Matrix is rows of numbers, or of codes of them.
type Matrix struct {
	Rows, Columns int
	Values        []float32 // nil for codes
	Product       Quantiser
	Codes         []byte // row·parts + part
	Norm          Quantiser
	NormCodes     []byte // by row; nil without norms
}

// Quantiser is 256 centroids for each part of a row: parts of Size numbers, the last of LastSize, whose centroids are
// packed closely.
type Quantiser struct {
	Dim, Parts, Size, LastSize int
	Centroids                  []float32
}

// centroids of a code are one byte's.
const centroids = 256

const prefix = "averaged"

// Section tells by its presence that stored weights are those of this package.
const Section = prefix + ".head"

// shape is what is stored of a matrix beside its numbers.
type shape struct {
	Rows, Columns int
	Product, Norm Quantiser
	Quantised     bool
}

func (m *Matrix) encode(w *kind.Writer, name string) error {
	s := shape{m.Rows, m.Columns, m.Product, m.Norm, m.Values == nil}
	s.Product.Centroids, s.Norm.Centroids = nil, nil
	if err := w.JSON(name, s); err != nil {
		return err
	}
	for _, x := range []struct {
		part string
		v    []float32
	}{{"values", m.Values}, {"product", m.Product.Centroids}, {"norm", m.Norm.Centroids}} {
		if err := w.Float32s(name+"."+x.part, x.v); err != nil {
			return err
		}
	}
	if err := w.Bytes(name+".codes", m.Codes); err != nil {
		return err
	}
	return w.Bytes(name+".normcodes", m.NormCodes)
}

func (m *Matrix) decode(r *kind.Reader, name string) (err error) {
	var s shape
	if err := r.JSON(name, &s); err != nil {
		return err
	}
	m.Rows, m.Columns, m.Product, m.Norm = s.Rows, s.Columns, s.Product, s.Norm
	for _, x := range []struct {
		part string
		v    *[]float32
	}{{"values", &m.Values}, {"product", &m.Product.Centroids}, {"norm", &m.Norm.Centroids}} {
		if *x.v, err = r.Float32s(name + "." + x.part); err != nil {
			return err
		}
	}
	if s.Quantised {
		m.Values = nil
	}
	if m.Codes, err = r.Bytes(name + ".codes"); err != nil {
		return err
	}
	m.NormCodes, err = r.Bytes(name + ".normcodes")
	return err
}

// Encode writes the model.
func (m *Model) Encode(w *kind.Writer) error {
	if err := w.JSON(Section, m.Head); err != nil {
		return err
	}
	if err := w.Strings(prefix+".words", m.Words); err != nil {
		return err
	}
	if err := w.Uint32s(prefix+".pruned", m.Pruned); err != nil {
		return err
	}
	if err := m.Input.encode(w, prefix+".input"); err != nil {
		return err
	}
	return m.Output.encode(w, prefix+".output")
}

// Decode reads what Encode wrote.
func Decode(r *kind.Reader) (*Model, error) {
	m := &Model{}
	if err := r.JSON(Section, &m.Head); err != nil {
		return nil, err
	}
	var err error
	if m.Words, err = r.Strings(prefix + ".words"); err != nil {
		return nil, err
	}
	if m.Pruned, err = r.Uint32s(prefix + ".pruned"); err != nil {
		return nil, err
	}
	if err = m.Input.decode(r, prefix+".input"); err != nil {
		return nil, err
	}
	if err = m.Output.decode(r, prefix+".output"); err != nil {
		return nil, err
	}
	if err := m.Ready(); err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return m, nil
}

// Ready checks that the parts belong together, and prepares looking up.
func (m *Model) Ready() error {
	if err := m.check(); err != nil {
		return err
	}
	m.words = make(map[string]int32, len(m.Words))
	for i, w := range m.Words {
		m.words[w] = int32(i)
	}
	m.pruned = newBuckets(m.Pruned)
	if m.Loss == "hs" {
		m.tree = newTree(m.Counts)
	}
	return nil
}

func (m *Model) check() error {
	rows, out := len(m.Words)+m.Bucket, len(m.Labels)
	if m.PruneSize >= 0 {
		rows = len(m.Words) + len(m.Pruned)/2
	}
	switch {
	case m.Dim < 1 || len(m.Labels) < 1 || len(m.Counts) != len(m.Labels) || m.Bucket < 0:
		return fmt.Errorf("%d numbers a vector, %d labels with %d counts, %d buckets", m.Dim, len(m.Labels), len(m.Counts),
			m.Bucket)
	case m.Loss != "softmax" && m.Loss != "hs" && m.Loss != "sigmoid":
		return fmt.Errorf("the loss %q", m.Loss)
	case m.Bucket == 0 && (m.NGrams > 1 || m.MaxN > 0):
		return fmt.Errorf("n-grams without buckets")
	case m.PruneSize >= 0 && int64(len(m.Pruned)) != 2*m.PruneSize:
		return fmt.Errorf("%d pruned rows, want %d", len(m.Pruned)/2, m.PruneSize)
	}
	for i := 1; i < len(m.Pruned); i += 2 {
		if int64(m.Pruned[i]) >= m.PruneSize {
			return fmt.Errorf("the pruned row %d is not below %d", m.Pruned[i], m.PruneSize)
		}
	}
	seen := map[string]bool{}
	for i, l := range m.Labels {
		if l == "" || seen[l] || m.Counts[i] < 0 {
			return fmt.Errorf("the label %q is empty, comes twice, or has %d examples", l, m.Counts[i])
		}
		seen[l] = true
	}
	if err := m.Input.check(rows, m.Dim); err != nil {
		return fmt.Errorf("vectors of words: %w", err)
	}
	if err := m.Output.check(out, m.Dim); err != nil {
		return fmt.Errorf("vectors of labels: %w", err)
	}
	return nil
}

func (m *Matrix) check(rows, columns int) error {
	if m.Rows != rows || m.Columns != columns {
		return fmt.Errorf("%d × %d numbers, want %d × %d", m.Rows, m.Columns, rows, columns)
	}
	for _, list := range [][]float32{m.Values, m.Product.Centroids, m.Norm.Centroids} {
		for _, v := range list {
			if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
				return fmt.Errorf("the number %g, want a finite one", f)
			}
		}
	}
	if m.Values != nil || m.Codes == nil {
		if len(m.Values) != rows*columns {
			return fmt.Errorf("%d numbers, want %d", len(m.Values), rows*columns)
		}
		return nil
	}
	if err := m.Product.check(columns); err != nil {
		return err
	}
	if len(m.Codes) != rows*m.Product.Parts {
		return fmt.Errorf("%d codes, want %d", len(m.Codes), rows*m.Product.Parts)
	}
	if len(m.NormCodes) == 0 {
		return nil
	}
	if len(m.NormCodes) != rows {
		return fmt.Errorf("%d codes of norms, want %d", len(m.NormCodes), rows)
	}
	return m.Norm.check(1)
}

func (q *Quantiser) check(dim int) error {
	if q.Dim != dim || q.Parts < 1 || q.Size < 1 || q.LastSize < 1 || q.LastSize > q.Size ||
		(q.Parts-1)*q.Size+q.LastSize != dim || len(q.Centroids) != centroids*dim {
		return fmt.Errorf("a quantiser of %d numbers in %d parts of %d, the last of %d, with %d numbers of centroids", q.Dim,
			q.Parts, q.Size, q.LastSize, len(q.Centroids))
	}
	return nil
}

// of returns the centroid of a code of a part.
func (q *Quantiser) of(part int, code byte) []float32 {
	if part == q.Parts-1 {
		return q.Centroids[part*centroids*q.Size+int(code)*q.LastSize:][:q.LastSize]
	}
	return q.Centroids[(part*centroids+int(code))*q.Size:][:q.Size]
}

// fetch reads some numbers of rows that are added next: they lie far apart in memory, and what is asked for together
// arrives together.
func (m *Matrix) fetch(rows []int) (touched float32) {
	if m.Values == nil {
		return 0
	}
	for _, r := range rows {
		for i := r * m.Columns; i < (r+1)*m.Columns; i += lineFloats {
			touched += m.Values[i]
		}
	}
	return touched
}

// lineFloats is how many numbers a line of memory has.
const lineFloats = 16

// add adds a row to a sum.
func (m *Matrix) add(row int, sum []float32) {
	if m.Values != nil {
		v := m.Values[row*m.Columns:][:len(sum)]
		i := 0
		for ; i+4 <= len(v) && i+4 <= len(sum); i += 4 {
			sum[i] += v[i]
			sum[i+1] += v[i+1]
			sum[i+2] += v[i+2]
			sum[i+3] += v[i+3]
		}
		for ; i < len(v); i++ {
			sum[i] += v[i]
		}
		return
	}
	norm := m.norm(row)
	if q := &m.Product; q.Size == 2 && q.LastSize == 2 {
		m.addPairs(row, norm, sum)
		return
	}
	at := 0
	for p := range m.Product.Parts {
		for _, v := range m.Product.of(p, m.Codes[row*m.Product.Parts+p]) {
			sum[at] += norm * v
			at++
		}
	}
}

// addPairs adds a row whose parts are of two numbers, as fastText has them unless told otherwise.
func (m *Matrix) addPairs(row int, norm float32, sum []float32) {
	c := m.Product.Centroids
	for p, code := range m.Codes[row*m.Product.Parts:][:m.Product.Parts] {
		pair, to := c[2*(p*centroids+int(code)):][:2], sum[2*p:][:2]
		to[0] += norm * pair[0]
		to[1] += norm * pair[1]
	}
}

// addAll adds rows to a sum, in their order: where they are numbers, four at a time, so that the sum is fetched and
// stored once for them.
func (m *Matrix) addAll(rows []int, sum []float32) {
	if m.Values != nil {
		for ; len(rows) >= 4; rows = rows[4:] {
			n := len(sum)
			a, b := m.Values[rows[0]*m.Columns:][:n], m.Values[rows[1]*m.Columns:][:n]
			c, d := m.Values[rows[2]*m.Columns:][:n], m.Values[rows[3]*m.Columns:][:n]
			for i := range sum {
				sum[i] = sum[i] + a[i] + b[i] + c[i] + d[i]
			}
		}
	}
	for _, r := range rows {
		m.add(r, sum)
	}
}

func (m *Matrix) norm(row int) float32 {
	if len(m.NormCodes) == 0 {
		return 1
	}
	return m.Norm.of(0, m.NormCodes[row])[0]
}

// dot is the product of a row and a vector.
func (m *Matrix) dot(row int, v []float32) (sum float32) {
	if m.Values != nil {
		for i, w := range m.Values[row*m.Columns:][:len(v)] {
			sum += w * v[i]
		}
		return sum
	}
	at := 0
	for p := range m.Product.Parts {
		for _, w := range m.Product.of(p, m.Codes[row*m.Product.Parts+p]) {
			sum += w * v[at]
			at++
		}
	}
	return sum * m.norm(row)
}

// Bytes is what the model takes in memory.
func (m *Model) Bytes() int64 {
	n := int64(0)
	for _, x := range []*Matrix{&m.Input, &m.Output} {
		n += 4*int64(len(x.Values)+len(x.Product.Centroids)+len(x.Norm.Centroids)) + int64(len(x.Codes)+len(x.NormCodes))
	}
	for _, w := range m.Words {
		n += int64(len(w)) + 48
	}
	return n + 40*int64(len(m.Pruned)/2)
}
