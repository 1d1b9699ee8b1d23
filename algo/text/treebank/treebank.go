// Package treebank reads the dependency trees of documents.
package treebank

import (
	"iter"

	"parlance/algo/text"
)

// Sentence is the tree of a sentence. Tokens are numbered from 1; entry 0 is unused.
type Sentence struct {
	Number   int      // in the document, from 1
	From, To int      // rows of its tokens in the layer of tokens
	Heads    []int32  // 0 is the root, Missing where no row has the token
	Labels   []string // relations to the heads, "" where there is none
}

// Missing is the head of a token that has none.
const Missing = -1

// Len returns the number of tokens.
func (s *Sentence) Len() int { return s.To - s.From }

// Attached tells whether every token has a head, be it a sound one or not.
func (s *Sentence) Attached() bool {
	for _, h := range s.Heads[1:] {
		if h == Missing {
			return false
		}
	}
	return true
}

// Bare tells whether no token has a head.
func (s *Sentence) Bare() bool {
	for _, h := range s.Heads[1:] {
		if h != Missing {
			return false
		}
	}
	return true
}

// Sentences yields the sentences of a document in order, those without tokens too. A sentence is valid
// until the next one. A document without tokens has none; without dependencies all heads are missing.
// Of several trees of a sentence the first one counts.
func Sentences(d *text.Document) iter.Seq[*Sentence] {
	return func(yield func(*Sentence) bool) {
		if d.Layer(text.Tokens.Name) == nil {
			return
		}
		arcs := d.Layer(text.Dependencies.Name)
		if arcs == nil {
			arcs = text.NewLayer(text.Dependencies)
		}
		sent, tok, head, rel := arcs.Ints("sent"), arcs.Ints("tok"), arcs.Ints("head"), arcs.Strs("deprel")
		bounds, k := d.SentenceTokens(), 0
		var s Sentence
		for i := 1; i < len(bounds); i++ {
			s.reset(i, int(bounds[i-1]), int(bounds[i]))
			for ; k < arcs.N && int(sent[k]) <= i; k++ {
				m := int(tok[k])
				if int(sent[k]) != i || m < 1 || m > s.Len() || head == nil || arcs.Rank != nil && arcs.Rank[k] != 1 {
					continue
				}
				s.Heads[m] = head[k]
				if rel != nil {
					s.Labels[m] = rel[k]
				}
			}
			if !yield(&s) {
				return
			}
		}
	}
}

func (s *Sentence) reset(number, from, to int) {
	s.Number, s.From, s.To = number, from, to
	s.Heads, s.Labels = s.Heads[:0], s.Labels[:0]
	for range to - from + 1 {
		s.Heads, s.Labels = append(s.Heads, Missing), append(s.Labels, "")
	}
	s.Heads[0] = 0
}
