package wikigazetteer

import (
	"context"
	"fmt"
	"math"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "wiki_gazetteer",
		Learns: "a gazetteer of the titles of an encyclopedia, each with the noun that defines it, for the " +
			"templates of others: `gaz_label(wiki)`",
		Figures: "a quarter of WNUT-17: F1 22.3 without, 26.5 with it, 29.2 with classes of nouns by " +
			"`latent_classes` too",
		Revision: 1,
		Doc: "gazetteer of the titles of an encyclopedia, labelled by the noun that defines each in its first sentence; " +
			"can be used as a gazetteer and for a lexicon",
		Paper: "Kazama and Torisawa 2007",
		New:   func() kind.Model { return &model{} },
	}
}

// Where noun phrases come from, and which word of them is the label.
const (
	byChunks = "chunks"
	byTags   = "tags"
	byClause = "clause"
	lastWord = "last_word"
	lastNoun = "last_noun"
)

type model struct {
	kind.Base
	pages   []page
	entries []entry
	counts  []statistic
	opt     struct {
		nounPhrases, tags, head          string
		beForms, skipNouns, ofNouns      []string
		nounTags, particles              []string
		stopWords, persons               []string
		parentheses, capitalized, titled bool
		nameParts                        bool
		maxWords, hops, minLabelCount    int
		minCapital                       float64
		coarse                           string
	}
}

// page is a title with what was found for it.
type page struct {
	title, redirect string // redirect is "" for a page of its own
	sentence        string // defining sentence, "" without
	phrase          string // noun phrase that the label heads
	label           string // "" without
	coarse          string
	outcome         outcome
}

// entry is a phrase of the gazetteer.
type entry struct {
	phrase string
	page   uint32 // that has the label: for redirects the one that they lead to
	source source
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.nounPhrases, "noun_phrases", byChunks, []string{byChunks, byTags, byClause},
		"where base noun phrases come from: the layer chunks, labels NP; runs of tags; or clause: the words behind the "+
			"form of be up to a comma "+
			"or full stop, from the last attributive particle on, as fits Chinese, where what modifies a noun stands before it")
	s.List(&o.nounTags, "noun_tags", nil,
		"beginnings of the tags of nouns; empty takes NN of xpos, NOUN and PROPN of upos")
	s.List(&o.particles, "particles", []string{"的"},
		"attributive particles: words that stand between a noun and what modifies it")
	s.Only("particles", "noun_phrases", byClause)
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos"},
		"column of tags: those of the Penn Treebank, or universal ones")
	s.Choice(&o.head, "head", lastNoun, []string{lastNoun, lastWord},
		"label: last_noun is the last noun of the phrase before a comma or conjunction; last_word the last word of the "+
			"phrase, as in the paper")
	s.Bool(&o.parentheses, "parentheses", false, "whether what stands in parentheses is read, as in the paper")
	s.List(&o.beForms, "be_forms", []string{"is", "was", "are", "were"}, "words behind which the definition stands")
	s.List(&o.skipNouns, "skip_nouns", []string{"one", "kind", "sort", "type"},
		"heads that define nothing: that of the next noun phrase is taken")
	s.List(&o.ofNouns, "of_nouns", []string{"name"}, "heads for which the same holds where of follows")
	s.Int(&o.maxWords, "max_words", 8, 1, 20, "words of a phrase at most; titles with more are left out")
	s.Bool(&o.capitalized, "capitalized", true, "whether the first word of a phrase must have a capital letter")
	s.List(&o.stopWords, "stop_words", stopWords, "capitalised words that no phrase begins with")
	s.Bool(&o.titled, "title_case_first", true, "whether titles have a capital first letter whatever the name, as in iPod")
	s.Float(&o.minCapital, "min_capital", 0, 0, 1,
		"titles of one word are left out where a smaller share of its occurrences in the documents has a capital letter; "+
			"0 keeps all")
	s.Int(&o.hops, "hops", 10, 0, 1000, "redirects followed at most, one after the other")
	s.Int(&o.minLabelCount, "min_label_count", 1, 1, math.MaxInt32,
		"labels of fewer pages are left out, their phrases stay")
	s.Resource(&o.coarse, "coarse", "",
		"lexicon whose second column is a coarse class of a label, such as person for guitarist")
	s.Bool(&o.nameParts, "name_parts", false,
		"whether first and last words of the names of people are phrases too, with the labels given_name and surname")
	s.List(&o.persons, "persons", []string{"person", "people"}, "labels, or coarse classes of labels, of people")
	s.Only("persons", "name_parts", "true")
}

// Schema tells that tagged and chunked tokens are read, and titles and redirects of the documents.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerDocument, Relations: m.relations(),
		Fields: []string{titleField, firstField, redirectField},
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", m.opt.tags}}}}
	if m.opt.nounPhrases == byChunks {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Chunks.Name})
	}
	if m.opt.coarse != "" {
		s.Resources = []kind.Resource{{Kind: "lexicon", Name: m.opt.coarse}}
	}
	return s
}

// Train reads the pages one by one and makes phrases of their titles. It keeps a title, a sentence and a label a page.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	coarse, err := m.coarseOf(t.Resources)
	if err != nil {
		return err
	}
	r := &reader{m: m, coarse: coarse, letters: newLetters(m.opt.minCapital)}
	began, last := time.Now(), time.Now()
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.read(d)
		if time.Since(last) > time.Second {
			last = time.Now()
			t.Report(kind.Progress{Step: len(r.pages), Of: max(t.On.Count(), len(r.pages)), Objective: math.NaN(),
				HeldOut: math.NaN(),
				Seconds: time.Since(began).Seconds(), Note: text.Countf("%d {label|labels}", r.labelled)})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(r.pages) == 0 {
		return fmt.Errorf("%w: there is no page with a title", kind.ErrNoData)
	}
	m.pages = r.pages
	m.dropRare()
	if m.entries, m.counts, err = m.phrases(ctx, r); err != nil {
		return err
	}
	t.Notice(text.Countf("%d {page|pages}, %d of them with a label; %d {phrase|phrases}", len(m.pages), r.labelled,
		len(m.entries)))
	return nil
}

// coarseOf returns the coarse class of a label, always "" without a lexicon.
func (m *model) coarseOf(res kind.Resources) (func(label string) string, error) {
	if m.opt.coarse == "" {
		return func(string) string { return "" }, nil
	}
	l, err := res.Lexicon(m.opt.coarse)
	if err != nil {
		return nil, err
	}
	columns := l.Columns()
	if len(columns) < 2 {
		return nil, fmt.Errorf("option coarse: lexicon %s has no second column", m.opt.coarse)
	}
	return func(label string) string { return l.Lookup(label, columns[1]) }, nil
}

// dropRare leaves out labels that too few pages have.
func (m *model) dropRare() {
	n := map[string]int{}
	for i := range m.pages {
		n[m.pages[i].label]++
	}
	for i := range m.pages {
		if p := &m.pages[i]; p.label != "" && n[p.label] < m.opt.minLabelCount {
			p.label, p.outcome = "", rareLabel
		}
	}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(16 * len(m.entries))
	for i := range m.pages {
		p := &m.pages[i]
		n += int64(112 + len(p.title) + len(p.redirect) + len(p.sentence) + len(p.phrase))
	}
	for i := range m.entries {
		n += int64(16 + len(m.entries[i].phrase))
	}
	return n
}
