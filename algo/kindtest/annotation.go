package kindtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// checkAnnotation annotates documents with all their layers: inputs and other layers stay,
// the written layers are well formed, hidden columns are there only when asked for.
func checkAnnotation(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	schema := m.Schema()
	before := dumpAll(s.Test)
	docs := make([]*text.Document, len(s.Test))
	for i, d := range s.Test {
		c := *d
		docs[i] = &c
	}
	for _, u := range units(docs, schema) {
		if err := m.Annotate(ctx, u, s.run()); err != nil {
			return fmt.Errorf("annotate: %w", err)
		}
	}
	if after := dumpAll(s.Test); after != before {
		return fmt.Errorf("annotation changed its inputs, %s", difference(after, before))
	}
	writes := within(schema.Writes)
	other := func(layer, column string) bool { return !writes(layer, column) }
	for i, d := range docs {
		if g, w := dump(d, other), dump(s.Test[i], other); g != w {
			return fmt.Errorf("annotation changed what it does not write, %s", difference(g, w))
		}
		for _, u := range schema.Writes {
			l := d.Layer(u.Layer)
			if l == nil {
				return fmt.Errorf("document %s has no %s", d.ID, u.Layer)
			}
			if l.Prob != nil || l.Rank != nil {
				return fmt.Errorf("document %s: %s has prob or rank unasked", d.ID, u.Layer)
			}
			if err := wellFormed(d, l, u); err != nil {
				return fmt.Errorf("document %s: layer %s: %w", d.ID, u.Layer, err)
			}
		}
	}
	return nil
}

// wellFormed checks lengths of columns and places of spans.
func wellFormed(d *text.Document, l *text.Layer, u kind.LayerUse) error {
	for i, c := range l.Def.Columns {
		v := l.Cols[i]
		n := max(len(v.Ints), len(v.Strs), len(v.Floats))
		if n != l.N && !(v.Ints == nil && v.Strs == nil && v.Floats == nil) {
			return fmt.Errorf("column %s has %d of %d rows", c.Name, n, l.N)
		}
		if n == 0 && l.N > 0 && slices.Contains(u.Columns, c.Name) {
			return fmt.Errorf("column %s is written and empty", c.Name)
		}
	}
	if l.Prob != nil && len(l.Prob) != l.N || l.Rank != nil && len(l.Rank) != l.N {
		return fmt.Errorf("%d prob and %d rank in %d rows", len(l.Prob), len(l.Rank), l.N)
	}
	if !l.Def.Spans {
		return nil
	}
	bounds := d.SentenceTokens()
	last := text.Span{}
	for i, p := range l.Spans() {
		if p.Sent < 1 || int(p.Sent) >= len(bounds) || p.First < 1 || p.Last < p.First || p.Last > bounds[p.Sent]-bounds[p.Sent-1] {
			return fmt.Errorf("%+v is no span of tokens", p)
		}
		if l.Rank == nil && i > 0 && (p.Sent < last.Sent || p.Sent == last.Sent && p.First < last.First) {
			return fmt.Errorf("%+v comes after %+v", p, last)
		}
		if p.Label == "" {
			return fmt.Errorf("%+v has no label", p)
		}
		last = p
	}
	return nil
}

// checkGoldUnseen compares the answers with all layers, gold among them, and with no more
// than the schema reads.
func checkGoldUnseen(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	schema := m.Schema()
	lean, err := s.annotate(ctx, m, s.Test, s.run())
	if err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	full := make([]*text.Document, len(s.Test))
	for i, d := range s.Test {
		c := *d
		full[i] = &c
	}
	for _, u := range units(full, schema) {
		if err := m.Annotate(ctx, u, s.run()); err != nil {
			return fmt.Errorf("annotate: %w", err)
		}
	}
	if g, w := written(full, schema), written(lean, schema); g != w {
		return fmt.Errorf("layers that the schema does not read change the answer, %s", difference(g, w))
	}
	return nil
}

