package document

import "parlance/algo/text"

// Scratch is memory for a document with the sentences and tokens of its text. A document is valid until its scratch is
// used for another one.
type Scratch struct {
	doc    text.Document
	layers [2]text.Layer
	list   [2]*text.Layer
	cols   []text.Col
	ints   []int32
	forms  []string
}

// layersFor returns layers for n sentences and tokens, with memory in the columns that tokenize fills.
func (s *Scratch) layersFor(sentences, tokens int) (sents, toks *text.Layer) {
	k, n := len(text.Sentences.Columns), len(text.Tokens.Columns)
	if s.cols == nil {
		s.cols = make([]text.Col, k+n)
	}
	if need := 3*sentences + 4*tokens; s.ints == nil || cap(s.ints) < need || cap(s.forms) < tokens {
		s.ints, s.forms = make([]int32, need), make([]string, tokens)
	}
	sents, toks = &s.layers[0], &s.layers[1]
	*sents = text.Layer{Def: text.Sentences, Name: text.Sentences.Name, N: sentences, Cols: s.cols[:k:k]}
	*toks = text.Layer{Def: text.Tokens, Name: text.Tokens.Name, N: tokens, Cols: s.cols[k:]}
	ints := s.ints
	column := func(l *text.Layer, i int) {
		l.Cols[i].Ints, ints = ints[:l.N:l.N], ints[l.N:cap(ints)]
	}
	for i := range 3 {
		column(sents, i)
	}
	for i := range 4 {
		column(toks, i)
	}
	toks.Cols[4].Strs = s.forms[:tokens:tokens]
	s.list = [2]*text.Layer{sents, toks}
	return sents, toks
}

// Reset forgets the document, and the memory of one that was long.
func (s *Scratch) Reset() {
	if cap(s.forms) > maxReusedTokens {
		*s = Scratch{}
		return
	}
	clear(s.cols)
	clear(s.forms[:cap(s.forms)])
	s.doc, s.layers, s.list = text.Document{}, [2]text.Layer{}, [2]*text.Layer{}
}
