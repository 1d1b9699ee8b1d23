package boostreranker

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/treefeature"
	"parlance/algo/text"
)

// candidate is a tree that the base gives.
type candidate struct {
	tree     *constituent.Node // clean
	log      float64           // log-probability, up to what is the same for all trees of the sentence
	known    bool              // log is: else it is that of a lone tree, 0
	answer   bool              // what the base answers when it is asked for one tree
	features []uint64          // hashes, rising
}

// lister lists candidates. It belongs to one goroutine.
type lister struct {
	m       *model
	base    kind.Trained
	extract *treefeature.Extractor
}

func (m *model) lister(base kind.Trained) *lister {
	return &lister{m: m, base: base, extract: treefeature.NewExtractor(m.set, m.table)}
}

// sentence is one with candidates.
type sentence struct {
	*constituent.Sentence
	words []string
	root  string // label of the root of the best tree as the base writes it
	list  []candidate
}

// document lists the trees of the sentences of a document, those without any left out.
func (l *lister) document(ctx context.Context, d *text.Document) ([]*sentence, error) {
	ranked, err := l.parse(ctx, d, l.m.opt.candidates)
	if err != nil {
		return nil, err
	}
	scores := scoresOf(ranked)
	var out []*sentence
	at := map[int]*sentence{}
	for s := range constituent.Sentences(ranked, l.m.opt.tags) {
		x := &sentence{Sentence: s}
		x.add(scores, false)
		if len(x.list) > 0 {
			out = append(out, x)
			at[s.Number] = x
		}
	}
	if l.m.opt.answer {
		if err := l.answers(ctx, d, at); err != nil {
			return nil, err
		}
	}
	forms := []string(nil)
	if toks := d.Layer(text.Tokens.Name); toks != nil {
		forms = toks.Strs("form")
	}
	for _, x := range out {
		for _, row := range x.Rows {
			f := ""
			if forms != nil {
				f = forms[row]
			}
			x.words = append(x.words, f)
		}
	}
	return out, nil
}

// parse gives a copy of a document the trees of the base, n best or, with 0, its answer.
func (l *lister) parse(ctx context.Context, d *text.Document, n int) (*text.Document, error) {
	x := *d
	x.DropLayer(text.Constituents.Name)
	run := &kind.Run{Resources: l.base.Resources, Workers: 1, NBest: n, Prob: n > 1, Report: func(kind.Progress) {},
		Wanted: []string{text.Constituents.Name, constituent.Parses.Name}}
	if err := l.base.Model.Annotate(ctx, []*text.Document{&x}, run); err != nil {
		return nil, fmt.Errorf("base %s: %w", l.base.Label, err)
	}
	return &x, nil
}

// answers adds what the base answers when it is asked for one tree.
func (l *lister) answers(ctx context.Context, d *text.Document, at map[int]*sentence) error {
	best, err := l.parse(ctx, d, 0)
	if err != nil {
		return err
	}
	scores := scoresOf(best)
	for s := range constituent.Sentences(best, l.m.opt.tags) {
		if x := at[s.Number]; x != nil && len(s.Trees) > 0 {
			one := &sentence{Sentence: s}
			one.add(scores, true)
			x.answer(one.list)
		}
	}
	return nil
}

// place is a tree of a document by sentence and rank.
type place struct{ sent, rank int32 }

// scoresOf are the scores of trees where the base tells them, which are log-probabilities.
func scoresOf(d *text.Document) map[place]float64 {
	out := map[place]float64{}
	l := d.Layer(constituent.Parses.Name)
	if l == nil || l.Def != constituent.Parses {
		return out
	}
	sent, rank := l.Ints("sent"), l.Ints("rank")
	scores := l.Cols[l.Def.Index("score")].Floats
	for i := range l.N {
		out[place{sent[i], rank[i]}] = scores[i]
	}
	return out
}

// add makes candidates of the trees of the sentence. Without a score, the logarithm of prob stands for it, and 0 for
// that of a lone tree.
func (x *sentence) add(scores map[place]float64, answer bool) {
	for _, t := range x.Trees {
		tree := constituent.Clean(t.Root)
		if tree == nil {
			continue
		}
		log, ok := scores[place{int32(x.Number), int32(t.Rank)}]
		if !ok {
			log = math.Log(t.Prob)
		}
		known := !math.IsNaN(log) && !math.IsInf(log, 0)
		if !known {
			if len(x.Trees) > 1 {
				continue // its place among the others is not known
			}
			log = 0
		}
		if x.root == "" {
			x.root = constituent.RootLabel(t.Root)
		}
		x.list = append(x.list, candidate{tree: tree, log: log, known: known, answer: answer})
	}
}

// answer marks the tree that the base answers, and adds it if it is new: as probable as the last one, if nobody tells.
func (x *sentence) answer(one []candidate) {
	if len(one) == 0 {
		return
	}
	for i := range x.list {
		if constituent.Equal(x.list[i].tree, one[0].tree) {
			x.list[i].answer = true
			return
		}
	}
	if !one[0].known {
		for i, c := range x.list {
			if i == 0 || c.log < one[0].log {
				one[0].log = c.log
			}
		}
	}
	x.list = append(x.list, one[0])
}

// answerName is the feature of the tree that the base answers.
const answerName = "answer of the base"

// features finds the features of all candidates; names gets the name of each by its hash, if it is not nil.
func (l *lister) features(x *sentence, names map[uint64]string) {
	for i := range x.list {
		c := &x.list[i]
		visit := func(name []byte) {
			h := hash(name)
			c.features = append(c.features, h)
			if names != nil {
				if _, ok := names[h]; !ok {
					names[h] = string(name)
				}
			}
		}
		l.extract.Tree(c.tree, x.words, visit)
		if c.answer && l.m.opt.answer {
			visit([]byte(answerName))
		}
		slices.Sort(c.features)
		c.features = slices.Compact(c.features)
	}
}

// hash is FNV-1a.
func hash(name []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range name {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}
