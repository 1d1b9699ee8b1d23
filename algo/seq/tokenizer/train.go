package tokenizer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Train counts the chunks of the documents and fits both models.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	seen := tally{}
	var docs kind.Documents
	divided := 0
	for d, err := range t.On.Documents(ctx) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		gold := goldOf(d)
		divided += gold.divide(d.Text)
		if len(gold.tokens) == 0 {
			continue
		}
		gold.count(d.Text, seen)
		if err := ctx.Err(); err != nil { // a document may be long
			return err
		}
		docs = append(docs, gold.paragraphs(d, paragraphs{lines: m.opt.lines == asLearnt}))
		if err := ctx.Err(); err != nil {
			return err
		}
		if tokens := docs[len(docs)-1].Layer(text.Tokens.Name).Ints("sent"); tokens[len(tokens)-1] > 1 {
			docs = append(docs, gold.paragraphs(d, paragraphs{lines: m.opt.lines == asLearnt, whole: true}))
		}
	}
	if len(docs) == 0 {
		return fmt.Errorf("%w: the input has no tokens", kind.ErrNoData)
	}
	if divided > 0 {
		t.Notice(fmt.Sprintf("tokens that hold white space: %d; it always ends a token, so their parts are learned", divided))
	}
	m.known = seen.dictionary(m.opt.minCount)
	t.Report(kind.Progress{Step: 0, Note: fmt.Sprintf("characters of %d different chunks", len(seen))})
	if err := m.chunk.fit(ctx, t, charactersOf(seen), m); err != nil {
		return fmt.Errorf("characters: %w", err)
	}
	t.Report(kind.Progress{Step: 0, Note: "sentences"})
	if err := m.sentences.fit(ctx, t, docs, m); err != nil {
		return fmt.Errorf("sentences: %w", err)
	}
	return ctx.Err()
}

// gold is the tokens of a document that lie one behind the other, with the sentences that they begin.
type gold struct {
	tokens []span
	forms  []string
	first  []bool
	starts map[int32]bool
}

// goldOf reads the tokens. Of tokens that lie over each other, as words of a multiword token do that its text does not
// spell, the first is taken.
func goldOf(d *text.Document) *gold {
	g := &gold{starts: map[int32]bool{}}
	l := d.Layer(text.Tokens.Name)
	if l == nil {
		return g
	}
	start, end, sent := l.Ints("char_start"), l.Ints("char_end"), l.Ints("sent")
	at, last := int32(0), int32(0)
	for i := range l.N {
		if start[i] < at || end[i] <= start[i] {
			continue
		}
		g.tokens = append(g.tokens, span{start[i], end[i]})
		g.forms = append(g.forms, d.Text[start[i]:end[i]])
		g.first = append(g.first, sent[i] != last)
		g.starts[start[i]] = true
		at, last = end[i], sent[i]
	}
	return g
}

// divide puts the parts of tokens that hold white space in their place, none for a token of white space alone, and
// returns the number of such tokens.
func (g *gold) divide(content string) (n int) {
	if !slices.ContainsFunc(g.forms, holdsSpace) {
		return 0
	}
	whole := *g
	g.tokens, g.forms, g.first = nil, nil, nil
	first := false // a sentence begins with the next part
	for i, token := range whole.tokens {
		if holdsSpace(whole.forms[i]) {
			n++
		}
		first = first || whole.first[i]
		for part := range func(yield func(span) bool) { chunks(whole.forms[i], yield) } {
			part.from, part.to = part.from+token.from, part.to+token.from
			g.tokens, g.forms = append(g.tokens, part), append(g.forms, content[part.from:part.to])
			g.first = append(g.first, first)
			g.starts[part.from] = true
			first = false
		}
	}
	return n
}

func holdsSpace(form string) bool { return strings.ContainsFunc(form, unicode.IsSpace) }

// longestLearned is the length in bytes of the longest chunk that is learned from.
const longestLearned = 1 << 12

// count adds the chunks of the text that begin and end with tokens.
func (g *gold) count(content string, seen tally) {
	k := 0
	for chunk := range func(yield func(span) bool) { chunks(content, yield) } {
		for k < len(g.tokens) && g.tokens[k].from < chunk.from {
			k++
		}
		c, at := []rune(nil), chunk.from
		for ; k < len(g.tokens) && g.tokens[k].from == at && g.tokens[k].to <= chunk.to; k++ {
			c = append(c, rune(g.tokens[k].to-at))
			at = g.tokens[k].to
		}
		if at == chunk.to && len(c) > 0 && chunk.to-chunk.from <= longestLearned {
			seen.add(content[chunk.from:chunk.to], cuts(c))
		}
	}
}

// paragraphs adds the tokens to an empty p and makes it a document of paragraphs with labels.
func (g *gold) paragraphs(d *text.Document, p paragraphs) *text.Document {
	for i, s := range g.tokens {
		label := inside
		if g.first[i] {
			label = begins
		}
		p.add(d.Text, s, g.forms[i], label)
	}
	return p.document(d.ID, d.Text, true)
}

// charactersOf is the different chunks as documents of characters with labels, some hundred chunks each.
func charactersOf(seen tally) (docs kind.Documents) {
	const each = 256
	names := seen.chunks()
	for len(names) > 0 {
		n := min(each, len(names))
		var c characters
		content := ""
		starts := map[int32]bool{}
		for _, name := range names[:n] {
			from := int32(len(content))
			content += name
			most(seen[name]).cuts.cut(from, func(s span) { starts[s.from] = true })
			content += " "
		}
		for chunk := range func(yield func(span) bool) { chunks(content, yield) } {
			c.add(content, chunk, starts)
		}
		docs = append(docs, c.document(fmt.Sprint(len(docs)), content, true))
		names = names[n:]
	}
	return docs
}
