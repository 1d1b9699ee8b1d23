package attributes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:   "attributes",
		Learns: "words for the attributes of a class from text and pages: `a.attributes('country')`",
		Figures: "country, four pages: 14 of the first 20 stand between tags of four other pages; 7 without tags " +
			"in the score",
		Revision: 1,
		Doc: "words for the attributes of classes, such as price and engine for car, by patterns, trees, tags of " +
			"pages and documents",
		Paper: "Tokunaga, Kazama and Torisawa 2005",
		New:   func() kind.Model { return &model{} },
	}
}

// factors are the parts of the product, as the option drop names them.
var factors = []string{"n", "f", "t", "dfidf"}

// Options of where the documents of a class come from.
const (
	byClass    = "class"
	byHyponyms = "hyponyms"
)

type model struct {
	kind.Base
	Documents int     `state:"documents,from=0,to=4294967295"` // |G|
	Classes   []class `state:"classes,rising=Name"`            // by name
	opt       struct {
		classes, drop   []string
		local, language string
		size, longest   int
		compound        bool
		smooth          float64
	}
}

// class is what was counted for one class.
type class struct {
	Name       string      `state:"names"`
	Documents  int         `state:"documents,from=0,to=4294967295"` // |LD|
	Candidates []candidate `state:"candidates"`
}

// candidate is a noun with its counts; those without n, f and t are left out.
type candidate struct {
	Noun string  `state:"nouns"`
	N    float64 `state:"n,from=0,to=2147483647"`
	F    float64 `state:"f,from=0,to=2147483647"`
	T    float64 `state:"t,from=0,to=2147483647"`
	DF   int     `state:"df,from=0,to=2147483647"`
	All  int     `state:"all,from=0,to=2147483647"` // documents of the class, and of all, with the noun
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.List(&o.classes, "classes", nil,
		"the classes, such as (car, city): nouns as their lemma, or as they are written where there are no lemmas")
	s.Choice(&o.local, "local", byClass, []string{byClass, byHyponyms},
		"documents of a class: those with the class word, or with words for its kinds, which the input AS hyponyms "+
			"lists")
	s.Choice(&o.language, "language", "en", []string{"en", "none"},
		"lemmas of tokens without one: en, by rules of English spelling; none, the forms")
	s.Int(&o.size, "size", 1000, 1, math.MaxInt32, "documents of a class at most, the first ones by BM25")
	s.Int(&o.longest, "max_length", 25, 1, 1000, "characters of a text between tags at most")
	s.Bool(&o.compound, "compound", false, "n and f count the compound C A too, as in car price")
	s.List(&o.drop, "drop", nil, "factors that are left out of the product: n, f, t, dfidf").In(option.Predict)
	s.Float(&o.smooth, "smooth", 0, 0, 1e6, "added to n, f and t, so that a noun that lacks one is not out").
		In(option.Predict)
	s.Check("drop", func() error {
		for _, d := range o.drop {
			if !slices.Contains(factors, d) {
				return fmt.Errorf("option drop: '%s' is no factor%s; there are n, f, t and dfidf", d,
					option.DidYouMean(d, factors))
			}
		}
		if len(o.drop) >= len(factors) {
			return fmt.Errorf("option drop leaves no factor")
		}
		return nil
	})
	s.Check("classes", func() error {
		for i, c := range o.classes {
			o.classes[i] = strings.ToLower(strings.TrimSpace(c))
			if o.classes[i] == "" {
				return fmt.Errorf("option classes: a class has no letters")
			}
		}
		return nil
	})
}

var hyponymTable = kind.TableUse{Name: "hyponyms", Doc: "words for kinds or instances of classes",
	Columns: []kind.Column{
		{Name: "class", Type: value.Text, Doc: "class"},
		{Name: "hyponym", Type: value.Text, Doc: "word for a kind of it; several words with blanks between them"}}}

// Schema tells what is read: tokens with tags, and where there are, trees and the texts between tags of pages.
func (m *model) Schema() kind.Schema {
	reads := []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", "upos"}},
		{Layer: text.Tokens.Name, Columns: []string{"lemma"}, Optional: true},
		{Layer: text.Dependencies.Name, Optional: true}}
	return kind.Schema{
		Reads:     append(slices.Clone(reads), kind.LayerUse{Layer: text.Segments.Name, Optional: true}),
		Relations: relations,
		Scores:    []kind.TableUse{goldTable},
		Roles: []kind.Role{
			{Name: "parsed",
				Doc: "parsed text in which f is counted; without it, in the corpus itself, by its trees or " +
					"else by the patterns of n", Reads: reads, Optional: true, Train: true},
			{Name: "hyponyms", Doc: "words for the kinds of each class", Tables: []kind.TableUse{hyponymTable},
				Optional: true, Train: true},
		},
	}
}

// Train counts in two passes.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if len(m.opt.classes) == 0 {
		return fmt.Errorf("option classes: name the classes whose attributes are wanted, such as classes = (car, city)")
	}
	c, err := m.newCounter(ctx, t)
	if err != nil {
		return err
	}
	if err := c.choose(ctx, t.On); err != nil {
		return err
	}
	if c.documents == 0 {
		return fmt.Errorf("%w: no document has tokens", kind.ErrNoData)
	}
	if err := c.count(ctx, t.On); err != nil {
		return err
	}
	if in := t.Roles["parsed"]; in != nil {
		if err := c.parsed(ctx, in); err != nil {
			return err
		}
	}
	m.Documents, m.Classes = c.documents, c.classes()
	for _, x := range m.Classes {
		if x.Documents == 0 {
			t.Notice(fmt.Sprintf("no document has a word for the class '%s'", x.Name))
			continue
		}
		t.Notice(text.Countf("%s: %d {document|documents}, %d {candidate|candidates}, %d with every factor", x.Name,
			x.Documents,
			len(x.Candidates), m.whole(&x)))
	}
	return nil
}

// whole counts the candidates that no factor excludes.
func (m *model) whole(x *class) int {
	n := 0
	for i := range x.Candidates {
		if c := &x.Candidates[i]; c.N*c.F*c.T*m.idf(c) > 0 {
			n++
		}
	}
	return n
}

// idf is ln(|G| / df(A, G)).
func (m *model) idf(c *candidate) float64 {
	return math.Log(float64(m.Documents) / float64(max(1, c.All)))
}

// score is the product of the factors that are not dropped (equation 1).
func (m *model) score(c *candidate) float64 {
	v := 1.0
	for i, x := range [...]float64{c.N + m.opt.smooth, c.F + m.opt.smooth, c.T + m.opt.smooth,
		float64(c.DF) * m.idf(c)} {
		if !slices.Contains(m.opt.drop, factors[i]) {
			v *= x
		}
	}
	return v
}

// scored is a candidate with its score.
type scored struct {
	*candidate
	score float64
}

// ranked is the candidates of a class with a score above 0, the best first; equal ones by n·f, then by noun.
func (m *model) ranked(x *class) []scored {
	var out []scored
	for i := range x.Candidates {
		c := &x.Candidates[i]
		if v := m.score(c); v > 0 {
			out = append(out, scored{c, v})
		}
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.N*b.F, a.N*a.F), cmp.Compare(a.Noun, b.Noun))
	})
	return out
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	for _, x := range m.Classes {
		for i := range x.Candidates {
			n += int64(len(x.Candidates[i].Noun) + 64)
		}
	}
	return n
}
