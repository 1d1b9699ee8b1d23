package pairrelation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

// knowledge is what the model looks into.
type knowledge struct {
	rules  rules
	sim    *similarity  // nil without
	counts kind.Lexicon // nil without
}

// look finds what the options name.
func (o *options) look(res kind.Resources) (*knowledge, error) {
	k := &knowledge{rules: rules{opt: o, function: map[string]bool{}}}
	for _, w := range o.function {
		k.rules.function[w] = true
	}
	if res == nil && (o.lexicon != "" || o.similarity != "" || o.counts != "") {
		return nil, errors.New("there is nothing to look lexicon, similarity and counts up in")
	}
	if o.lexicon != "" {
		kb, err := res.KB(o.lexicon)
		if err != nil {
			return nil, fmt.Errorf("option lexicon: %w", err)
		}
		k.rules.lex = &lexicon{kb, &o.names, o.inflections}
	}
	if o.similarity != "" {
		m, err := res.Model(o.similarity)
		if err != nil {
			return nil, fmt.Errorf("option similarity: %w", err)
		}
		if k.sim, err = newSimilarity(m, o.similarity); err != nil {
			return nil, err
		}
	}
	if o.counts != "" {
		l, err := res.Lexicon(o.counts)
		if err != nil {
			return nil, fmt.Errorf("option counts: %w", err)
		}
		k.counts = l
	}
	return k, nil
}

// check reports relations that options name and the knowledge base lacks; defaults may be missing.
func (k *knowledge) check(o *options) error {
	if k.rules.lex == nil {
		return nil
	}
	var plain options
	var set option.Set
	plain.declare(&set)
	known := k.rules.lex.kb.Relations()
	mine, defaults := o.names.all(), plain.names.all()
	for i, n := range mine {
		for _, r := range n.list {
			if !slices.Contains(known, r) && !slices.Contains(defaults[i].list, r) {
				return fmt.Errorf("option %s: knowledge base %s has no relation %s%s", n.option, o.lexicon, r,
					option.DidYouMean(r, known))
			}
		}
	}
	return nil
}

// named is an option that lists relations.
type named struct {
	option string
	list   []string
}

func (n *names) all() []named {
	return []named{{"synonym", n.synonym}, {"antonym", n.antonym}, {"near", n.near}, {"hypernym", n.hypernym},
		{"meronym", n.meronym}, {"alias", n.alias},
		{"variant", n.variant}, {"reading", n.reading}, {"misuse", n.misuse}, {"precedes", n.order}, {"synset", n.synset},
		{"lemma", n.lemma}}
}

// complete adds what resources tell of a pair to what it came with.
func (k *knowledge) complete(ctx context.Context, term1, term2 string, f facts, run *kind.Run) (facts, error) {
	if k.counts != nil {
		f.count1, f.count2 = k.count(term1, f.count1), k.count(term2, f.count2)
	}
	if k.sim == nil {
		return f, nil
	}
	rank, score, ok, err := k.sim.find(ctx, term1, term2, run)
	if err != nil {
		return f, err
	}
	if f.rank == 0 {
		f.rank = rank
	}
	if ok && !f.scored {
		f.score, f.scored = score, true
	}
	if f.back == 0 {
		f.back, score, ok, err = k.sim.find(ctx, term2, term1, run)
		if ok && !f.scored {
			f.score, f.scored = score, true
		}
	}
	return f, err
}

func (k *knowledge) count(word string, known float64) float64 {
	if known >= 0 {
		return known
	}
	n, err := strconv.ParseFloat(k.counts.Lookup(word, "count"), 64)
	if err != nil || !(n >= 0) {
		return -1
	}
	return n
}

// similarity reads the terms that a model finds similar to a term.
type similarity struct {
	trained      kind.Trained
	args         int
	word, column int // of the similar term, and of its score
	pair         int // arguments of the relation similarity, 0 without it
	score        int // column of it
}

// newSimilarity finds the relation similar of a model.
func newSimilarity(t kind.Trained, name string) (*similarity, error) {
	s := &similarity{trained: t, word: -1, column: -1}
	for _, r := range t.Model.Schema().Relations {
		if i := slices.IndexFunc(r.Columns,
			func(c kind.Column) bool {
				return c.Name == "score" && c.Type == value.Float
			}); r.Name == "similarity" && i >= 0 && len(r.Args) > 1 {
			s.pair, s.score = len(r.Args), i
		}
		if r.Name != "similar" || len(r.Args) == 0 || r.Args[0].Type != value.Text {
			continue
		}
		s.args = len(r.Args)
		for i, c := range r.Columns {
			switch {
			case c.Type == value.Text && s.word < 0:
				s.word = i
			case c.Name == "score" && c.Type == value.Float:
				s.column = i
			}
		}
	}
	if s.word < 0 || s.column < 0 {
		return nil, fmt.Errorf(
			"option similarity: model %s has no relation similar(word) with a word and a score; models of kind similarity do",
			name)
	}
	return s, nil
}

// maxListed is the number of similar terms that are looked through.
const maxListed = 1000

// open opens a relation with the first of its arguments; nil where the model knows no such words.
func (s *similarity) open(ctx context.Context, relation string, args int, run *kind.Run,
	words ...string) (kind.Rows, error) {
	list := make([]value.Value, args)
	for i, w := range words {
		list[i] = value.Str(w)
	}
	inner := *run
	inner.Resources, inner.Wanted, inner.Roles, inner.Prefix, inner.Limit = s.trained.Resources, nil, nil, "", 0
	rows, err := s.trained.Model.Open(ctx, relation, list, &inner)
	var unknown *kind.Unknown
	if errors.As(err, &unknown) {
		return nil, ctx.Err()
	}
	return rows, err
}

// find returns rank and score of a term among those similar to another; 0 where it is not listed, and
// false where there is no score either.
func (s *similarity) find(ctx context.Context, of, term string,
	run *kind.Run) (rank int, score float64, ok bool, err error) {
	rows, err := s.open(ctx, "similar", s.args, run, of)
	if rows == nil || err != nil {
		return 0, 0, false, err
	}
	defer rows.Close()
	for rank < maxListed {
		b, err := rows.Next(ctx)
		if err != nil {
			return 0, 0, false, err
		}
		if b == nil {
			break
		}
		for i := range b.N {
			rank++
			if word := b.Cols[s.word].At(i); word.S == term {
				score, ok := number(b.Cols[s.column].At(i))
				return rank, score, ok, nil
			}
		}
	}
	score, ok, err = s.exact(ctx, of, term, run)
	return 0, score, ok, err
}

// exact returns the similarity of two terms that may be in no list.
func (s *similarity) exact(ctx context.Context, a, b string, run *kind.Run) (float64, bool, error) {
	if s.pair == 0 {
		return 0, false, nil
	}
	rows, err := s.open(ctx, "similarity", s.pair, run, a, b)
	if rows == nil || err != nil {
		return 0, false, err
	}
	defer rows.Close()
	batch, err := rows.Next(ctx)
	if batch == nil || err != nil {
		return 0, false, err
	}
	score, ok := number(batch.Cols[s.score].At(0))
	return score, ok, nil
}
