package mentiondetector

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/coref/mention"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "mention_detector",
		Learns: "which spans may be mentions: rules over trees, a filter of counts, a logistic regression with " +
			"`prob`",
		Figures:  "OntoGUM dev: recall 94.6 of the rules; F1 56.4 of the rules, 80.9 learned",
		Revision: 1,
		Doc: "finds mentions of entities and events: spans by rules over trees, tags and entities, filtered by counts or " +
			"by a logistic regression",
		Paper: "Chang, Samdani, Rozovskaya, Rizzolo, Sammons and Roth 2011; " +
			"Chang, Samdani, Rozovskaya, Sammons and Roth 2012",
		New: func() kind.Model { return &model{} },
	}
}

// The values of options.
const (
	byRules    = "rules"
	learned    = "learned"
	dependency = "dependencies"
	phrase     = "constituents"
	bothTrees  = "both"
	none       = "none"
	counts     = "counts"
)

type model struct {
	kind.Base
	method, trees, tags, features, filter string
	entities, wide                        bool
	minCount, iterations                  int
	stringRatio, contextRatio             float64
	l2, threshold                         float64

	set     *place.Set // of method = learned
	filters *filter    // nil without one
	weights *weights   // nil without them
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	s.Choice(&m.method, "method", learned, []string{byRules, learned},
		"rules keep all candidates that the filter leaves; learned keeps those that a logistic regression finds likely")
	s.Choice(&m.trees, "trees", dependency, []string{dependency, phrase, bothTrees, none},
		"trees that candidates are found in; without them by the tags alone")
	s.Choice(&m.tags, "tags", "xpos", []string{"xpos", "upos"},
		"column of tags that is needed; the other one is read where it is there")
	s.Bool(&m.entities, "entities", false, "named entities are candidates, and features know their types")
	s.Bool(&m.wide, "wide", false,
		"more candidates, as trees of parsers have errors: nouns with what stands before them, runs of tags, verbs")
	s.Features(&m.features, "features", "mention", "features of a candidate: a set over one mention").Knows("mention")
	s.Float(&m.l2, "l2", 1, 0, 1e6, "weight of half the squared norm of the weights")
	s.Int(&m.iterations, "iterations", 60, 1, 10000, "iterations of L-BFGS at most")
	s.Choice(&m.filter, "filter", none, []string{none, counts},
		"counts drops candidates by how often their words, or their head with a neighbour, were candidates and mentions")
	s.Int(&m.minCount, "min_count", 5, 1, 1<<30, "the filter counts on what was a candidate as often")
	s.Float(&m.stringRatio, "string_ratio", 0, 0, 1, "words are dropped of which at most this share were mentions")
	s.Float(&m.contextRatio, "context_ratio", 0.02, 0, 1,
		"the same of heads with the word before, or after, the candidate")
	s.Float(&m.threshold, "threshold", 0.05, 0, 1, "candidates are kept from this probability on").In(option.Predict)
	s.Only("features l2 iterations threshold", "method", learned)
	s.Only("min_count string_ratio context_ratio", "filter", counts)
	s.Check("features", func() error { _, err := m.compile(); return err })
}

// compile reads the set of features.
func (m *model) compile() (*place.Set, error) {
	if m.method != learned {
		return nil, nil
	}
	notation := m.features
	if n, ok := place.Builtin(notation); ok {
		notation = n
	}
	if !place.Is(notation) {
		return nil, fmt.Errorf("features are a set over one mention, such as over (m mention), or the name of such a set; "+
			"%q is none", notation)
	}
	set, err := place.Parse(notation)
	if err != nil {
		return nil, err
	}
	if p := set.Places(); len(p) != 1 || p[0].Type != "mention" {
		return nil, fmt.Errorf("features are over one mention, these are %s", set.Header())
	}
	return set, nil
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerDocument, Writes: []kind.LayerUse{{Layer: text.Mentions.Name}}}
	read := func(layer string, columns ...string) {
		k := slices.IndexFunc(s.Reads, func(u kind.LayerUse) bool { return u.Layer == layer })
		if k < 0 {
			k = len(s.Reads)
			s.Reads = append(s.Reads, kind.LayerUse{Layer: layer})
		}
		for _, c := range columns {
			if !slices.Contains(s.Reads[k].Columns, c) {
				s.Reads[k].Columns = append(s.Reads[k].Columns, c)
			}
		}
	}
	read(text.Tokens.Name, "form", m.tags)
	if m.trees == dependency || m.trees == bothTrees {
		read(text.Dependencies.Name, "sent", "tok", "head", "deprel")
	}
	if m.trees == phrase || m.trees == bothTrees {
		read(text.Constituents.Name, "sent", "node", "parent", "label", "tok_start", "tok_end")
	}
	if m.entities {
		read(text.Entities.Name, "sent", "tok_start", "tok_end", "label")
	}
	if set, err := m.compile(); err == nil && set != nil {
		for _, u := range set.Layers() {
			if u.Layer == text.Dependencies.Name && (m.trees == none || m.trees == phrase) {
				continue // without trees heads come from tags
			}
			if u.Layer != text.Mentions.Name && u.Layer != text.Tokens.Name {
				read(u.Layer, u.Columns...)
			}
		}
		s.Resources, s.Prob = set.Resources(), kind.Marginal
	}
	// Text that models annotate has few columns: the others are read where they are there.
	others := kind.LayerUse{Layer: text.Tokens.Name, Optional: true}
	for _, c := range []string{"lemma", "upos", "xpos", "feats", "misc"} {
		if !slices.Contains(s.Reads[0].Columns, c) {
			others.Columns = append(others.Columns, c)
		}
	}
	if len(others.Columns) > 0 {
		s.Reads = append(s.Reads, others)
	}
	if m.learns() {
		s.Learns = []kind.LayerUse{{Layer: text.Mentions.Name, Columns: []string{"sent", "tok_start", "tok_end"}}}
	}
	return s
}

