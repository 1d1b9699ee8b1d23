package definition

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// example is a sentence to learn from or to score. Its term is one of several phrases where nobody says which.
type example struct {
	s        *sentences.Sentence
	terms    [][2]int
	positive bool
}

// label reads the metadata column label: numbers above 0, true, yes and definition are definitions; NULL is no label.
func label(d *text.Document) (positive, ok bool, err error) {
	v := d.Field(labelField)
	switch {
	case v.IsNull():
		return false, false, nil
	case v.T == value.Integer || v.T == value.Float || v.T == value.Boolean:
		return v.Float() > 0, true, nil
	}
	switch strings.ToLower(strings.TrimSpace(v.S)) {
	case "":
		return false, false, nil
	case "1", "true", "t", "yes", "y", "definition":
		return true, true, nil
	case "0", "-1", "false", "f", "no", "n", "other", "none":
		return false, true, nil
	}
	return false, false, fmt.Errorf("label of document %s is '%s'; true, yes, definition and 1 are definitions, "+
		"false, "+
		"no, other and 0 are none", d.ID, v.S)
}

// term is the term of a document, or its title; what stands in brackets is left out.
func term(d *text.Document) string {
	t := d.Field(termField).S
	if strings.TrimSpace(t) == "" {
		t = strings.ReplaceAll(d.Field(titleField).S, "_", " ")
	}
	if at := strings.Index(t, "("); at > 0 {
		t = t[:at]
	}
	return strings.ToLower(strings.TrimSpace(t))
}

// letters are the letters and digits of a text, so that tokens and titles compare whatever cuts them.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t-–'’.,\"“”/&", r) {
			return -1
		}
		return r
	}, s)
}

// locate finds a term in a sentence: the first words that spell it, else with loose from its first to its last word
// where these are at most 8 words.
func locate(s *sentences.Sentence, term string, loose bool) (from, to int, ok bool) {
	want := letters(term)
	if want == "" {
		return 0, 0, false
	}
	for i := range s.Words {
		rest := want
		for k := i; k < len(s.Words) && strings.HasPrefix(rest, letters(s.Words[k].Lower)); k++ {
			if k == i && letters(s.Words[k].Lower) == "" {
				break // begins with a mark
			}
			if rest = rest[len(letters(s.Words[k].Lower)):]; rest == "" {
				return i, k + 1, true
			}
		}
	}
	words := strings.Fields(term)
	if !loose || len(words) < 2 {
		return 0, 0, false
	}
	first, last := letters(words[0]), letters(words[len(words)-1])
	for i := range s.Words {
		if letters(s.Words[i].Lower) != first {
			continue
		}
		for k := i + 1; k < min(i+8, len(s.Words)); k++ {
			if letters(s.Words[k].Lower) == last {
				return i, k + 1, true
			}
		}
	}
	return 0, 0, false
}

// candidates are the phrases of a sentence that may be the term, without their articles.
func candidates(s *sentences.Sentence) [][2]int {
	list := s.NounPhrases()
	for i, b := range list {
		list[i][0] = s.Bare(b[0], b[1])
	}
	return list
}

// gathered are the examples of a training, and what was left out.
type gathered struct {
	list             []example
	positives        int
	other            []*sentences.Sentence // to draw negatives from
	lost, unlabelled int                   // documents whose term is not in their sentence; without label and title
}

// gather reads documents: those with a label are one sentence; of those with a title the first sentence that names it
// is a definition of it.
func (m *model) gather(ctx context.Context, t *kind.Training) (*gathered, error) {
	g := &gathered{}
	r := &sentences.Reader{Tags: m.opt.tags}
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		e, ok, err := m.one(r, d)
		switch {
		case err != nil:
			return nil, err
		case ok && e.s == nil:
			g.lost++
		case ok:
			g.list = append(g.list, e)
		case term(d) != "":
			g.article(ctx, r, d, m.opt.negatives == byTitles)
		default:
			g.unlabelled++
		}
	}
	for i := range g.list {
		if g.list[i].positive {
			g.positives++
		}
	}
	if in := t.Roles[roleNegatives]; in != nil {
		for d, err := range in.Documents(ctx) {
			if err != nil {
				return nil, err
			}
			g.others(kind.While(ctx, r.Sentences(d)))
		}
	}
	if m.opt.negatives == byRandom {
		g.draw(m.opt.ratio*g.positives, t.Seed)
	}
	return g, ctx.Err()
}

// one is a labelled document as an example, without a sentence where it has no words or not its term.
func (m *model) one(r *sentences.Reader, d *text.Document) (e example, ok bool, err error) {
	positive, ok, err := label(d)
	if err != nil || !ok {
		return e, false, err
	}
	s := r.Whole(d)
	if s == nil {
		return e, true, nil
	}
	e = example{s: s, positive: positive}
	if name := term(d); name == "" {
		e.terms = candidates(s)
	} else if from, to, found := locate(s, name, true); found {
		e.terms = [][2]int{{from, to}}
	}
	if len(e.terms) == 0 {
		e.s = nil
	}
	return e, true, nil
}

// looking is how many sentences of an article may come before the one that names its title.
const looking = 2

// article adds the first sentence of an article as a definition, and with titles the others that name the title as
// none.
func (g *gathered) article(ctx context.Context, r *sentences.Reader, d *text.Document, titles bool) {
	name, n, found := term(d), 0, false
	var rest []*sentences.Sentence
	for s := range kind.While(ctx, r.Sentences(d)) {
		from, to, ok := locate(s, name, !found)
		switch {
		case ok && !found && n < looking:
			found = true
			g.list = append(g.list, example{s: s, terms: [][2]int{{from, to}}, positive: true})
		case ok && found && titles:
			g.list = append(g.list, example{s: s, terms: [][2]int{{from, to}}})
		case found:
			rest = append(rest, s)
		}
		n++
	}
	if !found {
		g.lost++
	}
	if !titles {
		g.others(slices.Values(rest))
	}
}

// others keeps sentences to draw from that are worth it: 5 to 50 words with a verb, fewer than half of them numbers,
// and a full stop at the end (Yan et al. 2013, section 2.1.1).
func (g *gathered) others(list iter.Seq[*sentences.Sentence]) {
	for s := range list {
		if n := len(s.Words); n < 5 || n > 50 || s.Words[n-1].Form != "." && s.Words[n-1].Form != "。" {
			continue
		}
		verbs, numbers := 0, 0
		for i := range s.Words {
			if sentences.IsVerb(s.Words[i].Tag) {
				verbs++
			}
			if sentences.IsNumber(s.Words[i].Tag) {
				numbers++
			}
		}
		if verbs > 0 && 2*numbers < len(s.Words) {
			g.other = append(g.other, s)
		}
	}
}

// draw adds n sentences with a noun phrase drawn as the term, all where there are fewer.
func (g *gathered) draw(n int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0xdef))
	rng.Shuffle(len(g.other), func(i, j int) { g.other[i], g.other[j] = g.other[j], g.other[i] })
	for _, s := range g.other {
		if n <= 0 {
			break
		}
		if c := candidates(s); len(c) > 0 {
			g.list = append(g.list, example{s: s, terms: [][2]int{c[rng.IntN(len(c))]}})
			n--
		}
	}
	g.other = nil
}
