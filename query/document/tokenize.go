package document

import (
	"context"
	"sync"

	"parlance/algo/segment"
	"parlance/algo/text"
	"parlance/query/draft"
	"parlance/query/fault"
)

// longText is the length in bytes from which on cutting a text into tokens takes milliseconds.
const longText = 1 << 16

// maxReusedTokens is for how many tokens memory is used again.
const maxReusedTokens = 1 << 12

// results are what tokenisers fill, to be used again.
var results = sync.Pool{New: func() any { return &segment.Result{} }}

// tokenize adds sentences and tokens, in the memory of s, to a document.
func tokenize(ctx context.Context, d *text.Document, tokenizer string, s *Scratch) error {
	tk, err := segment.New(tokenizer)
	if err != nil {
		return fault.Invalid("%v", err)
	}
	res := results.Get().(*segment.Result)
	res.Ctx = ctx
	defer func() {
		res.Ctx = nil
		if cap(res.Tokens) <= maxReusedTokens {
			results.Put(res)
		}
	}()
	if tk.Segment(d.Text, res); len(d.Text) > longText && ctx.Err() != nil {
		return ctx.Err()
	}
	sents, toks := s.layersFor(len(res.Sentences), len(res.Tokens))
	forms := toks.Cols[4].Strs
	for i, sent := range res.Sentences {
		sents.Cols[0].Ints[i], sents.Cols[1].Ints[i], sents.Cols[2].Ints[i] = int32(i+1), sent.Start, sent.End
		for t := sent.First; t < sent.Last; t++ {
			span := res.Tokens[t]
			toks.Cols[0].Ints[t], toks.Cols[1].Ints[t] = int32(i+1), t-sent.First+1
			toks.Cols[2].Ints[t], toks.Cols[3].Ints[t] = span.Start, span.End
			forms[t] = d.Text[span.Start:span.End]
		}
	}
	if d.DropLayer(sents.Name); len(d.Layers) == 0 {
		d.Layers = s.list[:]
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
