package paraphrase

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// gatherer gathers definitions by term.
type gatherer struct {
	opt    *options
	words  words
	groups map[string]int // places of terms
	terms  []string
	list   [][]*definition // by term
	seen   map[string]bool // term and text
	counts []int           // definitions of a term, also those beyond max_group
	flat   int             // definitions without a tree
	met    int             // sentences that were definitions
}

// gather reads the definitions of documents. It holds those of each term, up to max_group of them.
func (m *model) gather(ctx context.Context, in kind.Input) (*gatherer, error) {
	g := &gatherer{opt: &m.opt, groups: map[string]int{}, seen: map[string]bool{}}
	r := &sentences.Reader{Tags: m.opt.tags}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		g.document(ctx, r, d)
	}
	return g, ctx.Err()
}

// document adds the definitions of a document: those of its layer, else, where it has a term, its first sentence.
func (g *gatherer) document(ctx context.Context, r *sentences.Reader, d *text.Document) {
	l := d.Layer(sentences.Definitions.Name)
	term := strings.ToLower(strings.TrimSpace(d.Field(termField).S))
	if (l == nil || l.N == 0) && term == "" {
		return
	}
	entities := entitiesOf(d)
	at := map[int32]int{} // rows by sentence
	if l != nil {
		for i, n := range l.Ints("sent") {
			at[n] = i
		}
	}
	for s := range kind.While(ctx, r.Sentences(d)) {
		w := s.Words
		from, to, name := 0, 0, term
		if i, ok := at[int32(s.Number)]; ok && l.Strs("term") != nil {
			name = l.Strs("term")[i]
			if a, b := l.Ints("form_start"), l.Ints("form_end"); a != nil && b != nil {
				from, to = within(w, a[i], b[i])
			}
		} else if l != nil && l.N > 0 || term == "" {
			continue
		} else {
			from, to = spelled(w, term)
		}
		if name != "" {
			g.add(name, s, from, to, d, entities)
		}
		if l == nil || l.N == 0 {
			break
		}
	}
}

// within are the words between two places of the text.
func within(w []sentences.Word, start, end int32) (from, to int) {
	for from < len(w) && w[from].Start < start {
		from++
	}
	for to = from; to < len(w) && w[to].End <= end; to++ {
	}
	return from, to
}

// spelled are the words that spell a term, none where it is not there.
func spelled(w []sentences.Word, term string) (from, to int) {
	want := strings.Fields(term)
	for i := range w {
		if i+len(want) <= len(w) && slices.EqualFunc(w[i:i+len(want)], want, func(x sentences.Word, y string) bool {
			return x.Lower == y
		}) {
			return i, i + len(want)
		}
	}
	return 0, 0
}

func entitiesOf(d *text.Document) (out [][2]int32) {
	l := d.Layer(text.Entities.Name)
	if l == nil {
		return nil
	}
	if a, b := l.Ints("char_start"), l.Ints("char_end"); a != nil && b != nil {
		for i := range l.N {
			out = append(out, [2]int32{a[i], b[i]})
		}
	}
	return out
}

// add adds a definition, each text of a term once.
func (g *gatherer) add(term string, s *sentences.Sentence, from, to int, d *text.Document, entities [][2]int32) {
	g.met++
	if s.Root < 0 {
		g.flat++
		return
	}
	a, b := int(s.Words[0].Start), int(s.Words[len(s.Words)-1].End)
	body := ""
	if 0 <= a && a <= b && b <= len(d.Text) {
		body = strings.Join(strings.Fields(d.Text[a:b]), " ")
	}
	if body == "" {
		body = join(s, 0, len(s.Words))
	}
	if key := term + "\x00" + strings.ToLower(body); g.seen[key] {
		return
	} else {
		g.seen[key] = true
	}
	k, ok := g.groups[term]
	if !ok {
		k = len(g.terms)
		g.groups[term] = k
		g.terms, g.list, g.counts = append(g.terms, term), append(g.list, nil), append(g.counts, 0)
	}
	if g.counts[k]++; len(g.list[k]) < g.opt.maxGroup {
		g.list[k] = append(g.list[k], g.define(s, from, to, d.ID, body, entities))
	}
}

// pair is two definitions of a term.
type pair struct {
	term   string
	a, b   *definition
	cosine float64
}

// pairs are the pairs of definitions of one term with a cosine above the option: of terms with no more than max_term
// definitions, in the order of the documents. Where sample is above 0, that many are drawn.
func (g *gatherer) pairs(ctx context.Context, seed uint64) (out []pair, err error) {
	for k, group := range g.list {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if g.counts[k] > g.opt.maxTerm {
			continue
		}
		for i, a := range group {
			for _, b := range group[i+1:] {
				if c := a.cosine(b); c > g.opt.cosine {
					out = append(out, pair{g.terms[k], a, b, c})
				}
			}
		}
	}
	if n := g.opt.sample; n > 0 && n < len(out) {
		rng := rand.New(rand.NewPCG(seed, 0xdef))
		rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		out = out[:n]
	}
	return out, nil
}

// tell says what is left out, and fails where nothing is left.
func (g *gatherer) tell(t *kind.Training, pairs int) error {
	if g.met == 0 {
		return fmt.Errorf("%w: there is no definition: TRAIN … USING a model of kind definition, or documents "+
			"with a column "+
			"term whose first sentence defines it", kind.ErrNoData)
	}
	if g.flat == g.met {
		return fmt.Errorf("%w: no definition has a sound parse", kind.ErrNoData)
	}
	if g.flat > 0 {
		t.Notice(text.Countf("%d {definition without a sound parse is|definitions without a sound parse are} left out",
			g.flat))
	}
	if large := len(slices.DeleteFunc(slices.Clone(g.counts),
		func(n int) bool { return n <= g.opt.maxTerm })); large > 0 {
		t.Notice(text.Countf("%d {term is|terms are} left out, with more than %d definitions (option max_term)", large,
			g.opt.maxTerm))
	}
	if pairs == 0 {
		return fmt.Errorf("%w: %d definitions of %d terms, and no term with two that share a content word "+
			"(options cosine, "+
			"max_term)", kind.ErrNoData, g.met-g.flat, len(g.terms))
	}
	return nil
}
