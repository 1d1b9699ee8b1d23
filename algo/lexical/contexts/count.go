package contexts

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/text"
	"parlance/storage/guard"
)

// counter counts pairs of all documents, word<<32 | context. Words and contexts are numbered as they come first in the
// text, whatever the number of workers.
type counter struct {
	words    *cooccurrence.Texts
	frames   *cooccurrence.Texts
	contexts map[uint64]uint32
	list     []uint64 // contexts by number
	pairs    *count.Counter[uint64]
	writer   *count.Writer[uint64]
}

func (m *model) newCounter(ctx context.Context, workers int) *counter {
	c := &counter{words: cooccurrence.NewTexts(), frames: cooccurrence.NewTexts(), contexts: map[uint64]uint32{},
		pairs: count.New[uint64](count.Options{Workers: workers, Memory: m.memory})}
	c.writer = c.pairs.Writer(ctx)
	return c
}

// batchTokens is how many tokens make a batch of documents at least.
const batchTokens = 20000

// count reads the documents: workers extract the pairs of batches, which are numbered and counted in order.
func (m *model) count(ctx context.Context, t *kind.Training, c *counter) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan *batch, max(t.Workers, 1))
	var failed error
	go func() {
		defer close(queue)
		defer guard.Recover(&failed, "reading documents")
		failed = batches(within, t.On, func(docs []*text.Document) bool {
			one := make(chan *batch, 1)
			select {
			case queue <- one:
				go func() { one <- m.extracted(docs) }()
				return true
			case <-within.Done():
				return false
			}
		})
	}()
	begin, last, docs := time.Now(), time.Now(), 0
	var err error
	for one := range queue { // to its end, so that no goroutine is left behind
		b := <-one
		if err == nil {
			err = b.failed
		}
		if err != nil || ctx.Err() != nil {
			cancel()
			continue
		}
		if err = c.take(b); err != nil {
			cancel()
		}
		if docs += b.docs; time.Since(last) > time.Second {
			last = time.Now()
			t.Report(kind.Progress{Step: docs, Of: max(t.On.Count(), docs), Objective: math.NaN(), HeldOut: math.NaN(),
				Seconds: time.Since(begin).Seconds(),
				Note:    text.Countf("%d {word|words}, %d {context|contexts}", len(c.words.List), len(c.list))})
		}
	}
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return ctx.Err()
	case len(c.list) == 0:
		return fmt.Errorf("%w: there is no word with a context", kind.ErrNoData)
	}
	if err := c.writer.Close(); err != nil {
		return err
	}
	return c.pairs.Compact(ctx)
}

// batches hands out the documents in order, until one is refused.
func batches(ctx context.Context, in kind.Input, take func([]*text.Document) bool) error {
	var docs []*text.Document
	n := 0
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		docs = append(docs, d)
		if toks := d.Layer(text.Tokens.Name); toks != nil {
			n += toks.N
		}
		if n >= batchTokens || len(docs) >= 1000 {
			if !take(docs) {
				return ctx.Err()
			}
			docs, n = nil, 0
		}
	}
	if len(docs) > 0 {
		take(docs)
	}
	return ctx.Err()
}

// take numbers the pairs of a batch and counts them.
func (c *counter) take(b *batch) error {
	words, frames := renumber(b.words, c.words), renumber(b.frames, c.frames)
	if len(c.words.List) > math.MaxInt32 || len(c.list) > math.MaxInt32 {
		return fmt.Errorf("there are more than %d words or contexts", math.MaxInt32)
	}
	known := map[uint64]uint32{}
	for _, p := range b.pairs {
		k, ok := known[p.context]
		if !ok {
			k = c.context(uint64(frames[p.context>>32])<<32 | uint64(words[uint32(p.context)]))
			known[p.context] = k
		}
		if err := c.writer.Add(uint64(words[p.word])<<32 | uint64(k)); err != nil {
			return err
		}
	}
	return nil
}

func renumber(from, to *cooccurrence.Texts) []uint32 {
	out := make([]uint32, len(from.List))
	for i, s := range from.List {
		out[i] = to.Number(s)
	}
	return out
}

func (c *counter) context(key uint64) uint32 {
	k, ok := c.contexts[key]
	if !ok {
		k = uint32(len(c.list))
		c.contexts[key] = k
		c.list = append(c.list, key)
	}
	return k
}

// source yields what was counted.
func (c *counter) source(ctx context.Context) source {
	return source{c.words.List, c.name, len(c.list), func(yield func(uint32, uint32, float64) bool) error {
		return c.pairs.Each(ctx, 1, func(key, n uint64) bool { return yield(uint32(key>>32), uint32(key), float64(n)) })
	}}
}

// name is the text of a context.
func (c *counter) name(k uint32) string {
	key := c.list[k]
	return strings.Replace(c.frames.List[key>>32], slot, c.words.List[uint32(key)], 1)
}