// edges returns documents at the edge of what there can be.
func edges() []*text.Document {
	bare := &text.Document{ID: "no layers", Text: "Nobody has cut this text."}
	none := &text.Document{ID: "no tokens"}
	none.SetLayer(text.NewLayer(text.Sentences))
	none.SetLayer(text.NewLayer(text.Tokens))
	one := &text.Document{ID: "one token in the third sentence", Text: "x"}
	l := text.NewLayer(text.Tokens)
	l.N = 1
	for name, v := range map[string]int32{"sent": 3, "tok": 1, "char_start": 0, "char_end": 1} {
		l.SetInts(name, []int32{v})
	}
	for _, name := range []string{"form", "lemma", "upos", "xpos", "feats"} {
		l.SetStrs(name, []string{"x"})
	}
	one.SetLayer(l)
	return []*text.Document{{ID: "nothing"}, bare, none, one}
}

// checkEdgeDocuments annotates documents without text, layers or tokens, with all that can
// be asked for, and explains them.
func checkEdgeDocuments(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	run := s.run()
	run.Prob = !s.lacks(Prob)
	if !s.lacks(NBest) {
		run.NBest = 3
	}
	for _, d := range edges() {
		out, err := s.annotate(ctx, m, []*text.Document{d}, run)
		if err != nil {
			return fmt.Errorf("document with %s: %w", d.ID, err)
		}
		for _, u := range m.Schema().Writes {
			if l := out[0].Layer(u.Layer); l != nil {
				if err := wellFormed(d, l, u); err != nil {
					return fmt.Errorf("document with %s: layer %s: %w", d.ID, u.Layer, err)
				}
			}
		}
		if _, err := m.Explain(ctx, views([]*text.Document{d}, m.Schema().Reads), kind.At{}, s.run()); err != nil && !errors.Is(err, kind.ErrNoExplain) {
			return fmt.Errorf("explain document with %s: %w", d.ID, err)
		}
	}
	return nil
}

func checkCancelAnnotation(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	if len(m.Schema().Writes) == 0 {
		return nil
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.annotate(gone, m, s.Test, s.run()); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("annotation under a cancelled context gives %v", err)
	}
	return nil
}

// checkProb asks for probabilities: they are there, in [0, 1], and change no answer.
func checkProb(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	plain, err := s.annotate(ctx, m, s.Test, s.run())
	if err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	run := s.run()
	run.Prob = true
	docs, err := s.annotate(ctx, m, s.Test, run)
	if err != nil {
		return fmt.Errorf("annotate with prob: %w", err)
	}
	certain, rows := 0, 0
	for i, d := range docs {
		for _, u := range m.Schema().Writes {
			l := d.Layer(u.Layer)
			if l == nil {
				return fmt.Errorf("document %s has no %s", d.ID, u.Layer)
			}
			if s.lacks(Prob) {
				if l.Prob != nil {
					return errors.New("a kind without probabilities gives them")
				}
				continue
			}
			if len(l.Prob) != l.N {
				return fmt.Errorf("document %s: %d probabilities in %d rows", d.ID, len(l.Prob), l.N)
			}
			for _, p := range l.Prob {
				if !(p >= 0 && p <= 1) {
					return fmt.Errorf("document %s: probability %g", d.ID, p)
				}
				if rows++; p == 0 || p == 1 {
					certain++
				}
			}
			c := *l
			c.Prob = nil
			d.SetLayer(&c)
		}
		if g, w := dump(d, within(m.Schema().Writes)), dump(plain[i], within(m.Schema().Writes)); g != w {
			return fmt.Errorf("asking for prob changes the answer, %s", difference(g, w))
		}
	}
	if rows > 10 && certain == rows {
		return errors.New("every probability is 0 or 1")
	}
	return nil
}