// learns tells whether gold mentions are learned from.
func (m *model) learns() bool { return m.method == learned || m.filter == counts }

// find lists the candidates of a document.
func (m *model) find(ctx context.Context, doc *text.Document) (*mention.Document, []candidate, error) {
	d, err := mention.Read(ctx, doc)
	if err != nil {
		return nil, nil, err
	}
	list, err := candidates(ctx, d, sources{
		dependencies: m.trees == dependency || m.trees == bothTrees, constituents: m.trees == phrase || m.trees == bothTrees,
		entities: m.entities, wide: m.wide,
	})
	return d, list, err
}

// example is a document of the training with its candidates and which of them are mentions.
type example struct {
	doc  *text.Document
	read *mention.Document
	list []candidate
	gold []bool
}

// Train counts for the filter and fits the regression.
func (m *model) Train(ctx context.Context, in *kind.Training) error {
	var err error
	if m.set, err = m.compile(); err != nil {
		return err
	}
	var list []example
	found, documents := 0, 0
	for doc, err := range in.On.Documents(ctx) {
		if err != nil {
			return err
		}
		documents++
		d, spans, err := m.find(ctx, doc)
		if err != nil {
			return err
		}
		e := example{doc, d, spans, make([]bool, len(spans))}
		gold, _ := d.Spans(doc)
		for _, s := range gold {
			if i, ok := slices.BinarySearchFunc(spans, s, func(c candidate, s mention.Span) int { return c.Compare(s) }); ok {
				e.gold[i] = true
				found++
			}
		}
		list = append(list, e)
	}
	if documents == 0 || m.learns() && found == 0 {
		return fmt.Errorf("%w: no candidate of %d documents is a mention", kind.ErrNoData, documents)
	}
	if m.filter == counts {
		m.filters = countAll(list, m.minCount, m.stringRatio, m.contextRatio)
	}
	if m.method == learned {
		return m.fit(ctx, in, list)
	}
	in.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN()})
	return ctx.Err()
}

// Annotate writes the layer of mentions.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	var x *place.Extractor
	if m.weights != nil {
		var err error
		if x, err = place.NewExtractor(m.set, run.Resources); err != nil {
			return err
		}
	}
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, spans, err := m.find(ctx, doc)
		if err != nil {
			return err
		}
		if m.filters != nil {
			spans = slices.DeleteFunc(spans, func(c candidate) bool { return m.filters.drops(d, c.Span) != "" })
		}
		var prob []float64
		if m.weights != nil {
			p, err := m.weights.probabilities(ctx, x, doc, spans)
			if err != nil {
				return err
			}
			kept := spans[:0]
			for i, s := range spans {
				if p[i] >= m.threshold {
					kept, prob = append(kept, s), append(prob, p[i])
				}
			}
			spans = kept
		}
		l, err := layerOf(ctx, doc, d, spans)
		if err != nil {
			return err
		}
		if run.Prob && m.weights != nil {
			l.Prob = prob
		}
		doc.SetLayer(l)
	}
	return nil
}

// layerOf makes the layer of mentions, with their types.
func layerOf(ctx context.Context, doc *text.Document, d *mention.Document, list []candidate) (*text.Layer, error) {
	l := text.NewLayer(text.Mentions)
	l.N = len(list)
	spans := make([]mention.Span, l.N)
	for i, c := range list {
		spans[i] = c.Span
	}
	mentions, err := d.Describe(ctx, spans, mention.Lexicons{})
	if err != nil {
		return nil, err
	}
	var number, sent, charStart, charEnd, tokStart, tokEnd []int32
	kinds := make([]string, 0, len(spans))
	var from, to []int32
	if toks := doc.Layer(text.Tokens.Name); toks != nil {
		from, to = toks.Ints("char_start"), toks.Ints("char_end")
	}
	for i, m := range mentions {
		first := d.Bounds[m.Sent]
		number, sent = append(number, int32(i+1)), append(sent, m.Sent+1)
		charStart, charEnd = append(charStart, from[m.Start]), append(charEnd, to[m.End-1])
		tokStart, tokEnd = append(tokStart, m.Start-first+1), append(tokEnd, m.End-first)
		kinds = append(kinds, m.Type.String())
	}
	l.SetInts("mention", number)
	l.SetInts("sent", sent)
	l.SetInts("char_start", charStart)
	l.SetInts("char_end", charEnd)
	l.SetInts("tok_start", tokStart)
	l.SetInts("tok_end", tokEnd)
	l.SetStrs("kind", kinds)
	return l, nil
}

// Encode writes the filter and the weights.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.filters.encode(w); err != nil {
		return err
	}
	return m.weights.encode(w)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.set, err = m.compile(); err != nil {
		return kind.Corrupt("weights", err.Error())
	}
	if m.filter == counts {
		if m.filters, err = decodeFilter(r, m.stringRatio, m.contextRatio); err != nil {
			return err
		}
	}
	if m.method == learned {
		m.weights, err = decodeWeights(r)
	}
	return err
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := 0
	if m.filters != nil {
		n += 24 * len(m.filters.seen)
	}
	if m.weights != nil {
		n += 12 * len(m.weights.hashes)
	}
	return int64(n)
}
