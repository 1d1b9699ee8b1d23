package lemmatizer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"parlance/algo/engine/online"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "lemmatizer",
		Learns:   "lemmas by rules of edits, from forms and their tags",
		Figures:  "lemmas of English EWT right: 98.9 % with gold tags, 97.1 with those of `perceptron`",
		Revision: 1,
		Doc: "lemmas of tokens by rules of edits: a dictionary of words that were seen with their tags, a classifier " +
			"over the rules for others",
		Paper: "Straka, Straková and Hajič 2019; Freund and Schapire 1999",
		New:   func() kind.Model { return &model{} },
	}
}

const lemma = "lemma"

// tagColumns are the columns of tokens that may tell words apart.
var tagColumns = []string{"upos", "xpos", "feats"}

type model struct {
	kind.Base
	opt struct {
		tags                             []string
		suffix, prefix, epochs, minCount int
	}
	rules    []rule // by falling number of pairs of form and tags, those that the classifier knows first
	pairs    []uint32
	examples []string
	words    dictionary
	features map[string]uint32
	names    []string // of the features
	weights  *online.Rows
	workers  *sync.Pool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.List(&o.tags, "tags", []string{"upos", "xpos"}, "columns of tokens that tell words apart, of upos, xpos and feats; "+
		"the first is needed, others are read where they are stored or a model writes them")
	s.Int(&o.suffix, "suffix", 6, 1, 9, "characters of the longest ending that is a feature")
	s.Int(&o.prefix, "prefix", 4, 0, 9, "characters of the longest beginning that is a feature")
	s.Int(&o.epochs, "epochs", 8, 1, math.MaxInt32,
		"passes over the pairs of form and tags at most; training ends sooner "+
			"when a pass finds no error")
	s.Int(&o.minCount, "min_count", 2, 1, math.MaxInt32, "rules of fewer pairs of form and tags are for words that were "+
		"seen alone")
	s.Check("tags", func() error {
		for i, c := range o.tags {
			if !slices.Contains(tagColumns, c) {
				return fmt.Errorf("%s is no column of tags%s; columns are %s", c, option.DidYouMean(c, tagColumns),
					strings.Join(tagColumns, ", "))
			}
			if slices.Contains(o.tags[:i], c) {
				return fmt.Errorf("tags names %s twice", c)
			}
		}
		return nil
	})
}

// Schema tells that lemmas are written beside forms and tags.
func (m *model) Schema() kind.Schema {
	reads := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}}
	if t := m.opt.tags; len(t) > 0 {
		reads[0].Columns = append(reads[0].Columns, t[0])
		if len(t) > 1 {
			reads = append(reads, kind.LayerUse{Layer: text.Tokens.Name, Columns: t[1:], Optional: true})
		}
	}
	lemmas := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{lemma}}}
	return kind.Schema{Unit: kind.PerDocument, Reads: reads, Learns: lemmas, Writes: lemmas, Prob: kind.Score,
		Relations: []kind.Relation{rulesRelation, weightsRelation}}
}

// ready prepares annotation.
func (m *model) ready() {
	m.features = make(map[string]uint32, len(m.names))
	for i, n := range m.names {
		m.features[n] = uint32(i)
	}
	m.workers = &sync.Pool{New: func() any {
		return &worker{scores: make([]float64, m.weights.Columns),
			extractor: extractor{suffix: m.opt.suffix, prefix: m.opt.prefix}}
	}}
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(12*len(m.weights.Spans) + 8*len(m.weights.Cells))
	for _, s := range m.names {
		n += int64(len(s)) + 48
	}
	for key := range m.words {
		n += int64(len(key)) + 48
	}
	return n
}

var _ kind.Sized = (*model)(nil)
