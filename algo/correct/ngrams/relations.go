package ngrams

import (
	"context"
	"math"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

var (
	colUnknown = kind.Column{Name: "unknown", Type: value.Integer, Doc: "words that the model does not know"}
	argText    = kind.Arg{Name: "text", Type: value.Text, Doc: "words of a sentence, apart by spaces, punctuation too"}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "ngrams",
		Doc: "n-grams by their words in the order of their bytes, each before those that it begins; " +
			"those that begin with the words of an argument, and ngram LIKE 'depend on %', are found at once",
		Columns: []kind.Column{
			{Name: "ngram", Type: value.Text,
				Doc: "words, apart by spaces; <s> and </s> are the ends of sentences, <unk> any other word"},
			{Name: "n", Type: value.Integer, Doc: "number of words"},
			{Name: "count", Type: value.Integer, Doc: "occurrences"},
			{Name: "log_prob", Type: value.Float,
				Doc: "log10 of the probability of the last word after the others, NULL with stupid_backoff"},
			{Name: "backoff", Type: value.Float,
				Doc: "log10 of the weight of backing off from these words, " +
					"NULL for the longest n-grams and with stupid_backoff"},
		},
		Args: []kind.Arg{{Name: "prefix", Type: value.Text, Optional: true,
			Doc: "words that the n-grams begin with, apart by spaces; all if left out"}},
		Prefix: "ngram"},
	{Name: "score", Doc: "how probable a sentence is, with its end",
		Columns: []kind.Column{
			{Name: "tokens", Type: value.Integer, Doc: "words, and the end of the sentence"},
			colUnknown,
			{Name: "log_prob", Type: value.Float, Doc: "log10 of the probability; a score with stupid_backoff"},
			{Name: "perplexity", Type: value.Float, Doc: "10^(−log_prob/tokens)"},
		}, Args: []kind.Arg{argText}},
	{Name: "token_scores", Doc: "how probable each word of a sentence is after those before it",
		Columns: []kind.Column{
			{Name: "tok", Type: value.Integer, Doc: "number of the word, from 1"},
			{Name: "word", Type: value.Text,
				Doc: "word as the model knows it, <unk> for an unknown one, </s> for the end"},
			{Name: "n", Type: value.Integer,
				Doc: "words of the longest n-gram that ends here and is known, 0 for an unknown word"},
			{Name: "log_prob", Type: value.Float, Doc: "log10 of the probability; a score with stupid_backoff"},
		}, Args: []kind.Arg{argText}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	switch name {
	case "ngrams":
		prefix := ""
		if len(args) > 0 && !args[0].IsNull() {
			prefix = args[0].S
		}
		return m.listed(relations[0], text.Fields(prefix), run.Prefix), nil
	case "score":
		return m.score(relations[1], text.Fields(args[0].S)), nil
	case "token_scores":
		return m.tokenScores(relations[2], text.Fields(args[0].S)), nil
	}
	return nil, kind.ErrNoRelation
}

// listed is the n-grams that begin with words, or else those whose text begins so.
func (m *model) listed(rel kind.Relation, words []string, beginning string) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		one := func(gram []uint32, node int) bool { return yield(m.row(gram, node)) }
		if len(words) > 0 {
			if ids, ok := m.known(nil, words); ok {
				if node := m.trie.find(ids); node >= 0 && m.trie.levels[len(ids)-1].counts.get(node) > 0 {
					m.trie.walk(ids, node, one)
				}
			}
			return
		}
		m.beginning(beginning, one)
	})
}

// beginning yields the n-grams whose text begins so, in order. The last word of the text may be the beginning of a
// word: these have a range of ids, but for those of the reserved words.
func (m *model) beginning(start string, one func(gram []uint32, node int) bool) {
	words := strings.Split(start, " ")
	last := words[len(words)-1]
	gram := make([]uint32, 0, max(m.opt.orders, len(words)))
	for _, w := range words[:len(words)-1] {
		id, ok := m.vocabulary.ids[w]
		if !ok {
			return
		}
		gram = append(gram, id)
	}
	node := m.trie.find(gram)
	if len(gram) > 0 && node < 0 {
		return
	}
	for id := unknown; id < firstWord; id++ {
		if strings.HasPrefix(reserved[id], last) && !m.between(gram, node, id, id+1, one) {
			return
		}
	}
	from, to := m.vocabulary.beginning(last)
	m.between(gram, node, from, to, one)
}

// between yields the n-grams that go on after a node, of the words gram, with a word whose id is from one to below
// another one; after no words with any such.
func (m *model) between(gram []uint32, node, from, to int, one func(gram []uint32, node int) bool) bool {
	if len(gram) == 0 {
		for w := from; w < to; w++ {
			if (m.trie.levels[0].counts.get(w) > 0 || w == unknown && m.opt.smoothing == byKneserNey) &&
				!m.trie.walk(append(gram, uint32(w)), w, one) {
				return false
			}
		}
		return true
	}
	first, end := m.trie.children(len(gram)-1, node)
	if first == end {
		return true
	}
	next := &m.trie.levels[len(gram)].words
	at := first + sort.Search(end-first, func(i int) bool { return next.get(first+i) >= uint64(from) })
	for ; at < end && next.get(at) < uint64(to); at++ {
		if !m.trie.walk(append(gram, uint32(next.get(at))), at, one) {
			return false
		}
	}
	return true
}

func (m *model) row(gram []uint32, node int) []value.Value {
	k := len(gram) - 1
	l := &m.trie.levels[k]
	row := []value.Value{value.Str(m.vocabulary.text(gram)), value.Int(int64(k + 1)),
		value.Int(int64(l.counts.get(node))), {}, {}}
	if m.opt.smoothing == byKneserNey {
		row[3] = value.Real(l.prob.get(node))
		if k+1 < m.opt.orders {
			row[4] = value.Real(l.back.get(node))
		}
	}
	return row
}

func (m *model) score(rel kind.Relation, words []string) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		var u unit
		if m.add(&u, words); u.tokens > 0 {
			yield([]value.Value{value.Int(int64(u.tokens)), value.Int(int64(u.unknown)), value.Real(u.log),
				value.Real(math.Pow(10, -u.log/u.tokens))})
		}
	})
}

func (m *model) tokenScores(rel kind.Relation, words []string) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		m.sentence(words, func(i int, word uint32, s scored) bool {
			return yield([]value.Value{value.Int(int64(i + 1)), value.Str(m.vocabulary.word(word)),
				value.Int(int64(s.order)), value.Real(s.log)})
		})
	})
}
