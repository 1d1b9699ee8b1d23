// Package brown is the kind of hierarchical word clusters (Brown et al. 1992; Liang 2005): words of
// raw text by the words next to them, with bit strings whose prefixes are coarser clusters.
package brown

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "brown",
		Learns:   "clusters of words of raw text, for the templates of others: `lexicon(c, bits, 4)`",
		Figures:  "500 training sentences without tags: F1 79.8 without clusters, 85.9 with them",
		Revision: 1,
		Doc: "hierarchical clusters of words, found in raw text by the mutual information of neighbouring clusters; " +
			"can be used as a lexicon",
		Paper: "Brown, deSouza, Mercer, Della Pietra and Lai 1992; Liang 2005",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	words  []string // the most frequent first
	counts []uint32
	of     []uint32 // cluster of each word
	bits   []string // of clusters
	index  map[string]uint32
	opt    struct {
		clusters, minCount int
		lower              bool
	}
}

// maxClusters bounds the tables of pairs of clusters, 32 bytes a pair.
const maxClusters = 4000

// Options declares the options.
func (m *model) Options(s *option.Set) {
	s.Int(&m.opt.clusters, "clusters", 256, 2, maxClusters,
		"number of clusters, that is of different bit strings, at most; time grows with it, memory with its square")
	s.Int(&m.opt.minCount, "min_count", 2, 1, math.MaxInt32, "rarer words belong to no cluster")
	s.Bool(&m.opt.lower, "lower", false, "words are taken in lower case, in training and where they are looked up")
}

var wordRelation = kind.Relation{Name: "words",
	Doc: "words with their clusters, the most frequent first; can be used as a lexicon", Columns: []kind.Column{
		{Name: "word", Type: value.Text, Doc: "word form"},
		{Name: "bits", Type: value.Text, Doc: "path to the cluster in the tree of mergers; what shares a prefix is similar"},
		{Name: "count", Type: value.Integer, Doc: "occurrences in the training data"}}}

var clusterRelation = kind.Relation{Name: "clusters", Doc: "clusters by their bit strings", Columns: []kind.Column{
	{Name: "bits", Type: value.Text, Doc: "path in the tree of mergers"},
	{Name: "size", Type: value.Integer, Doc: "number of words"},
	{Name: "count", Type: value.Integer, Doc: "occurrences of its words"},
	{Name: "words", Type: value.Text, Doc: "its most frequent words, at most 10"}}}

// Schema tells that forms are read and nothing is written.
func (m *model) Schema() kind.Schema {
	use := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}}
	return kind.Schema{Unit: kind.PerDocument, Reads: use, Learns: use,
		Relations: []kind.Relation{wordRelation, clusterRelation}}
}

// Train counts neighbours and clusters the words.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if t.Shards != nil {
		return m.trainShards(ctx, t)
	}
	r, err := read(ctx, t.On, m.opt.lower)
	if err != nil {
		return err
	}
	v, err := m.rank(t, r)
	if err != nil {
		return err
	}
	r.renumber(v)
	big, err := countPairs(ctx, r.stream, len(v.words), count.Options{Workers: t.Workers})
	if err != nil {
		return err
	}
	return m.cluster(ctx, t, v, big)
}

// rank chooses the words that are clustered.
func (m *model) rank(t *kind.Training, r *corpus) (*vocabulary, error) {
	v := r.rank(m.opt.minCount)
	if len(v.words) == 1 {
		return nil, fmt.Errorf("%w: no word occurs %d times; min_count = 1 takes all", kind.ErrNoData, m.opt.minCount)
	}
	if n := len(v.words); n <= m.opt.clusters {
		t.Notice(text.Countf("the words are %d, so that each has a cluster of its own", n-1))
	}
	return v, nil
}

// cluster finds the clusters of the words.
func (m *model) cluster(ctx context.Context, t *kind.Training, v *vocabulary, big *bigrams) error {
	c, err := cluster(ctx, big, m.opt.clusters, t)
	if err != nil {
		return err
	}
	m.words, m.counts, m.bits = v.words[1:], v.counts[1:], c.bits
	m.of = make([]uint32, len(m.words))
	for i := range m.of {
		m.of[i] = uint32(c.cluster[i+1])
	}
	m.ready()
	return nil
}

