package main

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/crf"
	"parlance/algo/text"
	"parlance/storage"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// splitOf reads the documents of a split.
func splitOf(ctx context.Context, s *storage.Store, corpus, split string) ([]*text.Document, error) {
	o, ok := s.Object(corpus)
	if !ok {
		return nil, fmt.Errorf("there is no corpus %s", corpus)
	}
	sn := s.Snapshot()
	defer sn.Close()
	var out []*text.Document
	for _, w := range sn.Windows(o) {
		docs, err := sn.Documents(ctx, o, w, documents.Want{Text: true, AllFields: true, AllLayers: true})
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			if d.Field("split").S == split {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// tagging measures annotation without storage, and queries with and without the cache.
func (b *bench) tagging() error {
	d, c, err := b.session("tagging")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, chunkCorpus+"TRAIN crf AS chunker ON c WHERE split = 'train' WITH (layer = 'chunks', features "+
		"= 'chunk', l2 = 2.0, iterations = 15);"); err != nil {
		return err
	}
	const q = "SELECT count(*) FROM c.chunks USING chunker"
	const sentences = 8936 + 2012
	if err := b.script(c, "SET cache = off; "+q); err != nil {
		return err
	}
	took, err := b.statement(5, c, q)
	if err != nil {
		return err
	}
	b.add("tagging through SELECT, uncached", fmt.Sprintf("%.0f sentences/s", sentences/took.clock), "≥ 10,000",
		took.note("all cores"))
	if err := b.script(c, "SET cache = on; "+q); err != nil {
		return err
	}
	if took, err = b.statement(5, c, q); err != nil {
		return err
	}
	b.add("tagging through SELECT, cached", fmt.Sprintf("%.0f sentences/s", sentences/took.clock), "≥ 100,000",
		took.note(""))
	if err := d.Close(); err != nil {
		return err
	}
	return b.annotation(d.Path())
}

// annotation measures the model alone on one core: features, decoding and result layers.
func (b *bench) annotation(path string) error {
	s, err := storage.Open(path, storage.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	docs, err := splitOf(b.ctx, s, "c", "test")
	if err != nil {
		return err
	}
	v, ok := s.ModelVersion("chunker", 1)
	if !ok {
		return fmt.Errorf("there is no model chunker")
	}
	w, err := s.Weights(v.WeightsID)
	if err != nil {
		return err
	}
	m, set := crf.Kind().New(), &option.Set{}
	m.Options(set)
	if err := set.Apply([]option.Arg{{Name: "layer", Value: value.Str("chunks")}}); err != nil {
		return err
	}
	if err := m.Decode(kind.NewReader(w.Section)); err != nil {
		return err
	}
	run := &kind.Run{Workers: 1, Report: func(kind.Progress) {}}
	took, err := b.measure(5, func() error {
		for _, d := range docs {
			view := *d
			if err := m.Annotate(b.ctx, []*text.Document{&view}, run); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.add("tagging from tokens and tags, one core", fmt.Sprintf("%.0f sentences/s", float64(len(docs))/took.clock),
		"≥ 30,000", took.note("without storage"))
	return nil
}
