package candidates

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Candidate is an analysis that the base gives.
type Candidate struct {
	Tree   *constituent.Node // clean; nil for spans
	Spans  []text.Span       // in reading order
	Log    float64           // log-probability, up to what is the same for all trees of the sentence
	Answer bool              // what the base answers when it is asked for one tree
	known  bool              // Log is: else it is that of a lone tree, 0
}

// Brackets are the phrases or spans by which a candidate is scored.
func (c *Candidate) Brackets() []constituent.Bracket {
	if c.Tree != nil {
		return constituent.Brackets(c.Tree)
	}
	return bracketsOf(c.Spans)
}

// Sentence is one with candidates, in the order of the base.
type Sentence struct {
	*constituent.Sentence
	Words []string // words[0] is that of token 1
	Root  string   // label of the root of the best tree as the base writes it
	List  []Candidate
}

// Document lists the candidates of the sentences of a document, those without any left out.
func (o *Options) Document(ctx context.Context, d *text.Document, base kind.Trained) ([]*Sentence, error) {
	if !o.Trees() {
		return o.labellings(ctx, d, base)
	}
	return o.trees(ctx, d, base)
}

func (o *Options) trees(ctx context.Context, d *text.Document, base kind.Trained) ([]*Sentence, error) {
	ranked, err := o.parse(ctx, d, base, o.Count)
	if err != nil {
		return nil, err
	}
	scores := scoresOf(ranked)
	var out []*Sentence
	at := map[int]*Sentence{}
	for s := range constituent.Sentences(ranked, o.Tags) {
		x := &Sentence{Sentence: s}
		x.add(scores, false)
		if len(x.List) > 0 {
			out = append(out, x)
			at[s.Number] = x
		}
	}
	if o.Answer {
		if err := o.answers(ctx, d, base, at); err != nil {
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
			x.Words = append(x.Words, f)
		}
	}
	return out, nil
}

// parse gives a copy of a document the analyses of the base, n best or, with 0, its answer.
func (o *Options) parse(ctx context.Context, d *text.Document, base kind.Trained, n int) (*text.Document, error) {
	x := *d
	x.DropLayer(o.def().Name)
	run := &kind.Run{Resources: base.Resources, Workers: 1, NBest: n, Prob: n > 1, Report: func(kind.Progress) {},
		Wanted: []string{o.def().Name, constituent.Parses.Name}}
	if err := base.Model.Annotate(ctx, []*text.Document{&x}, run); err != nil {
		return nil, fmt.Errorf("base %s: %w", base.Label, err)
	}
	return &x, nil
}

// answers adds what the base answers when it is asked for one tree.
func (o *Options) answers(ctx context.Context, d *text.Document, base kind.Trained, at map[int]*Sentence) error {
	best, err := o.parse(ctx, d, base, 0)
	if err != nil {
		return err
	}
	scores := scoresOf(best)
	for s := range constituent.Sentences(best, o.Tags) {
		if x := at[s.Number]; x != nil && len(s.Trees) > 0 {
			one := &Sentence{Sentence: s}
			one.add(scores, true)
			x.answer(one.List)
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
func (x *Sentence) add(scores map[place]float64, answer bool) {
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
		if x.Root == "" {
			x.Root = constituent.RootLabel(t.Root)
		}
		x.List = append(x.List, Candidate{Tree: tree, Log: log, known: known, Answer: answer})
	}
}

// answer marks the tree that the base answers, and adds it if it is new: as probable as the last one, if nobody tells.
func (x *Sentence) answer(one []Candidate) {
	if len(one) == 0 {
		return
	}
	for i := range x.List {
		if constituent.Equal(x.List[i].Tree, one[0].Tree) {
			x.List[i].Answer = true
			return
		}
	}
	if !one[0].known {
		for i, c := range x.List {
			if i == 0 || c.Log < one[0].Log {
				one[0].Log = c.Log
			}
		}
	}
	x.List = append(x.List, one[0])
}
