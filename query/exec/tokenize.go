package exec

import (
	"context"
	"slices"
	"sync"
	"unicode/utf8"

	"parlance/algo/segment"
	"parlance/algo/text"
	"parlance/query/draft"
	"parlance/query/fault"
)

// cut makes a document of a text: sentences and tokens by the named tokeniser.
func (e *Database) cut(ctx context.Context, id, content, tokenizer string) (*text.Document, error) {
	if err := e.checkLength(id, len(content)); err != nil {
		return nil, err
	}
	c := new(cutting)
	return &c.doc, e.cutInto(ctx, c, id, content, tokenizer)
}

// cutInto makes c the document of a text whose length was checked.
func (e *Database) cutInto(ctx context.Context, c *cutting, id, content, tokenizer string) error {
	if !utf8.ValidString(content) {
		return fault.Invalid("the text is not valid UTF-8")
	}
	c.doc = text.Document{ID: id, Text: content}
	return e.segment(ctx, &c.doc, tokenizer, c)
}

// longUnit is the length in bytes of a text from which on cutting it takes milliseconds.
const longUnit = 1 << 16

// segmentKept is how many tokens a result that is kept has room for.
const segmentKept = 1 << 12

// segmentResults are what tokenisers fill, to be used again.
var segmentResults = sync.Pool{New: func() any { return &segment.Result{} }}

// tokenize adds sentences and tokens to a document that has none, and aligns the spans of
// its other layers to them.
func (e *Database) tokenize(ctx context.Context, d *text.Document, tokenizer string) error {
	if d.Layer("tokens") != nil {
		return nil
	}
	return e.segment(ctx, d, tokenizer, new(cutting))
}

// segment is tokenize with layers in c.
func (e *Database) segment(ctx context.Context, d *text.Document, tokenizer string, c *cutting) error {
	tk, err := segment.New(tokenizer)
	if err != nil {
		return fault.Invalid("%v", err)
	}
	res := segmentResults.Get().(*segment.Result)
	res.Ctx = ctx
	defer func() {
		res.Ctx = nil
		if cap(res.Tokens) <= segmentKept {
			segmentResults.Put(res)
		}
	}()
	if tk.Segment(d.Text, res); len(d.Text) > longUnit && ctx.Err() != nil {
		return ctx.Err()
	}
	sents, toks := c.lay(len(res.Sentences), len(res.Tokens))
	forms := toks.Cols[4].Strs
	for s, sent := range res.Sentences {
		sents.Cols[0].Ints[s], sents.Cols[1].Ints[s], sents.Cols[2].Ints[s] = int32(s+1), sent.Start, sent.End
		for t := sent.First; t < sent.Last; t++ {
			span := res.Tokens[t]
			toks.Cols[0].Ints[t], toks.Cols[1].Ints[t] = int32(s+1), t-sent.First+1
			toks.Cols[2].Ints[t], toks.Cols[3].Ints[t] = span.Start, span.End
			forms[t] = d.Text[span.Start:span.End]
		}
	}
	if d.DropLayer(sents.Name); len(d.Layers) == 0 {
		d.Layers = c.list[:]
	} else {
		d.SetLayer(sents)
		d.SetLayer(toks)
	}
	for _, l := range d.Layers {
		if l.Def != text.Tokens && l.Def != text.Sentences {
			draft.Align(l, toks)
		}
	}
	return nil
}

// recut makes the other layers of a document fit tokens into which a model has cut it: sentences are those of the
// tokens, spans are aligned to them, and layers that go by number of token are left out.
func recut(d *text.Document) {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil {
		return
	}
	layers := []*text.Layer{sentencesAround(toks)}
	for _, l := range d.Layers {
		switch {
		case l.Def == text.Sentences:
		case l.Def == text.Tokens || l.Def.Index("sent") < 0:
			layers = append(layers, l)
		case l.Def.Index("char_start") >= 0 && l.Def.Index("node") < 0 && l.Def.Index("predicate") < 0 || l.Def == text.Relations:
			layers = append(layers, unaligned(l))
			draft.Align(layers[len(layers)-1], toks)
		}
	}
	d.Layers = layers
}

// sentencesAround are the sentences of the best tokens, from the first token of each to the last.
func sentencesAround(toks *text.Layer) *text.Layer {
	l := text.NewLayer(text.Sentences)
	sent, start, end := toks.Ints("sent"), toks.Ints("char_start"), toks.Ints("char_end")
	for i := range toks.N {
		if toks.Rank != nil && toks.Rank[i] > 1 {
			continue
		}
		if int(sent[i]) > l.N {
			l.N++
			l.Cols[0].Ints = append(l.Cols[0].Ints, sent[i])
			l.Cols[1].Ints = append(l.Cols[1].Ints, start[i])
			l.Cols[2].Ints = append(l.Cols[2].Ints, end[i])
		}
		l.Cols[2].Ints[l.N-1] = end[i]
	}
	return l
}

// unaligned is a copy of a layer whose rows lie in no sentence yet.
func unaligned(l *text.Layer) *text.Layer {
	out := *l
	out.Cols = slices.Clone(l.Cols)
	for _, name := range []string{"sent", "tok_start", "tok_end"} {
		if l.Ints(name) != nil {
			out.SetInts(name, make([]int32, l.N))
		}
	}
	return &out
}