// ready indexes the words.
func (m *model) ready() {
	m.index = make(map[string]uint32, len(m.words))
	for i, w := range m.words {
		m.index[w] = uint32(i)
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

var _ kind.Lexicon = (*model)(nil)

// Lookup returns the bits or the count of a word, "" if either the word or the column is unknown.
func (m *model) Lookup(word, column string) string {
	if m.opt.lower {
		word = strings.ToLower(word)
	}
	i, ok := m.index[word]
	switch {
	case ok && column == "bits":
		return m.bits[m.of[i]]
	case ok && column == "count":
		return strconv.Itoa(int(m.counts[i]))
	}
	return ""
}

// Columns names the columns of words.
func (m *model) Columns() []string { return wordRelation.ColumnNames() }

// Rows returns the row of a word, none of an unknown one.
func (m *model) Rows(word string) [][]string {
	if m.opt.lower {
		word = strings.ToLower(word)
	}
	if i, ok := m.index[word]; ok {
		return [][]string{m.wordRow(int(i))}
	}
	return nil
}

func (m *model) wordRow(i int) []string {
	return []string{m.words[i], m.bits[m.of[i]], strconv.Itoa(int(m.counts[i]))}
}

// All yields the rows of all words.
func (m *model) All(ctx context.Context) iter.Seq2[[]string, error] {
	return kind.WordRows(ctx, len(m.words), m.wordRow)
}

// Has reports whether words have a column.
func (m *model) Has(column string) bool { return column == "bits" || column == "count" }

// Open opens words or clusters.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case wordRelation.Name:
		return kind.RowsOf(wordRelation, func(yield func([]value.Value) bool) {
			for i, w := range m.words {
				if !yield([]value.Value{value.Str(w), value.Str(m.bits[m.of[i]]), value.Int(int64(m.counts[i]))}) {
					return
				}
			}
		}), nil
	case clusterRelation.Name:
		return m.clusters(), nil
	}
	return nil, kind.ErrNoRelation
}

// clusters lists the clusters that have words; that of the boundary may have none.
func (m *model) clusters() kind.Rows {
	members := make([][]uint32, len(m.bits))
	for i, c := range m.of {
		members[c] = append(members[c], uint32(i))
	}
	order := make([]int, 0, len(m.bits))
	for c := range m.bits {
		if len(members[c]) > 0 {
			order = append(order, c)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(m.bits[a], m.bits[b]) })
	return kind.RowsOf(clusterRelation, func(yield func([]value.Value) bool) {
		for _, c := range order {
			total, names := int64(0), []string(nil)
			for _, i := range members[c] {
				total += int64(m.counts[i])
				if len(names) < 10 {
					names = append(names, m.words[i])
				}
			}
			if !yield([]value.Value{value.Str(m.bits[c]), value.Int(int64(len(members[c]))), value.Int(total),
				value.Str(strings.Join(names, " "))}) {
				return
			}
		}
	})
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	for _, w := range m.words {
		n += int64(len(w)) + 64
	}
	return n + int64(8*len(m.words)+64*len(m.bits))
}

// Encode writes words, counts and clusters.
func (m *model) Encode(w *kind.Writer) error {
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	if err := w.Uint32s("counts", m.counts); err != nil {
		return err
	}
	if err := w.Uint32s("clusters", m.of); err != nil {
		return err
	}
	return w.Strings("bits", m.bits)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if m.counts, err = r.Uint32s("counts"); err != nil {
		return err
	}
	if m.of, err = r.Uint32s("clusters"); err != nil {
		return err
	}
	if m.bits, err = r.Strings("bits"); err != nil {
		return err
	}
	if len(m.counts) != len(m.words) {
		return kind.Corrupt("counts", "one a word is wanted")
	}
	if len(m.of) != len(m.words) {
		return kind.Corrupt("clusters", "one a word is wanted")
	}
	for _, c := range m.of {
		if int(c) >= len(m.bits) {
			return kind.Corrupt("clusters", "a cluster has no bits")
		}
	}
	m.ready()
	return nil
}
