package hypernym

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

var (
	colWord     = kind.Column{Name: "word", Type: value.Text, Doc: "word"}
	colHypernym = kind.Column{Name: "hypernym", Type: value.Text,
		Doc: "hypernym as the hierarchy has it: a word or a sense"}
	colName  = kind.Column{Name: "name", Type: value.Text, Doc: "a word of the hypernym, itself where it is no sense"}
	colScore = kind.Column{Name: "score", Type: value.Float,
		Doc: "sum of the votes; of the other methods a similarity from 0 to 1"}
	colVoters = kind.Column{Name: "voters", Type: value.Integer,
		Doc: "similar words that vote for it; 0 of methods without votes"}
	colRank     = kind.Column{Name: "rank", Type: value.Integer, Doc: "place in the list, from 1"}
	argWord     = kind.Arg{Name: "word", Type: value.Text, Doc: "word of the counts"}
	argHypernym = kind.Arg{Name: "hypernym", Type: value.Text, Doc: "hypernym as the hierarchy has it"}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "attach",
		Doc: "words that the hierarchy lacks with their best hypernym, the surest first; of the method nearest " +
			"all parents; can be used as a lexicon or gazetteer",
		Columns: []kind.Column{colWord, colHypernym, colName, colScore, colVoters, colRank}},
	{Name: "candidates", Doc: "words that the hierarchy lacks with all hypernyms that are kept of them, word by word",
		Columns: []kind.Column{colWord, colHypernym, colName, colScore, colVoters, colRank}},
	{Name: "hypernyms",
		Doc:     "hypernyms of any word of the counts, the best first; a word of the hierarchy has no vote for itself",
		Columns: []kind.Column{colHypernym, colName, colScore, colVoters, colRank},
		Args: []kind.Arg{argWord, {Name: "length", Type: value.Integer, Optional: true,
			Doc: "hypernyms wanted; the option answers if left out"}}},
	{Name: "voters", Doc: "similar words that vote for a hypernym of a word, the strongest first; of hypernym_sim " +
		"the words of the hypernym, of children_avg its children",
		Columns: []kind.Column{{Name: "voter", Type: value.Text, Doc: "word of the hierarchy"},
			{Name: "similarity", Type: value.Float, Doc: "similarity with the word, from 0 to 1"},
			{Name: "steps", Type: value.Integer, Doc: "steps from the voter up to the hypernym"},
			{Name: "vote", Type: value.Float,
				Doc: "similarity, discounted by the steps; NULL of methods without votes"}, colRank},
		Args: []kind.Arg{argWord, argHypernym}},
	{Name: "score", Doc: "score of a hypernym for a word, 0 where nothing speaks for it",
		Columns: []kind.Column{colScore, colVoters}, Args: []kind.Arg{argWord, argHypernym}},
	{Name: "hierarchy", Doc: "edges that are used, by hyponym", Columns: []kind.Column{
		{Name: "hyponym", Type: value.Text, Doc: "word or sense"}, colHypernym}},
	{Name: "nodes", Doc: "words and senses of the hierarchy", Columns: []kind.Column{
		{Name: "node", Type: value.Text, Doc: "word or sense"},
		{Name: "name", Type: value.Text, Doc: "a word of it in the counts, NULL where there is none"},
		{Name: "children", Type: value.Integer, Doc: "edges from below"},
		{Name: "descendants", Type: value.Integer, Doc: "nodes below within max_depth steps"},
		{Name: "hypernym", Type: value.Boolean,
			Doc: "it may be an answer: it has a word in the counts and a child, and is not excluded"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	var rows iter.Seq[[]value.Value]
	switch name {
	case "attach", "candidates":
		rows = m.attached(name == "attach")
	case "hierarchy":
		rows = m.edgeRows()
	case "nodes":
		rows = m.nodeRows()
	case "hypernyms":
		word, err := m.wordOf(args[0].S)
		if err != nil {
			return nil, err
		}
		n := m.opt.answer
		if len(args) > 1 && !args[1].IsNull() {
			if args[1].Int() < 1 {
				return nil, fmt.Errorf("argument length of hypernyms is %d, a number from 1 is wanted", args[1].Int())
			}
			n = int(min(args[1].Int(), math.MaxInt32))
		}
		rows = m.hypernymRows(word, n)
	default:
		word, node, err := m.pair(args)
		if err != nil {
			return nil, err
		}
		if name == "score" {
			rows = func(yield func([]value.Value) bool) {
				a := m.scoreOf(word, node)
				yield([]value.Value{value.Real(a.Score), value.Int(int64(a.Voters))})
			}
			break
		}
		rows = m.voterRows(word, node)
	}
	return kind.RowsOf(relations[at], rows), nil
}

// wordOf is the number of a word, pair of a word and a node.
func (m *model) wordOf(word string) (int, error) {
	w, ok := m.word[word]
	if !ok {
		return 0, &kind.Unknown{What: "word", Name: word, Known: m.Words,
			Note: text.Countf("the counts have %d {word|words} with %d {context|contexts}", len(m.Words), m.opt.minContexts)}
	}
	return int(w), nil
}

func (m *model) pair(args []value.Value) (word int, node uint32, err error) {
	if word, err = m.wordOf(args[0].S); err != nil {
		return 0, 0, err
	}
	node, ok := m.find(args[1].S)
	if !ok {
		return 0, 0, &kind.Unknown{What: "hypernym", Name: args[1].S, Known: m.Nodes}
	}
	return word, node, nil
}

// scoreOf is the answer that a node is for a word.
func (m *model) scoreOf(word int, node uint32) answer {
	for _, a := range m.attach(word, len(m.Nodes), m.room()) {
		if a.Node == node {
			return a
		}
	}
	return answer{Node: node}
}

// nameOf is a word of a node.
func (m *model) nameOf(node uint32) value.Value {
	if list := m.wordsOf.of(node); len(list) > 0 {
		return value.Str(m.Words[list[0]])
	}
	return value.Value{}
}

func (m *model) answerRow(a answer, rank int) []value.Value {
	return []value.Value{value.Str(m.Nodes[a.Node]), m.nameOf(a.Node), value.Real(a.Score),
		value.Int(int64(a.Voters)), value.Int(int64(rank))}
}

// attached yields the best hypernym of each word, or all of them.
func (m *model) attached(best bool) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i, a := range m.Answers {
			for k, x := range a.List {
				rank := k + 1
				if best {
					if rank = i + 1; k > 0 && m.opt.method != byNearest {
						break
					}
				}
				if !yield(append([]value.Value{value.Str(m.Words[a.Word])}, m.answerRow(x, rank)...)) {
					return
				}
			}
		}
	}
}

