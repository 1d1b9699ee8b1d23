// Package tuples is the kind that reads parsed text once and stores what acquisition counts: nouns in the slots of
// predicates, pairs of clauses with their connectives, pairs of nouns with the paths and the words between them.
//
// With c the count of a row over the corpus,
//
//	tuples    c(noun, slot, predicate, negated, passive)
//	clauses   c(noun1, template1, noun2, template2, connective), the first event first
//	paths     c(noun1, noun2, path)
//	surface   c(noun1, noun2, pattern)
//
// and each row has the first sentences that it stands in as its evidence. Counts of corpora add up, so a store that is
// trained with init on a further corpus is the same, byte for byte, as one that is trained on both.
//
// What a predicate, a slot, a clause and a path are is in predicate.go, clause.go and path.go. The tables slots.tsv and
// connectives.tsv hold what depends on the language.
package tuples

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "tuples",
		Learns: "what parsed text says of nouns: slots of verbs, pairs of clauses, paths between nouns, " +
			"counted, with the sentences: `t.tuples`, `t.clauses`, `t.paths`",
		Figures:  "12.8 million tokens: a million tuples in 34 s of processor time",
		Revision: 1, Starts: true,
		Doc: "what parsed text says of nouns: the slots of verbs that they fill, clauses that follow each other, " +
			"the paths and words between two nouns, counted, with the sentences they stand in",
		Paper: "Hashimoto et al. 2009, 2012; De Saeger et al. 2008, 2011",
		New:   func() kind.Model { return &model{} },
	}
}

// settings say what is read of a sentence.
type settings struct {
	language, noun, names, surface string
	clauses                        bool
	maxPath                        int
}

type model struct {
	kind.Base
	store  *store
	shard  int // tokens of a shard in training; 0: shardTokens
	memory int // of counts and temporary data in training; 0: as count has it
	opt    struct {
		settings
		evidence, minPath int
	}
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.language, "language", "en", languages,
		"tables of slots and connectives: English, Japanese, or for any "+
			"other language the relations of Universal Dependencies")
	s.Choice(&o.noun, "noun", "head", []string{"head", "np"},
		"what a noun is: the lemma of the head, or with the words that are compounded with it, as traffic jam")
	s.Choice(&o.names, "names", "tuples", []string{"all", "tuples", "none"},
		"where names count as nouns besides common nouns: in all tables, in tuples and clauses, nowhere")
	s.Bool(&o.clauses, "clauses", true, "pairs of clauses are counted")
	s.Int(&o.maxPath, "max_path", 6, 1, 15, "words of the longest path, with both nouns; 1: none")
	s.Choice(&o.surface, "surface", "hyponymy", []string{"none", "hyponymy", "all"},
		"patterns of the words between two "+
			"nouns: none, those of hyponymy such as X and other Y, or all of at most 4 words")
	s.Int(&o.minPath, "min_path", 1, 1, math.MaxInt32,
		"occurrences of a path; pairs of nouns with rarer ones are left out")
	s.Int(&o.evidence, "evidence", 3, 0, maxEvidence,
		"sentences that are kept for each row, the first ones by document and place")
}

// Schema tells that tokens and trees are read.
func (m *model) Schema() kind.Schema {
	tokens := text.Tokens.Name
	return kind.Schema{
		Reads: []kind.LayerUse{{Layer: tokens, Columns: []string{"form", "upos"}},
			{Layer: tokens, Columns: []string{"lemma", "xpos", "feats"}, Optional: true},
			{Layer: text.Dependencies.Name}},
		Relations: relations,
	}
}

// Documents are read in chunks of this many tokens, which shards of about shardTokens share.
const (
	chunkTokens = 400_000
	shardTokens = 20_000
)

