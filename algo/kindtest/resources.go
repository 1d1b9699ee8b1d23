package kindtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Resources are what kinds look into, in memory, by name.
type Resources struct {
	Gazetteers map[string]kind.Gazetteer
	Lexicons   map[string]kind.Lexicon
	KBs        map[string]kind.KB
	Corpora    map[string]kind.Corpus
	Models     map[string]kind.Trained
}

var _ kind.Resources = Resources{}

func in[T any](m map[string]T, what, name string) (T, error) {
	x, ok := m[name]
	if !ok {
		return x, fmt.Errorf("there is no %s %s", what, name)
	}
	return x, nil
}

// Gazetteer implements kind.Resources.
func (r Resources) Gazetteer(name string) (kind.Gazetteer, error) {
	return in(r.Gazetteers, "gazetteer", name)
}

// Lexicon implements kind.Resources.
func (r Resources) Lexicon(name string) (kind.Lexicon, error) { return in(r.Lexicons, "lexicon", name) }

// KB implements kind.Resources.
func (r Resources) KB(name string) (kind.KB, error) { return in(r.KBs, "kb", name) }

// Corpus implements kind.Resources.
func (r Resources) Corpus(name string) (kind.Corpus, error) { return in(r.Corpora, "corpus", name) }

// Model implements kind.Resources.
func (r Resources) Model(name string) (kind.Trained, error) { return in(r.Models, "model", name) }

// Corpus is documents to search. The score of a document is how many of the quoted words of a query its tokens are.
type Corpus []*text.Document

// Search implements kind.Corpus.
func (c Corpus) Search(ctx context.Context, query string, k int, _ ...string) (out []kind.Hit, err error) {
	words := strings.FieldsFunc(query, func(r rune) bool { return r == '"' })
	for _, d := range c {
		h := kind.Hit{Document: d, End: len(d.Text)}
		if l := d.Layer(text.Tokens.Name); l != nil {
			for _, form := range l.Strs("form") {
				if slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, form) }) {
					h.Score++
				}
			}
		}
		if h.Score > 0 {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b kind.Hit) int { return cmp.Compare(b.Score, a.Score) })
	if k > 0 {
		out = out[:min(k, len(out))]
	}
	return out, ctx.Err()
}

// missingResources trains and annotates where nothing is to be found: one of both must say so.
func missingResources(t *testing.T, c Case) {
	tr := training(c)
	tr.Resources = Resources{}
	m := fresh(t, c)
	err := m.Train(background, tr)
	if err == nil && len(c.Test) > 0 {
		r := c.run(false, 0)
		r.Resources = Resources{}
		err = m.Annotate(background, units(m, views(c.Test))[0], r)
	}
	if err == nil {
		t.Error("nobody misses what the kind looks into")
	}
}

// looker labels documents by what a resource says of their tokens.
type looker struct {
	kind.Base
	of   string // kind of resource
	name string
	say  func(ctx context.Context, res kind.Resources, name string, forms []string) (string, error)
}

func (m *looker) Options(s *option.Set) {
	if m.of == "corpus" {
		s.Corpus(&m.name, m.of, "", "what is searched")
	} else {
		s.Resource(&m.name, m.of, "", "what is looked into")
	}
}

func (m *looker) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes:    []kind.LayerUse{{Layer: "labels"}},
		Resources: []kind.Resource{{Kind: m.of, Name: m.name}}}
}

func (m *looker) Train(ctx context.Context, _ *kind.Training) error { return ctx.Err() }

func (m *looker) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		var forms []string
		if l := d.Layer("tokens"); l != nil {
			forms = l.Strs("form")
		}
		what, err := m.say(ctx, r.Resources, m.name, forms)
		if err != nil {
			return err
		}
		label(d, what, false)
	}
	return ctx.Err()
}

func (m *looker) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (m *looker) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}

// RuleVotesKind labels documents by rules, rows word, label, weight of a lexicon, of which a word may have several; it
// says of how many rules these are.
func RuleVotesKind() kind.Kind {
	return kind.Kind{Name: "rule_votes", Doc: "labels documents by the rules of a lexicon", Revision: 1,
		New: func() kind.Model { return &looker{of: "lexicon", say: ruleVotes} }}
}

func ruleVotes(ctx context.Context, res kind.Resources, name string, forms []string) (string, error) {
	lex, err := res.Lexicon(name)
	if err != nil {
		return "", err
	}
	all := 0
	for _, err := range lex.All(ctx) {
		if err != nil {
			return "", err
		}
		all++
	}
	at := slices.Index(lex.Columns(), "label")
	if at < 0 {
		return "", fmt.Errorf("lexicon %s has no column label", name)
	}
	votes := []string{}
	for _, f := range forms {
		for _, row := range lex.Rows(f) {
			votes = append(votes, row[at])
		}
	}
	return fmt.Sprintf("%s of %d rules", strings.Join(votes, "+"), all), nil
}

// LinkerKind labels documents by the entity that the first known name in them most often means, with its description.
func LinkerKind() kind.Kind {
	return kind.Kind{Name: "linker", Doc: "links documents to entities of a knowledge base", Revision: 1,
		New: func() kind.Model { return &looker{of: "kb", say: link} }}
}

func link(_ context.Context, res kind.Resources, name string, forms []string) (string, error) {
	kb, err := res.KB(name)
	if err != nil {
		return "", err
	}
	for _, f := range forms {
		list := kb.Candidates(f)
		if len(list) == 0 {
			continue
		}
		best := slices.MaxFunc(list, func(a, b kind.Candidate) int {
			return cmp.Compare(a.Count,
				b.Count)
		}) // NaN is least
		return fmt.Sprintf("%s (%g of %d): %s", best.Entity, best.Count, len(list), kb.Column(best.Entity,
			"description")), nil
	}
	return "nobody", nil
}

// SearchKind labels documents by the best passage of a corpus for their words.
func SearchKind() kind.Kind {
	return kind.Kind{Name: "searcher", Doc: "labels documents by the passage of a corpus that fits them best",
		Revision: 1,
		New:      func() kind.Model { return &looker{of: "corpus", say: search} }}
}

func search(ctx context.Context, res kind.Resources, name string, forms []string) (string, error) {
	c, err := res.Corpus(name)
	if err != nil {
		return "", err
	}
	hits, err := c.Search(ctx, kind.AnyOf(forms), 2)
	if err != nil || len(hits) == 0 {
		return "nothing", err
	}
	h := hits[0]
	return fmt.Sprintf("%s of %d: %s", h.Document.ID, len(hits), h.Document.Text[h.Start:h.End]), nil
}
