package lda

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "lda",
		Learns: "topics of words and documents of raw text, for the templates of others: `lexicon(topics, " +
			"topic)`",
		Figures:  "R8, 8 topics: purity 0.84; the largest class alone 0.52",
		Revision: 1,
		Doc: "topics of words and documents, found in raw text by collapsed Gibbs sampling (latent Dirichlet " +
			"allocation); can be used as a lexicon",
		Paper: "Blei, Ng and Jordan 2003; Griffiths and Steyvers 2004",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	Words     []string  `state:"words"` // the most frequent first
	Counts    []uint32  `state:"counts,len=Words"`
	Start     []uint32  `state:"words.start,rows=Words,into=IDs"` // topics of word i are ids[start[i]:start[i+1]], rising, with p(topic | word)
	IDs       []uint32  `state:"words.topics,below=Shares"`
	Probs     []float64 `state:"words.probs,len=IDs,from=0,to=1"`
	Shares    []float64 `state:"shares,from=0,to=1"` // of topics
	Documents docTopics `state:"documents"`
	index     map[string]uint32
	opt       struct {
		topics, iterations, average, minCount int
		alpha, beta, maxShare                 float64
		lower                                 bool
	}
}

var _ lexical.Classes = (*model)(nil)
var _ kind.Lexicon = (*model)(nil)

// maxTokens bounds what is held at once.
const maxTokens = 1 << 28

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Int(&o.topics, "topics", 100, 2, 10000, "number of topics; time grows with it")
	s.Int(&o.iterations, "iterations", 200, 1, math.MaxInt32, "sweeps over all tokens")
	s.Int(&o.average, "average", 20, 1, math.MaxInt32, "sweeps at the end whose counts are added up")
	s.Float(&o.alpha, "alpha", 0.1, 1e-6, 1000, "prior count α of a topic in a document")
	s.Float(&o.beta, "beta", 0.01, 1e-6, 1000, "prior count β of a word in a topic")
	s.Int(&o.minCount, "min_count", 2, 1, math.MaxInt32, "rarer words are left out")
	s.Float(&o.maxShare, "max_share", 0.3, 0, 1, "words in a larger share of the documents, which tell no topic, "+
		"are left out")
	s.Bool(&o.lower, "lower", true, "words are taken in lower case, in training and where they are looked up")
}

// Schema tells that forms are read and nothing is written.
func (m *model) Schema() kind.Schema {
	use := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}}
	return kind.Schema{Unit: kind.PerDocument, Reads: use, Learns: use, Relations: relations}
}

// corpus is the words of documents.
type corpus struct {
	ids    map[string]uint32
	words  []string
	counts []uint32
	docs   []uint32 // documents with the word
	last   []int32  // last document that counted
	first  []int32
	stream []uint32
	names  []string // of documents
}

// read reads all tokens that hold a letter.
func (m *model) read(ctx context.Context, in kind.Input) (*corpus, error) {
	c := &corpus{ids: map[string]uint32{}, first: []int32{0}}
	for d, err := range in.Documents(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		l := d.Layer(text.Tokens.Name)
		if l == nil {
			continue
		}
		for _, f := range l.Strs("form") {
			if m.opt.lower {
				f = strings.ToLower(f)
			}
			if strings.IndexFunc(f, unicode.IsLetter) < 0 {
				continue
			}
			id, ok := c.ids[f]
			if !ok {
				f = strings.Clone(f)
				id = uint32(len(c.words))
				c.ids[f] = id
				c.words, c.counts = append(c.words, f), append(c.counts, 0)
				c.docs, c.last = append(c.docs, 0), append(c.last, -1)
			}
			if c.counts[id]++; c.last[id] != int32(len(c.names)) {
				c.last[id] = int32(len(c.names))
				c.docs[id]++
			}
			c.stream = append(c.stream, id)
		}
		if len(c.stream) > maxTokens {
			return nil, fmt.Errorf("the corpus has more than %d tokens", maxTokens)
		}
		c.first, c.names = append(c.first, int32(len(c.stream))), append(c.names, d.ID)
	}
	return c, nil
}

// choose keeps words that are neither rare nor everywhere, the most frequent first.
func (m *model) choose(c *corpus) *sampler {
	var keep []uint32
	for id, n := range c.counts {
		if int(n) >= m.opt.minCount && (len(c.names) == 1 ||
			float64(c.docs[id]) <= m.opt.maxShare*float64(len(c.names))) {
			keep = append(keep, uint32(id))
		}
	}
	slices.SortFunc(keep, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(c.counts[b], c.counts[a]), cmp.Compare(c.words[a], c.words[b]))
	})
	place := make([]int32, len(c.words))
	for i := range place {
		place[i] = -1
	}
	m.Words, m.Counts = nil, nil
	for i, id := range keep {
		place[id] = int32(i)
		m.Words, m.Counts = append(m.Words, c.words[id]), append(m.Counts, c.counts[id])
	}
	s := &sampler{topics: m.opt.topics, alpha: m.opt.alpha, beta: m.opt.beta, vocabulary: len(keep), first: []int32{0}}
	for d := range c.names {
		for _, id := range c.stream[c.first[d]:c.first[d+1]] {
			if w := place[id]; w >= 0 {
				s.word = append(s.word, uint32(w))
			}
		}
		s.first = append(s.first, int32(len(s.word)))
	}
	return s
}

