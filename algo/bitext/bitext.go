package bitext

import (
	"context"
	"fmt"
	"iter"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Link is a source token and a target token that translate each other, both counted from 0, in a sentence or as rows of
// the layer tokens.
type Link struct {
	Source, Target int
	Prob           float64
}

// Aligner links the words of sentences. It is safe for use by several goroutines.
type Aligner interface {
	// Align links the tokens of two sentences, by rising source and target. If the context ends, links are missing:
	// the caller asks it afterwards. The time is that of the product of both lengths.
	Align(ctx context.Context, source, target []string) []Link
	// Translation is the probability of a target word given a source word and that of the source word given the
	// target word. An empty word is no word: that a word has no counterpart.
	Translation(source, target string) (forward, backward float64)
}

// Range is rows of the layer tokens, from the first to before the last.
type Range struct{ From, To int }

// Pair is two documents that are translations of each other; one is nil where the partner is missing.
type Pair struct{ Source, Target *text.Document }

// Sides tells how documents are paired.
type Sides struct {
	Key    string // column whose value both documents share
	Side   string // column that tells the sides
	Source string // its value for the source
}

// Pairs yields the pairs of documents of an input, each when its second document comes, and at last those without a
// partner in the order in which they came. What waits for a partner is held in memory.
func (s Sides) Pairs(ctx context.Context, in kind.Input) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		open := map[string]*text.Document{} // nil when the pair is complete
		var order []string
		for d, err := range in.Documents(ctx) {
			if err == nil && d.Field(s.Key).IsNull() {
				err = fmt.Errorf("document %s has no %s, the column that pairs documents (option group)", d.ID, s.Key)
			}
			if err != nil {
				yield(Pair{}, err)
				return
			}
			key := d.Field(s.Key).String()
			first, found := open[key]
			if !found {
				open[key] = d
				order = append(order, key)
				continue
			}
			docs := []*text.Document{first, d}
			if first == nil {
				docs = []*text.Document{d, d, d}
			}
			open[key] = nil
			pair, err := s.PairOf(docs)
			if !yield(pair, err) || err != nil {
				return
			}
		}
		for _, key := range order {
			if d := open[key]; d != nil {
				if pair, err := s.PairOf([]*text.Document{d}); !yield(pair, err) || err != nil {
					return
				}
			}
		}
	}
}

// PairOf is the pair of some documents with the same key.
func (s Sides) PairOf(docs []*text.Document) (p Pair, err error) {
	for _, d := range docs {
		if err := p.add(d, d.Field(s.Side).String() == s.Source); err != nil {
			return Pair{}, s.fault(d, err)
		}
	}
	return p, nil
}

func (p *Pair) add(d *text.Document, source bool) error {
	of := &p.Target
	if source {
		of = &p.Source
	}
	if *of != nil {
		return fmt.Errorf("documents %s and %s are on the same side", (*of).ID, d.ID)
	}
	*of = d
	return nil
}

func (s Sides) fault(d *text.Document, err error) error {
	return fmt.Errorf("%s = %s: %w; a pair is two documents, of which one has %s = '%s' (option source)", s.Key,
		d.Field(s.Key), err, s.Side, s.Source)
}

// Sentences are the sentences of both documents side by side, in rows of their tokens: number by number where they have
// as many, else all tokens together. Without a partner there are none.
func (p Pair) Sentences() (out [][2]Range) {
	if p.Source == nil || p.Target == nil {
		return nil
	}
	a, b := p.Source.SentenceTokens(), p.Target.SentenceTokens()
	if len(a) != len(b) {
		a, b = []int32{0, a[len(a)-1]}, []int32{0, b[len(b)-1]}
	}
	for i := 1; i < len(a); i++ {
		out = append(out, [2]Range{{int(a[i-1]), int(a[i])}, {int(b[i-1]), int(b[i])}})
	}
	return out
}

// Forms are the word forms of a document, nil without tokens.
func Forms(d *text.Document) []string {
	if d == nil {
		return nil
	}
	if l := d.Layer(text.Tokens.Name); l != nil {
		return l.Strs("form")
	}
	return nil
}

// Layer makes the layer alignments of the source from links between rows of tokens.
func (p Pair) Layer(links []Link, prob bool) *text.Layer {
	l := text.NewLayer(text.Alignments)
	l.N = len(links)
	if prob {
		l.Prob = make([]float64, l.N)
	}
	ints := make([]int32, 4*l.N)
	column := func(i int) []int32 { return ints[i*l.N : (i+1)*l.N : (i+1)*l.N] }
	sent, tok, otherSent, otherTok := column(0), column(1), column(2), column(3)
	other := make([]string, l.N)
	for i, k := range links {
		a, b := p.Source.Layer(text.Tokens.Name), p.Target.Layer(text.Tokens.Name)
		sent[i], tok[i] = a.Ints("sent")[k.Source], a.Ints("tok")[k.Source]
		otherSent[i], otherTok[i] = b.Ints("sent")[k.Target], b.Ints("tok")[k.Target]
		other[i] = p.Target.ID
		if prob {
			l.Prob[i] = k.Prob
		}
	}
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetInts("other_sent", otherSent)
	l.SetInts("other_tok", otherTok)
	l.SetStrs("other_doc", other)
	return l
}

// Links reads the layer alignments of the source as links between rows of tokens, sorted as they stand there. What is
// out of range, of another document or of a lower rank is left out.
func (p Pair) Links() (out []Link) {
	if p.Source == nil || p.Target == nil {
		return nil
	}
	l := p.Source.Layer(text.Alignments.Name)
	if l == nil {
		return nil
	}
	a, b := p.Source.SentenceTokens(), p.Target.SentenceTokens()
	row := func(bounds []int32, sent, tok int32) int {
		if sent < 1 || int(sent) >= len(bounds) || tok < 1 || bounds[sent-1]+tok > bounds[sent] {
			return -1
		}
		return int(bounds[sent-1] + tok - 1)
	}
	other := l.Strs("other_doc")
	for i := range l.N {
		if l.Rank != nil && l.Rank[i] != 1 || other != nil && other[i] != p.Target.ID {
			continue
		}
		k := Link{Source: row(a, l.Ints("sent")[i], l.Ints("tok")[i]),
			Target: row(b, l.Ints("other_sent")[i], l.Ints("other_tok")[i]), Prob: 1}
		if l.Prob != nil {
			k.Prob = l.Prob[i]
		}
		if k.Source >= 0 && k.Target >= 0 {
			out = append(out, k)
		}
	}
	return out
}

// Translation is a translated sentence with its links to the source, counted from 0, and its score.
type Translation struct {
	Words []string
	Links []Link
	Score float64
}

// Translator translates sentences. It is safe for use by several goroutines.
type Translator interface {
	// Translate gives up to n translations of a sentence, the best first; resources are those of the model.
	Translate(ctx context.Context, resources kind.Resources, sentence []string, n int) ([]Translation, error)
}