func (m *model) hypernymRows(word, n int) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for k, a := range m.attach(word, n, m.room()) {
			if k == n || !yield(m.answerRow(a, k+1)) {
				return
			}
		}
	}
}

func (m *model) voterRows(word int, node uint32) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for k, v := range m.votersOf(word, node, m.room()) {
			vote := value.Real(v.vote)
			if math.IsNaN(v.vote) {
				vote = value.Value{}
			}
			if !yield([]value.Value{value.Str(m.Words[v.word]), value.Real(v.similarity), value.Int(int64(v.steps)),
				vote,
				value.Int(int64(k + 1))}) {
				return
			}
		}
	}
}

func (m *model) edgeRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for _, e := range m.Edges {
			if !yield([]value.Value{value.Str(m.Nodes[e.Low]), value.Str(m.Nodes[e.High])}) {
				return
			}
		}
	}
}

func (m *model) nodeRows() iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		for i, n := range m.Nodes {
			if !yield([]value.Value{value.Str(n), m.nameOf(uint32(i)), value.Int(int64(len(m.children.of(uint32(i))))),
				value.Int(int64(m.descendants[i])), value.Bool(m.common[i])}) {
				return
			}
		}
	}
}

// Explain tells the votes behind a hypernym of a word: score(word, hypernym). Contributions are similarities,
// weighted by the discount of the steps, and add up to the score; those of methods without votes are the similarity
// alone.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "score" || len(docs) > 0 || len(at.Args) != 2 {
		return kind.Explanation{}, fmt.Errorf("%w: score(word, hypernym) is explained", kind.ErrNoExplain)
	}
	word, node, err := m.pair(at.Args)
	if err != nil {
		return kind.Explanation{}, err
	}
	a := m.scoreOf(word, node)
	d := kind.Decision{Place: m.Words[word], Form: m.Words[word], Outcome: m.Nodes[node], Prob: math.NaN(),
		Margin: a.Score}
	for _, o := range m.attach(word, 2, m.room()) {
		if o.Node != node {
			d.RunnerUp = m.Nodes[o.Node]
			break
		}
	}
	for _, v := range m.votersOf(word, node, m.room()) {
		if math.IsNaN(v.vote) {
			break
		}
		d.Contributions = append(d.Contributions,
			kind.Contribution{Feature: m.Words[v.word] + ", steps " + fmt.Sprint(v.steps), Value: v.similarity,
				Weight: v.vote / v.similarity})
	}
	if len(d.Contributions) == 0 && a.Score > 0 {
		d.Contributions = []kind.Contribution{{Feature: "similarity", Value: a.Score, Weight: 1}}
	}
	d.Sort()
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}
