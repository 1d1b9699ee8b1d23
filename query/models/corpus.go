package models

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/textindex"
)

// searchedCorpus is a corpus that a model searches by a full-text index.
type searchedCorpus struct {
	resolver *Resolver
	object   *catalog.Object
	index    documents.FulltextIndex
	layer    *text.LayerDef // whose rows are the passages; nil for documents
}

// Corpus returns a corpus to search by the full-text index on its texts, or on a gold layer: CORPUS.LAYER.
func (s *Resources) Corpus(name string) (kind.Corpus, error) {
	c, err := s.Resolver.corpus(name)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (r *Resolver) corpus(name string) (*searchedCorpus, error) {
	o, layer, ok := r.corpusNamed(name)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no corpus %s", name)
	}
	c := &searchedCorpus{resolver: r, object: o}
	if layer != "" {
		l := r.StoredLayer(o, layer)
		if l == nil || l.Model != "" {
			return nil, &ast.Error{Code: plan.CodeUndefinedTable, Hint: "predictions are not searched by models",
				Msg: fmt.Sprintf("corpus %s stores no gold layer %s", o.Name, layer)}
		}
		c.layer = l.Def
	}
	for _, x := range r.Snapshot.Fulltext(o) {
		if x.Layer == layer || layer == "" && !x.Rows() && x.Forms() {
			c.index = x.FulltextIndex
			return c, nil
		}
	}
	return nil, &ast.Error{Code: plan.CodeState, Msg: fmt.Sprintf("%s is searched, and has no full-text index", name),
		Hint: "CREATE FULLTEXT INDEX ON " + name + " (text), of prose WITH (stem = 'english')"}
}

// corpusNamed finds a corpus, and the layer after a dot.
func (r *Resolver) corpusNamed(name string) (o *catalog.Object, layer string, ok bool) {
	name, layer, _ = strings.Cut(name, ".")
	o, ok = r.Snapshot.Object(name)
	return o, layer, ok && o.Kind == catalog.CorpusObject
}

// Search implements kind.Corpus: the k best hits of a query, all for k below 1, with the layers that are named.
func (c *searchedCorpus) Search(ctx context.Context, query string, k int, layers ...string) ([]kind.Hit, error) {
	if strings.TrimSpace(query) == "" {
		return nil, nil
	}
	search, err := c.compile(ctx, query)
	if err != nil {
		return nil, fault.FromSearch(ast.Pos{}, err)
	}
	list, err := c.best(ctx, search, k)
	if err != nil {
		return nil, err
	}
	want := documents.Want{IDs: true, Text: true, AllFields: true, AllLayers: len(layers) == 0}
	for _, l := range layers {
		want.Layers = append(want.Layers, documents.LayerWant{Name: l})
	}
	if c.layer != nil && !want.AllLayers && !slices.Contains(layers, c.index.Layer) {
		want.Layers = append(want.Layers, documents.LayerWant{Name: c.index.Layer})
	}
	out := make([]kind.Hit, len(list))
	for i, h := range list {
		if out[i], err = c.hit(ctx, h, want); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compile prepares a query; its terms are cut as those of the index are.
func (c *searchedCorpus) compile(ctx context.Context, query string) (*fulltext.Search, error) {
	q, err := fulltext.Parse(query)
	if err != nil {
		return nil, err
	}
	terms := func(s string) ([]string, error) { return strings.Fields(s), nil }
	if c.index.Forms() {
		tokenizer := document.TokenizerOf(c.object)
		terms = func(s string) ([]string, error) { return c.resolver.Set.Texts.Forms(ctx, s, tokenizer) }
	}
	return q.Compile(terms, c.index.Fold, c.index.FoldCase)
}

// best are the k best hits, all for k below 1.
func (c *searchedCorpus) best(ctx context.Context, search *fulltext.Search, k int) ([]textindex.Hit, error) {
	if k > 0 {
		return c.resolver.Snapshot.SearchTop(ctx, c.object, c.index.Layer, c.index.Column, search, k)
	}
	found, err := c.resolver.Snapshot.Search(ctx, c.object, c.index.Layer, c.index.Column, search, true)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found.List, func(a, b textindex.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return found.List, nil
}

// hit reads a document and the place of the passage.
func (c *searchedCorpus) hit(ctx context.Context, h textindex.Hit, want documents.Want) (kind.Hit, error) {
	d, err := c.resolver.Snapshot.Document(ctx, c.object, h.Seq, want)
	if err != nil {
		return kind.Hit{}, err
	}
	out := kind.Hit{Document: document.Gold(d), End: len(d.Text), Score: h.Score}
	if c.layer == nil {
		return out, nil
	}
	if l := d.Layer(c.index.Layer); l != nil && int(h.Row) < l.N {
		if from, to := l.Ints("char_start"), l.Ints("char_end"); from != nil && to != nil {
			out.Start, out.End = int(from[h.Row]), int(to[h.Row])
		}
	}
	return out, nil
}
