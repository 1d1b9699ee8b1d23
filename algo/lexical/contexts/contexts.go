// Package contexts is the kind that counts words in their contexts: neighbours within a window, or what
// governs them and depends on them in parsed text. Similarities and classes of words are learned from it.
package contexts

import (
	"context"
	"errors"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "contexts",
		Learns:   "words in their contexts, raw or parsed text, counted; for the next two",
		Revision: 1,
		Doc: "counts of words in their contexts: heads and dependents, or neighbours, of the words with the most " +
			"contexts and the contexts with the most words",
		Paper: "Kazama, De Saeger, Kuroda, Murata and Torisawa 2010",
		New:   func() kind.Model { return &model{} },
	}
}

// Where contexts come from.
const (
	byDependency = "dependency"
	byWindow     = "window"
	byCounts     = "counts"
)

type model struct {
	kind.Base
	*cooccurrence.Matrix
	columns *cooccurrence.Index // of each context its words
	memory  int                 // of the counts in training; 0: as count has it
	opt     struct {
		contexts, word, position, direction string
		window                              int
		fold, lower, symbols                bool
		tags, stopTags, stopRelations, join []string
		minCount, minContexts, minWords     int
		maxWords, maxContexts               int
	}
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.contexts, "contexts", byDependency, []string{byDependency, byWindow, byCounts},
		"dependency: heads and dependents with their relation; window: neighbours; counts: a table of words, contexts and "+
			"counts")
	s.Choice(&o.word, "word", "form", []string{"form", "lemma"}, "what a word is; a token without a lemma counts by "+
		"its form")
	s.Bool(&o.lower, "lower", true, "words are taken in lower case")
	s.Bool(&o.symbols, "symbols", false, "tokens without a letter are words too")
	s.List(&o.tags, "tags", nil, "universal parts of speech of the words, such as NOUN, PROPN; none: all. Contexts may "+
		"be of any")
	s.List(&o.stopTags, "stop_tags", nil, "universal parts of speech of tokens that are neither words nor contexts")
	s.Int(&o.window, "window", 2, 1, 100, "neighbours on either side, within the sentence").Per("tokens")
	s.Choice(&o.position, "position", "offset", []string{"offset", "side", "none"},
		"what tells contexts of a window apart besides the neighbour: its offset, its side, nothing")
	s.Choice(&o.direction, "direction", "both", []string{"governor", "dependent", "both"},
		"contexts of a word in a tree: its head, as obj(drink,_), its dependents, as amod(_,red), or both")
	s.Bool(&o.fold, "fold", true, "case markers such as prepositions become part of the relation, as in "+
		"obl:with(drink,_), and are no contexts")
	s.List(&o.stopRelations, "stop_relations", []string{"punct"}, "relations that make no contexts, with all their "+
		"subtypes")
	s.List(&o.join, "join", nil, "relations that join a token with its head to one word, where the two stand together, "+
		"such as compound, flat: New York")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "pairs of word and context that are rarer are left out")
	s.Int(&o.minContexts, "min_contexts", 1, 1, math.MaxInt32, "words with fewer different contexts are left out")
	s.Int(&o.minWords, "min_words", 1, 1, math.MaxInt32, "contexts with fewer different words are left out")
	s.Int(&o.maxWords, "max_words", 1000000, 1, math.MaxInt32, "words kept: those with the most different contexts")
	s.Int(&o.maxContexts, "max_contexts", 100000, 1, math.MaxInt32, "contexts kept: those with the most different words")
}

// Schema tells that tokens and trees are read, or a table of counts.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Relations: relations}
	if m.opt.contexts == byCounts {
		s.Tables = []kind.TableUse{cooccurrence.Table}
		return s
	}
	columns := []string{"form"}
	if m.opt.word == "lemma" {
		columns = append(columns, "lemma")
	}
	if len(m.opt.tags)+len(m.opt.stopTags) > 0 {
		columns = append(columns, "upos")
	}
	s.Reads = []kind.LayerUse{{Layer: text.Tokens.Name, Columns: columns}}
	if m.opt.contexts == byDependency {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Dependencies.Name})
	}
	return s
}

// Train counts and chooses. Besides the texts it takes 128 MB for counting, the rest of which goes to temporary files,
// and 24 bytes for each pair that is kept.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if t.Shards != nil {
		return m.trainShards(ctx, t)
	}
	if m.opt.contexts == byCounts {
		table, ok := t.On.Table(cooccurrence.Table.Name)
		if !ok {
			return fmt.Errorf("%w: the input has no table %s", kind.ErrNoData, cooccurrence.Table.Name)
		}
		all, err := cooccurrence.Read(ctx, table)
		if err != nil {
			return err
		}
		return m.choose(ctx, t, source{all.Words, func(k uint32) string { return all.Contexts[k] }, len(all.Contexts),
			matrixCells(all)})
	}
	c := m.newCounter(ctx, t.Workers)
	err := m.count(ctx, t, c)
	if err == nil {
		err = m.choose(ctx, t, c.source(ctx))
	}
	return errors.Join(err, c.pairs.Close())
}

// ready indexes the contexts.
func (m *model) ready() { m.columns = m.Rows.Transpose(len(m.Contexts)) }

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.Matrix == nil {
		return 0
	}
	return m.Matrix.Bytes() + int64(12*len(m.columns.IDs)+8*len(m.columns.Start))
}

// Encode writes words, contexts and counts.
func (m *model) Encode(w *kind.Writer) error { return m.Matrix.Encode(w) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	x, err := cooccurrence.Decode(r)
	if err != nil {
		return err
	}
	m.Matrix = x
	m.ready()
	return nil
}