// Train samples topics. It takes 8 bytes a token and 4·topics bytes a word and a document, and one thread.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	c, err := m.read(ctx, t.On)
	if err != nil {
		return err
	}
	s := m.choose(c)
	if len(s.word) == 0 {
		return fmt.Errorf("%w: no word occurs %d times in at most %g of the documents; min_count = 1 and "+
			"max_share = 1 take all", kind.ErrNoData, m.opt.minCount, m.opt.maxShare)
	}
	source := rand.NewPCG(t.Seed, 1)
	r := rand.New(source)
	s.draw(r)
	done, words, docs := 0, make([]float64, s.vocabulary*s.topics), make([]float64, len(c.names)*s.topics)
	state := checkpoint.State{{Section: "done", Part: checkpoint.Value(&done)},
		{Section: "random", Part: checkpoint.Random(source)},
		{Section: "topics", Part: checkpoint.Integers(&s.topic)}, {Section: "words",
			Part: checkpoint.Float64s(words)}, {Section: "documents", Part: checkpoint.Float64s(docs)}}
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return err
		}
		if len(s.topic) != len(s.word) || slices.ContainsFunc(s.topic,
			func(k uint16) bool { return int(k) >= s.topics }) {
			return kind.Corrupt("topics", "topics are not those of the tokens")
		}
	}
	s.count()
	keep := checkpoint.NewKeeper(t)
	for done < m.opt.iterations {
		if err := s.sweep(ctx, r); err != nil {
			return err
		}
		done++
		if done > m.opt.iterations-m.opt.average {
			for i, n := range s.byWord {
				words[i] += float64(n)
			}
			for i, n := range s.byDoc {
				docs[i] += float64(n)
			}
		}
		t.Report(kind.Progress{Step: done, Of: m.opt.iterations, Objective: -s.logJoint(), HeldOut: math.NaN()})
		if err := keep.Save(state.Write); err != nil {
			return err
		}
	}
	m.adopt(s.topics, words, docs, c.names)
	return nil
}

// adopt makes probabilities of sums of counts.
func (m *model) adopt(topics int, words, docs []float64, names []string) {
	m.Start, m.IDs, m.Probs, m.Shares = []uint32{0}, nil, nil, make([]float64, topics)
	all := 0.0
	for i := range m.Words {
		row, sum := words[i*topics:][:topics], 0.0
		for k, n := range row {
			sum += n
			m.Shares[k] += n
		}
		all += sum
		for k, n := range row {
			if n > 0 {
				m.IDs, m.Probs = append(m.IDs, uint32(k)), append(m.Probs, n/sum)
			}
		}
		m.Start = append(m.Start, uint32(len(m.IDs)))
	}
	for k := range m.Shares {
		m.Shares[k] /= all
	}
	m.Documents = newDocTopics(names, docs, topics, m.opt.alpha, float64(min(m.opt.average, m.opt.iterations)))
	m.ready()
}

// ready indexes the words.
func (m *model) ready() {
	m.index = make(map[string]uint32, len(m.Words))
	for i, w := range m.Words {
		m.index[w] = uint32(i)
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// find returns the number of a word.
func (m *model) find(word string) (int, bool) {
	if m.opt.lower {
		word = strings.ToLower(word)
	}
	i, ok := m.index[word]
	return int(i), ok
}

// ClassCount is the number of topics.
func (m *model) ClassCount() int { return len(m.Shares) }

// ClassesOf returns P(topic | word), nothing for unknown words.
func (m *model) ClassesOf(word string) ([]uint32, []float64) {
	if i, ok := m.find(word); ok {
		return m.row(i)
	}
	return nil, nil
}

func (m *model) row(i int) ([]uint32, []float64) {
	return m.IDs[m.Start[i]:m.Start[i+1]], m.Probs[m.Start[i]:m.Start[i+1]]
}

// best is the most probable topic of a word, 0-based.
func (m *model) best(i int) (topic uint32, prob float64) {
	ids, probs := m.row(i)
	for k, p := range probs {
		if p > prob {
			topic, prob = ids[k], p
		}
	}
	return topic, prob
}

// Lookup returns the topic, its probability or the count of a word, "" if the word or the column is unknown.
func (m *model) Lookup(word, column string) string {
	i, ok := m.find(word)
	if !ok {
		return ""
	}
	if k := slices.Index(m.Columns(), column); k > 0 {
		return m.wordRow(i)[k]
	}
	return ""
}

// Columns names the columns of words.
func (m *model) Columns() []string { return wordRelation.ColumnNames() }

// Rows returns the row of a word, none of an unknown one.
func (m *model) Rows(word string) [][]string {
	if i, ok := m.find(word); ok {
		return [][]string{m.wordRow(i)}
	}
	return nil
}

func (m *model) wordRow(i int) []string {
	k, p := m.best(i)
	return []string{m.Words[i], strconv.Itoa(int(k) + 1), strconv.FormatFloat(p, 'g', -1, 64),
		strconv.Itoa(int(m.Counts[i]))}
}

// All yields the rows of all words.
func (m *model) All(ctx context.Context) iter.Seq2[[]string, error] {
	return kind.WordRows(ctx, len(m.Words), m.wordRow)
}

// Has reports whether words have a column.
func (m *model) Has(column string) bool { return slices.Index(m.Columns(), column) > 0 }