// checkNBest asks for the five best: ranks from 1 to 5, probabilities falling with them
// within a sentence or document, and the answer without n-best at rank 1.
func checkNBest(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	const n = 5
	run := s.run()
	run.NBest, run.Prob = n, !s.lacks(Prob)
	docs, err := s.annotate(ctx, m, s.Test, run)
	if s.lacks(NBest) {
		if err == nil && len(m.Schema().Writes) > 0 {
			return errors.New("a kind without n-best takes it")
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("annotate with n-best: %w", err)
	}
	best, err := s.annotate(ctx, m, s.Test, s.run())
	if err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	deepest := int32(0)
	for i, d := range docs {
		for _, u := range m.Schema().Writes {
			l := d.Layer(u.Layer)
			if l == nil || len(l.Rank) != l.N || !s.lacks(Prob) && len(l.Prob) != l.N {
				return fmt.Errorf("document %s: %s lacks ranks or probabilities", d.ID, u.Layer)
			}
			if l.N > 0 {
				deepest = max(deepest, slices.Max(l.Rank))
			}
			if err := ranked(l, n); err != nil {
				return fmt.Errorf("document %s: %s: %w", d.ID, u.Layer, err)
			}
			first := &text.Document{Layers: []*text.Layer{top(l)}}
			gold := &text.Document{Layers: []*text.Layer{top(best[i].Layer(u.Layer))}}
			if g, w := dump(first, nil), dump(gold, nil); g != w {
				return fmt.Errorf("rank 1 is not the answer without n-best, %s", difference(g, w))
			}
		}
	}
	if deepest < 2 {
		return fmt.Errorf("no rank beyond %d", deepest)
	}
	return nil
}

// ranked checks ranks and falling probabilities within sentences.
func ranked(l *text.Layer, n int32) error {
	var sent []int32
	if l.Def.Index("sent") >= 0 {
		sent = l.Ints("sent")
	}
	type place struct{ sent, rank int32 }
	prob := map[place]float64{}
	for i, r := range l.Rank {
		if r < 1 || r > n {
			return fmt.Errorf("rank %d", r)
		}
		if l.Prob == nil {
			continue
		}
		p := place{rank: r}
		if sent != nil {
			p.sent = sent[i]
		}
		if old, ok := prob[p]; ok && old != l.Prob[i] {
			return fmt.Errorf("rank %d of sentence %d has probabilities %g and %g", r, p.sent, old, l.Prob[i])
		}
		prob[p] = l.Prob[i]
		for k := int32(1); k < r; k++ {
			if better, ok := prob[place{p.sent, k}]; ok && better < l.Prob[i]-1e-12 {
				return fmt.Errorf("rank %d of sentence %d has probability %g, rank %d only %g", r, p.sent, l.Prob[i], k, better)
			}
		}
	}
	return nil
}

// top returns the rows of rank 1, without hidden columns.
func top(l *text.Layer) *text.Layer {
	out := &text.Layer{Def: l.Def, Name: l.Name, Cols: make([]text.Col, len(l.Cols))}
	for i := range l.N {
		if l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		out.N++
		for k, c := range l.Cols {
			o := &out.Cols[k]
			if c.Ints != nil {
				o.Ints = append(o.Ints, c.Ints[i])
			}
			if c.Strs != nil {
				o.Strs = append(o.Strs, c.Strs[i])
			}
			if c.Floats != nil {
				o.Floats = append(o.Floats, c.Floats[i])
			}
		}
	}
	return out
}

// checkConcurrent annotates, explains and encodes in several goroutines at once.
func checkConcurrent(ctx context.Context, s *subject) error {
	m, err := s.trained(ctx)
	if err != nil {
		return err
	}
	run := s.run()
	run.Prob = true
	docs, err := s.annotate(ctx, m, s.Test, run)
	if err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	want := written(docs, m.Schema())
	errs := make([]error, 8)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() {
			for range 3 {
				docs, err := s.annotate(ctx, m, s.Test, run)
				if err != nil {
					errs[i] = err
					return
				}
				if got := written(docs, m.Schema()); got != want {
					errs[i] = fmt.Errorf("annotation in several goroutines differs, %s", difference(got, want))
					return
				}
			}
			if i%4 == 1 {
				_, errs[i] = encode(m)
			}
			if i%4 == 2 && !s.lacks(Explanation) {
				_, errs[i] = m.Explain(ctx, views(s.Test, m.Schema().Reads), kind.At{}, s.run())
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
