package exec

import (
	"sync"

	"parlance/algo/text"
	"parlance/storage/value"
)

// room is what a query of one text needs until it ends, for later ones to use again: memory that was
// used a moment ago is in the caches of the processor, fresh memory is not.
type room struct {
	annotator Annotator
	columns   [16]value.Vec
	cut       cutting
	view      text.Document
	views     [1]*text.Document
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// leave gives the room back. Nothing in it may be read any more.
func (m *room) leave() {
	m.annotator = Annotator{}
	clear(m.columns[:])
	m.view, m.views = text.Document{}, [1]*text.Document{}
	m.cut.empty()
	rooms.Put(m)
}

// cutting is a document with the sentences and tokens of its text.
type cutting struct {
	doc    text.Document
	layers [2]text.Layer
	list   [2]*text.Layer
	cols   []text.Col
	ints   []int32
	forms  []string
}

// lay returns layers with room for sentences and tokens in the columns that cutting fills.
func (c *cutting) lay(sentences, tokens int) (sents, toks *text.Layer) {
	k, n := len(text.Sentences.Columns), len(text.Tokens.Columns)
	if c.cols == nil {
		c.cols = make([]text.Col, k+n)
	}
	if need := 3*sentences + 4*tokens; c.ints == nil || cap(c.ints) < need || cap(c.forms) < tokens {
		c.ints, c.forms = make([]int32, need), make([]string, tokens)
	}
	sents, toks = &c.layers[0], &c.layers[1]
	*sents = text.Layer{Def: text.Sentences, Name: text.Sentences.Name, N: sentences, Cols: c.cols[:k:k]}
	*toks = text.Layer{Def: text.Tokens, Name: text.Tokens.Name, N: tokens, Cols: c.cols[k:]}
	ints := c.ints
	column := func(l *text.Layer, i int) {
		l.Cols[i].Ints, ints = ints[:l.N:l.N], ints[l.N:cap(ints)]
	}
	for i := range 3 {
		column(sents, i)
	}
	for i := range 4 {
		column(toks, i)
	}
	toks.Cols[4].Strs = c.forms[:tokens:tokens]
	c.list = [2]*text.Layer{sents, toks}
	return sents, toks
}

// empty forgets the document, and the room for one that was long.
func (c *cutting) empty() {
	if cap(c.forms) > segmentKept {
		*c = cutting{}
		return
	}
	clear(c.cols)
	clear(c.forms[:cap(c.forms)])
	c.doc, c.layers, c.list = text.Document{}, [2]text.Layer{}, [2]*text.Layer{}
}