// Train reads all sentences. Besides the vocabularies and the tables it makes it takes about 128 MB; what else it needs
// goes to temporary files.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	c, err := newCollector()
	if err != nil {
		return err
	}
	err = m.read(ctx, t, c)
	if err == nil {
		m.store, err = c.build(ctx, m, t.Workers)
	}
	if err = errors.Join(err, c.close()); err != nil {
		return err
	}
	if t.Init != nil {
		first, ok := t.Init.(*model)
		if !ok {
			return fmt.Errorf("init: the model is no store of tuples")
		}
		if first.opt.settings != m.opt.settings || first.opt.evidence != m.opt.evidence {
			return fmt.Errorf("init: the store was made with other options; the same language, noun, names, clauses, " +
				"max_path, surface and evidence are wanted")
		}
		if first.opt.minPath > 1 {
			t.Notice(fmt.Sprintf("init: paths that occurred fewer than %d times there were left out",
				first.opt.minPath))
		}
		if m.store, err = join(ctx, first.store, m.store, m.opt.evidence); err != nil {
			return err
		}
	}
	m.store.dropPaths(uint64(m.opt.minPath))
	m.store.ready()
	s := m.store
	t.Notice(text.Countf("%d tuples, %d clause pairs, %d {path|paths} of pairs, %d surface patterns of pairs; %d "+
		"sentences of %d {document|documents}",
		s.table[ofTuples].len(), s.table[ofClauses].len(), s.table[ofPaths].len(), s.table[ofSurface].len(),
		s.sentences(), len(s.docs)))
	return nil
}

// read extracts what all documents have, shard by shard, and collects it in order.
func (m *model) read(ctx context.Context, t *kind.Training, c *collector) error {
	begun, last := time.Now(), time.Now()
	var docs []*text.Document
	n := 0
	flush := func() error {
		shards := shardsOf(docs, cmp.Or(m.shard, shardTokens))
		found := make([]*batch, len(shards))
		var failed error
		err := parallel.Reduce(ctx, t.Workers, len(shards),
			func(_, i int) error { found[i] = m.extract(shards[i]); return nil },
			func(i int) {
				if failed == nil {
					failed = c.take(found[i])
				}
				found[i] = nil
			})
		docs, n = docs[:0], 0
		if time.Since(last) > time.Second {
			last = time.Now()
			t.Report(kind.Progress{Step: len(c.docs), Of: max(t.On.Count(), len(c.docs)), Objective: math.NaN(),
				HeldOut: math.NaN(), Seconds: time.Since(begun).Seconds(),
				Note: text.Countf("%d {token|tokens}, %d {noun|nouns}, %d {template|templates}", c.tokens, len(c.nouns.List),
					len(c.templates.List))})
		}
		return errors.Join(err, failed)
	}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		docs = append(docs, d)
		if n += tokensOf(d); n >= chunkTokens {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.tokens == 0:
		return fmt.Errorf("%w: there are no tokens with upos", kind.ErrNoData)
	case c.bare == c.sentences():
		return fmt.Errorf("%w: no sentence has dependencies; a parser writes them: TRAIN depparser or "+
			"transition_parser, then TRAIN tuples … USING its name", kind.ErrNoData)
	}
	if c.bare+c.odd > 0 {
		t.Notice(text.Countf("%d {sentence is|sentences are} left out: %d have no dependencies, those of %d are no tree or "+
			"have "+
			"over %d {token|tokens}",
			c.bare+c.odd, c.bare, c.odd, maxTokens))
	}
	return nil
}

func tokensOf(d *text.Document) int {
	if l := d.Layer(text.Tokens.Name); l != nil {
		return l.N + 1
	}
	return 1
}

// shardsOf cuts documents into parts that depend on them alone.
func shardsOf(docs []*text.Document, tokens int) (out [][]*text.Document) {
	from, n := 0, 0
	for i, d := range docs {
		if n += tokensOf(d); n >= tokens || i == len(docs)-1 {
			out = append(out, docs[from:i+1])
			from, n = i+1, 0
		}
	}
	return out
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.store == nil {
		return 0
	}
	return m.store.bytes()
}

// Encode writes vocabularies and tables.
func (m *model) Encode(w *kind.Writer) error { return m.store.encode(w) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.store, err = decode(r); err == nil {
		m.store.ready()
	}
	return err
}
